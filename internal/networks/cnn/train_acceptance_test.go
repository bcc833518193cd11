//go:build acceptance

package cnn

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
	const images = 2500
	digits := descent.LabelledImages{Images: set.Images[:images*network.Inputs], Labels: set.Labels[:images]}
	training := DefaultTraining()
	training.Epochs, training.Batch, training.HeldOut = 3, 20, 500 // 300 steps
	var epochs []descent.Progress
	result, err := Train(t.Context(), openDevice(t), digits, training, func(p descent.Progress) {
		if p.Epoch > len(epochs) {
			epochs = append(epochs, p)
		}
	})
	require.NoError(t, err)
	t.Logf("%+v", epochs)
	require.Len(t, epochs, 3)
	require.Less(t, epochs[2].Loss, epochs[0].Loss/2)
	require.Greater(t, result.HeldOut, 0.9)
}
