package sim

import (
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// An estimate is a float in 64 bits, with a bound for the error of any shader that computes the
// same in f32. It is a sum of terms, which another shader may add in another order.
type estimate struct {
	bits  uint32  // the value in f32: what the slot or the word holds, or else this is another value's estimate
	terms uint32  // number of terms; 0 in an estimate of nothing
	value float64 // their sum
	size  float64 // the sum of their magnitudes
	wrong float64 // the sum of their errors
}

// roundoff is the largest relative error of rounding to f32 (IEEE 754 binary32).
const roundoff = 0x1p-24

// smallest is the smallest f32 that is not subnormal. Smaller ones may become 0 (§ 15.7.2).
const smallest = 0x1p-126

// otherWays is a factor for the errors of functions and quotients: another right shader may compute
// them in another way, such as exp2(x * log2(e)) for exp(x).
const otherWays = 2

// bound returns the largest error: that of the terms, and a rounding for each addition, relative to
// all terms together.
func (e *estimate) bound() float64 {
	if e.terms == 1 {
		return e.wrong
	}
	return e.wrong + float64(e.terms-1)*roundoff*e.size
}

func (e *estimate) within() numeric.Interval {
	by := e.bound()
	return numeric.Interval{Low: e.value - by, High: e.value + by}
}

// exactly returns the estimate of a number that has no error.
func exactly(bits uint32) estimate {
	v := ir.F64(bits)
	return estimate{bits: bits, terms: 1, value: v, size: math.Abs(v)}
}

// term returns the estimate of a value that is no sum. Zero times anything is anything.
func term(value, size, wrong float64) estimate {
	if wrong != wrong {
		wrong = math.Inf(1)
	}
	if wrong > 0 && math.Abs(value) < smallest {
		wrong += smallest
	}
	return estimate{bits: ir.Rounded(value), terms: 1, value: value, size: size, wrong: wrong}
}

func sum(x, y estimate) estimate {
	switch {
	case x.size == 0 && x.wrong == 0:
		return y
	case y.size == 0 && y.wrong == 0:
		return x
	}
	value := x.value + y.value
	return estimate{bits: ir.Rounded(value), terms: x.terms + y.terms, value: value, size: x.size + y.size, wrong: x.wrong + y.wrong}
}

func negative(x estimate) estimate {
	x.value, x.bits = -x.value, x.bits^sign32
	return x
}

// product bounds the error relative to the sizes, not the values: another shader may multiply the
// terms one by one.
func product(x, y estimate) estimate {
	value, size := x.value*y.value, x.size*y.size
	a, b := x.bound(), y.bound()
	wrong := x.size*b + y.size*a + a*b
	if wrong > 0 || float64(float32(value)) != value {
		wrong += roundoff * size
	}
	return term(value, size, wrong)
}

// quotient rounds by 2.5 ulp, if the divisor is between 2^-126 and 2^126 (§ 15.7.4). A dividend
// that may be 0 or not leaves NaN or an infinity when the divisor is 0.
func quotient(x, y estimate) estimate {
	value, a, b := x.value/y.value, x.bound(), y.bound()
	divisor := math.Abs(y.value)
	switch {
	case y.value == 0 && b == 0 && (a == 0 || math.Abs(x.value)-a >= smallest):
		return term(value, math.Abs(value), 0)
	case divisor-b < smallest || divisor+b > 0x1p126:
		return term(value, math.Abs(value), math.Inf(1))
	}
	size := x.size / divisor
	return term(value, size, (a+size*b)/(divisor-b)+otherWays*2.5*2*roundoff*size)
}

// An exactRun computes floats in 64 bits beside a run. The machine stops for it before each
// instruction that may touch a float.
type exactRun struct {
	*shadow[estimate]
	code      []ir.Instr
	undecided []bool // for each instruction, whether the errors decide what it does
	whole     []bool // for each function of one scalar, whether that is a whole number
	real1     []func(float64) float64
	real2     []func(a, b float64) float64
	within    [3][]func(x ...numeric.Interval) numeric.Interval // by the number of operands and the function
}

func (d *dispatch) newExactRun() *exactRun {
	e := &exactRun{code: slices.Clone(d.Code), undecided: make([]bool, len(d.Code))}
	floats := d.floatSlots()
	for i := range e.code {
		if d.touchesFloat(i, floats) {
			e.code[i].Op = ir.OpStatement
		}
	}
	for _, f := range ir.Functions1 {
		e.whole = append(e.whole, takesWhole(f.Name))
		e.real1, e.within[0] = append(e.real1, numeric.Float1[f.Name]), append(e.within[0], numeric.Functions[f.Name])
	}
	for _, f := range ir.Functions2 {
		e.real2, e.within[1] = append(e.real2, numeric.Float2[f.Name]), append(e.within[1], numeric.Functions[f.Name])
	}
	for _, f := range ir.Functions3 {
		e.within[2] = append(e.within[2], numeric.Functions[f.Name])
	}
	return e
}

// takesWhole reports whether a function of one scalar takes a whole number, by its name.
func takesWhole(name string) bool {
	return slices.ContainsFunc([]string{"i32:", "u32:", "bool:", "unpack"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// enter clears what ends with a workgroup. Estimates in slots are known by their bits.
func (e *exactRun) enter() { clear(e.shared) }

func (e *exactRun) meet(*machine) {}

// joined estimates the sums and products of a subgroup. Other functions pass estimates on.
func (e *exactRun) joined(m *machine, j joining) {
	combine, none := sum, exactly(0)
	switch j.in.N {
	case ir.SubgroupAdd, ir.SubgroupExclusiveAdd, ir.SubgroupInclusiveAdd:
	case ir.SubgroupMul, ir.SubgroupExclusiveMul, ir.SubgroupInclusiveMul:
		combine, none = product, exactly(math.Float32bits(1))
	default:
		e.shadow.joined(m, j)
		return
	}
	if !ir.IsFloat(j.kind) {
		return
	}
	took := make([]estimate, len(j.active))
	for i, inv := range j.active {
		took[i] = exactly(j.took[i])
		if known := e.slots[inv.local][j.in.B]; known.terms > 0 && known.bits == j.took[i] {
			took[i] = known
		}
	}
	for i, got := range fold(j.in.N, took, none, combine) {
		e.set(j.active[i], j.in.A, got)
	}
}

// floatSlots returns the slots that hold a float at some time.
func (p *Program) floatSlots() []bool {
	floats := make([]bool, len(p.Initial))
	for again := true; again; {
		again = false
		for i := range p.Code {
			for slot := range p.makesFloats(i, floats) {
				again = again || !floats[slot]
				floats[slot] = true
			}
		}
	}
	return floats
}

// makesFloats yields the slots to which an instruction may write a float.
func (p *Program) makesFloats(i int, floats []bool) func(yield func(slot uint32) bool) {
	in, info := &p.Code[i], p.Code[i].Op.Info()
	from, n := in.A, uint32(0)
	switch {
	case in.Op == ir.OpApply1 && ir.Functions1[in.N].Float, in.Op == ir.OpApply2 && ir.Functions2[in.N].Float, in.Op == ir.OpApply3 && ir.Functions3[in.N].Float,
		info.Of == ir.FloatKind && info.Operands.A == ir.OperandWrite,
		in.Op == ir.OpMove && floats[in.B], in.Op == ir.OpMoveIf && floats[in.C]:
		n = 1
	case in.Op == ir.OpSubgroup && ir.IsFloat(p.Notes[i].Kind):
		n = 1
	case info.Access == ir.Read && (p.Notes[i].Float || in.N > 1):
		n = uint32(in.N)
	case in.Op == ir.OpMoveRow && slices.Contains(floats[in.B:in.B+in.C], true):
		n = in.C
	case in.Op == ir.OpStoreSlots && slices.Contains(floats[in.A:in.A+uint32(in.N)], true):
		from, n = 0, uint32(len(floats)) // at any address
	}
	return func(yield func(slot uint32) bool) {
		for slot := from; slot < from+n && yield(slot); slot++ {
		}
	}
}

// touchesFloat reports whether an instruction may read or write a float.
func (p *Program) touchesFloat(i int, floats []bool) bool {
	in, info := &p.Code[i], p.Code[i].Op.Info()
	switch {
	case info.Of == ir.FloatKind:
		return true
	case in.Op == ir.OpApply1:
		return ir.Functions1[in.N].Float || floats[in.B]
	case in.Op == ir.OpApply2:
		return ir.Functions2[in.N].Float || floats[in.B] || floats[in.C]
	case in.Op == ir.OpApply3:
		return ir.Functions3[in.N].Float || slices.Contains(floats[in.B:in.B+3], true)
	case in.Op == ir.OpMove, in.Op == ir.OpMoveIf:
		return floats[in.A]
	case in.Op == ir.OpMoveRow, in.Op == ir.OpZero:
		return slices.Contains(floats[in.A:in.A+in.C], true)
	case info.Access == ir.Read, info.Access == ir.Write:
		return slices.Contains(floats[in.A:in.A+uint32(in.N)], true)
	}
	return false
}

// at returns the estimate of the float in a slot.
func (e *exactRun) at(inv *invocation, slot uint32) estimate {
	bits := inv.slots[slot]
	if known := &e.slots[inv.local][slot]; known.terms > 0 && known.bits == bits {
		return *known
	}
	return exactly(bits)
}

func (e *exactRun) set(inv *invocation, slot uint32, to estimate) {
	inv.slots[slot], e.slots[inv.local][slot] = to.bits, to
}

// stopped executes the instructions before which the machine stops, up to the next that touches no
// float.
func (e *exactRun) stopped(m *machine, inv *invocation) {
	for pc := inv.pc - 1; ; inv.pc++ {
		e.execute(m, inv, pc)
		if pc = inv.pc; e.code[pc].Op != ir.OpStatement {
			return
		}
	}
}

// execute executes one instruction. Loads of elements, sums and products come first: most loops
// consist of them.
func (e *exactRun) execute(m *machine, inv *invocation, pc uint32) {
	in := &m.Program.Code[pc]
	switch in.Op {
	case ir.OpLoadElement, ir.OpLoadWorkgroup:
		e.load1(m, inv, in)
	case ir.OpAddF:
		e.set(inv, in.A, sum(e.at(inv, in.B), e.at(inv, in.C)))
	case ir.OpMulF:
		e.set(inv, in.A, product(e.at(inv, in.B), e.at(inv, in.C)))
	case ir.OpSubF:
		e.set(inv, in.A, sum(e.at(inv, in.B), negative(e.at(inv, in.C))))
	case ir.OpMove:
		inv.slots[in.A] = inv.slots[in.B]
		e.slots[inv.local][in.A] = e.slots[inv.local][in.B]
	case ir.OpStatement:
	default:
		e.seldom(m, inv, pc, in)
	}
}

// seldom executes all other instructions.
func (e *exactRun) seldom(m *machine, inv *invocation, pc uint32, in *ir.Instr) {
	switch info := in.Op.Info(); {
	case info.Access == ir.Read, info.Access == ir.Write:
		e.touch(m, inv, in, info)
	case info.Jumps():
		if e.compare(inv, pc, in.A, in.B, in.Op) {
			inv.pc = in.C
		}
	case info.Jump != 0:
		inv.slots[in.A] = ir.Truth(e.compare(inv, pc, in.B, in.C, info.Jump))
	case e.follow(m, inv, in):
		e.move(inv, in)
	default:
		e.compute(inv, pc, in)
	}
}

// load1 loads one word, or leaves the rest to touch.
func (e *exactRun) load1(m *machine, inv *invocation, in *ir.Instr) {
	words, known, word := m.buffers, e.buffers, uint32(0)
	if in.Op == ir.OpLoadElement {
		run := &m.runs[in.C]
		if word = run.base>>2 + inv.slots[in.B]; inv.slots[in.B] >= run.length {
			word = ir.NoAddress
		}
	} else {
		words, known, word = m.shared, e.shared, inv.slots[in.B]+in.C
	}
	if in.N != 1 || word >= uint32(len(words)) {
		e.touch(m, inv, in, in.Op.Info())
		return
	}
	inv.slots[in.A] = words[word]
	if from, to := &known[word], &e.slots[inv.local][in.A]; from.terms > 0 {
		*to = *from
	} else {
		to.terms = 0
	}
}

// touch loads or stores.
func (e *exactRun) touch(m *machine, inv *invocation, in *ir.Instr, info *ir.Instruction) {
	slots := inv.slots[in.A : in.A+uint32(in.N)]
	word, ok := m.reach(inv, in)
	if info.Access == ir.Read {
		e.load(m, inv, in)
		clear(slots)
		if ok {
			copy(slots, m.words(info.Memory, inv)[word:])
		}
	} else if ok {
		e.store(m, inv, in)
		copy(m.words(info.Memory, inv)[word:], slots)
	}
}

// move does to the slots what follow did to their estimates.
func (e *exactRun) move(inv *invocation, in *ir.Instr) {
	slots := inv.slots
	switch in.Op {
	case ir.OpMoveRow:
		copy(slots[in.A:in.A+in.C], slots[in.B:in.B+in.C])
	case ir.OpZero:
		clear(slots[in.A : in.A+in.C])
	case ir.OpMoveIf:
		if slots[in.B] != 0 {
			slots[in.A] = slots[in.C]
		}
	}
}

// compare compares the floats in two slots as a jump does.
func (e *exactRun) compare(inv *invocation, pc, a, b uint32, jump ir.Opcode) bool {
	x, y := e.at(inv, a), e.at(inv, b)
	if by := x.bound() + y.bound(); by > 0 && math.Abs(x.value-y.value) <= by {
		e.undecided[pc] = true
	}
	switch jump {
	case ir.OpJumpEqF:
		return x.value == y.value
	case ir.OpJumpNeF:
		return x.value != y.value
	case ir.OpJumpLtF:
		return x.value < y.value
	case ir.OpJumpLeF:
		return x.value <= y.value
	case ir.OpJumpNotLtF:
		return !(x.value < y.value)
	default:
		return !(x.value <= y.value)
	}
}

func (e *exactRun) compute(inv *invocation, pc uint32, in *ir.Instr) {
	switch in.Op {
	case ir.OpDivF:
		e.set(inv, in.A, quotient(e.at(inv, in.B), e.at(inv, in.C)))
	case ir.OpNegF:
		e.set(inv, in.A, negative(e.at(inv, in.B)))
	case ir.OpAbsF:
		x := e.at(inv, in.B)
		if x.value < 0 {
			x = negative(x)
		}
		e.set(inv, in.A, x)
	case ir.OpMinF, ir.OpMaxF:
		e.set(inv, in.A, choice(e.at(inv, in.B), e.at(inv, in.C), in.Op == ir.OpMaxF))
	case ir.OpApply1:
		x := e.at(inv, in.B)
		if e.whole[in.N] {
			x = exactly(inv.slots[in.B])
		}
		e.apply(inv, pc, in, ir.Functions1[in.N].Float, x)
	case ir.OpApply2:
		e.apply(inv, pc, in, ir.Functions2[in.N].Float, e.at(inv, in.B), e.at(inv, in.C))
	case ir.OpApply3:
		e.apply3(inv, pc, in)
	case ir.OpRemF:
		e.set(inv, in.A, e.image(in, e.at(inv, in.B), e.at(inv, in.C)))
	default: // OpRoundH
		e.set(inv, in.A, e.image(in, e.at(inv, in.B)))
	}
}

// choice returns the larger or the smaller of two floats. If the errors decide which, it has the
// error of both.
func choice(x, y estimate, larger bool) estimate {
	if x.value != x.value || (x.value < y.value) == larger {
		x, y = y, x
	}
	if by := x.bound() + y.bound(); by > 0 && math.Abs(x.value-y.value) < by {
		x.wrong += y.bound()
	}
	return x
}

// apply3 calls a function of three scalars. For fma and mix the sums and products count one by one.
func (e *exactRun) apply3(inv *invocation, pc uint32, in *ir.Instr) {
	x, y, z := e.at(inv, in.B), e.at(inv, in.B+1), e.at(inv, in.B+2)
	switch ir.Functions3[in.N].Name {
	case "fma":
		e.set(inv, in.A, sum(product(x, y), z))
	case "mix":
		one := exactly(ir.BitsOf(1))
		e.set(inv, in.A, sum(product(x, sum(one, negative(z))), product(y, z)))
	default:
		e.apply(inv, pc, in, ir.Functions3[in.N].Float, x, y, z)
	}
}

// apply calls a function.
func (e *exactRun) apply(inv *invocation, pc uint32, in *ir.Instr, float bool, of ...estimate) {
	if float {
		e.set(inv, in.A, e.image(in, of...))
		return
	}
	value := e.call(in, 0, 0, of)
	for corner := range 1 << len(of) {
		e.undecided[pc] = e.undecided[pc] || bounded(of) && e.call(in, corner, 1, of) != value
	}
	inv.slots[in.A] = uint32(value)
}

// bounded reports whether a function's operands have errors.
func bounded(of []estimate) bool {
	return slices.ContainsFunc(of, func(x estimate) bool { return x.bound() > 0 })
}

// image returns the estimate of a function of estimates: as far from its value as it can get within
// their errors and the accuracy that WGSL asks for.
func (e *exactRun) image(in *ir.Instr, of ...estimate) estimate {
	value := e.call(in, 0, 0, of)
	if within := e.accuracyOf(in); within != nil {
		x := make([]numeric.Interval, len(of))
		for i := range of {
			x[i] = of[i].within()
		}
		result := within(x...)
		far := max(result.High-value, value-result.Low)
		return term(value, math.Abs(value), far+(otherWays-1)*max(far-e.spread(in, value, of), 0))
	}
	wrong := e.spread(in, value, of)
	if wrong > 0 || float64(float32(value)) != value {
		wrong += otherWays * 3 * 2 * roundoff * math.Abs(value) // unpacking a number rounds by 3 ulp, other functions by less
	}
	return term(value, math.Abs(value), wrong)
}

// spread returns how far the errors of the operands move a function's value.
func (e *exactRun) spread(in *ir.Instr, value float64, of []estimate) (far float64) {
	if bounded(of) {
		for corner := range 1 << len(of) {
			far = max(far, math.Abs(e.call(in, corner, 1, of)-value))
		}
	}
	return far
}

func (e *exactRun) accuracyOf(in *ir.Instr) func(x ...numeric.Interval) numeric.Interval {
	switch in.Op {
	case ir.OpApply1:
		return e.within[0][in.N]
	case ir.OpApply2:
		return e.within[1][in.N]
	case ir.OpApply3:
		return e.within[2][in.N]
	}
	return nil
}

// call calls an instruction's function at a corner of its operands' errors: bit i says whether
// operand i is at its upper or at its lower end. far is 0 for the operands themselves.
func (e *exactRun) call(in *ir.Instr, corner int, far float64, of []estimate) float64 {
	var x [3]float64
	for i := range of {
		x[i] = of[i].value
		if far == 0 {
			continue // an error without a bound, times 0, is no number
		}
		if by := far * of[i].bound(); corner>>i&1 == 0 {
			x[i] -= by
		} else {
			x[i] += by
		}
	}
	bits := func(i int) uint32 {
		if far == 0 {
			return of[i].bits
		}
		return ir.Rounded(x[i])
	}
	number := func(float bool, bits uint32) float64 {
		if float {
			return ir.F64(bits)
		}
		return float64(bits)
	}
	switch in.Op {
	case ir.OpRemF:
		return math.Mod(x[0], x[1])
	case ir.OpRoundH:
		return ir.F64(ir.RoundF16(bits(0)))
	case ir.OpApply1:
		if f := e.real1[in.N]; f != nil {
			return f(x[0])
		}
		return number(ir.Functions1[in.N].Float, ir.Functions1[in.N].Call(bits(0)))
	case ir.OpApply2:
		if f := e.real2[in.N]; f != nil {
			return f(x[0], x[1])
		}
		return number(ir.Functions2[in.N].Float, ir.Functions2[in.N].Call(bits(0), bits(1)))
	}
	return number(ir.Functions3[in.N].Float, ir.Functions3[in.N].Call(bits(0), bits(1), bits(2)))
}

// Margins returns for each word of a buffer how far another right shader's float may be from the
// one that an exact run left, which is rounded itself. It is 0 for whole numbers and for floats
// that cannot be wrong, and infinite if WGSL allows any value.
func (r *Result) Margins(p *Program, group, binding uint32) []float64 {
	i := slices.IndexFunc(p.Bindings, func(b ir.Binding) bool { return b.Group == group && b.Number == binding })
	if i < 0 || r.exact == nil {
		return nil
	}
	region := r.regions[i]
	margins := make([]float64, region.size/4)
	for j := range margins {
		word := region.base/4 + uint32(j)
		known := &r.exact.buffers[word]
		if known.terms == 0 || known.bits != r.words[word] {
			continue
		}
		switch by := known.bound(); {
		case math.IsInf(by, 1):
			margins[j] = by // the value may be NaN
		case by > 0:
			margins[j] = by + roundoff*math.Abs(known.value)
		}
	}
	return margins
}

// Undecided returns the places where the rounding of floats decides what an exact run did next:
// other right shaders may do something else there.
func (r *Result) Undecided(p *Program) []findings.Region {
	if r.exact == nil {
		return nil
	}
	var places []findings.Region
	for pc, undecided := range r.exact.undecided {
		if undecided {
			places = append(places, p.Source.Region(p.Notes[pc].Span))
		}
	}
	return places
}
