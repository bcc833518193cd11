package sim

import (
	"math"
)

// An invocation is where one invocation of a workgroup stands: all of its state.
type invocation struct {
	slots []uint32
	pc    uint32 // the next instruction, or the one that it stopped at
	local uint32 // its index in the workgroup
	state stop
}

// stop says why an invocation does not run on.
type stop uint8

const (
	running   stop = iota
	ended          // its entry point has returned; pc is where
	waiting        // at the barrier behind which pc is
	atStmt         // before the statement whose opStmt pc is behind
	exhausted      // the steps that it was given are used up
)

// A machine runs workgroups one after the other. Several may run at once on the same buffers.
type machine struct {
	*Program
	code     []instr
	shared   []uint32 // workgroup memory
	buffers  []uint32 // all buffers, one after the other
	runs     []runtimeArray
	regions  []region
	invs     []invocation
	badAt    []uint32 // for each instruction: the last index out of bounds that it saw
	watch    *watcher // nil where nobody does
	parallel bool     // other machines use the same buffers at this moment

	reads outsideReads

	steps       uint64 // taken so far
	budget      uint64 // to be taken until somebody has to look at the clock
	group       [3]uint32
	groupNumber uint32
	count       [3]uint32 // workgroups in x, y and z

	trace *tracer // nil where nobody asked for one
}

// A runtimeArray is an array whose length the bound buffer decides.
type runtimeArray struct {
	base   uint32 // in bytes, in the machine's buffers
	length uint32
	stride uint32
}

// exec runs an invocation until it waits, stops or ends.
func (m *machine) exec(inv *invocation) stop {
	code, regs, pc := m.code, inv.slots, inv.pc
	steps := m.steps
	for {
		in := &code[pc]
		pc++
		steps++
		switch in.op {
		case opEnd:
			inv.pc, m.steps = pc, steps
			return ended
		case opMov:
			regs[in.a] = regs[in.b]
		case opMovN:
			copy(regs[in.a:in.a+in.c], regs[in.b:in.b+in.c])
		case opZero:
			clear(regs[in.a : in.a+in.c])
		case opMovIf:
			if regs[in.b] != 0 {
				regs[in.a] = regs[in.c]
			}
		case opJmp:
			pc = in.c
		case opLoop:
			pc = in.c
			if steps >= m.budget {
				inv.pc, m.steps = pc, steps
				return exhausted
			}
		case opCall:
			regs[in.a] = pc
			pc = in.c
		case opRet:
			pc = regs[in.a]
		case opStmt:
			inv.pc, m.steps = pc, steps
			return atStmt

		case opJz:
			if regs[in.b] == 0 {
				pc = in.c
			}
		case opJnz:
			if regs[in.b] != 0 {
				pc = in.c
			}
		case opJeq:
			if regs[in.a] == regs[in.b] {
				pc = in.c
			}
		case opJne:
			if regs[in.a] != regs[in.b] {
				pc = in.c
			}
		case opJltI:
			if int32(regs[in.a]) < int32(regs[in.b]) {
				pc = in.c
			}
		case opJleI:
			if int32(regs[in.a]) <= int32(regs[in.b]) {
				pc = in.c
			}
		case opJltU:
			if regs[in.a] < regs[in.b] {
				pc = in.c
			}
		case opJleU:
			if regs[in.a] <= regs[in.b] {
				pc = in.c
			}
		case opJeqF:
			if f32(regs[in.a]) == f32(regs[in.b]) {
				pc = in.c
			}
		case opJneF:
			if f32(regs[in.a]) != f32(regs[in.b]) {
				pc = in.c
			}
		case opJltF:
			if f32(regs[in.a]) < f32(regs[in.b]) {
				pc = in.c
			}
		case opJleF:
			if f32(regs[in.a]) <= f32(regs[in.b]) {
				pc = in.c
			}
		case opJnltF:
			if !(f32(regs[in.a]) < f32(regs[in.b])) {
				pc = in.c
			}
		case opJnleF:
			if !(f32(regs[in.a]) <= f32(regs[in.b])) {
				pc = in.c
			}

		case opAddI, opAddU:
			regs[in.a] = regs[in.b] + regs[in.c]
		case opSubI, opSubU:
			regs[in.a] = regs[in.b] - regs[in.c]
		case opMulI, opMulU:
			regs[in.a] = regs[in.b] * regs[in.c]
		case opDivI:
			regs[in.a] = divI(regs[in.b], regs[in.c])
		case opDivU:
			regs[in.a] = divU(regs[in.b], regs[in.c])
		case opRemI:
			regs[in.a] = remI(regs[in.b], regs[in.c])
		case opRemU:
			regs[in.a] = remU(regs[in.b], regs[in.c])
		case opNegI:
			regs[in.a] = -regs[in.b]
		case opAnd:
			regs[in.a] = regs[in.b] & regs[in.c]
		case opOr:
			regs[in.a] = regs[in.b] | regs[in.c]
		case opXor:
			regs[in.a] = regs[in.b] ^ regs[in.c]
		case opNot:
			regs[in.a] = ^regs[in.b]
		case opShl:
			regs[in.a] = regs[in.b] << (regs[in.c] & 31)
		case opShrI:
			regs[in.a] = uint32(int32(regs[in.b]) >> (regs[in.c] & 31))
		case opShrU:
			regs[in.a] = regs[in.b] >> (regs[in.c] & 31)
		case opEq:
			regs[in.a] = truth(regs[in.b] == regs[in.c])
		case opNe:
			regs[in.a] = truth(regs[in.b] != regs[in.c])
		case opLtI:
			regs[in.a] = truth(int32(regs[in.b]) < int32(regs[in.c]))
		case opLeI:
			regs[in.a] = truth(int32(regs[in.b]) <= int32(regs[in.c]))
		case opLtU:
			regs[in.a] = truth(regs[in.b] < regs[in.c])
		case opLeU:
			regs[in.a] = truth(regs[in.b] <= regs[in.c])
		case opEqF:
			regs[in.a] = truth(f32(regs[in.b]) == f32(regs[in.c]))
		case opNeF:
			regs[in.a] = truth(f32(regs[in.b]) != f32(regs[in.c]))
		case opLtF:
			regs[in.a] = truth(f32(regs[in.b]) < f32(regs[in.c]))
		case opLeF:
			regs[in.a] = truth(f32(regs[in.b]) <= f32(regs[in.c]))
		case opLNot:
			regs[in.a] = regs[in.b] ^ 1
		case opAddF:
			regs[in.a] = bitsOf(f32(regs[in.b]) + f32(regs[in.c]))
		case opSubF:
			regs[in.a] = bitsOf(f32(regs[in.b]) - f32(regs[in.c]))
		case opMulF:
			regs[in.a] = bitsOf(f32(regs[in.b]) * f32(regs[in.c]))
		case opDivF:
			regs[in.a] = bitsOf(f32(regs[in.b]) / f32(regs[in.c]))
		case opRemF:
			regs[in.a] = rounded(math.Mod(f64(regs[in.b]), f64(regs[in.c])))
		case opNegF:
			regs[in.a] = regs[in.b] ^ 1<<31
		case opMinI:
			regs[in.a] = uint32(min(int32(regs[in.b]), int32(regs[in.c])))
		case opMinU:
			regs[in.a] = min(regs[in.b], regs[in.c])
		case opMinF:
			if x, y := regs[in.b], regs[in.c]; f32(y) < f32(x) || notANumber(x) {
				regs[in.a] = y
			} else {
				regs[in.a] = x
			}
		case opMaxI:
			regs[in.a] = uint32(max(int32(regs[in.b]), int32(regs[in.c])))
		case opMaxU:
			regs[in.a] = max(regs[in.b], regs[in.c])
		case opMaxF:
			if x, y := regs[in.b], regs[in.c]; f32(x) < f32(y) || notANumber(x) {
				regs[in.a] = y
			} else {
				regs[in.a] = x
			}
		case opAbsF:
			regs[in.a] = regs[in.b] &^ (1 << 31)
		case opRoundH:
			regs[in.a] = roundF16(regs[in.b])
		case opFn1:
			regs[in.a] = functions1[in.n].call(regs[in.b])
		case opFn2:
			regs[in.a] = functions2[in.n].call(regs[in.b], regs[in.c])
		case opFn3:
			regs[in.a] = functions3[in.n].call(regs[in.b], regs[in.b+1], regs[in.b+2])

		case opIndex:
			if i := regs[in.b]; i < in.c {
				regs[in.a] = i * uint32(in.n)
			} else {
				regs[in.a] = m.bad(pc-1, i)
			}
		case opIndexDyn:
			if i := regs[in.b]; i < regs[in.c] {
				regs[in.a] = i * uint32(in.n)
			} else {
				regs[in.a] = m.bad(pc-1, i)
			}
		case opIndexBig:
			if i, big := regs[in.b], m.bigIndexes[in.c]; i < big.limit {
				regs[in.a] = i * big.stride
			} else {
				regs[in.a] = m.bad(pc-1, i)
			}
		case opIndexRun:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				regs[in.a] = run.base + i*run.stride
			} else {
				regs[in.a] = m.bad(pc-1, i)
			}
		case opAddr:
			x, y := regs[in.b], regs[in.c]
			switch {
			case x >= noAddress:
				regs[in.a] = x
			case y >= noAddress:
				regs[in.a] = y
			default:
				regs[in.a] = x + y
			}
		case opAddrK:
			if x := regs[in.b]; x >= noAddress {
				regs[in.a] = x
			} else {
				regs[in.a] = x + in.c
			}
		case opLen:
			regs[in.a] = m.runs[in.c].length
		case opLenAt:
			regs[in.a] = m.lengthAt(regs[in.b], in.c)

		case opLdS:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(regs)) {
				for i := range n {
					regs[in.a+i] = regs[at+i]
				}
			} else {
				m.outsideRead(inv, pc-1, regs[in.b])
				m.nothing(regs[in.a:in.a+n], pc-1)
			}
		case opStS:
			if at := regs[in.b] + in.c; at < uint32(len(regs)) {
				for i := range uint32(in.n) {
					regs[at+i] = regs[in.a+i]
				}
			} else {
				m.outsideWrite(inv, pc-1, regs[in.b])
			}
		case opLdW:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				for i := range n {
					regs[in.a+i] = m.shared[at+i]
				}
			} else {
				m.nothing(regs[in.a:in.a+n], pc-1)
			}
		case opStW:
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				for i := range uint32(in.n) {
					m.shared[at+i] = regs[in.a+i]
				}
			}
		case opLdM:
			n := uint32(in.n)
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				for i := range n {
					regs[in.a+i] = m.load(at + i)
				}
			} else {
				m.nothing(regs[in.a:in.a+n], pc-1)
			}
		case opStM:
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				for i := range uint32(in.n) {
					m.store(at+i, regs[in.a+i])
				}
			}
		case opLdH:
			m.nothing(regs[in.a:in.a+1], pc-1)
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				regs[in.a] = m.loadHalf(at)
			}
		case opStH:
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				m.storeHalf(at, regs[in.a])
			}
		case opLdRun:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				regs[in.a] = m.load(run.base>>2 + i)
			} else {
				m.bad(pc-1, i)
				m.nothing(regs[in.a:in.a+1], pc-1)
			}
		case opStRun:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				m.store(run.base>>2+i, regs[in.a])
			}

		case opAtomic:
			m.atomic(inv, pc-1, in)
		case opBarrier:
			inv.pc, m.steps = pc, steps
			return waiting

		case opAddIw:
			x, y := regs[in.b], regs[in.c]
			sum := x + y
			if int32((x^sum)&(y^sum)) < 0 {
				m.wrapped(inv, pc-1, "+", x, y, sum)
			}
			regs[in.a] = sum
		case opAddUw:
			x, y := regs[in.b], regs[in.c]
			sum := x + y
			if sum < x {
				m.wrapped(inv, pc-1, "+", x, y, sum)
			}
			regs[in.a] = sum
		case opSubIw:
			x, y := regs[in.b], regs[in.c]
			d := x - y
			if int32((x^y)&(x^d)) < 0 {
				m.wrapped(inv, pc-1, "-", x, y, d)
			}
			regs[in.a] = d
		case opSubUw:
			x, y := regs[in.b], regs[in.c]
			if x < y {
				m.wrapped(inv, pc-1, "-", x, y, x-y)
			}
			regs[in.a] = x - y
		case opMulIw:
			x, y := regs[in.b], regs[in.c]
			if p := int64(int32(x)) * int64(int32(y)); p != int64(int32(p)) {
				m.wrapped(inv, pc-1, "*", x, y, x*y)
			}
			regs[in.a] = x * y
		case opMulUw:
			x, y := regs[in.b], regs[in.c]
			if p := uint64(x) * uint64(y); p>>32 != 0 {
				m.wrapped(inv, pc-1, "*", x, y, x*y)
			}
			regs[in.a] = x * y
		case opNegIw:
			x := regs[in.b]
			if x == 1<<31 {
				m.wrapped(inv, pc-1, "-", 0, x, x)
			}
			regs[in.a] = -x
		case opDivIw:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.dividedByZero(inv, pc-1, "/", x, x)
			} else if x == 1<<31 && y == math.MaxUint32 {
				m.wrapped(inv, pc-1, "/", x, y, x)
			}
			regs[in.a] = divI(x, y)
		case opDivUw:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.dividedByZero(inv, pc-1, "/", x, x)
			}
			regs[in.a] = divU(x, y)
		case opRemIw:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.dividedByZero(inv, pc-1, "%", x, 0)
			}
			regs[in.a] = remI(x, y)
		case opRemUw:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.dividedByZero(inv, pc-1, "%", x, 0)
			}
			regs[in.a] = remU(x, y)
		case opAddFw:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) + f32(y))
			if !finite(r) {
				m.notFinite(inv, pc-1, "+", r, x, y)
			}
			regs[in.a] = r
		case opSubFw:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) - f32(y))
			if !finite(r) {
				m.notFinite(inv, pc-1, "-", r, x, y)
			}
			regs[in.a] = r
		case opMulFw:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) * f32(y))
			if !finite(r) {
				m.notFinite(inv, pc-1, "*", r, x, y)
			}
			regs[in.a] = r
		case opDivFw:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) / f32(y))
			if !finite(r) {
				m.notFinite(inv, pc-1, "/", r, x, y)
			}
			regs[in.a] = r
		case opRemFw:
			x, y := regs[in.b], regs[in.c]
			r := rounded(math.Mod(f64(x), f64(y)))
			if !finite(r) {
				m.notFinite(inv, pc-1, "%", r, x, y)
			}
			regs[in.a] = r
		case opRoundHw:
			x := regs[in.b]
			r := roundF16(x)
			if !finite(r) {
				m.notFinite(inv, pc-1, "f16", r, x)
			}
			regs[in.a] = r
		case opFn1w:
			f, x := &functions1[in.n], regs[in.b]
			r := f.call(x)
			if f.float && !finite(r) {
				m.notFinite(inv, pc-1, f.name, r, x)
			}
			regs[in.a] = r
		case opFn2w:
			f, x, y := &functions2[in.n], regs[in.b], regs[in.c]
			r := f.call(x, y)
			if f.float && !finite(r) {
				m.notFinite(inv, pc-1, f.name, r, x, y)
			}
			regs[in.a] = r
		case opFn3w:
			f, x, y, z := &functions3[in.n], regs[in.b], regs[in.b+1], regs[in.b+2]
			r := f.call(x, y, z)
			if f.float && !finite(r) {
				m.notFinite(inv, pc-1, f.name, r, x, y, z)
			}
			regs[in.a] = r
		case opLdWw:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				m.watch.readShared(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.a+i] = m.shared[at+i]
				}
			} else {
				m.outsideRead(inv, pc-1, regs[in.b])
				m.nothing(regs[in.a:in.a+n], pc-1)
			}
		case opStWw:
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				m.watch.writeShared(m, inv, pc-1, at, regs[in.a:in.a+uint32(in.n)])
				for i := range uint32(in.n) {
					m.shared[at+i] = regs[in.a+i]
				}
			} else {
				m.outsideWrite(inv, pc-1, regs[in.b])
			}
		case opLdMw:
			n := uint32(in.n)
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				m.watch.readBuffer(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.a+i] = m.buffers[at+i]
				}
			} else {
				m.outsideRead(inv, pc-1, regs[in.b])
				m.nothing(regs[in.a:in.a+n], pc-1)
			}
		case opStMw:
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				m.watch.writeBuffer(m, inv, pc-1, at, regs[in.a:in.a+uint32(in.n)])
				for i := range uint32(in.n) {
					m.buffers[at+i] = regs[in.a+i]
				}
			} else {
				m.outsideWrite(inv, pc-1, regs[in.b])
			}
		case opLdHw:
			m.nothing(regs[in.a:in.a+1], pc-1)
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				m.watch.readHalf(m, inv, pc-1, at)
				regs[in.a] = m.loadHalf(at)
			} else {
				m.outsideRead(inv, pc-1, regs[in.b])
			}
		case opStHw:
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				m.watch.writeHalf(m, inv, pc-1, at, regs[in.a])
				m.storeHalf(at, regs[in.a])
			} else {
				m.outsideWrite(inv, pc-1, regs[in.b])
			}
		case opLdRunw:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				at := run.base>>2 + i
				m.watch.readBuffer(m, inv, pc-1, at, 1)
				regs[in.a] = m.buffers[at]
			} else {
				m.outsideRead(inv, pc-1, m.bad(pc-1, i))
				m.nothing(regs[in.a:in.a+1], pc-1)
			}
		case opStRunw:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				at := run.base>>2 + i
				m.watch.writeBuffer(m, inv, pc-1, at, regs[in.a:in.a+1])
				m.buffers[at] = regs[in.a]
			} else {
				m.outsideWrite(inv, pc-1, m.bad(pc-1, i))
			}
		default:
			panic("sim: an instruction that does not exist")
		}
	}
}

// nothing is what a read out of bounds gives: zeros, unless it is being found out whether that matters.
func (m *machine) nothing(to []uint32, pc uint32) {
	value := m.reads.at(pc)
	for i := range to {
		to[i] = value
	}
}

// bad notes an index that is out of bounds and makes the address that is none of it. Nothing is wrong yet: only an
// access by way of the address is.
func (m *machine) bad(pc, index uint32) uint32 {
	if m.badAt != nil {
		m.badAt[pc] = index
	}
	return noAddress | pc
}
