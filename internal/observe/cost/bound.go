package cost

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A LowerBound says how long a shader takes on a device at least, and why.
type LowerBound struct {
	Device  string  `json:"device"`
	Seconds float64 `json:"seconds"`
	// Serial is the time if no two limits overlapped. It ranks shaders better than Seconds, which
	// is the same for all that one limit decides.
	Serial float64 `json:"serial_seconds"`
	Limits []Limit `json:"limits"` // the one that decides first
}

// A Limit is a part of a device that takes so long with its share of the work.
type Limit struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// The limits.
const (
	Memory     = "memory"           // the bytes that have to come from it or go to it
	Cache      = "cache"            // the bytes that the workgroups fetch from the cache that they share
	Requests   = "requests"         // of lines, and turns of banks: in a cycle one, or 128 bytes, in each multiprocessor
	Workgroup  = "workgroup memory" // the same, if most of them are turns
	Arithmetic = "arithmetic"       // with the invocations that idle meanwhile
	Latency    = "latency"          // each operation waits for the one before
	Atomics    = "atomics"          // one after the other on one line of memory
)

// dispatching is how long a GPU takes for a dispatch that does nothing.
const dispatching = 2e-6

// cacheBytes is how many bytes a multiprocessor gets from the shared cache in a cycle: a sector.
const cacheBytes = ir.SectorBytes

// The operations of the classes, in multiply-adds: a GPU has a quarter to a sixteenth as many units
// for functions, and takes several steps for a division.
var operationCost = map[string]float64{
	ir.MultiplyAdd.String(): 1, ir.Float.String(): 1, ir.Division.String(): 12, ir.Function.String(): 8, ir.IntegerDivision.String(): 20,
}

// On returns the bound for a device. It is the largest of the limits: a GPU works on all of them at
// the same time. The time of a dispatch that does nothing comes on top.
func (r *DispatchCost) On(d GPU) LowerBound {
	t := &r.Total
	// The busiest multiprocessor does this share of all work, or at least that of the heaviest
	// workgroup.
	busiest := max(math.Ceil(float64(r.Groups())/float64(d.Cores)), t.Heaviest) / float64(r.Groups())
	cycle := 1 / d.Clock
	requests := Requests
	if t.Turns > t.Requests {
		requests = Workgroup
	}
	b := LowerBound{Device: d.Name, Limits: []Limit{
		{Memory, t.Once / d.Bandwidth},
		{Cache, t.Touched * busiest / cacheBytes * cycle},
		{requests, t.Loading * busiest * cycle},
		{Arithmetic, r.operations() * busiest * 2 / (d.FLOPS / float64(d.Cores))},
		{Latency, max(t.Cycles*r.waves(d), t.Longest) * cycle},
		{Atomics, t.HotCycles * cycle},
	}}
	slices.SortStableFunc(b.Limits, func(a, b Limit) int { return cmp.Compare(b.Seconds, a.Seconds) })
	b.Seconds, b.Serial = dispatching+b.Limits[0].Seconds, dispatching
	for _, limit := range b.Limits {
		b.Serial += limit.Seconds
	}
	return b
}

// operations returns the arithmetic in multiply-adds, with what idle invocations would do. An
// access takes the place of an operation in all neighbours.
func (r *DispatchCost) operations() float64 {
	total := ir.Neighbours * r.Total.Accesses
	for class, each := range operationCost {
		total += each * (r.Total.Done[class] + r.Total.Idle[class])
	}
	return total
}

// waves returns how many workgroups a multiprocessor runs one after the other, if it runs as many
// at once as have room.
func (r *DispatchCost) waves(d GPU) float64 {
	return math.Ceil(float64(r.Groups()) / float64(d.Cores*r.Resident(d)))
}

// Resident returns how many workgroups have room in a multiprocessor at once: for their
// invocations, their memory and their values.
func (r *DispatchCost) Resident(d GPU) int {
	const most, addresses = 32, 16 // of workgroups, and of registers for what the compiler adds
	invocations := (r.Invocations() + ir.Neighbours - 1) / ir.Neighbours * ir.Neighbours
	return max(1, min(most, d.Threads/invocations, d.Registers/(invocations*(r.Total.Live+addresses)), d.Workgroup/max(r.Total.WorkgroupBytes, 1)))
}

// Duration formats seconds with a unit and three digits: 42 µs, 1.25 ms.
func Duration(seconds float64) string {
	for _, unit := range []struct {
		seconds float64
		name    string
	}{{1, "s"}, {1e-3, "ms"}} {
		if seconds >= unit.seconds {
			return fmt.Sprintf("%.3g %s", seconds/unit.seconds, unit.name)
		}
	}
	return fmt.Sprintf("%.3g µs", seconds*1e6)
}

// Least returns the time for the same arithmetic if nobody idled and each byte moved once.
func (r *DispatchCost) Least(d GPU) float64 {
	return dispatching + max(r.Total.Once/d.Bandwidth, r.needed()/d.FLOPS)
}
