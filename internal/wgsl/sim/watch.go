package sim

import (
	"sort"

	"github.com/wgslab/wgslab/internal/shader"
)

// The kinds of finding.
const (
	RaceWorkgroup    = "race-workgroup"
	RaceStorage      = "race-storage"
	OutOfBoundsRead  = "out-of-bounds-read"
	OutOfBoundsWrite = "out-of-bounds-write"
	DivergentBarrier = "divergent-barrier"
	StepLimit        = "step-limit"
	UnwrittenRead    = "unwritten-read"
	Wrapped          = "wrapped"
	DivisionByZero   = "division-by-zero"
	NotANumber       = "not-a-number"
	Overflow         = "overflow"
	Subnormal        = "subnormal"
)

// maxFindings of one kind are told; nobody reads more.
const maxFindings = 20

// A watcher remembers who touched what, and tells what is wrong. Two accesses of one location by different invocations
// race if one of them writes and nothing orders them (§ 14.5, § 15.6): in one workgroup a barrier for that memory
// does, between workgroups nothing. Since all invocations pass each barrier together, the barriers cut a workgroup's
// time into phases, and it is enough to remember for each location and phase who wrote and two who read.
type watcher struct {
	*Program
	shared  []cell
	written []uint32 // for each word of workgroup memory: 1 + the workgroup that has written it
	buffers pages[cell]
	history pages[history] // of buffers: what earlier workgroups did

	sharedPhase, bufferPhase uint32 // never the same for two workgroups
	sharedStart, bufferStart uint32 // the barriers with which the phases began; 0 for the beginning
	group                    uint32 // 1 + the workgroup's number
	muted                    bool   // the workgroup's barriers are out of step: what follows means nothing

	wrapped bool // has been remarked; hashes wrap around all the time

	wrote       []bool // see shader.Result; nil where there are too many invocations
	invocations uint32 // of a workgroup

	findings []shader.Finding
	outside  []uint32 // for each finding: 1 + the instruction that read out of bounds, or 0
	told     map[told]bool
	count    map[string]int
}

// told is what is told once: a kind of finding at one or two instructions.
type told struct {
	kind string
	a, b uint32
}

// A stamp says who did something in which phase, and by which instruction; aside is the phase of the other memory, of
// buffers for workgroup memory and the other way round.
type stamp struct{ phase, who, pc, aside uint32 }

// A cell is what happened to a word in the phase that its stamps name.
type cell struct{ write, read, other stamp }

// history is what happened to a word of a buffer in any workgroup: the first write, the first read, and a read by
// another workgroup than that. Here phases are workgroups, from 1.
type history struct{ write, read, other stamp }

// pages are what is remembered of the words of buffers, made as they are touched: buffers can be large.
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

// mostWriters bounds for how many invocations it is kept whether they wrote.
const mostWriters = 1 << 22

func newWatcher(p *Program, writable uint32, groups uint64) *watcher {
	size := p.Pipeline.WorkgroupSize
	w := &watcher{
		Program: p, shared: make([]cell, p.sharedWords), written: make([]uint32, p.sharedWords),
		buffers: pagesFor[cell](writable << p.halfShift()), history: pagesFor[history](writable << p.halfShift()),
		told: map[told]bool{}, count: map[string]int{}, invocations: size[0] * size[1] * size[2],
	}
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

// halfShift is 1 where shaders write halves of words, so that cells stand for halves.
func (p *Program) halfShift() uint32 {
	if p.halves {
		return 1
	}
	return 0
}

func (w *watcher) enter(number uint32) {
	w.group = number + 1
	w.sharedPhase++
	w.bufferPhase++
	w.sharedStart, w.bufferStart = 0, 0
	w.muted = false
}

func (w *watcher) readShared(m *machine, inv *invocation, pc, at, n uint32) {
	me := stamp{w.sharedPhase, inv.local, pc, w.bufferPhase}
	for i := at; i < at+n; i++ {
		c := &w.shared[i]
		if c.write.phase == me.phase && c.write.who != me.who {
			w.race(m, RaceWorkgroup, i, c.write, me, readAfterWrite)
		}
		c.reads(me)
		if w.written[i] != w.group {
			w.unwritten(m, inv, pc, i)
		}
	}
}

func (c *cell) reads(me stamp) {
	switch {
	case c.read.phase != me.phase:
		c.read = me
	case c.read.who != me.who && c.other.phase != me.phase:
		c.other = me
	}
}

func (w *watcher) writeShared(m *machine, inv *invocation, pc, at uint32, values []uint32) {
	me := stamp{w.sharedPhase, inv.local, pc, w.bufferPhase}
	for i, v := range values {
		word := at + uint32(i)
		w.writes(m, RaceWorkgroup, &w.shared[word], word, me, v == m.shared[word])
		w.written[word] = w.group
	}
}

// writes looks for what a write races with in its phase; same tells that it writes what is there already.
func (w *watcher) writes(m *machine, kind string, c *cell, word uint32, me stamp, same bool) {
	if c.write.phase == me.phase && c.write.who != me.who {
		how := writeAfterWrite
		if same {
			how = sameWritten
		}
		w.race(m, kind, word, c.write, me, how)
	}
	switch {
	case c.read.phase == me.phase && c.read.who != me.who:
		w.race(m, kind, word, c.read, me, writeAfterRead)
	case c.other.phase == me.phase && c.other.who != me.who:
		w.race(m, kind, word, c.other, me, writeAfterRead)
	}
	c.write = me
}

// The ways to race, as the machine happens to see them.
type raceWay uint8

const (
	readAfterWrite raceWay = iota
	writeAfterRead
	writeAfterWrite
	sameWritten // both write the same value
)

// touchAtomic: nothing but atomic operations touches an atomic, so they do not race; yet they write.
func (w *watcher) touchAtomic(_ *machine, kind uint16, word uint32) {
	if kind&atomicInBuffer == 0 {
		w.written[word] = w.group
	}
}

func (w *watcher) readBuffer(m *machine, inv *invocation, pc, at, n uint32) {
	if m.notes[pc].float {
		for i := at; i < at+n; i++ {
			switch v := m.buffers[i]; {
			case !finite(v):
				m.foundNotFinite(inv, pc, i*4, v)
			case subnormal(v):
				m.foundSubnormal(inv, pc, i*4, v)
			}
		}
	}
	shift := w.halfShift()
	if at<<shift < w.buffers.size {
		w.readCells(m, inv, pc, at<<shift, n<<shift)
	}
}

func (w *watcher) readHalf(m *machine, inv *invocation, pc, address uint32) {
	if v := m.loadHalf(address); !finite(v) {
		m.foundNotFinite(inv, pc, address, v)
	}
	if address>>1 < w.buffers.size {
		w.readCells(m, inv, pc, address>>1, 1)
	}
}

func (w *watcher) readCells(m *machine, inv *invocation, pc, at, n uint32) {
	me, mine := stamp{w.bufferPhase, inv.local, pc, w.sharedPhase}, stamp{w.group, inv.local, pc, 0}
	for i := at; i < at+n; i++ {
		c, h := w.buffers.at(i), w.history.at(i)
		if c.write.phase == me.phase && c.write.who != me.who {
			w.race(m, RaceStorage, i, c.write, me, readAfterWrite)
		}
		c.reads(me)
		if h.write.phase != 0 && h.write.phase != w.group {
			w.raceAcross(m, i, h.write, mine, readAfterWrite)
		}
		switch {
		case h.read.phase == 0:
			h.read = mine
		case h.read.phase != w.group && h.other.phase == 0:
			h.other = mine
		}
	}
}

func (w *watcher) writeBuffer(m *machine, inv *invocation, pc, at uint32, values []uint32) {
	shift := w.halfShift()
	for i, v := range values {
		word := at + uint32(i)
		for half := range uint32(1) << shift {
			w.writeCell(m, inv, pc, word<<shift+half, v == m.buffers[word])
		}
	}
}

func (w *watcher) writeHalf(m *machine, inv *invocation, pc, address, value uint32) {
	w.writeCell(m, inv, pc, address>>1, m.loadHalf(address) == roundF16(value))
}

func (w *watcher) writeCell(m *machine, inv *invocation, pc, at uint32, same bool) {
	w.writer(inv.local)
	w.writes(m, RaceStorage, w.buffers.at(at), at, stamp{w.bufferPhase, inv.local, pc, w.sharedPhase}, same)
	h, mine := w.history.at(at), stamp{w.group, inv.local, pc, 0}
	if h.write.phase != 0 && h.write.phase != w.group {
		how := writeAfterWrite
		if same {
			how = sameWritten
		}
		w.raceAcross(m, at, h.write, mine, how)
	}
	switch {
	case h.read.phase != 0 && h.read.phase != w.group:
		w.raceAcross(m, at, h.read, mine, writeAfterRead)
	case h.other.phase != 0 && h.other.phase != w.group:
		w.raceAcross(m, at, h.other, mine, writeAfterRead)
	}
	if h.write.phase == 0 {
		h.write = mine
	}
}

// once reports whether a finding is new.
func (w *watcher) once(kind string, a, b uint32) bool {
	if w.muted || w.count[kind] >= maxFindings {
		return false
	}
	key := told{kind, min(a, b), max(a, b)}
	if w.told[key] {
		return false
	}
	w.told[key] = true
	w.count[kind]++
	return true
}

func (w *watcher) tell(f shader.Finding) {
	w.findings = append(w.findings, f)
	w.outside = append(w.outside, 0)
}

// sorted has errors first, and of those barriers that are out of step, from which others follow.
func (w *watcher) sorted() []shader.Finding {
	rank := func(f shader.Finding) int {
		switch {
		case f.Kind == DivergentBarrier:
			return 0
		case f.Severity == shader.SeverityError:
			return 1
		}
		return 2
	}
	sort.SliceStable(w.findings, func(i, j int) bool { return rank(w.findings[i]) < rank(w.findings[j]) })
	return w.findings
}

// meet is called where no invocation can go on before a barrier: all of them should be waiting at the same one.
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
		w.divergent(m)
		w.muted = true
	}
	kind := m.code[at-1].n
	if kind&workgroupMemory != 0 {
		w.sharedPhase++
		w.sharedStart = at - 1
	}
	if kind&bufferMemory != 0 {
		w.bufferPhase++
		w.bufferStart = at - 1
	}
}
