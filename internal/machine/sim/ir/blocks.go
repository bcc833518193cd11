package ir

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Arithmetic is a kind of arithmetic, as GPUs have units for it.
type Arithmetic uint8

// The classes.
const (
	free            Arithmetic = iota // moves, jumps and addresses: a compiler removes most, and hides the others
	MultiplyAdd                       // a product and the sum that takes it
	Float                             // any other sum, product, comparison or conversion of floats
	Division                          // of floats, with the remainder
	Function                          // such as exp, sqrt and sin
	Integer                           // of whole numbers and bits
	IntegerDivision                   // by a number that is not known before the run
	Classes
)

func (c Arithmetic) String() string {
	return [...]string{"free", "fma", "float", "division", "function", "integer", "integer division"}[c]
}

// A BasicBlock is code that runs from its first instruction to its last.
type BasicBlock struct {
	Code    span
	Counted uint32 // the instruction before which the machine stops to count it

	// cycles are those that a lone invocation needs for it, if its loads of buffers hit the nearest
	// cache, and if they miss it.
	Cycles [2]uint32
}

// leaders returns the first instructions of all blocks, and the end of the code.
func (p *Program) leaders() []uint32 {
	at := []uint32{0, uint32(len(p.Code))}
	for _, f := range p.functions {
		at = append(at, f.code.From)
	}
	for pc, in := range p.Code {
		info := in.Op.Info()
		if info.Operands.C == OperandTarget {
			at = append(at, in.C)
		}
		if info.Operands.C == OperandTarget || in.Op == OpReturn || in.Op == OpEnd || in.Op == OpBarrier {
			at = append(at, uint32(pc+1))
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// Blocks divides the code. Those that only jump back, wait or end are left out: they cost nothing.
func (p *Program) Blocks() (blocks []BasicBlock) {
	classes, inner := p.Classes(), p.unrolled()
	leaders := p.leaders()
	for i, from := range leaders[:len(leaders)-1] {
		b := BasicBlock{Code: span{from, leaders[i+1]}}
		if at, ok := p.countedAt(b.Code); ok {
			b.Counted = at
			for i, load := range []uint32{cyclesOfHit, CyclesOfMiss} {
				b.Cycles[i] = p.cycles(b.Code, classes, inner[from], load)
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// countedAt returns where to stop for a block: before an access, since the machine stops there
// anyway, or else before an instruction that neither ends nor suspends an invocation.
func (p *Program) countedAt(code span) (at uint32, ok bool) {
	for pc := code.From; pc < code.To; pc++ {
		switch op := p.Code[pc].Op; {
		case op.Info().Shared() && !p.LoadsUniform(&p.Code[pc]):
			return pc, true
		case !ok && op != OpEnd && op != OpBarrier && op != OpSubgroup && op != OpLoop:
			at, ok = pc, true
		}
	}
	return at, ok
}

// Classes returns the class of each instruction. A product whose only use is a sum of its block
// belongs to the sum.
func (p *Program) Classes() []Arithmetic {
	classes := make([]Arithmetic, len(p.Code))
	for pc := range p.Code {
		classes[pc] = p.classOf(&p.Code[pc])
	}
	leaders := p.leaders()
	for i, from := range leaders[:len(leaders)-1] {
		p.fuse(span{from, leaders[i+1]}, classes)
	}
	return classes
}

// isConstant reports whether a slot holds a constant, or the address of a binding.
func (p *Program) isConstant(slot uint32) bool {
	return slot < uint32(len(p.Pinned)) && p.Pinned[slot] ||
		slices.ContainsFunc(p.Bindings, func(b Binding) bool { return b.Slot == slot })
}

func (p *Program) fuse(code span, classes []Arithmetic) {
	products := map[uint32]uint32{} // by slot, the instructions
	for pc := code.From; pc < code.To; pc++ {
		in := &p.Code[pc]
		sum := in.Op == OpAddF || in.Op == OpSubF
		in.Uses(func(slot uint32) {
			if product, ok := products[slot]; ok && sum && classes[pc] == Float {
				classes[product], classes[pc] = free, MultiplyAdd
			}
			delete(products, slot)
		}, func(slot uint32) { delete(products, slot) })
		if in.Op == OpMulF {
			products[in.A] = pc
		}
	}
}

func (p *Program) classOf(in *Instr) Arithmetic {
	info := in.Op.Info()
	switch in.Op {
	case OpNegF, OpAbsF, OpRoundH, OpNotBool, OpAddAddress, OpAddOffset, OpIndex, OpIndexUpTo, OpIndexBig, OpIndexElement, OpTexel, OpStored:
		return free
	case OpDivF, OpRemF:
		return Division
	case OpDivI, OpDivU, OpRemI, OpRemU:
		if p.isConstant(in.C) {
			return Integer
		}
		return IntegerDivision
	case OpApply1:
		return classOfFunction(Functions1[in.N].Name, Functions1[in.N].Float)
	case OpApply2:
		return classOfFunction(Functions2[in.N].Name, Functions2[in.N].Float)
	case OpApply3:
		return classOfFunction(Functions3[in.N].Name, Functions3[in.N].Float)
	}
	switch {
	case info.Operands.A != OperandWrite && info.Operands.A != OperandWriteBool && !info.Jumps(), in.Op == OpMove, info.Access != noAccess:
		return free
	case info.Of == FloatKind:
		return Float
	case info.Of == SignedKind, info.Of == UnsignedKind, info.Operands.B == OperandRead && info.Operands.C == OperandRead && info.Operands.A == OperandWrite:
		return Integer
	}
	return free
}

// transcendental are the functions that a GPU computes in a unit of their own, or in many steps.
var transcendental = []string{
	"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "exp", "exp2", "inverseSqrt", "log", "log2",
	"pow", "sin", "sinh", "sqrt", "tan", "tanh",
}

func classOfFunction(name string, float bool) Arithmetic {
	switch {
	case name == "fma":
		return MultiplyAdd
	case name == "bitcast":
		return free
	case slices.Contains(transcendental, name):
		return Function
	case float || strings.HasPrefix(name, "f32:"):
		return Float
	}
	return Integer
}

// Uses calls reads for each slot that the instruction reads, and then writes for each that it
// writes. It leaves out the slots of an array that a load or store reaches by an index.
func (in *Instr) Uses(reads, writes func(slot uint32)) {
	each := func(kind operand, first uint32) {
		n, do := uint32(1), reads
		switch kind {
		case OperandRead:
		case OperandReadRow:
			n = uint32(in.N)
		case OperandReadMany:
			n = in.C
		case OperandReadThree:
			n = 3
		case OperandReadSample:
			n = SampleSlots
		case OperandWrite, OperandWriteBool, OperandWriteAddress, OperandWriteIf, OperandWriteResult:
			do = writes
		case OperandWriteRow:
			n, do = uint32(in.N), writes
		case OperandWriteMany:
			n, do = in.C, writes
		default:
			return
		}
		for slot := first; slot < first+n; slot++ {
			do(slot)
		}
	}
	o := in.Op.Info().Operands
	each(o.B, in.B)
	each(o.C, in.C)
	each(o.A, in.A)
}

// The cycles from an operation to the first that can use its result. Those of memory are rounded
// from what Luo et al. measured on an NVIDIA H100 ("Benchmarking and Dissecting the Nvidia Hopper
// GPU Architecture", 2024): loads that hit the nearest cache or the next one, and workgroup memory.
// The others are rough.
const (
	cyclesOfHit       = 40
	CyclesOfMiss      = 260
	cyclesOfWorkgroup = 30
	cyclesOfAtomic    = 100
	cyclesOfSubgroup  = 24
	cyclesOfFunction  = 24
	cyclesOfDivision  = 36
	cyclesOfFloat     = 4
	CyclesOfBarrier   = 20
)

// latency returns the cycles from an instruction to the first that can use its result; load is that
// of a load from a buffer.
func (p *Program) latency(in *Instr, class Arithmetic, load uint32) uint32 {
	info := in.Op.Info()
	switch {
	case info.Access == Atomic:
		return cyclesOfAtomic
	case info.Access == Read && info.Memory == InShared:
		return cyclesOfWorkgroup
	case info.Access == Read && info.Memory == InBuffers && !p.LoadsUniform(in):
		return load
	}
	if in.Op == OpSubgroup {
		return cyclesOfSubgroup
	}
	switch class {
	case free:
		return 0
	case Division, IntegerDivision:
		return cyclesOfDivision
	case Function:
		return cyclesOfFunction
	}
	return cyclesOfFloat
}

// unroll is how many rounds of an innermost loop a compiler lets overlap.
const unroll = 4

// cycles returns how long a lone invocation needs for a block: for its longest chain of operations,
// each of which needs the result of the one before, but at least one cycle for each operation.
func (p *Program) cycles(code span, classes []Arithmetic, overlaps bool, load uint32) uint32 {
	ready := map[uint32]uint32{}
	operations, longest := uint32(0), uint32(0)
	for pc := code.From; pc < code.To; pc++ {
		in := &p.Code[pc]
		from := uint32(0)
		takes := p.latency(in, classes[pc], load)
		if takes > 0 {
			operations++
		}
		in.Uses(func(slot uint32) { from = max(from, ready[slot]) }, func(slot uint32) { ready[slot] = from + takes })
		longest = max(longest, from)
	}
	if overlaps {
		longest /= unroll
	}
	return max(operations, longest)
}

// unrolled returns for each instruction whether it is in a loop whose rounds overlap: an innermost
// one, without barriers, in which no round reads what another has written to memory, and whose
// rounds a compiler can count.
func (p *Program) unrolled() []bool {
	inner := make([]bool, len(p.Code))
	for pc, in := range p.Code {
		if in.Op == OpLoop && p.overlaps(p.Code[in.C:pc]) {
			for i := in.C; i < uint32(pc); i++ {
				inner[i] = true
			}
		}
	}
	return inner
}

func (p *Program) overlaps(body []Instr) bool {
	reads, writes := false, false
	for i := range body {
		info := body[i].Op.Info()
		if body[i].Op == OpLoop || body[i].Op == OpBarrier || body[i].Op == OpSubgroup || info.Access == Atomic {
			return false
		}
		reads = reads || info.Access == Read && info.Memory != InSlots
		writes = writes || info.Access == Write && info.Memory != InSlots
	}
	return (!reads || !writes) && p.countable(body)
}

// countable reports whether a compiler can tell from a loop's bounds how many rounds are left, as
// it has to before it lets rounds overlap. It can't if the number that is compared grows by one
// that isn't known.
func (p *Program) countable(body []Instr) bool {
	compared := map[uint32]bool{}
	for i := range body {
		if body[i].Op.Info().Jumps() {
			compared[body[i].A], compared[body[i].B] = true, true
		}
	}
	return !slices.ContainsFunc(body, func(in Instr) bool {
		sum := in.Op == OpAddI || in.Op == OpAddU || in.Op == OpAddIWatched || in.Op == OpAddUWatched
		return sum && in.A == in.B && compared[in.A] && !p.isConstant(in.C)
	})
}

// Live returns the largest number of values that an invocation holds at once: those that it will
// still read, with all elements of its own arrays. Constants don't count.
func (p *Program) Live() int {
	most := 0
	alive := p.aliveAtLeaders()
	leaders := p.leaders()
	for i := range leaders[:len(leaders)-1] {
		now := alive.out(p, span{leaders[i], leaders[i+1]})
		for pc := int(leaders[i+1]) - 1; pc >= int(leaders[i]); pc-- {
			now.before(p, &p.Code[pc])
			most = max(most, len(now))
		}
	}
	return most + p.indexedWords()
}

// indexedWords returns the words of the arrays that an invocation accesses by an index.
func (p *Program) indexedWords() (words int) {
	reached := slices.ContainsFunc(p.Code, func(in Instr) bool { return in.Op == OpLoadSlots || in.Op == OpStoreSlots })
	for _, v := range p.Variables {
		if _, isArray := v.Object.Store().(*types.Array); isArray && reached && v.Where == InSlots && v.Slots == nil {
			words += int(p.FlatWords(v.Object.Store()))
		}
	}
	return words
}

// alive is a set of slots.
type alive map[uint32]struct{}

// before changes the set from after an instruction to before it.
func (a alive) before(p *Program, in *Instr) {
	keeps := in.Op.Info().Operands.A == OperandWriteIf
	var reads []uint32
	in.Uses(func(slot uint32) { reads = append(reads, slot) }, func(slot uint32) {
		if !keeps {
			delete(a, slot)
		}
	})
	for _, slot := range reads {
		if !p.isConstant(slot) {
			a[slot] = struct{}{}
		}
	}
}

// aliveAt holds the slots that are alive before each leader.
type aliveAt map[uint32]alive

// aliveAtLeaders follows the values backwards until nothing changes.
func (p *Program) aliveAtLeaders() aliveAt {
	at := aliveAt{}
	leaders := p.leaders()
	for again := true; again; {
		again = false
		for i := len(leaders) - 2; i >= 0; i-- {
			code := span{leaders[i], leaders[i+1]}
			now := at.out(p, code)
			for pc := int(code.To) - 1; pc >= int(code.From); pc-- {
				now.before(p, &p.Code[pc])
			}
			if len(now) > len(at[code.From]) {
				at[code.From], again = now, true
			}
		}
	}
	return at
}

// out returns the slots that are alive after a block: those before the blocks that may follow.
func (at aliveAt) out(p *Program, code span) alive {
	now := alive{}
	for _, next := range p.following(code.To - 1) {
		for slot := range at[next] {
			now[slot] = struct{}{}
		}
	}
	return now
}

// following returns the instructions that may run after the last one of a block. A function may
// return to wherever it is called.
func (p *Program) following(pc uint32) (next []uint32) {
	switch in := &p.Code[pc]; {
	case in.Op == OpEnd:
	case in.Op == OpReturn:
		for i := range p.Code {
			if f := p.FunctionAt(pc); p.Code[i].Op == OpCall && f != nil && f.code.has(p.Code[i].C) {
				next = append(next, uint32(i+1))
			}
		}
	case in.Op == OpJump, in.Op == OpLoop, in.Op == OpCall:
		next = []uint32{in.C}
	case in.Op.Info().Operands.C == OperandTarget:
		next = []uint32{in.C, pc + 1}
	default:
		next = []uint32{pc + 1}
	}
	return next
}

// LoadsUniform reports whether an instruction loads a part of a uniform, as most loads of uniforms
// do. GPUs keep those in a cache of its own, so they don't count.
func (p *Program) LoadsUniform(in *Instr) bool {
	return in.Op == OpLoadBuffer && slices.ContainsFunc(p.Bindings, func(b Binding) bool { return b.Uniform && b.Slot == in.B })
}
