//go:build acceptance

package engines

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/printing"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Print comments show the same rows in the simulator and in Chromium. TestTheSameOnEveryEngine of
// package printing compares this machine's driver.
func TestPrintsInChromium(t *testing.T) {
	tint := openTint(t)
	room := prints.Room{Bytes: 64 << 10, StorageBuffers: int(tint.Adapter().Limits.StorageBuffersPerShader)}
	for _, path := range lab.Shaders(t, "internal", "observe", "printing", "testdata") {
		source := shader.ReadWith(filepath.Base(path), lab.Read(t, path), types.AllFeatures)
		require.Nil(t, source.Unrunnable())
		for _, entry := range source.Shader().Info.EntryPoints {
			t.Run(source.Name+", "+entry.Object.Name, func(t *testing.T) {
				want := printedInSimulator(t, source, entry.Object.Name)
				pipeline, found := source.Shader().Info.Pipeline(entry, nil)
				require.Empty(t, found)
				rewritten, err := prints.Rewrite(pipeline, room)
				require.NoError(t, err)
				compiled, err := tint.Compile(t.Context(), shader.ReadWith(source.Name, rewritten.Text, types.AllFeatures).At(entry.Object.Name))
				require.NoError(t, err, rewritten.Text)
				defer compiled.Free()
				buffers := append(numbered(source), shader.UintBuffer(make([]uint32, rewritten.Bytes/shader.ElementBytes)))
				require.EqualValues(t, rewritten.Binding, len(buffers)-1)
				result, err := compiled.Run(t.Context(), shader.Dispatch{Workgroups: printWorkgroups, Buffers: buffers, Output: len(buffers) - 1})
				require.NoError(t, err)
				got := printing.Recorded(rewritten, result.Output.Bytes, pipeline.WorkgroupSize, tint.Adapter().Name)
				printing.AddDevice(want, got)
				for i, p := range want {
					require.Equal(t, p.Problem, got[i].Problem)
					require.Len(t, got[i].Rows, len(p.Rows), "line %d", p.Line)
					require.Zero(t, p.Differing, "line %d: %v, not %v", p.Line, got[i].Rows, p.Rows)
				}
			})
		}
	}
}

var printWorkgroups = [3]uint32{2, 1, 1}

// numbered returns the buffers of a shader of this test: 0 to 15, and a uniform if it has one.
func numbered(source *shader.Source) []shader.Buffer {
	numbers := make([]uint32, 16)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	module, _ := source.Module()
	return []shader.Buffer{shader.UintBuffer(numbers), shader.UniformBuffer(4, 5, 6, 7)}[:len(module.Bindings)]
}

// printedInSimulator returns what the comments of a shader show in the simulator.
func printedInSimulator(t *testing.T, source *shader.Source, entry string) []*printing.Printed {
	t.Helper()
	printed, err := printing.Run(t.Context(), source, func(marked *shader.Source) (*debug.Target, error) {
		program, err := sim.CompileEntry(marked.At(entry), nil, true)
		target := &debug.Target{Program: program, Workgroups: printWorkgroups}
		for i, b := range numbered(source) {
			target.Buffers = append(target.Buffers, sim.BoundBuffer{Binding: uint32(i), Data: b.Bytes})
		}
		return target, err
	})
	require.NoError(t, err)
	return printed
}
