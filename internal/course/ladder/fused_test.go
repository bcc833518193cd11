package ladder_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func fuse(t *testing.T, kind shader.AdapterKind) *ladder.Fusion {
	t.Helper()
	var sources [3]string
	for i, id := range []string{"linear", "relu", "linear-relu"} {
		text, err := exercises.Reference(id)
		require.NoError(t, err)
		sources[i] = text
	}
	var parts []string
	f, err := ladder.Fuse(t.Context(), open(t, kind), 64, sources[0], sources[1], sources[2], func(part string) { parts = append(parts, part) })
	require.NoError(t, err)
	require.Subset(t, parts, []string{"counting linear", "counting relu", "counting linear-relu"})
	return f
}

// relu reads and writes each of the 64 × 128 hidden values once more. The rest is the same.
func TestFusingSavesTheHiddenValues(t *testing.T) {
	f := fuse(t, shader.Simulated)
	const hidden = 64 * 128 * 4 // bytes
	linear, relu, fused := f.Counts[0], f.Counts[1], f.Counts[2]
	require.Equal(t, ladder.PassBytes{HiddenRead: hidden, HiddenWritten: hidden}, relu)
	require.Equal(t, linear, fused)
	require.Zero(t, linear.HiddenRead)
	require.EqualValues(t, hidden, linear.HiddenWritten)
	require.Greater(t, linear.Inputs, float64(4*64*784))
	require.Zero(t, f.Seconds, "the simulator isn't timed")
	shown := f.Views()
	require.Len(t, shown, 1)
	text := shown[0].Text()
	require.Contains(t, text, "reads the hidden values")
	require.Regexp(t, `writes the hidden values\s+33\s+33\s+66\s+33`, text)
}
