package vit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// accuracyOf returns the share of the first test images that the network that ships reads right.
func accuracyOf(t *testing.T, images int) float64 { return accuracyWithout(t, Off{}, images) }

// accuracyWithout is the accuracy without some heads.
func accuracyWithout(t *testing.T, off Off, images int) float64 {
	t.Helper()
	w, err := Trained()
	require.NoError(t, err)
	n, err := New(openDevice(t), w.Without(off))
	require.NoError(t, err)
	defer n.Free()
	set, err := mnist.Test()
	require.NoError(t, err)
	p, err := n.Forward(set.Images[:images*network.Inputs])
	require.NoError(t, err)
	return network.Accuracy(p, set.Labels[:images])
}

func TestTheTrainedNetworkReads(t *testing.T) { require.Greater(t, accuracyOf(t, 100), 0.98) }

func TestWeightsAreKept(t *testing.T) {
	w := Initial(1)
	require.Equal(t, 28_554, w.Numbers())
	require.Equal(t, w, fromOneRow(w.inOneRow()))
	data, err := w.Encode(map[string]string{"seed": "1"})
	require.NoError(t, err)
	again, err := Decode(data)
	require.NoError(t, err)
	require.Equal(t, w, again)

	_, err = Decode(data[:100])
	require.Error(t, err)
	w.Layers[1].Up.W = w.Layers[1].Up.W[1:]
	_, err = w.Encode(nil)
	require.ErrorContains(t, err, "layer2.up.w has 3071 values; the network needs [32 96], that is 3072")
}
