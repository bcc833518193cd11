package judge_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A fake is an engine that computes in Go: the tests of this package need no driver. The
// declarations of its shaders are right, and the test decides what they leave in the output.
type fake struct {
	compile error                                      // the result of Compile for every shader
	run     func(c course.Case) (course.Buffer, error) // the result of a case
	found   []findings.Finding                         // what it sees when it watches
	steps   uint64                                     // the steps of a watched run
	cases   []course.Case                              // the cases that it may be given
	watched []string                                   // the names of the cases that it watched, in order
	foundIn string                                     // the only case in which it sees found; "" for all
	wide    int                                        // how many invocations per workgroup wrote, as it sees it
}

func (f *fake) Adapter() shader.Adapter {
	return shader.Adapter{Name: "fake", Kind: shader.CPU, Backend: "go", Limits: shader.Limits{
		WorkgroupStorageBytes: 16384, InvocationsPerWorkgroup: 256, WorkgroupSize: [3]uint32{256, 256, 64}, WorkgroupsPerDimension: 65535,
	}}
}

func (f *fake) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	if err := errors.Join(ctx.Err(), f.compile); err != nil {
		return nil, err
	}
	if _, err := source.Entry(f.Adapter()); err != nil {
		return nil, err
	}
	return f, source.CheckLayout()
}

func (f *fake) Free() {}

func (f *fake) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	if ctx.Err() != nil {
		return shader.Result{}, ctx.Err()
	}
	c := f.caseOf(d)
	got, err := f.run(c)
	if err != nil || !d.Watch {
		return shader.Result{Left: shader.Left{Output: got}}, err
	}
	f.watched = append(f.watched, c.Name)
	if f.foundIn != "" && f.foundIn != c.Name {
		return shader.Result{Left: shader.Left{Output: got}}, nil
	}
	wrote := slices.Repeat([]bool{true}, int(d.Workgroups[0])*f.wide)
	return shader.Result{Left: shader.Left{Output: got}, Findings: f.found, Steps: f.steps, Wrote: wrote}, nil
}

// caseOf returns the case that holds the buffers of a dispatch. A later pass finds the output
// written.
func (f *fake) caseOf(d shader.Dispatch) course.Case {
	holds := func(but int) func(course.Case) bool {
		return func(c course.Case) bool {
			for i, b := range c.Buffers {
				if i != but && !bytes.Equal(b.Bytes, d.Buffers[i].Bytes) {
					return false
				}
			}
			return true
		}
	}
	i := slices.IndexFunc(f.cases, holds(-1))
	if i < 0 {
		i = slices.IndexFunc(f.cases, holds(d.Output))
	}
	return f.cases[i]
}

const seed = 7

// rightOutput is the right output of a case.
func rightOutput(e *course.Exercise, c course.Case) (course.Buffer, error) {
	x, err := evidence.In(context.Background(), e, c)
	if err != nil {
		return course.Buffer{}, err
	}
	return x.Output.Clone(), nil
}

// judged runs a shader on an engine without a watcher that sees anything.
func judged(t *testing.T, f *fake, id, source string) *verdict.Verdict {
	t.Helper()
	return judgedBy(t, f, &fake{}, id, source)
}

func judgedBy(t *testing.T, values, watcher *fake, id, source string) *verdict.Verdict {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	for _, f := range []*fake{values, watcher} {
		f.cases = exercise.Draw(seed)
		if c, ok := exercise.DrawPast(seed, sizeOf(source)); ok {
			f.cases = append(f.cases, c)
		}
		if f.run == nil {
			f.run = func(c course.Case) (course.Buffer, error) { return rightOutput(exercise, c) }
		}
	}
	if watcher.run != nil && values.compile == nil && len(watcher.found) == 0 {
		watcher.run = values.run
	}
	v, err := judge.Run(t.Context(), shader.Engines{Values: values, Watcher: watcher}, exercise, shader.Read("try.wgsl", source), seed)
	require.NoError(t, err)
	return v
}

// sizeOf returns the size of a shader's workgroups.
func sizeOf(source string) [3]uint32 {
	module, err := shader.Read("", source).Module()
	if err != nil {
		return [3]uint32{1, 1, 1}
	}
	entry, _ := module.Entry(shader.EntryPoint)
	return entry.WorkgroupSize
}

func reference(t *testing.T, id string) string {
	t.Helper()
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	return source
}

func TestRightValuesPass(t *testing.T) {
	for _, e := range course.All() {
		v := judged(t, &fake{}, e.ID, reference(t, e.ID))
		assert.True(t, v.Passed(), v.Text())
		assert.Equal(t, verdict.StageCompare, v.Stage)
		assert.Len(t, v.Cases, len(e.Draw(seed)))
	}
}

// Right values of one device aren't enough if an operation makes NaN on another.
func TestNaNOnAnotherDevice(t *testing.T) {
	for _, c := range []struct{ exercise, old, new, slug string }{
		{"gelu", "value * value * value", "pow(value, 3.0)", "negative-base"},
		{"layer-norm", "difference * difference", "pow(difference, 2.0)", "not-a-number"},
		{"vector-add", "a[i] + b[i]", "sqrt(a[i]) * sqrt(a[i]) + b[i]", "not-a-number"},
		{"sgd", "params.rate * g[i]", "params.rate * g[i] + 0.0 * log(-params.rate)", "not-a-number"},
	} {
		e, err := course.Find(c.exercise)
		require.NoError(t, err)
		text := reference(t, c.exercise)
		require.Contains(t, text, c.old)
		for seed := range uint64(4) {
			values := &fake{cases: e.Draw(seed), run: func(c course.Case) (course.Buffer, error) { return rightOutput(e, c) }}
			if past, ok := e.DrawPast(seed, sizeOf(text)); ok {
				values.cases = append(values.cases, past)
			}
			v, err := judge.Run(t.Context(), shader.Engines{Values: values, Watcher: simulator.New(simulator.Options{})}, e, shader.Read("try.wgsl", strings.Replace(text, c.old, c.new, 1)), seed)
			require.NoError(t, err)
			require.Equal(t, c.slug, v.Slug, "%s, seed %d\n%s", c.exercise, seed, v.Text())
		}
	}
}

// An engine's error about a shader becomes a verdict with the engine's place.
func TestWhatTheEngineRefuses(t *testing.T) {
	at := findings.Region{Line: 3, Column: 5, EndLine: 3, EndColumn: 8}
	for name, c := range map[string]struct {
		f    fake
		want verdict.Verdict
	}{
		"a code": {fake{compile: &shader.CompileError{Finding: findings.Finding{Kind: "unknown-name", Message: "no `x`", Location: findings.Location{Region: at}}, Text: "    foo"}},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "unknown-name", Message: "No `x`."}, Line: 3, Column: 5}},
		"what to try": {fake{compile: &shader.CompileError{Finding: findings.Finding{Kind: "bad-index", Message: "This is no index", Hint: "Write `id.x`."}}},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "index-type", Message: "This is no index.", Try: "Write `id.x`."}}},
		"no code": {fake{compile: &shader.CompileError{Finding: findings.Finding{Message: "beyond words"}}},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompile, Message: "Beyond words."}}},
		"a compiler that never ends": {fake{compile: &shader.DeadlineError{What: "compiling try.wgsl", Compiling: true, Deadline: time.Second}},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompile, Slug: "too-much-to-compile", Message: "The compiler did not finish the shader within 1s."}}},
		"bindings": {fake{run: fails(&shader.BindError{Message: "`a` does not fit"})},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageBind, Slug: "binding", Message: "`a` does not fit."}}},
		"a loop that cannot end": {fake{run: fails(&shader.EndlessError{Line: 9, Column: 2})},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageRun, Slug: verdict.DidNotFinish, Message: "The shader did not finish: the loop on line 9 has no `break` and no `return`, so no invocation can ever leave it."}, Line: 9, Column: 2}},
		"a shader that does not end": {fake{run: fails(&shader.DeadlineError{What: "the shader", Deadline: time.Second})},
			verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: verdict.StageRun, Slug: verdict.DidNotFinish, Message: "The shader did not finish within 1s."}}},
	} {
		t.Run(name, func(t *testing.T) {
			v := judged(t, &c.f, "vector-add", reference(t, "vector-add"))
			require.False(t, v.Passed())
			got := verdict.Verdict{Diagnosis: verdict.Diagnosis{Stage: v.Stage, Slug: v.Slug, Message: v.Message, Try: v.Try}, Line: v.Line, Column: v.Column}
			require.Equal(t, c.want, got)
			require.NotEmpty(t, v.Text())
		})
	}
}

func fails(err error) func(course.Case) (course.Buffer, error) {
	return func(course.Case) (course.Buffer, error) { return course.Buffer{}, err }
}

// at returns a place in vector-add's reference with its invocation.
func at(line int, workgroup, invocation uint32) findings.Location {
	return findings.Location{
		Region:    findings.Region{Line: line, Column: 5, EndLine: line, EndColumn: 8},
		Workgroup: [3]uint32{workgroup}, Invocation: [3]uint32{invocation},
	}
}

// A finding fails a shader even if its values are right.
func TestWhatTheWatcherSees(t *testing.T) {
	other := at(2, 0, 1)
	for name, c := range map[string]struct {
		finding   findings.Finding
		diagnosis string
		line      int
		excerpts  []string
		message   string
	}{
		"a race in workgroup memory": {
			findings.Finding{Kind: "race-workgroup", Message: "two meet", Location: at(3, 0, 0), Related: []findings.Related{{Location: other}}}, "missing-barrier", 3, []string{"2 | ", "3 | "}, "Two meet."},
		"a race in a buffer": {
			findings.Finding{Kind: "race-storage", Message: "two meet", Variable: "out", Index: 4, Location: at(3, 0, 0), Related: []findings.Related{{Location: other}}}, "race", 3, []string{"2 | ", "3 | "}, "Two meet."},
		"a write by an invocation without an element": {
			findings.Finding{Kind: "out-of-bounds-write", Message: "it writes `out[65]`", Location: at(3, 31, 63)}, "missing-guard", 3, nil, "The surplus invocations write as well, and their writes are dropped here, so the values are right."},
		"a write by one that has an element": {
			findings.Finding{Kind: "out-of-bounds-write", Message: "it writes `out[65]`", Location: at(3, 0, 0)}, "out-of-bounds-write", 3, nil, "It writes `out[65]`."},
		"a read": {
			findings.Finding{Kind: "out-of-bounds-read", Message: "it reads `a[65]`", Location: at(3, 0, 0)}, "out-of-bounds-read", 3, nil, "It reads `a[65]`."},
	} {
		t.Run(name, func(t *testing.T) {
			c.finding.Severity = findings.Error
			v := judgedBy(t, &fake{}, &fake{found: []findings.Finding{c.finding}, foundIn: "n = 65", wide: 64}, "vector-add", reference(t, "vector-add"))
			require.False(t, v.Passed())
			require.Equal(t, c.diagnosis, v.Slug, v.Text())
			require.Equal(t, verdict.StageCompare, v.Stage)
			require.Equal(t, c.line, v.Line)
			require.Equal(t, c.message, v.Message)
			require.NotEmpty(t, v.Why)
			require.True(t, strings.HasSuffix(v.Ask, "?"), v.Ask)
			for _, line := range c.excerpts {
				require.Contains(t, v.Excerpt, line)
			}
			require.Len(t, v.Findings, 1)
			require.Equal(t, c.finding.Kind, v.Findings[0].Kind)
		})
	}
}

// No barrier helps if workgroups race too, whatever a case with one workgroup shows first.
func TestARaceAcrossWorkgroups(t *testing.T) {
	race := func(workgroup uint32, message string) findings.Finding {
		return findings.Finding{Kind: "race-storage", Message: message, Variable: "out", Index: 4, Reads: true, Location: at(3, workgroup, 1-workgroup), Related: []findings.Related{{Location: at(3, 0, 0)}}}
	}
	within, across := race(0, "there is no barrier"), race(1, "nothing orders two workgroups")
	across.Hint = "Read your own."
	v := judgedBy(t, &fake{}, &fake{found: []findings.Finding{within, across}, foundIn: "n = 65", wide: 64}, "vector-add", reference(t, "vector-add"))
	require.Equal(t, "race", v.Slug)
	require.Equal(t, "Nothing orders two workgroups.", v.Message)
	require.Equal(t, "Read your own.", v.Try)
	require.Equal(t, "Which value of `out[4]` do you need: the one from before the run, or the new one?", v.Ask)
	require.Empty(t, v.Also())
}

// A remark does not make a right shader wrong, and a right shader's verdict shows no remarks.
func TestRemarksDoNotFail(t *testing.T) {
	v := judgedBy(t, &fake{}, &fake{found: []findings.Finding{{Kind: "wrapped", Severity: findings.Remark}}}, "add", reference(t, "add"))
	require.True(t, v.Passed(), v.Text())
	require.Empty(t, v.Findings)
}

// A slow shader is watched no further, and its values decide. The verdict on an endless shader
// uses the watcher's finding.
func TestStepsThatRunOut(t *testing.T) {
	stuck := findings.Finding{Kind: "step-limit", Severity: findings.Error, Message: "it goes round and round", Location: at(3, 0, 0)}
	watcher := &fake{found: []findings.Finding{stuck}}
	v := judgedBy(t, &fake{}, watcher, "vector-add", reference(t, "vector-add"))
	require.True(t, v.Passed(), v.Text())
	require.Len(t, watcher.watched, 1)

	late := &fake{run: fails(&shader.DeadlineError{What: "the shader", Deadline: time.Second})}
	remark := findings.Finding{Kind: "wrapped", Severity: findings.Remark}
	v = judgedBy(t, late, &fake{found: []findings.Finding{remark}}, "vector-add", reference(t, "vector-add"))
	require.True(t, v.Passed(), "the watcher counts steps, and the machine may be busy: %s", v.Text())
	require.True(t, v.Late)
	require.Contains(t, v.Remark, "did not finish your shader within 1s")

	v = judgedBy(t, late, &fake{found: []findings.Finding{stuck}}, "vector-add", reference(t, "vector-add"))
	require.Equal(t, verdict.DidNotFinish, v.Slug)
	require.Equal(t, "It goes round and round.", v.Message)
	require.Equal(t, 3, v.Line)
}

// A stayer is an engine whose shaders end only with their context. It records why that ended.
type stayer struct {
	fake
	ended error
}

func (s *stayer) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	_, err := s.fake.Compile(ctx, source)
	return s, err
}

func (s *stayer) Run(ctx context.Context, _ shader.Dispatch) (shader.Result, error) {
	<-ctx.Done()
	s.ended = context.Cause(ctx)
	return shader.Result{}, ctx.Err()
}

// A check does not wait for a shader that never ends: the watcher sees a loop in which nothing
// changes what its condition reads.
func TestNobodyWaitsForALoopWithoutEnd(t *testing.T) {
	source := strings.Replace(reference(t, "vector-add"), "if (i <", "while (i <", 1)
	before, _, found := strings.Cut(source, "while")
	require.True(t, found)
	line := 1 + strings.Count(before, "\n")
	stuck := findings.Finding{Kind: "step-limit", Severity: findings.Error, Message: "it goes round and round", Location: at(line, 0, 0)}
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	values := &stayer{}
	watcher := &fake{found: []findings.Finding{stuck}, cases: exercise.Draw(seed), run: func(c course.Case) (course.Buffer, error) { return rightOutput(exercise, c) }}
	v, err := judge.Run(t.Context(), shader.Engines{Values: values, Watcher: watcher}, exercise, shader.Read("try.wgsl", source), seed)
	require.NoError(t, err)
	require.Equal(t, verdict.DidNotFinish, v.Slug)
	require.Equal(t, "It goes round and round.", v.Message)
	require.Equal(t, line, v.Line)
	require.Empty(t, v.Cases)
	require.ErrorIs(t, values.ended, shader.ErrNeverEnds)
}

// If the watcher cannot run a shader, the values alone decide.
func TestNobodyCanWatch(t *testing.T) {
	blind := &fake{compile: &shader.CompileError{Finding: findings.Finding{Kind: findings.EngineRefuses, Message: "no textures here"}}}
	require.True(t, judgedBy(t, &fake{}, blind, "vector-add", reference(t, "vector-add")).Passed())
	blind = &fake{run: fails(errors.New("too large")), found: []findings.Finding{{}}}
	require.True(t, judgedBy(t, &fake{}, blind, "vector-add", reference(t, "vector-add")).Passed())
}

// The watched cases go past the edges of the learner's own workgroups. A case that was drawn for
// this purpose shows only if it fails.
func TestWhatIsWatched(t *testing.T) {
	source := reference(t, "matmul")
	wide := strings.Replace(source, "@workgroup_size(16, 16)", "@workgroup_size(128, 2)", 1)
	require.NotEqual(t, source, wide)
	exercise, err := course.Find("matmul")
	require.NoError(t, err)

	watcher := &fake{}
	v := judgedBy(t, &fake{}, watcher, "matmul", wide)
	require.True(t, v.Passed(), v.Text())
	require.Len(t, v.Cases, len(exercise.Draw(seed)))
	require.Equal(t, "3 × 5 times 5 × 129", watcher.watched[0])
	require.Contains(t, watcher.watched, "1 × 1 times 1 × 1")

	wrong := &fake{run: func(c course.Case) (course.Buffer, error) {
		out, err := rightOutput(exercise, c)
		require.NoError(t, err)
		if c.Extent[0] == 129 {
			out.Floats()[128] = 0
		}
		return out, nil
	}}
	v = judged(t, wrong, "matmul", wide)
	require.False(t, v.Passed())
	require.Len(t, v.Cases, 1+len(exercise.Draw(seed)))

	narrow := &fake{}
	judgedBy(t, &fake{}, narrow, "matmul", source)
	require.NotContains(t, narrow.watched, "3 × 5 times 5 × 129")
	tired := &fake{steps: 2_000_000}
	judgedBy(t, &fake{}, tired, "matmul", source)
	require.Len(t, tired.watched, 1, "after so many steps no other case is begun")
}

// If one engine does both, a watched case does not run again.
func TestOneEngineForBoth(t *testing.T) {
	exercise, err := course.Find("relu")
	require.NoError(t, err)
	runs := 0
	alone := &fake{cases: exercise.Draw(seed)}
	alone.run = func(c course.Case) (course.Buffer, error) {
		runs++
		return rightOutput(exercise, c)
	}
	v, err := judge.Run(t.Context(), shader.Engines{Values: alone, Watcher: alone}, exercise, shader.Read("try.wgsl", reference(t, "relu")), seed)
	require.NoError(t, err)
	require.True(t, v.Passed(), v.Text())
	require.Equal(t, len(alone.cases), runs)
	require.Len(t, alone.watched, runs)
}

// A mistake whose reason is on another line shows both lines.
func TestAMistakeShowsItsReason(t *testing.T) {
	source := strings.Replace(reference(t, "matmul"), "var total = 0.0;", "var total = 0;", 1)
	v := judged(t, &fake{}, "matmul", source)
	require.Equal(t, "no-implicit-conversion", v.Slug, v.Text())
	require.Equal(t, "`total` became an i32 on line 25, but this is f32.", v.Message)
	require.Contains(t, v.Excerpt, "25 |     var total = 0;")
	require.Contains(t, v.Excerpt, "27 |         total += a[")
}

// The watcher judges what only the driver's compiler refuses. The verdict says so, right or wrong.
func TestADriverBehindTheLanguage(t *testing.T) {
	refuses := &shader.CompileError{Finding: findings.Finding{Kind: findings.EngineRefuses, Message: "expected '>', found '*'",
		Location: findings.Location{Region: findings.Region{Line: 12, Column: 1, EndLine: 12, EndColumn: 2}}}, Text: "  let i = id.x;"}
	const remark = "The compiler of fake does not take line 12, `let i = id.x;`. It says: Expected '>', found '*'. " +
		"WGSL allows this and browsers run it, so the simulator judged your shader instead. It isn't timed."
	right := judgedBy(t, &fake{compile: refuses}, &fake{}, "vector-add", reference(t, "vector-add"))
	require.True(t, right.Passed(), right.Text())
	require.Equal(t, remark, right.Remark)
	require.Contains(t, strings.Join(strings.Fields(right.Text()), " "), remark)
	require.Contains(t, right.HTML(), "does not take line 12, <code>let i = id.x;</code>")

	blind := &fake{compile: refuses}
	neither := judgedBy(t, &fake{compile: refuses}, blind, "vector-add", reference(t, "vector-add"))
	require.Equal(t, "engine-refuses", neither.Slug, neither.Text())
	require.Contains(t, neither.Message, "the compiler in this adapter's driver rejects it")
	require.Empty(t, neither.Remark)

	lacks := &shader.CompileError{Finding: findings.Finding{Kind: findings.EngineRefuses, Message: "the simulator does not support textures"}, Lacks: true}
	neither = judgedBy(t, &fake{compile: lacks}, &fake{compile: lacks}, "vector-add", reference(t, "vector-add"))
	require.Equal(t, "engine-refuses", neither.Slug, neither.Text())
	require.Equal(t, "WGSL allows this, but the simulator does not support textures.", neither.Message)
}

func TestNoShaderAtAll(t *testing.T) {
	require.Equal(t, "empty", judged(t, &fake{}, "add", " \n").Slug)
	require.Equal(t, "too-large", judged(t, &fake{}, "add", strings.Repeat("/", shader.MaxSource+1)).Slug)
}

// Failures that are not the shader's fault give an error and no verdict: a lost device, an ended
// context.
func TestWhatCannotBeJudged(t *testing.T) {
	exercise, err := course.Find("add")
	require.NoError(t, err)
	lost := &fake{compile: shader.ErrLost}
	v, err := judge.Run(t.Context(), shader.Engines{Values: lost, Watcher: &fake{}}, exercise, shader.Read("try.wgsl", reference(t, "add")), seed)
	require.ErrorIs(t, err, shader.ErrLost)
	require.Nil(t, v)

	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{cases: exercise.Draw(seed)}
	f.run = func(c course.Case) (course.Buffer, error) {
		cancel() // during the first run
		return rightOutput(exercise, c)
	}
	v, err = judge.Run(ctx, shader.Engines{Values: f, Watcher: &fake{cases: f.cases, run: func(c course.Case) (course.Buffer, error) { return rightOutput(exercise, c) }}}, exercise, shader.Read("try.wgsl", reference(t, "add")), seed)
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, v)
}
