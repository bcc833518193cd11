package mlp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

func BenchmarkForward(b *testing.B) {
	device, err := gpu.Open()
	require.NoError(b, err)
	defer device.Close()
	w, err := Trained()
	require.NoError(b, err)
	n, err := New(device, w)
	require.NoError(b, err)
	defer n.Free()
	for _, images := range []int{1, 100} {
		b.Run(fmt.Sprintf("images=%d", images), func(b *testing.B) {
			pixels := make([]byte, images*Inputs)
			for b.Loop() {
				_, err := n.Forward(pixels)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkTrainingStep(b *testing.B) {
	device, err := gpu.Open()
	require.NoError(b, err)
	defer device.Close()
	tr, err := newTrainer(device, drawn(), quick())
	require.NoError(b, err)
	defer tr.Free()
	for b.Loop() {
		require.NoError(b, tr.RunSteps(b.Context(), 1))
	}
}
