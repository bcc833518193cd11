package memtrace

import (
	"cmp"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A TracedVariable is a buffer or a variable of workgroup memory, with its accesses. Each workgroup
// has its own copy of workgroup memory, so its elements count once per workgroup.
type TracedVariable struct {
	Name     string `json:"name"`
	Space    Space  `json:"space"`
	Element  string `json:"element"` // its type in WGSL; "word" in a structure
	Bytes    int    `json:"bytes"`   // from one element to the next
	Elements int    `json:"elements"`
	Columns  int    `json:"columns"` // of a matrix, or of an array of arrays; else 0
	Binding  int    `json:"binding"` // -1 for workgroup memory

	Reads   Count `json:"reads"`
	Writes  Count `json:"writes"`
	Atomics Count `json:"atomics"`

	// WrittenBy identifies the writer of each element of a buffer: the workgroup's number times the
	// invocations of a workgroup, plus the local_invocation_index. It is Nobody or Several if there
	// is not exactly one writer.
	WrittenBy []int `json:"written_by,omitempty"`
}

// Space is a variable's address space.
type Space string

// The address spaces that invocations share.
const (
	Uniform   Space = "uniform"
	Storage   Space = "storage"
	Workgroup Space = "workgroup"
	Texture   Space = "texture" // WGSL calls it handle
)

// IsFetched reports whether the variable is a storage buffer or a texture.
func (v *TracedVariable) IsFetched() bool { return v.Space == Storage || v.Space == Texture }

// Values of WrittenBy without exactly one writer.
const (
	Nobody  = -1
	Several = -2
)

// A Count counts the accesses of one kind to the elements of a variable.
type Count struct {
	Total int     `json:"total"` // accesses; one of several elements counts for each
	Bytes int     `json:"bytes"` // moved
	Min   int     `json:"min"`   // of an element
	Max   int     `json:"max"`
	Mean  float64 `json:"mean"`

	// Of holds the count of each element. For workgroup memory, it has the copies of all workgroups
	// one after the other.
	Of []int `json:"of"`
}

// Even reports whether all elements were accessed equally often.
func (c Count) Even() bool { return c.Min == c.Max }

// count turns the simulator's records into counts.
func (t *Trace) count(kept *sim.Trace) {
	t.Cut, t.kept = kept.Cut, kept.Accesses
	for _, site := range kept.Sites {
		t.kinds = append(t.kinds, site.Kind)
	}
	t.Variables = make([]TracedVariable, len(kept.Variables))
	for i, v := range kept.Variables {
		t.Variables[i] = t.variable(v)
	}
	for _, a := range kept.Accesses {
		t.Variables[a.Variable].add(t, a, kept.Sites[a.Site].Kind)
	}
	for i := range t.Variables {
		v := &t.Variables[i]
		for _, c := range []*Count{&v.Reads, &v.Writes, &v.Atomics} {
			c.finish()
		}
	}
	t.countAccesses(kept.Sites)
	t.countPhases(kept.Meetings)
}

func (t *Trace) variable(v sim.TracedVariable) TracedVariable {
	out := TracedVariable{
		Name: v.Object.Name, Element: "word", Bytes: int(v.ElementBytes), Elements: v.Elements, Columns: v.Columns,
		Space: map[types.AddressSpace]Space{
			types.SpaceUniform: Uniform, types.SpaceStorage: Storage, types.SpaceWorkgroup: Workgroup, types.SpaceHandle: Texture,
		}[v.Object.Space()],
	}
	if v.Element != nil {
		out.Element = v.Element.String()
	}
	copies := 1
	if out.Space == Workgroup {
		copies, out.Binding = t.Groups(), -1
	} else {
		out.Binding = int(*v.Object.Binding)
		out.WrittenBy = slices.Repeat([]int{Nobody}, v.Elements)
	}
	for _, c := range []*Count{&out.Reads, &out.Writes, &out.Atomics} {
		c.Of = make([]int, v.Elements*copies)
	}
	return out
}

// add counts an access for every element that it touches.
func (v *TracedVariable) add(t *Trace, a sim.Access, kind ir.AccessKind) {
	c := [...]*Count{ir.Read: &v.Reads, ir.Write: &v.Writes, ir.Atomic: &v.Atomics}[kind]
	c.Bytes += int(a.Bytes)
	first, last := v.elements(a)
	for e := first; e <= last; e++ {
		c.Total++
		if v.Space == Workgroup {
			c.Of[int(a.Workgroup)*v.Elements+e]++
			continue
		}
		c.Of[e]++
		if kind == ir.Read {
			continue
		}
		switch who := t.who(a); v.WrittenBy[e] {
		case Nobody, who:
			v.WrittenBy[e] = who
		default:
			v.WrittenBy[e] = Several
		}
	}
}

// elements returns the first and the last element that an access touches.
func (v *TracedVariable) elements(a sim.Access) (first, last int) {
	return int(a.Offset) / v.Bytes, min(int(a.Offset+a.Bytes-1)/v.Bytes, v.Elements-1)
}

// who returns the number of an invocation among those of all workgroups.
func (t *Trace) who(a sim.Access) int { return int(a.Workgroup)*t.Invocations() + int(a.Invocation) }

func (c *Count) finish() {
	if len(c.Of) == 0 {
		return
	}
	c.Min, c.Max = slices.Min(c.Of), slices.Max(c.Of)
	c.Mean = float64(c.Total) / float64(len(c.Of))
}

// An AccessSite is one place in the source that accesses a variable. It says how well the accesses
// of neighbours coalesce.
type AccessSite struct {
	File     string `json:"file,omitempty"` // "" for the file that the shader begins with
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Text     string `json:"text"`
	Kind     string `json:"kind"` // read, write or atomic
	Variable string `json:"variable"`
	Space    Space  `json:"space"`
	Times    int    `json:"times"` // by all invocations

	Strips int         `json:"strips"` // groups of up to 32 neighbours that made it together
	Cost   float64     `json:"cost"`   // mean per strip: lines for a buffer, turns of the banks for workgroup memory
	Fewest float64     `json:"fewest"` // mean minimum cost of a strip, with its bytes side by side
	Worst  GroupAccess `json:"worst"`  // the strip that exceeds its minimum most

	variable int
}

// A GroupAccess is an access that 32 neighbours make together: invocations with consecutive
// local_invocation_index, starting at First, that have reached it equally often.
//
// The cost for a buffer is the number of 128-byte lines that the strip touches. The cost for
// workgroup memory is the number of turns of the busiest bank: one for each different word that the
// strip requests from it.
type GroupAccess struct {
	Workgroup int    `json:"workgroup"`
	First     int    `json:"first"`
	Turn      int    `json:"turn"` // how often they had reached the access before
	Lanes     []Lane `json:"lanes"`
	Cost      int    `json:"cost"`
	Fewest    int    `json:"fewest"`
}

// A Lane is the access of one of the neighbours.
type Lane struct {
	Invocation int `json:"invocation"`
	Offset     int `json:"offset"` // in the variable, in bytes
	Bytes      int `json:"bytes"`
}

// Footprint returns the words that a strip touches.
func (s GroupAccess) Footprint() (f ir.Footprint) {
	for _, l := range s.Lanes {
		f.Add(uint32(l.Offset), uint32(l.Bytes))
	}
	f.Sort()
	return f
}

// rate computes the strip's cost. A line has as many words as there are banks.
func (s *GroupAccess) rate(space Space) {
	f := s.Footprint()
	s.Cost, s.Fewest = f.Blocks(ir.LineBytes), f.LeastBlocks(ir.LineBytes)
	if space == Workgroup {
		s.Cost = f.Turns()
	}
}

// A stripKey identifies the accesses of one strip.
type stripKey struct{ site, variable, workgroup, phase, turn, warp uint32 }

func (t *Trace) countAccesses(sites []sim.Site) {
	type place struct{ site, variable uint32 }
	places, strips := map[place]*AccessSite{}, map[stripKey]*GroupAccess{}
	var keys []stripKey
	for _, a := range t.kept {
		at := place{a.Site, a.Variable}
		access := places[at]
		if access == nil {
			site, v := sites[a.Site], t.Variables[a.Variable]
			access = &AccessSite{
				File: site.Span.File, Line: site.Span.Line, Column: site.Span.Column, Text: site.Text, Kind: site.Kind.String(),
				Variable: v.Name, Space: v.Space, variable: int(a.Variable),
			}
			places[at] = access
		}
		access.Times++
		key := stripKey{a.Site, a.Variable, a.Workgroup, a.Phase, a.Turn, a.Invocation / ir.Neighbours}
		strip := strips[key]
		if strip == nil {
			strip = &GroupAccess{
				Workgroup: int(a.Workgroup), First: int(a.Invocation / ir.Neighbours * ir.Neighbours), Turn: int(a.Turn),
				Lanes: make([]Lane, 0, min(ir.Neighbours, t.Invocations())),
			}
			strips[key], keys = strip, append(keys, key)
		}
		strip.Lanes = append(strip.Lanes, Lane{int(a.Invocation), int(a.Offset), int(a.Bytes)})
	}
	for _, key := range keys {
		places[place{key.site, key.variable}].include(*strips[key])
	}
	t.Accesses = make([]AccessSite, 0, len(places))
	for _, a := range places {
		a.Cost, a.Fewest = a.Cost/float64(a.Strips), a.Fewest/float64(a.Strips)
		t.Accesses = append(t.Accesses, *a)
	}
	slices.SortFunc(t.Accesses, func(a, b AccessSite) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.variable, b.variable))
	})
}

// include adds a strip to the access.
func (a *AccessSite) include(s GroupAccess) {
	s.rate(a.Space)
	a.Strips++
	a.Cost += float64(s.Cost)
	a.Fewest += float64(s.Fewest)
	above := func(s GroupAccess) int { return s.Cost - s.Fewest }
	if a.Strips == 1 || above(s) > above(a.Worst) || above(s) == above(a.Worst) && len(s.Lanes) > len(a.Worst.Lanes) {
		a.Worst = s
	}
}

// A Phase is the time of a workgroup between two barriers.
type Phase struct {
	Working int `json:"working"` // number of invocations that touched memory that others can see
	Ended   int `json:"ended"`   // number of invocations that had ended when it began
	Line    int `json:"line"`    // line of the barrier at its end; 0 for the last phase
	Missed  int `json:"missed"`  // number of invocations that ended before that barrier or waited at another

	// Does says what each invocation did in the phase.
	Does []Doing `json:"does"`
}

// Doing is the activity of an invocation in a phase.
type Doing int

// The activities of an invocation.
const (
	Waits Doing = iota // touches only its own memory
	Works
	Ended
)

// countPhases divides the first workgroup's time at its barriers.
func (t *Trace) countPhases(meetings []sim.Meeting) {
	meetings = slices.DeleteFunc(slices.Clone(meetings), func(m sim.Meeting) bool { return m.Workgroup != 0 })
	t.Phases = make([]Phase, len(meetings)+1)
	for i := range t.Phases {
		t.Phases[i].Does = make([]Doing, t.Invocations())
	}
	for i, m := range meetings {
		p := &t.Phases[i]
		for local, span := range m.Waiting {
			if p.Line == 0 {
				p.Line = span.Line
			}
			if span.Line == 0 {
				t.Phases[i+1].Does[local] = Ended
			}
			if span.Line == 0 || span.Line != p.Line {
				p.Missed++
			}
		}
	}
	for _, a := range t.kept {
		if a.Workgroup == 0 && int(a.Phase) < len(t.Phases) && t.Variables[a.Variable].Space != Uniform {
			t.Phases[a.Phase].Does[a.Invocation] = Works
		}
	}
	for i := range t.Phases {
		p := &t.Phases[i]
		for _, d := range p.Does {
			switch d {
			case Works:
				p.Working++
			case Ended:
				p.Ended++
			}
		}
	}
}
