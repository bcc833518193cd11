package patterns_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl/patterns"
)

func TestRaces(t *testing.T) {
	const before = `const SIZE = 64u;
struct Dims { rows: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
var<workgroup> t: array<f32, SIZE>;
var<workgroup> q: array<array<f32, 8>, 8>;
fn settle() { workgroupBarrier(); }
@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
let me = local.x; var now = 0u; var best = 1.0;
if (group.x >= dims.rows) { return; }
`
	for _, c := range []struct {
		body string
		race bool
	}{
		// Each writes its own and reads at a distance.
		{"t[me] = best; best = t[me + 1u];", true},
		{"t[me] = best; workgroupBarrier(); best = t[me + 1u];", false},
		{"t[me] = best; settle(); best = t[me + 1u];", false},
		{"t[me] = best; best = t[me];", false},
		{"t[me] = best; best = t[me + 0u];", false},
		{"t[local.x] = best; if (me < 32u) { best = t[local.x + 32u]; }", true},
		{"t[me] = best; for (var half = SIZE / 2u; half > 0u; half /= 2u) { if (me < half) { t[me] += t[me + half]; } workgroupBarrier(); }", true},
		{"t[me] = best; for (var half = SIZE / 2u; half > 0u; half /= 2u) { workgroupBarrier(); if (me < half) { t[me] += t[me + half]; } }", false},
		{"if (me == 5u) { t[me] = best; best = t[me + 1u]; }", false},
		{"if (me > 0u) { return; } t[me] = best; best = t[me + 1u];", false},
		{"if (best > 0.5) { t[me] = best; best = t[me + 1u]; }", false},
		// All read one place, each writes its own.
		{"let top = t[0]; t[me] = best;", true},
		{"let top = t[0]; workgroupBarrier(); t[me] = best;", false},
		{"t[me] = best; let top = t[0];", true},
		{"t[me] = best; if (me == 0u) { best = t[0]; }", false},
		{"t[me] = t[0];", true},
		{"let a = t[0]; let b = t[1];", false},
		// A tree with no barrier in its loop.
		{"t[me] = best; workgroupBarrier(); for (var half = SIZE / 2u; half > 0u; half /= 2u) { if (me < half) { t[me] = max(t[me], t[me + half]); } }", true},
		{"t[me] = best; workgroupBarrier(); for (var half = SIZE / 2u; half > 0u; half = half >> 1u) { if me < half { t[me] += t[me + half]; } }", true},
		{"t[me] = best; workgroupBarrier(); for (var half = SIZE / 2u; half > 0u; half /= 2u) { if (me < half) { t[me] += t[me + half]; } workgroupBarrier(); }", false},
		{"workgroupBarrier(); for (var i = 0u; i < 3u; i++) { if (me < SIZE) { t[me] += t[me + SIZE]; } }", false},
		{"t[me] = best; workgroupBarrier(); if (me == 0u) { for (var i = 1u; i < SIZE; i++) { t[0] += t[i]; } }", false},
		{"t[me] = best; workgroupBarrier(); for (var i = 1u; i < SIZE; i++) { if (me == 0u) { t[me] += t[me + i]; } }", false},
		// The next round overwrites what is read.
		{"for (var s = 0u; s < 4u; s++) { q[local.y][local.x] = best; workgroupBarrier(); for (var i = 0u; i < 8u; i++) { best += q[local.y][i]; } }", true},
		{"for (var s = 0u; s < 4u; s++) { q[local.y][local.x] = best; workgroupBarrier(); for (var i = 0u; i < 8u; i++) { best += q[local.y][i]; } workgroupBarrier(); }", false},
		{"for (var s = 0u; s < 4u; s++) { workgroupBarrier(); q[local.y][local.x] = best; workgroupBarrier(); for (var i = 0u; i < 8u; i++) { best += q[local.y][i]; } }", false},
		{"for (var s = 0u; s < 4u; s++) { q[now][local.x] = best; workgroupBarrier(); for (var i = 0u; i < 8u; i++) { best += q[now][i]; } now = 1u - now; }", false},
		{"", false},
	} {
		source := before + c.body + "\n}"
		races := patterns.Read(source).Races([]string{"t", "q"})
		require.Equal(t, c.race, len(races) > 0, "%s: %v", c.body, races)
	}
}
