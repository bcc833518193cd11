package simulator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The result lists each element that depends on a read out of bounds.
func TestDoubtfulElements(t *testing.T) {
	source := shader.Read("shift", `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  out[id.x] = a[id.x + 2u];
}`)
	program, err := simulator.New(simulator.Options{}).Compile(t.Context(), source)
	require.NoError(t, err)
	d := shader.Dispatch{
		Workgroups: [3]uint32{1, 1, 1}, Output: 1, Watch: true,
		Buffers: []shader.Buffer{shader.FloatBuffer([]float32{1, 2, 3, 4}), shader.FloatBuffer(make([]float32, 4))},
	}
	result, err := program.Run(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, []bool{false, false, true, true}, result.Doubtful)
	require.Equal(t, []float32{3, 4, 0, 0}, result.Output.Floats())

	origin, err := program.(shader.Explainer).Explain(t.Context(), d, 3)
	require.NoError(t, err)
	require.Equal(t, "`out[3]` is 0 (line 4)\n  `a[id.x + 2u]` is 0 (line 4)\n", origin.String())
}

// In an unwatched run, a shader that takes too many steps misses its deadline.
func TestTooManySteps(t *testing.T) {
	source := shader.Read("loop", `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main() {
  for (var i = 1u; i * i != 2u; i += 2u) { out[0] = i; }
}`)
	program, err := simulator.New(simulator.Options{Steps: 10_000, Watched: 10_000}).Compile(t.Context(), source)
	require.NoError(t, err)
	d := shader.Dispatch{Workgroups: [3]uint32{1, 1, 1}, Buffers: []shader.Buffer{shader.UintBuffer(make([]uint32, 1))}}
	_, err = program.Run(t.Context(), d)
	var late *shader.DeadlineError
	require.ErrorAs(t, err, &late)
	d.Watch = true
	result, err := program.Run(t.Context(), d)
	require.NoError(t, err)
	require.EqualValues(t, "step-limit", result.Findings[0].Kind)
}

// The result lists each element whose value a race decides.
func TestRacedElements(t *testing.T) {
	source := shader.Read("race", `@group(0) @binding(0) var<storage, read_write> other: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
  other[0] = 7u; // the same value: this race decides nothing
  out[local.x] = id.x;
  out[id.x + 4u] = id.x;
}`)
	program, err := simulator.New(simulator.Options{}).Compile(t.Context(), source)
	require.NoError(t, err)
	d := shader.Dispatch{
		Workgroups: [3]uint32{2, 1, 1}, Output: 1, Watch: true,
		Buffers: []shader.Buffer{shader.UintBuffer(make([]uint32, 1)), shader.UintBuffer(make([]uint32, 8))},
	}
	result, err := program.Run(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, false, false, false, false, false, false}, result.Raced)
	d.Output = 0
	result, err = program.Run(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, []bool{false}, result.Raced)
}
