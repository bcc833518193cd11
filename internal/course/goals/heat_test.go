package goals_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// In a product, the line of the sum moves nearly everything, and the line that stores the result
// next to nothing. Lines that compute have no heat.
func TestHeats(t *testing.T) {
	e, err := course.Find("matmul")
	require.NoError(t, err)
	_, heats, err := goals.Reached(t.Context(), e, shader.Read("matmul.wgsl", `struct Dims { m: u32, n: u32, k: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y >= dims.m || id.x >= dims.n) { return; }
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[id.y * dims.k + i] * b[i * dims.n + id.x];
    }
    out[id.y * dims.n + id.x] = sum;
}
`))
	require.NoError(t, err)
	require.Len(t, heats, 2)
	require.Equal(t, []int{11, 3, 13, 1}, []int{heats[0].Line, heats[0].Step, heats[1].Line, heats[1].Step})
	require.Regexp(t, `^[0-9.]+ MB$`, heats[0].Bytes)
	require.Regexp(t, `^Line 11 moves [0-9.]+ MB of storage \(.+\), (99|100) % of all: so many bytes of the buffers`, heats[0].Says)
}
