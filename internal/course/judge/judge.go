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
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/reasons"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// FreshSeed draws a seed for a check. It is below 2^32: short enough to type, and exact for
// JSON readers that know only float64.
func FreshSeed() uint64 { return uint64(rand.Uint32()) }

// Run checks source against an exercise with the cases drawn from seed. A wrong shader gets a
// Verdict too. An error means that the check failed, for example because the context ended; then
// there is no Verdict.
func Run(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64) (*verdict.Verdict, error) {
	return RunOn(ctx, on, exercise, source, seed, exercise.Draw(seed))
}

// RunOn works like Run, on the cases that seed draws: the caller has drawn them.
func RunOn(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64, cases []course.Case) (*verdict.Verdict, error) {
	r, v, err := begin(ctx, on, exercise, source, seed, cases)
	defer r.free()
	return v, err
}

// Explain works like Run, and then finds out why a wrong shader is wrong and where. It passes the
// verdict to soon before it begins, and then completes the verdict's Reasons and Places. When the
// context ends after that, the verdict stands without reasons.
func Explain(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64, soon func(*verdict.Verdict)) (*verdict.Verdict, error) {
	r, v, err := begin(ctx, on, exercise, source, seed, exercise.Draw(seed))
	defer r.free()
	if err != nil {
		return nil, err
	}
	if soon != nil {
		soon(v)
	}
	if !v.Passed() && !v.ItsOwnReason() && exercise.Break == nil {
		r.search(v, func(in *reasons.Input, told *verdict.Verdict) { in.Explain(ctx, told) })
	} else if v.Slug == verdict.OtherSubgroups {
		r.search(v, func(in *reasons.Input, told *verdict.Verdict) { in.Mend(ctx, told) })
	}
	return v, nil
}

// search lets a search add to the verdict. If it fails, the verdict stays as it was, and says so.
func (r *run) search(v *verdict.Verdict, search func(*reasons.Input, *verdict.Verdict)) {
	told := *v
	if v.Fault = fence.Around(func() { search(r.input(), &told) }); v.Fault == "" {
		*v = told
	}
}

// input returns all that the reasons are found from.
func (r *run) input() *reasons.Input {
	origin, _ := r.watched.(shader.Explainer)
	return &reasons.Input{Facts: r.Facts, Origin: origin, Passes: r.passes}
}

// passes reports whether an edited shader passes the check in the simulator. It may have lines of
// its own: an edit can insert a statement beside another one.
func (r *run) passes(ctx context.Context, edited *shader.Source) bool {
	exercise := *r.Exercise
	if exercise.Kind == course.Order {
		exercise.Kind = course.Write
	}
	again := &run{values: exact, watcher: exact, seed: r.seed, cases: r.cases, facts: facts{Facts: evidence.Facts{Exercise: &exercise, Source: edited}}}
	defer again.free()
	d, err := again.diagnose(ctx)
	return d == nil && err == nil
}

// begin runs a check, and keeps what Explain needs. The caller frees it.
func begin(ctx context.Context, on shader.Engines, exercise *course.Exercise, source *shader.Source, seed uint64, cases []course.Case) (*run, *verdict.Verdict, error) {
	started := time.Now()
	v := &verdict.Verdict{
		Exercise: exercise.ID, Seed: seed,
		ShaderSHA256: verdict.Digest(source.File()), Above: source.Above(), Cases: []verdict.CaseResult{}, Findings: []findings.Finding{}, Places: []verdict.Place{},
	}
	r := &run{values: on.Values, watcher: on.Watcher, seed: seed, cases: cases, facts: facts{Facts: evidence.About(exercise, source)}}
	d, err := r.diagnose(ctx)
	if err != nil {
		return r, nil, err
	}
	v.Adapter, v.Remark, v.Late, v.Found = r.values.Adapter().String(), r.remark, r.late, r.bugFound()
	v.Note = r.note
	for _, o := range r.Outcomes {
		if d != nil && d.Stage == verdict.StageCompile {
			break // the run was only for the watcher
		}
		if !o.Extra || !r.Right(o) {
			v.Cases = append(v.Cases, r.caseResult(o))
		}
	}
	if r.written != "" {
		v.Cases = append(v.Cases, verdict.CaseResult{Name: r.written, Pass: d == nil})
	}
	switch {
	case d == nil && r.broken != "":
		v.Pass(r.broken)
	case d == nil:
		v.Pass(fmt.Sprintf("Right in all %d cases%s.", len(v.Cases), r.sizes()))
	default:
		v.Fail(*d)
		if v.ItsOwnReason() || exercise.Break != nil {
			break // everything else would say where the bug is, or is about a shader
		}
		r.showCase(d.Mismatch)
		r.NoteKept(ctx)
		v.Findings = r.findings()
		r.search(v, func(in *reasons.Input, told *verdict.Verdict) { in.Locate(ctx, told) })
		v.Fault = cmp.Or(r.fault, v.Fault)
	}
	v.Milliseconds = float64(time.Since(started).Microseconds()) / 1000
	return r, v, nil
}

// showCase makes the case that a diagnosis shows the one that everything else is about.
func (r *run) showCase(shown *verdict.Mismatch) {
	for i := range r.Outcomes {
		if shown != nil && r.Outcomes[i].Name == shown.Case {
			r.Wrong, r.Mismatch = &r.Outcomes[i], shown
		}
	}
}

// run is a check in progress.
type run struct {
	values, watcher shader.Backend
	watched         shader.Program   // nil if the watcher cannot run the shader
	inTurns         []*shader.Result // of the watched cases, with invocations side by side; nil elsewhere
	unwatched       error            // why it cannot run the shader, or stopped
	remark          string           // why the watcher computes the values; "" if it does not do so in another engine's place
	note            string           // on a test that passes
	late            bool             // the engine missed its deadline, and the watcher computes the values
	seed            uint64
	cases           []course.Case // that the seed draws
	written         string        // the name of the case that the learner wrote; "" in other exercises
	broken          string        // what that case broke
	clean           bool          // no rule found a mistake
	divided         bool          // the watcher divides workgroups into subgroups of another size than usual
	facts
}

// exact is the simulator of edited shaders, wherever the learner's runs.
var exact shader.Backend = simulator.New(simulator.Options{})

// facts holds what is known about a shader. The rules read it.
type facts struct {
	evidence.Facts
	stuck          *findings.Finding // the loop that the shader did not leave under the watcher, or nil
	fault          string            // of a rule that failed; "" if none did
	misconceptions []*course.Misconception
	watchOther     func(*shader.Source, course.Case) (*shader.Result, error) // see watchingOthers
	watchAgain     func(course.Case) (*shader.Result, error)                 // see watchingAgain
	busiest        func(course.Case) *findings.Finding                       // see busiestIn
	denies         func(*course.Misconception) bool                          // whether no step of the shader makes a misconception's mistake
}

// diagnose takes the shader through all stages. It returns nil if the shader passes.
func (r *run) diagnose(ctx context.Context) (*verdict.Diagnosis, error) {
	if d := unusable(r.Source.File()); d != nil {
		return d, nil
	}
	if mistake := r.Source.Mistake(); mistake != nil {
		return r.mistaken(ctx, mistake), nil
	}
	if r.Exercise.Break != nil {
		r.values = r.watcher
		return r.checkCase(ctx)
	}
	program, err := r.compile(ctx)
	if err != nil {
		return r.refused(verdict.StageCompile, err)
	}
	defer program.Free()
	if err := r.Read(); err != nil {
		return nil, err
	}
	err = r.runCases(ctx, program)
	var late *shader.DeadlineError
	if errors.As(err, &late) && r.values != r.watcher && !late.Compiling && r.stuck == nil {
		err = r.inSteps(ctx, late)
	}
	switch {
	case r.endless():
		r.Outcomes = nil // the engine's progress so far is luck
		return r.neverEnds(), nil
	case err != nil:
		return r.refused(verdict.StageRun, err)
	}
	d, err := r.applyRules(ctx)
	if err != nil || !r.clean || r.divided {
		return d, err
	}
	if other, err := r.inOtherSubgroups(ctx); other != nil || err != nil {
		return cmp.Or(r.unnamed(false), other), err
	}
	if !r.Exercise.IsTest || d != nil {
		return d, nil
	}
	if d, r.note = r.neverWritten(); d != nil {
		return d, nil
	}
	if d, r.note, err = r.oddDispatch(ctx, r.note); d != nil || err != nil {
		return d, err
	}
	return r.inOtherOrders(ctx)
}

// compile compiles the shader for its values. The watcher computes those of a shader with
// subgroups: it has subgroups of every size, and a device has one. And if WGSL allows the shader
// and only this engine's compiler refuses it, the learner did nothing wrong: the watcher computes
// the values instead.
func (r *run) compile(ctx context.Context) (shader.Program, error) {
	if r.usesSubgroups() && r.values != r.watcher {
		r.values, r.remark = r.watcher, "The simulator judged your shader, because it has subgroups of every size. It isn't timed."
	}
	program, err := r.Exercise.Compile(ctx, r.values, r.Source)
	if r.values == r.watcher || !shader.RefusedOnly(err) {
		return program, err
	}
	instead, unable := r.Exercise.Compile(ctx, r.watcher, r.Source)
	switch {
	case unable != nil && !shader.RefusedOnly(unable):
		return nil, unable // such as a comment for the simulator that it can't read
	case unable != nil:
		return nil, err
	}
	var refused *shader.CompileError
	errors.As(err, &refused)
	r.remark = behind(refused, r.values.Adapter())
	r.values = r.watcher
	return instead, nil
}

// inSteps runs all cases on the watcher, after the engine missed its deadline although the watcher
// saw no endless loop. The watcher counts steps, not time: so a busy machine makes no right shader
// wrong. If it can't say either, the engine's error stands.
func (r *run) inSteps(ctx context.Context, late *shader.DeadlineError) error {
	program, err := r.Exercise.Compile(ctx, r.watcher, r.Source)
	if err != nil {
		return late
	}
	defer program.Free()
	r.free()
	values := r.values
	r.values, r.watched, r.Outcomes = r.watcher, nil, nil
	var lateAgain *shader.DeadlineError
	if err := r.runCases(ctx, program); errors.As(err, &lateAgain) {
		r.values = values
		return late
	} else if err != nil {
		return err
	}
	r.late = true
	r.remark = fmt.Sprintf("%s did not finish your shader within %s. The simulator judged it instead, because it counts steps and not time. It isn't timed.", values.Adapter().Name, late.Limit())
	return nil
}

// mistaken returns the diagnosis of a shader that the front end rejects. If the only mistake is a
// barrier in non-uniform control flow, the watcher can still run the shader and show what would
// happen.
func (r *run) mistaken(ctx context.Context, mistake *shader.CompileError) *verdict.Diagnosis {
	d := r.notCompiled(mistake)
	if r.Source.Unrunnable() != nil || r.Read() != nil {
		return d
	}
	for i, result := range r.watch(ctx, r.cases) {
		r.Outcomes = append(r.Outcomes, evidence.CaseRun{Case: r.cases[i], Seen: result, Compared: evidence.Compared{Difference: course.Difference{First: -1}}})
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
	cases, drawn := slices.Clip(r.cases), len(r.cases)
	if r.across(cases) < 0 {
		if c, ok := r.Exercise.DrawPast(r.seed, r.Size); ok {
			cases = append(cases, c)
		}
	}
	alone := r.values == r.watcher
	needed, stop := context.WithCancel(ctx)
	defer stop()
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	watch := func() []*shader.Result {
		results := r.watch(needed, cases)
		if r.endless() {
			end(shader.ErrNeverEnds)
		}
		return results
	}
	expected := r.expectAll(needed, cases)
	var known []*shader.Result
	var seen <-chan fence.Returned[[]*shader.Result]
	if alone {
		known = watch()
	} else {
		seen = fence.Start(watch)
	}
	var failed error
	for i, c := range cases {
		o := evidence.CaseRun{Case: c, Extra: i >= drawn}
		var result shader.Result
		if alone && known[i] != nil && evidence.Unfinished(known[i]) == nil {
			result = *known[i]
		} else if result, failed = program.Run(running, r.Dispatch(c)); failed != nil {
			break
		}
		x := (<-expected).Value()
		if failed = x.err; failed != nil {
			break
		}
		o.Receive(result, x.RightOutput)
		r.Outcomes = append(r.Outcomes, o)
	}
	var late *shader.DeadlineError
	if failed != nil && !errors.As(failed, &late) {
		stop() // neither the watcher's results nor further right outputs are needed
	}
	if !alone {
		known = (<-seen).Value()
	}
	for i := range r.Outcomes {
		r.Outcomes[i].Seen = known[i]
		if r.inTurns != nil {
			r.otherOrder(&r.Outcomes[i], r.inTurns[i])
		}
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

func (r *run) free() {
	if r.watched != nil {
		r.watched.Free()
	}
}

func (f *facts) caseResult(o evidence.CaseRun) verdict.CaseResult {
	c := verdict.CaseResult{Name: o.Name, Pass: f.Right(o)}
	outputs := f.Exercise.Outputs()
	for k, l := range o.All() {
		c.MaxAbsErr = max(c.MaxAbsErr, numeric.JSONNumber(l.Difference.MaxAbs))
		if i := l.Difference.First; i >= 0 && c.FirstMismatch == nil {
			index, component := f.Exercise.Bindings[outputs[k]].Place(i)
			c.FirstMismatch = &verdict.OutputElement{Index: index, Component: component, Want: numeric.JSONNumber(l.Want.At(i)), Got: numeric.JSONNumber(l.Got.At(i))}
			if len(outputs) > 1 {
				c.FirstMismatch.Output = f.Exercise.Bindings[outputs[k]].Name
			}
		}
	}
	return c
}

// expectAll computes the right outputs of cases while the learner's shader runs, and sends them in
// order, up to the first that it can't compute.
func (r *run) expectAll(ctx context.Context, cases []course.Case) <-chan fence.Returned[expectedOrNot] {
	all := make(chan fence.Returned[expectedOrNot], len(cases))
	go func() {
		for _, c := range cases {
			o := fence.Try(func() expectedOrNot {
				x, err := evidence.In(ctx, r.Exercise, c)
				return expectedOrNot{x, err}
			})
			all <- o
			if o.Failed() || o.Value().err != nil {
				return
			}
		}
	}()
	return all
}

type expectedOrNot struct {
	*evidence.RightOutput
	err error
}
