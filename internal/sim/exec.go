package sim

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// An invocation is the state of one invocation in a workgroup.
type invocation struct {
	slots []uint32
	pc    uint32 // the next instruction, or the one where it stopped
	local uint32 // its index in the workgroup
	state stop
}

// stop says why an invocation stopped running.
type stop uint8

const (
	running   stop = iota
	ended          // its entry point has returned; pc is where
	waiting        // at a barrier; pc is after it
	atStmt         // before a statement; pc is after its opStatement
	exhausted      // it has used up its steps; pc is at the begin of a loop
	calling        // likewise; pc is at the begin of the function that it calls
)

// A machine runs workgroups one after the other. Several machines may run at once on the same
// buffers.
type machine struct {
	*Program
	code      []instr
	shared    []uint32 // workgroup memory
	buffers   []uint32 // all buffers, one after the other
	runs      []runtimeArray
	regions   []region
	invs      []invocation
	badAt     []uint32    // for each instruction, the last index out of bounds that it saw
	evaluated *evaluation // what an expression saw, instead of badAt; nil in a shader's run
	watch     *watcher    // nil in an unwatched run
	parallel  bool        // other machines are using the same buffers

	reads outsideReads
	lost  []lostAddress // if reads out of bounds give the last element

	steps       uint64 // taken so far
	budget      uint64 // the count of steps at which to check the limits
	group       [3]uint32
	groupNumber uint32
	count       [3]uint32 // workgroups in x, y and z

	beside companion // nil in most runs
}

// A companion looks on as a machine runs. The machine stops for it wherever its code has a stop.
type companion interface {
	enter()                              // a workgroup begins
	stopped(m *machine, inv *invocation) // pc is after the stop
	meet(m *machine)                     // every invocation waits at a barrier or has ended
}

// A runtimeArray is an array whose length depends on the bound buffer.
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
		case opMove:
			regs[in.a] = regs[in.b]
		case opMoveRow:
			copy(regs[in.a:in.a+in.c], regs[in.b:in.b+in.c])
		case opZero:
			clear(regs[in.a : in.a+in.c])
		case opMoveIf:
			if regs[in.b] != 0 {
				regs[in.a] = regs[in.c]
			}
		case opJump:
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
			if steps >= m.budget {
				inv.pc, m.steps = pc, steps
				return calling
			}
		case opReturn:
			pc = regs[in.a]
		case opStatement:
			inv.pc, m.steps = pc, steps
			return atStmt

		case opJumpFalse:
			if regs[in.b] == 0 {
				pc = in.c
			}
		case opJumpTrue:
			if regs[in.b] != 0 {
				pc = in.c
			}
		case opJumpEq:
			if regs[in.a] == regs[in.b] {
				pc = in.c
			}
		case opJumpNe:
			if regs[in.a] != regs[in.b] {
				pc = in.c
			}
		case opJumpLtI:
			if int32(regs[in.a]) < int32(regs[in.b]) {
				pc = in.c
			}
		case opJumpLeI:
			if int32(regs[in.a]) <= int32(regs[in.b]) {
				pc = in.c
			}
		case opJumpLtU:
			if regs[in.a] < regs[in.b] {
				pc = in.c
			}
		case opJumpLeU:
			if regs[in.a] <= regs[in.b] {
				pc = in.c
			}
		case opJumpEqF:
			if f32(regs[in.a]) == f32(regs[in.b]) {
				pc = in.c
			}
		case opJumpNeF:
			if f32(regs[in.a]) != f32(regs[in.b]) {
				pc = in.c
			}
		case opJumpLtF:
			if f32(regs[in.a]) < f32(regs[in.b]) {
				pc = in.c
			}
		case opJumpLeF:
			if f32(regs[in.a]) <= f32(regs[in.b]) {
				pc = in.c
			}
		case opJumpNotLtF:
			if !(f32(regs[in.a]) < f32(regs[in.b])) {
				pc = in.c
			}
		case opJumpNotLeF:
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
			regs[in.a] = numeric.DivI(regs[in.b], regs[in.c])
		case opDivU:
			regs[in.a] = numeric.DivU(regs[in.b], regs[in.c])
		case opRemI:
			regs[in.a] = numeric.RemI(regs[in.b], regs[in.c])
		case opRemU:
			regs[in.a] = numeric.RemU(regs[in.b], regs[in.c])
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
		case opNotBool:
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
		case opApply1:
			regs[in.a] = functions1[in.n].call(regs[in.b])
		case opApply2:
			regs[in.a] = functions2[in.n].call(regs[in.b], regs[in.c])
		case opApply3:
			regs[in.a] = functions3[in.n].call(regs[in.b], regs[in.b+1], regs[in.b+2])

		case opIndex:
			if i := regs[in.b]; i < in.c {
				regs[in.a] = i * uint32(in.n)
			} else {
				regs[in.a] = m.bad(inv, pc-1, i)
			}
		case opIndexUpTo:
			if i := regs[in.b]; i < regs[in.c] {
				regs[in.a] = i * uint32(in.n)
			} else {
				regs[in.a] = m.bad(inv, pc-1, i)
			}
		case opIndexBig:
			if i, big := regs[in.b], m.bigIndexes[in.c]; i < big.limit {
				regs[in.a] = i * big.stride
			} else {
				regs[in.a] = m.bad(inv, pc-1, i)
			}
		case opIndexElement:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				regs[in.a] = run.base + i*run.stride
			} else {
				regs[in.a] = m.bad(inv, pc-1, i)
			}
		case opAddAddress:
			x, y := regs[in.b], regs[in.c]
			switch {
			case x >= noAddress:
				regs[in.a] = m.farther(x, y)
			case y >= noAddress:
				regs[in.a] = m.farther(y, x)
			default:
				regs[in.a] = x + y
			}
		case opAddOffset:
			if x := regs[in.b]; x >= noAddress {
				regs[in.a] = m.farther(x, in.c)
			} else {
				regs[in.a] = x + in.c
			}
		case opLength:
			regs[in.a] = m.runs[in.c].length
		case opLengthAt:
			regs[in.a] = m.lengthAt(regs[in.b], in.c)

		case opLoadSlots:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(regs)) {
				for i := range n {
					regs[in.a+i] = regs[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.b])
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreSlots:
			if at := regs[in.b] + in.c; at < uint32(len(regs)) {
				for i := range uint32(in.n) {
					regs[at+i] = regs[in.a+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.b])
			}
		case opLoadWorkgroup:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				for i := range n {
					regs[in.a+i] = m.shared[at+i]
				}
			} else {
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreWorkgroup:
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				for i := range uint32(in.n) {
					m.shared[at+i] = regs[in.a+i]
				}
			}
		case opLoadBuffer:
			n := uint32(in.n)
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				for i := range n {
					regs[in.a+i] = m.load(at + i)
				}
			} else {
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreBuffer:
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				for i := range uint32(in.n) {
					m.store(at+i, regs[in.a+i])
				}
			}
		case opLoadHalf:
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				regs[in.a] = m.loadHalf(at)
			} else {
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreHalf:
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				m.storeHalf(at, regs[in.a])
			}
		case opLoadElement:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				regs[in.a] = m.load(run.base>>2 + i)
			} else {
				m.nothing(inv, pc-1, m.bad(inv, pc-1, i))
			}
		case opStoreElement:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				m.store(run.base>>2+i, regs[in.a])
			}

		case opAtomic:
			m.atomic(inv, pc-1, in)
		case opBarrier:
			inv.pc, m.steps = pc, steps
			return waiting

		case opAddIWatched:
			x, y := regs[in.b], regs[in.c]
			sum := x + y
			if int32((x^sum)&(y^sum)) < 0 {
				m.reportWrap(inv, pc-1, "+", x, y, sum)
			}
			regs[in.a] = sum
		case opAddUWatched:
			x, y := regs[in.b], regs[in.c]
			sum := x + y
			if sum < x {
				m.reportWrap(inv, pc-1, "+", x, y, sum)
			}
			regs[in.a] = sum
		case opSubIWatched:
			x, y := regs[in.b], regs[in.c]
			d := x - y
			if int32((x^y)&(x^d)) < 0 {
				m.reportWrap(inv, pc-1, "-", x, y, d)
			}
			regs[in.a] = d
		case opSubUWatched:
			x, y := regs[in.b], regs[in.c]
			if x < y {
				m.reportWrap(inv, pc-1, "-", x, y, x-y)
			}
			regs[in.a] = x - y
		case opMulIWatched:
			x, y := regs[in.b], regs[in.c]
			if p := int64(int32(x)) * int64(int32(y)); p != int64(int32(p)) {
				m.reportWrap(inv, pc-1, "*", x, y, x*y)
			}
			regs[in.a] = x * y
		case opMulUWatched:
			x, y := regs[in.b], regs[in.c]
			if p := uint64(x) * uint64(y); p>>32 != 0 {
				m.reportWrap(inv, pc-1, "*", x, y, x*y)
			}
			regs[in.a] = x * y
		case opNegIWatched:
			x := regs[in.b]
			if x == 1<<31 {
				m.reportWrap(inv, pc-1, "-", 0, x, x)
			}
			regs[in.a] = -x
		case opDivIWatched:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "/", x, x)
			} else if x == 1<<31 && y == math.MaxUint32 {
				m.reportWrap(inv, pc-1, "/", x, y, x)
			}
			regs[in.a] = numeric.DivI(x, y)
		case opDivUWatched:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "/", x, x)
			}
			regs[in.a] = numeric.DivU(x, y)
		case opRemIWatched:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "%", x, 0)
			}
			regs[in.a] = numeric.RemI(x, y)
		case opRemUWatched:
			x, y := regs[in.b], regs[in.c]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "%", x, 0)
			}
			regs[in.a] = numeric.RemU(x, y)
		case opAddFWatched:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) + f32(y))
			if !finite(r) {
				m.reportNotFinite(inv, pc-1, "+", r, x, y)
			}
			regs[in.a] = r
		case opSubFWatched:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) - f32(y))
			if !finite(r) {
				m.reportNotFinite(inv, pc-1, "-", r, x, y)
			}
			regs[in.a] = r
		case opMulFWatched:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) * f32(y))
			if !finite(r) {
				m.reportNotFinite(inv, pc-1, "*", r, x, y)
			}
			regs[in.a] = r
		case opDivFWatched:
			x, y := regs[in.b], regs[in.c]
			r := bitsOf(f32(x) / f32(y))
			if !finite(r) {
				m.reportNotFinite(inv, pc-1, "/", r, x, y)
			}
			regs[in.a] = r
		case opRemFWatched:
			x, y := regs[in.b], regs[in.c]
			r := rounded(math.Mod(f64(x), f64(y)))
			if !finite(r) {
				m.reportNotFinite(inv, pc-1, "%", r, x, y)
			}
			regs[in.a] = r
		case opRoundHWatched:
			x := regs[in.b]
			r := roundF16(x)
			if !finite(r) {
				m.reportNotFinite(inv, pc-1, "f16", r, x)
			}
			regs[in.a] = r
		case opApply1Watched:
			f, x := &functions1[in.n], regs[in.b]
			r := f.call(x)
			switch {
			case f.name == quantize && beyondF16(x):
				m.reportBeyondF16(inv, pc-1, x)
			case f.float && !finite(r):
				m.reportNotFinite(inv, pc-1, f.name, r, x)
			}
			regs[in.a] = r
		case opApply2Watched:
			f, x, y := &functions2[in.n], regs[in.b], regs[in.c]
			r := f.call(x, y)
			if f.float && !finite(r) {
				m.reportNotFinite(inv, pc-1, f.name, r, x, y)
			}
			regs[in.a] = r
		case opApply3Watched:
			f, x, y, z := &functions3[in.n], regs[in.b], regs[in.b+1], regs[in.b+2]
			r := f.call(x, y, z)
			if f.float && !finite(r) {
				m.reportNotFinite(inv, pc-1, f.name, r, x, y, z)
			}
			regs[in.a] = r
		case opLoadSlotsWatched:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(regs)) {
				m.watch.readOwn(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.a+i] = regs[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.b])
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreSlotsWatched:
			if at := regs[in.b] + in.c; at < uint32(len(regs)) {
				m.watch.writeOwn(m, inv, at, uint32(in.n))
				for i := range uint32(in.n) {
					regs[at+i] = regs[in.a+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.b])
			}
		case opLoadWorkgroupWatched:
			n := uint32(in.n)
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				m.watch.readShared(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.a+i] = m.shared[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.b])
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreWorkgroupWatched:
			if at := regs[in.b] + in.c; at < uint32(len(m.shared)) {
				m.watch.writeShared(m, inv, pc-1, at, regs[in.a:in.a+uint32(in.n)])
				for i := range uint32(in.n) {
					m.shared[at+i] = regs[in.a+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.b])
			}
		case opLoadBufferWatched:
			n := uint32(in.n)
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				m.watch.readBuffer(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.a+i] = m.buffers[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.b])
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreBufferWatched:
			if at := (regs[in.b] + in.c) >> 2; at < uint32(len(m.buffers)) {
				m.watch.writeBuffer(m, inv, pc-1, at, regs[in.a:in.a+uint32(in.n)])
				for i := range uint32(in.n) {
					m.buffers[at+i] = regs[in.a+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.b])
			}
		case opLoadHalfWatched:
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				m.watch.readHalf(m, inv, pc-1, at)
				regs[in.a] = m.loadHalf(at)
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.b])
				m.nothing(inv, pc-1, regs[in.b])
			}
		case opStoreHalfWatched:
			if at := regs[in.b] + in.c; at>>2 < uint32(len(m.buffers)) {
				m.watch.writeHalf(m, inv, pc-1, at, regs[in.a])
				m.storeHalf(at, regs[in.a])
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.b])
			}
		case opLoadElementWatched:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				at := run.base>>2 + i
				m.watch.readBuffer(m, inv, pc-1, at, 1)
				regs[in.a] = m.buffers[at]
			} else {
				address := m.bad(inv, pc-1, i)
				m.reportOutsideRead(inv, pc-1, address)
				m.nothing(inv, pc-1, address)
			}
		case opStoreElementWatched:
			run := &m.runs[in.c]
			if i := regs[in.b]; i < run.length {
				at := run.base>>2 + i
				m.watch.writeBuffer(m, inv, pc-1, at, regs[in.a:in.a+1])
				m.buffers[at] = regs[in.a]
			} else {
				m.reportOutsideWrite(inv, pc-1, m.bad(inv, pc-1, i))
			}
		default:
			panic("sim: an instruction that does not exist")
		}
	}
}
