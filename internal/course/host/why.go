package host

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A cause is what the account of all bytes shows of a wrong result: what happened, where, and what
// to do.
type cause struct {
	slug, what, do string
	at             webgpu.HostSite
	outer          bool            // a function of the learner's made the call: show the line that called it
	also           webgpu.HostSite // another place of it, if known
	late           bool            // it is about the result, not about what a dispatch reads
}

func (c *cause) diagnosis() *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: c.slug, Message: c.what, Try: c.do}}
	if c.outer {
		showFrom(d, c.at)
	} else {
		show(d, c.at)
	}
	if c.also.Known() {
		d.also = append(d.also, c.also)
	}
	return d
}

// cause returns the first thing that went wrong on the way to the result: an operand that isn't
// due, a stage that doesn't run, or a word of the result that comes from elsewhere. It is nil if
// the account shows none.
func (f *flow) cause() *cause {
	if !f.followed() {
		return nil
	}
	for run := range f.Runs {
		if wrong := f.wrongOperands(run); len(wrong) > 0 {
			return f.ofOperand(wrong)
		}
	}
	if c := f.missing(); c != nil {
		return c
	}
	c := f.ofResult()
	if c != nil {
		c.late = true
	}
	return c
}

// shaderOf returns the name of the exercise whose shader a run has.
func (f *flow) shaderOf(run int) string {
	if stage := f.stage[run]; stage >= 0 {
		return f.stageName(stage)
	}
	return "another shader"
}

// stageName names a stage by its shader, and by what it does if several stages have that.
func (f *flow) stageName(stage int) string {
	s := f.stages[stage]
	name := "`" + f.task.Work.Shaders[s.shader] + "`"
	if s.name != "" {
		name += " " + s.name
	}
	return name
}

// on names a run by its shader and its line.
func (f *flow) on(run int) string {
	if line := f.runs[run].At.Outermost(); line.Line > 0 {
		return fmt.Sprintf("%s (%s on %s)", f.shaderOf(run), map[bool]string{false: "dispatched", true: "bound"}[f.runs[run].Bound], line)
	}
	return f.shaderOf(run)
}

// missing finds a stage that no dispatch does.
func (f *flow) missing() *cause {
	if len(f.Runs) == 0 {
		return nil
	}
	for stage, runs := range f.runsOf {
		if len(runs) == 0 {
			return f.withoutRun(stage)
		}
	}
	return nil
}

// withoutRun is the cause that no dispatch does a stage.
func (f *flow) withoutRun(stage int) *cause {
	shader := f.stages[stage].shader
	id := f.task.Work.Shaders[shader]
	for other, runs := range f.runsOf {
		if f.stages[other].shader != shader || len(runs) < 2 {
			continue
		}
		again, first := f.runs[runs[len(runs)-1]], f.runs[runs[0]]
		if again.Groups == first.Groups {
			return &cause{slug: "group-again", at: again.Set[0], what: fmt.Sprintf("This dispatch of `%s` has the bind group of the one on %s, so it computes the same again.", id, first.At.Outermost()), do: "Set the bind group of this dispatch before it."}
		}
	}
	due, has := 0, 0
	for other, runs := range f.runsOf {
		if f.stages[other].shader == shader {
			due, has = due+1, has+len(runs)
		}
	}
	what := fmt.Sprintf("No dispatch runs `%s`.", id)
	if has > 0 {
		what = fmt.Sprintf("`%s` runs %s, and %d runs are due.", id, english.Count(has, "time", "times"), due)
	}
	last := f.runs[len(f.runs)-1]
	return &cause{slug: "pass-missing", at: last.At, what: what, do: "This is your last dispatch: compare your dispatches with the passes that the task lists."}
}

// ofOperand explains the first operand of a run that isn't due.
func (f *flow) ofOperand(all []wrongOperand) *cause {
	w := all[0]
	use := f.Runs[w.run].Use(w.binding)
	if c := f.boundElsewhere(w, use, all); c != nil {
		return c
	}
	switch w.origin.Kind {
	case Zero:
		return f.ofNothing(w, use)
	case Written:
		return f.ofWrite(w, use)
	case Computed:
		return f.ofOther(w, use)
	}
	return &cause{slug: "other-numbers", at: f.runs[w.run].Groups[0].Made, what: fmt.Sprintf("%s reads %s, which holds times.", f.binding(w, use), use.Entry.Buffer)}
}

// binding names a binding of a run, at the beginning of a sentence.
func (f *flow) binding(w wrongOperand, use *Use) string {
	return fmt.Sprintf("Binding %d of %s, its `%s`,", w.binding, f.shaderOf(w.run), use.Object)
}

// entry is the place of a binding in the call that makes its bind group.
func (f *flow) entry(w wrongOperand) webgpu.HostSite {
	return entryOf(f.runs[w.run].Groups[0].Made, uint32(w.binding))
}

const ownNumber = "Bind the buffer of each variable at the number of its @binding."

// boundElsewhere finds what the host sent for an operand at another binding, or in another buffer.
func (f *flow) boundElsewhere(w wrongOperand, use *Use, all []wrongOperand) *cause {
	if w.data == nil {
		return nil
	}
	gets := f.stages[f.stage[w.run]].gets
	for _, other := range f.Runs[w.run].Uses {
		b := int(other.Binding)
		if b == w.binding || !bytes.HasPrefix(other.Before, w.data) || other.Entry.Buffer == use.Entry.Buffer {
			continue
		}
		mine := b >= len(gets) || gets[b].name == "" || slices.ContainsFunc(all, func(o wrongOperand) bool { return o.binding == b })
		if mine {
			return &cause{slug: "bindings-exchanged", at: f.entry(w), outer: true, do: ownNumber, what: fmt.Sprintf("Bindings %d and %d of %s are exchanged: the numbers of %s are in %s, and that is at binding %d.", w.binding, b, f.shaderOf(w.run), w.name, other.Entry.Buffer, b)}
		}
	}
	if w.origin.Kind == Written && f.record.Writes[w.origin.By].Call < 0 {
		return nil
	}
	for _, written := range f.record.Writes {
		if written.To != use.Entry.Buffer && written.Call < f.Runs[w.run].Submission.Call && bytes.Equal(written.Data, w.data) && len(w.data) > 0 {
			return &cause{slug: "other-buffer", at: f.entry(w), outer: true, do: ownNumber, what: fmt.Sprintf("%s gets %s, and the numbers of %s are in %s.", f.binding(w, use), use.Entry.Buffer, w.name, written.To)}
		}
	}
	return nil
}

// ofNothing explains an operand that nothing had written.
func (f *flow) ofNothing(w wrongOperand, use *Use) *cause {
	b := use.Entry.Buffer
	for _, later := range f.record.Writes {
		if later.To == b && later.Call > f.Runs[w.run].Submission.Call {
			return &cause{slug: "written-late", at: f.record.Calls[later.Call].At, what: fmt.Sprintf("Your program writes to %s only after the submission that reads it.", b), do: "A write changes what the submissions after it read: write first, then submit."}
		}
	}
	if w.data != nil {
		return &cause{slug: "not-sent", at: b.Made, outer: true, what: fmt.Sprintf("%s reads %s, and nothing has written element %s of %s there: it is 0.", f.binding(w, use), b, english.Thousands(w.word), w.name), do: "A new buffer holds zeros: send the numbers before you submit."}
	}
	head := fmt.Sprintf("%s reads zeros from %s", f.binding(w, use), b)
	if c := f.copiedFrom(w.origin); c != nil {
		head += fmt.Sprintf(", which a copy took from %s", c.From)
	}
	return f.ofMaker(w, use, head)
}

// copiedFrom returns the copy that brought a word, or nil.
func (f *flow) copiedFrom(o WordOrigin) *Copied {
	if o.Copy == 0 {
		return nil
	}
	return f.Copies[o.Copy-1]
}

// ofMaker says what the dispatches did that should have made an operand.
func (f *flow) ofMaker(w wrongOperand, use *Use, head string) *cause {
	c := &cause{slug: "not-made", at: f.runs[w.run].At}
	makers := f.runsOf[w.from]
	if len(makers) == 0 {
		c = f.withoutRun(w.from)
		c.what = head + ": " + strings.ToLower(c.what[:1]) + c.what[1:]
		if c.slug == "pass-missing" {
			c.at, c.do = f.runs[w.run].At, "Record the pass that makes these numbers before this one."
		}
		return c
	}
	maker := makers[0]
	out := f.Runs[maker].Use(f.stages[w.from].out)
	switch {
	case out == nil:
		c.what = head + "."
	case out.Entry.Buffer != use.Entry.Buffer:
		c.slug, c.at, c.outer = "other-buffer", f.entry(w), true
		c.what, c.do = fmt.Sprintf("%s, and %s writes to %s.", head, f.on(maker), out.Entry.Buffer), "Bind one buffer in both: what one pass writes, the next reads."
	case maker > w.run:
		c.slug = "order"
		c.what, c.do = fmt.Sprintf("%s: %s runs later.", head, f.on(maker)), "Passes run in the order in which you record and submit them."
	default:
		wrote, all := out.Wrote.Count(), len(out.Origins)
		c.slug, c.at = "partly-made", f.runs[maker].At
		c.what = fmt.Sprintf("%s: %s wrote %s of its %s numbers.", head, f.on(maker), english.Thousands(wrote), english.Thousands(all))
		c.do = "Count the workgroups of that dispatch, and the bytes of its bindings."
	}
	return c
}

// ofWrite explains an operand that the host wrote, and that isn't due.
func (f *flow) ofWrite(w wrongOperand, use *Use) *cause {
	written := f.record.Writes[w.origin.By]
	at := f.record.Calls[written.Call].At
	if w.data == nil {
		return f.ofMaker(w, use, fmt.Sprintf("%s reads numbers from %s that your program wrote there", f.binding(w, use), use.Entry.Buffer))
	}
	c := &cause{slug: "other-numbers", at: at}
	for number, s := range f.stages {
		for _, o := range s.gets {
			if !o.batch || o.data == nil || o.name != w.name || bytes.Equal(o.data, w.data) || !bytes.HasPrefix(use.Before, o.data) {
				continue
			}
			c.at = at
			if number < f.stage[w.run] {
				c.slug, c.what, c.do = "batch-stale", fmt.Sprintf("%s still holds the numbers of %s.", f.binding(w, use), strings.TrimPrefix(s.name, "in ")), "Write the next batch to its buffers before each submission."
			} else {
				c.slug, c.what, c.do = "batch-early", fmt.Sprintf("%s already holds the numbers of %s: its write comes before this submission.", f.binding(w, use), strings.TrimPrefix(s.name, "in ")), "Submit each step before you write the next batch."
				c.at, c.also = f.Runs[w.run].Submission.At, at
			}
			return c
		}
	}
	for _, s := range f.stages {
		for _, o := range s.gets {
			if o.data != nil && o.name != w.name && len(use.Before) > 0 && (bytes.HasPrefix(use.Before, o.data) || bytes.HasPrefix(o.data, use.Before)) {
				c.at, c.outer = at, true
				c.what, c.do = fmt.Sprintf("%s gets the numbers of %s, and those of %s are due.", f.binding(w, use), o.name, w.name), "Send each array to the buffer of its own binding."
				return c
			}
		}
	}
	c.what = fmt.Sprintf("Element %s of `%s` in %s is %s, and %s is due: the numbers of %s.", english.Thousands(w.word), use.Object, f.shaderOf(w.run), w.say(use.Before), w.say(w.data), w.name)
	c.do = "Compare the bytes that your program sends with the numbers that it got."
	if bytes.HasPrefix(reversedWords(use.Before), w.data) {
		c.slug, c.do = "big-endian", f.record.Dialect().LowestFirst()
		c.what = fmt.Sprintf("The four bytes of each number of %s are in reverse order: element %s of `%s` in %s is %s, and %s is due.", w.name, english.Thousands(w.word), use.Object, f.shaderOf(w.run), w.say(use.Before), w.say(w.data))
	}
	return c
}

// say writes the wrong word of some bytes as its number.
func (w wrongOperand) say(data []byte) string {
	if 4*w.word+4 > len(data) {
		return "missing"
	}
	bits := wordAt(data, w.word)
	if w.whole {
		return english.Thousands(int(bits))
	}
	return strconv.FormatFloat(float64(math.Float32frombits(bits)), 'g', 5, 32)
}

// ofOther explains an operand that a dispatch wrote, and that isn't due.
func (f *flow) ofOther(w wrongOperand, use *Use) *cause {
	by := int(w.origin.By)
	c := &cause{slug: "other-result", at: f.entry(w), outer: true}
	switch {
	case w.data != nil && by == w.run:
		c.what = fmt.Sprintf("%s reads what the same dispatch writes.", f.binding(w, use))
	case w.data != nil && f.stage[by] == f.stage[w.run]:
		c.slug, c.at, c.outer = "dispatch-again", f.runs[w.run].At, false
		c.what, c.do = fmt.Sprintf("%s reads what %s wrote before: the numbers of %s are gone from %s.", f.binding(w, use), f.on(by), w.name, use.Entry.Buffer), "Dispatch it once for each element."
	case w.data != nil:
		c.slug = "overwritten"
		c.what, c.do = fmt.Sprintf("%s needs the numbers of %s, and reads what %s wrote to %s.", f.binding(w, use), w.name, f.on(by), use.Entry.Buffer), "Use another buffer for that result."
	case f.stage[by] == w.from:
		c.what, c.do = fmt.Sprintf("%s needs the %s of %s, but element %s comes from another place of what it wrote.", f.binding(w, use), strings.TrimPrefix(w.name, "the "), f.on(by), english.Thousands(w.word)), "Compare the offsets of the bindings and copies between the two."
	case f.extra(w.run) > 0:
		due := f.extra(w.run)
		c.slug, c.at, c.outer = "pass-extra", f.runs[w.run].At, false
		c.what, c.do = fmt.Sprintf("`%s` has more than %s: this one reads what %s left in %s.", f.task.Work.Shaders[f.stages[f.stage[w.run]].shader], english.Count(due, "due run", "due runs"), f.on(by), use.Entry.Buffer), "Compare your dispatches with the passes that the task lists."
	case f.stage[by] >= 0 && f.stages[f.stage[by]].shader == f.stages[w.from].shader && f.stage[by] < w.from:
		c.slug, c.at, c.outer = "order", f.runs[w.run].At, false
		c.what, c.do = fmt.Sprintf("%s reads what an earlier run of %s left in %s.", f.binding(w, use), f.on(by), use.Entry.Buffer), "Record the pass that makes its numbers before this one."
	default:
		if runs := f.runsOf[w.from]; len(runs) == 0 {
			return f.ofMaker(w, use, fmt.Sprintf("%s reads what %s wrote", f.binding(w, use), f.on(by)))
		} else if runs[0] > w.run {
			c.slug, c.at, c.outer = "order", f.runs[w.run].At, false
		}
		c.what, c.do = fmt.Sprintf("%s reads what %s wrote to %s, and the result of %s is due.", f.binding(w, use), f.on(by), use.Entry.Buffer, f.makers(w.from)), "Follow this buffer from pass to pass: which one writes it last before this dispatch?"
	}
	return c
}

// extra returns how many runs of a run's shader are due if there are more; else 0.
func (f *flow) extra(run int) int {
	due, has := 0, 0
	for stage, s := range f.stages {
		if s.shader == f.stages[f.stage[run]].shader {
			due, has = due+1, has+len(f.runsOf[stage])
		}
	}
	if has <= due {
		return 0
	}
	return due
}

// makers names the dispatch that should make something.
func (f *flow) makers(stage int) string {
	if runs := f.runsOf[stage]; len(runs) > 0 {
		return f.on(runs[0])
	}
	return f.stageName(stage)
}

// uniformElsewhere finds a dispatch whose uniform is another buffer than the one with the due
// words.
func (f *flow) uniformElsewhere() (c *cause) {
	run := 0
	f.record.Runs(func(s *webgpu.QueueSubmission, d webgpu.DispatchRun) {
		number, stage := run, f.stage[run]
		run++
		if c != nil || stage < 0 {
			return
		}
		want := f.stages[stage].want
		e, ok := d.Entry(0, 0)
		if fit, all := want.Fits(f.record, s, d); !ok || fit == all {
			return
		}
		for _, w := range f.record.Writes {
			if w.To != e.Buffer && w.To.Size == e.Buffer.Size && w.Call < s.Call && want.Held(w.Data) {
				c = &cause{slug: "uniform-word", at: entryOf(d.Groups[0].Made, 0), outer: true, do: ownNumber}
				c.what = fmt.Sprintf("Binding 0 of %s gets %s, and the numbers that it needs are in %s.", f.shaderOf(number), e.Buffer, w.To)
				return
			}
		}
	})
	return c
}

// unread is the cause that the program reads nothing that the GPU computed; nil if it does.
func (f *flow) unread() *cause {
	for _, m := range f.record.Mappings {
		if m.Mode == webgpu.MapModeRead && m.Read {
			return nil
		}
	}
	return &cause{slug: "not-read", at: f.lastCall(), what: "Your function reads no mapped buffer, so its result can't be what the GPU computed.", do: "Map the buffer to which you copy the result, wait, and read its bytes."}
}

// ofResult explains a wrong number of the result by where it came from.
func (f *flow) ofResult() *cause {
	n := f.read()
	if len(n.bits) == 0 || len(f.got) == 0 {
		return nil
	}
	if len(f.got) != len(f.Want) {
		return nil
	}
	from, to := 0, len(f.Want) // of the result that has the first wrong number
	if f.task.Work.Apart && f.firstWrong() >= 0 {
		_, from, to = f.resultWith(f.firstWrong())
	}
	places := n.places(f.got[from:to])
	if len(places) == 0 {
		if right := n.places(f.Want[from:to]); len(right) > 0 {
			return &cause{slug: "result-changed", at: n.at[right[0]], what: "Your program reads the right numbers here, but your function returns others.", do: "Follow these bytes from here to the return."}
		}
		i := f.firstWrong()
		if i < 0 || slices.ContainsFunc(n.bits, func(bits uint32) bool { return isNumber(bits, f.got[i]) }) {
			return nil
		}
		return &cause{slug: "result-changed", at: f.lastRange(), what: fmt.Sprintf("%s is %v, and no word that your program reads from the GPU is that number.", f.element(i), f.got[i]), do: "Follow the bytes from the mapped range to the return."}
	}
	i := f.firstWrong()
	place := places[0]
	if from > 0 {
		place = places[len(places)-1] // a later result is read later
	}
	word := place + i - from
	o := n.origins[word]
	stage, due := f.resultOf(i)
	made, ok := f.madeBy(stage, o)
	c := f.copiedFrom(o)
	if c != nil && len(f.runsOf[stage]) == 1 {
		maker := f.runsOf[stage][0]
		if out := f.Runs[maker].Use(f.stages[stage].out); out != nil && out.Entry.Buffer != c.From {
			return &cause{slug: "result-unwritten", at: c.At, what: fmt.Sprintf("The copy takes %s from %s, and %s writes it to %s.", f.element(i), c.From, f.on(maker), out.Entry.Buffer), do: "Copy the buffer that the dispatch writes."}
		}
	}
	switch {
	case ok && made == due || o.Kind == Timed:
		return nil
	case ok && c != nil && len(f.runsOf[stage]) == 1:
		return &cause{slug: "copy-offset", at: c.At, what: fmt.Sprintf("%s is element %s of %s: the copy takes bytes from another place.", f.element(i), english.Thousands(made), c.From), do: "Both offsets of a copy are in bytes: the one in the source, and the one in the destination."}
	case o.Kind == Computed && f.stage[o.By] != stage && f.stage[o.By] >= 0:
		return &cause{slug: "other-result", at: f.siteOf(c, n.at[word]), what: fmt.Sprintf("%s is what %s wrote, and the result of %s is due.", f.element(i), f.on(int(o.By)), f.makers(stage)), do: "Copy the buffer that the last pass writes, after that pass."}
	case o.Kind == Written:
		return &cause{slug: "not-computed", at: f.record.Calls[f.record.Writes[o.By].Call].At, what: fmt.Sprintf("%s is what your program wrote itself: no dispatch writes it.", f.element(i)), do: f.lastDispatch(stage)}
	case o.Kind == Zero && c != nil:
		return f.unwritten(i, stage, due, o, c)
	case o.Kind == Zero:
		return &cause{slug: "copy-partial", at: n.at[word], what: fmt.Sprintf("%s is byte %s of %s, and no copy writes it.", f.element(i), english.Thousands(4*n.word[word]), n.buffer[word]), do: "Copy as many bytes as you read, to the place from which you read them."}
	}
	return nil
}

// unwritten explains a word of the result that was copied from where nothing wrote.
func (f *flow) unwritten(i, stage, due int, o WordOrigin, c *Copied) *cause {
	for _, run := range f.runsOf[stage] {
		out := f.Runs[run].Use(f.stages[stage].out)
		if out == nil || !out.Wrote.Has(due) || len(f.runsOf[stage]) > 1 {
			continue
		}
		if out.First()+due == int(o.Word) {
			return &cause{slug: "copy-early", at: c.At, what: fmt.Sprintf("The copy takes %s from %s before %s writes it.", f.element(i), c.From, f.on(run)), do: "Record the copy after the pass."}
		} else {
			return &cause{slug: "copy-offset", at: c.At, what: fmt.Sprintf("%s is byte %s of %s, and the dispatch writes this number to byte %s.", f.element(i), english.Thousands(4*int(o.Word)), c.From, english.Thousands(4*(out.First()+due))), do: "Both offsets of a copy are in bytes: the one in the source, and the one in the destination."}
		}
	}
	runs := f.runsOf[stage]
	if len(runs) == 0 {
		return nil
	}
	return &cause{slug: "result-short", at: f.runs[runs[len(runs)-1]].At, what: fmt.Sprintf("No dispatch writes byte %s of %s, which becomes %s.", english.Thousands(4*int(o.Word)), c.From, f.element(i)), do: f.lastDispatch(stage)}
}

// lastDispatch says what to count if nothing writes an element.
func (f *flow) lastDispatch(stage int) string {
	return fmt.Sprintf("Count the workgroups of all dispatches of `%s`, and where the binding of its result begins in each.", f.task.Work.Shaders[f.stages[stage].shader])
}

func (f *flow) siteOf(c *Copied, other webgpu.HostSite) webgpu.HostSite {
	if c != nil {
		return c.At
	}
	return other
}

// resultOf returns the stage that makes an element of the result, and its number there.
func (f *flow) resultOf(i int) (stage, word int) {
	array, from, _ := f.resultWith(i)
	writers := f.writers[array]
	return writers[len(writers)-1], i - from
}

// resultWith returns the array that holds an element of the result, and where it begins and ends
// there.
func (f *flow) resultWith(i int) (array string, from, to int) {
	for _, array = range f.task.Work.Result {
		from, to = to, to+f.Arrays[array].Len()
		if i < to {
			break
		}
	}
	return array, from, to
}
