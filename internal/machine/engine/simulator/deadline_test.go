package simulator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The simulator counts steps, so an endless shader gets the same words on every machine: a class
// that is graded in parts gets one table.
func TestAnEndlessShaderIsToldInSteps(t *testing.T) {
	source := shader.Read("endless", `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  while out[i] < 5u { out[i] = out[i] % 2u; }
}`)
	given := []shader.Buffer{shader.UintBuffer(make([]uint32, 4))}
	dispatch := shader.Dispatch{Workgroups: [3]uint32{3, 1, 1}, Buffers: given}
	for steps, limit := range map[uint64]string{2_000_000: "2 million steps", 1234: "1234 steps"} {
		program, err := simulator.New(simulator.Options{Steps: steps}).Compile(t.Context(), source)
		require.NoError(t, err)
		_, err = program.Run(t.Context(), dispatch)
		require.ErrorIs(t, err, shader.ErrLost)
		want := "endless did not finish within " + limit + ": is there a loop that never ends?"
		require.EqualError(t, err, want)
		program.Free()
	}
}
