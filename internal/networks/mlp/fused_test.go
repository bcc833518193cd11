package mlp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// The fused shaders also run on a CPU adapter, though the network does not choose them there. The
// batches are on both sides of the boundary between the shaders, and of their blocks.
func TestFusedForward(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	w, err := Trained()
	require.NoError(t, err)
	w.Normalisation = Normalisation{0.2, 0.7}
	device, err := gpu.Open(gpu.WithDeadline(2 * time.Minute)) // a CPU driver compiles the unrolled shaders for seconds
	require.NoError(t, err)
	t.Cleanup(device.Close)
	n, err := newNetwork(device, w, Shaders{}, true)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 0))
	for _, images := range []int{1, 2, 100, 512, 513, 544, 545} {
		t.Run(fmt.Sprint(images), func(t *testing.T) {
			pixels := make([]byte, images*Inputs)
			for i := range pixels {
				pixels[i] = byte(rng.Uint32())
			}
			got, err := n.Forward(pixels)
			require.NoError(t, err)
			require.Len(t, got, images*Outputs)
			for i, want := range ForwardReference(w, pixels) {
				require.InDelta(t, want, got[i], 1e-4, "image %d, digit %d", i/Outputs, i%Outputs)
			}
		})
	}
}

func TestPixelsInPlace(t *testing.T) {
	w, err := Trained()
	require.NoError(t, err)
	digits := mnist.Drawn()
	for _, fused := range []bool{false, true} {
		device := openDevice(t)
		n, err := newNetwork(device, w, Shaders{}, fused)
		require.NoError(t, err)
		for _, images := range []int{3, 5} {
			want, err := n.Forward(digits.Images[:images*Inputs])
			require.NoError(t, err)
			memory, err := n.Pixels(images)
			require.NoError(t, err)
			require.Len(t, memory, images*Inputs)
			copy(memory, digits.Images)
			got, err := n.Forward(memory)
			require.NoError(t, err)
			require.Equal(t, want, got)

			memory, err = n.Pixels(images)
			require.NoError(t, err)
			got, err = n.Forward(memory[Inputs : 2*Inputs]) // a part of it
			require.NoError(t, err)
			require.InDeltaSlice(t, want[Outputs:2*Outputs], got, 1e-5)
		}
		_, err = n.Pixels(0)
		require.ErrorContains(t, err, "memory for 0 images")
		_, err = n.Pixels(batchSizes.GPU + 1)
		require.Error(t, err)
	}
}

// The two kinds of calls alternate: a trip must not keep memory that another call has freed.
func TestForwardBesideForwardNormalised(t *testing.T) {
	w, err := Trained()
	require.NoError(t, err)
	n, err := New(openDevice(t), w)
	require.NoError(t, err)
	digits := mnist.Drawn()
	for _, images := range []int{4, 2, 4} {
		x := make([]float32, images*Inputs)
		for i := range x {
			x[i] = w.Normalisation.Apply(float32(digits.Images[i]) / 255)
		}
		want, err := n.Forward(digits.Images[:images*Inputs])
		require.NoError(t, err)
		_, err = n.ForwardNormalised(x[:Inputs])
		require.NoError(t, err)
		got, err := n.ForwardNormalised(x)
		require.NoError(t, err)
		require.InDeltaSlice(t, want, got, 1e-5)
		again, err := n.Forward(digits.Images[:images*Inputs])
		require.NoError(t, err)
		require.Equal(t, want, again)
	}
}

// Two passes per step give the same result as fifteen, even for odd sizes of batches and epochs.
func TestFusedStepsTrainAsThePassesDo(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	digits := drawn()
	for _, training := range []descent.Settings{
		{Epochs: 2, Batch: 11, Rate: 1e-3, HeldOut: len(digits.Labels) - 60, Seed: 5, Distortion: DefaultTraining().Distortion},
		{Epochs: 2, Batch: 50, Rate: 1e-3, HeldOut: len(digits.Labels) - 120, Seed: 6},
		{Epochs: 1, Batch: 1, Rate: 1e-3, HeldOut: len(digits.Labels) - 7, Seed: 7, Distortion: DefaultTraining().Distortion},
	} {
		t.Run(fmt.Sprint(training.Batch), func(t *testing.T) {
			device := openDevice(t)
			plain, err := newTrainerFor(device, digits, training, 0)
			require.NoError(t, err)
			fused, err := newTrainerFor(device, digits, training, distortedTogether)
			require.NoError(t, err)
			for epoch := range training.Epochs {
				var losses [2][]float32
				for i, tr := range []*descent.Prepared[*Network]{plain, fused} {
					require.NoError(t, gpu.Write(tr.Order, tr.Shuffled(epoch)))
					require.NoError(t, tr.RunSteps(t.Context(), tr.StepsPerEpoch))
					losses[i] = read[float32](t, tr.Losses)
				}
				require.InDeltaSlice(t, losses[0], losses[1], 1e-3)
			}
			want, err := plain.Network.Weights()
			require.NoError(t, err)
			got, err := fused.Network.Weights()
			require.NoError(t, err)
			steps := training.Epochs * plain.StepsPerEpoch
			for i, p := range want.parameters() {
				total, off := 0.0, 0.0
				start := *Initial(training.Seed).parameters()[i].Values
				for j, value := range *p.Values {
					total += math.Pow(float64(value-start[j]), 2)
					off += math.Pow(float64(value-(*got.parameters()[i].Values)[j]), 2)
				}
				require.Less(t, math.Sqrt(off/total), 1e-3, "%s after %d steps", p.Name, steps)
			}
		})
	}
}

// The result does not depend on how many steps' images are distorted together, or on waits in the
// middle of a training.
func TestFusedStepsInSeveralSubmissions(t *testing.T) {
	training := quick() // 12 steps an epoch, or so
	weights := func(together int) *Weights {
		tr, err := newTrainerFor(openDevice(t), drawn(), training, together)
		require.NoError(t, err)
		var progress descent.Progress
		for range training.Epochs {
			require.NoError(t, tr.Epoch(t.Context(), &progress, ignore))
		}
		w, err := tr.Network.Weights()
		require.NoError(t, err)
		return w
	}
	all := weights(distortedTogether)
	require.Equal(t, all, weights(training.Batch))
	require.Equal(t, all, weights(5*training.Batch))
}
