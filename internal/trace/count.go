package trace

import (
	"cmp"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Variable is a buffer or a variable of workgroup memory, and what was done to
// it. Of workgroup memory each workgroup has a copy of its own: its elements count
// once for each.
type Variable struct {
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

	// WrittenBy is, for each element of a buffer, who wrote it: the workgroup's
	// number times its invocations, and the local_invocation_index; or Nobody, or
	// Several.
	WrittenBy []int `json:"written_by,omitempty"`
}

// Space is a variable's address space.
type Space string

// The address spaces that invocations share.
const (
	Uniform   Space = "uniform"
	Storage   Space = "storage"
	Workgroup Space = "workgroup"
)

// What WrittenBy says where there is not exactly one writer.
const (
	Nobody  = -1
	Several = -2
)

// A Count is how often the elements of a variable were accessed in one way.
type Count struct {
	Total int     `json:"total"` // accesses, an access of several elements counted for each
	Bytes int     `json:"bytes"` // moved
	Min   int     `json:"min"`   // of an element
	Max   int     `json:"max"`
	Mean  float64 `json:"mean"`

	// Of holds the count of each element; of workgroup memory, the copies of all
	// workgroups one after the other.
	Of []int `json:"of"`
}

// Even reports whether all elements were accessed equally often.
func (c Count) Even() bool { return c.Min == c.Max }

// count makes the facts of what the simulator kept.
func (t *Trace) count(kept *sim.Trace) {
	t.Cut, t.kept = kept.Cut, kept.Accesses
	for _, site := range kept.Sites {
		t.kinds = append(t.kinds, site.Kind)
	}
	t.Variables = make([]Variable, len(kept.Variables))
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

func (t *Trace) variable(v sim.TracedVariable) Variable {
	out := Variable{
		Name: v.Object.Name, Element: "word", Bytes: int(v.ElementBytes), Elements: v.Elements, Columns: v.Columns,
		Space: map[types.AddressSpace]Space{
			types.SpaceUniform: Uniform, types.SpaceStorage: Storage, types.SpaceWorkgroup: Workgroup,
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
func (v *Variable) add(t *Trace, a sim.Access, kind sim.AccessKind) {
	c := [...]*Count{sim.Read: &v.Reads, sim.Write: &v.Writes, sim.Atomic: &v.Atomics}[kind]
	c.Bytes += int(a.Bytes)
	first, last := v.elements(a)
	for e := first; e <= last; e++ {
		c.Total++
		if v.Space == Workgroup {
			c.Of[int(a.Workgroup)*v.Elements+e]++
			continue
		}
		c.Of[e]++
		if kind == sim.Read {
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

// elements are the first and the last element that an access touches.
func (v *Variable) elements(a sim.Access) (first, last int) {
	return int(a.Offset) / v.Bytes, min(int(a.Offset+a.Bytes-1)/v.Bytes, v.Elements-1)
}

// who is the number of an invocation among those of all workgroups.
func (t *Trace) who(a sim.Access) int { return int(a.Workgroup)*t.Invocations() + int(a.Invocation) }

func (c *Count) finish() {
	if len(c.Of) == 0 {
		return
	}
	c.Min, c.Max = slices.Min(c.Of), slices.Max(c.Of)
	c.Mean = float64(c.Total) / float64(len(c.Of))
}

// An Access is one place in the source that accesses a variable, and how the
// accesses of neighbours fall together.
type Access struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Text     string `json:"text"`
	Kind     string `json:"kind"` // read, write or atomic
	Variable string `json:"variable"`
	Space    Space  `json:"space"`
	Times    int    `json:"times"` // by all invocations

	Strips int     `json:"strips"` // of up to 32 neighbours that made it together
	Cost   float64 `json:"cost"`   // the mean of a strip: lines for a buffer, turns of the banks for workgroup memory
	Fewest float64 `json:"fewest"` // the mean of what a strip would cost at least, with its bytes side by side
	Worst  Strip   `json:"worst"`  // the strip that costs most above its fewest

	variable int
}

// A Strip is an access as 32 neighbours make it together: the invocations from
// First on, by their local_invocation_index, each coming to it for the same time.
//
// The cost of a buffer is how many lines of 128 bytes the strip touches. That of
// workgroup memory is how often the busiest bank has to answer: once for each of
// the words that are asked of it, however many ask for the same.
type Strip struct {
	Workgroup int    `json:"workgroup"`
	First     int    `json:"first"`
	Turn      int    `json:"turn"` // how often they came to the access before
	Lanes     []Lane `json:"lanes"`
	Cost      int    `json:"cost"`
	Fewest    int    `json:"fewest"`
}

// A Lane is what one of the neighbours accesses.
type Lane struct {
	Invocation int `json:"invocation"`
	Offset     int `json:"offset"` // in the variable, in bytes
	Bytes      int `json:"bytes"`
}

// Cells are the words of 4 bytes that a strip touches, each once, in order.
func (s Strip) Cells() []int {
	var words []int
	for _, l := range s.Lanes {
		for w := l.Offset / BankBytes; w <= (l.Offset+l.Bytes-1)/BankBytes; w++ {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// rate finds what the strip costs.
func (s *Strip) rate(space Space) {
	words := s.Cells()
	per := map[int]int{}
	for _, w := range words {
		if space == Workgroup {
			per[w%Banks]++
		} else {
			per[w*BankBytes/LineBytes]++
		}
	}
	s.Cost = len(per)
	if space == Workgroup {
		s.Cost = 0
		for _, n := range per {
			s.Cost = max(s.Cost, n)
		}
	}
	const together = LineBytes / BankBytes // as many as there are banks
	s.Fewest = (len(words) + together - 1) / together
}

// stripKey is what the accesses of a strip have in common.
type stripKey struct{ site, variable, workgroup, phase, turn, warp uint32 }

func (t *Trace) countAccesses(sites []sim.Site) {
	type place struct{ site, variable uint32 }
	places, strips := map[place]*Access{}, map[stripKey]*Strip{}
	var keys []stripKey
	for _, a := range t.kept {
		at := place{a.Site, a.Variable}
		if places[at] == nil {
			site, v := sites[a.Site], t.Variables[a.Variable]
			places[at] = &Access{
				Line: site.Span.Line, Column: site.Span.Column, Text: site.Text, Kind: site.Kind.String(),
				Variable: v.Name, Space: v.Space, variable: int(a.Variable),
			}
		}
		places[at].Times++
		key := stripKey{a.Site, a.Variable, a.Workgroup, a.Phase, a.Turn, a.Invocation / Neighbours}
		if strips[key] == nil {
			strips[key] = &Strip{Workgroup: int(a.Workgroup), First: int(a.Invocation / Neighbours * Neighbours), Turn: int(a.Turn)}
			keys = append(keys, key)
		}
		strips[key].Lanes = append(strips[key].Lanes, Lane{int(a.Invocation), int(a.Offset), int(a.Bytes)})
	}
	for _, key := range keys {
		places[place{key.site, key.variable}].include(*strips[key])
	}
	t.Accesses = make([]Access, 0, len(places))
	for _, a := range places {
		a.Cost, a.Fewest = a.Cost/float64(a.Strips), a.Fewest/float64(a.Strips)
		t.Accesses = append(t.Accesses, *a)
	}
	slices.SortFunc(t.Accesses, func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.variable, b.variable))
	})
}

// include counts a strip in.
func (a *Access) include(s Strip) {
	s.rate(a.Space)
	a.Strips++
	a.Cost += float64(s.Cost)
	a.Fewest += float64(s.Fewest)
	above := func(s Strip) int { return s.Cost - s.Fewest }
	if a.Strips == 1 || above(s) > above(a.Worst) || above(s) == above(a.Worst) && len(s.Lanes) > len(a.Worst.Lanes) {
		a.Worst = s
	}
}

// A Phase is the time of a workgroup between one barrier and the next.
type Phase struct {
	Working int `json:"working"` // how many invocations touched memory that others see
	Ended   int `json:"ended"`   // how many had ended when it began
	Line    int `json:"line"`    // of the barrier at its end; 0 for the last
	Missed  int `json:"missed"`  // how many invocations ended before that barrier, or waited at another one

	// Does says of each invocation what it did in the phase.
	Does []Doing `json:"does"`
}

// Doing is what an invocation does in a phase.
type Doing int

// What an invocation does.
const (
	Waits Doing = iota // it touches nothing but its own
	Works
	Ended
)

// countPhases cuts the first workgroup's time at its barriers.
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
