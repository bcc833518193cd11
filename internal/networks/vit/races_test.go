package vit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/shaders"
)

// A driver hides a race; the simulator reports it.
func TestTheFusedShadersHaveNoRace(t *testing.T) {
	w := uneven().inOneRow()
	floats := func(n int) shader.Buffer { return shader.FloatBuffer(make([]float32, n)) }
	mean, stddev := shader.Float(network.Mean), shader.Float(network.Stddev)
	for name, buffers := range map[string][]shader.Buffer{
		"fused/attention": {
			shader.UniformBuffer(mean, stddev, shader.Uint(Layers), shader.Uint(Width/4)),
			shader.UintBuffer(network.Words(drawn().Images[:2*network.Inputs])), shader.FloatBuffer(w), floats(2 * network.Outputs),
		},
		"fused/attention-step": {
			shader.UniformBuffer(shader.Uint(2), shader.Uint(Layers), shader.Uint(Width/4)),
			shader.UintBuffer([]uint32{1, 0, 0}), shader.UintBuffer([]uint32{0, 1}), shader.UintBuffer([]uint32{3, 4}),
			floats(2 * network.Inputs), shader.FloatBuffer(w), floats(2 * keptNumbers), floats(2 * len(w)), floats(2),
		},
	} {
		t.Run(name, func(t *testing.T) {
			source, err := shaders.Source(name)
			require.NoError(t, err)
			program, err := simulator.New(simulator.Options{}).Compile(t.Context(), shader.Read(name, source))
			require.NoError(t, err)
			defer program.Free()
			result, err := program.Run(t.Context(), shader.Dispatch{
				Workgroups: [3]uint32{2, 1, 1}, Buffers: buffers, Output: len(buffers) - 1, Watch: true,
			})
			require.NoError(t, err)
			require.Empty(t, result.Findings)
		})
	}
}
