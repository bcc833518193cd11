package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	learners "github.com/wgslab/wgslab/pkg/gpu"
)

// Compute frees everything that it made, even if it fails.
func TestComputeKeepsNothing(t *testing.T) {
	const n = 1 << 10
	device, err := learners.Default()
	require.NoError(t, err)
	again, err := learners.Default()
	require.NoError(t, err)
	require.Same(t, device, again)
	before := gpu.Live(device)
	for range 20 {
		_, err := learners.Compute[uint32](increment, learners.Workgroups(1), learners.Out(n))
		require.NoError(t, err)
		_, err = learners.Compute[uint32](increment, learners.Workgroups(1), learners.Out(n), []uint32{1})
		require.Error(t, err)
	}
	require.Equal(t, before, gpu.Live(device))
}
