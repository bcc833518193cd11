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

	Outside bool // an access went out of bounds, of a texture's texels too
}

// Touched are the words of a binding that a dispatch read and wrote, counted from the binding's
// first byte.
type Touched struct {
	Group, Binding uint32
	Object         string // how the shader calls it
	Bytes          int    // how many there are
	Columns        int    // of a texture with rows
	Read           Words  // before the dispatch wrote to them
	Wrote          Words
	Twice          Words // written by more than one workgroup, without an atomic function
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

// Without returns the words that another set lacks.
func (w Words) Without(other Words) Words {
	rest := slices.Clone(w)
	for i := range min(len(w), len(other)) {
		rest[i] &^= other[i]
	}
	return rest
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
	writers [][]uint32 // of each binding's words: the workgroup that wrote it last, plus 1
}

// newTreader starts the touched words and clears any earlier content.
func (d *dispatch) newTreader(f *TouchedWords) *treader {
	groups := func() Words { return make(Words, d.groups/64+1) }
	*f = TouchedWords{Worked: groups(), Wrote: groups(), WroteNew: groups(), ReadNew: groups()}
	t := &treader{TouchedWords: f, memoryMap: d.memoryMap(), writers: make([][]uint32, len(d.Bindings))}
	for i, b := range d.Bindings {
		words := (d.host.regions[i].size + 3) / 4
		set := func() Words { return make(Words, words/64+1) }
		touched := Touched{Group: b.Group, Binding: b.Number, Object: b.Object.Name, Bytes: int(d.host.regions[i].size), Read: set(), Wrote: set(), Twice: set()}
		if v := t.variables[i]; d.host.handles[i].BoundTexture != nil {
			touched.Bytes = touched.Bytes / (ir.TexelWords * 4) * int(v.ElementBytes)
			touched.Columns = v.Columns
		}
		f.Bindings = append(f.Bindings, touched)
		if b.Writable {
			t.writers[i] = make([]uint32, words)
		}
	}
	t.stops = stopping(d.Code, func(pc int) bool { return d.Code[pc].Op.Info().Shared() })
	return t
}

func (*treader) enter()        {}
func (*treader) meet(*machine) {}

// stopped notes an access, and executes it.
func (t *treader) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.Code[pc]
	switch a, ok := t.touched(m, inv, &in); {
	case !ok:
		t.Outside = true
	case int(a.Variable) < len(t.Bindings):
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
		if kind == ir.Write {
			t.noteWriter(b, t.writers[a.Variable], word, m.groupNumber+1)
		}
	}
	if kind == ir.Read {
		return
	}
	for axis, group := range m.group {
		t.Reach[axis] = max(t.Reach[axis], group+1)
	}
}

// noteWriter notes which workgroup writes a word.
func (*treader) noteWriter(b *Touched, writers []uint32, word, group uint32) {
	if int(word) >= len(writers) {
		return
	}
	if before := writers[word]; before != 0 && before != group {
		b.Twice.Add(word)
	}
	writers[word] = group
}
