package vit

import (
	"testing"

	"github.com/stretchr/testify/require"
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

// uneven returns weights of which none is 0 or 1, as gains and biases are at first.
func uneven() *Weights {
	w, other := Initial(3), Initial(4)
	for i, p := range w.parameters() {
		noise := *other.Tokens.List("", 0, 0)[0].Values
		for j := range *p.Values {
			(*p.Values)[j] += noise[(j+97*i)%len(noise)]
		}
	}
	return w
}

func TestForwardIsTheReference(t *testing.T) {
	n, err := New(openDevice(t), uneven())
	require.NoError(t, err)
	defer n.Free()
	for _, images := range []int{1, 3} {
		pixels := drawn().Images[:images*network.Inputs]
		got, err := n.Forward(pixels)
		require.NoError(t, err)
		want := ForwardReference(uneven(), pixels)
		require.Len(t, got, len(want))
		for i := range want {
			require.InDelta(t, want[i], got[i], 2e-5, "element %d", i)
		}
	}
	_, err = n.Forward(make([]byte, 783))
	require.ErrorContains(t, err, "not a whole number of images")
}
