package gpt

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/parameters"
)

// small is a shape whose sizes all differ; the shaders need heads of 24 numbers.
var small = Dimensions{Letters: 11, Width: 48, Layers: 2, Heads: 2, Hidden: 40}

// tiny is enough to learn to count.
var tiny = Dimensions{Letters: 11, Width: 24, Layers: 1, Heads: 1, Hidden: 16}

// counting is a text in which a letter decides the next one.
func counting(n int) []uint32 {
	letters := make([]uint32, n)
	for i := range letters {
		letters[i] = uint32(3 * i % 7)
	}
	return letters
}

func simulated(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

func quick() Schedule {
	return Schedule{descent.Settings{Epochs: 1, Batch: 3, Rate: 1e-2, HeldOut: 3, Seed: 5}, 5}
}

// uneven returns weights of which none is 0 or 1, as gains and biases are at first.
func uneven(s Dimensions) *Weights {
	w := Initial(s, 3)
	for i, p := range w.Parameters() {
		for j := range *p.Values {
			(*p.Values)[j] += float32(0.2 * math.Sin(float64(3*j+i)))
		}
	}
	return w
}

// The gradients of a step, from letters to weights, are the slopes of the loss of the float64
// network.
func TestGradientsAreTheSlopesOfTheLoss(t *testing.T) {
	letters, training, w := counting(60), quick(), uneven(small)
	tr, err := newTrainer(simulated(t), w, letters, training)
	require.NoError(t, err)
	defer tr.free()
	order := tr.Shuffled(0)
	require.NoError(t, gpu.Write(tr.Order, order))
	require.NoError(t, tr.RunSteps(t.Context(), 1))

	// Adam has changed the weights on the device, and not those in w.
	loss := func() float64 {
		total := 0.0
		for _, sample := range order[:training.Batch] {
			first := int(sample) * training.Length
			total += LossReference(w, letters[first:first+training.Length+1]) / float64(training.Batch)
		}
		return total
	}
	losses, err := gpu.Read[float32](tr.Losses)
	require.NoError(t, err)
	mean := 0.0
	for _, l := range losses {
		mean += float64(l) / float64(len(losses))
	}
	require.InDelta(t, loss(), mean, 1e-4)

	for _, p := range w.Parameters() {
		gradient, err := gpu.Read[float32](tr.learned[p.Name].Gradient)
		require.NoError(t, err)
		require.Len(t, gradient, parameters.Size(p.Shape))
		for j := 0; j < len(gradient); j += 1 + len(gradient)/10 {
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

// Held-out samples have the loss of the float64 network, and a training lowers it.
func TestTrainingLearns(t *testing.T) {
	letters, training := counting(200), quick()
	training.Epochs, training.Rate = 6, 1e-2
	var losses []float64
	trained, err := Train(t.Context(), simulated(t), tiny, letters, training, func(p Progress) {
		if len(losses) < p.Epoch && p.HeldOutLoss > 0 {
			losses = append(losses, p.HeldOutLoss)
		}
	})
	require.NoError(t, err)
	require.Less(t, trained.HeldOutLoss, losses[0]*0.8)

	samples := training.samples(letters) - 1
	want := 0.0
	for i := samples - training.HeldOut; i < samples; i++ {
		first := i * training.Length
		want += LossReference(trained.Weights, letters[first:first+training.Length+1]) / float64(training.HeldOut)
	}
	require.InDelta(t, want, trained.HeldOutLoss, 1e-4)
}

func TestTheSameSeedMakesTheSameWeights(t *testing.T) {
	device := simulated(t)
	train := func(seed uint32) *Weights {
		training := quick()
		training.Seed = seed
		result, err := Train(t.Context(), device, tiny, counting(60), training, func(Progress) {})
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
	_, err := Train(ctx, simulated(t), small, counting(60), training, func(Progress) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
}

func TestTrainRefuses(t *testing.T) {
	training := quick()
	training.Rate = math.NaN()
	_, err := Train(t.Context(), simulated(t), small, counting(60), training, nil)
	require.ErrorContains(t, err, "a learning rate of NaN")
	_, err = Train(t.Context(), simulated(t), small, counting(30), quick(), nil)
	require.ErrorContains(t, err, "a text of 30 letters has 5 samples of 5")
}

func TestPrepare(t *testing.T) {
	require.Equal(t, "A \"first\" line.\nand a -- second!\n", Prepare("A “_first_”\r\nline.\n\n\n\n  & a —  sec*ond!"+strings.Repeat("\n", 5)))
	letters, err := Letters("Emma\n")
	require.NoError(t, err)
	require.Equal(t, "Emma\n", Text(letters))
	_, err = Letters("Zoë")
	require.ErrorContains(t, err, `does not know 'ë'`)
}
