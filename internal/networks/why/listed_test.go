package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/why"
)

const example = `
@group(0) @binding(0) var<storage, read> list: array<u32>;
@group(0) @binding(1) var<storage, read_write> todo: array<u32, 4>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(2)
fn count_workgroups(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = id.x + 1u;
    if (n < arrayLength(&list) && list[id.x] != 4294967295u && list[n] == 4294967295u) {
        todo[0] = (n + 1u) / 2u;
        todo[3] = n;
    }
}

@compute @workgroup_size(2)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    if (list[id.x] != 4294967295u) {
        out[list[id.x]] = f32(id.x + 1u);
    }
}`

func open(t *testing.T) *gpu.Device {
	d, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

// Three of five hundred pixels have ink, so two workgroups of two are started.
func TestDraw(t *testing.T) {
	compact, err := exercises.Reference("compact")
	require.NoError(t, err)
	image := make([]float32, 500)
	image[7], image[256], image[499] = 1, 0.5, 1
	d, err := why.Draw(open(t), image, shader.Read("compact", compact), shader.Read("example", example))
	require.NoError(t, err)
	want := make([]float32, 500)
	want[7], want[256], want[499] = 1, 2, 3
	require.Equal(t, want, d.Out)
	require.Equal(t, []int{3, 2, 2, 250}, []int{d.Listed, int(d.Groups), int(d.Size), int(d.AllGroups())})
}

func TestDrawNothing(t *testing.T) {
	compact, err := exercises.Reference("compact")
	require.NoError(t, err)
	d, err := why.Draw(open(t), make([]float32, 300), shader.Read("compact", compact), shader.Read("example", example))
	require.NoError(t, err)
	require.Equal(t, make([]float32, 300), d.Out)
	require.Zero(t, d.Groups)
	_, err = why.Draw(open(t), make([]float32, why.MostPixels+1), shader.Read("compact", compact), shader.Read("example", example))
	require.EqualError(t, err, "the image has 65537 pixels: compact can list 65536")
}
