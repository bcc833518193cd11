package cost

import (
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// Roofline plots the shader, the reference and the least below the roof of the device. Ok is false
// if there is no arithmetic to plot.
//
// Workgroups fetch from the cache that they share, so its slope is above the shaders. The least
// moves each byte once, over the slope of the memory.
func (c *Comparison) Roofline() (r view.Roofline, ok bool) {
	r = roof(c.Device)
	r.Points = []view.RoofPoint{
		c.Yours.point("yours", c.Bound.Seconds), c.Reference.point("the reference", c.ReferenceBound.Seconds),
		{Name: "the least", Operations: c.Reference.needed(), Bytes: c.Reference.Total.Once, Seconds: c.Least, Slope: 1},
	}
	for _, p := range r.Points {
		if p.Operations == 0 || p.Bytes == 0 {
			return r, false
		}
	}
	return r, true
}

// roof returns the roof of a device, without points.
func roof(d GPU) view.Roofline {
	return view.Roofline{
		Title: "Under the roof", Source: "on " + d.Title, Peak: d.FLOPS,
		Slopes: []view.RoofSlope{{Name: "the shared cache", Bandwidth: cacheBytes * d.Clock * float64(d.Cores)}, {Name: "memory", Bandwidth: d.Bandwidth}},
	}
}

// point returns a shader that takes so long as a point below the slope of the shared cache.
func (r *DispatchCost) point(name string, seconds float64) view.RoofPoint {
	return view.RoofPoint{Name: name, Operations: r.needed(), Bytes: r.Total.Touched, Seconds: seconds}
}

// needed returns the operations without idle ones; a multiply-add is two. To compute an index is no
// result, so a shader with more of it isn't better under the roof.
func (r *DispatchCost) needed() (total float64) {
	for class, each := range operationCost {
		if class == ir.IntegerDivision.String() {
			continue
		}
		total += 2 * each * r.Total.Done[class]
	}
	return total
}
