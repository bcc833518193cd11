package draw

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// With Filters, a drawing is read by both networks, and the answer holds what the filters see.
func TestBothNetworksRead(t *testing.T) {
	work := t.TempDir()
	r, err := newReader(work, Files{Filters: true})
	require.NoError(t, err)
	defer r.close()
	require.Contains(t, r.authors, Author{"conv-2d", false})
	require.Contains(t, r.authors, Author{"max-pool", false})

	read, err := r.read(t.Context(), smallDrawing(rand.New(rand.NewPCG(1, 1)), 7), true, vit.Off{})
	require.NoError(t, err)
	require.Len(t, read.Filters.Probabilities, 10)
	w, err := cnn.Trained()
	require.NoError(t, err)
	for i, want := range cnn.ForwardReference(w, read.Pixels) {
		require.InDelta(t, want, read.Filters.Probabilities[i], 1e-4, "digit %d", i)
	}
	var sides, pictures []int
	for _, layer := range read.Filters.Layers {
		sides, pictures = append(sides, layer.Side), append(pictures, len(layer.Values)/layer.Side/layer.Side)
	}
	require.Equal(t, []int{28, 28, 14}, sides)
	require.Equal(t, []int{4, cnn.First, cnn.Second}, pictures)
	_, err = json.Marshal(read)
	require.NoError(t, err)
}

func TestShades(t *testing.T) {
	require.Equal(t, []byte{128, 128}, shades([]float32{0, 0}))
	require.Equal(t, []byte{1, 128, 191, 255}, shades([]float32{-2, 0, 1, 2}))
}
