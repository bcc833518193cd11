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

// make test draws the same programs each time: a mistake of somebody else's driver that a new program finds must not
// stop a change that has nothing to do with it. make acceptance draws more of them, and others each time.
var programs, seed = 200, uint64(1)

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
	enginetest.Check(t, programs, seed, openDriver(t), enginetest.Naga...)
}
