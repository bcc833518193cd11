package enginetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/engine/enginetest"
	"github.com/wgslab/wgslab/internal/engine/native"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// programs is how many are compared: make acceptance asks for more.
var programs = 200

func openDriver(t *testing.T) shader.Backend {
	t.Helper()
	t.Setenv("LP_NATIVE_VECTOR_WIDTH", "128")              // Mesa compiles these programs twice as fast as at its full width
	device, err := gpu.Open(gpu.WithDeadline(time.Minute)) // programs are larger than a learner's, and machines busy
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return native.On(device)
}

// TestRandomPrograms: the simulator and the driver of this machine leave the same words, and round as WGSL allows.
func TestRandomPrograms(t *testing.T) {
	enginetest.Check(t, programs, openDriver(t), enginetest.Naga...)
}
