package sim

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Invocations of a subgroup meet at its functions (§ 17.12, § 17.13).
//
// An invocation runs alone up to such a function, and stops there. Once none of its subgroup can go
// on alone, those that have come the same way take it together: they are the active ones. If all of
// a subgroup go the same way, as they must (§ 15.2), that is all of them. Otherwise those go first
// that are behind: in an earlier round of a loop, or earlier in the code. So the ways meet again
// after an `if`, at the end of a round, and after a loop.

// With returns the program on a machine that divides its workgroups in another way.
func (p *Program) With(d ir.SubgroupDivision) *Program {
	other := *p.Program
	other.Division = d
	return &Program{&other, p.machineCode}
}

// divide puts the invocations into subgroups.
func (m *machine) divide() {
	size := int(m.Division.SizeIn(m.Program))
	m.meetings = map[uint32]*meetingPlace{}
	m.subgroups = make([][]*invocation, (len(m.invs)+size-1)/size)
	for i := range m.invs {
		at := i / size
		if m.Division.Scattered {
			at = (len(m.invs) - 1 - i) % len(m.subgroups)
		}
		m.subgroups[at] = append(m.subgroups[at], &m.invs[i])
	}
	for number, all := range m.subgroups {
		if m.Division.Scattered {
			slices.Reverse(all)
		}
		for lane, inv := range all {
			inv.subgroup, inv.lane = uint32(number), uint32(lane)
		}
	}
}

// A meetingPlace is an instruction through which invocations come to a function of subgroups: that
// function itself, or a call on the way to it.
type meetingPlace struct {
	loops  []ir.CountedLoop // around it
	called bool             // it is in a function that is called
	back   uint32           // then the slot with the place to return to
}

// placeAt returns a place; the machine keeps it, since each invocation asks each time.
func (m *machine) placeAt(pc uint32) *meetingPlace {
	known := m.meetings[pc]
	if known == nil {
		known = &meetingPlace{loops: m.LoopsAt(pc)}
		if f := m.FunctionAt(pc); f != nil && f.Entry == nil {
			known.called, known.back = true, f.Ret
		}
		m.meetings[pc] = known
	}
	return known
}

// A joining is a function that invocations of a subgroup have taken together.
type joining struct {
	in     *ir.Instr
	pc     uint32
	kind   types.ScalarKind // of the values
	active []*invocation    // in the order of their lanes
	took   []uint32         // the value that each of them brought
	from   []*invocation    // whose value each got; itself if its value is made of several; nil if there is none
}

// A joiner hears of each joining, after it. The joining's lists hold until the next one.
type joiner interface {
	joined(m *machine, j joining)
}

// join lets each subgroup take the function at which its invocations have arrived, if none of them
// can go on alone. Those that have taken it can run again. It reports whether there are any.
func (m *machine) join(hears joiner) (any bool) {
	for _, all := range m.subgroups {
		active := m.arrived(all)
		if len(active) == 0 {
			continue
		}
		any = true
		pc := active[0].pc - 1
		j := joining{in: &m.Program.Code[pc], pc: pc, kind: m.Notes[pc].Kind, active: active, took: m.joining.took[:0], from: append(m.joining.from[:0], active...)}
		for _, inv := range active {
			inv.state = running
			j.took = append(j.took, inv.slots[j.in.B])
		}
		j.take()
		m.joining = j
		if hears != nil {
			hears.joined(m, j)
		}
	}
	return any
}

// arrived returns the invocations of a subgroup that meet next, in the order of their lanes. It
// returns none if any can go on alone.
func (m *machine) arrived(all []*invocation) (active []*invocation) {
	if m.alike(all) {
		m.effort += effortOfMeeting * uint64(len(all))
		return append(m.joining.active[:0], all...)
	}
	var first []uint32
	for _, inv := range all {
		switch inv.state {
		case meeting:
			m.effort += effortOfMeeting
			inv.way = m.way(inv.way[:0], inv, inv.pc-1)
			if first == nil || slices.Compare(inv.way, first) < 0 {
				first = inv.way
			}
		case waiting, ended:
		default:
			return nil
		}
	}
	active = m.joining.active[:0]
	for _, inv := range all {
		if inv.state == meeting && slices.Equal(inv.way, first) {
			active = append(active, inv)
		}
	}
	return active
}

// alike reports whether all of a subgroup have come the same way to a function, from the entry
// point.
func (m *machine) alike(all []*invocation) bool {
	pc := all[0].pc
	for _, inv := range all {
		if inv.state != meeting || inv.pc != pc {
			return false
		}
	}
	place := m.placeAt(pc - 1)
	for _, l := range place.loops {
		for _, inv := range all {
			if inv.slots[l.Rounds] != all[0].slots[l.Rounds] {
				return false
			}
		}
	}
	return !place.called
}

// way appends how an invocation has come to an instruction: through which rounds of which loops to
// which call, and so on from the entry point to the instruction. Ways are in the order in which the
// invocations of a subgroup go them.
func (m *machine) way(to []uint32, inv *invocation, pc uint32) []uint32 {
	place := m.placeAt(pc)
	if place.called {
		to = m.way(to, inv, inv.slots[place.back]-1)
	}
	for _, l := range place.loops {
		to = append(to, l.Start, inv.slots[l.Rounds])
	}
	return append(to, pc)
}

// noLane is what a function gives that reads an invocation which isn't active, or isn't there. Such
// a value is indeterminate, so it is one that nobody takes for right, and not a number as f32.
const noLane = 0x7fdead00

// take carries the function out for the active invocations of a subgroup.
func (j *joining) take() {
	results := make([]uint32, len(j.active))
	switch n := j.in.N; n {
	case ir.SubgroupElect:
		results[0] = 1
	case ir.SubgroupBallot:
		j.ballot(results)
	case ir.SubgroupAdd, ir.SubgroupExclusiveAdd, ir.SubgroupInclusiveAdd, ir.SubgroupMul, ir.SubgroupExclusiveMul, ir.SubgroupInclusiveMul,
		ir.SubgroupMin, ir.SubgroupMax, ir.SubgroupAnd, ir.SubgroupOr, ir.SubgroupXor, ir.SubgroupAll, ir.SubgroupAny:
		combine, none := combination(n, j.kind)
		results = fold(n, j.took, none, combine)
		if n == ir.SubgroupMin || n == ir.SubgroupMax {
			j.whose(results[0])
		}
	default:
		for i, inv := range j.active {
			lane := source(n, inv.lane, inv.slots[j.in.C], j.active[0].lane)
			results[i], j.from[i] = noLane, nil
			if at := j.at(lane); at >= 0 {
				results[i], j.from[i] = j.took[at], j.active[at]
			}
		}
	}
	for i, inv := range j.active {
		inv.slots[j.in.A] = results[i]
	}
}

// at returns the place of a lane among the active ones, or -1.
func (j *joining) at(lane uint32) int {
	if lane < uint32(len(j.active)) && j.active[lane].lane == lane {
		return int(lane) // as if all are active
	}
	return slices.IndexFunc(j.active, func(a *invocation) bool { return a.lane == lane })
}

// ballot sets the bits of the lanes that are true, in the word that operand c names.
func (j *joining) ballot(results []uint32) {
	bits := uint32(0)
	for i, inv := range j.active {
		if j.took[i] != 0 && inv.lane/32 == inv.slots[j.in.C] {
			bits |= 1 << (inv.lane % 32)
		}
	}
	for i := range results {
		results[i] = bits
	}
}

// whose says that everybody got the value of the first invocation that brought it.
func (j *joining) whose(value uint32) {
	if at := slices.Index(j.took, value); at >= 0 {
		for i := range j.from {
			j.from[i] = j.active[at]
		}
	}
}

// source returns the lane whose value a lane gets; x is the function's second argument.
func source(kind uint16, lane, x, first uint32) uint32 {
	switch kind {
	case ir.SubgroupBroadcastFirst:
		return first
	case ir.SubgroupShuffleUp:
		return lane - x // below 0, it is no lane either
	case ir.SubgroupShuffleDown:
		return lane + x
	case ir.SubgroupShuffleXor:
		return lane ^ x
	case ir.QuadBroadcast:
		return lane&^3 + x
	case ir.QuadSwapX:
		return lane ^ 1
	case ir.QuadSwapY:
		return lane ^ 2
	case ir.QuadSwapDiagonal:
		return lane ^ 3
	}
	return x
}

// fold combines the values of the active invocations in the order of their lanes: all of them, or
// for each those up to it, with or without its own.
func fold[T any](kind uint16, values []T, none T, combine func(a, b T) T) []T {
	results, all := make([]T, len(values)), none
	for i, v := range values {
		results[i] = all
		all = combine(all, v)
		if kind == ir.SubgroupInclusiveAdd || kind == ir.SubgroupInclusiveMul {
			results[i] = all
		}
	}
	switch kind {
	case ir.SubgroupExclusiveAdd, ir.SubgroupExclusiveMul, ir.SubgroupInclusiveAdd, ir.SubgroupInclusiveMul:
		return results
	}
	for i := range results {
		results[i] = all
	}
	return results
}

// combination returns how a function combines two values of a kind, and the value that changes
// nothing.
func combination(kind uint16, k types.ScalarKind) (combine func(a, b uint32) uint32, none uint32) {
	float := ir.IsFloat(k)
	signed := k == types.I32Kind
	switch kind {
	case ir.SubgroupMul, ir.SubgroupExclusiveMul, ir.SubgroupInclusiveMul:
		if float {
			return func(a, b uint32) uint32 { return floats(a, b, func(x, y float32) float32 { return x * y }) }, math.Float32bits(1)
		}
		return func(a, b uint32) uint32 { return a * b }, 1
	case ir.SubgroupMin:
		switch {
		case float:
			return func(a, b uint32) uint32 { return floats(a, b, func(x, y float32) float32 { return min(x, y) }) }, math.Float32bits(float32(math.Inf(1)))
		case signed:
			return func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }, math.MaxInt32
		}
		return func(a, b uint32) uint32 { return min(a, b) }, math.MaxUint32
	case ir.SubgroupMax:
		switch {
		case float:
			return func(a, b uint32) uint32 { return floats(a, b, func(x, y float32) float32 { return max(x, y) }) }, math.Float32bits(float32(math.Inf(-1)))
		case signed:
			return func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }, 1 << 31
		}
		return func(a, b uint32) uint32 { return max(a, b) }, 0
	case ir.SubgroupAnd, ir.SubgroupAll:
		return func(a, b uint32) uint32 { return a & b }, math.MaxUint32
	case ir.SubgroupOr, ir.SubgroupAny:
		return func(a, b uint32) uint32 { return a | b }, 0
	case ir.SubgroupXor:
		return func(a, b uint32) uint32 { return a ^ b }, 0
	}
	if float {
		return func(a, b uint32) uint32 { return floats(a, b, func(x, y float32) float32 { return x + y }) }, 0
	}
	return func(a, b uint32) uint32 { return a + b }, 0
}

func floats(a, b uint32, f func(x, y float32) float32) uint32 {
	return math.Float32bits(f(math.Float32frombits(a), math.Float32frombits(b)))
}
