package enginetest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/enginetest"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func openDriver(t *testing.T) shader.Backend {
	t.Helper()
	t.Setenv("LP_NATIVE_VECTOR_WIDTH", "128")              // Mesa then compiles these programs twice as fast as at full width
	device, err := gpu.Open(gpu.WithDeadline(time.Minute)) // programs are larger than a learner's, and the machine may be busy
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return gpu.Backend(device)
}

// TestCompiledRandomPrograms checks that machine code does what the interpreter does.
func TestCompiledRandomPrograms(t *testing.T) { enginetest.CheckCompiled(t, 10) }

// TestRandomPrograms checks that the simulator and this machine's driver write the same words, and
// that both round as WGSL allows.
func TestRandomPrograms(t *testing.T) {
	enginetest.Check(t, 60, openDriver(t), enginetest.Naga...)
}
