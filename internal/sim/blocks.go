package sim

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

// A block is code that runs from its first instruction to its last.
type block struct {
	code    span
	counted uint32 // the instruction before which the machine stops to count it

	// cycles are those that a lone invocation needs for it, if its loads of buffers hit the nearest
	// cache, and if they miss it.
	cycles [2]uint32
}

// leaders returns the first instructions of all blocks, and the end of the code.
func (p *Program) leaders() []uint32 {
	at := []uint32{0, uint32(len(p.code))}
	for _, f := range p.functions {
		at = append(at, f.code.from)
	}
	for pc, in := range p.code {
		info := in.op.info()
		if info.operands.c == target {
			at = append(at, in.c)
		}
		if info.operands.c == target || in.op == opReturn || in.op == opEnd || in.op == opBarrier {
			at = append(at, uint32(pc+1))
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// blocks divides the code. Those that only jump back, wait or end are left out: they cost nothing.
func (p *Program) blocks() (blocks []block) {
	classes, inner := p.classes(), p.unrolled()
	leaders := p.leaders()
	for i, from := range leaders[:len(leaders)-1] {
		b := block{code: span{from, leaders[i+1]}}
		if at, ok := p.countedAt(b.code); ok {
			b.counted = at
			for i, load := range []uint32{cyclesOfHit, cyclesOfMiss} {
				b.cycles[i] = p.cycles(b.code, classes, inner[from], load)
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// countedAt returns where to stop for a block: before an access, since the machine stops there
// anyway, or else before an instruction that neither ends nor suspends an invocation.
func (p *Program) countedAt(code span) (at uint32, ok bool) {
	for pc := code.from; pc < code.to; pc++ {
		switch op := p.code[pc].op; {
		case op.info().shared() && !p.loadsUniform(&p.code[pc]):
			return pc, true
		case !ok && op != opEnd && op != opBarrier && op != opLoop:
			at, ok = pc, true
		}
	}
	return at, ok
}

// classes returns the class of each instruction. A product whose only use is a sum of its block
// belongs to the sum.
func (p *Program) classes() []Arithmetic {
	classes := make([]Arithmetic, len(p.code))
	for pc := range p.code {
		classes[pc] = p.classOf(&p.code[pc])
	}
	leaders := p.leaders()
	for i, from := range leaders[:len(leaders)-1] {
		p.fuse(span{from, leaders[i+1]}, classes)
	}
	return classes
}

// isConstant reports whether a slot holds a constant, or the address of a binding.
func (p *Program) isConstant(slot uint32) bool {
	return slot < uint32(len(p.pinned)) && p.pinned[slot] ||
		slices.ContainsFunc(p.Bindings, func(b Binding) bool { return b.slot == slot })
}

func (p *Program) fuse(code span, classes []Arithmetic) {
	products := map[uint32]uint32{} // by slot, the instructions
	for pc := code.from; pc < code.to; pc++ {
		in := &p.code[pc]
		sum := in.op == opAddF || in.op == opSubF
		in.uses(func(slot uint32) {
			if product, ok := products[slot]; ok && sum && classes[pc] == Float {
				classes[product], classes[pc] = free, MultiplyAdd
			}
			delete(products, slot)
		}, func(slot uint32) { delete(products, slot) })
		if in.op == opMulF {
			products[in.a] = pc
		}
	}
}

func (p *Program) classOf(in *instr) Arithmetic {
	info := in.op.info()
	switch in.op {
	case opNegF, opAbsF, opRoundH, opNotBool, opAddAddress, opAddOffset, opIndex, opIndexUpTo, opIndexBig, opIndexElement:
		return free
	case opDivF, opRemF:
		return Division
	case opDivI, opDivU, opRemI, opRemU:
		if p.isConstant(in.c) {
			return Integer
		}
		return IntegerDivision
	case opApply1:
		return classOfFunction(functions1[in.n].name, functions1[in.n].float)
	case opApply2:
		return classOfFunction(functions2[in.n].name, functions2[in.n].float)
	case opApply3:
		return classOfFunction(functions3[in.n].name, functions3[in.n].float)
	}
	switch {
	case info.operands.a != write && info.operands.a != writeBool && !info.jumps(), in.op == opMove, info.access != noAccess:
		return free
	case info.of == float:
		return Float
	case info.of == signed, info.of == unsigned, info.operands.b == read && info.operands.c == read && info.operands.a == write:
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

// uses calls reads for each slot that the instruction reads, and then writes for each that it
// writes. It leaves out the slots of an array that a load or store reaches by an index.
func (in *instr) uses(reads, writes func(slot uint32)) {
	each := func(kind operand, first uint32) {
		n, do := uint32(1), reads
		switch kind {
		case read:
		case readRow:
			n = uint32(in.n)
		case readMany:
			n = in.c
		case readThree:
			n = 3
		case write, writeBool, writeAddress, writeIf, writeResult:
			do = writes
		case writeRow:
			n, do = uint32(in.n), writes
		case writeMany:
			n, do = in.c, writes
		default:
			return
		}
		for slot := first; slot < first+n; slot++ {
			do(slot)
		}
	}
	o := in.op.info().operands
	each(o.b, in.b)
	each(o.c, in.c)
	each(o.a, in.a)
}

// The cycles from an operation to the first that can use its result. Those of memory are rounded
// from what Luo et al. measured on an NVIDIA H100 ("Benchmarking and Dissecting the Nvidia Hopper
// GPU Architecture", 2024): loads that hit the nearest cache or the next one, and workgroup memory.
// The others are rough.
const (
	cyclesOfHit       = 40
	cyclesOfMiss      = 260
	cyclesOfWorkgroup = 30
	cyclesOfAtomic    = 100
	cyclesOfFunction  = 24
	cyclesOfDivision  = 36
	cyclesOfFloat     = 4
	cyclesOfBarrier   = 20
)

// latency returns the cycles from an instruction to the first that can use its result; load is that
// of a load from a buffer.
func (p *Program) latency(in *instr, class Arithmetic, load uint32) uint32 {
	info := in.op.info()
	switch {
	case info.access == Atomic:
		return cyclesOfAtomic
	case info.access == Read && info.memory == inShared:
		return cyclesOfWorkgroup
	case info.access == Read && info.memory == inBuffers && !p.loadsUniform(in):
		return load
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
	for pc := code.from; pc < code.to; pc++ {
		in := &p.code[pc]
		from := uint32(0)
		takes := p.latency(in, classes[pc], load)
		if takes > 0 {
			operations++
		}
		in.uses(func(slot uint32) { from = max(from, ready[slot]) }, func(slot uint32) { ready[slot] = from + takes })
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
	inner := make([]bool, len(p.code))
	for pc, in := range p.code {
		if in.op == opLoop && p.overlaps(p.code[in.c:pc]) {
			for i := in.c; i < uint32(pc); i++ {
				inner[i] = true
			}
		}
	}
	return inner
}

func (p *Program) overlaps(body []instr) bool {
	reads, writes := false, false
	for i := range body {
		info := body[i].op.info()
		if body[i].op == opLoop || body[i].op == opBarrier || info.access == Atomic {
			return false
		}
		reads = reads || info.access == Read && info.memory != inSlots
		writes = writes || info.access == Write && info.memory != inSlots
	}
	return (!reads || !writes) && p.countable(body)
}

// countable reports whether a compiler can tell from a loop's bounds how many rounds are left, as
// it has to before it lets rounds overlap. It can't if the number that is compared grows by one
// that isn't known.
func (p *Program) countable(body []instr) bool {
	compared := map[uint32]bool{}
	for i := range body {
		if body[i].op.info().jumps() {
			compared[body[i].a], compared[body[i].b] = true, true
		}
	}
	return !slices.ContainsFunc(body, func(in instr) bool {
		sum := in.op == opAddI || in.op == opAddU || in.op == opAddIWatched || in.op == opAddUWatched
		return sum && in.a == in.b && compared[in.a] && !p.isConstant(in.c)
	})
}

// live returns the largest number of values that an invocation holds at once: those that it will
// still read, with all elements of its own arrays. Constants don't count.
func (p *Program) live() int {
	most := 0
	alive := p.aliveAtLeaders()
	leaders := p.leaders()
	for i := range leaders[:len(leaders)-1] {
		now := alive.out(p, span{leaders[i], leaders[i+1]})
		for pc := int(leaders[i+1]) - 1; pc >= int(leaders[i]); pc-- {
			now.before(p, &p.code[pc])
			most = max(most, len(now))
		}
	}
	return most + p.indexedWords()
}

// indexedWords returns the words of the arrays that an invocation accesses by an index.
func (p *Program) indexedWords() (words int) {
	reached := slices.ContainsFunc(p.code, func(in instr) bool { return in.op == opLoadSlots || in.op == opStoreSlots })
	for _, v := range p.variables {
		if _, isArray := v.object.Store().(*types.Array); isArray && reached && v.where == inSlots && v.slots == nil {
			words += int(p.flatWords(v.object.Store()))
		}
	}
	return words
}

// alive is a set of slots.
type alive map[uint32]struct{}

// before changes the set from after an instruction to before it.
func (a alive) before(p *Program, in *instr) {
	keeps := in.op.info().operands.a == writeIf
	var reads []uint32
	in.uses(func(slot uint32) { reads = append(reads, slot) }, func(slot uint32) {
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
			for pc := int(code.to) - 1; pc >= int(code.from); pc-- {
				now.before(p, &p.code[pc])
			}
			if len(now) > len(at[code.from]) {
				at[code.from], again = now, true
			}
		}
	}
	return at
}

// out returns the slots that are alive after a block: those before the blocks that may follow.
func (at aliveAt) out(p *Program, code span) alive {
	now := alive{}
	for _, next := range p.following(code.to - 1) {
		for slot := range at[next] {
			now[slot] = struct{}{}
		}
	}
	return now
}

// following returns the instructions that may run after the last one of a block. A function may
// return to wherever it is called.
func (p *Program) following(pc uint32) (next []uint32) {
	switch in := &p.code[pc]; {
	case in.op == opEnd:
	case in.op == opReturn:
		for i := range p.code {
			if f := p.functionAt(pc); p.code[i].op == opCall && f != nil && f.code.has(p.code[i].c) {
				next = append(next, uint32(i+1))
			}
		}
	case in.op == opJump, in.op == opLoop, in.op == opCall:
		next = []uint32{in.c}
	case in.op.info().operands.c == target:
		next = []uint32{in.c, pc + 1}
	default:
		next = []uint32{pc + 1}
	}
	return next
}
