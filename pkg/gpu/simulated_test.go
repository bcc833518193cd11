package gpu_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// requireStill waits until as many goroutines are there as before: nothing is
// simulated any more.
func requireStill(t *testing.T, before int) {
	t.Helper()
	for began := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.Less(t, time.Since(began), promptly, "something is still simulated")
	}
}

// A driver cannot take back what it was given; the simulator stops, so that a
// shader without end burns no processor behind the learner's back.
func TestTheSimulatorStops(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("at the deadline", func(t *testing.T) {
		d := simulated.open(t, gpu.WithDeadline(childDeadline))
		p, _ := hangingPass(d, neverEnding["compute"])
		var missed *gpu.DeadlineError
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
		require.Equal(t, []float32{7, 8}, read[float32](t, y), "what was given behind it goes on")
	})
	requireStill(t, before)
	t.Run("when it is closed", func(t *testing.T) {
		d := simulated.open(t, gpu.WithDeadline(childDeadline))
		p, _ := hangingPass(d, neverEnding["stores"])
		require.NoError(t, d.Submit(p))
	})
	requireStill(t, before)
}

// Submit comes back while the simulator is at work.
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

// A program that is built without a C compiler has the simulator.
func TestItBuildsWithoutC(t *testing.T) {
	program := filepath.Join(t.TempDir(), "adapter")
	source := program + ".go"
	require.NoError(t, os.WriteFile(source, []byte(`package main

import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/gpu"
)

func main() {
	device, err := gpu.Open()
	fmt.Println(device.Adapter(), err)
	_, err = gpu.Open(gpu.Require(gpu.CPU))
	fmt.Println(err)
}
`), 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := exec.CommandContext(t.Context(), program)
	run.Env = append(os.Environ(), gpu.EngineVariable+"=")
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "simulator (no GPU or driver needed) <nil>\nopening a WebGPU device: no usable WebGPU adapter: "+
		"this program was built without cgo, which WebGPU needs; install a C compiler, and leave CGO_ENABLED unset\n", string(out))
}

// More than the simulator can address is an error, and no crash.
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
	require.ErrorIs(t, err, gpu.ErrLost)
	require.ErrorContains(t, err, "hold too much")
}
