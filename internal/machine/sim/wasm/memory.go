package wasm

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A Arena is the memory of a dispatch: its buffers, and what each core needs.
type Arena struct {
	Buffers []uint32
	Cores   []*Core

	code     *Code
	words    []uint32 // all of it
	free     func()   // nil if they are Go's
	writable uint32   // the first word of the buffers to which no shader writes
	started  *Started
	mirror   mirror
}

// A mirror is the state of an arena whose module has a memory of its own. Only one core uses it.
// The context and the lists in front of a core's memory are Go's between the runs of compiled code,
// and the rest belongs to one side at a time.
type mirror struct {
	theirs  bool   // the module's memory has the rest as it is; otherwise words do
	entered bool   // a workgroup has begun since the last run, and Go has cleared its memory
	began   bool   // the module has had all words once
	words   uint64 // that were copied since
}

// callWords is how many words could be copied in the time that a call takes beside its copies.
const callWords = 1 << 13

// Hold makes the core's memory current. Go calls it before it reads or writes any of that.
func (c *Core) Hold() {
	a := c.memory
	if !a.mirror.theirs {
		return
	}
	a.mirror.theirs = false
	a.pull(0, a.writable) // nothing writes to the buffers after these
	if a.mirror.entered {
		a.pull(c.sharedUpTo, uint32(len(a.words)))
	} else {
		a.pull(c.listsUpTo, uint32(len(a.words)))
	}
}

func (a *Arena) push(from, to uint32) {
	a.started.Push(from, to)
	a.mirror.words += uint64(to - from)
}

func (a *Arena) pull(from, to uint32) {
	a.started.Pull(from, to)
	a.mirror.words += uint64(to - from)
}

// Copied returns how many words were copied between Go and the module, or could have been in the
// time that it took. It is 0 if they share their memory.
func (c *Core) Copied() uint64 { return c.memory.mirror.words }

// call runs invocations. A module with a memory of its own gets what changed before.
func (a *Arena) call(c *Core, first uint32) (at uint32, err error) {
	if a.started.Push == nil {
		return c.call(4*c.at, first)
	}
	switch {
	case !a.mirror.theirs:
		a.push(0, uint32(len(a.words)))
		if !a.mirror.began { // that much had to be copied
			a.mirror.began, a.mirror.words = true, 0
		}
	case a.mirror.entered:
		a.push(c.at, c.sharedUpTo)
	default:
		a.push(c.at, c.listsUpTo)
	}
	at, err = c.call(4*c.at, first)
	a.mirror.theirs, a.mirror.entered = true, false
	a.mirror.words += callWords
	a.pull(c.at, c.listsUpTo)
	return at, err
}

// A Core is the part of a Arena that one machine uses, and the function that runs its invocations.
type Core struct {
	Slots  []uint32 // of all invocations, or of one
	Shared []uint32 // workgroup memory

	memory *Arena
	at     uint32 // its first word
	// Of watched code only: records of CellWords, WriterWords, ReaderWords and OwnWords, and words.
	SharedCells, Writers, Readers, Own []uint32
	Written, QuietAt, BadAt, OwnMarks  []uint32
	Wrote                              []uint32 // bytes: the invocations that wrote to a buffer

	entries []uint32
	exits   []uint32
	lanes   []uint32
	initial []uint32
	call    Runner

	listsUpTo  uint32 // the word after the context and the lists of entries and exits
	sharedUpTo uint32 // the word after workgroup memory, which follows them
}

// A RuntimeArray is where a runtime-sized array begins in the buffers, in bytes, and how many
// elements it has.
type RuntimeArray struct{ Base, Length uint32 }

// pageWords is the number of words in a page of WebAssembly's memory.
const pageWords = 1 << 14

// mostWords limits a dispatch's memory: 2 GB, or 256 MB in a page, which has it twice.
func mostWords() int {
	if runtime.GOARCH == "wasm" {
		return 1 << 26
	}
	return 1 << 29
}

var errTooLarge = errors.New("the dispatch needs too much memory to run compiled code")

// A Watched says how much the watcher of a dispatch has to record.
type Watched struct {
	Cells int  // of the buffers that the shader writes
	Wrote int  // invocations
	Own   bool // invocations have arrays of their own
}

// A sizes is how many words a core needs of each kind, and how many invocations have slots of their
// own.
type sizes struct{ fields, count, slots, shared, rows, each int }

func sizesOf(p *ir.Program) sizes {
	size := p.Pipeline.WorkgroupSize
	s := sizes{fields: contextArrays/4 + 2*len(p.Arrays), count: int(size[0] * size[1] * size[2]), slots: len(p.Initial), shared: int(p.SharedWords), rows: 1}
	if p.Barriers {
		s.rows = s.count
	}
	s.each = whole(s.fields) + whole(4*s.count) + whole(s.slots) + whole(s.shared) + whole(s.rows*s.slots)
	return s
}

// wholePages rounds up to pages.
func wholePages(words int) int { return (words + pageWords - 1) / pageWords * pageWords }

// SpareWords returns how many words the memory of a dispatch that isn't watched needs after those
// of its buffers.
func SpareWords(p *ir.Program, buffers, cores int) int {
	return wholePages(whole(buffers)+cores*sizesOf(p).each) - buffers
}

// NewArena makes the memory for a dispatch: after its buffers if there is room, or anew. Shaders
// write only to the first writable words of the buffers.
func (c *Code) NewArena(given []uint32, writable uint32, cores int, w Watched) (*Arena, error) {
	p, buffers := c.program, len(given)
	s := sizesOf(p)
	fields, count, slots, shared, rows, each := s.fields, s.count, s.slots, s.shared, s.rows, s.each
	own := 0
	if w.Own {
		own = slots
	}
	code := len(p.Code)
	if c.watched {
		each += whole(shared*CellWords) + whole(w.Cells*WriterWords) + whole(w.Cells*ReaderWords) + whole(own*OwnWords) + whole(shared) + 2*whole(code) + whole(own) + whole((w.Wrote+3)/4)
	}
	total := whole(buffers) + cores*each
	if total > mostWords() {
		return nil, errTooLarge
	}
	m := &Arena{code: c, writable: writable}
	if total = wholePages(total); cap(given) >= total {
		m.words = given[:total]
	} else {
		m.allocate(total)
		copy(m.words, given)
	}
	m.Buffers = m.words[:buffers:buffers]
	for n := range cores {
		at := whole(buffers) + n*each
		core := &Core{memory: m, at: uint32(at)}
		take := func(words int) []uint32 {
			part := m.words[at : at+words : at+words]
			at += whole(words)
			return part
		}
		take(fields)
		lists := take(4 * count)
		core.entries, core.exits, core.lanes = lists[:count], lists[count:2*count], lists[2*count:]
		core.listsUpTo = uint32(at)
		core.Shared = take(shared)
		core.sharedUpTo = uint32(at)
		core.initial = take(slots)
		core.Slots = take(rows * slots)
		if c.watched {
			core.SharedCells, core.Writers, core.Readers = take(shared*CellWords), take(w.Cells*WriterWords), take(w.Cells*ReaderWords)
			core.Own, core.Written, core.QuietAt, core.BadAt = take(own*OwnWords), take(shared), take(code), take(code)
			core.OwnMarks, core.Wrote = take(own), take((w.Wrote+3)/4)
		}
		copy(core.initial, p.Initial)
		core.setAddresses(uint32(buffers), rows)
		m.Cores = append(m.Cores, core)
	}
	return m, nil
}

// leastMapped is the size from which memory comes from the system, not from Go: most of the records
// of large buffers are never touched.
const leastMapped = 1 << 18

// allocate gives the arena so many words, all 0.
func (a *Arena) allocate(words int) {
	if words >= leastMapped {
		a.words, a.free = mapped(words)
	}
	if a.words == nil {
		a.words = make([]uint32, words)
	}
}

// Free frees the memory, of which nothing may be used any more.
func (a *Arena) Free() {
	if a.free != nil {
		a.free()
	}
	*a = Arena{}
}

// whole rounds up to whole lines of a cache, of 64 bytes.
func whole(words int) int { return (words + 15) &^ 15 }

// field returns a number in the core's context.
func (c *Core) field(at uint32) *uint32 { return &c.memory.words[c.at+at/4] }

func (c *Core) wide(at uint32) *uint64 { return (*uint64)(unsafe.Pointer(c.field(at))) }

// addressOf returns where a part of the memory begins, in bytes.
func (c *Core) addressOf(part []uint32) uint32 {
	if cap(part) == 0 {
		return 0
	}
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(c.memory.words))))
}

func (c *Core) setAddresses(buffers uint32, rows int) {
	*c.field(contextBufferBytes) = 4 * buffers
	for at, part := range map[uint32][]uint32{
		contextShared: c.Shared, contextSlots: c.Slots, contextEntries: c.entries, contextExits: c.exits,
		contextLanes: c.lanes, contextInitial: c.initial,
	} {
		*c.field(at) = c.addressOf(part)
	}
	if c.memory.code.watched {
		for at, part := range map[uint32][]uint32{
			contextSharedCells: c.SharedCells, contextWriters: c.Writers, contextReaders: c.Readers, contextOwn: c.Own, contextWritten: c.Written,
			contextQuietAt: c.QuietAt, contextBadAt: c.BadAt, contextOwnMarks: c.OwnMarks,
		} {
			*c.field(at) = c.addressOf(part)
		}
	}
	if rows > 1 {
		*c.field(contextSlotBytes) = 4 * uint32(len(c.initial))
	}
}

// SetArrays sets the program's runtime-sized arrays.
func (c *Core) SetArrays(arrays []RuntimeArray) {
	for i, a := range arrays {
		*c.field(contextArrays + 8*uint32(i)), *c.field(contextArrays + 8*uint32(i) + 4) = a.Base, a.Length
	}
}

// SetLane sets the place of an invocation in its subgroup.
func (c *Core) SetLane(invocation, lane, subgroup uint32) {
	c.lanes[2*invocation], c.lanes[2*invocation+1] = lane, subgroup
}

// SetSubgroups sets the size and the number of a workgroup's subgroups, and whether invocations
// are in the order of their subgroups and lanes.
func (c *Core) SetSubgroups(size, number uint32, inOrder bool) {
	*c.field(contextSubgroups), *c.field(contextSubgroups + 4) = size, number
	if inOrder {
		*c.field(contextInOrder) = 1
	}
}

// Enter begins a workgroup.
func (c *Core) Enter(group [3]uint32, number uint32) {
	for i, n := range group {
		*c.field(contextGroup + 4*uint32(i)) = n
	}
	*c.field(contextGroupNumber), *c.field(contextRegion) = number, noRegion
	c.memory.mirror.entered = true
}

// A Watch is the state of the watcher that watched code reads, beside the records.
type Watch struct {
	Group, SharedPhase, BufferPhase, TexturePhase uint32
	HasRead                                       bool   // any word of the buffers that shaders write
	SharedStart, BufferStart, TextureStart        uint32 // the barriers that began the phases
	Texels, Writable                              uint32 // the first cell of a texture; the bytes that shaders write
	FirstWrote                                    uint64 // the index in Wrote of this workgroup's first invocation
	Quiet                                         Quiet
}

// Watched returns what whole workgroups change of the watcher's state.
func (c *Core) Watched() Watch {
	return Watch{
		Group: *c.field(contextWatched), SharedPhase: *c.field(contextSharedPhase), BufferPhase: *c.field(contextBufferPhase), TexturePhase: *c.field(contextTexturePhase),
		SharedStart: *c.field(contextSharedStart), BufferStart: *c.field(contextBufferStart), TextureStart: *c.field(contextTextureStart),
	}
}

// SetWatch sets the watcher's state, and the sum over all stores so far.
func (c *Core) SetWatch(w Watch, stored uint64) {
	*c.field(contextWatched), *c.field(contextSharedPhase), *c.field(contextBufferPhase), *c.field(contextTexturePhase) = w.Group, w.SharedPhase, w.BufferPhase, w.TexturePhase
	*c.field(contextTexels), *c.field(contextWritable) = w.Texels, w.Writable
	if *c.field(contextWrote) = 0; len(c.Wrote) > 0 {
		*c.field(contextWrote) = c.addressOf(c.Wrote) + uint32(w.FirstWrote)
	}
	*c.field(contextQuiet) = uint32(w.Quiet)
	if *c.field(contextHasRead) = 0; w.HasRead {
		*c.field(contextHasRead) = 1
	}
	*c.field(contextSharedStart), *c.field(contextBufferStart), *c.field(contextTextureStart) = w.SharedStart, w.BufferStart, w.TextureStart
	*c.wide(contextStored) = stored
}

// HasRead reports whether any word of the buffers that shaders write was read.
func (c *Core) HasRead() bool { return *c.field(contextHasRead) != 0 }

// Stored returns the sum over all stores.
func (c *Core) Stored() uint64 { return *c.wide(contextStored) }

// SetEntry sets where an invocation goes on: the number of an entry, or -1 if it has ended.
func (c *Core) SetEntry(invocation uint32, entry int) { c.entries[invocation] = uint32(int32(entry)) }

// Goes reports whether an invocation has an entry.
func (c *Core) Goes(invocation uint32) bool { return c.entries[invocation] != ended }

// ExitOf returns how an invocation left compiled code the last time.
func (c *Core) ExitOf(invocation uint32) Exit { return c.memory.code.Exits[c.exits[invocation]>>1] }

// Taken are what a run of compiled code counts.
type Taken struct{ Steps, Effort uint64 }

// A Groups is a run of whole workgroups: how far it has come, in which one.
type Groups struct {
	Taken

	Reached   Reached
	Group     [3]uint32
	Number    uint32 // of the workgroup
	GroupFrom uint64 // the count of steps when it began
	Look      uint64 // the count at which to look whether it never ends

	Region  int    // where its invocations were last
	Left    uint32 // so many of them left alike
	Alike   Exit   // how, if any did
	Leaving Exit   // how the next one did, if they are apart
	From    uint64 // the count of steps when the last one began
}

// SetGroups sets how many workgroups there are in x and y.
func (c *Core) SetGroups(count [3]uint32) {
	*c.field(contextGroups), *c.field(contextGroups + 4) = count[0], count[1]
}

// RunGroups runs workgroups from the present one, at the begin of a region, to the one with a
// number. Look is the count of steps at which to look whether the present one never ends.
func (c *Core) RunGroups(region int, last uint32, counts Taken, budget, groupFrom, look uint64) (g Groups, err error) {
	*c.wide(contextSteps), *c.wide(contextEffort), *c.wide(contextBudget) = counts.Steps, counts.Effort, budget
	*c.field(contextRegion), *c.field(contextLastGroup) = uint32(region), last
	*c.wide(contextGroupFrom), *c.wide(contextLook) = groupFrom, look
	reached, err := c.memory.call(c, 0)
	g = Groups{
		Taken: Taken{*c.wide(contextSteps), *c.wide(contextEffort)}, Reached: Reached(reached), Number: *c.field(contextGroupNumber),
		GroupFrom: *c.wide(contextGroupFrom), Look: *c.wide(contextLook), Region: int(*c.field(contextRegion)), Left: *c.field(contextAt), From: *c.wide(contextFrom),
	}
	for i := range g.Group {
		g.Group[i] = *c.field(contextGroup + 4*uint32(i))
	}
	exits := c.memory.code.Exits
	if how := *c.field(contextAgreed); how != allDiffer {
		g.Alike = exits[how>>1]
	}
	g.Leaving = exits[*c.field(contextLeaving)>>1]
	*c.field(contextRegion) = noRegion
	return g, err
}

// Run runs the invocations from first to before end until all have ended or wait, or the host has
// to look after one: at is that one's index, or end. It leaves at the end of a loop's round once
// the steps are at the budget. From is the count of steps when the last one began.
func (c *Core) Run(first, end uint32, counts Taken, budget uint64) (after Taken, at uint32, from uint64, err error) {
	*c.wide(contextSteps), *c.wide(contextEffort), *c.wide(contextBudget) = counts.Steps, counts.Effort, budget
	*c.field(contextEnd) = end
	at, err = c.memory.call(c, first)
	return Taken{*c.wide(contextSteps), *c.wide(contextEffort)}, at, *c.wide(contextFrom), err
}
