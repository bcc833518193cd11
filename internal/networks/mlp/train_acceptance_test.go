//go:build acceptance

package mlp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

func TestAShortTrainingLearns(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/")
	// The test images ship, and here nothing is tested with them.
	set, err := mnist.Test()
	require.NoError(t, err)
	const images = 7000
	digits := descent.LabelledImages{Images: set.Images[:images*Inputs], Labels: set.Labels[:images]}
	training := DefaultTraining()
	training.Epochs, training.Batch, training.HeldOut = 5, 100, 1000 // 300 steps
	var epochs []descent.Progress
	result, err := Train(t.Context(), openDevice(t), digits, training, func(p descent.Progress) {
		if p.Epoch > len(epochs) {
			epochs = append(epochs, p)
		}
	})
	require.NoError(t, err)
	require.Len(t, epochs, 5)
	t.Logf("%+v", epochs)
	require.Equal(t, descent.Progress{Step: 300, Steps: 300, Epoch: 5, Loss: epochs[4].Loss, HeldOut: epochs[4].HeldOut}, epochs[4])
	require.Less(t, epochs[4].Loss, epochs[0].Loss/2)
	require.Greater(t, result.HeldOut, 0.9)
	require.Equal(t, epochs[result.Epoch-1].HeldOut, result.HeldOut)
	for _, p := range epochs {
		require.LessOrEqual(t, p.HeldOut, result.HeldOut, "the best epoch is chosen")
	}

	// The chosen weights are those of the chosen epoch.
	n, err := New(openDevice(t), result.Weights)
	require.NoError(t, err)
	p, err := n.Forward(digits.Images[6000*Inputs:])
	require.NoError(t, err)
	require.Equal(t, result.HeldOut, network.Accuracy(p, digits.Labels[6000:]))
}
