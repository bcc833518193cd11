package sim

import (
	"cmp"
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
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
	of = make([]*ownArray, len(p.Initial))
	for _, v := range p.Variables {
		if v.Where != ir.InSlots || v.Slots != nil || v.Object == nil {
			continue
		}
		if _, array := v.Object.Store().(*types.Array); array {
			a := &ownArray{object: v.Object, base: v.Base, cells: make([]ownCell, p.FlatWords(v.Object.Store()))}
			list = append(list, a)
			for i := range a.cells {
				of[v.Base+uint32(i)] = a
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
	for _, in := range p.Code {
		n := uint32(0)
		switch in.Op.Info().Operands.A {
		case ir.OperandWrite, ir.OperandWriteBool, ir.OperandWriteIf, ir.OperandWriteAddress:
			n = 1
		case ir.OperandWriteRow:
			n = uint32(in.N)
		case ir.OperandWriteMany:
			n = in.C
		}
		constant := in.Op == ir.OpZero || (in.Op == ir.OpMove || in.Op == ir.OpMoveRow) && in.B < uint32(len(p.Pinned)) && p.Pinned[in.B]
		if !constant {
			clear(of[in.A : in.A+n])
		}
	}
}

// enter forgets the workgroup before.
func (a *ownArray) enter() {
	clear(a.cells)
	a.first = 0
}

func (w *watcher) writeOwn(m *machine, inv *invocation, at, n uint32) {
	m.effort += effortOfWord
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
	m.effort += effortOfWord
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
	s := ir.NamedWord{Text: a.object.Name, Variable: a.object.Name, Index: -1, Length: -1}
	w.WalkSpot(&s, a.object.Store(), slot-a.base, false, -1)
	f := m.remark(findings.OwnCopy, c.pc, reader-1,
		"each invocation has its own `%s`: %s reads `%s`, but only invocation %s wrote that element, in its own `%s`",
		s.Variable, m.invocationOf(reader-1), s.Text, m.who(c.writer-1), s.Variable)
	f.Hint = fmt.Sprintf("To share it, declare `var<workgroup> %s: %s;` outside any function.", s.Variable, a.object.Store())
	f.Variable, f.Index, f.Length = s.Variable, s.Index, s.Length
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
