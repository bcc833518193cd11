package zoo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

const adding = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
`

// inMain wraps statements in an entry point.
func inMain(statements string) string {
	return adding + "@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  let i = id.x;\n  " + statements + "\n}\n"
}

func entry(attributes, parameters, statements string) string {
	return fmt.Sprintf("%s%s\nfn main(%s) {\n  %s\n}\n", adding, attributes, parameters, statements)
}

// refused are shaders that the compiler refuses, each with the explanation that a learner should
// get.
var refused = []struct{ slug, source string }{
	{"not-text", adding + "\x00"},
	{"not-text", "\xff\xfe\x00"},
	{"not-text", "\xc3\x28\xa0\xa1 fn"},
	{"missing-builtin", entry("@compute @workgroup_size(64)", "", "out[id.x] = a[id.x];")},
	{"missing-builtin", entry("@compute @workgroup_size(64)", "", "out[global_invocation_id.x] = 1.0;")},
	{"missing-builtin", entry("@compute @workgroup_size(64)", "id: vec3<u32>", "out[id.x] = 1.0;")},
	{"unknown-builtin", entry("@compute @workgroup_size(64)", "@builtin(global_id) id: vec3<u32>", "out[id.x] = 1.0;")},
	{"builtin-type", entry("@compute @workgroup_size(64)", "@builtin(global_invocation_id) i: u32", "out[i] = 1.0;")},
	{"unknown-name", inMain("ouput[i] = 1.0;")},
	{"unknown-name", inMain("if (i < arraylength(&out)) { out[i] = 1.0; }")},
	{"unknown-name", inMain("print(i);")},
	{"unknown-type", inMain("var x: float = 1.0; out[i] = x;")},
	{"missing-type", inMain("var x; out[i] = 1.0;")},
	{"unknown-member", inMain("if (i < out.length) { out[i] = 1.0; }")},
	{"unknown-member", inMain("out[id.q] = 1.0;")},
	{"unknown-member", inMain("out[id.w] = 1.0;")},
	{"out-of-range", inMain("var two = array<f32, 2>(a[i], b[i]); out[i] = two[2];")},
	{"reserved-word", inMain("let std = a[i]; out[i] = std;")},
	{"reserved-word", inMain("var target = a[i]; out[i] = target;")},
	{"declared-twice", inMain("let i = 3u; out[i] = 1.0;")},
	{"array-as-value", inMain("if (i < arrayLength(out)) { out[i] = 1.0; }")},
	{"array-as-value", inMain("out = a + b;")},
	{"index-type", inMain("out[id] = a[id];")},
	{"read-only", inMain("a[i] = 1.0;")},
	{"read-only", inMain("let s = 0.0; s = a[i]; out[i] = s;")},
	{"read-only", inMain("id.x = 3u;")},
	{"no-implicit-conversion", inMain("out[i] = i;")},
	{"no-implicit-conversion", inMain("out[i] = a[i] + i;")},
	{"no-implicit-conversion", inMain("let x: f32 = i; out[i] = x;")},
	{"no-implicit-conversion", inMain("for (var k = 0; k < i; k++) { out[i] = 1.0; }")},
	{"no-implicit-conversion", inMain("out[i] = exp(i);")},
	{"no-implicit-conversion", inMain("out[i] = (i / 255.0);")},
	{"no-implicit-conversion", inMain("let s = 3; out[0] = f32(i >> s);")},
	{"return-type", adding + "fn sum(x: f32) { return x; }\n" + strings.TrimPrefix(inMain("out[i] = sum(a[i]);"), adding)},
	{"return-type", inMain("return 1.0;")},
	{"arguments", adding + "fn sum(x: f32, y: f32) -> f32 { return x + y; }\n" + strings.TrimPrefix(inMain("out[i] = sum(a[i]);"), adding)},
	{"no-implicit-conversion", inMain("out[i] = select(a[i] > 0.0, a[i], 0.0);")},
	{"condition", inMain("if (i) { out[0] = 1.0; }")},
	{"ternary", inMain("out[i] = i > 3u ? a[i] : b[i];")},
	{"logical-operator", inMain("if (i > 1u and i < 3u) { out[i] = 1.0; }")},
	{"assignment-in-condition", inMain("if (i = 3u) { out[i] = 1.0; }")},
	{"increment-in-expression", inMain("var k = 0u; out[k++] = 1.0;")},
	{"missing-semicolon", inMain("let s = a[i]\n  out[i] = s;")},
	{"missing-semicolon", inMain("out[i] = a[i]")},
	{"missing-braces", inMain("if (i < 3u) out[i] = 1.0;")},
	{"unbalanced", inMain("out[i] = (a[i] + b[i];")},
	{"unbalanced", inMain("if (i < 3u) { out[i] = 1.0;")},
	{"not-a-statement", inMain("int k = 3;")},
	{"not-a-statement", inMain("u32 k = 3u;")},
	{"not-a-statement", inMain("k := 3;")},
	{"not-a-statement", inMain("out[i] = (f32) i;")},
	{"uniform-alignment", "struct P { v: array<f32, 4> }\n@group(0) @binding(3) var<uniform> p: P;\n" + inMain("out[i] = p.v[0];")},
	{"access-mode", strings.Replace(inMain("out[i] = 1.0;"), "read_write", "write", 1)},
	{"same-binding-twice", strings.Replace(inMain("out[i] = a[i] + b[i];"), "binding(1)", "binding(0)", 1)},
	{"missing-binding-attribute", strings.Replace(inMain("out[i] = a[i] + b[i];"), "@group(0) @binding(1) ", "", 1)},
	{"missing-binding-attribute", strings.Replace(inMain("out[i] = a[i] + b[i];"), "@group(0) @binding(1) ", "@binding(1) ", 1)},
	{"no-entry-point", strings.Replace(inMain("out[i] = 1.0;"), "fn main", "fn add", 1)},
	{"misplaced-attribute", strings.Replace(inMain("out[i] = 1.0;"), "@compute @workgroup_size(64)", "", 1)},
	{"workgroup-size", strings.Replace(inMain("out[i] = 1.0;"), "@workgroup_size(64)", "", 1)},
	{"workgroup-size", strings.Replace(inMain("out[i] = 1.0;"), "(64)", "(65536)", 1)},
	{"workgroup-size", strings.Replace(inMain("out[i] = 1.0;"), "(64)", "(0)", 1)},
	{"workgroup-memory", "var<workgroup> t: array<f32, 1000000>;\n" + inMain("t[i] = 1.0; out[i] = t[0];")},
	{"recursion", "fn f(n: u32) -> u32 { return n * f(n - 1u); }\n" + inMain("out[i] = f32(f(i));")},
	{"not-wgsl", "out[0] = a[0] + b[0];\n"},
	{"syntax", "%%writefile work/add.wgsl\n" + inMain("out[i] = 1.0;")},
	{"not-a-statement", "package main\n\nfunc main() {}\n"},
	{"syntax", inMain("out[i] = # 1.0;")},
}

// Messages for learners do not contain the compiler's internal numbers.
func TestCompileMessagesAreReadable(t *testing.T) {
	on := engine.On(device(t)).Engines
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	for _, r := range refused {
		v, err := judge.Run(t.Context(), on, exercise, shader.Read("try.wgsl", r.source), 1)
		require.NoError(t, err)
		assert.Equal(t, verdict.Fail, v.Outcome)
		assert.Equal(t, verdict.StageCompile, v.Stage)
		assert.Equal(t, r.slug, v.Slug)
		assert.NotEmpty(t, v.Try+v.Why, r.source)
		assert.NotRegexp(t, `naga|\[\d+\]|Abstract|TypeFlags|wgpu`, v.Message, "%s", r.source)
	}
}

func device(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}
