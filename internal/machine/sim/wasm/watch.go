package wasm

import (
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Watched code keeps the watcher's records. Wherever something may have to be told, it stops before
// the instruction and leaves it to the interpreter. It may have recorded its accesses already:
// recording one twice changes nothing. So every finding is the interpreter's.

// The sizes of the records of package sim, in words: a cell, writers and readers. Their stamps are
// a phase, who, an instruction, and the other memory's phase. Those of any workgroup have that as
// their phase, and no fourth word.
const (
	stampBytes  = 16
	CellWords   = 3 * stampBytes / 4
	WriterWords = 2 * stampBytes / 4
	ReaderWords = 4 * stampBytes / 4
)

// A stampAt is where a stamp is: in a record whose address a local holds.
type stampAt struct{ record, offset uint32 }

// The stamps of a cell, and those of writers and readers.
var (
	sharedStamps = stamps{write: stampAt{watchCell, 0}, read: stampAt{watchCell, stampBytes}, other: stampAt{watchCell, 2 * stampBytes}}
	bufferStamps = stamps{write: stampAt{watchCell, 0}, read: stampAt{watchReaders, 0}, other: stampAt{watchReaders, stampBytes}}
	everStamps   = stamps{
		write: stampAt{watchCell, stampBytes}, read: stampAt{watchReaders, 2 * stampBytes}, other: stampAt{watchReaders, 3 * stampBytes},
	}
)

type stamps struct{ write, read, other stampAt }

// A Quiet is a set of kinds of which the watcher has told all it tells.
type Quiet uint32

// The kinds.
const (
	QuietWrap Quiet = 1 << iota
	QuietDivision
	QuietOverflow
	QuietNaN
	QuietSubnormal
)

// The parameters of the functions that watch: the core's context, the invocation, the instruction,
// the first cell and the number of cells. Their locals follow.
const (
	watchCore = iota
	watchWho
	watchPC
	watchAt
	watchCount
	watchCell
	watchReaders
	watchPhase
	watchAside
	watchGroup
	watchLocals
)

// A watching emits a function that records accesses. It returns 1 if the interpreter has to look.
type watching struct {
	code
	program *ir.Program
	shared  bool
}

func (w *watching) field(at uint32) {
	w.localGet(watchCore)
	w.load(i32, at)
}

func (w *watching) setField(local, at uint32) {
	w.field(at)
	w.localSet(local)
}

// look returns 1 if the condition on the stack holds.
func (w *watching) look() {
	w.ifThen()
	w.i32Const(1)
	w.emit(opReturn, opEnd)
}

// at pushes a word of a stamp.
func (w *watching) at(s stampAt, word uint32) {
	w.localGet(s.record)
	w.load(i32, s.offset+4*word)
}

// isNot pushes whether a word of a stamp differs from a local.
func (w *watching) isNot(s stampAt, word, local uint32) {
	w.at(s, word)
	w.localGet(local)
	w.emit(opI32Ne)
}

// stamp writes the words of a stamp that locals hold.
func (w *watching) stamp(s stampAt, words ...uint32) {
	for i, local := range words {
		w.localGet(s.record)
		w.localGet(local)
		w.store(i32, s.offset+4*uint32(i))
	}
}

func (w *watching) now(s stampAt)  { w.stamp(s, watchPhase, watchWho, watchPC, watchAside) }
func (w *watching) ever(s stampAt) { w.stamp(s, watchGroup, watchWho, watchPC) }

// other pushes whether another invocation made a stamp in this phase.
func (w *watching) other(s stampAt) {
	w.at(s, 0)
	w.localGet(watchPhase)
	w.emit(opI32Eq)
	w.isNot(s, 1, watchWho)
	w.emit(opI32And)
}

// otherGroup pushes whether another workgroup made a stamp.
func (w *watching) otherGroup(s stampAt) {
	w.at(s, 0)
	w.i32Const(0)
	w.emit(opI32Ne)
	w.isNot(s, 0, watchGroup)
	w.emit(opI32And)
}

// stamps returns where those of this phase are.
func (w *watching) stamps() stamps {
	if w.shared {
		return sharedStamps
	}
	return bufferStamps
}

// function emits the function for reads or writes.
func (w *watching) function(writes bool) {
	w.begin()
	w.loop()
	if w.shared {
		w.bounds(watchCell, 4*CellWords)
	} else {
		w.bounds(watchCell, 4*WriterWords)
	}
	w.other(w.stamps().write)
	if !w.shared {
		w.otherGroup(everStamps.write)
		w.emit(opI32Or)
	}
	w.look()
	if writes {
		w.afterReads()
		w.wrote()
	} else {
		w.read()
	}
	steps := []struct{ local, by uint32 }{{watchAt, 1}, {watchCell, 4 * CellWords}}
	if !w.shared {
		steps[1].by = 4 * WriterWords
		steps = append(steps, struct{ local, by uint32 }{watchReaders, 4 * ReaderWords})
	}
	for _, step := range steps {
		w.localGet(step.local)
		w.i32Const(step.by)
		w.emit(opI32Add)
		w.localSet(step.local)
	}
	w.localGet(watchCount)
	w.i32Const(1)
	w.emit(opI32Sub)
	w.localTee(watchCount)
	w.brIf(0)
	w.emit(opEnd)
	w.i32Const(0)
}

// afterReads looks if somebody else has read what an invocation writes.
func (w *watching) afterReads() {
	if !w.shared {
		w.field(contextHasRead)
		w.ifThen()
		defer w.emit(opEnd)
	}
	w.other(w.stamps().read)
	w.other(w.stamps().other)
	w.emit(opI32Or)
	if !w.shared {
		w.otherGroup(everStamps.read)
		w.otherGroup(everStamps.other)
		w.emit(opI32Or, opI32Or)
	}
	w.look()
}

// begin computes the addresses of the records, and this phase.
func (w *watching) begin() {
	phase, aside, cells, words := uint32(contextBufferPhase), uint32(contextSharedPhase), uint32(contextWriters), uint32(WriterWords)
	if w.shared {
		phase, aside, cells, words = contextSharedPhase, contextBufferPhase, contextSharedCells, CellWords
	}
	w.bounds(watchCore, contextArrays)
	w.setField(watchPhase, phase)
	w.setField(watchAside, aside)
	w.setField(watchGroup, contextWatched)
	if !w.shared && w.program.Textures {
		w.field(contextTexturePhase)
		w.localGet(watchPhase)
		w.localGet(watchAt)
		w.field(contextTexels)
		w.emit(opI32GeU, opSelect)
		w.localSet(watchPhase)
	}
	record := func(base, words, local uint32) {
		w.field(base)
		w.localGet(watchAt)
		w.i32Const(4 * words)
		w.emit(opI32Mul, opI32Add)
		w.localSet(local)
	}
	if record(cells, words, watchCell); !w.shared {
		record(contextReaders, ReaderWords, watchReaders)
	}
}

// bounds touches the end of a record. The engine then knows that the rest is within memory, too.
func (w *watching) bounds(record, bytes uint32) {
	w.localGet(record)
	w.load(i32, bytes-4)
	w.emit(opDrop)
}

// read records a read: two readers in this phase, and of all workgroups.
func (w *watching) read() {
	s := w.stamps()
	w.isNot(s.read, 0, watchPhase)
	w.ifThen()
	w.now(s.read)
	w.emit(opElse)
	w.isNot(s.read, 1, watchWho)
	w.isNot(s.other, 0, watchPhase)
	w.emit(opI32And)
	w.ifThen()
	w.now(s.other)
	w.emit(opEnd, opEnd)
	if w.shared {
		w.written()
		w.isNotGroup()
		return
	}
	w.localGet(watchCore)
	w.i32Const(1)
	w.store(i32, contextHasRead)
	w.at(everStamps.read, 0)
	w.emit(opI32Eqz)
	w.ifThen()
	w.ever(everStamps.read)
	w.emit(opElse)
	w.isNot(everStamps.read, 0, watchGroup)
	w.at(everStamps.other, 0)
	w.emit(opI32Eqz, opI32And)
	w.ifThen()
	w.ever(everStamps.other)
	w.emit(opEnd, opEnd)
}

// written pushes the address of who wrote a word of workgroup memory.
func (w *watching) written() {
	w.field(contextWritten)
	w.localGet(watchAt)
	w.i32Const(2)
	w.emit(opI32Shl, opI32Add)
}

// isNotGroup looks if no invocation of this workgroup has written the word, unless that is told.
func (w *watching) isNotGroup() {
	w.load(i32, 0)
	w.localGet(watchGroup)
	w.emit(opI32Ne)
	w.ifThen()
	w.field(contextQuietAt)
	w.localGet(watchPC)
	w.i32Const(2)
	w.emit(opI32Shl, opI32Add)
	w.load(i32, 0)
	w.i32Const(0)
	w.emit(opI32GeS)
	w.look()
	w.emit(opEnd)
}

// wrote records a write.
func (w *watching) wrote() {
	w.now(w.stamps().write)
	if w.shared {
		w.written()
		w.localGet(watchGroup)
		w.store(i32, 0)
		return
	}
	w.at(everStamps.write, 0)
	w.emit(opI32Eqz)
	w.ifThen()
	w.ever(everStamps.write)
	w.emit(opEnd)
	w.field(contextWrote)
	w.ifThen()
	w.field(contextWrote)
	w.localGet(watchWho)
	w.emit(opI32Add)
	w.i32Const(1)
	w.emit(0x3a, 0, 0) // i32.store8
	w.emit(opEnd)
}

// hashing emits the function that counts a store in a buffer, as watcher.store does. Its parameters
// are the core's context, the address and the value.
func hashing() (c code) {
	const x = 3 // a local of 64 bits
	c.localGet(1)
	c.emit(opI64ExtendU)
	c.i64Const(32)
	c.emit(opI64Shl)
	c.localGet(2)
	c.emit(opI64ExtendU, opI64Or)
	c.i64Const(0x9e3779b97f4a7c15)
	c.emit(opI64Add)
	c.localSet(x)
	fold := func(shift uint64) {
		c.localGet(x)
		c.localGet(x)
		c.i64Const(shift)
		c.emit(opI64ShrU, opI64Xor)
	}
	for _, step := range []struct{ shift, by uint64 }{{30, 0xbf58476d1ce4e5b9}, {27, 0x94d049bb133111eb}} {
		fold(step.shift)
		c.i64Const(step.by)
		c.emit(opI64Mul)
		c.localSet(x)
	}
	c.localGet(0)
	c.localGet(0)
	c.load(i64, contextStored)
	fold(31)
	c.emit(opI64Add)
	c.store(i64, contextStored)
	return c
}

// interpret leaves the instruction, and what follows up to the next entry, to the interpreter.
func (g *generator) interpret(o *op) {
	for _, counted := range []struct {
		n     uint64
		local uint32
	}{{g.atStart.steps, steps}, {g.atStart.effort, effort}} {
		if counted.n > 0 {
			g.localGet(counted.local)
			g.i64Const(counted.n)
			g.emit(opI64Add)
			g.localSet(counted.local)
		}
	}
	g.leave(Exit{Interpreting, o.pc, -1}, true)
}

// begins begins code that runs if the condition on the stack holds; close ends it.
func (g *generator) begins() {
	g.ifThen()
	g.labels = append(g.labels, label{at: toOwn})
}

// unlessQuiet leaves to the interpreter if the condition on the stack holds and not all of these
// kinds are told.
func (g *generator) unlessQuiet(o *op, kinds Quiet) {
	g.begins()
	g.localGet(quiet)
	g.i32Const(uint32(kinds))
	g.emit(opI32And)
	g.i32Const(uint32(kinds))
	g.emit(opI32Ne)
	g.begins()
	g.interpret(o)
	g.close()
	g.close()
}

// checkFinite looks at the f32 in a local, which an instruction computes. Only its operands tell
// whether that is news, but if the kind is told it is none.
func (g *generator) checkFinite(o *op, local uint32) {
	g.localGet(local)
	g.localGet(local)
	g.emit(opF32Sub)
	g.localTee(difference)
	g.localGet(difference)
	g.emit(opF32Ne)
	g.begins()
	g.localGet(local)
	g.localGet(local)
	g.emit(opF32Ne) // NaN
	g.begins()
	g.i32Const(1)
	g.unlessQuiet(o, QuietNaN)
	g.emit(opElse)
	g.i32Const(1)
	g.unlessQuiet(o, QuietOverflow|QuietDivision&divides(o))
	g.close()
	g.close()
}

// divides returns all kinds for a division, and none for anything else.
func divides(o *op) Quiet {
	if o.Op == ir.OpDivF {
		return 1<<32 - 1
	}
	return 0
}

// checkLoaded looks at the bits of a float that a load gives, in a local.
func (g *generator) checkLoaded(o *op, local uint32) {
	g.localGet(local)
	g.i32Const(0x7fffffff)
	g.emit(opI32And)
	g.localTee(magnitude)
	g.i32Const(0x00800000)
	g.emit(opI32Sub)
	g.i32Const(0x7f000000)
	g.emit(opI32GeU)
	g.begins()
	g.localGet(magnitude)
	g.begins() // it is not zero
	g.localGet(magnitude)
	g.i32Const(0x00800000)
	g.emit(opI32LtU)
	g.unlessQuiet(o, QuietSubnormal)
	g.localGet(magnitude)
	g.i32Const(0x7f800000)
	g.emit(opI32GtU)
	g.unlessQuiet(o, QuietNaN)
	g.localGet(magnitude)
	g.i32Const(0x7f800000)
	g.emit(opI32Eq)
	g.unlessQuiet(o, QuietOverflow)
	g.close()
	g.close()
}

// wraps pushes whether a computation with whole numbers wraps around. The result is in a local.
func (g *generator) wraps(o *op, result uint32) bool {
	if g.bounds.neverWraps(g.now, o) {
		return false
	}
	b, c := func() { g.get(o.B, i32) }, func() { g.get(o.C, i32) }
	r := func() { g.localGet(result) }
	negative := func() {
		g.i32Const(0)
		g.emit(opI32LtS)
	}
	wide := func(extend byte) {
		b()
		g.emit(extend)
		c()
		g.emit(extend, opI64Mul)
	}
	switch o.Op {
	case ir.OpAddI:
		if by, ok := g.constant(o.C); ok && by < 1<<31 {
			r()
			b()
			g.emit(opI32LtS)
			return true
		}
		b()
		r()
		g.emit(opI32Xor)
		c()
		r()
		g.emit(opI32Xor, opI32And)
		negative()
	case ir.OpSubI:
		b()
		c()
		g.emit(opI32Xor)
		b()
		r()
		g.emit(opI32Xor, opI32And)
		negative()
	case ir.OpAddU:
		r()
		b()
		g.emit(opI32LtU)
	case ir.OpSubU:
		b()
		c()
		g.emit(opI32LtU)
	case ir.OpMulU:
		wide(opI64ExtendU)
		g.i64Const(32)
		g.emit(opI64ShrU)
		g.i64Const(0)
		g.emit(opI64Ne)
	case ir.OpMulI:
		wide(opI64ExtendS)
		r()
		g.emit(opI64ExtendS, opI64Ne)
	case ir.OpNegI:
		b()
		g.i32Const(1 << 31)
		g.emit(opI32Eq)
	default:
		return false
	}
	return true
}

// checkDivision looks at a division of whole numbers.
func (g *generator) checkDivision(o *op) {
	by, constant := g.constant(o.C)
	if !constant || by == 0 {
		g.get(o.C, i32)
		g.emit(opI32Eqz)
		g.unlessQuiet(o, QuietDivision)
	}
	if o.Op == ir.OpDivI && (!constant || by == 1<<32-1) {
		g.get(o.B, i32)
		g.i32Const(1 << 31)
		g.emit(opI32Eq)
		g.get(o.C, i32)
		g.i32Const(1<<32 - 1)
		g.emit(opI32Eq, opI32And)
		g.unlessQuiet(o, QuietWrap)
	}
}

// watchedSet sets a slot to what value pushes, after a look at it.
func (g *generator) watchedSet(o *op, k valueKind, value func()) {
	info := o.Op.Info()
	if !g.watches || info.Watched == 0 {
		g.set(o.A, k, value)
		return
	}
	switch o.Op {
	case ir.OpDivI, ir.OpDivU, ir.OpRemI, ir.OpRemU:
		g.checkDivision(o)
		g.set(o.A, k, value)
		return
	}
	value()
	if g.float(o) {
		g.reinterpret(k, f32)
		g.localSet(resultFloat)
		g.checkFinite(o, resultFloat)
		g.set(o.A, f32, func() { g.localGet(resultFloat) })
		return
	}
	g.reinterpret(k, i32)
	g.localSet(result)
	if g.wraps(o, result) {
		g.unlessQuiet(o, QuietWrap)
	}
	g.set(o.A, i32, func() { g.localGet(result) })
}

// float reports whether the watcher looks at an instruction's result as a float.
func (g *generator) float(o *op) bool {
	switch o.Op {
	case ir.OpApply1:
		return ir.Functions1[o.N].Float
	case ir.OpApply2:
		return ir.Functions2[o.N].Float
	case ir.OpApply3:
		return ir.Functions3[o.N].Float
	}
	return o.Op.Info().Of == types.F32Kind
}

// watchAccess records an access to the address in scratch2, and looks at the floats that it loads.
func (g *generator) watchAccess(o *op) {
	if !g.watches {
		return
	}
	n := o.Reads()
	reads := o.Op.Info().Access == ir.Read
	switch o.Memory() {
	case ir.InShared:
		word := func() {
			g.localGet(scratch2)
			g.localGet(sharedAt)
			g.emit(opI32Sub)
			g.i32Const(2)
			g.emit(opI32ShrU)
		}
		once := reads && n == 1 && g.container(g.index) >= 0 // rounds read again and again
		if once {
			g.unlessRead(word)
		}
		if g.record(o, callReadShared, callWriteShared, n, word); once {
			g.close()
		}
		g.adds(effort, uint64(n)*EffortOfWord)
	case ir.InBuffers:
		g.watchBuffer(o, n)
		if reads && g.program.Notes[o.pc].Float {
			for i := range n {
				g.localGet(scratch2)
				g.load(i32, 4*i)
				g.localSet(result)
				g.checkLoaded(o, result)
			}
		}
	default:
		g.watchOwn(o, n)
	}
}

// unlessRead begins code that runs unless a read of a word of workgroup memory changes no record:
// in this phase two have read it, or this invocation has, and no other one has written it.
func (g *generator) unlessRead(word func()) {
	word()
	g.i32Const(4 * CellWords)
	g.emit(opI32Mul)
	g.localGet(sharedCells)
	g.emit(opI32Add)
	g.localSet(result)
	is := func(s stampAt, word uint32, value uint32) {
		g.localGet(result)
		g.load(i32, s.offset+4*word)
		g.localGet(value)
		g.emit(opI32Eq)
	}
	is(sharedStamps.other, 0, sharedPhase)
	is(sharedStamps.read, 1, invocated)
	g.emit(opI32Or)
	is(sharedStamps.read, 0, sharedPhase)
	is(sharedStamps.write, 0, sharedPhase)
	g.emit(opI32Eqz)
	is(sharedStamps.write, 1, invocated)
	g.emit(opI32Or, opI32And, opI32And)
	g.localGet(writtenAt)
	g.localGet(scratch2)
	g.localGet(sharedAt)
	g.emit(opI32Sub, opI32Add)
	g.load(i32, 0)
	g.localGet(watchedGroup)
	g.emit(opI32Eq, opI32And, opI32Eqz)
	g.begins()
}

// record calls a function that watches cells.
func (g *generator) record(o *op, read, write, cells uint32, first func()) {
	g.localGet(core)
	g.localGet(invocated)
	g.i32Const(o.pc)
	first()
	g.i32Const(cells)
	if o.Op.Info().Access == ir.Read {
		g.call(read)
	} else {
		g.call(write)
	}
	g.begins()
	g.interpret(o)
	g.close()
}

// adds adds to a count.
func (g *generator) adds(local uint32, n uint64) {
	g.localGet(local)
	g.i64Const(n)
	g.emit(opI64Add)
	g.localSet(local)
}

// watchBuffer records an access to a buffer that a shader may write.
func (g *generator) watchBuffer(o *op, n uint32) {
	known, writable := g.bindingOf(o)
	if known && !writable {
		return
	}
	shift := uint32(2)
	if g.program.Halves {
		shift--
	}
	record := func() {
		cells := n << (2 - shift)
		g.record(o, callReadBuffer, callWriteBuffer, cells, func() {
			g.localGet(scratch2)
			g.i32Const(shift)
			g.emit(opI32ShrU)
		})
		g.adds(effort, uint64(cells)*EffortOfWord)
		if o.Op.Info().Access == ir.Read {
			return
		}
		for i := range n {
			g.localGet(core)
			g.localGet(scratch2)
			g.i32Const(4 * i)
			g.emit(opI32Add)
			g.get(o.A+i, i32)
			g.call(callHash)
		}
	}
	if known {
		record()
		return
	}
	g.localGet(scratch2)
	g.localGet(core)
	g.load(i32, contextWritable)
	g.emit(opI32LtU)
	g.begins()
	record()
	g.close()
}

// bindingOf reports whether the binding of an access is known, and whether shaders write it.
func (g *generator) bindingOf(o *op) (known, writable bool) {
	if o.Op.Info().Operands.C == ir.OperandArrayAt {
		return true, g.program.Bindings[g.program.Arrays[o.C].Binding].Writable
	}
	if b := g.bufferIn(o.B); b != nil {
		return true, b.Writable
	}
	return false, true
}

// The words of a record of a slot in an invocation's own array: its writer and two readers, all by
// 1 + their index, and an instruction. A mark says whether the slot has a record.
const (
	ownWriter = 0
	ownReader = 4
	ownOther  = 8
	ownPC     = 12
	// OwnWords is the size of a record, in words.
	OwnWords = 4
)

// watchOwn records an access to an array of the invocation's own, at the address in scratch2. The
// host does so if it changes more than the first reader.
func (g *generator) watchOwn(o *op, n uint32) {
	g.adds(effort, EffortOfWord)
	if !g.own {
		return
	}
	reads := o.Op.Info().Access == ir.Read
	for i := range n {
		g.ownRecord(contextOwnMarks, i, 0)
		g.load(i32, 0)
		g.begins()
		g.ownRecord(contextOwn, i, 2)
		g.localSet(result)
		me := func() {
			g.localGet(invocated)
			g.i32Const(1)
			g.emit(opI32Add)
		}
		is := func(field uint32, value func()) {
			g.localGet(result)
			g.load(i32, field)
			value()
			g.emit(opI32Eq)
		}
		none := func() { g.i32Const(0) }
		if reads {
			is(ownReader, none)
			is(ownWriter, me)
			is(ownWriter, none)
			g.emit(opI32Or, opI32And)
			g.begins()
			g.localGet(result)
			me()
			g.store(i32, ownReader)
			g.localGet(result)
			g.i32Const(o.pc)
			g.store(i32, ownPC)
			g.close()
			is(ownReader, me)
			is(ownReader, none)
			is(ownOther, none)
			g.emit(opI32Or, opI32Eqz, opI32Or)
		} else {
			is(ownWriter, me)
		}
		g.emit(opI32Eqz)
		g.begins()
		g.localGet(core)
		g.localGet(invocated)
		g.i32Const(o.pc)
		g.localGet(scratch2)
		g.localGet(ownSlots)
		g.emit(opI32Sub)
		g.i32Const(2)
		g.emit(opI32ShrU)
		g.i32Const(i)
		g.emit(opI32Add)
		g.ask(callOwn)
		g.close()
		g.close()
	}
}

// ownRecord pushes the address of the record, of 1 << shift words, of a slot after the address in
// scratch2.
func (g *generator) ownRecord(list, after, shift uint32) {
	g.localGet(core)
	g.load(i32, list)
	g.localGet(scratch2)
	g.localGet(ownSlots)
	g.emit(opI32Sub)
	g.i32Const(shift)
	g.emit(opI32Shl, opI32Add)
	g.i32Const(4 * after << shift)
	g.emit(opI32Add)
}

// outside emits what a watched access out of bounds does: a load gives 0 if that is told already.
// The interpreter looks at all others.
func (g *generator) outside(o *op) {
	if o.Op.Info().Access != ir.Read {
		g.interpret(o)
		return
	}
	g.localGet(core)
	g.load(i32, contextQuietAt)
	g.load(i32, 4*o.pc)
	g.i32Const(0x7fffffff)
	g.emit(opI32And)
	element := o.Op.Info().Operands.C == ir.OperandArrayAt
	if element {
		g.i32Const(o.pc + 1)
	} else {
		g.get(o.B, i32)
		g.i32Const(ir.NoAddress)
		g.emit(opI32Sub)
		g.i32Const(1)
		g.emit(opI32Add)
	}
	g.emit(opI32Ne)
	g.begins()
	g.interpret(o)
	g.close()
	if element {
		g.noteBad(o)
	}
}

// noteBad notes the index out of bounds that an instruction saw last.
func (g *generator) noteBad(o *op) {
	g.localGet(core)
	g.load(i32, contextBadAt)
	g.get(o.B, i32)
	g.store(i32, 4*o.pc)
}
