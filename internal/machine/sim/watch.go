package sim

import (
	"sort"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// maxFindings limits the findings of one kind.
const maxFindings = 20

// A watcher remembers who touched which memory, and reports errors. Two accesses of one location by
// different invocations race if one of them writes and nothing orders them (§ 14.5, § 15.6). In a
// workgroup, a barrier for that memory orders them; between workgroups, nothing does. All
// invocations pass each barrier together, so the barriers divide a workgroup's time into phases.
// For each location and phase, the watcher therefore needs only the writer and two readers.
//
// A write to one component of a vector may access the whole vector (§ 8.5.1.3): Apple's compiler
// reads it, changes the component and writes it back. So it races with accesses to the other
// components. A read of a component touches only that component.
type watcher struct {
	*ir.Program
	shared  []cell
	written []uint32       // for each word of workgroup memory, 1 + the workgroup that wrote it
	writers pages[writers] // of buffers
	readers pages[readers]
	hasRead bool // any word of these

	components                 bool           // a component of a vector was written alone
	sharedBeside, bufferBeside pages[writers] // used only then, of other components

	texels uint32 // the first cell of buffers that belongs to a texture

	sharedPhase, bufferPhase, texturePhase uint32 // unique across workgroups
	sharedStart, bufferStart, textureStart uint32 // the barriers that began the phases; 0 at the start
	group                                  uint32 // 1 + the workgroup's number
	muted                                  bool   // the workgroup's barriers are out of step, so later findings mean nothing

	trial  bool   // only count stores in buffers, and report those out of bounds
	stored uint64 // a sum over all stores in buffers

	wrapTold bool // report one wrap only: hashes wrap around all the time

	own   []*ownArray
	ownOf []*ownArray // by slot

	core     *wasm.Core // where compiled code finds the records; nil in the interpreter
	quietNow wasm.Quiet // what it need not stop for

	wrote       []bool // see shader.Result; nil if there are too many invocations
	invocations uint32 // of a workgroup

	raced    pages[bool]     // by cell of the buffers: a race decides its value
	met      map[pair]uint32 // the races about which everything is told
	findings []findings.Finding
	outside  []uint32 // for each finding, 1 + the instruction that read out of bounds, or 0
	told     map[told]bool
	count    map[findings.Kind]int
}

// told identifies a report that is made only once: a kind of finding at one or two instructions.
type told struct {
	kind findings.Kind
	a, b uint32
}

// A pair is two instructions that race. A racing shader races over and over, and looking up a pair
// is much faster than looking up what was told.
type pair struct{ before, now uint32 }

// The races of a pair are a bit each: 1 << how, shifted by one of these.
const (
	within       = 0
	withinBeside = 8 // held back by the other memory's barrier
	beyond       = 16
)

// meets reports whether a race of two instructions may be news.
func (w *watcher) meets(before, now stamp, how raceWay, where int) bool {
	p, race := pair{before.pc, now.pc}, uint32(1)<<how<<where
	known := w.met[p]&race != 0
	if !known && !w.muted { // otherwise a later workgroup tells it
		w.met[p] |= race
	}
	return !known
}

// A stamp says who did something, in which phase and by which instruction. aside is the phase of
// the other memory: buffers for workgroup memory and vice versa.
type stamp struct{ phase, who, pc, aside uint32 }

// A cell is the accesses to a word of workgroup memory in the phase that its stamps name.
type cell struct {
	write stamp
	pairOfReads
}

// A pairOfReads is a read, and one by somebody else: another invocation in the phase of the stamps,
// or another workgroup.
type pairOfReads struct{ read, other stamp }

// Writers are the writes to a word of a buffer: in the phase of the stamp, and the first one by any
// workgroup. The phases of ever are workgroups, from 1. They are apart from readers because few
// words have both.
type writers struct{ now, ever stamp }

// Readers are the reads of a word of a buffer, likewise.
type readers struct{ now, ever pairOfReads }

// pages hold the watcher's records for the words of buffers. Pages are created on first touch,
// because buffers can be large.
type pages[T any] struct {
	size  uint32
	pages [][]T
}

const pageBits = 10

func pagesFor[T any](size uint32) pages[T] {
	return pages[T]{size, make([][]T, (size+1<<pageBits-1)>>pageBits)}
}

func (p *pages[T]) at(i uint32) *T {
	page := &p.pages[i>>pageBits]
	if *page == nil {
		*page = make([]T, 1<<pageBits)
	}
	return &(*page)[i&(1<<pageBits-1)]
}

// each calls do with the records of the pages that were touched.
func (p *pages[T]) each(do func(i uint32, record T)) {
	for number, page := range p.pages {
		for j, record := range page {
			do(uint32(number<<pageBits+j), record)
		}
	}
}

// mostWriters is the maximum number of invocations for which the watcher records who wrote.
const mostWriters = 1 << 22

// newWatcher makes a watcher of the writable words of memory; those from texels on are of textures.
func newWatcher(p *Program, writable, texels uint32, groups uint64) *watcher {
	size := p.Pipeline.WorkgroupSize
	w := &watcher{
		Program: p.Program, texels: texels << halfShift(p.Program), shared: make([]cell, p.SharedWords), written: make([]uint32, p.SharedWords),
		writers: pagesFor[writers](writable << halfShift(p.Program)), readers: pagesFor[readers](writable << halfShift(p.Program)),
		sharedBeside: pagesFor[writers](p.SharedWords), bufferBeside: pagesFor[writers](writable << halfShift(p.Program)),
		raced: pagesFor[bool](writable << halfShift(p.Program)), met: map[pair]uint32{}, told: map[told]bool{}, count: map[findings.Kind]int{}, invocations: size[0] * size[1] * size[2],
	}
	w.own, w.ownOf = p.ownArrays()
	if groups <= mostWriters/uint64(w.invocations) {
		w.wrote = make([]bool, groups*uint64(w.invocations))
	}
	return w
}

// writer notes that an invocation of this workgroup writes to a buffer.
func (w *watcher) writer(local uint32) {
	if w.wrote != nil {
		w.wrote[(w.group-1)*w.invocations+local] = true
	}
}

// halfShift returns 1 if shaders write halves of words, so that cells stand for halves.
func halfShift(p *ir.Program) uint32 {
	if p.Halves {
		return 1
	}
	return 0
}

func (w *watcher) enter(number uint32) {
	w.group = number + 1
	w.sharedPhase++
	w.bufferPhase++
	w.texturePhase++
	w.sharedStart, w.bufferStart, w.textureStart = 0, 0, 0
	w.muted = false
	for _, a := range w.own {
		a.enter()
	}
}

func (w *watcher) readShared(m *machine, inv *invocation, pc, at, n uint32) {
	m.effort += effortOfWord * uint64(n)
	me := stamp{w.sharedPhase, inv.local, pc, w.bufferPhase}
	for i := at; i < at+n; i++ {
		c := &w.shared[i]
		if c.write.phase == me.phase && c.write.who != me.who {
			w.race(m, findings.RaceWorkgroup, i, c.write, me, readAfterWrite)
		}
		w.beside(m, findings.RaceWorkgroup, i, me, readBeside)
		c.reads(me)
		if w.written[i] != w.group {
			w.unwritten(m, inv, pc, i)
		}
	}
}

func (c *pairOfReads) reads(me stamp) {
	switch {
	case c.read.phase != me.phase:
		c.read = me
	case c.read.who != me.who && c.other.phase != me.phase:
		c.other = me
	}
}

func (w *watcher) writeShared(m *machine, inv *invocation, pc, at uint32, values []uint32) {
	m.effort += effortOfWord * uint64(len(values))
	me := stamp{w.sharedPhase, inv.local, pc, w.bufferPhase}
	for i, v := range values {
		word := at + uint32(i)
		c := &w.shared[word]
		w.writes(m, findings.RaceWorkgroup, &c.write, &c.pairOfReads, word, me, v == m.shared[word])
		w.written[word] = w.group
	}
	if v := w.Notes[pc].Vector; v.Size > 0 {
		first := inv.slots[v.Slot] + v.Base
		for word := first; word < first+v.Size; word++ {
			if word != at {
				c := &w.shared[word]
				w.rewrites(m, findings.RaceWorkgroup, &c.write, &c.pairOfReads, word, me)
			}
		}
	}
}

// writes reports the accesses in the same phase that race with a write. same means that the write
// stores the value that is already there.
func (w *watcher) writes(m *machine, kind findings.Kind, write *stamp, reads *pairOfReads, word uint32, me stamp, same bool) {
	if write.phase == me.phase && write.who != me.who {
		how := writeAfterWrite
		if same {
			how = sameWritten
		}
		w.race(m, kind, word, *write, me, how)
	}
	w.beside(m, kind, word, me, writeBeside)
	if reader := reads.reader(me); reader != nil {
		w.race(m, kind, word, *reader, me, writeAfterRead)
	}
	*write = me
}

// reader returns a read by another invocation in the same phase, or nil.
func (c *pairOfReads) reader(me stamp) *stamp {
	switch {
	case c.read.phase == me.phase && c.read.who != me.who:
		return &c.read
	case c.other.phase == me.phase && c.other.who != me.who:
		return &c.other
	}
	return nil
}

// rewrites reports the accesses in the same phase that race with a write to another component of
// the vector. Two such writes do not race here: they meet in the components that they are for.
func (w *watcher) rewrites(m *machine, kind findings.Kind, write *stamp, reads *pairOfReads, word uint32, me stamp) {
	m.effort += effortOfWord
	if write.phase == me.phase && write.who != me.who {
		w.race(m, kind, word, me, *write, writeBeside)
	}
	if reader := reads.reader(me); reader != nil {
		w.race(m, kind, word, *reader, me, besideRead)
	}
	w.components = true
	if b := w.besidesOf(kind).at(word); b.now.phase != me.phase {
		b.now = me
	}
}

func (w *watcher) besidesOf(kind findings.Kind) *pages[writers] {
	if kind == findings.RaceWorkgroup {
		return &w.sharedBeside
	}
	return &w.bufferBeside
}

// beside reports the writes to other components of a word's vector that race with an access.
func (w *watcher) beside(m *machine, kind findings.Kind, word uint32, me stamp, how raceWay) {
	if !w.components {
		return
	}
	b := w.besidesOf(kind).at(word)
	if b.now.phase == me.phase && b.now.who != me.who {
		w.race(m, kind, word, b.now, me, how)
	}
	if b.ever.phase != 0 && b.ever.phase != w.group {
		w.raceAcross(m, word, b.ever, stamp{w.group, me.who, me.pc, 0}, how)
	}
}

// raceWay is a way to race, in the order in which the machine sees the accesses.
type raceWay uint8

const (
	readAfterWrite raceWay = iota
	writeAfterRead
	writeAfterWrite
	sameWritten // both write the same value
	readBeside  // a read after a write to another component of the vector
	besideRead  // a write to another component after a read
	writeBeside // first a write to another component, second one to this; either may be earlier
)

// beside reports whether one of the two writes to another component of the same vector.
func (how raceWay) beside() bool { return how >= readBeside }

// reads reports whether one of the two reads.
func (how raceWay) reads() bool {
	return how == readAfterWrite || how == readBeside || how.readsFirst()
}

// readsFirst reports whether the earlier access is a read.
func (how raceWay) readsFirst() bool { return how == writeAfterRead || how == besideRead }

// touchAtomic notes a write by an atomic function. Atomics do not race, because only atomic
// functions touch them.
func (w *watcher) touchAtomic(kind uint16, word, value uint32) {
	switch {
	case kind&ir.AtomicInBuffer == 0:
		w.written[word] = w.group
	case kind != ir.AtomicLoad|ir.AtomicInBuffer:
		w.store(word<<2, value)
	}
}

func (w *watcher) readBuffer(m *machine, inv *invocation, pc, at, n uint32) {
	if m.Notes[pc].Float {
		for i := at; i < at+n; i++ {
			switch v := m.buffers[i]; {
			case !ir.Finite(v):
				m.reportNotFiniteInMemory(inv, pc, i*4, v)
			case ir.Subnormal(v):
				m.reportSubnormal(inv, pc, i*4, v)
			}
		}
	}
	shift := halfShift(w.Program)
	if at<<shift < w.writers.size {
		w.readCells(m, inv, pc, at<<shift, n<<shift)
	}
}

func (w *watcher) readHalf(m *machine, inv *invocation, pc, address uint32) {
	if v := m.loadHalf(address); !ir.Finite(v) {
		m.reportNotFiniteInMemory(inv, pc, address, v)
	}
	if address>>1 < w.writers.size {
		w.readCells(m, inv, pc, address>>1, 1)
	}
}

// phaseOf returns the phase of a cell of the buffers.
func (w *watcher) phaseOf(cell uint32) uint32 {
	if cell >= w.texels {
		return w.texturePhase
	}
	return w.bufferPhase
}

func (w *watcher) readCells(m *machine, inv *invocation, pc, at, n uint32) {
	m.effort += effortOfWord * uint64(n)
	me, mine := stamp{w.phaseOf(at), inv.local, pc, w.sharedPhase}, stamp{w.group, inv.local, pc, 0}
	w.hasRead = true
	for i := at; i < at+n; i++ {
		wrote, read := w.writers.at(i), w.readers.at(i)
		if wrote.now.phase == me.phase && wrote.now.who != me.who {
			w.race(m, findings.RaceStorage, i, wrote.now, me, readAfterWrite)
		}
		read.now.reads(me)
		if wrote.ever.phase != 0 && wrote.ever.phase != w.group {
			w.raceAcross(m, i, wrote.ever, mine, readAfterWrite)
		}
		w.beside(m, findings.RaceStorage, i, me, readBeside)
		switch ever := &read.ever; {
		case ever.read.phase == 0:
			ever.read = mine
		case ever.read.phase != w.group && ever.other.phase == 0:
			ever.other = mine
		}
	}
}

func (w *watcher) writeBuffer(m *machine, inv *invocation, pc, at uint32, values []uint32) {
	w.writer(inv.local)
	for i, v := range values {
		w.store((at+uint32(i))<<2, v)
	}
	if w.trial {
		return
	}
	shift := halfShift(w.Program)
	for i, v := range values {
		word := at + uint32(i)
		for half := range uint32(1) << shift {
			w.writeCell(m, inv, pc, word<<shift+half, v == m.buffers[word])
		}
	}
	w.rewritesBuffer(m, inv, pc, at<<shift, 1<<shift)
}

func (w *watcher) writeHalf(m *machine, inv *invocation, pc, address, value uint32) {
	w.writer(inv.local)
	w.store(address, value)
	if w.trial {
		return
	}
	w.writeCell(m, inv, pc, address>>1, m.loadHalf(address) == ir.RoundF16(value))
	w.rewritesBuffer(m, inv, pc, address>>1, 1)
}

// rewritesBuffer notes that a store to one component, n cells, may rewrite the rest of its vector.
func (w *watcher) rewritesBuffer(m *machine, inv *invocation, pc, at, n uint32) {
	v := w.Notes[pc].Vector
	if v.Size == 0 {
		return
	}
	cellBytes := 2 - halfShift(w.Program) // as a shift
	first := inv.slots[v.Slot] + v.Base
	for i := first >> cellBytes; i < (first+v.Size)>>cellBytes; i++ {
		if i-at >= n {
			w.rewritesCell(m, inv, pc, i)
		}
	}
}

func (w *watcher) rewritesCell(m *machine, inv *invocation, pc, at uint32) {
	wrote, read, mine := w.writers.at(at), w.readers.at(at), stamp{w.group, inv.local, pc, 0}
	w.rewrites(m, findings.RaceStorage, &wrote.now, &read.now, at, stamp{w.phaseOf(at), inv.local, pc, w.sharedPhase})
	if wrote.ever.phase != 0 && wrote.ever.phase != w.group {
		w.raceAcross(m, at, mine, wrote.ever, writeBeside)
	}
	if reader := read.ever.byOther(w.group); reader != nil {
		w.raceAcross(m, at, *reader, mine, besideRead)
	}
	if b := w.bufferBeside.at(at); b.ever.phase == 0 {
		b.ever = mine
	}
}

func (w *watcher) writeCell(m *machine, inv *invocation, pc, at uint32, same bool) {
	m.effort += effortOfWord
	wrote, read, mine := w.writers.at(at), w.readersOf(at), stamp{w.group, inv.local, pc, 0}
	w.writes(m, findings.RaceStorage, &wrote.now, &read.now, at, stamp{w.phaseOf(at), inv.local, pc, w.sharedPhase}, same)
	if wrote.ever.phase != 0 && wrote.ever.phase != w.group {
		how := writeAfterWrite
		if same {
			how = sameWritten
		}
		w.raceAcross(m, at, wrote.ever, mine, how)
	}
	if reader := read.ever.byOther(w.group); reader != nil {
		w.raceAcross(m, at, *reader, mine, writeAfterRead)
	}
	if wrote.ever.phase == 0 {
		wrote.ever = mine
	}
}

// noReaders are those of a word that was never read.
var noReaders readers

// readersOf returns the readers of a word, which the caller only looks at.
func (w *watcher) readersOf(at uint32) *readers {
	if !w.hasRead {
		return &noReaders
	}
	return w.readers.at(at)
}

// byOther returns a read by another workgroup, or nil.
func (p *pairOfReads) byOther(group uint32) *stamp {
	switch {
	case p.read.phase != 0 && p.read.phase != group:
		return &p.read
	case p.other.phase != 0 && p.other.phase != group:
		return &p.other
	}
	return nil
}

// once reports whether a finding is new.
func (w *watcher) once(kind findings.Kind, a, b uint32) bool {
	if w.muted || w.count[kind] >= maxFindings || w.trial && kind != findings.OutOfBoundsWrite {
		return false
	}
	if w.toldOf(kind, a, b) {
		return false
	}
	w.told[told{kind, min(a, b), max(a, b)}] = true
	w.count[kind]++
	return true
}

// toldOf reports whether the finding about two instructions was told before.
func (w *watcher) toldOf(kind findings.Kind, a, b uint32) bool {
	return w.told[told{kind, min(a, b), max(a, b)}]
}

func (w *watcher) tell(f findings.Finding) {
	w.findings = append(w.findings, f)
	w.outside = append(w.outside, 0)
}

// sorted returns the findings with errors first. Among those, barriers out of step come first,
// because they cause others.
func (w *watcher) sorted() []findings.Finding {
	rank := func(f findings.Finding) int {
		switch {
		case f.Kind == findings.DivergentBarrier:
			return 0
		case f.Severity == findings.Error:
			return 1
		}
		return 2
	}
	sort.SliceStable(w.findings, func(i, j int) bool { return rank(w.findings[i]) < rank(w.findings[j]) })
	return w.findings
}

// meet handles a moment at which every invocation waits or has ended. All of them should be waiting
// at the same barrier.
func (w *watcher) meet(m *machine, waits int) {
	at := uint32(0)
	same := waits == len(m.invs)
	for _, inv := range m.invs {
		if inv.state != waiting {
			continue
		}
		if at != 0 && at != inv.pc {
			same = false
		}
		at = inv.pc
	}
	if !same {
		m.hold()
		w.divergent(m)
		w.muted = true
	}
	kind := m.code[at-1].N
	if kind&ir.WorkgroupMemory != 0 {
		w.sharedPhase++
		w.sharedStart = at - 1
	}
	if kind&ir.BufferMemory != 0 {
		w.bufferPhase++
		w.bufferStart = at - 1
	}
	if kind&ir.TextureMemory != 0 {
		w.texturePhase++
		w.textureStart = at - 1
	}
}
