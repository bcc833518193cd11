package mlp

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// drawn returns the digits that ship, which are enough for a short training.
func drawn() descent.LabelledImages {
	set := mnist.Drawn()
	return descent.LabelledImages{Images: set.Images, Labels: set.Labels}
}

// The gradients of a step, from pixels to weights, are the slopes of the loss of the float64
// network.
func TestGradientsAreTheSlopesOfTheLoss(t *testing.T) {
	digits := drawn()
	training := descent.Settings{Epochs: 1, Batch: 11, Rate: 1e-3, HeldOut: len(digits.Labels) - 30, Seed: 5}
	tr, err := newTrainer(openDevice(t), digits, training)
	require.NoError(t, err)
	order := tr.Shuffled(0)
	require.NoError(t, gpu.Write(tr.Order, order))
	require.NoError(t, tr.RunSteps(t.Context(), 1))

	var images []byte
	var labels []byte
	for _, image := range order[:training.Batch] {
		images = append(images, digits.Images[image*Inputs:(image+1)*Inputs]...)
		labels = append(labels, digits.Labels[image])
	}
	w := Initial(training.Seed)
	loss := func() float64 {
		p, total := ForwardReference(w, images), 0.0
		for i, label := range labels {
			total -= math.Log(p[i*Outputs+int(label)])
		}
		return total / float64(len(labels))
	}
	noted := 0.0
	for _, l := range read[float32](t, tr.Losses)[:training.Batch] {
		noted += float64(l) / float64(training.Batch)
	}
	require.InDelta(t, loss(), noted, 1e-5)

	for i, p := range w.parameters() {
		gradient := read[float32](t, tr.Learning[i].Gradient)
		require.Len(t, gradient, len(*p.Values))
		for j := 0; j < len(gradient); j += 1 + len(gradient)/15 {
			at, step := (*p.Values)[j], float32(1.0/1024)
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
	training.Epochs, training.Batch, training.HeldOut = 2, 20, 50
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

// The training does not use the held-out images.
func TestHeldOutImagesAreNotTrainedOn(t *testing.T) {
	train := func(digits descent.LabelledImages) *Weights {
		training := quick()
		training.Epochs = 1
		result, err := Train(t.Context(), openDevice(t), digits, training, ignore)
		require.NoError(t, err)
		return result.Weights
	}
	changed := drawn()
	changed.Images = append([]byte(nil), changed.Images...)
	clear(changed.Images[len(changed.Images)-50*Inputs:])
	require.Equal(t, train(drawn()), train(changed))
}

func TestTrainingIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	training := quick()
	training.Epochs = 1_000_000
	_, err := Train(ctx, openDevice(t), drawn(), training, func(descent.Progress) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
}

func TestTrainRefuses(t *testing.T) {
	device := openDevice(t)
	for want, change := range map[string]func(*descent.Settings, *descent.LabelledImages){
		"0 epochs: it takes at least one":      func(t *descent.Settings, _ *descent.LabelledImages) { t.Epochs = 0 },
		"a batch of 0 images":                  func(t *descent.Settings, _ *descent.LabelledImages) { t.Batch = 0 },
		"a learning rate of NaN":               func(t *descent.Settings, _ *descent.LabelledImages) { t.Rate = math.NaN() },
		"0 images held out":                    func(t *descent.Settings, _ *descent.LabelledImages) { t.HeldOut = 0 },
		"the others do not fill a batch of 20": func(t *descent.Settings, d *descent.LabelledImages) { t.HeldOut = len(d.Labels) - 19 },
		"bytes of images do not go with":       func(_ *descent.Settings, d *descent.LabelledImages) { d.Images = d.Images[1:] },
		"label 3 is 10; it must be from 0 to 9": func(_ *descent.Settings, d *descent.LabelledImages) {
			d.Labels = append([]byte{1, 2, 3, 10}, d.Labels[4:]...)
		},
	} {
		training, digits := quick(), drawn()
		change(&training, &digits)
		_, err := Train(t.Context(), device, digits, training, ignore)
		require.ErrorContains(t, err, want)
	}
}
