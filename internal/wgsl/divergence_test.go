package wgsl_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// entry is a shader whose main has body, with what the bodies below use.
func entry(body string) string {
	return `const ALL = 3u;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<workgroup> t: array<f32, 64>;
fn settle() { workgroupBarrier(); }
fn quiet() -> u32 { return 1u; }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
` + body + `
}`
}

func TestDivergentBarriers(t *testing.T) {
	for _, c := range []struct {
		body  string
		lines []int // of the barriers found; the body's first line is 8
	}{
		{"workgroupBarrier();", nil},
		{"for (var half = 32u; half > 0u; half /= 2u) { workgroupBarrier(); if (local.x < half) { t[0] = 1.0; } }", nil},
		{"if (group.x >= rows) { return; }\nworkgroupBarrier();", nil},
		{"if (local.x == 0u) { workgroupBarrier(); }", []int{8}},
		{"let me = local.x;\nlet first = me == 0u;\nif (first) { settle(); }", []int{10}},
		{"if (local.x == 0u) { quiet(); } else {\nworkgroupBarrier(); }", []int{9}},
		{"if (group.x == 0u) { } else if (id.x > 1u) { } else {\nworkgroupBarrier(); }", []int{9}},
		{"if (id.x >= n) { return; }\nworkgroupBarrier();\nstorageBarrier();", []int{9, 10}},
		{"if (id.x >= n) { quiet(); }\nworkgroupBarrier();", nil},
		{"for (var i = local.x; i < n; i += 64u) { workgroupBarrier(); }", []int{8}},
		{"for (var i = local.x; i < n; i += 64u) { t[i] = 1.0; }\nworkgroupBarrier();", nil},
		{"for (var i = 0u; i < n; i++) { if (local.x < i) { continue; }\nworkgroupBarrier(); }", []int{9}},
		{"for (var i = 0u; i < n; i++) { workgroupBarrier();\nif (local.x < i) { break; } }\nworkgroupBarrier();", []int{8}},
		{"loop { workgroupBarrier(); continuing { break if local.x > 1u; } }", []int{8}},
		{"loop { if (i > 3u) { break; } workgroupBarrier(); i++; }", nil},
		{"switch local.x { case 0u: { break; } default: {} }\nworkgroupBarrier();", nil},
		{"for (var i = 0u; i < n; i++) { switch local.x { case 0u: { break; } default: {} }\nworkgroupBarrier(); }", nil},
		// What cannot be told for sure is not found.
		{"var me = local.x; me = 0u;\nif (me == 0u) { workgroupBarrier(); }", nil},
		{"let all = workgroupUniformLoad(&t[local.x]);\nif (all > 1.0) { workgroupBarrier(); }", nil},
		{"if (dims.local > 1u) { workgroupBarrier(); }", nil},
		{"let i = local.x; { let i = 3u; if (i > 1u) { workgroupBarrier(); } }", nil},
		{"{ let ALL = local.x; }\nif (ALL > 1u) { workgroupBarrier(); }", nil},
		{"// if (local.x == 0u) {\nworkgroupBarrier(); // }", nil},
	} {
		var lines []int
		for _, b := range wgsl.Scan(entry(c.body)).Functions().DivergentBarriers() {
			lines = append(lines, b.Line)
		}
		require.Equal(t, c.lines, lines, c.body)
	}
}

func TestFunctionsUses(t *testing.T) {
	f := wgsl.Scan(entry("settle(); let x = t[0] + s.t + t[1]; // t")).Functions()
	require.Equal(t, 2, f.Uses("t"))
	require.True(t, f.Waits(), "through settle")
	require.False(t, wgsl.Scan(entry("quiet();")).Functions().Waits(), "nobody calls settle")
	require.Zero(t, wgsl.Scan("fn helper() { t[0] = 1.0; }").Functions().Uses("t"), "there is no entry point")
	for _, broken := range []string{"", "fn", "fn main", "fn main(", "@compute fn main() {", "}", "fn main() }", "@compute fn main() { if", "@compute fn main() { } }"} {
		f := wgsl.Scan(broken).Functions()
		require.Empty(t, f.DivergentBarriers(), broken)
	}
}
