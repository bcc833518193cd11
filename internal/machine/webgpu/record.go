package webgpu

import (
	"errors"
	"sync"
	"time"
)

// A Record is what a program did, for a check to judge. It grows while the program runs; read it
// afterwards. The record of a program that no check judges keeps only counts: it runs as long as it
// likes, at the speed of the raw calls.
type Record struct {
	Calls       []RecordedCall
	Objects     []*HostObject // all that were made, in order
	Buffers     []*Buffer
	Groups      []*BindGroup
	Pipelines   []*ComputePipeline
	Encoders    []*CommandEncoder
	Commands    []*CommandBuffer
	Writes      []BufferWrite
	Refused     *BufferWrite // the first that breaks a rule; nil if none does
	Submissions []*QueueSubmission
	Mappings    []*Mapping
	Mistakes    []*Mistake
	Lost        error // why a device was lost, other than by the program; nil if none was
	Dropped     int   // calls that were no longer recorded, because there were too many

	dialect *Dialect
	judged  bool // a check reads the record: it keeps all calls
	hidden  bool // there is no adapter
	marked  bool // the lowest bit of each word that the program reads is another one
	held    int  // the bytes of all writes and reads that are kept

	mu     sync.Mutex // guards all of this, and the state of all objects
	next   int        // the number of the next object
	alive  int        // buffers that have memory
	bytes  uint64     // of those
	made   int        // buffers, in all
	limits memory
	busy   time.Time  // the last call
	done   []HostSite // the calls of onSubmittedWorkDone that nothing has called back yet

	submitted int // submissions that the engine got
	writes    int // that the program began
	repair    *Repair
	repaired  int // calls of the repair's name so far
}

// mostCalls is the number of calls that a record keeps.
const mostCalls = 200_000

// MarkReads changes the lowest bit of each word that the program reads of mapped buffers from now
// on: a result that comes from them shows it.
func (r *Record) MarkReads() { r.marked = true }

// HideAdapters lets the program find no adapter.
func (r *Record) HideAdapters() { r.hidden = true }

// errHidden is the cause if adapters are hidden.
var errHidden = errors.New("no adapter: this case has none")

// mark changes the lowest bit of each word.
func mark(data []byte) {
	for i := 0; i < len(data); i += wordBytes {
		data[i] ^= 1
	}
}

// A RecordedCall is one call of the program.
type RecordedCall struct {
	Name  string // as the specification spells it: createBuffer
	At    HostSite
	On    *HostObject // the object that it was called on
	Made  *HostObject // what it made, or nil
	Bytes uint64      // that it moves, or of what it makes; else 0
	Wrong *Mistake
}

// A BufferWrite is a call of writeBuffer, or the content of a buffer that was mapped for writing.
type BufferWrite struct {
	Call          int // its number in Record.Calls
	To            *Buffer
	Offset, Bytes uint64
	Data          []byte // what was written; nil if the record has no room for it
	Nth           int    // of all writes that the program began, from 0
}

// mostKept is how many bytes a record keeps of all that a program writes and reads.
const mostKept = 64 << 20

// kept returns a copy of bytes, or nil if the record has no room for them.
func (r *Record) kept(data []byte) []byte {
	if r.held+len(data) > mostKept {
		return nil
	}
	r.held += len(data)
	return append(make([]byte, 0, len(data)), data...)
}

// wrote records that a call wrote to a buffer.
func (r *Record) wrote(call int, to *Buffer, offset uint64, data []byte) {
	if r.judged {
		r.Writes = append(r.Writes, BufferWrite{call, to, offset, uint64(len(data)), r.kept(data), r.writes - 1})
	}
}

// A QueueSubmission is a call of submit that the engine got.
type QueueSubmission struct {
	Call  int
	At    HostSite
	Steps []Step
}

// A Step is a command of a submission: exactly one of the pointers is set.
type Step struct {
	At    HostSite
	Pass  *PassRun
	Copy  *CopyRun
	Clear *CopyRun // From is nil

	Resolve *ResolveRun
}

// A ResolveRun writes the values of queries to a buffer, 8 bytes each.
type ResolveRun struct {
	First, Count uint32
	To           *Buffer
	Offset       uint64
}

// A PassRun is a compute pass.
type PassRun struct {
	Label      string
	Timed      bool // it writes the times of its beginning or its end
	Ended      HostSite
	Dispatches []DispatchRun
}

// A DispatchRun is a dispatch in a pass.
type DispatchRun struct {
	At         HostSite
	Bound      bool // At is where its bind group was made
	Pipeline   *ComputePipeline
	Groups     [4]*BindGroup
	Offsets    [4][]uint32 // the dynamic offsets of each group
	Set        [4]HostSite // where each group was set
	Workgroups [3]uint32   // of a direct dispatch
	Counts     *Buffer     // of an indirect dispatch; else nil
	From       uint64      // the byte of Counts where the three numbers are
}

// Entries returns what a dispatch has bound in a group, with its dynamic offsets.
func (d DispatchRun) Entries(group uint32) []BindGroupEntry {
	if g := d.Groups[group]; g != nil {
		return g.placed(d.Offsets[group])
	}
	return nil
}

// A CopyRun is a copy between buffers.
type CopyRun struct {
	From, To                    *Buffer
	FromOffset, ToOffset, Bytes uint64
}

// A Mapping is a call of mapAsync that broke no rule.
type Mapping struct {
	Call          int
	At            HostSite
	Buffer        *Buffer
	Mode          MapMode
	Offset, Bytes uint64
	Status        MapStatus // once Ended
	Ended         bool
	Read          bool // the program got a range of it
	Ranges        []MappedBytes
	Submitted     int // how many submissions were before it
}

// MappedBytes are a range that the program got of a mapping for reading.
type MappedBytes struct {
	At     HostSite
	Offset uint64 // in the buffer
	Data   []byte // nil if the record has no room for it
}

// Data returns the bytes of all ranges that the program got, one after the other.
func (m *Mapping) Data() (all []byte) {
	for _, r := range m.Ranges {
		all = append(all, r.Data...)
	}
	return all
}

// An HostObject is what all objects of WebGPU have.
type HostObject struct {
	Kind     string // buffer, bind group and so on
	Label    string
	Made     HostSite
	Number   int      // by the order in which objects were made, from 1
	Released HostSite // where the program released it; unknown if it didn't
	After    int      // how many submissions were before it
	Wrong    *Mistake // why it is invalid, or nil

	released  bool
	destroyed bool
	shared    bool // a call may return it again: a queue, a device, an automatic layout
	device    *Device
}

// Device returns the device that the object belongs to, or nil.
func (o *HostObject) Device() *Device { return o.device }

// Name returns how a sentence calls the object: by its label, by the program's variable, or by the
// place where it was made.
func (o *HostObject) Name() string {
	if o.Label != "" {
		return `the ` + o.Kind + ` "` + o.Label + `"`
	}
	if name := o.Made.Variable(); name != "" {
		return "the " + o.Kind + " `" + name + "`"
	}
	if line := o.Made.Outermost(); line.Line > 0 {
		return "the " + o.Kind + " of " + line.String()
	}
	if o.Made.Known() {
		return "the " + o.Kind + " of " + o.Made.String()
	}
	return "the " + o.Kind
}

func (o *HostObject) String() string { return o.Name() }

// call records a call and returns its number, or -1 if the record is full or keeps none.
func (r *Record) call(c RecordedCall) int {
	if !r.judged {
		return -1
	}
	r.busy = time.Now()
	if len(r.Calls) >= mostCalls {
		r.Dropped++
		return -1
	}
	r.Calls = append(r.Calls, c)
	return len(r.Calls) - 1
}

// keep adds to one of a record's lists, if a check reads the record and it isn't full.
func keep[T any](r *Record, list *[]T, more T) {
	if r.judged && len(*list) < mostCalls {
		*list = append(*list, more)
	}
}

// object makes the common part of an object, and records it.
func (r *Record) object(o *HostObject, kind, label string, at HostSite, of *Device) {
	r.next++
	*o = HostObject{Kind: kind, Label: label, Made: at, Number: r.next, After: r.submitted, device: of}
	keep(r, &r.Objects, o)
}

// Unreleased returns the valid objects that the program never released, in the order in which they
// were made.
func (r *Record) Unreleased() (left []*HostObject) {
	for _, o := range r.Objects {
		if !o.gone() && o.Wrong == nil && !o.shared && r.needsRelease(o.Kind) {
			left = append(left, o)
		}
	}
	return left
}

// needsRelease reports whether objects of a kind hold memory until they are released. JavaScript's
// garbage collector frees those that can't be destroyed.
func (r *Record) needsRelease(kind string) bool {
	switch kind {
	case "buffer", "query set":
		return true
	case "shader module", "compute pipeline", "bind group", "bind group layout", "pipeline layout", "device":
		return r.Dialect().Native
	}
	return false
}

// gone reports whether the program has released or destroyed the object.
func (o *HostObject) gone() bool { return o.released || o.destroyed }

// Dialect returns the language of the program.
func (r *Record) Dialect() *Dialect {
	if r.dialect == nil {
		return JavaScript
	}
	return r.dialect
}

// BytesRead returns how many bytes the program mapped for reading, and how many mappings it made.
func (r *Record) BytesRead() (bytes uint64, mappings int) {
	for _, m := range r.Mappings {
		if m.Mode == MapModeRead {
			bytes += m.Bytes
			mappings++
		}
	}
	return bytes, mappings
}

// BytesWritten returns how many bytes the program sent to buffers.
func (r *Record) BytesWritten() (bytes uint64) {
	for _, w := range r.Writes {
		bytes += w.Bytes
	}
	return bytes
}

// BytesCopied returns how many bytes submissions copied between buffers.
func (r *Record) BytesCopied() (bytes uint64) {
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Copy != nil {
				bytes += step.Copy.Bytes
			}
		}
	}
	return bytes
}
