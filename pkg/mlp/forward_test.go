package mlp_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/mlp"
	"github.com/wgslab/wgslab/shaders"
)

// originDir holds the weights of the project that this course grew from.
const originDir = "../../../shared/vibe-infer-weights"

func open(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

func origin(t *testing.T) *mlp.Weights {
	t.Helper()
	if _, err := os.Stat(originDir); err != nil {
		t.Skipf("the origin's weights are not there: %v", err)
	}
	w, err := mlp.Load(originDir)
	require.NoError(t, err)
	return w
}

func TestOriginNamesItsTenImages(t *testing.T) {
	n, err := mlp.New(open(t), origin(t))
	require.NoError(t, err)
	raw, err := os.ReadFile(filepath.Join(originDir, "test_images.bin"))
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

func argmax[T float32 | float64](row []T) int {
	best := 0
	for i, value := range row {
		if value > row[best] {
			best = i
		}
	}
	return best
}

func source(t *testing.T, name string) string {
	t.Helper()
	s, err := shaders.Source(name)
	require.NoError(t, err)
	return s
}
