package cnn

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// accuracyOf returns the share of the first test images that the network that ships reads right.
func accuracyOf(t *testing.T, images int) float64 {
	t.Helper()
	w, err := Trained()
	require.NoError(t, err)
	n, err := New(openDevice(t), w)
	require.NoError(t, err)
	defer n.Free()
	set, err := mnist.Test()
	require.NoError(t, err)
	p, err := n.Forward(set.Images[:images*network.Inputs])
	require.NoError(t, err)
	return network.Accuracy(p, set.Labels[:images])
}

func TestTheTrainedNetworkReads(t *testing.T) { require.Greater(t, accuracyOf(t, 100), 0.98) }
