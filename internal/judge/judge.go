// Package judge runs one shader against one exercise and says whether it is
// right; where it is not, it says why, as far as anybody can know. It knows any
// engine by the contract in package shader alone: no cgo, no display, no files.
package judge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FreshSeed draws the seed of a check. It stays below 2^32, so that it can be
// typed and survives a JSON reader that knows only float64.
func FreshSeed() uint64 { return uint64(rand.Uint32()) }

// Run checks source, in the file name, against an exercise, with the cases that
// seed draws. A wrong shader is a Verdict; an error means that nothing could be
// judged, as when the context has ended.
func Run(ctx context.Context, on shader.Engines, exercise *lesson.Exercise, name, source string, seed uint64) (*verdict.Verdict, error) {
	started := time.Now()
	v := &verdict.Verdict{
		Exercise: exercise.ID, Adapter: on.Values.Adapter().String(), Seed: seed,
		ShaderSHA256: verdict.Digest(source), Cases: []verdict.CaseResult{}, Findings: []verdict.Finding{},
	}
	r := &run{values: on.Values, watcher: on.Watcher, seed: seed, facts: facts{exercise: exercise}}
	d, err := r.check(ctx, name, source)
	defer r.free()
	for _, o := range r.outcomes {
		if d != nil && d.Stage == verdict.StageCompile {
			break // it was run only to be watched
		}
		if !o.extra || !r.right(o) {
			v.Cases = append(v.Cases, r.caseResult(o))
		}
	}
	if d == nil {
		v.Pass(fmt.Sprintf("Right in all %d cases.", len(v.Cases)))
	} else {
		v.Fail(*d)
		v.Findings = r.findings()
		v.Origin = r.origin(ctx)
		if d.Stage != verdict.StageCompile && d.Stage != verdict.StageBind {
			v.Wrong = r.wrongElement(v.Origin)
		}
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return v, err
}

// run is one check under way.
type run struct {
	values, watcher shader.Backend
	watched         shader.Program // nil where the watcher cannot run the shader
	unwatched       error          // why it cannot, or did not go on
	seed            uint64
	facts
}

// facts are what is known of a shader. Each rule looks at them.
type facts struct {
	exercise *lesson.Exercise
	source   *shader.Source
	shader   *wgsl.Shader
	module   *wgsl.Module      // what the shader declares
	entry    *types.EntryPoint // its main
	size     [3]uint32         // of a workgroup
	outcomes []outcome
	stuck    *shader.Finding // the loop that a shader did not leave while it was watched; nil for none

	wrong    *outcome          // the first case with a wrong value; nil when all are right
	mismatch *verdict.Mismatch // its first wrong element; nil when there is none
}

// outcome is what one case came to.
type outcome struct {
	lesson.Case
	extra      bool // the case is none of the exercise's own
	want, got  lesson.Buffer
	difference tensor.Difference
	seen       *shader.Result // by the watcher; nil where it did not watch
}

// right says whether a case came out as it should and nothing that is wrong was
// seen in it.
func (f *facts) right(o outcome) bool { return o.difference.Wrong == 0 && len(f.mistakes(o)) == 0 }

// check is the way of a shader: nil when it came to the end of it.
func (r *run) check(ctx context.Context, name, text string) (*verdict.Diagnosis, error) {
	if d := unusable(text); d != nil {
		return d, nil
	}
	r.source = shader.Read(name, text)
	if mistake := r.source.Mistake(); mistake != nil {
		return r.mistaken(ctx, mistake), nil
	}
	program, err := r.values.Compile(ctx, r.source)
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
		r.outcomes = nil // how far the engine had come by then is luck
		return r.neverEnds(), nil
	case err != nil:
		return r.refused(verdict.StageRun, err)
	}
	return r.judge(), nil
}

// mistaken: the front end refuses the shader. One that breaks the rule of barriers
// alone can run where somebody watches, who shows what would become of it.
func (r *run) mistaken(ctx context.Context, mistake *shader.CompileError) *verdict.Diagnosis {
	d := notCompiled(mistake)
	if r.source.Unrunnable() != nil || r.read() != nil {
		return d
	}
	cases := r.exercise.Draw(r.seed)
	for i, result := range r.watch(ctx, cases) {
		r.outcomes = append(r.outcomes, outcome{Case: cases[i], seen: result, difference: tensor.Difference{First: -1}})
	}
	if told := divergent(&r.facts); told != nil {
		told.Stage, told.Try = d.Stage, d.Try
		d = told
	}
	return d
}

// runCases runs the cases, and beside them the small ones once more where somebody
// watches. With one engine for both, what was watched is not run again. Who watches a
// shader that never ends says so, and nobody waits for the deadline.
func (r *run) runCases(ctx context.Context, program shader.Program) error {
	cases := r.exercise.Draw(r.seed)
	drawn := len(cases)
	if r.across(cases) < 0 {
		if c, ok := r.exercise.DrawPast(r.seed, r.size); ok {
			cases = append(cases, c)
		}
	}
	alone := r.values == r.watcher
	watching, stop := context.WithCancel(ctx)
	defer stop()
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	seen := make(chan []*shader.Result, 1)
	watch := func() {
		results := r.watch(watching, cases)
		if r.endless() {
			end(shader.ErrNeverEnds)
		}
		seen <- results
	}
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
		if alone && known[i] != nil && unfinished(known[i]) == nil {
			o.got = known[i].Output
		} else if result, err := program.Run(running, r.dispatch(c)); err == nil {
			o.got = result.Output
		} else {
			failed = err
			break
		}
		o.want = r.exercise.Reference(c)
		o.difference = compare(o.got, o.want, r.exercise.Allowed(c))
		r.outcomes = append(r.outcomes, o)
	}
	var late *shader.DeadlineError
	if failed != nil && !errors.As(failed, &late) {
		stop() // nobody asks what it saw
	}
	if !alone {
		known = <-seen
	}
	for i := range r.outcomes {
		r.outcomes[i].seen = known[i]
	}
	return failed
}

// unusable: a file that is no shader at all, or far too large for one.
func unusable(text string) *verdict.Diagnosis {
	switch {
	case len(text) > shader.MaxSource:
		return &verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "too-large", Message: fmt.Sprintf("The file is larger than %d KiB; a shader of this course has two or three.", shader.MaxSource>>10)}
	case strings.TrimSpace(text) == "":
		return &verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "empty", Message: "The file is empty.", Ask: "Did the cell with the shader run, and was it saved?"}
	}
	return nil
}

// read reads what the shader declares; it has compiled.
func (r *run) read() error {
	var err error
	if r.module, err = r.source.Module(); err != nil {
		return fmt.Errorf("reading the declarations of %s: %w", r.source.Name, err)
	}
	entry, _ := r.module.Entry(shader.EntryPoint)
	r.shader, r.size = r.source.Shader(), entry.WorkgroupSize
	r.entry = r.shader.Entry(shader.EntryPoint)
	return nil
}

func (r *run) dispatch(c lesson.Case) shader.Dispatch {
	return shader.Dispatch{Workgroups: r.workgroups(c), Buffers: c.Buffers, Output: r.exercise.Output}
}

func (r *run) free() {
	if r.watched != nil {
		r.watched.Free()
	}
}

func (f *facts) workgroups(c lesson.Case) [3]uint32 {
	return f.exercise.Dispatch.Workgroups(c.Extent, f.size)
}

func compare(got, want lesson.Buffer, tolerance tensor.Tolerance) tensor.Difference {
	if want.Element == shader.U32 {
		return tensor.Compare(got.Uints(), want.Uints(), tolerance)
	}
	return tensor.Compare(got.Floats(), want.Floats(), tolerance)
}

func (f *facts) caseResult(o outcome) verdict.CaseResult {
	c := verdict.CaseResult{Name: o.Name, Pass: f.right(o), MaxAbsErr: verdict.Number(o.difference.MaxAbs)}
	if i := o.difference.First; i >= 0 {
		c.FirstMismatch = &verdict.Element{Index: i, Want: verdict.Number(o.want.At(i)), Got: verdict.Number(o.got.At(i))}
	}
	return c
}
