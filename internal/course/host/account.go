// This file follows bytes through what a program did with WebGPU. It runs the dispatches of a
// record again in the simulator, in the order of their submissions. So it knows which bytes each
// dispatch read and wrote, and where these bytes came from: from a write of the host, from a copy,
// or from another dispatch.

package host

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// An Account says where the bytes of a program came from.
type Account struct {
	Runs     []*RunAccount // the dispatches, in the order of their submissions
	Copies   []*Copied
	Reads    []Read // what the program got of mapped buffers
	Complete bool   // false if something couldn't be followed: say nothing about bytes then

	calls   *webgpu.Record
	memory  map[*webgpu.Buffer]*content
	written int    // how many writes of the host are done
	room    int    // bytes of buffers that may still be made
	steps   uint64 // of the simulator that are left
}

// An OriginKind says how a word came to its value.
type OriginKind uint8

// The kinds of origins.
const (
	Zero     OriginKind = iota // nothing has written it
	Written                    // by the host
	Computed                   // by a dispatch
	Timed                      // a query's value
)

// A WordOrigin is where the value of a word came from.
type WordOrigin struct {
	Kind OriginKind
	By   int32  // the index of the write in Record.Writes, or of the run in Account.Runs
	Word uint32 // of the buffer in which it was written or computed
	Copy int32  // 1 + the index of the last copy that moved it; 0 if none did

	Kept   int32  // 1 + the last run that read it where it could have changed it; 0 if none did
	KeptAt uint32 // the word of the buffer in which that was
}

// Runs calls look for each run that a word went through.
func (o WordOrigin) Runs(look func(run int)) {
	if o.Kind == Computed {
		look(int(o.By))
	}
	if o.Kept > 0 {
		look(int(o.Kept) - 1)
	}
}

// A RunAccount is a dispatch, and what it touched.
type RunAccount struct {
	webgpu.DispatchRun
	Submission *webgpu.QueueSubmission
	Uses       []Use
	Reach      [3]uint32 // in x, y and z: how many workgroups there are up to the last that wrote
}

// A Use is a binding of a run.
type Use struct {
	sim.Touched
	Entry   webgpu.BindGroupEntry
	Before  []byte       // what was bound when the run began
	Origins []WordOrigin // of each word then
}

// A Copied is a copy between buffers.
type Copied struct {
	*webgpu.CopyRun
	At         webgpu.HostSite
	Submission *webgpu.QueueSubmission
}

// A Read is a range of a mapped buffer that the program got.
type Read struct {
	webgpu.MappedBytes
	Mapping *webgpu.Mapping
	Origins []WordOrigin // of each word
}

// content is what a buffer holds.
type content struct {
	data    []byte
	origins []WordOrigin
}

const (
	wordBytes = 4
	mostBytes = 256 << 20
	mostSteps = 300_000_000
)

// Of follows the bytes of a record.
func Of(r *webgpu.Record) *Account {
	a := &Account{Complete: r.Dropped == 0, calls: r, memory: map[*webgpu.Buffer]*content{}, room: mostBytes, steps: mostSteps}
	for i, s := range r.Submissions {
		a.reads(i)
		a.writes(s.Call)
		for _, step := range s.Steps {
			if a.Complete {
				a.step(s, step)
			}
		}
	}
	a.reads(len(r.Submissions))
	return a
}

// Use returns what a run has at a binding of group 0, or nil if its shader doesn't use it.
func (r *RunAccount) Use(binding int) *Use {
	i := slices.IndexFunc(r.Uses, func(u Use) bool { return u.Group == 0 && int(u.Binding) == binding })
	if i < 0 {
		return nil
	}
	return &r.Uses[i]
}

// Code returns the text of the run's shader.
func (r *RunAccount) Code() string { return r.Pipeline.Module.Source.Text }

// First returns the number of the binding's first word in its buffer.
func (u *Use) First() int { return int(u.Entry.Offset / wordBytes) }

// Word returns a word of what was bound.
func (u *Use) Word(word int) (bits uint32, ok bool) { return wordOf(u.Before, word) }

// wordOf returns a word of bytes.
func wordOf(data []byte, word int) (bits uint32, ok bool) {
	if wordBytes*word+wordBytes > len(data) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data[wordBytes*word:]), true
}

// of returns the content of a buffer.
func (a *Account) of(b *webgpu.Buffer) *content {
	c := a.memory[b]
	if c == nil {
		words := (int(b.Size) + wordBytes - 1) / wordBytes
		if a.room -= wordBytes * words; a.room < 0 {
			a.Complete, words = false, 0
		}
		c = &content{make([]byte, wordBytes*words), make([]WordOrigin, words)}
		a.memory[b] = c
	}
	return c
}

// words are the first of a range's words, and the one after its last, as far as the content goes.
func (c *content) words(offset, bytes uint64) (first, end int) {
	end = min(int((offset+bytes+wordBytes-1)/wordBytes), len(c.origins))
	return min(int(offset/wordBytes), end), end
}

// writes does the host's writes before a call.
func (a *Account) writes(call int) {
	for ; a.written < len(a.calls.Writes) && a.calls.Writes[a.written].Call < call; a.written++ {
		a.write(a.written)
	}
}

// write lets the host write to a buffer.
func (a *Account) write(number int) {
	w := a.calls.Writes[number]
	if w.Data == nil || w.Call < 0 {
		a.Complete = false
		return
	}
	c := a.of(w.To)
	if w.Offset > uint64(len(c.data)) {
		return
	}
	copy(c.data[w.Offset:], w.Data)
	first, end := c.words(w.Offset, w.Bytes)
	for i := first; i < end; i++ {
		c.origins[i] = WordOrigin{Kind: Written, By: int32(number), Word: uint32(i)}
	}
}

// step carries out a command of a submission.
func (a *Account) step(s *webgpu.QueueSubmission, step webgpu.Step) {
	switch {
	case step.Pass != nil:
		for _, d := range step.Pass.Dispatches {
			if a.Complete {
				a.dispatch(s, d)
			}
		}
	case step.Copy != nil:
		a.copy(s, step)
	case step.Clear != nil:
		c := a.of(step.Clear.To)
		first, end := c.words(step.Clear.ToOffset, step.Clear.Bytes)
		clear(c.data[wordBytes*first : wordBytes*end])
		clear(c.origins[first:end])
	case step.Resolve != nil:
		c := a.of(step.Resolve.To)
		first, end := c.words(step.Resolve.Offset, 2*wordBytes*uint64(step.Resolve.Count))
		for i := first; i < end; i++ {
			c.origins[i] = WordOrigin{Kind: Timed}
		}
	}
}

func (a *Account) copy(s *webgpu.QueueSubmission, step webgpu.Step) {
	run := step.Copy
	a.Copies = append(a.Copies, &Copied{run, step.At, s})
	from, to := a.of(run.From), a.of(run.To)
	if !a.Complete {
		return
	}
	copy(to.data[run.ToOffset:], from.data[run.FromOffset:run.FromOffset+run.Bytes])
	first, end := to.words(run.ToOffset, run.Bytes)
	at := int(run.FromOffset / wordBytes)
	for i := first; i < end; i++ {
		o := from.origins[at+i-first]
		o.Copy = int32(len(a.Copies))
		if o.Kind == Zero {
			o.Word = uint32(at + i - first)
		}
		to.origins[i] = o
	}
}

// dispatch runs a dispatch in the simulator.
func (a *Account) dispatch(s *webgpu.QueueSubmission, d webgpu.DispatchRun) {
	run := &RunAccount{DispatchRun: d, Submission: s}
	a.Runs = append(a.Runs, run)
	if d.Counts != nil {
		counts := a.of(d.Counts)
		for i := range run.Workgroups {
			run.Workgroups[i], _ = wordOf(counts.data, int(d.From/wordBytes)+i)
		}
	}
	program, err := d.Pipeline.Program()
	if err != nil {
		a.Complete = false
		return
	}
	var bound []sim.BoundBuffer
	for _, b := range program.Bindings {
		e, ok := d.Entry(b.Group, b.Number)
		if !ok {
			a.Complete = false
			return
		}
		bound = append(bound, sim.BoundBuffer{Group: b.Group, Binding: b.Number, Data: a.of(e.Buffer).data, Offset: e.Offset, Size: e.Size})
		run.Uses = append(run.Uses, a.use(e))
	}
	if !a.Complete {
		return
	}
	var foot sim.TouchedWords
	result, err := program.Run(context.Background(), run.Workgroups, bound, sim.Options{Steps: a.steps, Touched: &foot})
	if err != nil || !result.Finished {
		a.Complete = false
		return
	}
	a.steps -= min(a.steps, result.Steps)
	run.Reach = foot.Reach
	for i := range run.Uses {
		run.Uses[i].Touched = foot.Bindings[i]
		a.wrote(int32(len(a.Runs)-1), &run.Uses[i], program.Bindings[i].Writable)
	}
}

// use remembers what a binding holds before its dispatch.
func (a *Account) use(e webgpu.BindGroupEntry) Use {
	c := a.of(e.Buffer)
	first, end := c.words(e.Offset, e.Size)
	return Use{Entry: e, Before: slices.Clone(c.data[wordBytes*first : wordBytes*end]), Origins: slices.Clone(c.origins[first:end])}
}

// wrote marks the words that a run wrote, and those that it read and left as they are: relu changes
// only negative numbers.
func (a *Account) wrote(run int32, u *Use, writable bool) {
	if !writable {
		return
	}
	c := a.of(u.Entry.Buffer)
	for i := range u.Origins {
		word := u.First() + i
		switch {
		case u.Wrote.Has(i):
			c.origins[word] = WordOrigin{Kind: Computed, By: run, Word: uint32(word)}
		case u.Read.Has(i):
			c.origins[word].Kept, c.origins[word].KeptAt = run+1, uint32(word)
		}
	}
}

// reads notes what the program got of mappings after some submissions.
func (a *Account) reads(submissions int) {
	for _, m := range a.calls.Mappings {
		if m.Mode != webgpu.MapModeRead || m.Submitted != submissions {
			continue
		}
		a.writes(m.Call)
		for _, r := range m.Ranges {
			if r.Data == nil {
				a.Complete = false
				continue
			}
			c := a.of(m.Buffer)
			first, end := c.words(r.Offset, uint64(len(r.Data)))
			a.Reads = append(a.Reads, Read{r, m, slices.Clone(c.origins[first:end])})
		}
	}
}
