package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func explode() error { panic("boom") }

// A fault in a call that the device waits for reaches the caller, and the device isn't used any
// more.
func TestACallThatFails(t *testing.T) {
	for _, kind := range []shader.AdapterKind{shader.Simulated, ""} {
		d, err := Open(Require(kind))
		require.NoError(t, err)
		defer d.Close()
		x, err := Alloc[uint32](d, 1)
		require.NoError(t, err)
		fault := fence.Around(func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			_ = d.bounded(running, explode)
		})
		require.Contains(t, fault, "boom")
		require.Contains(t, fault, "gpu.explode", "the stack says where")
		require.ErrorIs(t, d.Lost(), shader.ErrLost)
		_, err = Read[uint32](x)
		require.ErrorIs(t, err, shader.ErrLost)
	}
}

// A simulated device runs its commands in a goroutine of its own.
func TestACommandThatFails(t *testing.T) {
	d, err := Open(Require(shader.Simulated))
	require.NoError(t, err)
	defer d.Close()
	x, err := Alloc[uint32](d, 1)
	require.NoError(t, err)
	d.platform.(*simulated).enqueue(explode)
	fault := fence.Around(func() { _, _ = Read[uint32](x) })
	require.Contains(t, fault, "gpu.explode")
	require.ErrorIs(t, d.Lost(), shader.ErrLost)
}
