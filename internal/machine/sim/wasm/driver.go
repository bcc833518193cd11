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
	contextCells        = 128
	contextHistory      = 132
	contextWritten      = 136
	contextQuietAt      = 140
	contextBadAt        = 144
	contextWrote        = 148 // of this workgroup's first invocation
	contextTexels       = 152 // the first cell of a texture
	contextWritable     = 156 // the bytes of the buffers that shaders write
	contextOwn          = 160
	contextOwnMarks     = 164
	contextArrays       = 168 // the address and the length of each runtime-sized array
)

// The locals of the driver. The first two are its parameters: where the core's context is, and the
// first invocation to run.
const (
	driverContext = iota
	driverInvocation
	driverEntry
	driverExit
	driverSlots
	driverX
	driverY
	driverZ
	driverLocals
)

// A driver emits the function that runs invocations one after the other. The function returns the
// index of the first that the host has to look after, or that of the end.
type driver struct {
	code
	*placement
	size  [3]uint32
	count uint32
}

// Start is the entry of an invocation that begins. It gets its inputs first.
const Start = 1 << 30

// ended is the entry of an invocation that has ended.
const ended = 1<<32 - 1

func newDriver(p *placement) *driver {
	size := p.program.Pipeline.WorkgroupSize
	return &driver{placement: p, size: size, count: size[0] * size[1] * size[2]}
}

func (d *driver) field(at uint32) {
	d.localGet(driverContext)
	d.load(i32, at)
}

// element pushes the address of the invocation's word in a list.
func (d *driver) element(list uint32) {
	d.field(list)
	d.localGet(driverInvocation)
	d.i32Const(2)
	d.emit(opI32Shl, opI32Add)
}

func (d *driver) function() {
	d.block()
	d.loop()
	d.localGet(driverInvocation)
	d.field(contextEnd)
	d.emit(opI32GeU)
	d.brIf(1)
	d.element(contextEntries)
	d.load(i32, 0)
	d.localTee(driverEntry)
	d.i32Const(ended)
	d.emit(opI32Ne)
	d.ifThen()
	d.invocation()
	d.emit(opEnd)
	d.localGet(driverInvocation)
	d.i32Const(1)
	d.emit(opI32Add)
	d.localSet(driverInvocation)
	d.br(0)
	d.emit(opEnd, opEnd)
	d.localGet(driverInvocation)
}

// invocation runs one invocation, and returns if the host has to look after it.
func (d *driver) invocation() {
	d.field(contextSlots)
	d.localGet(driverInvocation)
	d.field(contextSlotBytes)
	d.emit(opI32Mul, opI32Add)
	d.localSet(driverSlots)
	d.localGet(driverEntry)
	d.i32Const(Start)
	d.emit(opI32Eq)
	d.ifThen()
	d.start()
	d.i32Const(0)
	d.localSet(driverEntry)
	d.emit(opEnd)
	d.localGet(driverContext)
	d.localGet(driverContext)
	d.load(i64, contextSteps)
	d.store(i64, contextFrom)
	d.localGet(driverContext)
	d.localGet(driverSlots)
	d.localGet(driverInvocation)
	d.localGet(driverEntry)
	if d.watches {
		d.call(callInvocation + watchFunctions)
	} else {
		d.call(callInvocation)
	}
	d.localSet(driverExit)
	d.element(contextExits)
	d.localGet(driverExit)
	d.store(i32, 0)
	d.localGet(driverExit)
	d.i32Const(1)
	d.emit(opI32And)
	d.ifThen()
	d.localGet(driverInvocation)
	d.emit(opReturn)
	d.emit(opEnd)
}

// set sets a slot of the invocation, if the code touches it.
func (d *driver) set(slot uint32, value func()) {
	if _, local := d.local[slot]; !local && !d.inMemory[slot] {
		return
	}
	d.localGet(driverSlots)
	value()
	d.store(i32, 4*slot)
}

// start gives an invocation its inputs and its private variables their initial values.
func (d *driver) start() {
	d.places()
	for i := range uint32(3) {
		d.set(ir.LocalID+i, func() { d.localGet(driverX + i) })
		d.set(ir.WorkgroupID+i, func() { d.field(contextGroup + 4*i) })
		d.set(ir.GlobalID+i, func() {
			d.field(contextGroup + 4*i)
			d.i32Const(d.size[i])
			d.emit(opI32Mul)
			d.localGet(driverX + i)
			d.emit(opI32Add)
		})
	}
	d.set(ir.LocalIndex, func() { d.localGet(driverInvocation) })
	d.set(ir.GroupIndex, func() { d.field(contextGroupNumber) })
	d.set(ir.GlobalIndex, func() {
		d.field(contextGroupNumber)
		d.i32Const(d.count)
		d.emit(opI32Mul)
		d.localGet(driverInvocation)
		d.emit(opI32Add)
	})
	for i, slot := range []uint32{ir.SubgroupLane, ir.SubgroupID} {
		d.set(slot, func() {
			d.field(contextLanes)
			d.localGet(driverInvocation)
			d.i32Const(3)
			d.emit(opI32Shl, opI32Add)
			d.load(i32, uint32(4*i))
		})
	}
	d.set(ir.SubgroupSize, func() { d.field(contextSubgroups) })
	d.set(ir.NumSubgroups, func() { d.field(contextSubgroups + 4) })
	if private := d.program.Private; private.From < private.To {
		at := func(start func()) {
			start()
			d.i32Const(4 * private.From)
			d.emit(opI32Add)
		}
		at(func() { d.localGet(driverSlots) })
		at(func() { d.field(contextInitial) })
		d.i32Const(4 * (private.To - private.From))
		d.memoryCopy()
	}
}

// places computes the invocation's place in its workgroup.
func (d *driver) places() {
	rest := uint32(driverInvocation)
	for axis := range uint32(2) {
		d.localGet(rest)
		d.divided(d.size[axis], true)
		d.localSet(driverX + axis)
		d.localGet(rest)
		d.divided(d.size[axis], false)
		rest = driverZ
		d.localSet(rest)
	}
}

// divided divides the number on the stack, which leaves the remainder or the quotient.
func (d *driver) divided(by uint32, remainder bool) {
	switch power := by&(by-1) == 0; {
	case power && remainder:
		d.i32Const(by - 1)
		d.emit(opI32And)
	case power:
		d.i32Const(uint32(bits.TrailingZeros32(by)))
		d.emit(opI32ShrU)
	case remainder:
		d.i32Const(by)
		d.emit(opI32RemU)
	default:
		d.i32Const(by)
		d.emit(opI32DivU)
	}
}
