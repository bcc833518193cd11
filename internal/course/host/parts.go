package host

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Layers holds what the learner's function works with in the exercise `forward`: pipelines, and
// buffers that are already on the device. A pipeline takes its buffers in the order of the exercise
// with its name.
type Layers struct {
	Device *gpu.Device

	Linear  *gpu.Pipeline // dims, x, w, bias, out
	Relu    *gpu.Pipeline // data
	Softmax *gpu.Pipeline // dims, data

	Rows int // images

	Dims1 *gpu.Buffer // m = Rows, n = 128, k = 784, for the first Linear
	Dims2 *gpu.Buffer // m = Rows, n = 10, k = 128, for the second
	Shape *gpu.Buffer // rows = Rows, cols = 10, for Softmax

	X, W1, B1, W2, B2 *gpu.Buffer // the images and the weights
	Hidden            *gpu.Buffer // Rows × 128: the first layer's output
	Out               *gpu.Buffer // Rows × 10: the network's output
}

// A Training is what the learner's function works with in the exercise `train`: the passes of the
// shaders, and buffers that are already on the device.
type Training struct {
	training.Passes
	training.Buffers

	parts *Parts
}

// Next puts the next batch into X and Label. It returns false after the last one.
func (t *Training) Next() bool { return t.parts.Next() }

// Run hands over the passes of one step in one submission.
func (t *Training) Run(passes ...gpu.Pass) error {
	return errors.Join(t.Err(), t.parts.Device.Submit(passes...))
}

// Parts are what the learner's function gets in place of a device in a case: kernels and buffers
// that it puts together. After each step they are compared with what is due.
type Parts struct {
	Device    *gpu.Device
	Pipelines map[string]*gpu.Pipeline // by the exercises of their shaders
	Buffers   map[string]*gpu.Buffer   // by the arrays' names
	Case      Case

	work      *course.HostWork
	submitted []gpu.Pass           // in this step
	counts    gpu.Counts           // at the start of the step
	steps     int                  // that have begun
	before    memory               // at the start of the step
	got       map[string][]float32 // after it
	wrong     *explanation
	failed    error   // of our own reading and writing
	worst     float64 // the largest difference of a result so far
}

// Layers returns the parts of the exercise `forward`.
func (p *Parts) Layers() Layers {
	l := Layers{Device: p.Device, Linear: p.Pipelines["linear"], Relu: p.Pipelines["relu"], Softmax: p.Pipelines["softmax"], Rows: p.Case.Sizes["rows"]}
	p.fill(&l)
	return l
}

// Training returns the parts of the exercise `train`.
func (p *Parts) Training() *Training {
	t := &Training{Passes: *training.NewPasses(p.Device, p.Pipelines, p.Case.Sizes["rows"], p.Case.Arrays["rate"].Floats()[0]), parts: p}
	p.fill(&t.Buffers)
	return t
}

// fill sets the fields that have the names of arrays.
func (p *Parts) fill(parts any) {
	fields := reflect.ValueOf(parts).Elem()
	for name, b := range p.Buffers {
		if f := fields.FieldByName(name); f.IsValid() {
			f.Set(reflect.ValueOf(b))
		}
	}
}

// inParts compiles the shaders, and returns what calls the function on a case with its parts.
func (t *HostTask) inParts(device *gpu.Device, sources []string) (func(Case, LearnersFunction, bool) (attempt, error), error) {
	pipelines := map[string]*gpu.Pipeline{}
	for i, id := range t.Work.Shaders {
		var err error
		if pipelines[id], err = device.Compile(id, sources[i]); err != nil {
			return nil, err
		}
	}
	return func(c Case, function LearnersFunction, _ bool) (attempt, error) {
		p, err := t.partsOf(device, pipelines, c)
		if err != nil {
			return attempt{}, err
		}
		wrong := p.call(function)
		if wrong != nil && wrong.Slug == verdict.Stub {
			wrong.Ask = "The task: " + t.Exercise.Task
		}
		return attempt{worst: p.worst, wrong: wrong}, nil
	}, nil
}

// partsOf uploads the arrays of a case.
func (t *HostTask) partsOf(device *gpu.Device, pipelines map[string]*gpu.Pipeline, c Case) (*Parts, error) {
	p := &Parts{Device: device, Pipelines: pipelines, Buffers: map[string]*gpu.Buffer{}, Case: c, work: t.Work, before: memoryOf(c.HostCase)}
	for name, array := range c.Arrays {
		content := c.Batch(name, 0)
		if array.Made {
			content = course.Unwritten(content.Len())
		}
		var err error
		if p.Buffers[name], err = gpu.UploadContent(device, content); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// looped reports whether the function asks for each step's batch.
func (p *Parts) looped() bool { return p.work.Steps != nil }

// call calls the learner's function, and returns the first mistake, or nil.
func (p *Parts) call(function LearnersFunction) *explanation {
	if !p.looped() {
		p.Next()
	}
	p.Device.Watch(func(passes []gpu.Pass) { p.submitted = append(p.submitted, passes...) })
	p.Case.Parts = p
	_, err := function(p.Case, func(string) {})
	p.Device.Watch(nil)
	var known *verdict.DiagnosedError
	if errors.As(err, &known) { // the function may still run: nothing else of the parts is read
		return &explanation{Diagnosis: known.Diagnosis}
	}
	if p.wrong == nil && p.failed == nil {
		p.wrong = p.ended(err)
	}
	if p.failed != nil {
		return &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageRun, Message: english.Sentence(p.failed.Error())}}
	}
	return p.wrong
}

// ended returns the first mistake at the function's end, or nil.
func (p *Parts) ended(returned error) *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare}}
	switch {
	case returned != nil:
		d.Message = english.Sentence(p.work.Function + " returned an error: " + returned.Error())
		return d
	case p.steps == 0:
		d.Slug, d.Message = verdict.Stub, fmt.Sprintf("Nothing is written yet: %s asked for no batch.", p.work.Function)
		return d
	case p.steps > p.Case.Steps: // Next has returned false
		return nil
	}
	p.judge()
	if p.wrong != nil || p.failed != nil || !p.looped() {
		return p.wrong
	}
	d.Slug, d.Message = "stopped-early", fmt.Sprintf("%s took %d of %d batches.", p.work.Function, p.steps, p.Case.Steps)
	d.Why = "Next brings one batch for each call. Training goes on until there is none left."
	d.Ask = "Which statement of Go repeats while a condition holds?"
	return d
}

// Next judges the step so far, and uploads the next batch. It returns false after the last one.
func (p *Parts) Next() bool {
	if p.steps > 0 && p.steps <= p.Case.Steps {
		p.judge()
	}
	if p.steps++; p.wrong != nil || p.failed != nil || p.steps > p.Case.Steps {
		return false
	}
	p.before.step(p.Case.HostCase, p.steps-1)
	for name, array := range p.Case.Arrays {
		if array.Batches {
			p.failed = errors.Join(p.failed, p.Buffers[name].WriteAt(p.Case.Batch(name, p.steps-1).Bytes, 0))
		}
	}
	p.submitted, p.counts = nil, p.Device.Counts()
	return p.failed == nil
}

// judge compares what a step has left with what it should be, and keeps the first mistake.
func (p *Parts) judge() {
	p.failed = p.Device.Wait()
	counts := p.Device.Counts()
	p.got = map[string][]float32{}
	for _, r := range p.work.Results {
		for _, name := range r.Arrays {
			values, err := gpu.Read[float32](p.Buffers[name])
			p.got[name], p.failed = values, errors.Join(p.failed, err)
		}
	}
	if p.failed != nil {
		return
	}
	want := p.after(course.HostMistake{})
	p.wrong = p.diagnose(want, counts.Submissions-p.counts.Submissions, counts.Readbacks-p.counts.Readbacks)
	for _, name := range p.work.Result {
		p.worst = max(p.worst, course.Compare(p.got[name], narrow(want[name]), course.Tolerance{}).MaxAbs)
		p.before[name] = network.ValueMatrix{Columns: want[name].Columns, Values: numbersIn(shader.FloatBuffer(p.got[name]))}
	}
}

// after returns what a step with a mistake leaves.
func (p *Parts) after(mistake course.HostMistake) memory {
	m := memory{}
	for name, array := range p.before {
		m[name] = network.ValueMatrix{Columns: array.Columns, Values: slices.Clone(array.Values)}
	}
	m.run(p.work, passesOf(p.work, mistake))
	return m
}

func narrow(m network.ValueMatrix) []float32 {
	values := make([]float32, len(m.Values))
	for i, v := range m.Values {
		values[i] = float32(v)
	}
	return values
}

func (p *Parts) alike(got, want []float32) bool {
	return course.Compare(got, want, course.Tolerance{Absolute: p.work.Tolerance.Absolute, Relative: p.work.Tolerance.Relative}).Wrong == 0
}

// holds reports whether all arrays of a result hold what a memory has.
func (p *Parts) holds(r course.HostResult, want memory) bool {
	return !slices.ContainsFunc(r.Arrays, func(name string) bool { return !p.alike(p.got[name], narrow(want[name])) })
}

// diagnose returns the first mistake that it finds in a step, or nil.
func (p *Parts) diagnose(want memory, submissions, readbacks int) *explanation {
	switch {
	case submissions == 0:
		return told(p.work.Idle)
	case readbacks > 0:
		return told(p.work.Readback.With("{count}", english.Count(readbacks, "time", "times")))
	case submissions > 1:
		return told(p.work.Many.With("{count}", fmt.Sprint(submissions)))
	}
	for _, r := range p.work.Results {
		if !p.holds(r, want) {
			return p.explain(r, want)
		}
	}
	return nil
}

func told(m course.HostMistake) *explanation {
	return &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: m.Slug, Message: m.Words.Message, Why: m.Words.Why, Ask: m.Words.Ask}}
}

// explain returns the diagnosis of a wrong result.
func (p *Parts) explain(r course.HostResult, want memory) *explanation {
	ran := func(number int) bool { return number > 0 && p.in(p.due(p.work.Passes[number-1])) != nil }
	unwritten := slices.ContainsFunc(r.Arrays, func(name string) bool {
		x := p.got[name]
		return math.IsNaN(float64(x[0])) && math.IsNaN(float64(x[len(x)-1]))
	})
	for _, m := range r.Mistakes {
		if !ran(m.Absent) && m.Ran == 0 && p.holds(r, p.after(m)) {
			return told(m)
		}
	}
	if unwritten && !ran(r.Missing.Absent) {
		return told(r.Missing)
	}
	var due []duePass
	for _, pass := range p.work.Passes {
		if slices.Contains(r.Arrays, pass.Arguments[len(pass.Arguments)-1]) {
			due = append(due, p.due(pass))
		}
	}
	for _, pass := range due {
		if d := p.otherBuffer(pass); d != nil {
			return d
		}
	}
	inRows := slices.ContainsFunc(due, func(d duePass) bool { return d.aRow })
	for _, pass := range due {
		if d := p.tooShort(pass, want, inRows); d != nil {
			return d
		}
	}
	for _, m := range r.Mistakes {
		if ran(m.Ran) && p.holds(r, p.after(m)) {
			return told(m)
		}
	}
	return told(r.Wrong)
}

// A duePass is one of the passes that are due. Its last buffer is the one that it writes.
type duePass struct {
	course.HostPass
	name          string // as a verdict names it
	pipeline      *gpu.Pipeline
	buffers       []string // names of arrays; "" for a uniform that the function doesn't name
	columns, rows int      // what the workgroups have to cover
	aRow          bool     // a workgroup covers a whole row
}

// due returns a pass that is due.
func (p *Parts) due(pass course.HostPass) duePass {
	k, b := kernels[pass.Shader], p.before.arguments(p.work, pass)
	d := duePass{HostPass: pass, name: "your pass of `" + pass.Shader + "`", pipeline: p.Pipelines[pass.Shader], buffers: pass.Arguments[k.numbers:]}
	if k.uniform && p.work.Array(d.buffers[0]).Members == nil {
		d.buffers = append([]string{""}, d.buffers...)
	}
	for _, other := range p.work.Passes {
		if other.Shader == pass.Shader && !slices.Equal(other.Arguments, pass.Arguments) {
			d.name = fmt.Sprintf("the pass of `%s` that writes %s", pass.Shader, d.last())
		}
	}
	want := k.due(b)
	d.columns, d.rows, d.aRow = int(want.Elements[0]), max(int(want.Elements[1]), 1), want.Rows > 0
	if d.aRow {
		d.columns, d.rows = b[len(b)-1].Columns, int(want.Rows)
	}
	return d
}

func (d duePass) last() string { return d.Arguments[len(d.Arguments)-1] }

// in returns the submitted pass that writes what the due one writes, or nil.
func (p *Parts) in(d duePass) *gpu.Pass {
	for i, pass := range p.submitted {
		given := pass.Buffers()
		if pass.Pipeline() == d.pipeline && len(given) == len(d.buffers) && given[len(given)-1] == p.Buffers[d.last()] {
			return &p.submitted[i]
		}
	}
	return nil
}

// nameOf returns the name of a buffer, or "".
func (p *Parts) nameOf(b *gpu.Buffer) string {
	for name, other := range p.Buffers {
		if other == b {
			return name
		}
	}
	return ""
}

// otherBuffer returns the diagnosis of a pass that binds another buffer than the due one, or nil.
func (p *Parts) otherBuffer(d duePass) *explanation {
	pass := p.in(d)
	if pass == nil {
		return nil
	}
	e, err := course.Find(d.Shader)
	for i, given := range pass.Buffers() {
		name := p.nameOf(given)
		if err != nil || name == "" || name == d.buffers[i] {
			continue
		}
		role := e.Bindings[i].Name
		return &explanation{Diagnosis: verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: "other-buffer", Message: fmt.Sprintf("%s gets %s as its `%s`.", english.Capital(d.name), name, role),
			Why: "A pass takes its buffers in the order of the shader's bindings.",
			Ask: fmt.Sprintf("What does this layer need as its `%s`?", role),
		}}
	}
	return nil
}

// tooShort returns the diagnosis of a pass with too few workgroups, or nil: all wrong values are
// outside of what it covers. A later pass in rows spreads what was never written.
func (p *Parts) tooShort(d duePass, want memory, inRows bool) *explanation {
	pass := p.in(d)
	if pass == nil {
		return nil
	}
	groups, size := pass.Workgroups(), pass.Pipeline().WorkgroupSize()
	columns, rows := int(groups[0]*size[0]), int(groups[1]*size[1])
	if d.aRow {
		columns, rows = d.columns, int(groups[0])
	}
	if columns >= d.columns && rows >= d.rows {
		return nil
	}
	due := narrow(want[d.last()])
	for i, value := range p.got[d.last()] {
		row, column := i/d.columns, i%d.columns
		spread := inRows && !d.aRow && math.IsNaN(float64(value))
		if row < rows && column < columns && !spread && !p.alike([]float32{value}, due[i:i+1]) {
			return nil
		}
	}
	return p.short(d, groups, size, columns, rows)
}

// short says how much a pass covers, and of what.
func (p *Parts) short(d duePass, groups, size [3]uint32, columns, rows int) *explanation {
	said := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "dispatch-short", Ask: "How many workgroups does it take, if the division leaves a remainder?"}}
	has := fmt.Sprintf("%s has %s", english.Capital(d.name), english.Count(int(groups[0]), "workgroup", "workgroups"))
	inTwo := fmt.Sprintf("%s × %d in x and y, of %d × %d invocations", has, groups[1], size[0], size[1])
	switch {
	case d.aRow:
		said.Message = fmt.Sprintf("%s, and %s has %s.", has, d.last(), english.Count(d.rows, "row", "rows"))
		said.Why, said.Ask = fmt.Sprintf("`%s` has one workgroup for each row.", d.Shader), "Which number of Layers says how many rows there are?"
	case d.rows == 1 && d.Shader == "relu":
		said.Message = fmt.Sprintf("%s of %d: that covers the first %s of %s's %s values.", has, size[0], english.Thousands(columns), d.last(), english.Thousands(d.columns))
		said.Why = "Each invocation changes one value, and the others stay as `linear` left them."
		said.Ask = fmt.Sprintf("How many values does %s have for these Rows?", d.last())
	case columns < d.columns:
		said.Message = fmt.Sprintf("%s: that covers %d of %d columns.", inTwo, columns, d.columns)
	default:
		said.Message = fmt.Sprintf("%s: that covers %d of %s.", inTwo, rows, english.Count(d.rows, "row", "rows"))
	}
	return said
}
