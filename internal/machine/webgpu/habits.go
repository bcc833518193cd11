package webgpu

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// Want says what a program should do, as far as the one who judges it knows. Zero means unknown.
type Want struct {
	DispatchWant                // of every dispatch
	Each         []DispatchWant // of each dispatch, in the order of their submissions; nil if all are alike
	Submissions  int            // how many submissions are enough
	Readbacks    int            // how many mappings for reading are enough
	Pipelines    int            // how many pipelines are enough
}

// A DispatchWant says what a dispatch should do.
type DispatchWant struct {
	Name     string    // of its shader, if a program has several
	Elements [3]uint64 // the invocations that the work needs in x, y and z
	Rows     uint64    // the workgroups that it needs in x: one for each row, whatever their size
	Bytes    []uint64  // what the shader reads or writes of each binding, by its number; 0 is unknown
	Words    []any     // what its uniform should hold, 4 bytes each: a uint32, Share or float32; nil is unknown
}

// of returns what the nth dispatch should do.
func (w Want) of(nth int) DispatchWant {
	switch {
	case w.Each == nil:
		return w.DispatchWant
	case nth < len(w.Each):
		return w.Each[nth]
	}
	return DispatchWant{}
}

// A Habit is what WebGPU allows although it is wrong or wasteful.
type Habit struct {
	ID    string
	Wrong string // one sentence with {facts}
	Do    string

	find func(r *Record, want Want) []found
}

// found is one place where a program has a habit.
type found struct {
	at    HostSite
	facts facts
	wrong string // in place of the habit's sentence, if it isn't empty
	do    string // so as well
}

// A Noticed is a habit that a record shows.
type Noticed struct {
	Habit     *Habit
	Wrong, Do string
	At        HostSite
	Binding   *uint32 // that it is about; nil for others
}

// Habits are all habits, the most telling first.
var Habits = []Habit{
	{"never-submitted", "The commands of {object} never reach the queue.", "Call `submit` with what `finish` returns.", neverSubmitted},
	{"never-finished", "The commands of {object} never become a command buffer.", "Call `finish`, and submit what it returns.", neverFinished},
	{"dispatch-zero", "{dispatch} has 0 workgroups in {axis}, so nothing runs.", "Use at least 1 in each dimension.", dispatchZero},
	{"dispatch-missing", "The compute pass has no dispatch, so nothing runs.", "Call `dispatchWorkgroups` before `end`.", dispatchMissing},
	{"dispatch-exchanged", "{dispatch} has {x} by {y} workgroups, as if x and y were exchanged.", "Columns go with x, and rows with y.", dispatchExchanged},
	{"dispatch-elements", "{dispatch} has {given} workgroups in {axis}, for {elements} elements, but a workgroup has {size} invocations there.", "Divide the elements by the size of a workgroup, and round up.", dispatchElements},
	{"dispatch-one", "{dispatch} has 1 workgroup of {size} in {axis}, for {elements} elements.", "Divide the elements by the size of a workgroup, and round up.", dispatchOne},
	{"dispatch-floor", "{dispatch} has {given} workgroups of {size} in {axis}, which covers {covered} of {elements} elements.", "Round the division up, not down.", dispatchFloor},
	{"dispatch-short", "{dispatch} has {given} workgroups of {size} in {axis}, which covers {covered} of {elements} elements.", "Divide the elements by the size of a workgroup, and round up.", dispatchShort},
	{"dispatch-rows", "{dispatch} has workgroups in {axis} for {given} of {rows} rows.", "The shader needs a workgroup for each row.", dispatchRows},
	{"bound-twice", "{buffer} is bound at bindings {first} and {second} of one dispatch.", "Bind the buffer of each variable at its own number.", boundTwice},
	{"binding-short", "Binding {binding} has {given} bytes of {buffer}, and the shader works on {needed}.", "Count all rows, and 4 bytes for each number. An access past the end is not an error: it reads or changes another element.", bindingShort},
	{"uniform-word", "{shader} reads {variable} as {given}, and {needed} is due.", "{layout}Write each member at its own bytes, before the submission.", uniformWord},
	{"result-unwritten", "{buffer} is copied to be read, but no pass may write to it.", "Copy the buffer that the shader declares as read_write.", resultUnwritten},
	{"copy-early", "{buffer} is copied to be read before any pass writes to it.", "Record the copy after the pass.", copyEarly},
	{"mapped-early", "{buffer} is read before the submission that copies the result to it.", "Submit first, and then map.", mappedEarly},
	{"readback-uncopied", "{buffer} is read, but nothing was copied to it.", "Copy the result to it with `copyBufferToBuffer` before `finish`.", readbackUncopied},
	{"result-stale", "{buffer} is read again without a submission since the last time.", "Submit the new round before you map.", resultStale},
	{"copy-overwritten", "This copy to {buffer} overwrites bytes that another copy brought before the program read them.", "Give each copy a place of its own: the destination's offset is in bytes.", copyOverwritten},
	{"copy-partial", "Only {given} of the {needed} bytes that are read from {buffer} were copied to it.", "Copy as many bytes as you read.", copyPartial},
	{"elements-for-bytes", "The copy has {given} bytes, a quarter of the {needed} in {buffer}.", "Sizes are in bytes: an element has 4.", elementsForBytes},
	{"uniform-gaps", "{buffer} gets {given} bytes without gaps, but {variable} has {needed} with them.", "Leave WGSL's gaps: a vec3 starts at a multiple of 16, a vec2 at one of 8.", uniformGaps},
	{"submission-per-pass", "{given} submissions follow each other, each with one pass.", "Record all passes on one encoder, and submit once.", submissionPerPass},
	{"readback-between", "The results are read {given} times, and {needed} would be enough.", "Keep what the next pass needs on the GPU, and read at the end.", readbackBetween},
	{"submissions-extra", "{given} submissions run passes, and {needed} would be enough.", "Record all passes on one encoder, and submit once.", submissionsExtra},
	{"pipeline-again", "This pipeline is the same as one that you made before.", "Make a pipeline once for each shader. A second dispatch needs another bind group, but no other pipeline.", pipelineAgain},
	{"made-anew", "{kind} is made {given} times here, the same each time.", "Make it once, before the loop.", madeAnew},
	{"device-released", "Your function {released} the {object}, but it only borrows it: later work needs it.", "Give back only the objects that you make.", deviceReleased},
	{"never-released", "These objects are never {released}: {objects}.", "Call {call} on each after its last use.", neverReleased},
}

// Habits returns what the record shows of each habit, at most once.
func (r *Record) Habits(want Want) (all []Noticed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	say := r.Dialect()
	for i := range Habits {
		h := &Habits[i]
		if seen := h.find(r, want); len(seen) > 0 {
			n := Noticed{Habit: h, Wrong: say.fill(cmp.Or(seen[0].wrong, h.Wrong), seen[0].facts), Do: say.fill(cmp.Or(seen[0].do, h.Do), seen[0].facts), At: seen[0].at}
			if binding, ok := seen[0].facts["binding"].(uint32); ok {
				n.Binding = &binding
			}
			all = append(all, n)
		}
	}
	return all
}

func neverSubmitted(r *Record, _ Want) (all []found) {
	for _, c := range r.Commands {
		if !c.used && len(c.commands) > 0 {
			all = append(all, found{at: c.Made, facts: facts{"object": &c.HostObject}})
		}
	}
	return all
}

func neverFinished(r *Record, _ Want) (all []found) {
	for _, e := range r.Encoders {
		if e.state != encoderEnded && len(e.commands) > 0 {
			all = append(all, found{at: r.lastOn(&e.HostObject, e.Made), facts: facts{"object": &e.HostObject}})
		}
	}
	return all
}

// lastOn returns the last call on an object, or another place.
func (r *Record) lastOn(o *HostObject, other HostSite) HostSite {
	for _, c := range slices.Backward(r.Calls) {
		if c.On == o {
			return c.At
		}
	}
	return other
}

// lastOf returns the last call of a name before another call, or another place.
func (r *Record) lastOf(name string, before int, other HostSite) HostSite {
	for _, c := range slices.Backward(r.Calls[:max(before, 0)]) {
		if c.Name == name {
			return c.At
		}
	}
	return other
}

// runs calls look for each dispatch, with its submission and with what it should do. A line that
// dispatches several pipelines says little: then the place is where the bind group was made.
func (r *Record) runs(want Want, look func(s *QueueSubmission, d DispatchRun, due DispatchWant)) {
	at, shared := map[SourcePlace]*ComputePipeline{}, map[SourcePlace]bool{}
	r.dispatched(func(_ *QueueSubmission, d DispatchRun) {
		line := d.At.Resolved()
		if before := at[line]; before != nil && before != d.Pipeline {
			shared[line] = true
		}
		at[line] = d.Pipeline
	})
	nth := 0
	r.dispatched(func(s *QueueSubmission, d DispatchRun) {
		if shared[d.At.Resolved()] && d.Groups[0] != nil {
			d.Bound, d.At = true, d.Groups[0].Made.FromOutermost()
		}
		look(s, d, want.of(nth))
		nth++
	})
}

func (r *Record) dispatched(look func(s *QueueSubmission, d DispatchRun)) {
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Pass == nil {
				continue
			}
			for _, d := range step.Pass.Dispatches {
				look(s, d)
			}
		}
	}
}

// Runs calls look for each dispatch, in the order of the submissions.
func (r *Record) Runs(look func(s *QueueSubmission, d DispatchRun)) {
	r.runs(Want{}, func(s *QueueSubmission, d DispatchRun, _ DispatchWant) { look(s, d) })
}

// dispatches calls look for each direct dispatch and axis.
func dispatches(r *Record, want Want, look func(d DispatchRun, due DispatchWant, axis int) facts) (all []found) {
	r.runs(want, func(_ *QueueSubmission, d DispatchRun, due DispatchWant) {
		for axis := range 3 {
			if d.Counts != nil {
				continue
			}
			if f := look(d, due, axis); f != nil {
				f["axis"], f["dispatch"] = "xyz"[axis:axis+1], "the dispatch"
				if due.Name != "" {
					f["dispatch"] = "the dispatch of " + due.Name
				}
				all = append(all, found{at: d.At, facts: f})
			}
		}
	})
	return all
}

func dispatchZero(r *Record, want Want) []found {
	return dispatches(r, want, func(d DispatchRun, due DispatchWant, axis int) facts {
		if n := due.Elements[axis]; d.Workgroups[axis] == 0 && (n == 0 || n >= uint64(d.Pipeline.WorkgroupSize[axis])) {
			return facts{}
		}
		return nil
	})
}

// dispatchMissing finds programs with passes, but without any dispatch.
func dispatchMissing(r *Record, _ Want) (all []found) {
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Pass == nil {
				continue
			}
			if len(step.Pass.Dispatches) > 0 {
				return nil
			}
			all = append(all, found{at: step.Pass.Ended, facts: facts{}})
		}
	}
	return all
}

// covering is a dispatch in one axis: workgroups, their size, and the elements that they should
// cover.
type covering struct{ groups, size, elements uint64 }

func (c covering) enough() bool { return c.groups*c.size >= c.elements }

func (c covering) facts() facts {
	return facts{"given": c.groups, "size": c.size, "elements": c.elements, "covered": c.groups * c.size}
}

// coverings calls wrong for each dispatch in an axis whose elements are known.
func coverings(r *Record, want Want, wrong func(covering) bool) []found {
	return dispatches(r, want, func(d DispatchRun, due DispatchWant, axis int) facts {
		c := covering{uint64(d.Workgroups[axis]), uint64(d.Pipeline.WorkgroupSize[axis]), due.Elements[axis]}
		if c.elements > 0 && wrong(c) {
			return c.facts()
		}
		return nil
	})
}

func dispatchElements(r *Record, want Want) []found {
	return coverings(r, want, func(c covering) bool { return c.groups >= c.elements && c.size > 1 && c.elements > 1 })
}

func dispatchFloor(r *Record, want Want) []found {
	return coverings(r, want, func(c covering) bool { return !c.enough() && c.groups == c.elements/c.size })
}

func dispatchShort(r *Record, want Want) []found {
	return coverings(r, want, func(c covering) bool { return !c.enough() && c.groups != c.elements/c.size && c.groups > 1 })
}

func dispatchOne(r *Record, want Want) []found {
	return coverings(r, want, func(c covering) bool { return !c.enough() && c.groups == 1 && c.elements > c.size })
}

// dispatchRows finds a dispatch without a workgroup for each row.
func dispatchRows(r *Record, want Want) []found {
	return dispatches(r, want, func(d DispatchRun, due DispatchWant, axis int) facts {
		if axis > 0 || due.Rows == 0 || uint64(d.Workgroups[0]) >= due.Rows {
			return nil
		}
		return facts{"given": d.Workgroups[0], "rows": due.Rows}
	})
}

func dispatchExchanged(r *Record, want Want) []found {
	up := func(n uint64, size uint32) uint64 { return (n + uint64(size) - 1) / uint64(size) }
	return dispatches(r, want, func(d DispatchRun, due DispatchWant, axis int) facts {
		n, size, g := due.Elements, d.Pipeline.WorkgroupSize, d.Workgroups
		if axis > 0 || n[0] == 0 || n[1] == 0 || g[0] == g[1] {
			return nil
		}
		across := uint64(g[0]) == up(n[1], size[1]) && uint64(g[1]) == up(n[0], size[0])
		swapped := uint64(g[0]) == up(n[1], size[0]) && uint64(g[1]) == up(n[0], size[1])
		right := uint64(g[0]) == up(n[0], size[0]) && uint64(g[1]) == up(n[1], size[1])
		if right || !across && !swapped {
			return nil
		}
		return facts{"x": g[0], "y": g[1]}
	})
}

// copiesTo calls look for each copy to a buffer, with the number of its submission.
func (r *Record) copiesTo(b *Buffer, look func(submission int, c *CopyRun)) {
	for i, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Copy != nil && step.Copy.To == b {
				look(i, step.Copy)
			}
		}
	}
}

// reads calls look for each mapping from which the program read.
func (r *Record) reads(look func(m *Mapping) facts) (all []found) {
	for _, m := range r.Mappings {
		if m.Mode != MapModeRead || !m.Read {
			continue
		}
		if f := look(m); f != nil {
			f["buffer"] = m.Buffer
			at, elsewhere := f["at"].(HostSite)
			if !elsewhere {
				at = m.At
			}
			all = append(all, found{at: at, facts: f})
		}
	}
	return all
}

// copied counts the copies to a mapping's buffer before and after it began.
func (r *Record) copied(m *Mapping) (before, after int) {
	r.copiesTo(m.Buffer, func(submission int, _ *CopyRun) {
		if submission < m.Submitted {
			before++
		} else {
			after++
		}
	})
	return before, after
}

func mappedEarly(r *Record, _ Want) []found {
	return r.reads(func(m *Mapping) facts {
		if before, after := r.copied(m); before == 0 && after > 0 {
			return facts{}
		}
		return nil
	})
}

// readbackUncopied shows where the copy would come last: where its encoder is finished.
func readbackUncopied(r *Record, _ Want) []found {
	return r.reads(func(m *Mapping) facts {
		if before, after := r.copied(m); before == 0 && after == 0 {
			return facts{"at": r.lastOf("finish", m.Call, m.At)}
		}
		return nil
	})
}

func resultStale(r *Record, _ Want) []found {
	last := map[*Buffer]int{}
	return r.reads(func(m *Mapping) facts {
		before, seen := last[m.Buffer]
		last[m.Buffer] = m.Submitted
		if seen && before == m.Submitted {
			return facts{}
		}
		return nil
	})
}

// copyOverwritten finds a copy to be read that overwrites what another one brought for the same
// mapping.
func copyOverwritten(r *Record, _ Want) (all []found) {
	reads := func(b *Buffer, submission int) (n int) { // before a submission
		for _, m := range r.Mappings {
			if m.Buffer == b && m.Submitted <= submission {
				n++
			}
		}
		return n
	}
	type brought struct {
		*CopyRun
		reads int
	}
	var before []brought
	for i, s := range r.Submissions {
		for _, step := range s.Steps {
			c := step.Copy
			if c == nil || c.To.Usage&gpu.UsageMapRead == 0 {
				continue
			}
			now := brought{c, reads(c.To, i)}
			for _, b := range before {
				if b.To == c.To && b.reads == now.reads && b.ToOffset < c.ToOffset+c.Bytes && c.ToOffset < b.ToOffset+b.Bytes {
					all = append(all, found{at: step.At, facts: facts{"buffer": c.To}})
				}
			}
			before = append(before, now)
		}
	}
	return all
}

func copyPartial(r *Record, _ Want) []found {
	return r.reads(func(m *Mapping) facts {
		var end uint64
		var at HostSite
		for _, s := range r.Submissions[:m.Submitted] {
			for _, step := range s.Steps {
				if step.Copy != nil && step.Copy.To == m.Buffer {
					end, at = max(end, step.Copy.ToOffset+step.Copy.Bytes), step.At
				}
			}
		}
		if end == 0 || end >= m.Offset+m.Bytes {
			return nil
		}
		return facts{"given": end, "needed": m.Offset + m.Bytes, "at": at}
	})
}

// readable calls look for each copy to a buffer that the host can read.
func (r *Record) readable(look func(c *CopyRun) facts) (all []found) {
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			if step.Copy == nil || step.Copy.To.Usage&gpu.UsageMapRead == 0 {
				continue
			}
			if f := look(step.Copy); f != nil {
				f["buffer"] = step.Copy.From
				all = append(all, found{at: step.At, facts: f})
			}
		}
	}
	return all
}

func elementsForBytes(r *Record, _ Want) []found {
	return r.readable(func(c *CopyRun) facts {
		if c.Bytes*wordBytes != c.From.Size || c.Bytes < wordBytes {
			return nil
		}
		return facts{"given": c.Bytes, "needed": c.From.Size}
	})
}

func resultUnwritten(r *Record, _ Want) []found {
	written := r.writtenBefore(nil)
	return r.readable(func(c *CopyRun) facts {
		if written[c.From] || c.From.Usage&gpu.UsageStorage == 0 {
			return nil
		}
		return facts{}
	})
}

// copyEarly finds a copy to be read that comes before every pass that writes to its source.
func copyEarly(r *Record, _ Want) []found {
	written := r.writtenBefore(nil)
	return r.readable(func(c *CopyRun) facts {
		if !written[c.From] || r.writtenBefore(c)[c.From] {
			return nil
		}
		return facts{}
	})
}

// writtenBefore returns the buffers that passes and copies before a copy may write to; nil means
// all of the record.
func (r *Record) writtenBefore(c *CopyRun) map[*Buffer]bool {
	written := map[*Buffer]bool{}
	for _, s := range r.Submissions {
		for _, step := range s.Steps {
			switch {
			case step.Copy != nil && step.Copy == c:
				return written
			case step.Copy != nil:
				written[step.Copy.To] = true
			case step.Pass != nil:
				step.Pass.writes(written)
			}
		}
	}
	return written
}

// writes adds the buffers that a pass may write to.
func (p *PassRun) writes(into map[*Buffer]bool) {
	for _, d := range p.Dispatches {
		for _, g := range d.Groups {
			if g == nil {
				continue
			}
			for _, e := range g.Entries {
				if l, _ := g.Layout.entry(e.Binding); l.Buffer.Type == BufferBindingTypeStorage {
					into[e.Buffer] = true
				}
			}
		}
	}
}

func uniformGaps(r *Record, want Want) (all []found) {
	r.runs(want, func(_ *QueueSubmission, d DispatchRun, _ DispatchWant) { all = append(all, r.gapsOf(d)...) })
	return all
}

func (r *Record) gapsOf(d DispatchRun) (all []found) {
	for _, b := range d.Pipeline.used {
		if e, ok := d.Entry(b.Group, b.Number); ok && b.Space == wgsl.Uniform {
			if f := r.gap(b, e); f != nil {
				all = append(all, *f)
			}
		}
	}
	return all
}

// gap returns the write that packs the members of a uniform without the gaps that WGSL has.
func (r *Record) gap(b wgsl.Binding, e BindGroupEntry) *found {
	var packed, end uint64
	gaps := false
	for _, m := range b.Type.Members {
		gaps = gaps || m.Offset != end
		packed, end = packed+m.Type.Size, m.Offset+m.Type.Size
	}
	if !gaps {
		return nil
	}
	padded := (packed + shader.UniformRow - 1) / shader.UniformRow * shader.UniformRow
	for _, w := range r.Writes {
		if w.To == e.Buffer && w.Offset == e.Offset && (w.Bytes == packed || w.Bytes == padded) && w.Bytes < end && w.Call >= 0 {
			return &found{at: r.Calls[w.Call].At, facts: facts{"buffer": e.Buffer, "given": w.Bytes, "needed": end, "variable": "`" + b.Name + "`"}}
		}
	}
	return nil
}

// submissionPerPass finds submissions with a pass each, without anything of the host between them.
func submissionPerPass(r *Record, want Want) []found {
	if want.Submissions > 0 && len(r.Submissions) <= want.Submissions {
		return nil
	}
	run, first := 0, HostSite{}
	for i, s := range r.Submissions {
		passes := 0
		for _, step := range s.Steps {
			if step.Pass != nil {
				passes++
			}
		}
		if passes != 1 || run > 0 && r.hostBetween(r.Submissions[i-1].Call, s.Call) {
			run = 0
		}
		if passes == 1 {
			run++
			if run == 1 {
				first = s.At
			}
		}
		if run > 1 && (i+1 == len(r.Submissions) || run > 2) {
			return []found{{at: first, facts: facts{"given": uint64(run)}}}
		}
	}
	return nil
}

// hostBetween reports whether the host wrote or read anything between two calls.
func (r *Record) hostBetween(first, second int) bool {
	return slices.ContainsFunc(r.Writes, func(w BufferWrite) bool { return w.Call > first && w.Call < second }) ||
		slices.ContainsFunc(r.Mappings, func(m *Mapping) bool { return m.Call > first && m.Call < second })
}

func readbackBetween(r *Record, want Want) []found {
	all := r.reads(func(*Mapping) facts { return facts{} })
	if want.Readbacks == 0 || len(all) <= want.Readbacks {
		return nil
	}
	return []found{{at: all[0].at, facts: facts{"given": uint64(len(all)), "needed": uint64(want.Readbacks)}}}
}

func submissionsExtra(r *Record, want Want) []found {
	var at HostSite
	count := 0
	for _, s := range r.Submissions {
		if slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Pass != nil }) {
			at, count = s.At, count+1
		}
	}
	if want.Submissions == 0 || count <= want.Submissions {
		return nil
	}
	return []found{{at: at, facts: facts{"given": uint64(count), "needed": uint64(want.Submissions)}}}
}

func pipelineAgain(r *Record, want Want) (all []found) {
	if want.Pipelines == 0 || len(r.Pipelines) <= want.Pipelines {
		return nil
	}
	seen := map[[2]string]bool{}
	for _, p := range r.Pipelines {
		if what := [2]string{p.Module.Source.Text, p.EntryPoint}; seen[what] {
			all = append(all, found{at: p.Made, facts: facts{}})
		} else {
			seen[what] = true
		}
	}
	return all
}

// sameOften is how often the same object may be made at one place.
const sameOften = 2

// madeAnew finds objects that are made again in each round: the same place, the same description,
// and a submission since the last time.
func madeAnew(r *Record, _ Want) (all []found) {
	type key struct {
		at   SourcePlace
		what string
	}
	count, last := map[key]uint64{}, map[key]int{}
	see := func(o *HostObject, what string) {
		k := key{o.Made.Resolved(), what}
		if before, seen := last[k]; !seen || before < o.After {
			count[k]++
		}
		last[k] = o.After
		if count[k] == sameOften+1 {
			all = append(all, found{at: o.Made, facts: facts{"kind": o.Name(), "given": count[k]}})
		}
	}
	for _, p := range r.Pipelines {
		see(&p.HostObject, p.Module.Source.Text+"\n"+p.EntryPoint)
	}
	for _, b := range r.Buffers {
		see(&b.HostObject, fmt.Sprint(b.Size, b.Usage))
	}
	return all
}

// deviceReleased finds that the program released a device that it didn't make.
func deviceReleased(r *Record, _ Want) (all []found) {
	for _, o := range r.Objects {
		if o.Kind == "device" && o.Released.InProgram() && !o.Made.InProgram() {
			f := facts{"object": o.Kind, "released": "destroys"}
			if r.Dialect().Native {
				f["released"] = "releases"
			}
			all = append(all, found{at: o.Released, facts: f})
		}
	}
	return all
}

func neverReleased(r *Record, _ Want) []found {
	left := r.Unreleased()
	if len(left) == 0 {
		return nil
	}
	var names []string
	times := map[string]int{}
	for _, o := range left {
		name := strings.TrimPrefix(o.Name(), "the ")
		if times[name]++; times[name] == 1 {
			names = append(names, name)
		}
	}
	const most = 3
	if len(names) > most {
		names = append(names[:most], "and others")
	}
	for i, name := range names {
		if n := times[name]; n > 1 {
			names[i] = fmt.Sprintf("%s (%d of them)", name, n)
		}
	}
	f := facts{"objects": strings.Join(names, ", "), "released": "destroyed", "call": spelled("destroy")}
	if r.Dialect().Native {
		f["released"], f["call"] = "released", spelled("release")
	}
	return []found{{at: left[0].Made, facts: f}}
}
