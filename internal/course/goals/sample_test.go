package goals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// Few pixels have ink, and no workgroup in the middle, at an end or at a third of the way has any.
// The count finds their atomics, and about as many as there are.
func TestRareAtomicsAreFound(t *testing.T) {
	for id, of := range map[string]struct {
		image     int // its binding
		threshold float32
		perPixel  float64
	}{"count-up": {0, 0, 1}, "ink-box": {1, 0.05, 4}} {
		e, err := course.Find(id)
		require.NoError(t, err)
		reference, err := e.Reference()
		require.NoError(t, err)
		r, err := goals.Cost(t.Context(), e, reference, cost.Options{})
		require.NoError(t, err)
		large, there := e.DrawLarge(1)
		require.True(t, there)
		ink := 0.0
		for _, v := range large.Buffers[of.image].Floats() {
			if float32(v) > of.threshold {
				ink++
			}
		}
		require.InEpsilon(t, of.perPixel*ink, r.Total.Atomics, 0.1, id)
	}
}
