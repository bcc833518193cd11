package wasm

import "github.com/wgslab/wgslab/internal/machine/sim/ir"

// A Reached says how far a run of whole workgroups has come.
type Reached uint8

// The ends of such a run.
const (
	AllGroups Reached = iota // all workgroups have ended
	GroupEnd                 // one has ended, and no steps are left
	Apart                    // the host has to look after an invocation, or not all have left alike
	Together                 // all invocations have left alike
)

// noRegion lets the module run invocations from where they are.
const noRegion = 1<<32 - 1

// FirstLook is the number of steps of a workgroup after which the host looks whether it never ends.
const FirstLook = 1 << 19

// A grouping emits the module's last function: it runs workgroups, one region after the other.
type grouping struct {
	code
	*Code
	whole uint32 // the index of the function that runs invocations from where they are
}

const exit = 2 // the local after the parameters: how all invocations have left

func (w *grouping) field(at uint32) {
	w.localGet(core)
	w.load(i32, at)
}

// adds adds to a number of the context.
func (w *grouping) adds(at, n uint32) {
	w.sets(at, func() {
		w.field(at)
		w.i32Const(n)
		w.emit(opI32Add)
	})
}

func (w *grouping) sets(at uint32, value func()) {
	w.localGet(core)
	value()
	w.store(i32, at)
}

func (w *grouping) returns(how Reached) {
	w.i32Const(uint32(how))
	w.emit(opReturn)
}

// function emits it. The only loop goes from region to region.
func (w *grouping) function() {
	w.field(contextRegion)
	w.i32Const(noRegion)
	w.emit(opI32Eq)
	w.ifThen()
	w.localGet(core)
	w.localGet(invocated)
	w.call(w.whole)
	w.emit(opReturn, opEnd)
	w.loop()
	w.callRegion()
	w.localGet(exit)
	w.i32Const(allDiffer)
	w.emit(opI32Eq)
	w.ifThen()
	w.returns(Apart)
	w.emit(opEnd)
	for n, e := range w.Exits {
		if e.WayOut.needsHost() {
			continue
		}
		w.localGet(exit)
		w.i32Const(uint32(n) << 1)
		w.emit(opI32Eq)
		w.ifThen()
		w.goesOn(e)
		w.emit(opEnd)
	}
	w.emit(0, opEnd, 0) // unreachable
}

// callRegion calls the function of the region that is next.
func (w *grouping) callRegion() {
	n := len(w.starts)
	var table []uint32
	w.block()
	for i := range n {
		w.block()
		table = append(table, uint32(i))
	}
	w.field(contextRegion)
	w.brTable(table)
	for i := range n {
		w.emit(opEnd)
		w.localGet(core)
		w.i32Const(0)
		w.call(w.whole + 1 + uint32(i))
		w.localSet(exit)
		w.br(uint32(n - 1 - i))
	}
	w.emit(opEnd)
}

// goesOn goes on after all invocations have left in one way.
func (w *grouping) goesOn(e Exit) {
	again := func(region int) {
		w.sets(contextRegion, func() { w.i32Const(uint32(region)) })
		w.br(1)
	}
	w64 := func(at uint32) {
		w.localGet(core)
		w.load(i64, at)
	}
	switch e.WayOut {
	case Ended:
		w.field(contextGroupNumber)
		w.field(contextLastGroup)
		w.emit(opI32Eq)
		w.ifThen()
		w.returns(AllGroups)
		w.emit(opEnd)
		w64(contextSteps)
		w64(contextBudget)
		w.emit(opI64GeU)
		w.ifThen()
		w.returns(GroupEnd)
		w.emit(opEnd)
		w.nextGroup()
		again(0)
	case Waiting:
		w64(contextSteps)
		w64(contextLook)
		w.emit(opI64GeU)
		w.ifThen()
		w.returns(Together)
		w.emit(opEnd)
		w.passBarrier(e.PC - 1)
		again(w.RegionOf(e.Next))
	default:
		w.returns(Together)
	}
}

// passBarrier begins the next phases of the memory that a barrier is for.
func (w *grouping) passBarrier(pc uint32) {
	if !w.watched {
		return
	}
	kind := w.program.Code[pc].N
	for _, memory := range []struct {
		of           uint16
		phase, start uint32
	}{
		{ir.WorkgroupMemory, contextSharedPhase, contextSharedStart}, {ir.BufferMemory, contextBufferPhase, contextBufferStart},
		{ir.TextureMemory, contextTexturePhase, contextTextureStart},
	} {
		if kind&memory.of != 0 {
			w.adds(memory.phase, 1)
			w.sets(memory.start, func() { w.i32Const(pc) })
		}
	}
}

// nextGroup begins the next workgroup.
func (w *grouping) nextGroup() {
	w.adds(contextGroupNumber, 1)
	w.adds(contextGroup, 1)
	for axis := range uint32(2) {
		w.field(contextGroup + 4*axis)
		w.field(contextGroups + 4*axis)
		w.emit(opI32Eq)
		w.ifThen()
		w.sets(contextGroup+4*axis, func() { w.i32Const(0) })
		w.adds(contextGroup+4*(axis+1), 1)
	}
	w.emit(opEnd, opEnd)
	if n := w.program.SharedWords; n > 0 {
		w.field(contextShared)
		w.i32Const(0)
		w.i32Const(4 * n)
		w.memoryFill()
	}
	for _, at := range []uint32{contextGroupFrom, contextLook} {
		w.localGet(core)
		w.localGet(core)
		w.load(i64, contextSteps)
		if at == contextLook {
			w.i64Const(FirstLook)
			w.emit(opI64Add)
		}
		w.store(i64, at)
	}
	if !w.watched {
		return
	}
	for _, at := range []uint32{contextWatched, contextSharedPhase, contextBufferPhase, contextTexturePhase} {
		w.adds(at, 1)
	}
	for _, at := range []uint32{contextSharedStart, contextBufferStart, contextTextureStart} {
		w.sets(at, func() { w.i32Const(0) })
	}
	w.field(contextWrote)
	w.ifThen()
	w.adds(contextWrote, w.invocations())
	w.emit(opEnd)
}
