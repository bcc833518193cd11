// Package hostile generates malicious shaders. Only tests import it.
package hostile

import (
	"fmt"
	"strings"
)

// An Attack is a malicious shader for the exercise add.
type Attack struct {
	Source    string
	Diagnosis string // the diagnosis that it must get; "" if any will do
}

const add3 = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
`

// Shaders returns hostile shaders by what they do. Each must cost that exercise its points and
// nothing else.
//
// It is a function so that no jail has to build the large ones.
func Shaders() map[string]Attack {
	return map[string]Attack{
		"never ends":        {add3 + "@compute @workgroup_size(1) fn main() { var i = 0u; while (i < 10u) { out[0] = 1.0; } }", "did-not-finish"},
		"loop":              {add3 + "@compute @workgroup_size(1) fn main() { loop {} }", "did-not-finish"},
		"a bomb of parens":  {"@compute @workgroup_size(1) fn main() { let x = " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + "; }", ""},
		"a bomb of minuses": {"@compute @workgroup_size(1) fn main() { let x = " + strings.Repeat("-", 200_000) + "1; }", ""},
		"a bomb of calls":   {callBomb(28), "too-much-to-compile"},
		"a bomb of consts":  {constBomb(24), ""},
		"much memory":       {add3 + "var<private> big: array<f32, 1000000000>; @compute @workgroup_size(1) fn main() { big[u32(a[0])] = b[0]; out[0] = big[u32(b[0])]; }", ""},
		"much workgroup":    {add3 + "var<workgroup> big: array<f32, 1000000000>; @compute @workgroup_size(1) fn main() { big[u32(a[0])] = b[0]; out[0] = big[u32(b[0])]; }", ""},
		"huge workgroup":    {"@compute @workgroup_size(4294967295u, 4294967295u, 1) fn main() {}", ""},
		"100 MB":            {strings.Repeat("// comment\n", 10<<20), "too-large"},
		"NUL":               {"@compute @workgroup_size(1) fn main() {}\x00", ""},
		"random":            {"\xff\xfe\x80ÿ\x1b[31m{{{%%%", ""},
		"empty":             {"", "empty"},
	}
}

// callBomb returns a shader whose work doubles with each function.
func callBomb(n int) string {
	var b strings.Builder
	b.WriteString(add3 + "fn g0(x: f32) -> f32 { return x * 1.5 + 1.0; }\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "fn g%d(x: f32) -> f32 { return g%d(x) + g%d(x + 1.0); }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "@compute @workgroup_size(1) fn main() { out[0] = g%d(out[0]); }\n", n)
	return b.String()
}

// constBomb returns a shader in which the size of a type doubles with each line.
func constBomb(n int) string {
	var b strings.Builder
	b.WriteString("struct S0 { a: vec4<f32>, b: vec4<f32> }\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "struct S%d { a: S%d, b: S%d }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "var<private> p: S%d;\n@compute @workgroup_size(1) fn main() { p.a = p.b; }\n", n)
	return b.String()
}
