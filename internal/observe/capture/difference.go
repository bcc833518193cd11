package capture

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A PageDifference compares what the simulator leaves in a buffer with what the page's device left.
type PageDifference struct {
	Buffer      int // its index among the buffers
	Name        string
	Wrong, All  int // how many values differ by more than rounding, and how many there are
	First       int // the first that does
	Here, There numeric.JSONNumber
}

// String says it in a sentence or two.
func (d PageDifference) String() string {
	if d.Wrong == 0 {
		return fmt.Sprintf("`%s`: the page's GPU left the same values.", d.Name)
	}
	return fmt.Sprintf("`%s`: %s of %s from what the page's GPU left. The first is number %d: %v here, %v there.",
		d.Name, english.Thousands(d.Wrong), english.Count(d.All, "value differs", "values differ"), d.First, d.Here, d.There)
}

// Differences compares the buffers after a run, as far as the capture has them.
func (p *ReadyDispatch) Differences(left []sim.BoundBuffer) (all []PageDifference) {
	for i, theirs := range p.After {
		if theirs == nil {
			continue
		}
		ours, other := *p.Buffers[i], *p.Buffers[i]
		ours.Data, other.Data = left[i].Data, theirs
		d := differ(&ours, &other, hasStruct(p.vars[i].Store()))
		d.Buffer, d.Name = i, p.vars[i].Name
		all = append(all, d)
	}
	return all
}

// hasStruct reports whether a type is a struct or has elements that are. Their words are shown as
// whole numbers, whatever they are.
func hasStruct(t types.Type) bool {
	switch t := t.(type) {
	case *types.Struct:
		return true
	case *types.Array:
		return hasStruct(t.Elem)
	}
	return false
}

// differ compares the values of two buffers, which may be the words of structs.
func differ(ours, theirs *anyshader.Argument, words bool) (d PageDifference) {
	a, b := ours.Values(), theirs.Values()
	d.All = min(len(a), len(b))
	largest := 0.0
	rounding, float := roundingOf[types.ElemOf(ours.Element)]
	least := 1e-3 // of the largest value
	if ours.Texture != nil {
		integer, _ := ours.Texture.Format.Integer()
		rounding, float, least = 1e-3, !integer, stepOfByte/1e-3
	}
	for _, v := range b {
		if f := math.Abs(float64(v)); float && f > largest && !math.IsInf(f, 0) {
			largest = f
		}
	}
	for i := range d.All {
		x, y := float64(a[i]), float64(b[i])
		same := x == y || math.IsNaN(x) && math.IsNaN(y)
		switch {
		case same:
		case float:
			same = math.Abs(x-y) <= rounding*math.Max(math.Abs(y), largest*least)
		case words:
			same = sameFloats(uint32(int64(x)), uint32(int64(y)))
		}
		if same {
			continue
		}
		if d.Wrong == 0 {
			d.First, d.Here, d.There = i, a[i], b[i]
		}
		d.Wrong++
	}
	return d
}

// stepOfByte is the step of a channel with 8 bits, or a bit more.
const stepOfByte = 1.01 / 255

// roundingOf says how much two devices may differ for the same float, since they round and fuse in
// other places.
var roundingOf = map[*types.Scalar]float64{types.F32: 1e-3, types.F16: 1e-2}

// sameFloats reports whether two words are floats that differ by rounding. Whole numbers up to some
// millions are no floats.
func sameFloats(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	return math.Abs(y) > 1e-30 && math.Abs(x-y) <= roundingOf[types.F32]*math.Abs(y)
}
