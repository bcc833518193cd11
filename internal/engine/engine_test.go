package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/shader"
)

// What was asked for is what comes, or an error that says what is missing.
func TestOpen(t *testing.T) {
	for _, choice := range []engine.Choice{engine.Auto, engine.GPU, engine.CPU, engine.Simulator} {
		on, err := engine.Open(t.Context(), choice)
		if err != nil {
			require.ErrorIs(t, err, shader.ErrNoAdapter, choice)
			require.Contains(t, []engine.Choice{engine.GPU, engine.CPU}, choice, "the others are always there: %v", err)
			continue
		}
		defer on.Close()
		require.NotNil(t, on.Watcher, choice)
		assert.Equal(t, on.Choice() == engine.Simulator, on.Values == on.Watcher, choice)
		if choice != engine.Auto {
			assert.Equal(t, choice, on.Choice())
		}
		assert.Contains(t, on.Watcher.Adapter().String(), "simulator")
	}
}

func TestChoose(t *testing.T) {
	for text, want := range map[string]engine.Choice{"": engine.Auto, "auto": engine.Auto, "gpu": engine.GPU, "cpu": engine.CPU, "simulator": engine.Simulator} {
		got, err := engine.Choose(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := engine.Choose("abacus")
	require.ErrorContains(t, err, "auto, gpu, cpu, simulator")
}
