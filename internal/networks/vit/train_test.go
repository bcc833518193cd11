package vit

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/descent"
)

// simulated opens the simulator: a CPU adapter takes half a minute to compile a step.
func simulated(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

// The gradients of a step, from pixels to weights, are the slopes of the loss of the float64
// network.
func TestGradientsAreTheSlopesOfTheLoss(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	digits := drawn()
	training := descent.Settings{Epochs: 1, Batch: 3, Rate: 1e-3, HeldOut: len(digits.Labels) - 12, Seed: 5}
	tr, err := newTrainer(simulated(t), digits, training)
	require.NoError(t, err)
	defer tr.Free()
	w := uneven()
	require.NoError(t, gpu.Write(tr.Network.weights, w.inOneRow()))
	order := tr.Shuffled(0)
	require.NoError(t, gpu.Write(tr.Order, order))
	require.NoError(t, tr.RunSteps(t.Context(), 1))

	var images []byte
	var labels []byte
	for _, image := range order[:training.Batch] {
		images = append(images, digits.Images[image*network.Inputs:(image+1)*network.Inputs]...)
		labels = append(labels, digits.Labels[image])
	}
	loss := func() float64 {
		p, total := ForwardReference(w, images), 0.0
		for i, label := range labels {
			total -= math.Log(p[i*network.Outputs+int(label)])
		}
		return total / float64(len(labels))
	}
	losses, err := gpu.Read[float32](tr.Losses)
	require.NoError(t, err)
	noted := 0.0
	for _, l := range losses[:training.Batch] {
		noted += float64(l) / float64(training.Batch)
	}
	require.InDelta(t, loss(), noted, 1e-4)

	row, err := gpu.Read[float32](tr.Learning[0].Gradient)
	require.NoError(t, err)
	gradients := fromOneRow(row)
	for i, p := range w.parameters() {
		gradient := *gradients.parameters()[i].Values
		for j := 0; j < len(gradient); j += 1 + len(gradient)/12 {
			at, step := (*p.Values)[j], float32(1.0/(1<<10))
			(*p.Values)[j] = at + step
			above := loss()
			(*p.Values)[j] = at - step
			slope := (above - loss()) / (float64(at+step) - float64(at-step))
			(*p.Values)[j] = at
			require.InDelta(t, slope, gradient[j], 1e-5+1e-3*math.Abs(slope), "%s[%d]", p.Name, j)
		}
	}
}

func quick() descent.Settings {
	training := DefaultTraining()
	training.Epochs, training.Batch, training.HeldOut = 1, 5, len(drawn().Labels)-20
	return training
}

func ignore(descent.Progress) {}

func TestTheSameSeedMakesTheSameWeights(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	device := simulated(t)
	train := func(seed uint32) *Weights {
		training := quick()
		training.Seed = seed
		result, err := Train(t.Context(), device, drawn(), training, ignore)
		require.NoError(t, err)
		return result.Weights
	}
	first := train(1)
	require.Equal(t, first, train(1))
	require.NotEqual(t, first, train(2))
}

func TestTrainingIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	training := quick()
	training.Epochs = 1_000_000
	_, err := Train(ctx, simulated(t), drawn(), training, func(descent.Progress) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
}

func TestTrainRefuses(t *testing.T) {
	training := quick()
	training.Rate = math.NaN()
	_, err := Train(t.Context(), simulated(t), drawn(), training, ignore)
	require.ErrorContains(t, err, "a learning rate of NaN")
}
