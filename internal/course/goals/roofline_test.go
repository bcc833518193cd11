package goals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// No shader is above its roof, on any device; a copy has none.
func TestNoPointIsAboveItsRoof(t *testing.T) {
	plotted := map[string]bool{}
	for _, e := range course.OfTheCourse() {
		reference := right(t, e)[0]
		c, err := goals.Compare(t.Context(), e, shader.Read(e.ID+".wgsl", reference.Text), cost.Devices[0])
		require.NoError(t, err)
		for _, d := range cost.Devices {
			c.Device, c.Bound, c.ReferenceBound, c.Least = d, c.Yours.On(d), c.Reference.On(d), c.Reference.Least(d)
			r, ok := c.Roofline()
			plotted[e.ID] = ok
			for _, p := range r.Points {
				if ok {
					require.LessOrEqual(t, r.Share(p), 1+1e-9, "%s on %s: %s", e.ID, d.Name, p.Name)
				}
			}
		}
	}
	require.True(t, plotted["matmul"])
	require.False(t, plotted["copy-2d"])
}
