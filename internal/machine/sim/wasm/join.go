package wasm

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// EffortOfMeeting is that of an invocation at a function of its subgroup.
const EffortOfMeeting = 25

// noLane is what a function gives that reads an invocation which isn't there: see package sim.
const noLane = 0x7fdead00

// A joining emits the function that takes a function of subgroups for a whole workgroup, all of
// whose invocations have come to it. It returns 0 if the host has to do so: not all of a subgroup
// have come the same way, or lanes aren't in order, or a NaN is among those to compare.
type joining struct {
	grouping
	in   *ir.Instr
	kind types.ScalarKind
	ways []uint32 // the slots that count the rounds of the loops around it
}

// The locals of the function, after its parameters.
const (
	joinAt    = 1 // the invocation
	joinRow   = 2 // where its slots are
	joinFirst = 3 // the first invocation of the subgroup
	joinBegin = 4 // where that one's slots are
	joinEnd   = 5 // the invocation after the last one
	joinAll   = 6
	joinFloat = 7
	joinOwn   = 8
	joinLane  = 9
	joinSlots = 10 // bytes
)

var joinLocals = []valueKind{joinRow: i32, joinFirst: i32, joinBegin: i32, joinEnd: i32, joinAll: i32, joinFloat: f32, joinOwn: f32, joinLane: i32, joinSlots: i32}[joinRow:]

// joins returns a function for each exit where invocations of a subgroup meet.
func (w *grouping) joins() (list []function) {
	w.meets = map[Exit]uint32{}
	for _, e := range w.Exits {
		if e.WayOut != Meeting {
			continue
		}
		pc := e.PC - 1
		j := joining{grouping: grouping{Code: w.Code}, in: &w.program.Code[pc], kind: w.program.Notes[pc].Kind}
		j.ways = j.rounds(pc, w.ops[w.entries[e.Next]-1].copy)
		j.function()
		w.meets[e] = w.whole + 1 + uint32(len(w.starts)+len(list))
		list = append(list, function{0, joinLocals, j.code})
	}
	return list
}

// rounds returns the slots that count the rounds of the loops around an instruction in a copy of a
// function, and around the calls on the way there. Each call has a copy of its own, and so an exit.
func (e *expanded) rounds(pc uint32, copy int) (slots []uint32) {
	for _, l := range e.program.LoopsAt(pc) {
		slots = append(slots, l.Rounds)
	}
	for from, number := range e.copies {
		if number == copy {
			return append(slots, e.rounds(from.call, from.of)...)
		}
	}
	return slots
}

// compares reports whether the function keeps the lesser or the greater of floats.
func (j *joining) compares() bool {
	return ir.IsFloat(j.kind) && (j.in.N == ir.SubgroupMin || j.in.N == ir.SubgroupMax)
}

// function emits all of it.
func (j *joining) function() {
	j.field(contextInOrder)
	j.emit(opI32Eqz)
	j.unless()
	j.field(contextSlotBytes)
	j.localSet(joinSlots)
	if len(j.ways) > 0 || j.compares() {
		j.eachSubgroup(func() { j.each(j.looks) })
	}
	j.countsEffort(uint64(j.invocations()) * EffortOfMeeting)
	j.eachSubgroup(j.takes)
	j.i32Const(1)
}

// unless leaves it to the host if the condition on the stack holds.
func (j *joining) unless() {
	j.ifThen()
	j.i32Const(0)
	j.emit(opReturn, opEnd)
}

// looks leaves it to the host if the invocation has come another way than the subgroup's first, or
// has a NaN to compare.
func (j *joining) looks() {
	for _, slot := range j.ways {
		j.localGet(joinRow)
		j.load(i32, 4*slot)
		j.localGet(joinBegin)
		j.load(i32, 4*slot)
		j.emit(opI32Ne)
		j.unless()
	}
	if j.compares() {
		j.given(f32)
		j.given(f32)
		j.emit(opF32Ne)
		j.unless()
	}
}

// given pushes the value that the invocation brings.
func (j *joining) given(k valueKind) {
	j.localGet(joinRow)
	j.load(k, 4*j.in.B)
}

// gets gives the invocation its result.
func (j *joining) gets(k valueKind, value func()) {
	j.localGet(joinRow)
	value()
	j.store(k, 4*j.in.A)
}

// eachSubgroup emits a loop over the subgroups.
func (j *joining) eachSubgroup(do func()) {
	j.i32Const(0)
	j.localSet(joinFirst)
	j.field(contextSlots)
	j.localSet(joinBegin)
	j.loop()
	// The last one may have fewer invocations.
	j.localGet(joinFirst)
	j.field(contextSubgroups)
	j.emit(opI32Add)
	j.localTee(joinEnd)
	j.i32Const(j.invocations())
	j.localGet(joinEnd)
	j.i32Const(j.invocations())
	j.emit(opI32LtU, opSelect)
	j.localSet(joinEnd)
	do()
	j.localGet(joinRow)
	j.localSet(joinBegin)
	j.localGet(joinEnd)
	j.localTee(joinFirst)
	j.i32Const(j.invocations())
	j.emit(opI32LtU)
	j.brIf(0)
	j.emit(opEnd)
}

// each emits a loop over the invocations of the subgroup.
func (j *joining) each(do func()) {
	j.localGet(joinFirst)
	j.localSet(joinAt)
	j.localGet(joinBegin)
	j.localSet(joinRow)
	j.loop()
	do()
	j.localGet(joinRow)
	j.localGet(joinSlots)
	j.emit(opI32Add)
	j.localSet(joinRow)
	j.localGet(joinAt)
	j.i32Const(1)
	j.emit(opI32Add)
	j.localTee(joinAt)
	j.localGet(joinEnd)
	j.emit(opI32LtU)
	j.brIf(0)
	j.emit(opEnd)
}

// takes carries the function out for a subgroup.
func (j *joining) takes() {
	switch n := j.in.N; {
	case n == ir.SubgroupElect:
		j.each(func() {
			j.gets(i32, func() {
				j.localGet(joinAt)
				j.localGet(joinFirst)
				j.emit(opI32Eq)
			})
		})
	case n == ir.SubgroupBallot:
		j.ballot()
	case n <= ir.SubgroupAny:
		j.combines()
	default:
		j.passes()
	}
}

// lane pushes the invocation's lane.
func (j *joining) lane() {
	j.localGet(joinAt)
	j.localGet(joinFirst)
	j.emit(opI32Sub)
}

// ballot sets the bits of the lanes that are true, in the word that operand c names.
func (j *joining) ballot() {
	j.i32Const(0)
	j.localSet(joinAll)
	j.each(func() {
		j.localGet(joinAll)
		j.given(i32)
		j.i32Const(0)
		j.emit(opI32Ne)
		j.lane()
		j.i32Const(5)
		j.emit(opI32ShrU)
		j.localGet(joinRow)
		j.load(i32, 4*j.in.C)
		j.emit(opI32Eq, opI32And)
		j.lane()
		j.emit(opI32Shl, opI32Or) // it takes the lane modulo 32
		j.localSet(joinAll)
	})
	j.each(func() { j.gets(i32, func() { j.localGet(joinAll) }) })
}

// A combination combines all values with the one on the stack. None is what changes nothing.
type combination struct {
	op   byte
	none uint32
}

// combinations are those of whole numbers, and of floats.
var combinations = map[uint16][2]combination{
	ir.SubgroupAdd: {{opI32Add, 0}, {opF32Add, 0}},
	ir.SubgroupMul: {{opI32Mul, 1}, {opF32Mul, 0x3f800000}},
	ir.SubgroupMin: {{opI32LtU, math.MaxUint32}, {opF32Min, 0x7f800000}},
	ir.SubgroupMax: {{opI32GtU, 0}, {opF32Max, 0xff800000}},
	ir.SubgroupAnd: {{opI32And, math.MaxUint32}},
	ir.SubgroupOr:  {{opI32Or, 0}},
	ir.SubgroupXor: {{opI32Xor, 0}},
	ir.SubgroupAll: {{opI32And, math.MaxUint32}},
	ir.SubgroupAny: {{opI32Or, 0}},
}

// combination returns how the function combines its values.
func (j *joining) combination() (c combination) {
	kind := j.in.N
	switch kind {
	case ir.SubgroupExclusiveAdd, ir.SubgroupInclusiveAdd:
		kind = ir.SubgroupAdd
	case ir.SubgroupExclusiveMul, ir.SubgroupInclusiveMul:
		kind = ir.SubgroupMul
	}
	c = combinations[kind][0]
	switch {
	case ir.IsFloat(j.kind):
		c = combinations[kind][1]
	case j.kind == types.I32Kind && kind == ir.SubgroupMin:
		c = combination{opI32LtS, math.MaxInt32}
	case j.kind == types.I32Kind && kind == ir.SubgroupMax:
		c = combination{opI32GtS, 1 << 31}
	}
	return c
}

// combines combines the values in the order of the lanes: all of them, or for each lane those up
// to it.
func (j *joining) combines() {
	k, all, own, c := i32, uint32(joinAll), uint32(joinLane), j.combination()
	if ir.IsFloat(j.kind) {
		k, all, own = f32, joinFloat, joinOwn
		j.f32Const(c.none)
	} else {
		j.i32Const(c.none)
	}
	j.localSet(all)
	result := func() { j.gets(k, func() { j.localGet(all) }) }
	kind := j.in.N
	exclusive := kind == ir.SubgroupExclusiveAdd || kind == ir.SubgroupExclusiveMul
	inclusive := kind == ir.SubgroupInclusiveAdd || kind == ir.SubgroupInclusiveMul
	j.each(func() {
		j.given(k)
		j.localSet(own)
		if exclusive {
			result()
		}
		j.localGet(all)
		j.localGet(own)
		if k == i32 && slices.Contains([]uint16{ir.SubgroupMin, ir.SubgroupMax}, kind) {
			j.localGet(all)
			j.localGet(own)
			j.emit(c.op, opSelect)
		} else {
			j.emit(c.op)
		}
		j.localSet(all)
		if inclusive {
			result()
		}
	})
	if !exclusive && !inclusive {
		j.each(result)
	}
}

// passes gives each invocation the value of a lane, or noLane. The list of exits holds the values
// meanwhile, since results may take their places.
func (j *joining) passes() {
	listed := func() {
		j.field(contextExits)
		j.localGet(joinAt)
		j.i32Const(2)
		j.emit(opI32Shl, opI32Add)
	}
	j.each(func() {
		listed()
		j.given(i32)
		j.store(i32, 0)
	})
	j.each(func() {
		j.source()
		j.localSet(joinLane)
		j.i32Const(noLane)
		j.localSet(joinAll)
		j.localGet(joinLane)
		j.localGet(joinEnd)
		j.localGet(joinFirst)
		j.emit(opI32Sub, opI32LtU)
		j.ifThen()
		j.field(contextExits)
		j.localGet(joinFirst)
		j.localGet(joinLane)
		j.emit(opI32Add)
		j.i32Const(2)
		j.emit(opI32Shl, opI32Add)
		j.load(i32, 0)
		j.localSet(joinAll)
		j.emit(opEnd)
		j.gets(i32, func() { j.localGet(joinAll) })
	})
}

// source pushes the lane whose value the invocation gets.
func (j *joining) source() {
	kind := j.in.N
	x := func() {
		j.localGet(joinRow)
		j.load(i32, 4*j.in.C)
	}
	switch kind {
	case ir.SubgroupBroadcastFirst:
		j.i32Const(0)
	case ir.SubgroupShuffleUp, ir.SubgroupShuffleDown, ir.SubgroupShuffleXor:
		j.lane()
		x()
		j.emit(map[uint16]byte{ir.SubgroupShuffleUp: opI32Sub, ir.SubgroupShuffleDown: opI32Add, ir.SubgroupShuffleXor: opI32Xor}[kind])
	case ir.QuadBroadcast:
		j.lane()
		j.i32Const(3)
		j.emit(opI32Or)
		j.i32Const(3)
		j.emit(opI32Xor)
		x()
		j.emit(opI32Add)
	case ir.QuadSwapX, ir.QuadSwapY, ir.QuadSwapDiagonal:
		j.lane()
		j.i32Const(map[uint16]uint32{ir.QuadSwapX: 1, ir.QuadSwapY: 2, ir.QuadSwapDiagonal: 3}[kind])
		j.emit(opI32Xor)
	default:
		x()
	}
}
