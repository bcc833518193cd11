package wasm

import "github.com/wgslab/wgslab/internal/machine/sim/ir"

// accesses emits loads, stores and atomic functions.
func (g *generator) accesses(o *op) bool {
	switch o.Op {
	case ir.OpLoadElement, ir.OpStoreElement:
		g.element(o)
	case ir.OpLoadBuffer, ir.OpStoreBuffer:
		if o.Op == ir.OpLoadBuffer && g.fromUniforms(o) {
			return true
		}
		if b := g.bufferIn(o.B); b != nil && uint64(o.C)+4*uint64(o.N) <= b.MinBytes {
			g.at(o, func() { g.get(o.B, i32) }, o.C)
			return true
		}
		g.get(o.B, i32)
		g.i32Const(o.C)
		g.emit(opI32Add)
		g.localTee(scratch)
		g.localGet(bufferBytes)
		g.within(o, func() { g.localGet(scratch) })
	case ir.OpLoadWorkgroup, ir.OpStoreWorkgroup:
		g.word(o, g.program.SharedWords, sharedAt)
	case ir.OpLoadSlots, ir.OpStoreSlots:
		g.word(o, uint32(len(g.program.Initial)), ownSlots)
	case ir.OpAtomic:
		return g.atomic(o)
	default:
		return false
	}
	return true
}

// at emits the access to an address that is within bounds.
func (g *generator) at(o *op, address func(), offset uint32) {
	if g.watches {
		address()
		g.i32Const(offset)
		g.emit(opI32Add)
		g.localSet(scratch2)
		g.watchAccess(o)
		address, offset = func() { g.localGet(scratch2) }, 0
	}
	g.touch(o, address, offset)
}

// element emits the access to an element of a runtime-sized array of words.
func (g *generator) element(o *op) {
	g.get(o.B, i32)
	g.localGet(g.arrays[o.C] + 1)
	g.within(o, func() {
		g.localGet(g.arrays[o.C])
		g.get(o.B, i32)
		g.scale(4)
		g.emit(opI32Add)
	})
}

// word emits the access to a memory of words that begins where a local says.
func (g *generator) word(o *op, words, base uint32) {
	if at, ok := g.constant(o.B); ok && at+o.C < words {
		g.at(o, func() { g.localGet(base) }, 4*(at+o.C))
		return
	}
	if g.now[o.B]+uint64(o.C) <= uint64(words) {
		g.at(o, func() {
			g.localGet(base)
			g.get(o.B, i32)
			g.scale(4)
			g.emit(opI32Add)
		}, 4*o.C)
		return
	}
	g.get(o.B, i32)
	g.i32Const(o.C)
	g.emit(opI32Add)
	g.localTee(scratch)
	g.i32Const(words)
	g.within(o, func() {
		g.localGet(base)
		g.localGet(scratch)
		g.scale(4)
		g.emit(opI32Add)
	})
}

// within emits the access if the number on the stack is less than the one above it. Otherwise a
// load gives 0 (§ 14.6.2).
func (g *generator) within(o *op, address func()) {
	g.emit(opI32LtU)
	g.begins()
	defer g.close()
	address()
	g.localSet(scratch2)
	g.watchAccess(o)
	g.touch(o, func() { g.localGet(scratch2) }, 0)
	if g.watches {
		g.emit(opElse)
		g.outside(o)
	} else if o.Op.Info().Access == ir.Read {
		g.emit(opElse)
	}
	if o.Op.Info().Access == ir.Read {
		for i := range o.Reads() {
			g.zero(o.A + i)
		}
	}
}

// touch loads or stores all words.
func (g *generator) touch(o *op, address func(), offset uint32) {
	for i := range o.Reads() {
		slot := o.A + i
		k := g.kindOf(slot)
		if o.Op.Info().Access == ir.Read {
			g.set(slot, k, func() {
				address()
				g.load(k, offset+4*i)
			})
			continue
		}
		address()
		g.get(slot, k)
		g.store(k, offset+4*i)
	}
}

// atomics are the atomic functions that combine the old value with another one.
var atomics = map[uint16]byte{
	ir.AtomicAdd: opI32Add, ir.AtomicSub: opI32Sub, ir.AtomicAnd: opI32And, ir.AtomicOr: opI32Or, ir.AtomicXor: opI32Xor,
}

// chosen are those that keep one of the two: the old one, if the comparison says so.
var chosen = map[uint16]byte{
	ir.AtomicMaxI: opI32GtS, ir.AtomicMaxU: opI32GtU, ir.AtomicMinI: opI32LtS, ir.AtomicMinU: opI32LtU,
}

// atomic emits an atomic function. One core runs programs that have them in buffers, so nothing
// comes between.
func (g *generator) atomic(o *op) bool {
	kind := o.N &^ ir.AtomicInBuffer
	if kind >= ir.AtomicStoreMax64 {
		g.pending.effort += EffortOfWord
		return false
	}
	defer func() { g.pending.effort += EffortOfWord }()
	g.get(o.B, i32)
	if o.N&ir.AtomicInBuffer != 0 {
		g.localGet(bufferBytes)
	} else {
		g.i32Const(g.program.SharedWords)
	}
	g.emit(opI32LtU)
	g.begins()
	defer g.close()
	g.get(o.B, i32)
	if o.N&ir.AtomicInBuffer == 0 {
		g.scale(4)
		g.localGet(sharedAt)
		g.emit(opI32Add)
	}
	g.localSet(scratch2)
	g.watchAtomic(o, kind)
	g.combine(o, kind)
	switch {
	case g.watches:
		g.emit(opElse)
		g.interpret(o)
	case kind != ir.AtomicStore:
		g.emit(opElse)
		g.zero(o.A)
		if kind == ir.AtomicCompareExchange {
			g.zero(o.A + 1)
		}
	}
	return true
}

// combine carries an atomic function out at the address in scratch2.
func (g *generator) combine(o *op, kind uint16) {
	old := func() { g.localGet(scratch) }
	g.localGet(scratch2)
	g.load(i32, 0)
	g.localSet(scratch)
	if kind == ir.AtomicCompareExchange {
		g.exchange(o)
		return
	}
	if kind != ir.AtomicLoad {
		g.localGet(scratch2)
		switch op, combines := atomics[kind]; {
		case combines:
			old()
			g.get(o.C, i32)
			g.emit(op)
		case chosen[kind] != 0:
			old()
			g.get(o.C, i32)
			old()
			g.get(o.C, i32)
			g.emit(chosen[kind], opSelect)
		default: // a store or an exchange
			g.get(o.C, i32)
		}
		g.store(i32, 0)
	}
	if kind != ir.AtomicStore {
		g.set(o.A, i32, old)
	}
}

// exchange writes the second value if the memory holds the first.
func (g *generator) exchange(o *op) {
	same := func() {
		g.localGet(scratch)
		g.get(o.C, i32)
		g.emit(opI32Eq)
	}
	g.localGet(scratch2)
	g.get(o.C+1, i32)
	g.localGet(scratch)
	same()
	g.emit(opSelect)
	g.store(i32, 0)
	g.set(o.A+1, i32, same)
	g.set(o.A, i32, func() { g.localGet(scratch) })
}

// watchAtomic records an atomic function at the address in scratch2.
func (g *generator) watchAtomic(o *op, kind uint16) {
	switch {
	case !g.watches:
	case o.N&ir.AtomicInBuffer == 0:
		g.localGet(core)
		g.load(i32, contextWritten)
		g.localGet(scratch2)
		g.localGet(sharedAt)
		g.emit(opI32Sub, opI32Add)
		g.localGet(core)
		g.load(i32, contextWatched)
		g.store(i32, 0)
	case kind != ir.AtomicLoad:
		g.localGet(core)
		g.localGet(scratch2)
		g.get(o.C, i32)
		g.call(callHash)
	}
}
