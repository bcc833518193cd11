// Package judge checks one shader against one exercise and, if it is wrong, finds out why.
// It reaches engines only through the interfaces in package shader: it needs no cgo, display
// or files, and compiles for the browser.
package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FreshSeed draws a seed for a check. It is below 2^32: short enough to type, and exact for
// JSON readers that know only float64.
func FreshSeed() uint64 { return uint64(rand.Uint32()) }

// Run checks source against an exercise with the cases drawn from seed. A wrong shader gets a
// Verdict too. An error means that the check failed, for example because the context ended; then
// there is no Verdict.
func Run(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64) (*verdict.Verdict, error) {
	r, v, err := begin(ctx, on, exercise, source, seed)
	defer r.free()
	return v, err
}

// begin runs a check, and keeps what Explain needs. The caller frees it.
func begin(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64) (*run, *verdict.Verdict, error) {
	started := time.Now()
	v := &verdict.Verdict{
		Exercise: exercise.ID, Seed: seed,
		ShaderSHA256: verdict.Digest(source.File()), Above: source.Above(), Cases: []verdict.CaseResult{}, Findings: []findings.Finding{}, Places: []verdict.Place{},
	}
	r := &run{values: on.Values, watcher: on.Watcher, seed: seed, facts: about(exercise, source)}
	d, err := r.check(ctx)
	if err != nil {
		return r, nil, err
	}
	v.Adapter, v.Remark = r.values.Adapter().String(), r.remark
	for _, o := range r.outcomes {
		if d != nil && d.Stage == verdict.StageCompile {
			break // the run was only for the watcher
		}
		if !o.extra || !r.right(o) {
			v.Cases = append(v.Cases, r.caseResult(o))
		}
	}
	switch {
	case d == nil:
		v.Pass(strings.TrimSpace(fmt.Sprintf("Right in all %d cases. %s", len(v.Cases), r.overwork())))
	case d.Slug == verdict.Unnamed:
		v.Fail(*d) // everything else would say where the bug is
	default:
		v.Fail(*d)
		r.showCase(d.Mismatch)
		r.noteKept(ctx)
		v.Findings = r.findings()
		v.Origin = r.origin(ctx)
		if d.Stage != verdict.StageCompile && d.Stage != verdict.StageBind {
			v.Wrong = r.wrongElement(v.Origin)
		}
		r.place(v)
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return r, v, nil
}

// showCase makes the case that a diagnosis shows the one that everything else is about.
func (r *run) showCase(shown *verdict.Mismatch) {
	for i := range r.outcomes {
		if shown != nil && r.outcomes[i].Name == shown.Case {
			r.wrong, r.mismatch = &r.outcomes[i], shown
		}
	}
}

// run is a check in progress.
type run struct {
	values, watcher shader.Backend
	watched         shader.Program // nil if the watcher cannot run the shader
	unwatched       error          // why it cannot run the shader, or stopped
	remark          string         // why the watcher computes the values; "" if it does not do so in another engine's place
	seed            uint64
	displaced       bool // an invocation of a later workgroup wrote another element than it should
	facts
	breather
}

// facts holds what is known about a shader. The rules read it.
type facts struct {
	exercise *course.Exercise
	source   *shader.Source
	shader   *wgsl.Shader
	module   *wgsl.Module      // the shader's declarations
	entry    *types.EntryPoint // the shader's main
	size     [3]uint32         // workgroup size
	outcomes []outcome
	stuck    *findings.Finding // the loop that the shader did not leave under the watcher, or nil

	misconceptions []*course.Misconception
	leaves         func(*course.Misconception, course.Case) (*shader.Result, error) // see leaving
	busiest        func(course.Case) *findings.Finding                              // see busiestIn

	wrong    *outcome          // the first case with a wrong value, or nil
	mismatch *verdict.Mismatch // the first wrong element of that case, or nil
}

// about returns what is known at first: the shader, started at the exercise's entry point.
func about(e *course.Exercise, source *shader.Source) facts {
	return facts{exercise: e, source: source.At(e.Entry)}
}

// outcome is the result of one case.
type outcome struct {
	course.Case
	extra     bool           // the case is not one of the exercise's own
	left                     // in the output that the verdict is about
	also      []left         // in the other outputs, as in Exercise.Also
	seen      *shader.Result // by the watcher; nil if it did not watch
	reference uint64         // the steps of the reference
}

// left is what a case left in one output, and what it should have left.
type left struct {
	want, got  course.Buffer
	allowed    tensor.Tolerance // how far got may be from want
	difference tensor.Difference
}

// all returns what the case left in each output.
func (o *outcome) all() []left { return append([]left{o.left}, o.also...) }

// wrong counts the wrong elements of all outputs.
func (o *outcome) wrong() (n int) {
	for _, l := range o.all() {
		n += l.difference.Wrong
	}
	return n
}

// receive compares what a run left with what the reference does.
func (o *outcome) receive(result shader.Result, x *Expectation) {
	o.reference, o.also = x.Steps, nil
	o.left = received(result.Left, x.Right)
	for i, l := range result.Also {
		o.also = append(o.also, received(l, x.Also[i]))
	}
}

func received(l shader.Left, x Right) left {
	return left{want: x.Output, got: l.Output, allowed: x.Allowed, difference: compare(l.Output, x.Output, x.Allowed)}
}

// turn puts Also[i] in the place of the output.
func (o *outcome) turn(i int) {
	o.left, o.also[i] = o.also[i], o.left
	if o.seen != nil {
		seen := *o.seen
		seen.Also = slices.Clone(seen.Also)
		seen.Left, seen.Also[i] = seen.Also[i], seen.Left
		o.seen = &seen
	}
}

// right reports whether a case has the right values and no mistake was seen in it.
func (f *facts) right(o outcome) bool { return o.wrong() == 0 && len(f.mistakes(o)) == 0 }

// check takes the shader through all stages. It returns nil if the shader passes.
func (r *run) check(ctx context.Context) (*verdict.Diagnosis, error) {
	if d := unusable(r.source.File()); d != nil {
		return d, nil
	}
	if mistake := r.source.Mistake(); mistake != nil {
		return r.mistaken(ctx, mistake), nil
	}
	program, err := r.compile(ctx)
	if err != nil {
		return r.refused(verdict.StageCompile, err)
	}
	defer program.Free()
	if err := r.read(); err != nil {
		return nil, err
	}
	err = r.runCases(ctx, program)
	switch {
	case r.endless():
		r.outcomes = nil // the engine's progress so far is luck
		return r.neverEnds(), nil
	case err != nil:
		return r.refused(verdict.StageRun, err)
	}
	return r.judge(ctx)
}

// compile compiles the shader for its values. If WGSL allows the shader and only this engine's
// compiler refuses it, the learner did nothing wrong: the watcher computes the values instead.
func (r *run) compile(ctx context.Context) (shader.Program, error) {
	program, err := r.exercise.Compile(ctx, r.values, r.source)
	if r.values == r.watcher || !shader.RefusedOnly(err) {
		return program, err
	}
	instead, unable := r.exercise.Compile(ctx, r.watcher, r.source)
	if unable != nil {
		return nil, err
	}
	var refused *shader.CompileError
	errors.As(err, &refused)
	r.remark = behind(refused, r.values.Adapter())
	r.values = r.watcher
	return instead, nil
}

// mistaken returns the diagnosis of a shader that the front end rejects. If the only mistake is a
// barrier in non-uniform control flow, the watcher can still run the shader and show what would
// happen.
func (r *run) mistaken(ctx context.Context, mistake *shader.CompileError) *verdict.Diagnosis {
	d := r.notCompiled(mistake)
	if r.source.Unrunnable() != nil || r.read() != nil {
		return d
	}
	cases := r.exercise.Draw(r.seed)
	for i, result := range r.watch(ctx, cases) {
		r.outcomes = append(r.outcomes, outcome{Case: cases[i], seen: result, left: left{difference: tensor.Difference{First: -1}}})
	}
	if told := divergent(&r.facts); told != nil {
		told.Stage, told.Try = d.Stage, cmp.Or(told.Try, d.Try)
		d = told
	}
	return d
}

// runCases runs all cases, and the small ones on the watcher at the same time. If one engine does
// both, it does not run the watched cases again. When the watcher sees that a shader never ends,
// it cancels the run, so no one waits for the deadline.
func (r *run) runCases(ctx context.Context, program shader.Program) error {
	cases := r.exercise.Draw(r.seed)
	drawn := len(cases)
	if r.across(cases) < 0 {
		if c, ok := r.exercise.DrawPast(r.seed, r.size); ok {
			cases = append(cases, c)
		}
	}
	alone := r.values == r.watcher
	needed, stop := context.WithCancel(ctx)
	defer stop()
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	seen := make(chan []*shader.Result, 1)
	watch := func() {
		results := r.watch(needed, cases)
		if r.endless() {
			end(shader.ErrNeverEnds)
		}
		seen <- results
	}
	expected := r.expectAll(needed, cases)
	var known []*shader.Result
	if alone {
		watch()
		known = <-seen
	} else {
		go watch()
	}
	var failed error
	for i, c := range cases {
		o := outcome{Case: c, extra: i >= drawn}
		var result shader.Result
		if alone && known[i] != nil && unfinished(known[i]) == nil {
			result = *known[i]
		} else if result, failed = program.Run(running, r.dispatch(c)); failed != nil {
			break
		}
		x := <-expected
		if failed = x.err; failed != nil {
			break
		}
		o.receive(result, x.Expectation)
		r.outcomes = append(r.outcomes, o)
	}
	var late *shader.DeadlineError
	if failed != nil && !errors.As(failed, &late) {
		stop() // neither the watcher's results nor further right outputs are needed
	}
	if !alone {
		known = <-seen
	}
	for i := range r.outcomes {
		r.outcomes[i].seen = known[i]
	}
	return failed
}

// unusable diagnoses a file that is empty or far too large for a shader.
func unusable(text string) *verdict.Diagnosis {
	switch {
	case len(text) > shader.MaxSource:
		return &verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "too-large", Message: fmt.Sprintf("The file is larger than %d KiB. Shaders in this course have two or three.", shader.MaxSource>>10)}
	case strings.TrimSpace(text) == "":
		return &verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "empty", Message: "The file is empty.", Ask: "Did you run the cell with your shader?"}
	}
	return nil
}

// read reads the declarations of a shader that has compiled.
func (r *run) read() error {
	var err error
	if r.module, err = r.source.Module(); err != nil {
		return fmt.Errorf("reading the declarations of %s: %w", r.source.Name, err)
	}
	entry, _ := r.module.Entry(r.source.EntryPoint())
	r.shader, r.size = r.source.Shader(), entry.WorkgroupSize
	r.entry = r.shader.Entry(r.source.EntryPoint())
	return nil
}

func (r *run) dispatch(c course.Case) shader.Dispatch {
	d, _ := r.exercise.Dispatched(c, r.source) // read has found no error
	return d
}

func (r *run) free() {
	if r.watched != nil {
		r.watched.Free()
	}
}

func (f *facts) workgroups(c course.Case) [3]uint32 {
	return f.exercise.Dispatch.Workgroups(c.Extent, f.size)
}

func compare(got, want course.Buffer, tolerance tensor.Tolerance) tensor.Difference {
	switch want.Element {
	case shader.U32:
		return tensor.Compare(got.Uints(), want.Uints(), tolerance)
	case shader.I32:
		return tensor.Compare(got.Ints(), want.Ints(), tolerance)
	}
	return tensor.Compare(got.Floats(), want.Floats(), tolerance)
}

func (f *facts) caseResult(o outcome) verdict.CaseResult {
	c := verdict.CaseResult{Name: o.Name, Pass: f.right(o)}
	outputs := f.exercise.Outputs()
	for k, l := range o.all() {
		c.MaxAbsErr = max(c.MaxAbsErr, verdict.Number(l.difference.MaxAbs))
		if i := l.difference.First; i >= 0 && c.FirstMismatch == nil {
			index, component := f.exercise.Bindings[outputs[k]].Place(i)
			c.FirstMismatch = &verdict.Element{Index: index, Component: component, Want: verdict.Number(l.want.At(i)), Got: verdict.Number(l.got.At(i))}
			if len(outputs) > 1 {
				c.FirstMismatch.Output = f.exercise.Bindings[outputs[k]].Name
			}
		}
	}
	return c
}
