package gpu_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// requireStill waits until the number of goroutines is back to before, so the simulator has
// stopped.
func requireStill(t *testing.T, before int) {
	t.Helper()
	for began := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.Less(t, time.Since(began), promptly, "something is still simulated")
	}
}

// A driver cannot cancel submitted work. The simulator stops, so that an endless shader does not
// keep a core busy unnoticed.
func TestTheSimulatorStops(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("at the deadline", func(t *testing.T) {
		d := simulated.open(t, gpu.WithDeadline(childDeadline))
		p, _ := hangingPass(d, neverEnding["compute"])
		var missed *shader.DeadlineError
		require.ErrorAs(t, d.Run(p, p), &missed)
	})
	requireStill(t, before)
	t.Run("with the context of its submission", func(t *testing.T) {
		d := simulated.open(t)
		ctx, cancel := context.WithCancel(t.Context())
		p, y := hangingPass(d, neverEnding["stores"])
		require.NoError(t, d.WithContext(ctx).Submit(p, p))
		require.NoError(t, gpu.Write(y, []float32{7, 8}))
		cancel()
		require.Equal(t, []float32{7, 8}, read[float32](t, y), "work submitted after it continues")
	})
	requireStill(t, before)
	t.Run("when it is closed", func(t *testing.T) {
		d := simulated.open(t, gpu.WithDeadline(childDeadline))
		p, _ := hangingPass(d, neverEnding["stores"])
		require.NoError(t, d.Submit(p))
	})
	requireStill(t, before)
}

// Submit returns while the simulator is still working.
func TestTheSimulatorWorksBesideTheHost(t *testing.T) {
	d := simulated.open(t)
	k := compile(t, d, simulated.slow())
	y := upload(t, d, float32(0.5))
	p := bind(t, k, one, y)
	began := time.Now()
	require.NoError(t, d.Submit(p))
	submitted := time.Since(began)
	require.NoError(t, d.Wait())
	require.Less(t, submitted, time.Since(began)/10)
}

// Exceeding the simulator's address space gives an error, not a crash.
func TestTheSimulatorRefuses(t *testing.T) {
	d := simulated.open(t)
	k := compile(t, d, `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1024) fn main(@builtin(local_invocation_index) i: u32) {
  var much: array<u32, 200000>;
  much[i] = i;
  x[0] = much[x[0]];
}`)
	err := d.Run(bind(t, k, one, alloc[uint32](t, d, 1)))
	require.ErrorIs(t, err, shader.ErrLost)
	require.ErrorContains(t, err, "hold too much")
}
