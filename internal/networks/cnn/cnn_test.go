package cnn

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

func openDevice(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

// drawn returns the digits that ship, which are enough for a short training.
func drawn() descent.LabelledImages {
	set := mnist.Drawn()
	return descent.LabelledImages{Images: set.Images, Labels: set.Labels}
}

func TestForwardIsTheReference(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	device := openDevice(t)
	for _, inOnePass := range []bool{false, true} {
		t.Run(fmt.Sprintf("in one pass: %v", inOnePass), func(t *testing.T) { forwardIsTheReference(t, device, inOnePass) })
	}
}

func forwardIsTheReference(t *testing.T, device *gpu.Device, inOnePass bool) {
	n, err := newNetwork(device, Initial(3), inOnePass)
	require.NoError(t, err)
	defer n.Free()
	for _, images := range []int{1, 3} {
		pixels := drawn().Images[:images*network.Inputs]
		got, err := n.Forward(pixels)
		require.NoError(t, err)
		want := ForwardReference(Initial(3), pixels)
		require.Len(t, got, len(want))
		for i := range want {
			require.InDelta(t, want[i], got[i], 1e-5, "element %d", i)
		}
	}
	_, err = n.Forward(make([]byte, 783))
	require.ErrorContains(t, err, "not a whole number of images")
}

// Many images go in several batches, of which the last is smaller.
func TestForwardInBatches(t *testing.T) {
	n, err := newNetwork(openDevice(t), Initial(3), false)
	require.NoError(t, err)
	defer n.Free()
	pixels := drawn().Images[:2*network.Inputs]
	for range batchSizes.On(n.made.Device.Adapter()) {
		pixels = append(pixels, make([]byte, network.Inputs)...)
	}
	pixels = append(pixels, drawn().Images[:network.Inputs]...)
	got, err := n.Forward(pixels)
	require.NoError(t, err)
	require.Len(t, got, len(pixels)/network.Inputs*network.Outputs)
	require.Equal(t, got[:network.Outputs], got[len(got)-network.Outputs:])
}

// The gradients of a step, from pixels to weights, are the slopes of the loss of the float64
// network.
func TestGradientsAreTheSlopesOfTheLoss(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	digits := drawn()
	training := descent.Settings{Epochs: 1, Batch: 5, Rate: 1e-3, HeldOut: len(digits.Labels) - 12, Seed: 5}
	tr, err := newTrainer(openDevice(t), digits, training)
	require.NoError(t, err)
	defer tr.Free()
	order := tr.Shuffled(0)
	require.NoError(t, gpu.Write(tr.Order, order))
	require.NoError(t, tr.RunSteps(t.Context(), 1))

	var images []byte
	var labels []byte
	for _, image := range order[:training.Batch] {
		images = append(images, digits.Images[image*network.Inputs:(image+1)*network.Inputs]...)
		labels = append(labels, digits.Labels[image])
	}
	w := Initial(training.Seed)
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

	for i, p := range w.parameters() {
		gradient, err := gpu.Read[float32](tr.Learning[i].Gradient)
		require.NoError(t, err)
		require.Len(t, gradient, len(*p.Values))
		for j := 0; j < len(gradient); j += 1 + len(gradient)/12 {
			// The step is small, because a larger one changes which of four is the largest.
			at, step := (*p.Values)[j], float32(1.0/(1<<14))
			(*p.Values)[j] = at + step
			above := loss()
			(*p.Values)[j] = at - step
			slope := (above - loss()) / (float64(at+step) - float64(at-step))
			(*p.Values)[j] = at
			require.InDelta(t, slope, gradient[j], 2e-4+0.01*math.Abs(slope), "%s[%d]", p.Name, j)
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
	train := func(seed uint32) *Weights {
		training := quick()
		training.Seed = seed
		result, err := Train(t.Context(), openDevice(t), drawn(), training, ignore)
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
	_, err := Train(ctx, openDevice(t), drawn(), training, func(descent.Progress) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
}

func TestTrainRefuses(t *testing.T) {
	training := quick()
	training.Rate = math.NaN()
	_, err := Train(t.Context(), openDevice(t), drawn(), training, ignore)
	require.ErrorContains(t, err, "a learning rate of NaN")
}

func TestWeightsAreKept(t *testing.T) {
	w := Initial(1)
	require.LessOrEqual(t, 4*w.Numbers(), 100_000, "bytes")
	data, err := w.Encode(map[string]string{"seed": "1"})
	require.NoError(t, err)
	again, err := Decode(data)
	require.NoError(t, err)
	require.Equal(t, w, again)

	_, err = Decode(data[:100])
	require.Error(t, err)
	w.W2 = w.W2[1:]
	_, err = w.Encode(nil)
	require.ErrorContains(t, err, "w2 has 4607 values; the network needs [32 16 3 3], that is 4608")
}
