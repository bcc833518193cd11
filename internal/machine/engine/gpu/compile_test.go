package gpu_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"pgregory.net/rapid"
)

// header is four lines, before the mistakes of the table.
const header = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
`

// If the front end accepts a shader and naga does not, the error has naga's message and place, and
// none of its internals.
func TestWhatNagaSays(t *testing.T) {
	d := driver.open(t)
	for name, c := range map[string]struct {
		source               string
		line, column, length int
		said                 string // expected in the message or its details
		excerpt              string
	}{
		"type of a let": {header + "\tlet v: f32 = 1u;\n}", 5, 6, 1,
			"the type of `v` is expected to be `f32`, but got `u32`",
			"5 | \tlet v: f32 = 1u;\n  | \t    ^"},
		"operands of two types": {header + "  y[0] = x[0] * id.x;\n}", 5, 10, 11,
			"Operation Multiply can't work with",
			"5 |   y[0] = x[0] * id.x;\n  |          ^^^^^^^^^^^"},
		"writing to a read-only buffer": {header + "  x[0] = 1.0;\n}", 5, 3, 4,
			"writing to this location is not permitted",
			"5 |   x[0] = 1.0;\n  |   ^^^^"},
		"unknown name": {header + "  y[0] = zzz;\n}", 5, 10, 3,
			"no definition in scope for identifier: 'zzz'",
			"5 |   y[0] = zzz;\n  |          ^^^"},
		"reserved name": {header + "  let std = 1;\n}", 5, 7, 3,
			"name `std` is a reserved keyword",
			"5 |   let std = 1;\n  |       ^^^"},
		"semicolon": {header + "  y[0] = 1.0\n}", 6, 1, 1,
			"expected ';', found '}'",
			"6 | }\n  | ^"},
		"condition": {header + "  if (id.x) { y[0] = 1.0; }\n}", 5, 7, 4,
			"The `if` condition [2] is not a boolean scalar",
			"5 |   if (id.x) { y[0] = 1.0; }\n  |       ^^^^"},
		"assigning to a let": {header + "  let i = id.x; i = 3u;\n}", 5, 7, 1,
			"consider declaring 'i' with `var` instead of `let`",
			"5 |   let i = id.x; i = 3u;\n  |       ^"},
		"after tabs": {header + "\t\ty[0] =\tzzz;\n}", 5, 10, 3,
			"'zzz'",
			"5 | \t\ty[0] =\tzzz;\n  | \t\t      \t^^^"},
		"around a tab": {header + "\ty[0] = x[0] *\tid.x;\n}", 5, 9, 11,
			"Operation Multiply",
			"5 | \ty[0] = x[0] *\tid.x;\n  | \t       ^^^^^^^^^^^"},
		"CRLF": {strings.ReplaceAll(header, "\n", "\r\n") + "\ty[0] = zzz;\r\n}\r\n", 5, 9, 3,
			"'zzz'",
			"5 | \ty[0] = zzz;\n  | \t       ^^^"},
		"after multi-byte characters": {header + "  let größe = 1.0; /* ü → */ y[0] = zzz;\n}", 5, 37, 3,
			"'zzz'",
			"5 |   let größe = 1.0; /* ü → */ y[0] = zzz;\n  |                                     ^^^"},
		"a multi-byte name": {header + "  y[0] = größe;\n}", 5, 10, 5,
			"'größe'",
			"5 |   y[0] = größe;\n  |          ^^^^^"},
		"uniform array": {"struct P { v: array<f32, 4> }\n@group(0) @binding(0) var<uniform> p: P;\n@compute @workgroup_size(1) fn main() {}", 2, 23, 18,
			"The array stride 4 is not a multiple of the required alignment 16",
			"2 | @group(0) @binding(0) var<uniform> p: P;\n  |                       ^^^^^^^^^^^^^^^^^^"},
		"missing builtin": {"\n@compute @workgroup_size(1) fn main(id: vec3<u32>) {}", 2, 32, 4,
			"Entry point arguments and return values must all have bindings",
			"2 | @compute @workgroup_size(1) fn main(id: vec3<u32>) {}\n  |                                ^^^^"},
		"wrong type of a builtin": {"@compute @workgroup_size(1)\nfn main(@builtin(global_invocation_id) id: vec2<u32>) {}", 2, 4, 4,
			"Built-in type for GlobalInvocationId is invalid",
			"2 | fn main(@builtin(global_invocation_id) id: vec2<u32>) {}\n  |    ^^^^"},
		"unknown builtin": {"@compute @workgroup_size(1) fn main(@builtin(id) id: vec3<u32>) {}", 1, 46, 2,
			"unknown builtin: 'id'",
			"1 | @compute @workgroup_size(1) fn main(@builtin(id) id: vec3<u32>) {}\n  |                                              ^^"},
		"no workgroup size": {"@compute fn main() {}", 1, 2, 7,
			"workgroup size is missing on compute shader entry point",
			"1 | @compute fn main() {}\n  |  ^^^^^^^"},
		"workgroup size of 0": {"@compute @workgroup_size(0) fn main() {}", 1, 32, 4,
			"Workgroup size is out of range",
			"1 | @compute @workgroup_size(0) fn main() {}\n  |                                ^^^^"},
	} {
		t.Run(name, func(t *testing.T) {
			err := gpu.NagaSays(d, c.source)
			var e *shader.CompileError
			require.ErrorAs(t, err, &e)
			require.Contains(t, e.Message+"\n"+e.Detail, c.said)
			require.Equal(t, []int{c.line, c.column, c.length}, []int{e.Line, e.Column, e.EndColumn - e.Column}, err.Error())
			require.NotContains(t, err.Error(), "naga::", "a label that says nothing to a learner")
			require.NotContains(t, err.Error(), "wgpu")
			require.NotContains(t, e.Message, "\n")
			if c.excerpt != "" {
				require.Equal(t, c.excerpt, e.Excerpt())
				require.Contains(t, err.Error(), "\n"+c.excerpt)
			}
		})
	}
	compile(t, d, increment) // the device goes on
	// What only another entry point uses doesn't count.
	compile(t, d, "@group(0) @binding(0) var<storage> a: f32;\n@group(0) @binding(0) var<storage, read_write> b: u32;\nvar<workgroup> t: array<f32, 1000000>;\n"+
		"@compute @workgroup_size(1) fn main() { b = 1u; }\n@compute @workgroup_size(1) fn other() { t[0] = a; }")
}

func TestWorkgroupDepth(t *testing.T) { onEach(t, testWorkgroupDepth) }

func testWorkgroupDepth(t *testing.T, on engine) {
	d := on.open(t)
	limits := d.Adapter().Limits
	if limits.WorkgroupSize[2] >= limits.InvocationsPerWorkgroup {
		t.Skipf("%s allows as many invocations in z as in all", d.Adapter())
	}
	_, err := d.Compile("deep", fmt.Sprintf("@compute @workgroup_size(1, 1, %d) fn main() {}", limits.WorkgroupSize[2]+1))
	require.ErrorContains(t, err, fmt.Sprintf("@workgroup_size has %d in z; it must be from 1 to %d", limits.WorkgroupSize[2]+1, limits.WorkgroupSize[2]))
}

// The front end reports violations of WGSL's rules before the driver sees the shader; the
// validation reports exceeded limits.
func TestCompileErrors(t *testing.T) { onEach(t, testCompileErrors) }

func testCompileErrors(t *testing.T, on engine) {
	d := on.open(t)
	for name, c := range map[string]struct{ source, want string }{
		"operands of two types": {header + "  y[0] = x[0] * id.x;\n}", "exercise:5:10: `x[0]` is f32 and `id.x` is u32: WGSL never converts between them by itself. Write `f32(id.x)`."},
		"unknown name":          {header + "  y[0] = zzz;\n}", "exercise:5:10: `zzz` is not declared."},
		"nesting":               {header + "  y[0] = " + strings.Repeat("(", 100_000) + "1;", "deep"},
		"workgroup too large": {"@compute @workgroup_size(1024,\n\t1024) fn main() {}",
			"exercise:2:11: @workgroup_size(1024, 1024, 1) makes 1048576 invocations; " + d.Adapter().Name + " runs at most"},
		"workgroup memory": {"var<workgroup> tile: array<f32, 1000000>;\n@compute @workgroup_size(1) fn main() { tile[0] = 1.0; }",
			"exercise:2:32: the var<workgroup> variables take 4000000 bytes; " + d.Adapter().Name + " has"},
		"one binding twice": {"@group(0) @binding(0) var<storage> a: f32;\n@group(0) @binding(0) var<storage> b: f32;\n@compute @workgroup_size(1) fn main() { _ = a + b; }",
			"exercise:2:36: `a` and `b` are both `@group(0) @binding(0)`."},
		"entry point of another name": {"@compute @workgroup_size(1) fn add() {}", "exercise: there is no entry point: a function `main` marked @compute"},
		"empty":                       {"", "there is no entry point"},
		"NUL":                         {"@compute\n@work\x00group_size(1) fn main() {}", "byte 6 of line 2 is NUL: this is not text"},
		"byte order mark":             {"\uFEFF@compute @workgroup_size(1) fn main() {}", "the file begins with a byte order mark, which is invisible: save it as UTF-8 without one"},
		"bytes that are not text":     {"\x80\x81@compute @workgroup_size(1) fn main() {}", "UTF-8"},
	} {
		_, err := d.Compile("exercise", c.source)
		var e *shader.CompileError
		require.ErrorAs(t, err, &e, name)
		require.Contains(t, err.Error(), c.want, name)
		require.Less(t, len(err.Error()), 1000, name)
	}
	compile(t, d, increment) // the device goes on
	// What only another entry point uses doesn't count.
	compile(t, d, "@group(0) @binding(0) var<storage> a: f32;\n@group(0) @binding(0) var<storage, read_write> b: u32;\nvar<workgroup> t: array<f32, 1000000>;\n"+
		"@compute @workgroup_size(1) fn main() { b = 1u; }\n@compute @workgroup_size(1) fn other() { t[0] = a; }")
}

// A Pass can bind only buffers in @group(0).
func TestOtherResources(t *testing.T) { onEach(t, testOtherResources) }

func testOtherResources(t *testing.T, on engine) {
	d := on.open(t)
	for declaration, want := range map[string]string{
		"@group(0) @binding(0) var t: texture_2d<f32>;":           "pipeline: `t` is at @group(0) @binding(0) in <handle>; the lessons use buffers in @group(0) only",
		"@group(1) @binding(0) var<storage, read> x: array<f32>;": "pipeline: `x` is at @group(1) @binding(0) in <storage, read>; the lessons use buffers in @group(0) only",
	} {
		_, err := d.Compile("pipeline", declaration+"\n@compute @workgroup_size(1) fn main() {}")
		require.EqualError(t, err, want)
	}
}

// Any bytes give a pipeline or an error.
func TestCompileRandomBytes(t *testing.T) { onEach(t, testCompileRandomBytes) }

func testCompileRandomBytes(t *testing.T, on engine) {
	d := on.open(t)
	rapid.Check(t, func(t *rapid.T) {
		source := string(rapid.SliceOf(rapid.Byte()).Draw(t, "source"))
		k, err := d.Compile("random", source)
		if err == nil {
			k.Free()
			return
		}
		var e *shader.CompileError
		require.ErrorAs(t, err, &e)
	})
}

// FuzzCompile searches for sources that crash the compiler, and with it the process. It starts from
// the reference shaders, which also compile.
func FuzzCompile(f *testing.F) {
	shaders, err := filepath.Glob("../../../../exercises/*/reference.wgsl")
	require.NoError(f, err)
	require.NotEmpty(f, shaders)
	d := driver.open(f)
	for _, path := range shaders {
		source, err := os.ReadFile(path)
		require.NoError(f, err)
		// Those of several passes have no main, and naga takes no extensions.
		if strings.Contains(string(source), "fn main(") && !strings.Contains(string(source), "\nenable ") {
			compile(f, d, string(source)).Free()
		}
		f.Add(string(source))
	}
	f.Fuzz(func(t *testing.T, source string) {
		if k, err := d.Compile("fuzzed", source); err == nil {
			k.Free()
		}
	})
}
