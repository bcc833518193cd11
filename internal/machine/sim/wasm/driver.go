package wasm

import (
	"math/bits"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// What a core's context holds, in bytes from its start.
const (
	contextSteps       = 0
	contextBudget      = 8
	contextEffort      = 16
	contextBufferBytes = 24
	contextShared      = 28 // where workgroup memory is
	contextSlots       = 32 // where the slots of the first invocation are
	contextSlotBytes   = 36 // from there to those of the next; 0 if all use the same
	contextEntries     = 40 // where the invocations' entries are
	contextExits       = 44 // where their exits are
	contextLanes       = 48 // where their lanes and subgroups are
	contextInitial     = 52 // where the initial values of the slots are
	contextGroup       = 56 // three numbers
	contextGroupNumber = 68
	contextSubgroups   = 72 // their size and their number
	contextEnd         = 80 // the invocation after the last one to run
	contextFrom        = 88 // the steps when the last one began

	// Watched code also has these. What it can't do without are the watcher's records.
	contextStored       = 96 // a sum over all stores in buffers
	contextQuiet        = 104
	contextSharedPhase  = 108
	contextBufferPhase  = 112
	contextTexturePhase = 116
	contextWatched      = 120 // 1 + the workgroup's number
	contextSharedCells  = 124
	contextWriters      = 128
	contextReaders      = 132
	contextWritten      = 136
	contextQuietAt      = 140
	contextBadAt        = 144
	contextWrote        = 148 // of this workgroup's first invocation
	contextTexels       = 152 // the first cell of a texture
	contextWritable     = 156 // the bytes of the buffers that shaders write
	contextOwn          = 160
	contextOwnMarks     = 164

	// These are for whole workgroups.
	contextSharedStart  = 168 // the barriers that began the phases
	contextBufferStart  = 172
	contextTextureStart = 176
	contextRegion       = 180 // the number of the region to run, or noRegion
	contextGroups       = 184 // the workgroups in x and y
	contextLastGroup    = 192 // the number of the last workgroup to run
	contextAt           = 196 // how many invocations have left a region alike
	contextAgreed       = 200 // how
	contextLeaving      = 204 // how the next one did
	contextGroupFrom    = 208 // the steps when the workgroup began
	contextLook         = 216 // the steps at which Go looks whether the workgroup never ends

	contextHasRead = 224 // any word of the buffers that shaders write

	contextInOrder = 228 // lanes are numbered like the invocations of the subgroup

	contextArrays = 232 // the address and the length of each runtime-sized array
)

// Start is the entry of an invocation that begins. It gets its inputs first.
const Start = 1 << 30

// ended is the entry of an invocation that has ended.
const ended = 1<<32 - 1

// field pushes a number of the core's context.
func (g *generator) field(at uint32) {
	g.localGet(core)
	g.load(i32, at)
}

// listed pushes the address of the invocation's word in a list.
func (g *generator) listed(list uint32) {
	g.field(list)
	g.localGet(invocated)
	g.scale(4)
	g.emit(opI32Add)
}

// function emits all of the function. It runs invocations one after the other, up to the first that
// the host has to look after, and returns that one's index, or that of the end.
func (g *generator) function() {
	g.begin()
	g.open(label{at: toReturn})
	g.open(label{toNext, true})
	g.localGet(invocated)
	g.field(contextEnd)
	g.emit(opI32GeU)
	g.brIf(g.depth(label{at: toReturn}))
	g.listed(contextEntries)
	g.load(i32, 0)
	g.localTee(resume)
	g.i32Const(ended)
	g.emit(opI32Ne)
	g.begins()
	g.invocation()
	g.close()
	g.localGet(invocated)
	g.i32Const(1)
	g.emit(opI32Add)
	g.localSet(invocated)
	g.br(g.depth(label{toNext, true}))
	g.close()
	g.close()
	g.finish()
	g.localGet(invocated)
}

// finish stores what the function has counted.
func (g *generator) finish() {
	for _, counted := range []struct{ local, at uint32 }{{steps, contextSteps}, {from, contextFrom}} {
		g.localGet(core)
		g.localGet(counted.local)
		g.store(i64, counted.at)
	}
	g.localGet(core)
	g.localGet(core)
	g.load(i64, contextBudget)
	g.localGet(budget)
	g.emit(opI64Sub)
	g.store(i64, contextEffort)
}

// invocation runs one invocation, and returns if the host has to look after it.
func (g *generator) invocation() {
	g.field(contextSlots)
	g.localGet(invocated)
	g.field(contextSlotBytes)
	g.emit(opI32Mul, opI32Add)
	g.localSet(ownSlots)
	g.localGet(steps)
	g.localSet(from)
	g.open(label{at: toDone})
	g.open(label{at: toSpill})
	g.localGet(resume)
	g.i32Const(Start)
	g.emit(opI32Eq)
	g.begins()
	g.start()
	g.arrived()
	g.emit(opElse)
	g.loadAlive()
	g.close()
	g.scope(-1, 0, uint32(len(g.ops)))
	g.close()
	g.written.each(g.spill)
	g.close()
	g.listed(contextExits)
	g.localGet(leaving)
	g.store(i32, 0)
	g.localGet(leaving)
	g.i32Const(1)
	g.emit(opI32And)
	g.brIf(g.depth(label{at: toReturn}))
}

// invocations returns how many a workgroup has.
func (e *expanded) invocations() uint32 {
	size := e.program.Pipeline.WorkgroupSize
	return size[0] * size[1] * size[2]
}

// input sets a slot of an invocation that begins, if the code touches it.
func (g *generator) input(slot uint32, value func()) {
	if _, local := g.local[slot]; local || g.inMemory[slot] {
		g.set(slot, i32, value)
	}
}

// start gives an invocation its inputs and its private variables their initial values.
func (g *generator) start() {
	size := g.program.Pipeline.WorkgroupSize
	g.places(size)
	global := func(i uint32) {
		g.field(contextGroup + 4*i)
		g.scale(size[i])
		g.localGet(placeX + i)
		g.emit(opI32Add)
	}
	for i := range uint32(3) {
		place := func() { g.localGet(placeX + i) }
		g.input(ir.LocalID+i, place)
		g.input(ir.WorkgroupID+i, func() { g.field(contextGroup + 4*i) })
		g.input(ir.GlobalID+i, func() { global(i) })
	}
	g.input(ir.LocalIndex, func() { g.localGet(invocated) })
	g.input(ir.GroupIndex, func() { g.field(contextGroupNumber) })
	g.input(ir.GlobalIndex, func() { // (z * the rows of all workgroups + y) * their columns + x
		global(2)
		for axis := uint32(1); ; axis-- {
			g.localGet(ownSlots)
			g.load(i32, 4*(ir.NumWorkgroups+axis))
			g.scale(size[axis])
			g.emit(opI32Mul)
			global(axis)
			g.emit(opI32Add)
			if axis == 0 {
				return
			}
		}
	})
	for i, slot := range []uint32{ir.SubgroupLane, ir.SubgroupID} {
		g.input(slot, func() {
			g.field(contextLanes)
			g.localGet(invocated)
			g.scale(8)
			g.emit(opI32Add)
			g.load(i32, uint32(4*i))
		})
	}
	g.input(ir.SubgroupSize, func() { g.field(contextSubgroups) })
	g.input(ir.NumSubgroups, func() { g.field(contextSubgroups + 4) })
	g.private()
}

// private sets the private variables: those in memory all at once.
func (g *generator) private() {
	row := g.program.Private
	g.counts(counted{effort: uint64(row.To-row.From) / EffortlessWords})
	inMemory := false
	for slot := row.From; slot < row.To; slot++ {
		inMemory = inMemory || g.inMemory[slot]
		if n, local := g.local[slot]; local {
			if bits := g.program.Initial[slot]; g.kinds[n] == f32 {
				g.f32Const(bits)
			} else {
				g.i32Const(bits)
			}
			g.localSet(g.first + n)
		}
	}
	if !inMemory {
		return
	}
	g.rowAt(row.From)
	g.field(contextInitial)
	g.i32Const(4 * row.From)
	g.emit(opI32Add)
	g.i32Const(4 * (row.To - row.From))
	g.memoryCopy()
}

// places computes the invocation's place in its workgroup.
func (g *generator) places(size [3]uint32) {
	if size[1] == 1 && size[2] == 1 {
		g.localGet(invocated)
		g.localSet(placeX)
		g.i32Const(0)
		g.localTee(placeX + 1)
		g.localSet(placeX + 2)
		return
	}
	rest := uint32(invocated)
	for axis := range uint32(2) {
		g.localGet(rest)
		g.divided(size[axis], true)
		g.localSet(placeX + axis)
		g.localGet(rest)
		g.divided(size[axis], false)
		rest = placeX + 2
		g.localSet(rest)
	}
}

// divided divides the number on the stack, which leaves the remainder or the quotient.
func (g *generator) divided(by uint32, remainder bool) {
	switch power := by&(by-1) == 0; {
	case power && remainder:
		g.i32Const(by - 1)
		g.emit(opI32And)
	case power:
		g.i32Const(uint32(bits.TrailingZeros32(by)))
		g.emit(opI32ShrU)
	case remainder && remainsWrong:
		g.localTee(scratch)
		g.i32Const(by)
		g.emit(opI32DivU)
		g.i32Const(-by)
		g.emit(opI32Mul)
		g.localGet(scratch)
		g.emit(opI32Add)
	case remainder:
		g.i32Const(by)
		g.emit(opI32RemU)
	default:
		g.i32Const(by)
		g.emit(opI32DivU)
	}
}
