package simulator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Passes run in order on the same buffers, whether the host reads them or not, and what is found in
// each is found in all.
func TestPasses(t *testing.T) {
	source := shader.Read("passes", `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> between: array<u32>;
@compute @workgroup_size(1) fn first(@builtin(workgroup_id) id: vec3<u32>) { between[id.x] = id.x + 1u; between[4u] = 0u; }
@compute @workgroup_size(4) fn second(@builtin(local_invocation_index) i: u32) { out[i] = 10u * between[i]; }
@compute @workgroup_size(2) fn third(@builtin(local_invocation_index) i: u32) { out[0] = i; }`)
	program, err := shader.CompileAll(t.Context(), simulator.New(simulator.Options{}), []*shader.Source{source.At("first"), source.At("second"), source.At("third")})
	require.NoError(t, err)
	defer program.Free()
	given := []shader.Buffer{shader.UintBuffer(make([]uint32, 4)), shader.UintBuffer(make([]uint32, 4))}
	result, err := program.Run(t.Context(), shader.Dispatch{
		Workgroups: [3]uint32{4, 1, 1}, Later: [][3]uint32{{1, 1, 1}, {1, 1, 1}}, Buffers: given, Watch: true,
	})
	require.NoError(t, err)
	require.Equal(t, []uint32{20, 30, 40}, result.Output.Uints()[1:])
	require.Empty(t, result.Also)
	require.Equal(t, make([]uint32, 4), given[1].Uints(), "the host's buffers stay as they are")
	require.Equal(t, []bool{true, false, false, false}, result.Raced)
	var kinds []string
	for _, f := range result.Findings {
		kinds = append(kinds, string(f.Kind))
	}
	require.Equal(t, []string{"out-of-bounds-write", "race-storage"}, kinds)

	_, err = shader.CompileAll(t.Context(), simulator.New(simulator.Options{}), []*shader.Source{source.At("first"), source.At("fourth")})
	require.ErrorContains(t, err, "there is no entry point: a function `fourth` marked @compute")
}
