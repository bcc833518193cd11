package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// explain returns every diagnostic of the package with its place, and its related places below it.
func explain(t testing.TB, text string, options types.Options) string {
	t.Helper()
	source := syntax.NewSource("", text)
	file, diagnostics := syntax.Parse(source)
	require.Empty(t, diagnostics, text)
	info, diagnostics := types.Check(file, options)
	require.False(t, findings.HasErrors(diagnostics), "%v", diagnostics)
	var out strings.Builder
	for _, d := range append(Behaviors(file), Check(info, options)...) {
		out.WriteString(strings.TrimPrefix(source.Format(d), ":") + "\n")
		for _, r := range d.Related {
			out.WriteString("  " + source.Slice(r.Span) + ": " + r.Message + "\n")
		}
	}
	return out.String()
}

func TestReasons(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a barrier after a guard", `
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if i < 10 {
    workgroupBarrier();
  }
}`, "6:5: error: Not all invocations may reach this `workgroupBarrier` together, but all invocations of a workgroup must. Move it out of the `if` on line 5, so that every invocation reaches it. [non-uniform-control-flow]\n" +
			"  id: `id` comes from `global_invocation_id`, which differs from invocation to invocation\n" +
			"  i: `i` depends on it\n" +
			"  i < 10: the `if` depends on it, so invocations may take different paths\n"},
		{"a barrier after a guard that returns", `
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  if li > 3 { return; }
  workgroupBarrier();
}`, "5:3: error: Not all invocations may reach this `workgroupBarrier` together, but all invocations of a workgroup must. Line 4 lets some invocations leave. Keep them from writing, not from waiting. [non-uniform-control-flow]\n" +
			"  li: `li` comes from `local_invocation_index`, which differs from invocation to invocation\n" +
			"  li > 3: the `if` depends on it, so invocations may take different paths\n"},
		{"two barriers after a guard that returns, and a loop between", `
@group(0) @binding(0) var<uniform> n: u32;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) w: vec3u) {
  if li > 3 { return; }
  if w.x > 3 { return; }
  for (var k = 0u; k < n; k++) { workgroupBarrier(); }
  workgroupBarrier();
}`, "7:34: error: Not all invocations may reach this `workgroupBarrier` together, but all invocations of a workgroup must. Line 5 lets some invocations leave. Keep them from writing, not from waiting. [non-uniform-control-flow]\n" +
			"  li: `li` comes from `local_invocation_index`, which differs from invocation to invocation\n" +
			"  li > 3: the `if` depends on it, so invocations may take different paths\n"},
		{"a function's barrier after a guard that returns", `
fn sync() { workgroupBarrier(); }
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) li: u32) {
  for (var k = 0; k < 3; k++) {
    if li > 3 {
      return;
    }
    sync();
  }
}`, "2:13: error: Not all invocations may reach this `workgroupBarrier` together, but all invocations of a workgroup must. Line 7 lets some invocations leave. Keep them from writing, not from waiting. [non-uniform-control-flow]\n" +
			"  li: `li` comes from `local_invocation_index`, which differs from invocation to invocation\n" +
			"  li > 3: the `if` depends on it, so invocations may take different paths\n" +
			"  sync(): this call leads to `workgroupBarrier`\n"},
		{"a barrier in a function", `
var<workgroup> go: u32;
fn sync() { workgroupBarrier(); }
@compute @workgroup_size(64)
fn main() {
  if go == 1 { sync(); }
}`, "3:13: error: Not all invocations may reach this `workgroupBarrier` together, but all invocations of a workgroup must. Move the call out of the `if` on line 6, so that every invocation reaches it. [non-uniform-control-flow]\n" +
			"  go: `go` is memory that can change, so invocations may find different values in it\n" +
			"  go == 1: the `if` depends on it, so invocations may take different paths\n" +
			"  sync(): this call leads to `workgroupBarrier`\n"},
		{"a loop that invocations leave at different times", `
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3u) {
  for (var i = 0u; i < id.x; i++) { workgroupBarrier(); }
}`, "4:37: error: Not all invocations may reach this `workgroupBarrier` together, but all invocations of a workgroup must. Move it out of the `if` or loop, so that every invocation reaches it. [non-uniform-control-flow]\n" +
			"  id: `id` comes from `local_invocation_id`, which differs from invocation to invocation\n" +
			"  i < id.x: the `for` depends on it, so invocations may take different paths\n"},
		{"a value that must be the same for all", `
var<workgroup> tile: array<u32, 4>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) { let x = workgroupUniformLoad(&tile[i]); }`,
			"4:81: error: This argument of `workgroupUniformLoad` must be the same for all invocations of a workgroup, but it may differ. Use a value that does not depend on the invocation, such as a constant, a uniform or `workgroup_id`. [non-uniform-value]\n" +
				"  i: `i` comes from `local_invocation_index`, which differs from invocation to invocation\n"},
		{"a barrier that all reach", `
@group(0) @binding(0) var<uniform> n: u32;
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) w: vec3u) { if w.x < n { workgroupBarrier(); } }`, ""},
		{"a filter that turns an error into a warning", `
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment
fn main(@location(0) uv: vec2f) {
  @diagnostic(warning, derivative_uniformity) if uv.x > 0 { _ = textureSample(t, s, uv); }
}`, "6:65: warning: Not all invocations may reach this `textureSample` together, but all invocations of a draw must. Move it before the `if` or loop and use its result there, or use a function that needs no neighbours, such as `textureSampleLevel`. [non-uniform-control-flow]\n" +
			"  uv: `uv` is an input that differs from invocation to invocation\n" +
			"  uv.x > 0: the `if` depends on it, so invocations may take different paths\n"},
		{"a way without return", `
fn f(x: u32) -> u32 {
  if x > 1 { return 2; }
}`, "4:1: error: The function `f` can end here without returning its u32. Write `return value;` before this `}`, or delete the `->`. [missing-return]\n" +
			"  u32: it promises a value of this type\n" +
			"  x > 1: there is no `return` on this path\n"},
		{"an endless loop", "fn f() {\n  loop { }\n}",
			"2:3: error: Nothing ends this `loop`: there is no `break` and no `return` in it. Write `if condition { break; }` in it. [endless-loop]\n"},
		{"an endless for", "fn f() {\n  for (;;) { }\n}",
			"2:3: error: Nothing ends this `for`: there is no `break` and no `return` in it. Write a condition between the two `;`, such as `i < n`. [endless-loop]\n"},
		{"two pointers into one variable", `
fn swap(a: ptr<function, u32>, b: ptr<function, u32>) { *a = *b; }
fn f() { var x = 1u; swap(&x, &x); }`, "3:31: error: Two arguments of this call point into `x`, and `swap` writes through one of them. Give the function two different variables, or only one pointer. [aliased-pointers]\n" +
			"  &x: the other argument that points into `x`\n  *a: used through `a`\n  *b: used through `b`\n"},
		{"letters after a pointer", `
fn copy(a: ptr<function, vec3u>, b: ptr<function, vec3u>) { *a = vec3u(b.xx, 1); }
fn f() { var x = vec3u(); copy(&x, &x); }`, "3:36: error: Two arguments of this call point into `x`, and `copy` writes through one of them. Give the function two different variables, or only one pointer. [aliased-pointers]\n" +
			"  &x: the other argument that points into `x`\n  *a: used through `a`\n  b.xx: used through `b`\n"},
		{"a pointer and a name", `
var<private> x: u32;
fn g(p: ptr<private, u32>) { x = *p; }
fn f() { g(&x); }`, "4:12: error: This argument points into `x`, which `g` also uses by its name, and one of the two writes. Let the function use `x` in only one way: by the pointer or by the name. [aliased-pointers]\n" +
			"  *p: used through the pointer\n  x: used by its name\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, explain(t, c.text, types.Options{Features: types.FeaturePointerCompositeAccess}))
		})
	}
}

// TestUniform lists statements before which or in which not all invocations may reach a barrier
// together, and similar ones where all do.
func TestUniform(t *testing.T) {
	const around = `
@group(0) @binding(0) var<storage, read_write> mem: array<u32>;
@group(0) @binding(1) var<uniform> same: u32;
@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;
var<workgroup> hits: atomic<u32>;
var<workgroup> tile: vec3u;
fn spoil(p: ptr<function, u32>) -> u32 { *p = mem[0]; return 0; }
fn reset(p: ptr<function, u32>) -> u32 { *p = 0; return 0; }
fn needs(p: ptr<function, u32>) -> u32 { if *p == 1 { workgroupBarrier(); } return 0; }
fn lanes(p: ptr<function, vec3u>) -> u32 { return p.zx.y; }
fn most(p: ptr<workgroup, atomic<u32>>) -> u32 { return atomicMax(p, 1); }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) li: u32) {
  var a = array<u32, 4>(); var i = 0u; var x = 0u; var v = vec3u(mem[0]); let q = &v;
  %s
}`
	const barrier = " { workgroupBarrier(); }"
	for _, c := range []struct {
		body    string
		uniform bool
	}{
		// Atomics read memory that others write.
		{"if atomicAdd(&count, 1) == 1" + barrier, false},
		{"if atomicLoad(&hits) == 1" + barrier, false},
		{"if atomicCompareExchangeWeak(&hits, 0, 1).exchanged" + barrier, false},
		{"if most(&hits) == 1" + barrier, false},
		{"let old = atomicExchange(&count, 2); x = old; if x == 1" + barrier, false},
		{"atomicStore(&hits, 1); if workgroupUniformLoad(&hits) == 1" + barrier, true},
		// Letters of several components after a pointer load the vector (§ 8.5.1).
		{"if q.xy[0] == 1" + barrier, false},
		{"if (&v).zyx.x == 1" + barrier, false},
		{"let r = &tile; if all(r.rg == vec2u())" + barrier, false},
		{"if lanes(&v) == 1" + barrier, false},
		{"v = vec3u(same); if lanes(&v) == 1" + barrier, true},
		{"v = vec3u(same); if q.xy.y == 1" + barrier, true},
		// A continuing part meets the values of the body's variables at each continue (§ 15.2.5).
		{"loop { var y = 0u; if same == 0 { y = li; continue; } if same == 3 { break; } continuing { if y == 1" + barrier + " } }", false},
		{"loop { var y = li; if same == 0 { continue; } y = 0; if same == 3 { break; } continuing { if y == 1" + barrier + " } }", false},
		{"loop { var y = li; if same == 0 { y = 0; continue; } y = 1; if same == 3 { break; } continuing { if y == 1" + barrier + " } }", true},
		{"loop { var y = 0u; let p = &y; switch same { case 0 { *p = li; continue; } default { } } continuing { x = y; break if same == 2; } } if x == 1" + barrier, false},
		{"loop { if x == 1" + barrier + " var y = 0u; if same == 1 { y = li; continue; } continuing { x = y; break if same == 2; } }", false},
		{"loop { if same == 1 { continue; } var y = li; if y == 1 { x = 1; } continuing { break if same == 2; } } workgroupBarrier();", true},
		// The left side of an assignment is evaluated first (§ 9.2.1).
		{"a[spoil(&i)] = a[needs(&i)];", false},
		{"a[needs(&i)] = a[spoil(&i)];", true},
		{"a[needs(&i)] = spoil(&i);", true},
		{"mem[spoil(&i)] = needs(&i);", false},
		{"a[needs(&i)] += a[spoil(&i)];", true},
		{"i = li; i += reset(&i); if i == 1" + barrier, false},
		{"i = li; i = reset(&i); if i == 1" + barrier, true},
		// The reference of a compound assignment or increment is evaluated once (§ 9.2.3, § 9.3).
		{"a[needs(&i) + spoil(&i)] += 1;", true},
		{"a[needs(&i) + spoil(&i)]++;", true},
		{"mem[needs(&i) + spoil(&i)]--;", true},
		{"mem[spoil(&i)] |= needs(&i);", false},
		// The right side of && and || may be skipped.
		{"i = mem[0]; if same == 1 && reset(&i) == 0 { } if i == 1" + barrier, false},
		{"i = mem[0]; let b = same == 1 || reset(&i) == 0; if i == 1" + barrier, false},
		{"if li == 1 && reset(&i) == 0 { } if i == 1" + barrier, false},
		{"if same == 1 || reset(&i) == 0 { } if i == 1" + barrier, true},
		{"i = li; if same == 1 && reset(&i) == 0 && i == 0 { workgroupBarrier(); }", false},
		{"i = li; let b = reset(&i) == 0 && same == 1; if i == 1" + barrier, true},
	} {
		found := explain(t, fmt.Sprintf(around, c.body), types.Options{Features: types.FeatureUnrestrictedPointers | types.FeaturePointerCompositeAccess})
		if c.uniform {
			assert.Empty(t, found, c.body)
		} else {
			assert.Contains(t, found, "[non-uniform-control-flow]", c.body)
		}
	}
}

func TestCourseShadersFlow(t *testing.T) {
	files, err := filepath.Glob("../../../exercises/*/reference.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Empty(t, explain(t, string(text), types.Options{Features: types.FeatureSubgroups | types.FeatureSubgroupID}), name)
	}
}

// TestDeepAndWide checks that hostile functions do not cost more than their size justifies.
func TestDeepAndWide(t *testing.T) {
	var nested strings.Builder
	nested.WriteString("fn f(p: ptr<function, u32>) { var x = *p;\n")
	for range 100 {
		nested.WriteString("if x > 1 { loop { x += 1; if x == 3 { continue; }\n")
	}
	nested.WriteString("workgroupBarrier();\n")
	for range 100 {
		nested.WriteString("break; } }\n")
	}
	nested.WriteString("}")
	source := syntax.NewSource("", nested.String())
	file, _ := syntax.Parse(source)
	Behaviors(file)

	var jumps strings.Builder
	jumps.WriteString("fn f(x: u32) {\n")
	for i := range 5500 {
		fmt.Fprintf(&jumps, "var a%d = 1;\n", i)
	}
	jumps.WriteString("loop {\n")
	for i := range 5500 {
		fmt.Fprintf(&jumps, "a%d = 2;\nif x == 1 { break; }\n", i)
	}
	jumps.WriteString("} }")
	assert.Contains(t, explain(t, jumps.String(), types.Options{}), "[too-complex]")

	wide := "fn f() { var x = 1u;\n" + strings.Repeat("if x > 1 { x += 1; } x = x + x * x - x;\n", 5000) + "}"
	assert.Empty(t, explain(t, wide, types.Options{}))
}
