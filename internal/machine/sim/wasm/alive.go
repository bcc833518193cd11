package wasm

import (
	"math/bits"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A slots is a set of slots that locals hold, by the number of the local.
type slots []uint64

func (s slots) add(i uint32)      { s[i/64] |= 1 << (i % 64) }
func (s slots) drop(i uint32)     { s[i/64] &^= 1 << (i % 64) }
func (s slots) has(i uint32) bool { return s[i/64]>>(i%64)&1 != 0 }

// join adds all of another set, and reports whether any of it is new.
func (s slots) join(other slots) (more bool) {
	for i, w := range other {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

// each calls do with every local, in order.
func (s slots) each(do func(i uint32)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			do(uint32(i*64 + bits.TrailingZeros64(w)))
		}
	}
}

// A placement says where compiled code holds each slot: in a local, or in memory.
type placement struct {
	*expanded
	all      *placement // of the whole code, if this is a region's
	origin   uint32     // where the region begins in it
	watches  bool       // the code is watched
	inMemory []bool
	local    map[uint32]uint32 // by slot, the number of the local among those of slots
	slotOf   []uint32          // the other way round
	kinds    []valueKind       // of the locals
	started  slots             // those that an invocation gets where it begins
	written  slots             // those, and what the code changes
	alive    []slots           // before each block, by its first instruction; else nil
	dirty    []slots           // likewise, those that may differ from memory
}

// mostInLocals is the longest row of slots that an instruction may touch for locals to hold it.
const mostInLocals = 16

func place(e *expanded, watches bool) *placement {
	p := &placement{expanded: e, watches: watches, inMemory: make([]bool, len(e.program.Initial)), local: map[uint32]uint32{}}
	for i := range e.ops {
		p.keepInMemory(&e.ops[i])
	}
	p.all = p
	p.assign()
	p.findAlive()
	return p
}

// assign gives locals to slots, and follows what the code changes.
func (p *placement) assign() {
	visit := func(slot uint32) {
		if _, known := p.local[slot]; !known && p.inLocal(slot) {
			p.local[slot] = uint32(len(p.slotOf))
			p.slotOf = append(p.slotOf, slot)
		}
	}
	for i := range p.ops {
		p.ops[i].uses(visit, visit)
	}
	if p.all != p && p.origin == 0 {
		p.starts(func(slot uint32) { // a later region may use it
			if _, used := p.all.local[slot]; used {
				visit(slot)
			}
		})
	}
	p.written = p.none()
	for i := range p.ops {
		p.writes(&p.ops[i], p.written)
	}
	p.started = p.none()
	p.starts(func(slot uint32) {
		if n, ok := p.local[slot]; ok && p.origin == 0 {
			p.started.add(n)
		}
	})
	p.written.join(p.started)
	p.chooseKinds()
	p.findDirty()
}

// starts calls do with the slots that an invocation gets where it begins: its inputs, except those
// that are the same everywhere, and its private variables.
func (p *placement) starts(do func(slot uint32)) {
	for slot := range uint32(ir.Inputs) {
		if slot < ir.NumWorkgroups || slot >= ir.NumWorkgroups+3 {
			do(slot)
		}
	}
	for slot := p.program.Private.From; slot < p.program.Private.To; slot++ {
		do(slot)
	}
}

// writes adds the slots that an instruction changes.
func (p *placement) writes(o *op, to slots) {
	o.uses(func(uint32) {}, func(slot uint32) {
		if n, ok := p.local[slot]; ok {
			to.add(n)
		}
	})
}

// findDirty follows forward what the code changes. Where a run may go on after it has left, memory
// has everything.
func (p *placement) findDirty() {
	leaders := p.leaders()
	p.dirty = make([]slots, len(p.ops)+1)
	for _, at := range leaders {
		p.dirty[at] = p.none()
	}
	p.dirty[0].join(p.started)
	for again := true; again; {
		again = false
		for i := range len(leaders) - 1 {
			now := p.none()
			now.join(p.dirty[leaders[i]])
			last := leaders[i+1] - 1
			for at := leaders[i]; at <= last; at++ {
				p.writes(&p.ops[at], now)
			}
			if p.ops[last].waits() {
				continue
			}
			for _, next := range p.following(last) {
				again = p.dirty[next].join(now) || again
			}
		}
	}
}

// dirtyAt returns the slots that may differ from memory before an instruction.
func (p *placement) dirtyAt(at uint32) slots {
	first := at
	for p.dirty[first] == nil {
		first--
	}
	now := p.none()
	now.join(p.dirty[first])
	for ; first < at; first++ {
		p.writes(&p.ops[first], now)
	}
	return now
}

func (p *placement) none() slots { return make(slots, (len(p.slotOf)+63)/64) }

// constant returns the value of a slot that holds a constant.
func (p *placement) constant(slot uint32) (bits uint32, ok bool) {
	program := p.program
	if slot < uint32(len(program.Pinned)) && program.Pinned[slot] {
		return program.Initial[slot], true
	}
	return 0, false
}

// inLocal reports whether a local holds a slot: it is neither in memory nor a constant.
func (p *placement) inLocal(slot uint32) bool {
	_, constant := p.constant(slot)
	return !constant && !p.inMemory[slot]
}

// keepInMemory keeps the slots in memory that an instruction reaches by an index, and long rows.
func (p *placement) keepInMemory(o *op) {
	keep := func(from, to uint32) {
		for slot := from; slot < to; slot++ {
			p.inMemory[slot] = true
		}
	}
	if o.Op.Info().Memory == ir.InSlots && (o.Op.Info().Access == ir.Read || o.Op.Info().Access == ir.Write) {
		if row := p.program.Notes[o.pc].Row; row.From < row.To {
			keep(row.From, row.To)
		} else {
			for _, v := range p.program.Variables {
				if v.Where == ir.InSlots && v.Slots == nil {
					keep(v.Base, v.Base+p.program.FlatWords(v.Object.Store()))
				}
			}
		}
	}
	if o.Op == ir.OpCall {
		keep(o.A, o.A+1) // the return address: a stuck run is told by the calls that led there
	}
	reads, writes := uint32(0), uint32(0)
	o.uses(func(uint32) { reads++ }, func(uint32) { writes++ })
	if max(reads, writes) > mostInLocals {
		visit := func(slot uint32) { p.inMemory[slot] = true }
		o.uses(visit, visit)
	}
}

// uses calls reads for each slot that an instruction reads, and writes for each that it writes.
func (o *op) uses(reads, writes func(slot uint32)) {
	kind := o.N &^ ir.AtomicInBuffer
	switch {
	case o.Op == ir.OpReturn:
		return // the copy knows where it goes
	case o.Op == ir.OpAtomic:
		reads(o.B)
		if kind != ir.AtomicLoad {
			reads(o.C)
		}
		if kind >= ir.AtomicCompareExchange {
			reads(o.C + 1)
		}
		if kind != ir.AtomicStore && kind < ir.AtomicStoreMax64 {
			writes(o.A)
		}
		if kind == ir.AtomicCompareExchange {
			writes(o.A + 1)
		}
		return
	}
	o.Instr.Uses(reads, writes)
}

// chooseKinds lets a local hold an f32 if most instructions that touch it compute with floats.
// Those in loops count more.
func (p *placement) chooseKinds() {
	votes := make([]int, len(p.slotOf))
	vote := func(slot uint32, n int) {
		if i, ok := p.local[slot]; ok {
			votes[i] += n
		}
	}
	for i := range p.ops {
		o := &p.ops[i]
		read, write := p.votes(o)
		read, write = read*p.weight(uint32(i)), write*p.weight(uint32(i))
		if read != 0 || write != 0 {
			o.uses(func(slot uint32) { vote(slot, read) }, func(slot uint32) { vote(slot, write) })
		}
	}
	const rounds = 3 // of passing votes on through moves
	for range rounds {
		before := append([]int(nil), votes...)
		sign := func(slot uint32) int {
			if i, ok := p.local[slot]; ok {
				return max(-1, min(1, before[i]))
			}
			return 0
		}
		for i := range p.ops {
			pass := func(a, b uint32) {
				vote(a, sign(b)*p.weight(uint32(i)))
				vote(b, sign(a)*p.weight(uint32(i)))
			}
			switch o := &p.ops[i]; o.Op {
			case ir.OpMove:
				pass(o.A, o.B)
			case ir.OpMoveIf:
				pass(o.A, o.C)
			case ir.OpMoveRow:
				for i := range o.C {
					pass(o.A+i, o.B+i)
				}
			}
		}
	}
	p.kinds = make([]valueKind, len(votes))
	for i, n := range votes {
		p.kinds[i] = i32
		if n > 0 {
			p.kinds[i] = f32
		}
	}
}

// weight returns how much the vote of an instruction counts.
func (p *placement) weight(at uint32) int {
	n := 1
	for _, l := range p.loops {
		if l.head <= at && at <= l.back && n < 1<<12 {
			n <<= 4
		}
	}
	return n
}

// votes returns 1 for a float and -1 for anything else: of what an instruction reads and writes. 0
// is for those that don't care.
func (p *placement) votes(o *op) (read, write int) {
	float := func(is bool) int {
		if is {
			return 1
		}
		return -1
	}
	info := o.Op.Info()
	switch {
	case o.Op == ir.OpMove, o.Op == ir.OpMoveRow, o.Op == ir.OpZero, o.Op == ir.OpMoveIf:
		return 0, 0
	case info.Access == ir.Read:
		return 0, float(p.program.Notes[o.pc].Float)
	case info.Access == ir.Write:
		return 0, 0
	case info.Operands.A == ir.OperandWriteBool, info.Jumps():
		return float(info.Of == ir.FloatKind), 0
	case o.Op == ir.OpApply1, o.Op == ir.OpApply1Watched:
		f := ir.Functions1[o.N]
		return float(f.Float && f.Name != "i32:f32" && f.Name != "u32:f32"), float(f.Float)
	case o.Op == ir.OpApply2, o.Op == ir.OpApply2Watched:
		return float(ir.Functions2[o.N].Float), float(ir.Functions2[o.N].Float)
	case o.Op == ir.OpApply3, o.Op == ir.OpApply3Watched:
		return float(ir.Functions3[o.N].Float), float(ir.Functions3[o.N].Float)
	}
	return float(info.Of == ir.FloatKind), float(info.Of == ir.FloatKind)
}

// findAlive follows the values backwards until nothing changes.
func (p *placement) findAlive() {
	leaders := p.leaders()
	p.alive = make([]slots, len(p.ops)+1)
	for _, at := range leaders {
		p.alive[at] = p.none()
	}
	for again := true; again; {
		again = false
		for i := len(leaders) - 2; i >= 0; i-- {
			now := p.none()
			for _, next := range p.following(leaders[i+1] - 1) {
				now.join(p.alive[next])
			}
			for at := leaders[i+1]; at > leaders[i]; at-- {
				p.before(now, &p.ops[at-1])
			}
			again = p.alive[leaders[i]].join(now) || again
		}
	}
}

// before changes a set from after an instruction to before it.
func (p *placement) before(now slots, o *op) {
	if o.Op.Info().Operands.A != ir.OperandWriteIf {
		o.uses(func(uint32) {}, func(slot uint32) {
			if n, ok := p.local[slot]; ok {
				now.drop(n)
			}
		})
	}
	o.uses(func(slot uint32) {
		if n, ok := p.local[slot]; ok {
			now.add(n)
		}
	}, func(uint32) {})
}

// leaders returns the first instructions of all blocks, and the end of the code.
func (p *placement) leaders() (list []uint32) {
	leads := make([]bool, len(p.ops)+1)
	leads[0], leads[len(p.ops)] = true, true
	for i := range p.ops {
		o := &p.ops[i]
		target := o.jumps()
		if target {
			leads[o.C] = true
		}
		if target || o.Op == ir.OpEnd || o.waits() {
			leads[i+1] = true
		}
	}
	for i, is := range leads {
		if is {
			list = append(list, uint32(i))
		}
	}
	return list
}
