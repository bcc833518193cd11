package sim

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Whole numbers that pass through floats may be rounded: an f16 holds all of them only up to 2,048,
// an f32 up to 2^24. Rounded finds those that become an index, a bound or a stored number. It runs
// the dispatch once more, and keeps beside each slot what the number would be without rounding.
//
// A coordinate times a size is rounded as well, and right all the same. So what isn't made of whole
// numbers alone counts only if it is wrong by a half or more.

// The significant bits of an f32 and an f16 (IEEE 754).
const wholeBitsF32, wholeBitsF16 = 24, 11

// A notRounded is what a slot would hold without rounding.
type notRounded struct {
	bits  uint32    // what the slot holds; or else this belongs to another value
	known bool      // of a float: it comes from a whole number; of a whole number: it is wrong
	value float64   // of a float
	whole uint32    // of a whole number
	pure  bool      // all that it is made of is whole numbers
	half  bool      // an f16 took part
	lost  bool      // it is a quotient of whole numbers, of which one was rounded
	made  uint32    // the instruction that made a wrong whole number of a float
	was   [2]uint32 // what that made, and what it would have made
}

// mostRounded limits how many findings a run tells, and roundedSteps how far a dispatch is
// followed.
const (
	mostRounded  = 4
	roundedSteps = 20_000_000
)

// Rounded runs the program again, from the same buffers, and reports whole numbers that were
// rounded on their way through floats. It doesn't change the buffers. A long run is followed only
// so far: then all is false.
func (p *Program) Rounded(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer) (found []findings.Finding, all bool, err error) {
	follows := p.roundedSlots()
	if !p.mayRound(follows) {
		return nil, true, nil
	}
	r, err := p.Rerun(ctx, workgroups, buffers)
	if err != nil {
		return nil, false, err
	}
	r.dispatch.limit.left.Store(roundedSteps)
	m := r.machine
	seen := &rounding{shadow: &shadow[notRounded]{}, follows: follows, told: map[uint32]bool{}, later: map[uint32]findings.Finding{}}
	for range m.invs {
		seen.slots = append(seen.slots, make([]notRounded, len(m.Initial)))
	}
	seen.stops = stopping(m.Program.Code, func(pc int) bool { return seen.concerns(&m.Program.Code[pc]) })
	seen.shared, seen.buffers = pagesFor[notRounded](uint32(len(m.shared))), pagesFor[notRounded](uint32(len(m.buffers))<<halfShift(p.Program))
	m.beside, m.code = seen, seen.code
	for number := uint64(0); number < r.dispatch.groups && len(seen.found) < mostRounded && !r.dispatch.stopped.Load(); number++ {
		m.enter(number, workgroups)
		if err := m.refill(r.dispatch); err != nil {
			return nil, false, err
		}
		if err := m.runGroup(r.dispatch); err != nil {
			return nil, false, err
		}
	}
	for _, made := range slices.Sorted(maps.Keys(seen.later)) {
		if !seen.told[made] && len(seen.found) < mostRounded {
			seen.found = append(seen.found, seen.later[made])
		}
	}
	return seen.found, len(seen.found) == mostRounded || !r.dispatch.stopped.Load(), nil
}

// named reports whether an instruction is one of these functions of one scalar.
func named(in *ir.Instr, names ...string) bool {
	return in.Op == ir.OpApply1 && slices.Contains(names, ir.Functions1[in.N].Name)
}

func toWhole(in *ir.Instr) bool   { return named(in, "f32:u32", "f32:i32") }
func fromWhole(in *ir.Instr) bool { return named(in, "u32:f32", "i32:f32") }

// A followed says which slots, and which kinds of memory, may hold a whole number as a float, or
// what is made of one.
type followed struct {
	slots  []bool
	memory map[ir.MemoryKind]bool
}

// roundedSlots returns what may hold a whole number as a float.
func (p *Program) roundedSlots() followed {
	f := followed{make([]bool, len(p.Initial)), map[ir.MemoryKind]bool{}}
	for again := true; again; {
		again = false
		for pc := range p.Code {
			from, to := p.passesOn(pc, f)
			if info := p.Code[pc].Op.Info(); from && info.Access == ir.Write && !f.memory[info.Memory] {
				f.memory[info.Memory], again = true, true
			}
			for _, slot := range to {
				again = again || from && !f.slots[slot]
				f.slots[slot] = f.slots[slot] || from
			}
		}
	}
	return f
}

// passesOn reports whether an instruction passes on a value that is followed, and to which slots it
// writes.
func (p *Program) passesOn(pc int, f followed) (from bool, to []uint32) {
	in := &p.Code[pc]
	row := p.Notes[pc].Row
	if row.To == 0 {
		row.To = uint32(len(f.slots)) // it may be any variable
	}
	in.Uses(func(slot uint32) { from = from || f.slots[slot] }, func(slot uint32) { to = append(to, slot) })
	switch info := in.Op.Info(); {
	case fromWhole(in), p.countsInFloats(pc):
		return true, to
	case in.Op == ir.OpLoadSlots:
		return slices.Contains(f.slots[row.From:row.To], true), to
	case in.Op == ir.OpStoreSlots:
		for slot := row.From; slot < row.To; slot++ {
			to = append(to, slot)
		}
		return slices.Contains(f.slots[in.A:in.A+uint32(in.N)], true), to
	case info.Access == ir.Read:
		return f.memory[info.Memory] && !p.constantArray(in), to
	case info.Access == ir.Write:
		return slices.Contains(f.slots[in.A:in.A+uint32(in.N)], true), nil
	case info.Access != 0, in.Op == ir.OpSubgroup, in.Op == ir.OpSample, info.Operands.A == ir.OperandWriteBool, info.Operands.A == ir.OperandWriteAddress:
		return false, to
	}
	return from, to
}

// constantArray reports whether an instruction reads an array that the shader doesn't write.
func (p *Program) constantArray(in *ir.Instr) bool {
	return in.Op == ir.OpLoadElement && !p.Bindings[p.Arrays[in.C].Binding].Writable
}

// countsInFloats reports whether an instruction adds a constant to a float, as x += 1.0 does.
func (p *Program) countsInFloats(pc int) bool {
	in := &p.Code[pc]
	if in.Op != ir.OpAddF && in.Op != ir.OpSubF {
		return false
	}
	to := in.A
	if next := &p.Code[pc+1]; next.Op == ir.OpRoundH && next.B == to {
		to = next.A
	}
	pinned := func(slot uint32) bool { return int(slot) < len(p.Pinned) && p.Pinned[slot] }
	return to == in.B && pinned(in.C) || to == in.C && pinned(in.B)
}

// mayRound reports whether the program makes whole numbers of floats that it made of whole numbers,
// or compares two such floats.
func (p *Program) mayRound(f followed) bool {
	return slices.ContainsFunc(p.Code, func(in ir.Instr) bool {
		a, b, compares := comparesFloats(&in)
		return toWhole(&in) && f.slots[in.B] || compares && f.slots[a] && f.slots[b]
	})
}

// comparesFloats returns the slots of the floats that an instruction compares.
func comparesFloats(in *ir.Instr) (a, b uint32, compares bool) {
	switch info := in.Op.Info(); {
	case info.Of != ir.FloatKind:
	case info.Jumps():
		return in.A, in.B, true
	case info.Jump != 0:
		return in.B, in.C, true
	}
	return 0, 0, false
}

// A rounding looks on at a run, and keeps what slots and memory would hold without rounding.
type rounding struct {
	*shadow[notRounded]
	stops
	follows followed
	told    map[uint32]bool // by the instruction that made the number
	found   []findings.Finding
	later   map[uint32]findings.Finding // remarks, if no error is found of the same number

	shared  pages[notRounded]
	buffers pages[notRounded] // by words, or by halves if the program has f16
}

// enter clears what ends with a workgroup.
func (s *rounding) enter() {
	s.shadow.enter()
	clear(s.shared.pages)
}

// concerns reports whether an instruction reads or writes a slot or a memory that is followed.
func (s *rounding) concerns(in *ir.Instr) (yes bool) {
	note := func(slot uint32) { yes = yes || s.follows.slots[slot] }
	in.Uses(note, note)
	if info := in.Op.Info(); info.Access == ir.Write {
		yes = yes || s.follows.memory[info.Memory]
	}
	return yes && in.Op != ir.OpCall && in.Op != ir.OpReturn && in.Op != ir.OpSubgroup
}

// moves does to what is known of memory what a load or a store does. It runs before that.
func (s *rounding) moves(m *machine, inv *invocation, in *ir.Instr) {
	info := in.Op.Info()
	where, step := &s.shared, uint32(1)
	word, ok := m.reach(inv, in)
	if info.Memory == ir.InBuffers {
		where, step = &s.buffers, 1<<halfShift(m.Program)
		word *= step
	}
	if in.Op == ir.OpLoadHalf || in.Op == ir.OpStoreHalf {
		word = (inv.slots[in.B] + in.C) / 2
	}
	for i := range max(uint32(in.N), 1) {
		slot := &s.slots[inv.local][in.A+i]
		switch at := word + i*step; {
		case !ok && info.Access == ir.Read:
			*slot = notRounded{}
		case !ok:
		case info.Access == ir.Write:
			*where.at(at) = *slot
		default:
			*slot = *where.at(at)
		}
	}
}

func (*rounding) meet(*machine) {}

func (s *rounding) joined(_ *machine, j joining) {
	for _, inv := range j.active {
		s.slots[inv.local][j.in.A] = notRounded{}
	}
}

// at returns what is known of a slot. Of a float from elsewhere, that is its value.
func (s *rounding) at(inv *invocation, slot uint32) notRounded {
	bits := inv.slots[slot]
	if k := s.slots[inv.local][slot]; k.known && k.bits == bits {
		return k
	}
	v := ir.F64(bits)
	return notRounded{bits: bits, value: v, whole: bits, pure: v == math.Trunc(v) && math.Abs(v) < 1<<53}
}

// stopped executes the next instruction, and follows it.
func (s *rounding) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.Program.Code[pc]
	info := in.Op.Info()
	_, _, compares := comparesFloats(&in)
	switch {
	case s.follow(m, inv, &in):
		s.execute(m, inv, pc, in)
	case fromWhole(&in):
		s.float(m, inv, pc, in, s.ofWhole(inv, &in))
	case toWhole(&in):
		s.toWhole(m, inv, pc, in)
	case compares:
		s.compareFloats(m, inv, pc, in)
	case info.Of == ir.FloatKind, in.Op == ir.OpApply1 && ir.Functions1[in.N].Float, in.Op == ir.OpApply2 && ir.Functions2[in.N].Float,
		in.Op == ir.OpApply3 && ir.Functions3[in.N].Float:
		s.float(m, inv, pc, in, s.compute(inv, &in))
	case s.readsWrong(inv, &in):
		s.wrong(m, inv, pc, in)
	case (info.Access == ir.Read || info.Access == ir.Write) && in.Op != ir.OpTexel:
		s.moves(m, inv, &in)
		s.execute(m, inv, pc, in)
	default:
		s.execute(m, inv, pc, in)
		s.forget(inv, &in)
	}
}

func (s *rounding) forget(inv *invocation, in *ir.Instr) {
	in.Uses(func(uint32) {}, func(slot uint32) { s.slots[inv.local][slot] = notRounded{} })
}

// ofWhole is a whole number as a float.
func (s *rounding) ofWhole(inv *invocation, in *ir.Instr) notRounded {
	bits := inv.slots[in.B]
	if k := s.slots[inv.local][in.B]; k.known && k.bits == bits {
		bits = k.whole
	}
	value := float64(bits)
	if ir.Functions1[in.N].Name == "i32:f32" {
		value = float64(int32(bits))
	}
	return notRounded{known: true, value: value, pure: true}
}

// float executes an instruction that makes a float, and keeps what it would be without rounding.
func (s *rounding) float(m *machine, inv *invocation, pc uint32, in ir.Instr, k notRounded) {
	s.execute(m, inv, pc, in)
	s.slots[inv.local][in.A] = notRounded{}
	k.bits = inv.slots[in.A]
	if k.known && ir.Finite(k.bits) && !math.IsNaN(k.value) && !math.IsInf(k.value, 0) {
		s.slots[inv.local][in.A] = k
	}
}

// compute computes a float without rounding. What it doesn't know, such as a sine, isn't followed.
func (s *rounding) compute(inv *invocation, in *ir.Instr) (k notRounded) {
	x := s.at(inv, in.B)
	if in.Op == ir.OpApply3 {
		y, z := s.at(inv, in.B+1), s.at(inv, in.B+2)
		switch ir.Functions3[in.N].Name {
		case "fma":
			return joinedOf(x.value*y.value+z.value, x, y, z)
		case "clamp":
			return joinedOf(min(max(x.value, y.value), z.value), x, y, z)
		}
		return notRounded{}
	}
	if in.Op == ir.OpApply1 {
		return wholePart(ir.Functions1[in.N].Name, x)
	}
	y := x
	if in.Op.Info().Operands.C == ir.OperandRead {
		y = s.at(inv, in.C)
	}
	switch in.Op {
	case ir.OpAddF:
		return joinedOf(x.value+y.value, x, y)
	case ir.OpSubF:
		return joinedOf(x.value-y.value, x, y)
	case ir.OpMulF:
		k := joinedOf(x.value*y.value, x, y)
		k.lost = x.divided(1/y.value) || y.divided(1/x.value)
		return k
	case ir.OpDivF:
		k := joinedOf(x.value/y.value, x, y)
		k.lost = y.pure && x.divided(y.value)
		return k
	case ir.OpRemF:
		return joinedOf(math.Mod(x.value, y.value), x, y)
	case ir.OpMinF:
		return joinedOf(min(x.value, y.value), x, y)
	case ir.OpMaxF:
		return joinedOf(max(x.value, y.value), x, y)
	case ir.OpNegF:
		return joinedOf(-x.value, x)
	case ir.OpAbsF:
		return joinedOf(math.Abs(x.value), x)
	case ir.OpRoundH:
		x.half = true
		return x
	}
	return notRounded{}
}

// divided reports whether a rounded whole number that is divided by a whole number gives a quotient
// whose whole part may be wrong. A factor of a half is such a division as well; one that isn't
// exact is a scale.
func (k notRounded) divided(by float64) bool {
	return k.known && k.pure && ir.F64(k.bits) != k.value && by >= 1 && by < 1<<32 && by == math.Trunc(by) && 1/(1/by) == by
}

// joinedOf is a value that is made of others.
func joinedOf(value float64, of ...notRounded) notRounded {
	k := notRounded{value: value, pure: value == math.Trunc(value)}
	for _, x := range of {
		k.known, k.pure, k.half, k.lost = k.known || x.known, k.pure && x.pure, k.half || x.half, k.lost || x.lost
	}
	k.known = k.known || k.pure
	return k
}

// wholePart is the whole number that a function such as floor makes of a float. If rounding moved
// that by less than a half, whichever whole number it is now is the right one.
func wholePart(name string, x notRounded) notRounded {
	f, known := map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.RoundToEven}[name]
	if !known {
		return notRounded{}
	}
	now := ir.F64(x.bits)
	if !x.isWrong() && !x.lost {
		x.value = now
	}
	x.value, x.pure, x.lost = f(x.value), true, false
	return x
}

// isWrong reports whether a float was rounded so far that the whole number in it is another one.
func (k notRounded) isWrong() bool {
	off := math.Abs(ir.F64(k.bits) - k.value)
	return k.known && (off >= 0.5 || (k.pure || k.lost) && off > 0)
}

// toWhole converts a float to a whole number, and notes if it is a wrong one.
func (s *rounding) toWhole(m *machine, inv *invocation, pc uint32, in ir.Instr) {
	x := s.at(inv, in.B)
	s.execute(m, inv, pc, in)
	s.slots[inv.local][in.A] = notRounded{}
	right := numeric.ToU32(x.value)
	if ir.Functions1[in.N].Name == "f32:i32" {
		right = uint32(numeric.ToI32(x.value))
	}
	if got := inv.slots[in.A]; x.isWrong() && got != right {
		s.slots[inv.local][in.A] = notRounded{bits: got, known: true, whole: right, pure: x.pure || x.lost, half: x.half, made: pc, was: [2]uint32{got, right}}
	}
}

// compareFloats reports a comparison of rounded whole numbers that goes another way.
func (s *rounding) compareFloats(m *machine, inv *invocation, pc uint32, in ir.Instr) {
	a, b, _ := comparesFloats(&in)
	x, y := s.at(inv, a), s.at(inv, b)
	jump := in.Op
	if !in.Op.Info().Jumps() {
		jump = in.Op.Info().Jump
	}
	if (x.isWrong() || y.isWrong()) && x.pure && y.pure && holds(jump, x.value, y.value) != holds(jump, ir.F64(x.bits), ir.F64(y.bits)) && !s.told[pc] {
		s.told[pc] = true
		if m.swapsOperands(pc) {
			x, y = y, x
		}
		s.found = append(s.found, rounded(m, inv, pc, findings.Error, fmt.Sprintf("`%s` compares %.0f with %.0f and not %.0f with %.0f, because %s", m.Text(m.Notes[pc].Span),
			ir.F64(x.bits), ir.F64(y.bits), x.value, y.value, joinedOf(0, x, y).why())))
	}
	s.execute(m, inv, pc, in)
	if !in.Op.Info().Jumps() {
		s.slots[inv.local][in.A] = notRounded{}
	}
}

// swapsOperands reports whether an instruction compares the operands of the source in the other
// order, as > and >= become < and <=.
func (m *machine) swapsOperands(pc uint32) bool {
	span := m.Notes[pc].Span
	for x := range syntax.All[*syntax.BinaryExpr](m.Pipeline.Info.File) {
		if x.Span() == span {
			return x.Op == syntax.OpGreater || x.Op == syntax.OpGreaterEqual
		}
	}
	return false
}

// holds reports whether a jump that compares floats is taken.
func holds(jump ir.Opcode, x, y float64) bool {
	switch jump {
	case ir.OpJumpEqF:
		return x == y
	case ir.OpJumpNeF:
		return x != y
	case ir.OpJumpLtF:
		return x < y
	case ir.OpJumpLeF:
		return x <= y
	case ir.OpJumpNotLtF:
		return !(x < y)
	}
	return !(x <= y)
}

// readsWrong reports whether an instruction reads a wrong whole number.
func (s *rounding) readsWrong(inv *invocation, in *ir.Instr) (wrong bool) {
	in.Uses(func(slot uint32) {
		k := &s.slots[inv.local][slot]
		wrong = wrong || k.known && k.made > 0 && k.bits == inv.slots[slot]
	}, func(uint32) {})
	return wrong
}

// wrong executes an instruction that reads a wrong whole number: twice, if it computes with it.
func (s *rounding) wrong(m *machine, inv *invocation, pc uint32, in ir.Instr) {
	info := in.Op.Info()
	var of notRounded // the wrong one
	before := map[uint32]uint32{}
	in.Uses(func(slot uint32) {
		k := s.slots[inv.local][slot]
		if k.known && k.made > 0 && k.bits == inv.slots[slot] {
			of, before[slot] = k, inv.slots[slot]
		}
	}, func(uint32) {})
	_, indexes := before[in.B]
	switch {
	case indexes && (info.Operands.A == ir.OperandWriteAddress || info.Operands.C == ir.OperandArrayAt), in.Op == ir.OpTexel:
		s.used(m, inv, pc, of, asIndex)
	case info.Access == ir.Write, info.Access == ir.Atomic:
		if of.pure {
			s.keep(m, inv, pc, of, asResult)
		}
		if info.Access == ir.Write {
			s.moves(m, inv, &in)
		}
	case info.Access != 0, in.Op == ir.OpSample, in.Op == ir.OpTextureSize, in.Op == ir.OpStored:
	default:
		s.computes(m, inv, pc, in, of, before)
		return
	}
	s.execute(m, inv, pc, in)
	s.forget(inv, &in)
}

// computes executes an instruction with the right numbers, and then with the wrong ones.
func (s *rounding) computes(m *machine, inv *invocation, pc uint32, in ir.Instr, of notRounded, before map[uint32]uint32) {
	for slot := range before {
		inv.slots[slot] = s.slots[inv.local][slot].whole
	}
	s.execute(m, inv, pc, in)
	right, goes := inv.slots[in.A], inv.pc
	for slot, bits := range before {
		inv.slots[slot] = bits
	}
	s.execute(m, inv, pc, in)
	info := in.Op.Info()
	compares := info.Jumps() || info.Operands.A == ir.OperandWriteBool
	switch differs := info.Jumps() && goes != inv.pc || !info.Jumps() && right != inv.slots[in.A]; {
	case compares && differs:
		s.used(m, inv, pc, of, asBound)
	case compares && of.pure:
		s.keep(m, inv, pc, of, asBound)
	}
	if info.Jumps() {
		return
	}
	s.forget(inv, &in)
	if got := inv.slots[in.A]; !compares && right != got && (of.pure || of.half || keepsOrder(in.Op)) {
		of.bits, of.whole = got, right
		s.slots[inv.local][in.A] = of
	}
}

// keepsOrder reports whether an operation of whole numbers is one of those that an index is made
// with, and not a hash.
func keepsOrder(op ir.Opcode) bool {
	switch op {
	case ir.OpAddI, ir.OpAddU, ir.OpSubI, ir.OpSubU, ir.OpMulI, ir.OpMulU, ir.OpNegI, ir.OpMinI, ir.OpMinU, ir.OpMaxI, ir.OpMaxU, ir.OpApply3:
		return true
	}
	return false
}

const asIndex, asBound, asResult = "uses it as an index", "uses it as a bound", "gets it"

// used tells of a wrong whole number, once for each place that makes one.
func (s *rounding) used(m *machine, inv *invocation, pc uint32, of notRounded, uses string) {
	if !s.told[of.made] {
		s.told[of.made] = true
		s.found = append(s.found, s.use(m, inv, pc, of, findings.Error, uses))
	}
}

// keep remarks on a wrong whole number, unless it turns out to be an error. A result says more than
// a bound that changes nothing.
func (s *rounding) keep(m *machine, inv *invocation, pc uint32, of notRounded, uses string) {
	if f := s.later[of.made]; f.Kind == "" || uses == asResult && !strings.Contains(f.Message, asResult) {
		s.later[of.made] = s.use(m, inv, pc, of, findings.Remark, uses)
	}
}

func (s *rounding) use(m *machine, inv *invocation, pc uint32, of notRounded, how findings.Severity, uses string) findings.Finding {
	made, kind := m.Notes[of.made].Span, ir.ResultKind(m.Program.Code[of.made], m.Notes[of.made].Kind)
	at, on := m.Notes[pc].Span, ""
	if line := m.Source.Region(at).Line; line != m.Source.Region(made).Line {
		on = fmt.Sprintf(" on line %d", line)
	}
	return rounded(m, inv, of.made, how, fmt.Sprintf("`%s` is %s and not %s, because %s; `%s`%s %s", m.Text(made),
		ir.FormatBits(of.was[0], kind), ir.FormatBits(of.was[1], kind), of.why(), m.Text(at), on, uses))
}

func rounded(m *machine, inv *invocation, pc uint32, how findings.Severity, message string) findings.Finding {
	return findings.Finding{
		Kind: findings.RoundedWhole, Severity: how, Location: m.place(pc, inv.local),
		Message: fmt.Sprintf("%s (%s). Compute it with whole numbers", message, m.invocationOf(inv.local)),
	}
}

// why says why a number was rounded.
func (k notRounded) why() string {
	name, bits := "an f32", wholeBitsF32
	if k.half {
		name, bits = "an f16", wholeBitsF16
	}
	if !k.pure && !k.lost {
		return fmt.Sprintf("%s has %d significant bits", name, bits)
	}
	return fmt.Sprintf("%s holds all whole numbers only up to %s", name, english.Thousands(1<<bits))
}
