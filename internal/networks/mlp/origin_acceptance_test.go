//go:build acceptance

package mlp_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

// The weights of the project that this course grew from, and its ten images.
func TestOriginNamesItsTenImages(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	dir := os.Getenv("WGSLAB_VIBE_WEIGHTS")
	if dir == "" {
		t.Skip("left out: it needs vibe-infer's weights and test_images.bin. Run: WGSLAB_VIBE_WEIGHTS=FOLDER make acceptance")
	}
	w, err := mlp.Load(dir)
	require.NoError(t, err)
	n, err := mlp.New(open(t), w)
	require.NoError(t, err)
	raw, err := os.ReadFile(filepath.Join(dir, "test_images.bin"))
	require.NoError(t, err)
	x := make([]float32, len(raw)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	p, err := n.ForwardNormalised(x)
	require.NoError(t, err)
	var names []int
	least := float32(1)
	for ; len(p) > 0; p = p[mlp.Outputs:] {
		best := argmax(p[:mlp.Outputs])
		names, least = append(names, best), min(least, p[best])
	}
	require.Equal(t, []int{7, 2, 1, 0, 4, 1, 4, 9, 5, 9}, names)
	require.InDelta(t, 0.875167, least, 5e-6)
}

func argmax(row []float32) int {
	best := 0
	for i, value := range row {
		if value > row[best] {
			best = i
		}
	}
	return best
}
