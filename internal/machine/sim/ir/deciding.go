package ir

import (
	"math/bits"
	"slices"
)

// A CodeLoop is a loop of a function, with the code that its rounds may run.
type CodeLoop struct {
	Head, Back uint32 // its first instruction, and the jump back to that
	code       []span // its own, and that of the functions it calls
}

// Holds reports whether a round of the loop may run an instruction.
func (l *CodeLoop) Holds(pc uint32) bool {
	return slices.ContainsFunc(l.code, func(s span) bool { return s.has(pc) })
}

// LoopOf returns the smallest loop whose rounds may run all of the instructions and whose head is
// one of them; nil if there is none.
func (p *Program) LoopOf(pcs []uint32) (least *CodeLoop) {
	size := uint32(0)
	for back, in := range p.Code {
		if in.Op != OpLoop || !slices.Contains(pcs, in.C) {
			continue
		}
		l := &CodeLoop{Head: in.C, Back: uint32(back)}
		l.add(p, span{in.C, uint32(back) + 1})
		n := uint32(0)
		for _, s := range l.code {
			n += s.To - s.From
		}
		if (least == nil || n < size) && !slices.ContainsFunc(pcs, func(pc uint32) bool { return !l.Holds(pc) }) {
			least, size = l, n
		}
	}
	return least
}

// add adds code, and that of the functions that it calls.
func (l *CodeLoop) add(p *Program, code span) {
	l.code = append(l.code, code)
	for pc := code.From; pc < code.To; pc++ {
		if in := &p.Code[pc]; in.Op == OpCall && !l.Holds(in.C) {
			l.add(p, p.FunctionAt(in.C).code)
		}
	}
}

// Deciding knows what decides whether invocations leave a loop, in this round and all later ones:
// the values from which conditions are computed, wherever they are. A condition whose two ways meet
// again doesn't count if nothing between changes what decides.
type Deciding struct {
	program    *Program
	loop       *CodeLoop
	origins    []places // by slot: the bindings to which its address may belong
	leaders    []uint32
	at         map[uint32]places // before each leader
	conditions map[uint32]bool   // those that decide, by their jumps
	ways       map[uint32]ways   // from the others
}

// Deciders are the values that decide at one instruction.
type Deciders struct {
	Slots []uint32
	WritableMemory
}

// WritableMemory names memory that a shader may write.
type WritableMemory struct {
	Bindings []int // by their index in Program.Bindings
	Shared   bool  // workgroup memory
}

// places is a set of slots, then of bindings, and last the workgroup memory.
type places []uint64

func (s places) add(i uint32)      { s[i/64] |= 1 << (i % 64) }
func (s places) drop(i uint32)     { s[i/64] &^= 1 << (i % 64) }
func (s places) has(i uint32) bool { return s[i/64]>>(i%64)&1 != 0 }

// join adds all of another set, and reports whether any of it is new.
func (s places) join(other places) (more bool) {
	for i, w := range other {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

// meets reports whether both sets have a place.
func (s places) meets(other places) bool {
	for i, w := range other {
		if w&s[i] != 0 {
			return true
		}
	}
	return false
}

// each calls do with all places.
func (s places) each(do func(i uint32)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			do(uint32(i*64 + bits.TrailingZeros64(w)))
		}
	}
}

// mostDeciding limits the memory for a Deciding, in words.
const mostDeciding = 1 << 22

// Deciding finds out what decides in a loop. It returns nil if the program is too large for that.
func (p *Program) Deciding(l *CodeLoop) *Deciding {
	d := &Deciding{program: p, loop: l, at: map[uint32]places{}, conditions: map[uint32]bool{}, ways: map[uint32]ways{}}
	for _, at := range p.leaders() {
		if l.Holds(at) {
			d.leaders = append(d.leaders, at)
		}
	}
	if len(d.leaders)*len(d.none()) > mostDeciding {
		return nil
	}
	d.findOrigins()
	for _, at := range d.leaders {
		d.at[at] = d.none()
	}
	d.findWays()
	for again := true; again; {
		again = d.findConditions()
		for _, at := range slices.Backward(d.leaders) {
			again = d.at[at].join(d.before(at, d.end(at))) || again
		}
	}
	return d
}

func (d *Deciding) none() places {
	return make(places, (len(d.program.Initial)+len(d.program.Bindings)+1+63)/64)
}

// end returns the instruction after the block of an instruction.
func (d *Deciding) end(pc uint32) uint32 {
	for pc++; pc < uint32(len(d.program.Code)) && d.loop.Holds(pc) && d.at[pc] == nil; pc++ {
	}
	return pc
}

// before returns what decides before an instruction, in a block that ends before another one.
func (d *Deciding) before(pc, end uint32) places {
	now := d.afterBlock(end)
	for at := end; at > pc; at-- {
		d.change(now, at-1)
	}
	return now
}

// afterBlock returns what decides after a block that ends before an instruction.
func (d *Deciding) afterBlock(end uint32) places {
	now := d.none()
	for _, next := range d.program.following(end - 1) {
		now.join(d.at[next])
	}
	return now
}

// At returns what decides before an instruction of the loop.
func (d *Deciding) At(pc uint32) (found Deciders) {
	slots, bindings := uint32(len(d.program.Initial)), uint32(len(d.program.Bindings))
	now := d.before(pc, d.end(pc))
	for _, f := range d.program.functions {
		now.add(f.Ret) // which call it is in
	}
	now.each(func(i uint32) {
		switch {
		case i < slots:
			found.Slots = append(found.Slots, i)
		case i == slots+bindings:
			found.Shared = true
		default:
			found.Bindings = append(found.Bindings, int(i-slots))
		}
	})
	return found
}

// change changes the set from after an instruction to before it.
func (d *Deciding) change(now places, pc uint32) {
	if !d.matters(now, pc) {
		return
	}
	info := d.program.Code[pc].Op.Info()
	reads, writes := d.uses(pc)
	if info.Operands.A != OperandWriteIf {
		for _, slot := range writes {
			now.drop(slot)
		}
	}
	for _, slot := range reads {
		now.add(slot)
	}
	if info.Access == Read || info.Access == Atomic {
		d.touched(pc, now.add)
	}
}

// matters reports whether an instruction changes a value that decides after it, or decides itself.
func (d *Deciding) matters(after places, pc uint32) bool {
	in := &d.program.Code[pc]
	info := in.Op.Info()
	_, writes := d.uses(pc)
	matters := in.Op == OpReturn || info.Jumps() && d.conditions[pc] || slices.ContainsFunc(writes, after.has)
	if info.Access == Write || info.Access == Atomic {
		d.touched(pc, func(place uint32) { matters = matters || after.has(place) })
	}
	return matters
}

// uses returns the slots that an instruction reads and writes.
func (d *Deciding) uses(pc uint32) (reads, writes []uint32) {
	in := &d.program.Code[pc]
	in.Uses(func(slot uint32) { reads = append(reads, slot) }, func(slot uint32) { writes = append(writes, slot) })
	if in.Op.Info().Access == Atomic && in.N&^AtomicInBuffer >= AtomicCompareExchange {
		reads, writes = append(reads, in.C+1), append(writes, in.A+1)
	}
	return reads, writes
}

// touched calls do with each place that a load, a store or an atomic function may touch. Memory
// that no shader writes is none.
func (d *Deciding) touched(pc uint32, do func(place uint32)) {
	in, slots := &d.program.Code[pc], uint32(len(d.program.Initial))
	switch in.Memory() {
	case InShared:
		do(slots + uint32(len(d.program.Bindings)))
	case InBuffers:
		d.bindingsOf(in).each(func(i uint32) {
			if d.program.Bindings[i-slots].Writable {
				do(i)
			}
		})
	case InSlots:
		row := span{0, slots}
		if d.indexed(pc, in.B) {
			row = d.variableAt(in.C)
		}
		for i := row.From; i < row.To; i++ {
			do(i)
		}
	}
}

// indexed reports whether a slot holds a place within a variable at an instruction, and not the
// address of one.
func (d *Deciding) indexed(pc, slot uint32) bool {
	for at := pc; d.at[at] == nil && at > 0; {
		at--
		in := &d.program.Code[at]
		writes := false
		in.Uses(func(uint32) {}, func(written uint32) { writes = writes || written == slot })
		if !writes {
			continue
		}
		switch in.Op {
		case OpIndex, OpIndexUpTo, OpIndexBig:
			return true
		case OpAddAddress:
			return d.indexed(at, in.B) && d.indexed(at, in.C)
		case OpAddOffset, OpMove:
			return d.indexed(at, in.B)
		}
		return false
	}
	return false
}

// variableAt returns the slots of the variable that a slot belongs to, or all slots.
func (d *Deciding) variableAt(slot uint32) span {
	for _, v := range d.program.Variables {
		if row := (span{v.Base, v.Base + d.program.FlatWords(v.Object.Store())}); v.Where == InSlots && v.Slots == nil && row.has(slot) {
			return row
		}
	}
	return span{0, uint32(len(d.program.Initial))}
}

// bindingsOf returns the bindings that an instruction may touch.
func (d *Deciding) bindingsOf(in *Instr) places {
	slots := uint32(len(d.program.Initial))
	found := d.none()
	if in.Op.Info().Operands.C == OperandArrayAt {
		found.add(slots + uint32(d.program.Arrays[in.C].Binding))
		return found
	}
	if found.join(d.origins[in.B]); slices.Max(found) == 0 { // it isn't known
		for i := range d.program.Bindings {
			found.add(slots + uint32(i))
		}
	}
	return found
}

// findOrigins follows the addresses of bindings through the program.
func (d *Deciding) findOrigins() {
	d.origins = make([]places, len(d.program.Initial))
	for i := range d.origins {
		d.origins[i] = d.none()
	}
	textures := d.none()
	for i, b := range d.program.Bindings {
		place := uint32(len(d.program.Initial) + i)
		if d.origins[b.Slot].add(place); b.Handle() {
			textures.add(place)
		}
	}
	for again := true; again; {
		again = false
		for i := range d.program.Code {
			in := &d.program.Code[i]
			switch in.Op {
			case OpAddAddress, OpMoveIf:
				again = d.origins[in.A].join(d.origins[in.C]) || again
				again = d.origins[in.A].join(d.origins[in.B]) || again
			case OpMove, OpAddOffset:
				again = d.origins[in.A].join(d.origins[in.B]) || again
			case OpMoveRow:
				for k := range in.C {
					again = d.origins[in.A+k].join(d.origins[in.B+k]) || again
				}
			case OpIndexElement:
				again = d.origins[in.A].join(d.bindingsOf(in)) || again
			case OpTexel:
				again = d.origins[in.A].join(textures) || again
			}
		}
	}
}
