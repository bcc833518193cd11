package sim

import (
	"math/bits"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// TouchedWords says which words of each buffer a dispatch read and wrote. A run fills it. It leaves
// out accesses out of bounds. Unlike a Trace it keeps no order, so it has room for any dispatch.
type TouchedWords struct {
	Bindings []Touched // as Program.Bindings
	Reach    [3]uint32 // in x, y and z: how many workgroups there are up to the last that wrote

	// By the numbers of workgroups: those that read or wrote an element, uniforms aside; that wrote
	// one; that wrote one which none had written before, or called an atomic function; and that
	// read one which none had read before.
	Worked, Wrote, WroteNew, ReadNew Words
}

// Touched are the words of a binding that a dispatch read and wrote, counted from the binding's
// first byte.
type Touched struct {
	Group, Binding uint32
	Object         string // how the shader calls it
	Read           Words  // before the dispatch wrote to them
	Wrote          Words
}

// Words is a set of words.
type Words []uint64

// Has reports whether a word is in the set.
func (w Words) Has(word int) bool { return word/64 < len(w) && w[word/64]>>(word%64)&1 != 0 }

// Count returns how many words the set has.
func (w Words) Count() (n int) {
	for _, part := range w {
		n += bits.OnesCount64(part)
	}
	return n
}

// Add puts a word into the set, if there is room for it.
func (w Words) Add(word uint32) {
	if int(word/64) < len(w) {
		w[word/64] |= 1 << (word % 64)
	}
}

// Any reports whether the set has a word.
func (w Words) Any() bool { return slices.ContainsFunc(w, func(part uint64) bool { return part != 0 }) }

// A treader fills the touched words. The machine stops for it before each access of a buffer.
type treader struct {
	*TouchedWords
	memoryMap
	stops
}

// newTreader starts the touched words and clears any earlier content.
func (d *dispatch) newTreader(f *TouchedWords) *treader {
	groups := func() Words { return make(Words, d.groups/64+1) }
	*f = TouchedWords{Worked: groups(), Wrote: groups(), WroteNew: groups(), ReadNew: groups()}
	for i, b := range d.Bindings {
		words := (d.host.regions[i].size + 3) / 4
		f.Bindings = append(f.Bindings, Touched{b.Group, b.Number, b.Object.Name, make(Words, words/64+1), make(Words, words/64+1)})
	}
	t := &treader{TouchedWords: f, memoryMap: d.memoryMap()}
	t.stops = stopping(d.Code, func(pc int) bool { return d.Code[pc].Op.Info().Shared() })
	return t
}

func (*treader) enter()        {}
func (*treader) meet(*machine) {}

// stopped notes an access, and executes it.
func (t *treader) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.Code[pc]
	if a, ok := t.touched(m, inv, &in); ok && int(a.Variable) < len(t.Bindings) {
		t.note(m, a, in.Op.Info().Access)
	}
	t.execute(m, inv, pc, in)
}

func (t *treader) note(m *machine, a Access, kind ir.AccessKind) {
	b := &t.Bindings[a.Variable]
	if !m.Bindings[a.Variable].Uniform {
		t.Worked.Add(m.groupNumber)
	}
	if kind != ir.Read {
		t.Wrote.Add(m.groupNumber)
	}
	if kind == ir.Atomic {
		t.WroteNew.Add(m.groupNumber)
	}
	for word := a.Offset / 4; word < (a.Offset+a.Bytes+3)/4; word++ {
		if kind != ir.Write && !b.Wrote.Has(int(word)) {
			if !b.Read.Has(int(word)) && !m.Bindings[a.Variable].Uniform {
				t.ReadNew.Add(m.groupNumber)
			}
			b.Read.Add(word)
		}
		if kind != ir.Read {
			if !b.Wrote.Has(int(word)) {
				t.WroteNew.Add(m.groupNumber)
			}
			b.Wrote.Add(word)
		}
	}
	if kind == ir.Read {
		return
	}
	for axis, group := range m.group {
		t.Reach[axis] = max(t.Reach[axis], group+1)
	}
}
