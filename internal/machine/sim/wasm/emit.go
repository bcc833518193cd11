package wasm

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// The functions of a module: the host's come first.
const (
	callFunction1 = iota // of package ir, by its index
	callFunction2
	callFunction3
	callHost // executes the instruction with a number
	callOwn  // records an access to an array of the invocation's own
	callRun

	// Watched code has functions that record accesses.
	callReadShared = iota - 1
	callWriteShared
	callReadBuffer
	callWriteBuffer
	callHash
)

// remainder is a function of the host that package ir doesn't list with Functions2.
const remainder = 0xffff

// The first locals of the function. The first two are its parameters.
const (
	core      = iota // where the core's context is
	invocated        // the invocation's index in its workgroup
	steps
	budget
	effort
	from     // the steps when the invocation began
	ownSlots // where its slots are
	resume   // the number of the entry, until the run is there; then 0
	placeX   // its place in the workgroup
	placeY
	placeZ
	bufferBytes
	sharedAt
	leaving // how the run ends: see Exit
	scratch
	scratch2
	scratchFloat
	quiet
	result
	resultFloat
	difference
	magnitude
	agreed // how the invocations before have left
	sharedPhase
	watchedGroup
	sharedCells
	writtenAt
	fixedLocals
)

// A generator emits the function that runs invocations.
type generator struct {
	*placement
	code

	own    bool              // invocations have arrays of their own, which the watcher records
	arrays map[uint32]uint32 // the locals with the address and the length of a runtime-sized array
	first  uint32            // the local of the first slot

	uniforms    map[uniform]uint32 // the locals of words of uniforms
	uniformList []uniform
	hoisted     map[uint32]hoisted // by instruction
	inAdvance   map[int][]uint32   // by loop, the instructions to compute before it
	extra       []valueKind        // of the locals after those of slots
	firstExtra  uint32

	*shared

	labels  []label
	targets map[int][]uint32 // by loop, where forward jumps in it and runs land; -1 is the function
	pending counted          // of the block so far
	atStart counted          // before the instruction
	index   uint32           // of the instruction
	bounds  *bounding
	now     limits // before the instruction
}

// A shared is what the functions of a module have in common.
type shared struct {
	exits       []Exit
	callsHost   bool     // for more than a function of scalars
	helperNames []string // of the helpers that the code calls, in the order of their functions
}

// A counted is steps and effort.
type counted struct{ steps, effort uint64 }

// A label is a block that ends at an instruction, or a loop that begins there.
type label struct {
	at   uint32
	loop bool
}

// The labels of the ways out of the function.
const (
	toDone  = 1<<32 - 1
	toSpill = 1<<32 - 2
	toOwn   = 1<<32 - 3

	toReturn = 1<<32 - 4
	toNext   = 1<<32 - 5
)

func newGenerator(p *placement, of *shared) *generator {
	g := &generator{placement: p, shared: of, arrays: map[uint32]uint32{}, targets: map[int][]uint32{}}
	next := uint32(fixedLocals)
	for i := range p.ops {
		if o := &p.ops[i]; o.Op.Info().Operands.C == ir.OperandArrayAt {
			if _, known := g.arrays[o.C]; !known {
				g.arrays[o.C] = next
				next += 2
			}
		}
	}
	g.first = next
	g.firstExtra = next + uint32(len(p.kinds))
	g.bounds = p.bound()
	g.findTargets()
	g.findUniforms()
	g.findHoisted()
	return g
}

// locals returns the types of the locals beyond the parameters.
func (g *generator) locals() []valueKind {
	list := []valueKind{steps: i64, budget: i64, effort: i64, from: i64, ownSlots: i32, resume: i32, placeX: i32, placeY: i32, placeZ: i32, bufferBytes: i32, sharedAt: i32, leaving: i32, scratch: i32, scratch2: i32, scratchFloat: f32, quiet: i32, result: i32, resultFloat: f32, difference: f32, magnitude: i32, agreed: i32, sharedPhase: i32, watchedGroup: i32, sharedCells: i32, writtenAt: i32}
	for len(list) < int(g.first) {
		list = append(list, i32) // of arrays
	}
	return slices.Concat(list[steps:], g.kinds, g.extra)
}

// container returns the innermost loop that has an instruction beyond its head; -1 for none.
func (g *generator) container(at uint32) int {
	for i := len(g.loops) - 1; i >= 0; i-- {
		if l := g.loops[i]; l.head < at && at <= l.back {
			return i
		}
	}
	return -1
}

// parent returns the loop around a loop, or -1. A loop that begins with another one is its parent.
func (g *generator) parent(loop int) int {
	for i := loop - 1; i >= 0; i-- {
		if g.loops[i].back > g.loops[loop].back && g.loops[i].head <= g.loops[loop].head {
			return i
		}
	}
	return -1
}

func (g *generator) findTargets() {
	add := func(at uint32) {
		c := g.container(at)
		g.targets[c] = append(g.targets[c], at)
	}
	for i := range g.ops {
		o := &g.ops[i]
		if o.jumps() && o.Op != ir.OpCall && (o.Op != ir.OpLoop || o.C > uint32(i)) {
			add(o.C)
		}
	}
	for _, at := range g.entries[1:] {
		add(at)
	}
	for _, l := range g.loops {
		if l.head > 0 && g.enters(l) {
			add(l.head)
		}
	}
	for c := range g.targets {
		slices.Sort(g.targets[c])
		g.targets[c] = slices.Compact(g.targets[c])
	}
}

// enters reports whether a run may begin within a loop, beyond its head.
func (g *generator) enters(l codeLoop) bool {
	return slices.ContainsFunc(g.entries, func(at uint32) bool { return l.head < at && at <= l.back })
}

func (g *generator) begin() {
	get := func(k valueKind, at, local uint32) {
		g.localGet(core)
		g.load(k, at)
		g.localSet(local)
	}
	get(i64, contextSteps, steps)
	get(i64, contextBudget, budget)
	get(i64, contextEffort, effort)
	get(i32, contextBufferBytes, bufferBytes)
	get(i32, contextShared, sharedAt)
	if g.watches {
		get(i32, contextQuiet, quiet)
		if g.program.SharedWords > 0 {
			get(i32, contextWritten, writtenAt)
			get(i32, contextSharedCells, sharedCells)
			get(i32, contextWatched, watchedGroup)
			get(i32, contextSharedPhase, sharedPhase)
		}
	}
	for array, local := range g.arrays {
		get(i32, contextArrays+8*array, local)
		get(i32, contextArrays+8*array+4, local+1)
	}
	get(i32, contextSlots, ownSlots)
	for n, slot := range g.slotOf {
		if !g.differs(uint32(n)) {
			g.loadSlot(uint32(n), slot)
		}
	}
	g.loadUniforms()
}

// loadSlot loads a slot to its local.
func (g *generator) loadSlot(n, slot uint32) {
	g.localGet(ownSlots)
	g.load(g.kinds[n], 4*slot)
	g.localSet(g.first + n)
}

// loadAlive loads the slots that are alive at the entry.
func (g *generator) loadAlive() {
	n := len(g.entries)
	var table []uint32
	for i := range n + 1 {
		g.block()
		table = append(table, uint32(i))
	}
	g.localGet(resume)
	g.brTable(table[:n])
	for i, at := range g.entries {
		g.emit(opEnd)
		g.alive[at].each(func(n uint32) {
			if g.written.has(n) {
				g.loadSlot(n, g.slotOf[n])
			}
		})
		g.br(uint32(n - 1 - i))
	}
	g.emit(opEnd)
}

func (g *generator) open(l label) {
	g.labels = append(g.labels, l)
	if l.loop {
		g.loop()
	} else {
		g.block()
	}
}

func (g *generator) close() {
	g.labels = g.labels[:len(g.labels)-1]
	g.emit(opEnd)
}

// depth returns how many labels are within one.
func (g *generator) depth(of label) uint32 {
	for i := len(g.labels) - 1; i >= 0; i-- {
		if g.labels[i] == of {
			return uint32(len(g.labels) - 1 - i)
		}
	}
	panic("wasm: a jump to nowhere")
}

// scope emits the code of a loop, or of the function if loop is -1. A block for each target begins
// at the scope's start and ends at the target, so every jump leaves blocks.
func (g *generator) scope(loop int, from, to uint32) {
	for _, at := range slices.Backward(g.targets[loop]) {
		g.open(label{at: at})
	}
	g.dispatch(loop)
	for at := from; at < to; {
		g.land(at)
		if inner := g.loopAt(at, loop); inner >= 0 {
			g.flush()
			g.arriveAt(at)
			g.hoist(inner)
			g.open(label{at, true})
			g.scope(inner, at, g.loops[inner].back+1)
			g.close()
			at = g.loops[inner].back + 1
			continue
		}
		g.instruction(at)
		at++
	}
	g.flush()
	for range g.targets[loop] { // those at the end
		if last := g.labels[len(g.labels)-1]; last.loop || last.at != to {
			break
		}
		g.close()
	}
}

// arriveAt takes over what is known before a block.
func (g *generator) arriveAt(at uint32) {
	if l := g.bounds.at[at]; l != nil {
		g.now = slices.Clone(l)
	}
}

// land ends the block whose target is an instruction.
func (g *generator) land(at uint32) {
	if last := g.labels[len(g.labels)-1]; last.loop || last.at != at {
		return
	}
	g.flush()
	g.close()
	within := slices.ContainsFunc(g.loops, func(l codeLoop) bool { return l.head == at && g.enters(l) })
	if g.entry(at) >= 0 && !within {
		g.arrived()
	}
}

// arrived notes that the run has come to its entry.
func (g *generator) arrived() {
	g.i32Const(0)
	g.localSet(resume)
}

// loopAt returns the loop of a scope that begins at an instruction, or -1.
func (g *generator) loopAt(at uint32, scope int) int {
	for i := scope + 1; i < len(g.loops); i++ {
		if g.loops[i].head == at && g.parent(i) == scope {
			return i
		}
	}
	return -1
}

// dispatch goes on to the entry if that is within the scope.
func (g *generator) dispatch(loop int) {
	l := codeLoop{0, uint32(len(g.ops))}
	if loop >= 0 {
		l = g.loops[loop]
	}
	if !g.enters(l) {
		return
	}
	g.open(label{at: toOwn})
	g.localGet(resume)
	g.emit(opI32Eqz)
	g.brIf(0)
	table := make([]uint32, len(g.entries)+1)
	for i, at := range g.entries {
		if l.head < at && at <= l.back {
			table[i] = g.toward(at, loop)
		}
	}
	g.localGet(resume)
	g.brTable(table)
	g.close()
	if loop < 0 {
		return
	}
	if inner := g.loopAt(l.head, loop); inner < 0 || !g.enters(g.loops[inner]) {
		g.arrived()
	}
}

// toward returns the depth of the label on the way to an entry within a scope: of the entry, or of
// the loop in which it is.
func (g *generator) toward(at uint32, scope int) uint32 {
	c := g.container(at)
	for c != scope && g.parent(c) != scope {
		c = g.parent(c)
	}
	if c == scope {
		return g.depth(label{at: at})
	}
	if head := g.loops[c].head; scope < 0 && head > 0 || scope >= 0 && head > g.loops[scope].head {
		return g.depth(label{at: head})
	}
	return 0 // it begins with the scope
}

// flush counts the steps of the block so far.
func (g *generator) flush() {
	for _, counted := range []struct {
		n     *uint64
		local uint32
	}{{&g.pending.steps, steps}, {&g.pending.effort, effort}} {
		if *counted.n > 0 {
			g.localGet(counted.local)
			g.i64Const(*counted.n)
			g.emit(opI64Add)
			g.localSet(counted.local)
			*counted.n = 0
		}
	}
}

// exit returns the number of a way out, as the function returns it.
func (g *generator) exit(e Exit) uint32 {
	at := slices.Index(g.exits, e)
	if at < 0 {
		at = len(g.exits)
		g.exits = append(g.exits, e)
	}
	n := uint32(at) << 1
	if e.WayOut.needsHost() {
		n |= 1
	}
	return n
}

// leave ends the run. With all, it stores every slot that may have changed.
func (g *generator) leave(e Exit, all bool) {
	g.i32Const(g.exit(e))
	g.localSet(leaving)
	to := label{at: toDone}
	if all {
		to.at = toSpill
	}
	g.br(g.depth(to))
}

// spill stores the slot that a local holds.
func (g *generator) spill(n uint32) {
	g.localGet(ownSlots)
	g.localGet(g.first + n)
	g.store(g.kinds[n], 4*g.slotOf[n])
}

// kindOf returns how a slot is held.
func (g *generator) kindOf(slot uint32) valueKind {
	if n, ok := g.local[slot]; ok {
		return g.kinds[n]
	}
	return i32
}

// get pushes the value of a slot.
func (g *generator) get(slot uint32, k valueKind) {
	if bits, ok := g.constant(slot); ok {
		if k == f32 {
			g.f32Const(bits)
		} else {
			g.i32Const(bits)
		}
		return
	}
	n, ok := g.local[slot]
	if !ok {
		g.localGet(ownSlots)
		g.load(k, 4*slot)
		return
	}
	g.localGet(g.first + n)
	g.reinterpret(g.kinds[n], k)
}

func (g *generator) reinterpret(from, to valueKind) {
	switch {
	case from == to:
	case to == f32:
		g.emit(opF32FromI32)
	default:
		g.emit(opI32FromF32)
	}
}

// set sets a slot to what value pushes.
func (g *generator) set(slot uint32, k valueKind, value func()) {
	n, ok := g.local[slot]
	if !ok {
		g.localGet(ownSlots)
		value()
		g.store(k, 4*slot)
		return
	}
	value()
	g.reinterpret(k, g.kinds[n])
	g.localSet(g.first + n)
}

// jump emits a jump to an instruction; one that has a condition takes it from the stack.
func (g *generator) jump(to uint32, conditional bool) {
	depth := g.depth(label{at: to})
	if conditional {
		g.brIf(depth)
	} else {
		g.br(depth)
	}
}
