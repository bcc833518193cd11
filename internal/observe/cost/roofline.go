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
	cache := cacheBytes * c.Device.Clock * float64(c.Device.Cores)
	r = view.Roofline{
		Title: "Under the roof", Source: "on " + c.Device.Title, Peak: c.Device.FLOPS,
		Slopes: []view.RoofSlope{{Name: "the shared cache", Bandwidth: cache}, {Name: "memory", Bandwidth: c.Device.Bandwidth}},
		Points: []view.RoofPoint{
			{Name: "yours", Operations: c.Yours.needed(), Bytes: c.Yours.Total.Touched, Seconds: c.Bound.Seconds},
			{Name: "the reference", Operations: c.Reference.needed(), Bytes: c.Reference.Total.Touched, Seconds: c.ReferenceBound.Seconds},
			{Name: "the least", Operations: c.Reference.needed(), Bytes: c.Reference.Total.Once, Seconds: c.Least, Slope: 1},
		},
	}
	for _, p := range r.Points {
		if p.Operations == 0 || p.Bytes == 0 {
			return r, false
		}
	}
	return r, true
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
