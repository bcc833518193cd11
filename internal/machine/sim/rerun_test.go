package sim_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// rerun prepares a dispatch of a shader on arrays of floats, bound from 0 on.
func rerun(t *testing.T, text string, workgroups uint32, arrays ...[]float32) (*sim.Rerun, []sim.BoundBuffer) {
	t.Helper()
	program, err := sim.CompileEntry(shader.Read("test", text), nil, false)
	require.NoError(t, err)
	var buffers []sim.BoundBuffer
	for i, a := range arrays {
		buffers = append(buffers, sim.BoundBuffer{Binding: uint32(i), Data: shader.FloatBuffer(a).Bytes})
	}
	r, err := program.Rerun(t.Context(), [3]uint32{workgroups, 1, 1}, buffers)
	require.NoError(t, err)
	return r, buffers
}

// Each sum of neighbours depends on the two numbers that its invocation read, and no run changes
// the host's buffers.
func TestRerunOfOneInvocation(t *testing.T) {
	r, buffers := rerun(t, `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < 3u) {
        out[id.x] = x[id.x] + 10.0 * x[id.x + 1u];
    }
}`, 2, []float32{1, 2, 3, 4}, make([]float32, 4))
	makers, err := r.Makers(1)
	require.NoError(t, err)
	require.Nil(t, makers[3])
	require.EqualValues(t, 1, makers[2].Workgroup)
	require.EqualValues(t, 0, makers[2].Invocation)
	require.Equal(t, 7, makers[2].Site.Span.Line)

	loads, err := r.Loads(makers[2])
	require.NoError(t, err)
	require.Len(t, loads, 2)
	require.Equal(t, []sim.Spot{{Binding: 0, Word: 2}, {Binding: 0, Word: 3}}, []sim.Spot{loads[0].Spot, loads[1].Spot})
	for _, c := range []struct {
		word int
		want float32
	}{{3, 3}, {2, 40}, {0, 43}} {
		got, err := r.Without(makers[2], sim.Spot{Binding: 1, Word: 2}, sim.Spot{Binding: 0, Word: c.word}, 0)
		require.NoError(t, err)
		require.Equal(t, c.want, math.Float32frombits(got), "without x[%d]", c.word)
	}
	require.Zero(t, binary.LittleEndian.Uint32(buffers[1].Data))
}

// Where a workgroup shares what it reads, all its invocations' numbers are asked about, in place as
// well.
func TestRerunOfAWorkgroup(t *testing.T) {
	r, _ := rerun(t, `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> all: array<f32, 4>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    all[i] = data[i];
    workgroupBarrier();
    data[i] = all[0] + all[1] + all[2] + all[3];
}`, 1, []float32{1, 2, 3, 4})
	makers, err := r.Makers(0)
	require.NoError(t, err)
	loads, err := r.Loads(makers[1])
	require.NoError(t, err)
	require.Len(t, loads, 4)
	got, err := r.Without(makers[1], sim.Spot{Word: 1}, sim.Spot{Word: 3}, 0)
	require.NoError(t, err)
	require.Equal(t, float32(6), math.Float32frombits(got))
}
