// Package cost says what a shader costs on a GPU, without one: which memory it moves and how much
// of that is needed, what it computes, and who idles meanwhile. The simulator runs some workgroups
// of the dispatch and counts; the others count like them. For a device of a table, the package says
// how long the shader takes at least, and which limit decides.
//
// The counts assume 32 neighbours, sectors of 32 bytes, lines of 128 and 32 banks, as in NVIDIA's
// GPUs.
package cost

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A DispatchCost says what one dispatch costs. Its counts are estimates for all workgroups, from
// those that were counted.
type DispatchCost struct {
	Exercise   string            `json:"exercise,omitempty"`
	Case       string            `json:"case"`
	Workgroups [3]uint32         `json:"workgroups"`
	Size       [3]uint32         `json:"workgroup_size"`
	Counted    int               `json:"counted"`  // number of workgroups that ran
	Even       bool              `json:"even"`     // all workgroups that ran cost the same, so that one stands for all
	Finished   bool              `json:"finished"` // false if a workgroup took too many steps: then all counts are too small
	Steps      uint64            `json:"steps"`    // that the simulator took
	Total      Total             `json:"total"`
	Lines      []LineCost        `json:"lines"`
	Variables  []StorageVariable `json:"variables"`
}

// A Total adds up what all workgroups do. Bytes are those of storage buffers.
type Total struct {
	Moved   float64 `json:"moved_bytes"`   // in sectors, by 32 neighbours together
	Least   float64 `json:"least_bytes"`   // the same if they touched as many words side by side
	Touched float64 `json:"touched_bytes"` // after a cache that holds what a workgroup touches
	Once    float64 `json:"once_bytes"`    // if each byte moved once

	Requests float64 `json:"requests"`          // of lines of 128 bytes, by 32 neighbours together
	Accesses float64 `json:"accesses"`          // of buffers and workgroup memory, by 32 neighbours together
	Loading  float64 `json:"load_store_cycles"` // of the units that load and store: for each line or turn, and for each 128 bytes

	Turns          float64 `json:"bank_turns"`       // of workgroup memory
	LeastTurns     float64 `json:"least_bank_turns"` // without conflicts
	WorkgroupBytes int     `json:"workgroup_bytes"`  // of memory that a workgroup shares

	GroupSteps float64 `json:"group_steps"`       // operations and accesses of groups of 32: whole ones, even if some of their invocations idle
	LeastSteps float64 `json:"least_group_steps"` // the same if no invocation of a group idled

	Done map[string]float64 `json:"operations"` // by class, of single invocations
	Idle map[string]float64 `json:"idle"`       // by class, operations in which an invocation idles

	Barriers    float64 `json:"barriers"`     // by workgroups
	BarrierIdle float64 `json:"barrier_idle"` // the mean share of the time before them that an invocation waits

	Atomics    float64 `json:"atomics"`
	Repeated   float64 `json:"repeated_atomics"` // on a word that a neighbour changes at the same time
	HotAtomics float64 `json:"hot_atomics"`      // atomics on one line of a buffer, neighbours' on one word together once
	HotCycles  float64 `json:"hot_cycles"`       // that they take, one after the other

	Live   int     `json:"live_values"` // that an invocation holds at once, by an estimate
	Misses float64 `json:"misses"`      // the share of loads that miss the nearest cache, by an estimate

	Cycles   float64 `json:"latency_cycles"`         // of a workgroup that runs alone, by an estimate: the mean
	Longest  float64 `json:"longest_latency_cycles"` // the same of the slowest
	Heaviest float64 `json:"heaviest"`               // steps of the workgroup that takes the most, relative to the mean
}

// A LineCost is what a source line costs.
type LineCost struct {
	File     string       `json:"file,omitempty"` // "" for the file that the shader begins with
	Line     int          `json:"line"`
	Text     string       `json:"text"`
	Accesses []AccessSite `json:"accesses,omitempty"`

	Done map[string]float64 `json:"operations,omitempty"` // by class
	Idle float64            `json:"idle"`                 // the share of invocations that idle while neighbours run it

	GroupSteps float64 `json:"group_steps,omitempty"` // see Total

	Barriers    float64 `json:"barriers,omitempty"`
	BarrierIdle float64 `json:"barrier_idle,omitempty"`
}

// An AccessSite is one place in a line that accesses memory.
type AccessSite struct {
	Column   int     `json:"column"`
	Text     string  `json:"text"`
	Kind     string  `json:"kind"` // read, write or atomic
	Variable string  `json:"variable"`
	Shared   bool    `json:"workgroup"` // it is in workgroup memory
	Times    float64 `json:"times"`
	Strips   float64 `json:"strips"` // by 32 neighbours together

	Requests   float64 `json:"requests"` // of lines of 128 bytes
	Moved      float64 `json:"moved_bytes"`
	Least      float64 `json:"least_bytes"`
	Turns      float64 `json:"bank_turns"`
	LeastTurns float64 `json:"least_bank_turns"`
	Repeated   float64 `json:"repeated"`
}

// A StorageVariable is a storage buffer.
type StorageVariable struct {
	Name    string  `json:"name"`
	Bytes   float64 `json:"bytes"`
	Read    float64 `json:"read"`    // bytes that all workgroups read, each workgroup its own once
	Written float64 `json:"written"` // the same for writes
	Times   float64 `json:"times"`   // how often invocations read each element, on average
}

// Options limit a count.
type Options struct {
	Steps uint64 // of a workgroup; 0 means DefaultSteps
}

// DefaultSteps is far more than a workgroup of any right shader takes on its large case.
const DefaultSteps = 20_000_000

// Of counts a shader in a dispatch.
func Of(ctx context.Context, source *shader.Source, d shader.Dispatch, o Options) (*DispatchCost, error) {
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	size, err := source.Entry(sim.Adapter())
	if err != nil {
		return nil, err
	}
	return of(ctx, source, d.Workgroups, size.WorkgroupSize, func() (*sim.Counter, error) { return simulator.Count(ctx, source, d, o.Steps) })
}

// of counts a dispatch. prepare makes a counter that has counted nothing yet.
func of(ctx context.Context, source *shader.Source, workgroups, size [3]uint32, prepare func() (*sim.Counter, error)) (*DispatchCost, error) {
	r := &DispatchCost{Workgroups: workgroups, Size: size, Finished: true, Even: true}
	counts, err := r.count(ctx, prepare)
	if err != nil {
		return nil, err
	}
	for _, s := range counts.Samples {
		r.Finished = r.Finished && s.Finished
		r.Steps += s.Steps
	}
	r.Counted = len(counts.Samples)
	counts.Scale(float64(r.Groups()))
	r.add(counts)
	r.describe(counts, source)
	return r, nil
}

// Groups returns the number of workgroups.
func (r *DispatchCost) Groups() int {
	return int(r.Workgroups[0]) * int(r.Workgroups[1]) * int(r.Workgroups[2])
}

// Invocations returns the number of invocations of a workgroup.
func (r *DispatchCost) Invocations() int { return int(r.Size[0]) * int(r.Size[1]) * int(r.Size[2]) }

// add adds up the counts.
func (r *DispatchCost) add(counts *sim.DispatchCounts) {
	t := &r.Total
	*t = Total{Live: counts.Live, HotAtomics: counts.HotAtomics, HotCycles: counts.HotCycles, Heaviest: counts.Heaviest, Done: map[string]float64{}, Idle: map[string]float64{}}
	for _, a := range counts.Accesses {
		t.Moved += ir.SectorBytes * a.Sectors
		t.Least += ir.SectorBytes * a.LeastSectors
		t.Requests += a.Lines
		t.Accesses += a.Strips
		t.GroupSteps += a.Strips
		t.LeastSteps += a.Times / ir.Neighbours
		t.Loading += a.Cycles
		t.Turns += a.Turns
		t.LeastTurns += a.LeastTurns
		if a.Kind == ir.Atomic {
			t.Atomics += a.Times
			t.Repeated += a.Repeated
		}
	}
	for _, v := range counts.Variables {
		if v.Shared {
			t.WorkgroupBytes += int(v.Bytes)
			continue
		}
		t.Touched += ir.SectorBytes * (v.Read + v.Written)
		t.Once += min(float64(v.Bytes), ir.SectorBytes*v.Read) + min(float64(v.Bytes), ir.SectorBytes*v.Written)
	}
	for _, l := range counts.Lines {
		for class := ir.MultiplyAdd; class < ir.Classes; class++ {
			if l.Done[class]+l.Idle[class] > 0 {
				t.Done[class.String()] += l.Done[class]
				t.Idle[class.String()] += l.Idle[class]
			}
			if !isIndexing(class) {
				t.GroupSteps += (l.Done[class] + l.Idle[class]) / ir.Neighbours
				t.LeastSteps += l.Done[class] / ir.Neighbours
			}
		}
	}
	for _, b := range counts.Barriers {
		t.Barriers += b.Times
		t.BarrierIdle += b.Times * b.Idle
	}
	t.BarrierIdle /= max(t.Barriers, 1)
	t.Misses = min(1, t.Touched/max(t.Moved, 1))
	t.Cycles = counts.Mean.Hits + t.Misses*(counts.Mean.Misses-counts.Mean.Hits)
	t.Longest = counts.Longest.Hits + t.Misses*(counts.Longest.Misses-counts.Longest.Hits)
}

// isIndexing reports whether operations of a class mostly compute where a number is.
func isIndexing(class ir.Arithmetic) bool { return class == ir.Integer || class == ir.IntegerDivision }

// describe fills in what the lines and the variables cost.
func (r *DispatchCost) describe(counts *sim.DispatchCounts, source *shader.Source) {
	at := map[sim.CountedLine]*LineCost{}
	line := func(n sim.CountedLine) *LineCost {
		if at[n] == nil {
			text := strings.TrimSpace(source.Shader().Source.WrittenLine(findings.Region{File: n.File, Line: n.Line}))
			at[n] = &LineCost{File: n.File, Line: n.Line, Text: text, Done: map[string]float64{}}
		}
		return at[n]
	}
	for _, l := range counts.Lines {
		to := line(l.CountedLine)
		to.Idle = l.Gaps / max(l.Runs+l.Gaps, 1)
		for class := ir.MultiplyAdd; class < ir.Classes; class++ {
			if l.Done[class] > 0 {
				to.Done[class.String()] = l.Done[class]
			}
			if !isIndexing(class) {
				to.GroupSteps += (l.Done[class] + l.Idle[class]) / ir.Neighbours
			}
		}
	}
	for _, b := range counts.Barriers {
		to := line(b.CountedLine)
		to.Barriers, to.BarrierIdle = b.Times, b.Idle
	}
	for _, a := range counts.Accesses {
		v := counts.Variables[a.Variable]
		to := line(sim.CountedLine{File: a.Span.File, Line: a.Span.Line})
		to.GroupSteps += a.Strips
		to.Accesses = append(to.Accesses, AccessSite{
			Column: a.Span.Column, Text: a.Text, Kind: a.Kind.String(), Variable: v.Object.Name, Shared: v.Shared, Times: a.Times, Strips: a.Strips,
			Requests: a.Lines, Moved: ir.SectorBytes * a.Sectors, Least: ir.SectorBytes * a.LeastSectors, Turns: a.Turns, LeastTurns: a.LeastTurns, Repeated: a.Repeated,
		})
	}
	for _, l := range at {
		r.Lines = append(r.Lines, *l)
	}
	slices.SortFunc(r.Lines, func(a, b LineCost) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	r.variables(counts)
}

func (r *DispatchCost) variables(counts *sim.DispatchCounts) {
	for i, v := range counts.Variables {
		if v.Shared || v.Uniform {
			continue
		}
		out := StorageVariable{Name: v.Object.Name, Bytes: float64(v.Bytes), Read: ir.SectorBytes * v.Read, Written: ir.SectorBytes * v.Written}
		for _, a := range counts.Accesses {
			if a.Variable == i && a.Kind == ir.Read {
				out.Times += a.Bytes / float64(v.Bytes)
			}
		}
		r.Variables = append(r.Variables, out)
	}
}
