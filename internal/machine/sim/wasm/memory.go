package wasm

import (
	"errors"
	"runtime"
	"unsafe"
)

// A Arena is the memory of a dispatch: its buffers, and what each core needs.
type Arena struct {
	Buffers []uint32
	Cores   []*Core

	code     *Code
	words    []uint32 // all of it
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
	words   uint64 // that were copied so far
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
	// Of watched code only: cells and histories of CellWords each, records of OwnWords, and words.
	SharedCells, Cells, History, Own  []uint32
	Written, QuietAt, BadAt, OwnMarks []uint32
	Wrote                             []uint32 // bytes: the invocations that wrote to a buffer

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

// NewArena makes the memory for a dispatch. Rows is the number of invocations of a workgroup that
// have slots of their own. Shaders write only to the first writable words of the buffers.
func (c *Code) NewArena(buffers int, writable uint32, cores, rows int, w Watched) (*Arena, error) {
	p := c.program
	size := p.Pipeline.WorkgroupSize
	count := int(size[0] * size[1] * size[2])
	slots := len(p.Initial)
	fields := contextArrays/4 + 2*len(p.Arrays)
	own := 0
	if w.Own {
		own = slots
	}
	shared, code := int(p.SharedWords), len(p.Code)
	each := even(fields) + even(4*count) + even(slots) + even(shared) + even(rows*slots)
	if c.watched {
		each += even(shared*CellWords) + 2*even(w.Cells*CellWords) + even(own*OwnWords) + even(shared) + 2*even(code) + even(own) + even((w.Wrote+3)/4)
	}
	total := even(buffers) + cores*each
	if total > mostWords() {
		return nil, errTooLarge
	}
	m := &Arena{code: c, writable: writable, words: make([]uint32, (total+pageWords-1)/pageWords*pageWords)}
	m.Buffers = m.words[:buffers:buffers]
	for n := range cores {
		at := even(buffers) + n*each
		core := &Core{memory: m, at: uint32(at)}
		take := func(words int) []uint32 {
			part := m.words[at : at+words : at+words]
			at += even(words)
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
			core.SharedCells, core.Cells, core.History = take(shared*CellWords), take(w.Cells*CellWords), take(w.Cells*CellWords)
			core.Own, core.Written, core.QuietAt, core.BadAt = take(own*OwnWords), take(shared), take(code), take(code)
			core.OwnMarks, core.Wrote = take(own), take((w.Wrote+3)/4)
		}
		copy(core.initial, p.Initial)
		core.setAddresses(uint32(buffers), rows)
		m.Cores = append(m.Cores, core)
	}
	return m, nil
}

// even rounds up to a multiple of 8 bytes.
func even(words int) int { return (words + 1) &^ 1 }

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
			contextSharedCells: c.SharedCells, contextCells: c.Cells, contextHistory: c.History, contextOwn: c.Own, contextWritten: c.Written,
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

// SetSubgroups sets the size and the number of a workgroup's subgroups.
func (c *Core) SetSubgroups(size, number uint32) {
	*c.field(contextSubgroups), *c.field(contextSubgroups + 4) = size, number
}

// Enter begins a workgroup.
func (c *Core) Enter(group [3]uint32, number uint32) {
	for i, n := range group {
		*c.field(contextGroup + 4*uint32(i)) = n
	}
	*c.field(contextGroupNumber) = number
	c.memory.mirror.entered = true
}

// A Watch is the state of the watcher that watched code reads, beside the records.
type Watch struct {
	Group, SharedPhase, BufferPhase, TexturePhase uint32
	Texels, Writable                              uint32 // the first cell of a texture; the bytes that shaders write
	FirstWrote                                    uint64 // the index in Wrote of this workgroup's first invocation
	Quiet                                         Quiet
}

// SetWatch sets the watcher's state, and the sum over all stores so far.
func (c *Core) SetWatch(w Watch, stored uint64) {
	*c.field(contextWatched), *c.field(contextSharedPhase), *c.field(contextBufferPhase), *c.field(contextTexturePhase) = w.Group, w.SharedPhase, w.BufferPhase, w.TexturePhase
	*c.field(contextTexels), *c.field(contextWritable) = w.Texels, w.Writable
	if *c.field(contextWrote) = 0; len(c.Wrote) > 0 {
		*c.field(contextWrote) = c.addressOf(c.Wrote) + uint32(w.FirstWrote)
	}
	*c.field(contextQuiet) = uint32(w.Quiet)
	*c.wide(contextStored) = stored
}

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

// Run runs the invocations from first to before end until all have ended or wait, or the host has
// to look after one: at is that one's index, or end. It leaves at the end of a loop's round once
// the steps are at the budget. From is the count of steps when the last one began.
func (c *Core) Run(first, end uint32, counts Taken, budget uint64) (after Taken, at uint32, from uint64, err error) {
	*c.wide(contextSteps), *c.wide(contextEffort), *c.wide(contextBudget) = counts.Steps, counts.Effort, budget
	*c.field(contextEnd) = end
	at, err = c.memory.call(c, first)
	return Taken{*c.wide(contextSteps), *c.wide(contextEffort)}, at, *c.wide(contextFrom), err
}
