package wasm

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// Whole workgroups run in functions of their own. Each has the code from one place to the next
// barriers: from the start, or from after a barrier or a function of subgroups. It runs that for
// all invocations, one after the other, so nothing has to find the place where one goes on. As long
// as all of them leave the same way, the next function follows at once.

// A segment is a part of the whole code in a region's line.
type segment struct{ from, to, at uint32 }

func (s segment) holds(at uint32) bool { return s.from <= at && at < s.to }

// region returns the code that runs from an instruction up to the next barriers. Only loops in
// which the run may stay jump back: the rest of a loop around the start comes first, then the loop
// as a whole, then what follows it.
func (e *expanded) region(start uint32) *expanded {
	var line []segment
	next := uint32(0)
	add := func(from, to uint32) {
		line = append(line, segment{from, to, next})
		next += to - from
	}
	at := start
	for _, l := range slices.Backward(e.loops) {
		if l.head < start && start <= l.back {
			add(at, l.back+1)
			add(l.head, l.back+1)
			at = l.back + 1
		}
	}
	add(at, uint32(len(e.ops)))
	r := &expanded{program: e.program, entries: []uint32{0}, whole: e}
	for n, s := range line {
		for at := s.from; at < s.to; at++ {
			o := e.ops[at]
			if o.jumps() {
				o.C = landing(line[n:], o.C, next)
			}
			r.ops = append(r.ops, o)
		}
	}
	r.keepReached()
	r.findLoops()
	return r
}

// landing returns the place in the line of a jump's target: in the jump's own segment, which is the
// first, or in the first later one that has it. The end of the code is at end.
func landing(line []segment, target, end uint32) uint32 {
	for _, s := range line {
		if s.holds(target) {
			return s.at + target - s.from
		}
	}
	return end
}

// keepReached drops the instructions that no run reaches.
func (e *expanded) keepReached() {
	reached := make([]bool, len(e.ops)+1)
	for ways := []uint32{0}; len(ways) > 0; {
		at := ways[len(ways)-1]
		if ways = ways[:len(ways)-1]; reached[at] {
			continue
		}
		reached[at] = true
		if at < uint32(len(e.ops)) && !e.ops[at].waits() {
			ways = append(ways, e.following(at)...)
		}
	}
	places := make([]uint32, len(e.ops)+1)
	kept := uint32(0)
	for at := range e.ops {
		if places[at] = kept; reached[at] {
			kept++
		}
	}
	places[len(e.ops)] = kept
	ops := e.ops[:0]
	for at, o := range e.ops {
		if reached[at] {
			if o.jumps() {
				o.C = places[o.C]
			}
			ops = append(ops, o)
		}
	}
	e.ops = ops
}

// jumps reports whether the instruction's C is the index of another one.
func (o *op) jumps() bool {
	return o.Op == ir.OpReturn || o.Op.Info().Operands.C == ir.OperandTarget
}

// waits reports whether an invocation stops at the instruction for others.
func (o *op) waits() bool { return o.Op == ir.OpBarrier || o.Op == ir.OpSubgroup }

// starts returns where regions begin.
func (e *expanded) starts() (list []uint32) {
	list = []uint32{0}
	for at := range e.ops {
		if e.ops[at].waits() {
			list = append(list, uint32(at+1))
		}
	}
	return list
}

// region returns where a region's code holds slots. Those in memory are the same everywhere.
func (p *placement) region(start uint32) *placement {
	r := &placement{expanded: p.expanded.region(start), watches: p.watches, inMemory: p.inMemory, local: map[uint32]uint32{}, all: p, origin: start}
	r.assign()
	return r
}

// eachAlive calls do with the locals of slots that are alive at an instruction of the whole code.
func (p *placement) eachAlive(alive slots, do func(n uint32)) {
	alive.each(func(whole uint32) {
		if n, ok := p.local[p.all.slotOf[whole]]; ok {
			do(n)
		}
	})
}

// differs reports whether a local's slot may differ from invocation to invocation.
func (p *placement) differs(n uint32) bool {
	whole, ok := p.all.local[p.slotOf[n]]
	return ok && p.all.written.has(whole)
}

// regionFunction emits the function that runs the region for all invocations. It returns the way
// out that all took, or allDiffer.
func (g *generator) regionFunction() {
	g.begin()
	g.i32Const(allDiffer)
	g.localSet(agreed)
	g.open(label{at: toReturn})
	g.open(label{toNext, true})
	g.localGet(steps)
	g.localSet(from)
	g.open(label{at: toDone})
	g.open(label{at: toSpill})
	if g.origin == 0 {
		g.start()
	} else {
		g.eachAlive(g.all.alive[g.origin], func(n uint32) {
			if g.differs(n) {
				g.loadSlot(n, g.slotOf[n])
			}
		})
	}
	g.scope(-1, 0, uint32(len(g.ops)))
	g.close()
	g.written.each(g.spill)
	g.close()
	g.agree()
	g.close()
	g.close()
	g.finish()
	g.localGet(core)
	g.localGet(invocated)
	g.store(i32, contextAt)
	g.localGet(core)
	g.localGet(agreed)
	g.store(i32, contextAgreed)
	g.localGet(core)
	g.localGet(leaving)
	g.store(i32, contextLeaving)
	g.localGet(agreed)
	g.i32Const(allDiffer)
	g.localGet(invocated)
	g.i32Const(g.invocations())
	g.emit(opI32Eq, opSelect)
}

// allDiffer stands for no way out.
const allDiffer = 1<<32 - 1

// agree goes on with the next invocation if this one left as all before.
func (g *generator) agree() {
	g.localGet(leaving)
	g.localGet(agreed)
	g.emit(opI32Ne)
	g.begins()
	g.localGet(invocated)
	g.brIf(g.depth(label{at: toReturn}))
	g.localGet(leaving)
	g.i32Const(1)
	g.emit(opI32And)
	g.brIf(g.depth(label{at: toReturn}))
	g.localGet(leaving)
	g.localSet(agreed)
	g.close()
	g.localGet(ownSlots)
	g.field(contextSlotBytes)
	g.emit(opI32Add)
	g.localSet(ownSlots)
	g.localGet(invocated)
	g.i32Const(1)
	g.emit(opI32Add)
	g.localTee(invocated)
	g.i32Const(g.invocations())
	g.emit(opI32LtU)
	g.brIf(g.depth(label{toNext, true}))
}
