package epochs

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// part returns some of MNIST's test images.
func part(t *testing.T, from, to int) mnist.Set {
	t.Helper()
	set, err := mnist.Test()
	require.NoError(t, err)
	return mnist.Set{Source: set.Source, Images: set.Images[from*mnist.Pixels : to*mnist.Pixels], Labels: set.Labels[from:to]}
}

// The reference shaders teach a network to read: after 20 steps it reads most digits that it has
// never seen. The training goes on from the weights that it kept.
func TestTrainingLoopLearns(t *testing.T) {
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	s, err := Open(t.Context(), device, "work", Initial(1), part(t, 0, 1000), part(t, 9000, 9200), DefaultRate)
	require.NoError(t, err)
	require.Len(t, s.Shaders, len(training.Exercises))

	_, before, err := s.Read()
	require.NoError(t, err)
	var losses []float64
	require.NoError(t, s.Epoch(t.Context(), func(_ int, loss float64) { losses = append(losses, loss) }))
	_, after, err := s.Read()
	require.NoError(t, err)
	t.Logf("loss %.2f to %.2f, right %.2f to %.2f", losses[0], losses[len(losses)-1], before, after)
	require.Less(t, before, 0.3)
	require.Greater(t, after, 0.6)
	require.Less(t, losses[len(losses)-1], losses[0])

	w, err := s.Weights()
	require.NoError(t, err)
	none, err := Kept("weights.safetensors")
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, Keep("weights.safetensors", w))
	kept, err := Kept("weights.safetensors")
	require.NoError(t, err)
	require.Equal(t, w, kept)
	again, err := Open(t.Context(), device, "work", kept, s.Learn, s.Test, DefaultRate)
	require.NoError(t, err)
	_, same, err := again.Read()
	require.NoError(t, err)
	require.Equal(t, after, same)
	require.Equal(t, 1.0, again.Trained, "a training that goes on counts on")
	halfway, stop := context.WithCancel(t.Context())
	require.ErrorIs(t, again.Epoch(halfway, func(int, float64) { stop() }), context.Canceled)
	require.InDelta(t, 1.5, again.Trained, 0.49, "so does a part of an epoch")

	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, s.Epoch(stopped, func(int, float64) {}), context.Canceled)
}

// On the device, too, the shaders' gradients agree with the slope of the loss. Nudging leaves the
// weights as they were.
func TestNudgesAgreeOnTheDevice(t *testing.T) {
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	start := mlp.Initial(1)
	s, err := Open(t.Context(), device, "work", start, part(t, 0, 100), part(t, 9000, 9001), DefaultRate)
	require.NoError(t, err)
	nudges, err := s.Nudges(3, 0.01)
	require.NoError(t, err)
	require.Len(t, nudges, 6)
	for _, n := range nudges {
		require.InEpsilon(t, n.Gradient, n.Slope, 0.02, n.Weight)
	}
	after, err := s.Weights()
	require.NoError(t, err)
	require.Equal(t, start.W1, after.W1)
	require.Equal(t, start.W2, after.W2)
}
