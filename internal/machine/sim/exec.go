package sim

import (
	"math"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// An invocation is the state of one invocation in a workgroup.
type invocation struct {
	slots []uint32
	pc    uint32 // the next instruction, or the one where it stopped
	local uint32 // its index in the workgroup
	state stop

	subgroup, lane uint32   // its subgroup in the workgroup, and its index there
	way            []uint32 // to the function where it meets others
	entry          int      // where compiled code goes on, or unknownEntry
}

// stop says why an invocation stopped running.
type stop uint8

const (
	running      stop = iota
	ended             // its entry point has returned; pc is where
	waiting           // at a barrier; pc is after it
	atStmt            // before a statement; pc is after its OpStatement
	exhausted         // it has used up its steps; pc is at the begin of a loop
	calling           // likewise; pc is at the begin of the function that it calls
	meeting           // at a function of its subgroup; pc is after it
	interpreting      // compiled code has stopped; pc is where the watcher has to look
)

// A machine runs workgroups one after the other. Several machines may run at once on the same
// buffers.
type machine struct {
	*ir.Program
	host      *hostMemory
	code      []ir.Instr
	shared    []uint32 // workgroup memory
	buffers   []uint32 // all buffers, one after the other
	runs      []runtimeArray
	regions   []region
	handles   []handle // of the bindings
	invs      []invocation
	subgroups [][]*invocation          // by their lanes
	meetings  map[uint32]*meetingPlace // by their instructions
	joining   joining                  // the last one, whose lists the next one reuses
	badAt     []uint32                 // for each instruction, the last index out of bounds that it saw
	evaluated *evaluation              // what an expression saw, instead of badAt; nil in a shader's run
	watch     *watcher                 // nil in an unwatched run
	parallel  bool                     // other machines are using the same buffers

	reads outsideReads
	lost  []lostAddress // if reads out of bounds give the last element

	steps       uint64 // taken so far
	budget      uint64 // the count of steps and effort at which to stop at the next jump back or call
	granted     uint64 // the count at which to ask for more
	effort      uint64 // what steps took beyond their number, since the machine asked; see Options.Steps
	workgroup   together
	deciding    map[uint32]*ir.Deciding // by the loop's head
	forever     *counting               // of the loop that never ends; nil if it is another reason
	group       [3]uint32
	groupNumber uint32
	count       [3]uint32 // workgroups in x, y and z

	beside companion // nil in most runs

	native     *wasm.Core // where compiled code runs; nil while the interpreter does
	nativeCode *wasm.Code
	holds      func() // see hold; nil in the interpreter
	nativeFrom uint64 // the steps before compiled code ran
	stops      uint64 // at instructions at which the watcher had to look
	move       func() // moves to compiled code, at a count of steps; nil if that was, or never is
	moveAt     uint64
}

// Effort makes steps that take long count more, so that a run ends in about the same time whatever
// the shader does: how many steps that only add would take as long, beyond the step itself.
// Measured, and rounded.
const (
	effortOfWord     = wasm.EffortOfWord // of a watched access, and of an atomic
	effortOfFunction = wasm.EffortOfFunction
	effortOfSample   = wasm.EffortOfSample
	effortOfMeeting  = wasm.EffortOfMeeting // of an invocation at a function of its subgroup
	effortlessWords  = wasm.EffortlessWords // so many words are moved in a step
)

// A companion looks on as a machine runs. The machine stops for it wherever its code has a stop.
type companion interface {
	enter()                              // a workgroup begins
	stopped(m *machine, inv *invocation) // pc is after the stop
	meet(m *machine)                     // every invocation waits at a barrier or has ended
	joined(m *machine, j joining)        // invocations of a subgroup have taken a function together
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
		switch in.Op {
		case ir.OpEnd:
			inv.pc, m.steps = pc, steps
			return ended
		case ir.OpMove:
			regs[in.A] = regs[in.B]
		case ir.OpMoveRow:
			m.effort += uint64(in.C / effortlessWords)
			copy(regs[in.A:in.A+in.C], regs[in.B:in.B+in.C])
		case ir.OpZero:
			m.effort += uint64(in.C / effortlessWords)
			clear(regs[in.A : in.A+in.C])
		case ir.OpMoveIf:
			if regs[in.B] != 0 {
				regs[in.A] = regs[in.C]
			}
		case ir.OpJump:
			pc = in.C
		case ir.OpLoop:
			pc = in.C
			if steps+m.effort >= m.budget {
				inv.pc, m.steps = pc, steps
				return exhausted
			}
		case ir.OpCall:
			regs[in.A] = pc
			pc = in.C
			if steps+m.effort >= m.budget {
				inv.pc, m.steps = pc, steps
				return calling
			}
		case ir.OpReturn:
			pc = regs[in.A]
		case ir.OpStatement:
			inv.pc, m.steps = pc, steps
			return atStmt

		case ir.OpJumpFalse:
			if regs[in.B] == 0 {
				pc = in.C
			}
		case ir.OpJumpTrue:
			if regs[in.B] != 0 {
				pc = in.C
			}
		case ir.OpJumpEq:
			if regs[in.A] == regs[in.B] {
				pc = in.C
			}
		case ir.OpJumpNe:
			if regs[in.A] != regs[in.B] {
				pc = in.C
			}
		case ir.OpJumpLtI:
			if int32(regs[in.A]) < int32(regs[in.B]) {
				pc = in.C
			}
		case ir.OpJumpLeI:
			if int32(regs[in.A]) <= int32(regs[in.B]) {
				pc = in.C
			}
		case ir.OpJumpLtU:
			if regs[in.A] < regs[in.B] {
				pc = in.C
			}
		case ir.OpJumpLeU:
			if regs[in.A] <= regs[in.B] {
				pc = in.C
			}
		case ir.OpJumpEqF:
			if math.Float32frombits(regs[in.A]) == math.Float32frombits(regs[in.B]) {
				pc = in.C
			}
		case ir.OpJumpNeF:
			if math.Float32frombits(regs[in.A]) != math.Float32frombits(regs[in.B]) {
				pc = in.C
			}
		case ir.OpJumpLtF:
			if math.Float32frombits(regs[in.A]) < math.Float32frombits(regs[in.B]) {
				pc = in.C
			}
		case ir.OpJumpLeF:
			if math.Float32frombits(regs[in.A]) <= math.Float32frombits(regs[in.B]) {
				pc = in.C
			}
		case ir.OpJumpNotLtF:
			if !(math.Float32frombits(regs[in.A]) < math.Float32frombits(regs[in.B])) {
				pc = in.C
			}
		case ir.OpJumpNotLeF:
			if !(math.Float32frombits(regs[in.A]) <= math.Float32frombits(regs[in.B])) {
				pc = in.C
			}

		case ir.OpAddI, ir.OpAddU:
			regs[in.A] = regs[in.B] + regs[in.C]
		case ir.OpSubI, ir.OpSubU:
			regs[in.A] = regs[in.B] - regs[in.C]
		case ir.OpMulI, ir.OpMulU:
			regs[in.A] = regs[in.B] * regs[in.C]
		case ir.OpDivI:
			regs[in.A] = numeric.DivI(regs[in.B], regs[in.C])
		case ir.OpDivU:
			regs[in.A] = numeric.DivU(regs[in.B], regs[in.C])
		case ir.OpRemI:
			regs[in.A] = numeric.RemI(regs[in.B], regs[in.C])
		case ir.OpRemU:
			regs[in.A] = numeric.RemU(regs[in.B], regs[in.C])
		case ir.OpNegI:
			regs[in.A] = -regs[in.B]
		case ir.OpAnd:
			regs[in.A] = regs[in.B] & regs[in.C]
		case ir.OpOr:
			regs[in.A] = regs[in.B] | regs[in.C]
		case ir.OpXor:
			regs[in.A] = regs[in.B] ^ regs[in.C]
		case ir.OpNot:
			regs[in.A] = ^regs[in.B]
		case ir.OpShl:
			regs[in.A] = regs[in.B] << (regs[in.C] & 31)
		case ir.OpShrI:
			regs[in.A] = uint32(int32(regs[in.B]) >> (regs[in.C] & 31))
		case ir.OpShrU:
			regs[in.A] = regs[in.B] >> (regs[in.C] & 31)
		case ir.OpEq:
			regs[in.A] = ir.Truth(regs[in.B] == regs[in.C])
		case ir.OpNe:
			regs[in.A] = ir.Truth(regs[in.B] != regs[in.C])
		case ir.OpLtI:
			regs[in.A] = ir.Truth(int32(regs[in.B]) < int32(regs[in.C]))
		case ir.OpLeI:
			regs[in.A] = ir.Truth(int32(regs[in.B]) <= int32(regs[in.C]))
		case ir.OpLtU:
			regs[in.A] = ir.Truth(regs[in.B] < regs[in.C])
		case ir.OpLeU:
			regs[in.A] = ir.Truth(regs[in.B] <= regs[in.C])
		case ir.OpEqF:
			regs[in.A] = ir.Truth(math.Float32frombits(regs[in.B]) == math.Float32frombits(regs[in.C]))
		case ir.OpNeF:
			regs[in.A] = ir.Truth(math.Float32frombits(regs[in.B]) != math.Float32frombits(regs[in.C]))
		case ir.OpLtF:
			regs[in.A] = ir.Truth(math.Float32frombits(regs[in.B]) < math.Float32frombits(regs[in.C]))
		case ir.OpLeF:
			regs[in.A] = ir.Truth(math.Float32frombits(regs[in.B]) <= math.Float32frombits(regs[in.C]))
		case ir.OpNotBool:
			regs[in.A] = regs[in.B] ^ 1
		case ir.OpAddF:
			regs[in.A] = math.Float32bits(math.Float32frombits(regs[in.B]) + math.Float32frombits(regs[in.C]))
		case ir.OpSubF:
			regs[in.A] = math.Float32bits(math.Float32frombits(regs[in.B]) - math.Float32frombits(regs[in.C]))
		case ir.OpMulF:
			regs[in.A] = math.Float32bits(math.Float32frombits(regs[in.B]) * math.Float32frombits(regs[in.C]))
		case ir.OpDivF:
			regs[in.A] = math.Float32bits(math.Float32frombits(regs[in.B]) / math.Float32frombits(regs[in.C]))
		case ir.OpRemF:
			regs[in.A] = ir.Rounded(math.Mod(ir.F64(regs[in.B]), ir.F64(regs[in.C])))
		case ir.OpNegF:
			regs[in.A] = regs[in.B] ^ 1<<31
		case ir.OpMinI:
			regs[in.A] = uint32(min(int32(regs[in.B]), int32(regs[in.C])))
		case ir.OpMinU:
			regs[in.A] = min(regs[in.B], regs[in.C])
		case ir.OpMinF:
			if x, y := regs[in.B], regs[in.C]; math.Float32frombits(y) < math.Float32frombits(x) || ir.NotANumber(x) {
				regs[in.A] = y
			} else {
				regs[in.A] = x
			}
		case ir.OpMaxI:
			regs[in.A] = uint32(max(int32(regs[in.B]), int32(regs[in.C])))
		case ir.OpMaxU:
			regs[in.A] = max(regs[in.B], regs[in.C])
		case ir.OpMaxF:
			if x, y := regs[in.B], regs[in.C]; math.Float32frombits(x) < math.Float32frombits(y) || ir.NotANumber(x) {
				regs[in.A] = y
			} else {
				regs[in.A] = x
			}
		case ir.OpAbsF:
			regs[in.A] = regs[in.B] &^ (1 << 31)
		case ir.OpRoundH:
			regs[in.A] = ir.RoundF16(regs[in.B])
		case ir.OpApply1:
			m.effort += effortOfFunction
			regs[in.A] = ir.Functions1[in.N].Call(regs[in.B])
		case ir.OpApply2:
			m.effort += effortOfFunction
			regs[in.A] = ir.Functions2[in.N].Call(regs[in.B], regs[in.C])
		case ir.OpApply3:
			m.effort += effortOfFunction
			regs[in.A] = ir.Functions3[in.N].Call(regs[in.B], regs[in.B+1], regs[in.B+2])

		case ir.OpIndex:
			if i := regs[in.B]; i < in.C {
				regs[in.A] = i * uint32(in.N)
			} else {
				regs[in.A] = m.bad(inv, pc-1, i)
			}
		case ir.OpIndexUpTo:
			if i := regs[in.B]; i < regs[in.C] {
				regs[in.A] = i * uint32(in.N)
			} else {
				regs[in.A] = m.bad(inv, pc-1, i)
			}
		case ir.OpIndexBig:
			if i, big := regs[in.B], m.BigIndexes[in.C]; i < big.Limit {
				regs[in.A] = i * big.Stride
			} else {
				regs[in.A] = m.bad(inv, pc-1, i)
			}
		case ir.OpIndexElement:
			run := &m.runs[in.C]
			if i := regs[in.B]; i < run.length {
				regs[in.A] = run.base + i*run.stride
			} else {
				regs[in.A] = m.bad(inv, pc-1, i)
			}
		case ir.OpAddAddress:
			x, y := regs[in.B], regs[in.C]
			switch {
			case x >= ir.NoAddress:
				regs[in.A] = m.farther(x, y)
			case y >= ir.NoAddress:
				regs[in.A] = m.farther(y, x)
			default:
				regs[in.A] = x + y
			}
		case ir.OpAddOffset:
			if x := regs[in.B]; x >= ir.NoAddress {
				regs[in.A] = m.farther(x, in.C)
			} else {
				regs[in.A] = x + in.C
			}
		case ir.OpLength:
			regs[in.A] = m.runs[in.C].length
		case ir.OpLengthAt:
			regs[in.A] = m.lengthAt(regs[in.B], in.C)

		case ir.OpLoadSlots:
			n := uint32(in.N)
			if n >= effortlessWords {
				m.effort += uint64(n / effortlessWords)
			}
			if at := regs[in.B] + in.C; at < uint32(len(regs)) {
				for i := range n {
					regs[in.A+i] = regs[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.B])
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreSlots:
			if in.N >= effortlessWords {
				m.effort += uint64(in.N / effortlessWords)
			}
			if at := regs[in.B] + in.C; at < uint32(len(regs)) {
				for i := range uint32(in.N) {
					regs[at+i] = regs[in.A+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.B])
			}
		case ir.OpLoadWorkgroup:
			n := uint32(in.N)
			if n >= effortlessWords {
				m.effort += uint64(n / effortlessWords)
			}
			if at := regs[in.B] + in.C; at < uint32(len(m.shared)) {
				for i := range n {
					regs[in.A+i] = m.shared[at+i]
				}
			} else {
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreWorkgroup:
			if in.N >= effortlessWords {
				m.effort += uint64(in.N / effortlessWords)
			}
			if at := regs[in.B] + in.C; at < uint32(len(m.shared)) {
				for i := range uint32(in.N) {
					m.shared[at+i] = regs[in.A+i]
				}
			}
		case ir.OpLoadBuffer:
			n := uint32(in.N)
			if n >= effortlessWords {
				m.effort += uint64(n / effortlessWords)
			}
			if at := (regs[in.B] + in.C) >> 2; at < uint32(len(m.buffers)) {
				for i := range n {
					regs[in.A+i] = m.load(at + i)
				}
			} else {
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreBuffer:
			if in.N >= effortlessWords {
				m.effort += uint64(in.N / effortlessWords)
			}
			if at := (regs[in.B] + in.C) >> 2; at < uint32(len(m.buffers)) {
				for i := range uint32(in.N) {
					m.store(at+i, regs[in.A+i])
				}
			}
		case ir.OpLoadHalf:
			if at := regs[in.B] + in.C; at>>2 < uint32(len(m.buffers)) {
				regs[in.A] = m.loadHalf(at)
			} else {
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreHalf:
			if at := regs[in.B] + in.C; at>>2 < uint32(len(m.buffers)) {
				m.storeHalf(at, regs[in.A])
			}
		case ir.OpLoadElement:
			run := &m.runs[in.C]
			if i := regs[in.B]; i < run.length {
				regs[in.A] = m.load(run.base>>2 + i)
			} else {
				m.nothing(inv, pc-1, m.bad(inv, pc-1, i))
			}
		case ir.OpStoreElement:
			run := &m.runs[in.C]
			if i := regs[in.B]; i < run.length {
				m.store(run.base>>2+i, regs[in.A])
			}

		case ir.OpAtomic:
			m.effort += effortOfWord
			m.atomic(inv, pc-1, in)
		case ir.OpBarrier:
			m.effort += effortOfWord
			inv.pc, m.steps = pc, steps
			return waiting
		case ir.OpTexel:
			regs[in.A] = m.texel(inv, pc-1, in)
		case ir.OpTextureSize:
			m.sizes(regs, in)
		case ir.OpStored:
			stored := ir.Formats[in.C].Stored(texture.Texel(regs[in.B : in.B+ir.TexelWords]))
			copy(regs[in.A:], stored[:])
		case ir.OpSample:
			m.effort += effortOfSample
			m.sample(regs, in)
		case ir.OpSubgroup:
			inv.pc, m.steps = pc, steps
			return meeting

		case ir.OpAddIWatched:
			x, y := regs[in.B], regs[in.C]
			sum := x + y
			if int32((x^sum)&(y^sum)) < 0 {
				m.reportWrap(inv, pc-1, "+", x, y, sum)
			}
			regs[in.A] = sum
		case ir.OpAddUWatched:
			x, y := regs[in.B], regs[in.C]
			sum := x + y
			if sum < x {
				m.reportWrap(inv, pc-1, "+", x, y, sum)
			}
			regs[in.A] = sum
		case ir.OpSubIWatched:
			x, y := regs[in.B], regs[in.C]
			d := x - y
			if int32((x^y)&(x^d)) < 0 {
				m.reportWrap(inv, pc-1, "-", x, y, d)
			}
			regs[in.A] = d
		case ir.OpSubUWatched:
			x, y := regs[in.B], regs[in.C]
			if x < y {
				m.reportWrap(inv, pc-1, "-", x, y, x-y)
			}
			regs[in.A] = x - y
		case ir.OpMulIWatched:
			x, y := regs[in.B], regs[in.C]
			if p := int64(int32(x)) * int64(int32(y)); p != int64(int32(p)) {
				m.reportWrap(inv, pc-1, "*", x, y, x*y)
			}
			regs[in.A] = x * y
		case ir.OpMulUWatched:
			x, y := regs[in.B], regs[in.C]
			if p := uint64(x) * uint64(y); p>>32 != 0 {
				m.reportWrap(inv, pc-1, "*", x, y, x*y)
			}
			regs[in.A] = x * y
		case ir.OpNegIWatched:
			x := regs[in.B]
			if x == 1<<31 {
				m.reportWrap(inv, pc-1, "-", 0, x, x)
			}
			regs[in.A] = -x
		case ir.OpDivIWatched:
			x, y := regs[in.B], regs[in.C]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "/", x, x)
			} else if x == 1<<31 && y == math.MaxUint32 {
				m.reportWrap(inv, pc-1, "/", x, y, x)
			}
			regs[in.A] = numeric.DivI(x, y)
		case ir.OpDivUWatched:
			x, y := regs[in.B], regs[in.C]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "/", x, x)
			}
			regs[in.A] = numeric.DivU(x, y)
		case ir.OpRemIWatched:
			x, y := regs[in.B], regs[in.C]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "%", x, 0)
			}
			regs[in.A] = numeric.RemI(x, y)
		case ir.OpRemUWatched:
			x, y := regs[in.B], regs[in.C]
			if y == 0 {
				m.reportDivisionByZero(inv, pc-1, "%", x, 0)
			}
			regs[in.A] = numeric.RemU(x, y)
		case ir.OpAddFWatched:
			x, y := regs[in.B], regs[in.C]
			r := math.Float32bits(math.Float32frombits(x) + math.Float32frombits(y))
			if !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, "+", r, x, y)
			}
			regs[in.A] = r
		case ir.OpSubFWatched:
			x, y := regs[in.B], regs[in.C]
			r := math.Float32bits(math.Float32frombits(x) - math.Float32frombits(y))
			if !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, "-", r, x, y)
			}
			regs[in.A] = r
		case ir.OpMulFWatched:
			x, y := regs[in.B], regs[in.C]
			r := math.Float32bits(math.Float32frombits(x) * math.Float32frombits(y))
			if !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, "*", r, x, y)
			}
			regs[in.A] = r
		case ir.OpDivFWatched:
			x, y := regs[in.B], regs[in.C]
			r := math.Float32bits(math.Float32frombits(x) / math.Float32frombits(y))
			if !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, "/", r, x, y)
			}
			regs[in.A] = r
		case ir.OpRemFWatched:
			x, y := regs[in.B], regs[in.C]
			r := ir.Rounded(math.Mod(ir.F64(x), ir.F64(y)))
			if !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, "%", r, x, y)
			}
			regs[in.A] = r
		case ir.OpRoundHWatched:
			x := regs[in.B]
			r := ir.RoundF16(x)
			if !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, "f16", r, x)
			}
			regs[in.A] = r
		case ir.OpApply1Watched:
			m.effort += effortOfFunction
			f, x := &ir.Functions1[in.N], regs[in.B]
			r := f.Call(x)
			switch {
			case f.Name == ir.Quantize && ir.BeyondF16(x):
				m.reportBeyondF16(inv, pc-1, x)
			case f.Float && !ir.Finite(r):
				m.reportNotFinite(inv, pc-1, f.Name, r, x)
			}
			regs[in.A] = r
		case ir.OpApply2Watched:
			m.effort += effortOfFunction
			f, x, y := &ir.Functions2[in.N], regs[in.B], regs[in.C]
			r := f.Call(x, y)
			if f.Float && !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, f.Name, r, x, y)
			}
			regs[in.A] = r
		case ir.OpApply3Watched:
			m.effort += effortOfFunction
			f, x, y, z := &ir.Functions3[in.N], regs[in.B], regs[in.B+1], regs[in.B+2]
			r := f.Call(x, y, z)
			if f.Float && !ir.Finite(r) {
				m.reportNotFinite(inv, pc-1, f.Name, r, x, y, z)
			}
			regs[in.A] = r
		case ir.OpLoadSlotsWatched:
			n := uint32(in.N)
			if at := regs[in.B] + in.C; at < uint32(len(regs)) {
				m.watch.readOwn(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.A+i] = regs[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.B])
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreSlotsWatched:
			if at := regs[in.B] + in.C; at < uint32(len(regs)) {
				m.watch.writeOwn(m, inv, at, uint32(in.N))
				for i := range uint32(in.N) {
					regs[at+i] = regs[in.A+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.B])
			}
		case ir.OpLoadWorkgroupWatched:
			n := uint32(in.N)
			if at := regs[in.B] + in.C; at < uint32(len(m.shared)) {
				m.watch.readShared(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.A+i] = m.shared[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.B])
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreWorkgroupWatched:
			if at := regs[in.B] + in.C; at < uint32(len(m.shared)) {
				m.watch.writeShared(m, inv, pc-1, at, regs[in.A:in.A+uint32(in.N)])
				for i := range uint32(in.N) {
					m.shared[at+i] = regs[in.A+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.B])
			}
		case ir.OpLoadBufferWatched:
			n := uint32(in.N)
			if at := (regs[in.B] + in.C) >> 2; at < uint32(len(m.buffers)) {
				m.watch.readBuffer(m, inv, pc-1, at, n)
				for i := range n {
					regs[in.A+i] = m.buffers[at+i]
				}
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.B])
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreBufferWatched:
			if at := (regs[in.B] + in.C) >> 2; at < uint32(len(m.buffers)) {
				m.watch.writeBuffer(m, inv, pc-1, at, regs[in.A:in.A+uint32(in.N)])
				for i := range uint32(in.N) {
					m.buffers[at+i] = regs[in.A+i]
				}
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.B])
			}
		case ir.OpLoadHalfWatched:
			if at := regs[in.B] + in.C; at>>2 < uint32(len(m.buffers)) {
				m.watch.readHalf(m, inv, pc-1, at)
				regs[in.A] = m.loadHalf(at)
			} else {
				m.reportOutsideRead(inv, pc-1, regs[in.B])
				m.nothing(inv, pc-1, regs[in.B])
			}
		case ir.OpStoreHalfWatched:
			if at := regs[in.B] + in.C; at>>2 < uint32(len(m.buffers)) {
				m.watch.writeHalf(m, inv, pc-1, at, regs[in.A])
				m.storeHalf(at, regs[in.A])
			} else {
				m.reportOutsideWrite(inv, pc-1, regs[in.B])
			}
		case ir.OpLoadElementWatched:
			run := &m.runs[in.C]
			if i := regs[in.B]; i < run.length {
				at := run.base>>2 + i
				m.watch.readBuffer(m, inv, pc-1, at, 1)
				regs[in.A] = m.buffers[at]
			} else {
				address := m.bad(inv, pc-1, i)
				m.reportOutsideRead(inv, pc-1, address)
				m.nothing(inv, pc-1, address)
			}
		case ir.OpStoreElementWatched:
			run := &m.runs[in.C]
			if i := regs[in.B]; i < run.length {
				at := run.base>>2 + i
				m.watch.writeBuffer(m, inv, pc-1, at, regs[in.A:in.A+1])
				m.buffers[at] = regs[in.A]
			} else {
				m.reportOutsideWrite(inv, pc-1, m.bad(inv, pc-1, i))
			}
		default:
			panic("sim: an instruction that does not exist")
		}
	}
}
