package epochs

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// Both trainings begin with the same weights and the same batch, and both make the loss fall, on
// different ways.
func TestDescend(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	reports := 0
	c, err := Descend(t.Context(), device, "work", Initial(1), part(t, 0, 3000), DefaultRate, 0.001, 7, func(*Curves) { reports++ })
	require.NoError(t, err)
	steps := curveStepsOn(device.Adapter().Kind)
	require.Len(t, c.SGD, steps)
	require.Len(t, c.Adam, steps)
	require.Equal(t, 2*steps, reports)
	require.Equal(t, "adam", c.Shaders[len(c.Shaders)-1].ID)
	require.Equal(t, c.SGD[0], c.Adam[0], "the first batch meets the same weights")
	require.NotEqual(t, c.SGD[1], c.Adam[1])
	t.Logf("sgd %v\nadam %v", c.SGD, c.Adam)
	for _, losses := range [][]float32{c.SGD, c.Adam} {
		require.Less(t, losses[steps-1], 0.6*losses[0])
	}
	// Lesson 10 says what becomes of both with rates that don't suit: the mean of the last batches.
	for factor, within := range map[float32][4]float64{0.1: {0.7, 0.9, 0.4, 0.6}, 10: {1.5, 2.4, 0.8, 1.6}} {
		c, err := Descend(t.Context(), device, "work", Initial(1), part(t, 0, 3000), factor*DefaultRate, factor*0.001, 7, func(*Curves) {})
		require.NoError(t, err)
		for i, losses := range [][]float32{c.SGD, c.Adam} {
			const last = 8
			mean := 0.0
			for _, loss := range losses[steps-last:] {
				mean += float64(loss) / last
			}
			if steps == 60 {
				require.Greater(t, mean, within[2*i])
				require.Less(t, mean, within[2*i+1])
			}
		}
	}
}
