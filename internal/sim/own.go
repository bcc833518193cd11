package sim

import (
	"cmp"
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An ownArray is an array of which each invocation has its own copy, although the shader may use it
// as if all shared one: each invocation writes elements of its own, and some read elements that
// only another invocation wrote, in another copy. The records are of one workgroup, by 1 + the
// invocation's local_invocation_index; 0 means none.
type ownArray struct {
	object *types.Object
	base   uint32 // slot
	cells  []ownCell

	first   uint32 // who wrote first
	several bool   // others wrote as well, in this workgroup or another
	overlap bool   // two invocations wrote the same element: the copies are meant
	found   *findings.Finding
}

// An ownCell is who touched a word: its only writer, and two readers.
type ownCell struct{ writer, reader, other, pc uint32 }

// ownArrays returns the records of the arrays in functions and private memory, and for each slot
// the record that it belongs to. Words that are also written without an index have none.
func (p *Program) ownArrays() (list []*ownArray, of []*ownArray) {
	of = make([]*ownArray, len(p.initial))
	for _, v := range p.variables {
		if v.where != inSlots || v.slots != nil || v.object == nil {
			continue
		}
		if _, array := v.object.Store().(*types.Array); array {
			a := &ownArray{object: v.object, base: v.base, cells: make([]ownCell, p.flatWords(v.object.Store()))}
			list = append(list, a)
			for i := range a.cells {
				of[v.base+uint32(i)] = a
			}
		}
	}
	if len(list) > 0 {
		p.dropDirect(of)
	}
	return list, of
}

// dropDirect takes out the slots that instructions write without an index, except with constants.
func (p *Program) dropDirect(of []*ownArray) {
	for _, in := range p.code {
		n := uint32(0)
		switch in.op.info().operands.a {
		case write, writeBool, writeIf, writeAddress:
			n = 1
		case writeRow:
			n = uint32(in.n)
		case writeMany:
			n = in.c
		}
		constant := in.op == opZero || (in.op == opMove || in.op == opMoveRow) && in.b < uint32(len(p.pinned)) && p.pinned[in.b]
		if !constant {
			clear(of[in.a : in.a+n])
		}
	}
}

// enter forgets the workgroup before.
func (a *ownArray) enter() {
	clear(a.cells)
	a.first = 0
}

func (w *watcher) writeOwn(m *machine, inv *invocation, at, n uint32) {
	me := inv.local + 1
	for slot := at; slot < at+n; slot++ {
		a := w.ownOf[slot]
		if a == nil {
			continue
		}
		c := &a.cells[slot-a.base]
		a.overlap = a.overlap || c.writer != 0 && c.writer != me
		a.several = a.several || a.first != 0 && a.first != me
		c.writer, a.first = me, cmp.Or(a.first, me)
		w.compareOwn(m, a, slot)
	}
}

func (w *watcher) readOwn(m *machine, inv *invocation, pc, at, n uint32) {
	me := inv.local + 1
	for slot := at; slot < at+n; slot++ {
		a := w.ownOf[slot]
		if a == nil {
			continue
		}
		switch c := &a.cells[slot-a.base]; {
		case c.reader == 0:
			c.reader, c.pc = me, pc
		case c.reader != me && c.other == 0:
			c.other, c.pc = me, pc
		}
		w.compareOwn(m, a, slot)
	}
}

// compareOwn makes the finding once a word has a writer and another reader.
func (w *watcher) compareOwn(m *machine, a *ownArray, slot uint32) {
	c := a.cells[slot-a.base]
	reader := c.reader
	if reader == c.writer {
		reader = c.other
	}
	if a.found != nil || w.muted || c.writer == 0 || reader == 0 {
		return
	}
	s := spot{text: a.object.Name, variable: a.object.Name, index: -1, length: -1}
	w.walkSpot(&s, a.object.Store(), slot-a.base, false, -1)
	f := m.remark(findings.OwnCopy, c.pc, reader-1,
		"each invocation has its own `%s`: %s reads `%s`, but only invocation %s wrote that element, in its own `%s`",
		s.variable, m.invocationOf(reader-1), s.text, m.who(c.writer-1), s.variable)
	f.Hint = fmt.Sprintf("To share it, declare `var<workgroup> %s: %s;` outside any function.", s.variable, a.object.Store())
	f.Variable, f.Index, f.Length = s.variable, s.index, s.length
	a.found = &f
}

// tellOwn adds the findings about arrays that invocations used as if they shared them.
func (w *watcher) tellOwn() {
	for _, a := range w.own {
		if a.found != nil && a.several && !a.overlap {
			w.tell(*a.found)
		}
	}
}
