package mlp_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

func references(t *testing.T) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, id := range mlp.Exercises {
		text, err := exercises.Reference(id)
		require.NoError(t, err)
		sources[id] = text
	}
	return sources
}

// In bytes the network reads as many test images right as before, to within a tenth of a percent,
// with about a quarter of the bytes.
func TestAccuracyBesideSize(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	w, err := mlp.Trained()
	require.NoError(t, err)
	plain, err := mlp.New(device, w)
	require.NoError(t, err)
	defer plain.Free()
	small, err := mlp.NewQuantized(device, w, references(t))
	require.NoError(t, err)

	set, err := mnist.Test()
	require.NoError(t, err)
	floats, err := plain.Forward(set.Images)
	require.NoError(t, err)
	bytes, err := small.Forward(set.Images)
	require.NoError(t, err)
	before, after := network.Accuracy(floats, set.Labels), network.Accuracy(bytes, set.Labels)
	t.Logf("floats read %.2f %%, bytes %.2f %%, in %d bytes", 100*before, 100*after, small.First.Bytes()+small.Second.Bytes())
	require.InDelta(t, before, after, 0.001)
	require.Equal(t, 102_736, small.First.Bytes()+small.Second.Bytes())
}

// A weight is its byte times the scale of its neuron, to within half a step.
func TestBytesOfWeights(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	w, err := mlp.Trained()
	require.NoError(t, err)
	small, err := mlp.NewQuantized(device, w, references(t))
	require.NoError(t, err)
	for i, weight := range w.W1 {
		neuron, input := i%mlp.Hidden, i/mlp.Hidden
		place := neuron*mlp.Inputs + input
		b := int8(small.First.Words[place/4] >> (8 * (place % 4)))
		scale := small.First.Scales[neuron]
		require.InDelta(t, weight, float32(b)*scale, float64(scale)*0.5001)
	}
	_, err = small.Forward(make([]byte, 3))
	require.ErrorContains(t, err, "3 values are not a whole number of images")
}

// Lesson 14 says what cutting off the fractions costs: the errors of the first layer's weights are
// twice as large as those of rounding, and its sums are off by five times as much.
func TestCuttingOffFractions(t *testing.T) {
	w, err := mlp.Trained()
	require.NoError(t, err)
	set, err := mnist.Test()
	require.NoError(t, err)
	const images = 40
	largest := make([]float64, mlp.Hidden)
	for i, weight := range w.W1 {
		largest[i%mlp.Hidden] = max(largest[i%mlp.Hidden], math.Abs(float64(weight)))
	}
	measure := func(whole func(float64) float64) (weights, sums float64) {
		errors := make([]float64, len(w.W1))
		for i, weight := range w.W1 {
			scale := largest[i%mlp.Hidden] / 127
			errors[i] = whole(float64(weight)/scale)*scale - float64(weight)
			weights += math.Abs(errors[i]) / float64(len(w.W1))
		}
		for image := range images {
			off := make([]float64, mlp.Hidden)
			for i, e := range errors {
				pixel := float32(set.Images[image*mlp.Inputs+i/mlp.Hidden]) / 255
				off[i%mlp.Hidden] += e * float64(w.Normalisation.Apply(pixel))
			}
			for _, o := range off {
				sums += math.Abs(o) / (images * mlp.Hidden)
			}
		}
		return weights, sums
	}
	rounded, roundedSum := measure(math.RoundToEven)
	cut, cutSum := measure(math.Trunc)
	require.InDelta(t, 2, cut/rounded, 0.1)
	require.InDelta(t, 5, cutSum/roundedSum, 0.5)
}
