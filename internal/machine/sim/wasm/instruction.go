package wasm

import (
	"math/bits"
	"runtime"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// The effort of instructions: package sim says what it is for, and counts the same.
const (
	EffortOfWord     = 9
	EffortOfFunction = 8
	EffortOfSample   = 100
	EffortlessWords  = 16
)

// operators are the instructions that take two operands to one, with their kinds.
var operators = map[ir.Opcode]struct {
	op     byte
	of, to valueKind
}{
	ir.OpAddI: {opI32Add, i32, i32}, ir.OpAddU: {opI32Add, i32, i32}, ir.OpSubI: {opI32Sub, i32, i32}, ir.OpSubU: {opI32Sub, i32, i32},
	ir.OpMulI: {opI32Mul, i32, i32}, ir.OpMulU: {opI32Mul, i32, i32}, ir.OpAnd: {opI32And, i32, i32}, ir.OpOr: {opI32Or, i32, i32},
	ir.OpXor: {opI32Xor, i32, i32}, ir.OpShl: {opI32Shl, i32, i32}, ir.OpShrI: {opI32ShrS, i32, i32}, ir.OpShrU: {opI32ShrU, i32, i32},
	ir.OpEq: {opI32Eq, i32, i32}, ir.OpNe: {opI32Ne, i32, i32}, ir.OpLtI: {opI32LtS, i32, i32}, ir.OpLeI: {opI32LeS, i32, i32},
	ir.OpLtU: {opI32LtU, i32, i32}, ir.OpLeU: {opI32LeU, i32, i32},
	ir.OpEqF: {opF32Eq, f32, i32}, ir.OpNeF: {opF32Ne, f32, i32}, ir.OpLtF: {opF32Lt, f32, i32}, ir.OpLeF: {opF32Le, f32, i32},
	ir.OpAddF: {opF32Add, f32, f32}, ir.OpSubF: {opF32Sub, f32, f32}, ir.OpMulF: {opF32Mul, f32, f32}, ir.OpDivF: {opF32Div, f32, f32},
}

// jumps are the conditions of jumps.
var jumps = map[ir.Opcode]struct {
	op  byte
	of  valueKind
	not bool
}{
	ir.OpJumpEq: {opI32Eq, i32, false}, ir.OpJumpNe: {opI32Ne, i32, false}, ir.OpJumpLtI: {opI32LtS, i32, false}, ir.OpJumpLeI: {opI32LeS, i32, false},
	ir.OpJumpLtU: {opI32LtU, i32, false}, ir.OpJumpLeU: {opI32LeU, i32, false}, ir.OpJumpEqF: {opF32Eq, f32, false}, ir.OpJumpNeF: {opF32Ne, f32, false},
	ir.OpJumpLtF: {opF32Lt, f32, false}, ir.OpJumpLeF: {opF32Le, f32, false}, ir.OpJumpNotLtF: {opF32Lt, f32, true}, ir.OpJumpNotLeF: {opF32Le, f32, true},
}

// instruction emits one instruction.
func (g *generator) instruction(at uint32) {
	o := &g.ops[at]
	g.arriveAt(at)
	defer g.bounds.pass(g.now, o)
	g.atStart, g.index = g.pending, at
	g.pending.steps++
	if h, ok := g.hoisted[at]; ok {
		g.takeHoisted(o, h)
		return
	}
	switch {
	case g.flow(o, at), g.moves(o), g.computes(o), g.applies(o), g.addresses(o, at), g.accesses(o):
		return
	}
	g.byHost(o)
}

// flow emits the instructions that don't simply go on.
func (g *generator) flow(o *op, at uint32) bool {
	switch o.Op {
	case ir.OpEnd:
		g.flush()
		g.leave(Exit{Ended, o.pc + 1, 0}, false)
	case ir.OpJump, ir.OpReturn:
		g.flush()
		g.jump(o.C, false)
	case ir.OpLoop:
		g.flush()
		g.localGet(steps)
		g.localGet(budget)
		g.emit(opI64LtU)
		g.brIf(g.depth(label{o.C, o.C <= at}))
		g.leave(Exit{Exhausted, g.ops[o.C].pc, g.whole.entry(g.ops[o.C].at)}, true)
	case ir.OpCall:
		g.flush()
		g.set(o.A, i32, func() { g.i32Const(o.pc + 1) })
		g.localGet(steps)
		g.localGet(budget)
		g.emit(opI64GeU)
		g.ifThen()
		g.labels = append(g.labels, label{at: toOwn})
		g.leave(Exit{Calling, g.ops[o.C].pc, g.whole.entry(g.ops[o.C].at)}, true)
		g.close()
	case ir.OpBarrier, ir.OpSubgroup:
		stop := Meeting
		if o.Op == ir.OpBarrier {
			g.pending.effort += EffortOfWord
			stop = Waiting
		}
		g.flush()
		now := g.all.none()
		now.join(g.all.alive[o.at+1])
		if o.Op == ir.OpSubgroup {
			g.all.before(now, o)
		}
		dirty := g.dirtyAt(at)
		g.eachAlive(now, func(n uint32) {
			if dirty.has(n) {
				g.spill(n)
			}
		})
		g.leave(Exit{stop, o.pc + 1, g.whole.entry(o.at + 1)}, false)
	case ir.OpJumpFalse, ir.OpJumpTrue:
		g.flush()
		g.get(o.B, i32)
		if o.Op == ir.OpJumpFalse {
			g.emit(opI32Eqz)
		}
		g.jump(o.C, true)
	default:
		j, ok := jumps[o.Op]
		if !ok {
			return false
		}
		g.flush()
		g.get(o.A, j.of)
		g.get(o.B, j.of)
		if g.emit(j.op); j.not {
			g.emit(opI32Eqz)
		}
		g.jump(o.C, true)
	}
	return true
}

// moves emits the instructions that only move values.
func (g *generator) moves(o *op) bool {
	switch o.Op {
	case ir.OpMove:
		k := g.kindOf(o.A)
		g.set(o.A, k, func() { g.get(o.B, k) })
	case ir.OpMoveIf:
		k := g.kindOf(o.A)
		g.set(o.A, k, func() {
			g.get(o.C, k)
			g.get(o.A, k)
			g.get(o.B, i32)
			g.emit(opSelect)
		})
	case ir.OpMoveRow:
		g.pending.effort += uint64(o.C / EffortlessWords)
		g.moveRow(o)
	case ir.OpZero:
		g.pending.effort += uint64(o.C / EffortlessWords)
		if g.rowInMemory(o.A, o.C) {
			g.rowAt(o.A)
			g.i32Const(0)
			g.i32Const(4 * o.C)
			g.memoryFill()
			return true
		}
		for slot := o.A; slot < o.A+o.C; slot++ {
			g.zero(slot)
		}
	default:
		return false
	}
	return true
}

// zero sets a slot to 0.
func (g *generator) zero(slot uint32) {
	k := g.kindOf(slot)
	g.set(slot, k, func() {
		if k == f32 {
			g.f32Const(0)
		} else {
			g.i32Const(0)
		}
	})
}

// rowInMemory reports whether a long row of slots is in memory, constants included.
func (g *generator) rowInMemory(first, n uint32) bool {
	if n <= mostInLocals {
		return false
	}
	for slot := first; slot < first+n; slot++ {
		if _, local := g.local[slot]; local {
			return false
		}
	}
	return true
}

// rowAt pushes the address of a slot in memory.
func (g *generator) rowAt(slot uint32) {
	g.localGet(ownSlots)
	g.i32Const(4 * slot)
	g.emit(opI32Add)
}

// moveRow moves all slots as if at once.
func (g *generator) moveRow(o *op) {
	if g.rowInMemory(o.A, o.C) && g.rowInMemory(o.B, o.C) {
		g.rowAt(o.A)
		g.rowAt(o.B)
		g.i32Const(4 * o.C)
		g.memoryCopy()
		return
	}
	if o.A <= o.B {
		for i := range o.C {
			k := g.kindOf(o.A + i)
			g.set(o.A+i, k, func() { g.get(o.B+i, k) })
		}
		return
	}
	for i := o.C; i > 0; i-- {
		k := g.kindOf(o.A + i - 1)
		g.set(o.A+i-1, k, func() { g.get(o.B+i-1, k) })
	}
}

// computes emits arithmetic and comparisons.
func (g *generator) computes(o *op) bool {
	if b, ok := operators[o.Op]; ok {
		g.watchedSet(o, b.to, func() {
			g.get(o.B, b.of)
			g.get(o.C, b.of)
			g.emit(b.op)
		})
		return true
	}
	ints := func(value func()) { g.watchedSet(o, i32, value) }
	switch o.Op {
	case ir.OpDivI, ir.OpRemI, ir.OpDivU, ir.OpRemU:
		ints(func() { g.divide(o) })
	case ir.OpNegI:
		ints(func() {
			g.i32Const(0)
			g.get(o.B, i32)
			g.emit(opI32Sub)
		})
	case ir.OpNot, ir.OpNotBool:
		by := uint32(1)
		if o.Op == ir.OpNot {
			by = 1<<32 - 1
		}
		ints(func() {
			g.get(o.B, i32)
			g.i32Const(by)
			g.emit(opI32Xor)
		})
	case ir.OpNegF, ir.OpAbsF:
		g.set(o.A, f32, func() {
			g.get(o.B, f32)
			if o.Op == ir.OpNegF {
				g.emit(opF32Neg)
			} else {
				g.emit(opF32Abs)
			}
		})
	case ir.OpMinI, ir.OpMaxI, ir.OpMinU, ir.OpMaxU:
		than := map[ir.Opcode]byte{ir.OpMinI: opI32LtS, ir.OpMinU: opI32LtU, ir.OpMaxI: opI32LtS, ir.OpMaxU: opI32LtU}[o.Op]
		x, y := o.B, o.C
		if o.Op == ir.OpMaxI || o.Op == ir.OpMaxU {
			x, y = y, x
		}
		ints(func() {
			g.get(o.B, i32)
			g.get(o.C, i32)
			g.get(x, i32)
			g.get(y, i32)
			g.emit(than, opSelect)
		})
	case ir.OpMinF, ir.OpMaxF:
		x, y := o.C, o.B // C if y < x
		if o.Op == ir.OpMaxF {
			x, y = y, x
		}
		g.set(o.A, f32, func() {
			g.get(o.C, f32)
			g.get(o.B, f32)
			g.get(x, f32)
			g.get(y, f32)
			g.emit(opF32Lt)
			g.get(o.B, f32)
			g.get(o.B, f32)
			g.emit(opF32Ne, opI32Or, opSelect)
		})
	case ir.OpRemF:
		ints(func() {
			g.i32Const(remainder)
			g.get(o.B, i32)
			g.get(o.C, i32)
			g.ask(callFunction2)
		})
	case ir.OpRoundH:
		ints(func() {
			g.get(o.B, i32)
			g.call(g.helper("toHalf"))
			g.call(g.helper("fromHalf"))
		})
	default:
		return false
	}
	return true
}

// divide pushes a quotient or remainder. WebAssembly traps where WGSL has a result, which dividing
// by 1 gives (§ 8.7).
func (g *generator) divide(o *op) {
	if by, ok := g.constant(o.C); ok && (o.Op == ir.OpDivU || o.Op == ir.OpRemU) && g.divideBy(o, by) {
		return
	}
	if remainsWrong && (o.Op == ir.OpRemI || o.Op == ir.OpRemU) {
		g.remainder(o)
		return
	}
	op := map[ir.Opcode]byte{ir.OpDivI: opI32DivS, ir.OpDivU: opI32DivU, ir.OpRemI: opI32RemS, ir.OpRemU: opI32RemU}[o.Op]
	g.get(o.B, i32)
	g.divisor(o)
	g.emit(op)
}

// divideBy pushes an unsigned quotient or remainder for a number that is known, without a division,
// which takes longer than anything else. It reports false if it can't.
func (g *generator) divideBy(o *op, by uint32) bool {
	quotient, ok := g.quotient(o.B, by)
	if !ok {
		return false
	}
	if o.Op == ir.OpDivU {
		quotient()
		return true
	}
	g.get(o.B, i32)
	if by&(by-1) == 0 {
		g.i32Const(by - 1)
		g.emit(opI32And)
		return true
	}
	quotient()
	g.i32Const(by)
	g.emit(opI32Mul, opI32Sub)
	return true
}

// quotient returns what pushes a slot's unsigned quotient by a number: the high bits of the product
// with its reciprocal. That is a bit too large: by at most 1 in 2^32, so no quotient of a word
// changes.
func (g *generator) quotient(slot, by uint32) (push func(), ok bool) {
	if by == 0 {
		return nil, false
	}
	if by&(by-1) == 0 {
		return func() {
			g.get(slot, i32)
			g.i32Const(uint32(bits.TrailingZeros32(by)))
			g.emit(opI32ShrU)
		}, true
	}
	for shift := uint(32); shift < 64; shift++ {
		reciprocal := (1<<shift-1)/uint64(by) + 1
		if reciprocal >= 1<<32 {
			break
		}
		if reciprocal*uint64(by)-1<<shift <= 1<<(shift-32) {
			return func() {
				g.get(slot, i32)
				g.emit(opI64ExtendU)
				g.i64Const(reciprocal)
				g.emit(opI64Mul)
				g.i64Const(uint64(shift))
				g.emit(opI64ShrU, opI32WrapI64)
			}, true
		}
	}
	return nil, false
}

// remainsWrong is true where wazero 1.12 gets the instruction for remainders wrong when it has few
// registers left (its pull request 2508).
const remainsWrong = runtime.GOARCH == "arm64"

// remainder pushes a remainder by way of the quotient: see remainsWrong.
func (g *generator) remainder(o *op) {
	divide := byte(opI32DivU)
	if o.Op == ir.OpRemI {
		divide = opI32DivS
	}
	g.get(o.B, i32)
	g.get(o.B, i32)
	g.divisor(o)
	g.localTee(scratch)
	g.emit(divide)
	g.localGet(scratch)
	g.emit(opI32Mul, opI32Sub)
}

// divisor pushes the number to divide by.
func (g *generator) divisor(o *op) {
	if by, ok := g.constant(o.C); ok && by != 0 && by != 1<<32-1 {
		g.i32Const(by)
		return
	}
	switch o.Op {
	case ir.OpDivU, ir.OpRemU:
		g.get(o.C, i32)
		g.get(o.C, i32)
		g.emit(opI32Eqz, opI32Or)
	case ir.OpRemI: // 0 and -1 give 0
		g.i32Const(1)
		g.get(o.C, i32)
		g.get(o.C, i32)
		g.i32Const(1)
		g.emit(opI32Add)
		g.i32Const(2)
		g.emit(opI32LtU, opSelect)
	case ir.OpDivI:
		g.i32Const(1)
		g.get(o.C, i32)
		g.get(o.C, i32)
		g.emit(opI32Eqz)
		g.get(o.B, i32)
		g.i32Const(1 << 31)
		g.emit(opI32Eq)
		g.get(o.C, i32)
		g.i32Const(1<<32 - 1)
		g.emit(opI32Eq, opI32And, opI32Or, opSelect)
	}
}

// addresses emits the instructions that compute addresses. One out of bounds has its highest bit
// set.
func (g *generator) addresses(o *op, at uint32) bool {
	index := func(limit, scaled func()) {
		if g.bounds.fits[at] {
			g.set(o.A, i32, scaled)
			return
		}
		if g.watches {
			g.get(o.B, i32)
			limit()
			g.emit(opI32LtU)
			g.ifThen()
			g.set(o.A, i32, scaled)
			g.emit(opElse)
			g.noteBad(o)
			g.set(o.A, i32, func() { g.i32Const(ir.NoAddress | o.pc) })
			g.emit(opEnd)
			return
		}
		g.set(o.A, i32, func() {
			scaled()
			g.i32Const(ir.NoAddress | o.pc)
			g.get(o.B, i32)
			limit()
			g.emit(opI32LtU, opSelect)
		})
	}
	times := func(n uint32) func() {
		return func() {
			g.get(o.B, i32)
			g.scale(n)
		}
	}
	switch o.Op {
	case ir.OpIndex:
		index(func() { g.i32Const(o.C) }, times(uint32(o.N)))
	case ir.OpIndexUpTo:
		index(func() { g.get(o.C, i32) }, times(uint32(o.N)))
	case ir.OpIndexBig:
		big := g.program.BigIndexes[o.C]
		index(func() { g.i32Const(big.Limit) }, times(big.Stride))
	case ir.OpIndexElement:
		index(func() { g.localGet(g.arrays[o.C] + 1) }, func() {
			times(g.program.Arrays[o.C].Stride)()
			g.localGet(g.arrays[o.C])
			g.emit(opI32Add)
		})
	case ir.OpAddAddress:
		g.set(o.A, i32, func() { g.addAddress(o) })
	case ir.OpAddOffset:
		g.set(o.A, i32, func() {
			g.get(o.B, i32)
			g.i32Const(o.C)
			g.emit(opI32Add)
			g.unlessOutside(o.B)
		})
	case ir.OpLength:
		g.set(o.A, i32, func() { g.localGet(g.arrays[o.C] + 1) })
	default:
		return false
	}
	return true
}

func (g *generator) scale(n uint32) {
	switch {
	case n == 1:
	case n&(n-1) == 0:
		shift := uint32(0)
		for 1<<shift < n {
			shift++
		}
		g.i32Const(shift)
		g.emit(opI32Shl)
	default:
		g.i32Const(n)
		g.emit(opI32Mul)
	}
}

// valid reports whether a slot holds an address within bounds in every run: a binding's, or a
// constant.
func (g *generator) valid(slot uint32) bool {
	if bits, ok := g.constant(slot); ok {
		return bits < ir.NoAddress
	}
	return g.now[slot] <= positive || g.bufferIn(slot) != nil
}

// bufferIn returns the buffer whose address a slot holds in every run, or nil.
func (g *generator) bufferIn(slot uint32) *ir.Binding {
	for i := range g.program.Bindings {
		if b := &g.program.Bindings[i]; b.Slot == slot && !b.Handle() {
			return b
		}
	}
	return nil
}

// unlessOutside leaves the address on the stack, unless the one in a slot is out of bounds.
func (g *generator) unlessOutside(slot uint32) {
	if g.valid(slot) {
		return
	}
	g.localSet(scratch)
	g.get(slot, i32)
	g.localGet(scratch)
	g.get(slot, i32)
	g.i32Const(0)
	g.emit(opI32LtS, opSelect)
}

func (g *generator) addAddress(o *op) {
	g.get(o.B, i32)
	g.get(o.C, i32)
	g.emit(opI32Add)
	g.unlessOutside(o.C)
	g.unlessOutside(o.B)
}

// byHost lets the host execute an instruction: it stores what that reads, and loads what it writes.
func (g *generator) byHost(o *op) {
	if o.Op == ir.OpSample {
		g.pending.effort += EffortOfSample
	}
	g.operands(o, func(n uint32) {
		if g.written.has(n) {
			g.spill(n)
		}
	}, func(uint32) {})
	g.localGet(core)
	g.localGet(invocated)
	g.i32Const(o.pc)
	g.ask(callHost)
	g.operands(o, func(uint32) {}, func(n uint32) {
		g.localGet(ownSlots)
		g.load(g.kinds[n], 4*g.slotOf[n])
		g.localSet(g.first + n)
	})
}

// operands calls reads and writes with the locals that an instruction reads and writes.
func (g *generator) operands(o *op, reads, writes func(n uint32)) {
	in := func(do func(uint32)) func(uint32) {
		return func(slot uint32) {
			if n, ok := g.local[slot]; ok {
				do(n)
			}
		}
	}
	o.uses(in(reads), in(writes))
}
