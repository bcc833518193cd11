package host

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A LearnersFunction runs the learner's function on a case, on a device that it opens and closes,
// and returns its result. It first says on which adapter. Its error says why there is no device.
type LearnersFunction func(c Case, on func(adapter string)) (result []float64, err error)

// ErrTooLong says that the learner's function did not return.
var ErrTooLong = errors.New("your function did not return in time")

// Check calls the learner's function on all cases and returns the verdict, with the record of the
// calls in the last case that ran. sources are the shaders that it runs; a task of parts runs them
// on the device. Its error says what kept the check from running. A function that doesn't return
// still runs after Check, so the process has to end if the verdict isn't right.
func (t *HostTask) Check(device *gpu.Device, sources []string, seed uint64, function LearnersFunction) (*verdict.Verdict, *webgpu.Record, error) {
	started := time.Now()
	cases, err := t.drawn(sources, seed)
	if err != nil {
		return nil, nil, fmt.Errorf("preparing the cases of %s: %w", t.ID, err)
	}
	v := &verdict.Verdict{Exercise: t.ID, Seed: seed, Cases: []verdict.CaseResult{}, Findings: []findings.Finding{}, Places: []verdict.Place{}}
	one := t.onDevice
	if t.Work.Parts {
		v.Adapter = device.Adapter().String()
		if one, err = t.inParts(device, sources); err != nil {
			return nil, nil, err
		}
	}
	var last, wasteful attempt
	for i, c := range cases {
		if last, err = one(c, function, i == 0); err != nil {
			return nil, nil, err
		}
		v.Adapter = cmp.Or(last.adapter, v.Adapter)
		v.Cases = append(v.Cases, verdict.CaseResult{Name: c.Name, Pass: last.wrong == nil, MaxAbsErr: numeric.JSONNumber(last.worst)})
		if last.wrong != nil && last.wrong.wastes {
			if wasteful.wrong == nil {
				wasteful = last
			}
			last.wrong = nil // a wrong result in another case matters more
		} else if last.wrong != nil {
			break
		}
	}
	if last.wrong == nil && wasteful.wrong != nil {
		last = wasteful
	}
	if last.wrong != nil {
		v.Fail(last.wrong.Diagnosis)
		last.wrong.places(v)
	}
	if v.Outcome == "" {
		v.Pass(t.summary(last.record, len(cases)))
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return v, last.record, nil
}

// An attempt is what came of a case.
type attempt struct {
	adapter string
	record  *webgpu.Record // nil in a task of parts
	worst   float64
	wrong   *explanation // the first mistake; nil if it is right
}

// onDevice calls the function on a case, on a device that it opens.
func (t *HostTask) onDevice(c Case, function LearnersFunction, first bool) (attempt, error) {
	r := t.run(c, function, nil)
	if r.opening != nil {
		return attempt{}, r.opening
	}
	wrong := r.judged(t)
	if wrong == nil && first {
		wrong = t.ignoring(r, function)
	}
	if wrong != nil {
		wrong.prove(t.proof(r, wrong, function))
	}
	return attempt{r.adapter, r.record, r.worst(), wrong}, nil
}

// summary says that a function is right, and what its calls did in the last case.
func (t *HostTask) summary(r *webgpu.Record, cases int) string {
	if t.Work.Parts {
		return strings.ReplaceAll(t.Work.Summary, "{cases}", strconv.Itoa(cases))
	}
	_, readbacks := r.BytesRead()
	return fmt.Sprintf("Right in all %d cases. In the last one: %s, %s bytes written and %s copied, %s, %s.",
		cases, english.Count(len(r.Buffers), "buffer", "buffers"), english.Thousands(int(r.BytesWritten())), english.Thousands(int(r.BytesCopied())), english.Count(len(r.Submissions), "submission", "submissions"), english.Count(readbacks, "readback", "readbacks"))
}

// A trial is one call of the learner's function.
type trial struct {
	Case
	tolerance
	task     *HostTask
	record   *webgpu.Record
	got      []float64
	ticks    float64 // of a timed task
	adapter  string
	opening  error           // why there was no device
	panicked error           // what the function panicked with
	at       webgpu.HostSite // where it panicked
	stuck    *stuck          // why it was given up; nil if it has returned
}

// ignoring calls the function once more after a right trial, with other bits in what it reads. A
// result without them was computed on the CPU, beside calls for show.
func (t *HostTask) ignoring(right *trial, function LearnersFunction) *explanation {
	again := t.runAgain(right.Case, function, (*webgpu.Record).MarkReads)
	if again.opening != nil || again.panicked != nil || len(again.got) < len(right.got) {
		return nil
	}
	for i, number := range right.got {
		if again.got[i] == number && !math.IsNaN(number) {
			c := &cause{slug: "not-computed", at: again.lastRange(), do: "Return the numbers that you read."}
			c.what = fmt.Sprintf("Your function reads the result here, but doesn't return it: %s stays the same if these bytes change.", right.element(i))
			return c.right()
		}
	}
	return nil
}

// run calls the learner's function on a case, with a record that change prepares; nil changes
// nothing. It gives up after the deadline.
func (t *HostTask) run(c Case, function LearnersFunction, change func(*webgpu.Record)) *trial {
	r := &trial{Case: c, tolerance: toleranceOf(t.Work), task: t, record: webgpu.Watch()}
	if change != nil {
		change(r.record)
	}
	if r.Hidden = t.Work.Opens && c.Sizes["adapters"] == 0; r.Hidden {
		r.record.HideAdapters()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				r.panicked, r.at = asError(p), panicSite()
				var thrown *Thrown
				if errors.As(r.panicked, &thrown) {
					r.at = thrown.At
				}
			}
		}()
		r.got, r.opening = function(r.Case, func(adapter string) { r.adapter = adapter })
	}()
	given := &trial{Case: c, tolerance: r.tolerance, task: t, record: r.record}
	if given.stuck, given.opening = t.await(r.record, done); given.stuck != nil || given.opening != nil {
		given.adapter = r.adapter // the function has opened its device before
		return given
	}
	return r
}

// runAgain runs the learner's function once more on a case. What it prints was shown before.
func (t *HostTask) runAgain(c Case, function LearnersFunction, change func(*webgpu.Record)) *trial {
	if nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		stdout, stderr := os.Stdout, os.Stderr
		os.Stdout, os.Stderr = nowhere, nowhere
		defer func() {
			os.Stdout, os.Stderr = stdout, stderr
			_ = nowhere.Close() // nothing is lost
		}()
	}
	return t.run(c, function, change)
}

// A Thrown is an exception of a function in JavaScript, which its LearnersFunction panics with.
type Thrown struct {
	Kind, Message string // SyntaxError and what it says
	At            webgpu.HostSite
}

func (t *Thrown) Error() string { return t.Kind + ": " + t.Message }

func asError(p any) error {
	if err, ok := p.(error); ok {
		return err
	}
	return fmt.Errorf("%v", p)
}

// panicSite returns the place of a panic in the learner's program: the first that is in package
// main, or in a test.
func panicSite() webgpu.HostSite {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		frame, more := frames.Next()
		if isLearners(frame.Function, frame.File) {
			return webgpu.At(webgpu.SourcePlace{File: frame.File, Line: frame.Line, Function: frame.Function})
		}
		if !more {
			return webgpu.HostSite{}
		}
	}
}

// judged returns the first mistake of a trial; nil if it is right.
func (r *trial) judged(t *HostTask) *explanation {
	if r.record.Lost != nil {
		return r.lost()
	}
	if t.Work.Piece && !r.calls() && r.stuck == nil && (r.panicked == nil || r.isEmpty() || !r.at.Known() && !errors.As(r.panicked, new(*Thrown))) {
		return &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: verdict.Stub, Message: "Nothing is written yet: your function makes no call.", Ask: t.firstStep(r.record)}}
	}
	if t.Work.Begun && !r.begun() {
		return &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: verdict.Stub, Message: "Nothing is written yet: your function makes only the calls that were there.", Ask: t.firstStep(r.record)}}
	}
	if r.Hidden {
		return r.withoutAdapter()
	}
	if len(r.record.Mistakes) > 0 {
		return r.broke(r.record.Mistakes[0])
	}
	if r.stuck != nil {
		return r.stuck.diagnosis(r.record)
	}
	if r.panicked != nil && (t.Work.Piece || !r.isEmpty() || !r.untouched()) {
		return r.crashed()
	}
	if d := r.unwritten(t); d != nil {
		return d
	}
	r.splitTicks()
	f := r.follow()
	habits := r.record.Habits(f.due())
	if !r.right() {
		return f.wrong(t, habits)
	}
	if i := slices.IndexFunc(habits, func(n webgpu.Noticed) bool { return isUniformWord(n) || isReadBetween(n) }); i >= 0 {
		return r.has(habits[i])
	}
	if d := f.notFromShaders(); d != nil {
		if i := slices.IndexFunc(habits, decides); i >= 0 {
			return r.has(habits[i])
		}
		return d
	}
	if t.Work.Timed {
		if d := explainTimes(r); d != nil {
			if i := slices.IndexFunc(habits, explains); i >= 0 {
				d = r.has(habits[i])
			}
			d.Why = "The sums are right, but not the ticks."
			return d
		}
	}
	d := f.surplus()
	if i := slices.IndexFunc(habits, wastes); i >= 0 && d == nil {
		d = r.has(habits[i])
	}
	if d != nil {
		d.wastes = true
	}
	return d
}

// splitTicks takes the ticks from the end of a timed task's result.
func (r *trial) splitTicks() {
	if n := len(r.got) - 1; r.task.Work.Timed && n >= 0 {
		r.ticks, r.got = r.got[n], r.got[:n]
	}
}

// wrong is the diagnosis of a wrong result. What the record of calls shows comes first. A result
// that a known mistake gives has that mistake's name, and the place that the account of all bytes
// shows.
func (f *flow) wrong(t *HostTask, habits []webgpu.Noticed) *explanation {
	if i := slices.IndexFunc(habits, decides); i >= 0 {
		if c := f.uniformElsewhere(); c != nil && isUniformWord(habits[i]) {
			return c.diagnosis()
		}
		found := f.has(habits[i])
		if d := f.known(t, inUniform); d != nil && isUniformWord(habits[i]) {
			d.takePlace(found)
			return d
		}
		return found
	}
	if c := f.unread(); c != nil {
		return c.diagnosis()
	}
	if f.freed() {
		return f.mismatch()
	}
	cause := f.cause()
	if d := f.known(t, anywhere); d != nil && (cause != nil || !f.followed()) {
		if cause != nil {
			d.takePlace(cause.diagnosis())
		}
		return d
	}
	if explain := explanations[t.ID]; explain != nil && (cause == nil || !cause.late || cause.slug == "result-short") {
		if d := explain(f.trial); d != nil {
			return d
		}
	}
	if i := slices.IndexFunc(habits, isShortBinding); i >= 0 && (cause == nil || cause.late) {
		return f.has(habits[i])
	}
	if cause != nil {
		return cause.diagnosis()
	}
	if i := slices.IndexFunc(habits, explains); i >= 0 {
		return f.has(habits[i])
	}
	return f.mismatch()
}

// isEmpty reports whether a piece failed because of what it returned.
func (r *trial) isEmpty() bool {
	var thrown *Thrown
	return errors.As(r.panicked, new(*EmptyPiece)) || errors.As(r.panicked, &thrown) && thrown.Kind == Returned
}

// calls reports whether the program makes a call of its own: not one from the host file.
func (r *trial) calls() bool {
	return slices.ContainsFunc(r.record.Calls, func(c webgpu.RecordedCall) bool { return c.At.InProgram() && c.At.Shown().File == "" })
}

// unwritten is the diagnosis of a function that isn't begun, or that computes without a GPU; nil if
// it makes calls that count.
func (r *trial) unwritten(t *HostTask) *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: verdict.Stub, Ask: t.firstStep(r.record)}}
	calls := slices.ContainsFunc(r.record.Calls, func(c webgpu.RecordedCall) bool { return c.At.InProgram() })
	switch {
	case r.untouched() && slices.ContainsFunc(r.got, func(x float64) bool { return x != 0 }):
		return &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "not-computed", Message: "Your function returns numbers, but it submits nothing: they were computed on the CPU.", Ask: d.Ask}}
	case r.untouched() && calls:
		d.Message = "Your function makes no buffer, no pipeline and no submission yet."
	case r.untouched():
		d.Message = "Nothing is written yet: your function makes no call."
	default:
		return nil
	}
	return d
}

// begun reports whether the function makes one of the calls that a skeleton with calls leaves out.
func (r *trial) begun() bool {
	if len(r.record.Buffers) > 1 || len(r.record.Submissions) > 1 || r.record.BytesCopied() > 0 {
		return true
	}
	return slices.ContainsFunc(r.record.Calls, func(c webgpu.RecordedCall) bool {
		return c.Name == "dispatchWorkgroups" || c.Name == "copyBufferToBuffer" || c.Name == "createBindGroup" && c.Made != nil && c.Made.Wrong == nil
	})
}

// withoutAdapter is the diagnosis of a function that opens the device, in a case without an
// adapter; nil if it says so.
func (r *trial) withoutAdapter() *explanation {
	switch {
	case r.stuck != nil:
		return r.stuck.diagnosis(r.record)
	case r.panicked != nil && !r.isEmpty():
		d := r.crashed()
		d.Slug, d.Why = "no-adapter", "This case has no adapter: there may be none on another machine."
		return d
	case len(r.got) == 1 && r.got[0] == 1:
		return nil
	}
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "no-adapter", Message: "This case has no adapter, and your function returns without an error."}}
	d.Ask = "Which of the two requests fails here, and who is told?"
	if r.isEmpty() && !r.record.Dialect().Native {
		_, result, _ := strings.Cut(r.panicked.Error(), ": it returns ")
		result, _, _ = strings.Cut(result, ", and must return ")
		d.Message = fmt.Sprintf("This case has no adapter, and your function returns %s: it throws no error.", result)
		d.Try = "In JavaScript, an error is thrown: `throw new Error('…')`."
	}
	for _, call := range r.record.Calls {
		if call.Name == "requestAdapter" && call.At.InProgram() {
			show(d, returnWithout(call.At))
		}
	}
	return d
}

// firstStep says what to do, in the words of the program's language.
func (t *HostTask) firstStep(r *webgpu.Record) string {
	if r.Dialect().Native {
		return "The task: " + t.Exercise.Task
	}
	return "The task: " + strings.NewReplacer("Release what you made", "Destroy the buffers that you make", "WriteBuffer", "writeBuffer").Replace(t.Exercise.Task)
}

// wasteful lists the habits with which a result can be right.
var wasteful = map[string]bool{"dispatch-elements": true, "submission-per-pass": true, "readback-between": true, "submissions-extra": true, "pipeline-again": true, "made-anew": true, "device-released": true, "never-released": true}

// explains reports whether a habit can make a result wrong.
func explains(n webgpu.Noticed) bool { return !wasteful[n.Habit.ID] }

// wastes reports whether a habit makes a right result wrong. Which workgroups are too many is for
// the account of all bytes to say.
func wastes(n webgpu.Noticed) bool { return wasteful[n.Habit.ID] && n.Habit.ID != "dispatch-elements" }

func isShortBinding(n webgpu.Noticed) bool { return n.Habit.ID == "binding-short" }

func isReadBetween(n webgpu.Noticed) bool { return n.Habit.ID == "readback-between" }

// decides reports whether a habit makes a result wrong whatever else the program does.
func decides(n webgpu.Noticed) bool {
	switch n.Habit.ID {
	case "uniform-word", "never-submitted", "never-finished", "dispatch-zero", "dispatch-missing", "dispatch-exchanged", "dispatch-one", "dispatch-floor", "dispatch-short", "dispatch-rows",
		"bound-twice", "copy-early", "mapped-early", "readback-uncopied", "result-stale", "copy-overwritten", "copy-partial", "elements-for-bytes":
		return true
	}
	return false
}

// untouched reports whether the function made nothing.
func (r *trial) untouched() bool {
	return len(r.record.Buffers) == 0 && len(r.record.Pipelines) == 0 && len(r.record.Encoders) == 0 && len(r.record.Submissions) == 0
}

// right reports whether the result is right, up to the rounding of an f32.
func (r *trial) right() bool { return r.alike(r.got, r.Want) }

func (r *trial) firstWrong() int {
	for i := range min(len(r.got), len(r.Want)) {
		if !r.near(r.got[i], r.Want[i]) {
			return i
		}
	}
	return -1
}

// A tolerance says how much a number of a result may differ from the due one.
type tolerance course.Tolerance

// toleranceOf returns the tolerance of a task: its own, or the rounding of a few f32 operations.
func toleranceOf(w *course.HostWork) tolerance {
	if w.Tolerance.Absolute == 0 {
		return tolerance{Absolute: 1e-5, Relative: 1e-5}
	}
	return tolerance{Absolute: w.Tolerance.Absolute, Relative: w.Tolerance.Relative}
}

func (t tolerance) alike(a, b []float64) bool { return slices.EqualFunc(a, b, t.near) }

func (t tolerance) near(a, b float64) bool {
	return math.Abs(a-b) <= math.Max(t.Absolute, t.Relative*math.Abs(b))
}

// element names a number of the result.
func (r *trial) element(i int) string {
	name := "result"
	if r.task.Work.Apart {
		for _, array := range r.task.Work.Result {
			n := r.Arrays[array].Len()
			if name = array; i < n {
				break
			}
			i -= n
		}
	}
	return fmt.Sprintf("%s[%s]", name, english.Thousands(i))
}

// worst returns the largest error of a result of the right length.
func (r *trial) worst() (worst float64) {
	for i := range min(len(r.got), len(r.Want)) {
		if d := math.Abs(r.got[i] - r.Want[i]); d > worst {
			worst = d
		}
	}
	return worst
}

func anywhere(*course.HostWork, course.HostMistake) bool { return true }

// inUniform reports whether a mistake is about numbers that are members of a uniform.
func inUniform(w *course.HostWork, m course.HostMistake) bool {
	for name := range m.Instead {
		if w.Array(name).IsNumber() {
			return true
		}
	}
	return false
}

// known returns the mistake whose result this is, of those that may be; nil if it is none.
func (r *trial) known(t *HostTask, may func(*course.HostWork, course.HostMistake) bool) *explanation {
	for _, m := range t.Work.Mistakes {
		if may(t.Work, m) && r.alike(r.got, result(t.Work, r.HostCase, m)) {
			return told(m)
		}
	}
	return nil
}

// mismatch compares the result with the right one.
func (r *trial) mismatch() *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare}}
	switch i := r.firstWrong(); {
	case r.freed():
		d.Slug = "mapped-memory"
		defer func() { r.showMapped(d) }()
		say, ended := r.record.Dialect(), r.unmappedBy()
		d.Message = fmt.Sprintf("Your function returns the mapped memory itself, and %ss its buffer.", strings.TrimSuffix(ended, "s"))
		d.Why = fmt.Sprintf("After `%s`, those bytes are not yours any more. Here each is 255; on a driver, the program may crash.", say.Spell(ended))
		d.Ask = "How do you copy a slice in Go?"
		if !say.Native {
			d.Why = fmt.Sprintf("After `%s`, those bytes are not yours any more: the memory is empty.", say.Spell(ended))
			d.Ask = "How do you copy an `ArrayBuffer`, or a typed array?"
		}
	case len(r.got) != len(r.Want):
		d.Slug = "result-length"
		defer func() { show(d, r.lastRange()) }()
		d.Message = fmt.Sprintf("Case %s: your function returns %d numbers, and %d are due.", r.Name, len(r.got), len(r.Want))
		d.Ask = "How many bytes did you map, and how many does a number have?"
	case r.areBits():
		d.Slug = "other-type"
		defer func() { show(d, r.lastRange()) }()
		d.Message = fmt.Sprintf("Case %s: %s should be %v, and is %.0f, the same 32 bits read as a whole number.", r.Name, r.element(i), r.Want[i], r.got[i])
		d.Ask = "Which type do the numbers of the result have in the shader?"
	default:
		defer func() { show(d, r.lastRange()) }()
		d.Message = fmt.Sprintf("Case %s: %s should be %v, but is %v.", r.Name, r.element(i), r.Want[i], r.got[i])
		d.Ask = "Which bytes does each binding get? Compare the numbers and sizes of your entries with the shader's declarations."
	}
	return d
}

// showMapped shows where a function returns mapped memory. In JavaScript it is copied where it is
// read.
func (r *trial) showMapped(d *explanation) {
	at := r.lastRange()
	if back := returnAfter(at); r.record.Dialect().Native && back != at {
		showLine(d, back, at, ", from ")
		return
	}
	show(d, at)
}

// areBits reports whether the result holds the right bits, read as another type.
func (r *trial) areBits() bool {
	for i, want := range r.Want {
		if r.got[i] != float64(math.Float32bits(float32(want))) {
			return false
		}
	}
	return true
}

// lastRange returns where the program last got memory that it had mapped for reading.
func (r *trial) lastRange() (at webgpu.HostSite) {
	for _, m := range r.record.Mappings {
		for _, got := range m.Ranges {
			at = got.At
		}
	}
	return at
}

// unmappedBy returns the call that ended the program's last mapping for reading.
func (r *trial) unmappedBy() string {
	for _, m := range slices.Backward(r.record.Mappings) {
		for _, c := range r.record.Calls[max(m.Call, 0):] {
			if c.On == &m.Buffer.HostObject && (c.Name == "unmap" || c.Name == "destroy" || c.Name == "release") {
				return c.Name
			}
		}
	}
	return "unmap"
}

// freed reports whether the result holds only the bytes of memory that was given back, and the
// program read others there before.
func (r *trial) freed() bool {
	blank := func(x float64) bool { return math.IsNaN(x) || x == math.MaxUint32 }
	read := slices.ContainsFunc(r.record.Mappings, func(m *webgpu.Mapping) bool {
		return slices.ContainsFunc(m.Data(), func(b byte) bool { return b != math.MaxUint8 })
	})
	return read && len(r.got) > 0 && !slices.ContainsFunc(r.got, func(x float64) bool { return !blank(x) })
}

// broke is the diagnosis of a call that breaks a rule.
func (r *trial) broke(m *webgpu.Mistake) *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: m.Rule.ID, Message: m.Wrong, Try: m.Do}}
	if m.Elements {
		d.Slug = "elements-for-bytes"
	}
	for i, s := range r.Shaders {
		if m.Shader != nil && len(r.Shaders) > 1 && s.WGSL == m.Shader.Source.Text {
			d.Try = m.Named("`" + r.task.Work.Shaders[i] + "`")
		}
	}
	at := m.At
	if m.Binding != nil {
		at = entryOf(at, *m.Binding)
	}
	made := m.Made.Outermost()
	switch {
	case !at.Known():
		showFrom(d, m.Made)
	case m.Rule.ID == "released-twice":
		show(d, releaseOf(at, m.Made.Variable()))
	case made.Line == 0 || m.Made.String() == m.At.String():
		show(d, at)
	case m.Rule.InMaking():
		showFrom(d, m.Made)
		d.also = append(d.also, at)
		if used := at.Shown(); used.Line > 0 { // not in a piece of ours
			d.Why = fmt.Sprintf("It is used on %s.", used)
		}
	default:
		d.Why, d.also = fmt.Sprintf("It was made on %s.", made), append(d.also, m.Made)
		show(d, at)
	}
	return d
}

// rightAnyway is said of a program whose result is right and whose calls are not.
const rightAnyway = "The result is right, but here the calls count as well."

// has is the diagnosis of a habit.
func (r *trial) has(n webgpu.Noticed) *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: n.Habit.ID, Message: n.Wrong, Try: n.Do}}
	if r.right() {
		d.Why = rightAnyway
	}
	switch at := n.At; {
	case countsWorkgroups[n.Habit.ID]:
		showCount(d, at)
	case n.Habit.ID == "dispatch-missing":
		show(d, loopBefore(at))
	case n.Habit.ID == "dispatch-exchanged":
		showExchanged(d, at)
	case n.Habit.ID == "never-released":
		r.showUnreleased(d, at)
	case n.Habit.ID == "device-released":
		show(d, releaseOf(at, "device"))
	case n.Binding != nil:
		showFrom(d, entryOf(at, *n.Binding))
	default:
		showFrom(d, at)
	}
	return d
}

func isUniformWord(n webgpu.Noticed) bool { return n.Habit.ID == "uniform-word" }

// lost is the diagnosis of a function whose device was lost. Whatever came after that is no mistake
// of its own.
func (r *trial) lost() *explanation {
	habits := r.record.Habits(r.follow().due())
	if i := slices.IndexFunc(habits, isUniformWord); i >= 0 {
		return r.has(habits[i])
	}
	return &explanation{Diagnosis: verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: "device-lost", Message: english.Sentence("The device was lost: " + r.record.Lost.Error()),
		Ask: "Does a shader loop as often as a number says that your program sends?",
	}}
}

// countsWorkgroups lists the habits about the workgroups of a dispatch.
var countsWorkgroups = map[string]bool{"dispatch-elements": true, "dispatch-one": true, "dispatch-floor": true, "dispatch-short": true, "dispatch-zero": true, "dispatch-rows": true}

// crashed is the diagnosis of a function that panics.
//
// Only the first line of the message is shown: a program that panics with what it was given would
// print the reference of a shader that the learner hasn't written yet.
func (r *trial) crashed() *explanation {
	first, _, _ := strings.Cut(r.panicked.Error(), "\n")
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "panic", Message: english.Sentence("Your function panicked: " + first)}}
	var runtimeError runtime.Error
	var thrown *Thrown
	var empty *EmptyPiece
	switch {
	case errors.As(r.panicked, &empty):
		d.Message, d.Ask = english.Sentence(empty.Error()), "What does the last line of your function return?"
		return d
	case errors.As(r.panicked, &thrown) && thrown.Kind == syntaxError:
		d.Stage, d.Slug = verdict.StageCompile, "syntax"
		said, do := unreadable(textOf(r.at), thrown.Message)
		d.Message, d.Try = english.Sentence("JavaScript can't read your program: "+said), do
	case thrown != nil && thrown.Kind == Undeclared:
		d.Stage, d.Slug, d.Message = verdict.StageCompile, "compile", english.Sentence(thrown.Message)
	case thrown != nil && thrown.Kind == endless:
		d.Stage, d.Slug, d.Message = verdict.StageRun, verdict.DidNotFinish, english.Sentence(thrown.Message)
		d.Ask = "Does a loop wait for something that comes only while the program waits with `await`?"
	case thrown != nil && thrown.Kind == Returned:
		d.Message, d.Ask = english.Sentence(thrown.Message), thrown.ask()
	case thrown != nil:
		d.Message = english.Sentence("Your function threw an error: " + thrown.Message)
		d.Ask = thrown.ask()
	case errors.As(r.panicked, &runtimeError):
		d.Ask = "Which slice or pointer on this line is shorter than you think, or nil?"
	}
	show(d, r.at)
	return d
}

// The kinds of Thrown about a function that returns something else, and about a program that could
// not be read, that lacks its function, and that never ends.
const (
	Returned    = "Returned"
	syntaxError = "SyntaxError"
	Undeclared  = "Undeclared"
	endless     = "Endless"
)

// aboutArgument matches what gpu.js says of an argument of a call: "createBuffer: size is missing."
var aboutArgument = regexp.MustCompile(`^[a-z]\w*: \w`)

// ask returns a question about an exception, or "".
func (t *Thrown) ask() string {
	switch t.Kind {
	case Returned:
		return "What does the last line of your function return?"
	case "ReferenceError":
		if ofModules.MatchString(t.Message) {
			return leaveOut
		}
		return "Where is that name declared, and is it spelt the same there?"
	case "TypeError":
		switch {
		case aboutArgument.MatchString(t.Message):
			return "What does this call get, and what does it need?"
		case strings.Contains(t.Message, "is not a function"):
			return "What is this called on, and does it have a function of this name?"
		}
		return "Which value on this line is undefined, or of another type than you think?"
	}
	return ""
}

// An explanation is a diagnosis with the places that it shows or names.
type explanation struct {
	verdict.Diagnosis
	at   webgpu.HostSite   // of the line that it shows; unknown if it shows none
	also []webgpu.HostSite // other places of the mistake, the most likely first

	wastes bool // the result is right
}

// places adds the places of an explanation to a verdict on a file, the most likely first.
func (d *explanation) places(v *verdict.Verdict) {
	for i, at := range append([]webgpu.HostSite{d.at}, d.also...) {
		if p := at.Shown(); p.Function == "" && p.File == "" {
			v.AddPlace(findings.Region{Line: p.Line, Column: p.Column}, verdict.ByDiagnosis, i == 0)
		}
	}
}

// takePlace takes over what another explanation says, and its places.
func (d *explanation) takePlace(found *explanation) {
	d.Why, d.Excerpt, d.Region, d.at, d.also = found.Message, found.Excerpt, found.Region, found.at, found.also
}

// provedBy names a mistake by the call that a repair has changed, if nothing else names it.
var provedBy = map[string]string{
	"createBuffer": "buffer-size", "createBindGroup": "other-binding", "setBindGroup": "other-group", "setPipeline": "other-pipeline",
	"dispatchWorkgroups": "dispatch-count", "copyBufferToBuffer": "copy-offset", webgpu.NthWrite: "other-numbers", "mapAsync": "other-range", "getMappedRange": "other-range",
}

// prove moves an explanation to the call that a repair has proved wrong.
func (d *explanation) prove(by *repair) {
	if by == nil {
		return
	}
	before, at := d.at, by.at.FromOutermost()
	p := at.Shown()
	d.Slug = cmp.Or(d.Slug, provedBy[by.Call])
	if shown := before.FromOutermost().Shown(); p == shown || by.call == shown || d.dispatchedOn(by.call) {
		return
	}
	d.at, d.also = at, append([]webgpu.HostSite{before}, d.also...)
	region := regionIn(p, by.slug, d.Message)
	if p.Function == "" && p.File == "" {
		d.Region = region
	}
	d.Excerpt = region.Excerpt(p.Text)
	d.Why = strings.TrimSpace(d.Why + fmt.Sprintf(" The result is right %s on %s: the check has tried it.", by.does, by.call))
}

// dispatchedOn reports whether an explanation shows how a number of workgroups is computed, for the
// dispatch on a line.
func (d *explanation) dispatchedOn(p webgpu.ShownLine) bool {
	return (countsWorkgroups[d.Slug] || d.Slug == "dispatch-exchanged") && slices.ContainsFunc(d.also, func(at webgpu.HostSite) bool { return at.FromOutermost().Shown() == p })
}

// show lets a diagnosis show the line of a call.
func show(d *explanation, at webgpu.HostSite) { showLine(d, at, at.FromOutermost(), ", called from ") }

// showCount lets a diagnosis show the line that divides for the number of workgroups of a dispatch,
// or else the dispatch.
func showCount(d *explanation, at webgpu.HostSite) {
	axis := 0
	if strings.Contains(d.Message, " in y") {
		axis = 1
	}
	call, name := at, countIn(at, axis)
	if at.Shown().Line == 0 || name != "" && declarationOf(at, name) == at {
		call = at.FromOutermost() // it is a reference, or a parameter: the caller computes it
		name = countIn(call, axis)
	}
	count := call
	if name != "" {
		count = declarationOf(call, name)
	}
	switch {
	case count == call && call != at:
		showFrom(d, at)
	case divides.MatchString(textOf(count)):
		showLine(d, count, call, ", for the dispatch on ")
	default:
		showLine(d, call, count, ", with the number of ")
	}
}

// showExchanged shows a dispatch whose numbers of workgroups are exchanged. If its arguments have
// the names of x and y, in this order, they are exchanged where they are computed.
func showExchanged(d *explanation, at webgpu.HostSite) {
	call := at
	if at.Shown().Line == 0 || countIn(at, 0) != "" && declarationOf(at, countIn(at, 0)) == at {
		call = at.FromOutermost()
	}
	line := textOf(call)
	if _, end, found := (argument{call: "dispatchWorkgroups"}).in(line); found && strings.HasPrefix(line[end:], ")") {
		d.Message = strings.Replace(d.Message, ", as if x and y were exchanged", ": the call has no number for y", 1)
	}
	x, y := countIn(call, 0), countIn(call, 1)
	computed := [2]webgpu.HostSite{declarationOf(call, x), declarationOf(call, y)}
	switch {
	case x == "" || y == "" || computed[0] == call || computed[1] == call:
		showFrom(d, at)
	case forX.MatchString(x) && forY.MatchString(y):
		showLine(d, computed[0], call, ", for the dispatch on ")
		d.also = append(d.also, computed[1])
	default:
		showFrom(d, at)
		d.also = append(d.also, computed[:]...)
	}
}

// showUnreleased shows where an object is made that is never released. A function of the learner's
// that makes several of them has one line for all. The last use is where a release may follow.
func (r *trial) showUnreleased(d *explanation, at webgpu.HostSite) {
	callers := map[webgpu.ShownLine]bool{}
	for _, o := range r.record.Unreleased() {
		if o.Made.Shown() == at.Shown() {
			callers[o.Made.Outermost()] = true
		}
	}
	if len(callers) > 1 {
		show(d, at)
	} else {
		showFrom(d, at)
	}
	if lines, here := d.at.Lines(); here >= 0 && endOfCall(lines, here) > here+1 {
		d.also = append(d.also, d.at.OnLine(endOfCall(lines, here)-1))
	}
	for _, s := range slices.Backward(r.record.Submissions) {
		if slices.ContainsFunc(s.Steps, func(step webgpu.Step) bool { return step.Pass != nil }) {
			d.also = append(d.also, s.At.FromOutermost())
			break
		}
	}
}

// showFrom lets a diagnosis show the line of the program from which a call came. A function that
// the learner wrote for all buffers has one line for all of them.
func showFrom(d *explanation, at webgpu.HostSite) { showLine(d, at.FromOutermost(), at, ", by ") }

// showLine shows a line, and names another in words if it is not the same. A call that is written
// over several lines shows the one with the argument that is wrong. A line of a reference isn't
// known.
func showLine(d *explanation, at, other webgpu.HostSite, by string) {
	if at.Shown().Line == 0 {
		at = other
	}
	call := at.Shown()
	if call.Line == 0 {
		return
	}
	d.at = refined(at, d.Slug, d.wrongByte())
	p := d.at.Shown()
	region := regionIn(p, d.Slug, d.Message)
	if p.Function == "" && p.File == "" { // the program's file, as an editor numbers its lines
		d.Region = region
	}
	d.Excerpt = region.Excerpt(p.Text)
	also := ""
	if o := other.Shown(); o != call && o.Line > 0 {
		also = by + o.String()
		d.also = append(d.also, other)
	}
	d.also = append(d.also, declarationsIn(at, d.Slug)...)
	if p != call {
		d.also = append(d.also, at)
	}
	d.Message = fmt.Sprintf("%s (%s%s).", strings.TrimSuffix(d.Message, "."), p, also)
}
