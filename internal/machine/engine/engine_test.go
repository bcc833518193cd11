package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Open returns the requested kind, or an error that says what is missing.
func TestOpen(t *testing.T) {
	for _, kind := range []shader.AdapterKind{shader.Best, shader.GPU, shader.CPU, shader.Simulated} {
		on, err := engine.Open(t.Context(), kind)
		if err != nil {
			require.ErrorIs(t, err, shader.ErrNoAdapter, kind)
			require.Contains(t, []shader.AdapterKind{shader.GPU, shader.CPU}, kind, "the others are always there: %v", err)
			continue
		}
		defer on.Close()
		require.NotNil(t, on.Watcher, kind)
		opened := on.Values.Adapter().Kind
		assert.Equal(t, opened == shader.Simulated, on.Values == on.Watcher, kind)
		if kind != shader.Best {
			assert.Equal(t, kind, opened)
		}
		assert.Contains(t, on.Watcher.Adapter().String(), "simulator")
	}
}
