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
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/shaders"
)

// A fake is an engine that computes in Go: the tests of this package need no
// driver. Its shaders are right in what they declare, and what they leave in the
// output is what the test says.
type fake struct {
	compile error                                      // what Compile says of every shader
	run     func(c lesson.Case) (lesson.Buffer, error) // what a case comes to
	found   []shader.Finding                           // what it sees when it is asked to watch
	steps   uint64                                     // what a watched run takes
	cases   []lesson.Case                              // the cases that it may be given
	watched []string                                   // those that it was asked to watch, in order
	foundIn string                                     // the name of the only case in which it sees that; "" for all
	wide    int                                        // of how many invocations a workgroup all wrote, as it sees it
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
		return shader.Result{Output: got}, err
	}
	f.watched = append(f.watched, c.Name)
	if f.foundIn != "" && f.foundIn != c.Name {
		return shader.Result{Output: got}, nil
	}
	wrote := slices.Repeat([]bool{true}, int(d.Workgroups[0])*f.wide)
	return shader.Result{Output: got, Findings: f.found, Steps: f.steps, Wrote: wrote}, nil
}

// caseOf is the case that holds the buffers of a dispatch.
func (f *fake) caseOf(d shader.Dispatch) lesson.Case {
	i := slices.IndexFunc(f.cases, func(c lesson.Case) bool {
		return slices.EqualFunc(c.Buffers, d.Buffers, func(a, b shader.Buffer) bool { return bytes.Equal(a.Bytes, b.Bytes) })
	})
	return f.cases[i]
}

const seed = 7

// judged runs a shader on an engine beside which nobody sees anything.
func judged(t *testing.T, f *fake, id, source string) *verdict.Verdict {
	t.Helper()
	return judgedBy(t, f, &fake{}, id, source)
}

func judgedBy(t *testing.T, values, watcher *fake, id, source string) *verdict.Verdict {
	t.Helper()
	exercise, err := lesson.Find(id)
	require.NoError(t, err)
	for _, f := range []*fake{values, watcher} {
		f.cases = exercise.Draw(seed)
		if c, ok := exercise.DrawPast(seed, sizeOf(source)); ok {
			f.cases = append(f.cases, c)
		}
		if f.run == nil {
			f.run = func(c lesson.Case) (lesson.Buffer, error) { return exercise.Reference(c), nil }
		}
	}
	if watcher.run != nil && values.compile == nil && len(watcher.found) == 0 {
		watcher.run = values.run
	}
	v, err := judge.Run(t.Context(), shader.Engines{Values: values, Watcher: watcher}, exercise, "try.wgsl", source, seed)
	require.NoError(t, err)
	return v
}

// sizeOf is the size of a shader's workgroups.
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
	source, err := shaders.Source(id)
	require.NoError(t, err)
	return source
}

func TestRightValuesPass(t *testing.T) {
	for _, e := range lesson.All() {
		v := judged(t, &fake{}, e.ID, reference(t, e.ID))
		assert.True(t, v.Passed(), v.Text())
		assert.Equal(t, verdict.StageCompare, v.Stage)
		assert.Len(t, v.Cases, len(e.Draw(seed)))
	}
}

// What a misconception leads to gets its diagnosis, unless another one leads to
// the same values in every case.
func TestEveryMisconceptionIsNamed(t *testing.T) {
	for _, e := range lesson.All() {
		source := reference(t, e.ID)
		module, err := shader.Read("", source).Module()
		require.NoError(t, err)
		entry, _ := module.Entry(shader.EntryPoint)
		for i, m := range e.Misconceptions {
			if len(m.Builtins) > 0 && !slices.ContainsFunc(m.Builtins, func(b string) bool { return slices.Contains(entry.Builtins, b) }) {
				continue // the reference could not have made it
			}
			if !tells(e, m, entry.WorkgroupSize) {
				continue // a workgroup of this size makes no mistake with it
			}
			v := judged(t, &fake{run: func(c lesson.Case) (lesson.Buffer, error) { return determined(m.Output(c, entry.WorkgroupSize)), nil }}, e.ID, source)
			assert.False(t, v.Passed(), "%s, %s", e.ID, m.Slug)
			if v.Diagnosis == verdict.Stub || v.Diagnosis == "unchanged" {
				continue // it writes nothing in these cases
			}
			assert.Contains(t, slugs(e.Misconceptions[:i+1]), v.Diagnosis, "%s, %s\n%s", e.ID, m.Slug, v.Text())
		}
	}
}

// tells says whether a misconception leads to other values than the right ones.
func tells(e *lesson.Exercise, m lesson.Misconception, size [3]uint32) bool {
	for _, c := range e.Draw(seed) {
		got, want := determined(m.Output(c, size)), e.Reference(c)
		for i := range want.Len() {
			if !e.Allowed(c).Allows(got.At(i), want.At(i)) {
				return true
			}
		}
	}
	return false
}

func slugs(known []lesson.Misconception) []string {
	var all []string
	for _, m := range known {
		all = append(all, m.Slug)
	}
	return all
}

// determined puts a number where a misconception says that nobody knows.
func determined(b lesson.Buffer) lesson.Buffer {
	for i := range b.Len() {
		if !lesson.Undetermined(b, i) {
			continue
		}
		if b.Element == shader.F32 {
			b.Floats()[i] = 12345
		} else {
			b.Uints()[i] = 12345
		}
	}
	return b
}

// What an engine says about a shader becomes a verdict, with the engine's place.
func TestWhatTheEngineRefuses(t *testing.T) {
	at := shader.Span{Line: 3, Column: 5, EndLine: 3, EndColumn: 8}
	for name, c := range map[string]struct {
		f    fake
		want verdict.Verdict
	}{
		"a code": {fake{compile: &shader.CompileError{Code: "unknown-name", Message: "no `x`", Span: at, Text: "    foo"}},
			verdict.Verdict{Stage: verdict.StageCompile, Diagnosis: "unknown-name", Message: "No `x`.", Line: 3, Column: 5}},
		"what to try": {fake{compile: &shader.CompileError{Code: "bad-index", Message: "This is no index", Hint: "Write `id.x`."}},
			verdict.Verdict{Stage: verdict.StageCompile, Diagnosis: "index-type", Message: "This is no index.", Try: "Write `id.x`."}},
		"no code": {fake{compile: &shader.CompileError{Message: "beyond words"}},
			verdict.Verdict{Stage: verdict.StageCompile, Message: "Beyond words."}},
		"a compiler that never ends": {fake{compile: &shader.DeadlineError{What: "compiling try.wgsl", Compiling: true, Deadline: time.Second}},
			verdict.Verdict{Stage: verdict.StageCompile, Diagnosis: "too-much-to-compile", Message: "The compiler did not get through the shader within 1s."}},
		"bindings": {fake{run: fails(&shader.BindError{Message: "`a` does not fit"})},
			verdict.Verdict{Stage: verdict.StageBind, Diagnosis: "binding", Message: "`a` does not fit."}},
		"a loop that cannot end": {fake{run: fails(&shader.EndlessError{Line: 9, Column: 2})},
			verdict.Verdict{Stage: verdict.StageRun, Diagnosis: verdict.DidNotFinish, Message: "The shader did not finish: the loop on line 9 has no `break` and no `return`, so no invocation can ever leave it.", Line: 9, Column: 2}},
		"a shader that does not end": {fake{run: fails(&shader.DeadlineError{What: "the shader", Deadline: time.Second})},
			verdict.Verdict{Stage: verdict.StageRun, Diagnosis: verdict.DidNotFinish, Message: "The shader did not finish within 1s."}},
	} {
		t.Run(name, func(t *testing.T) {
			v := judged(t, &c.f, "vector-add", reference(t, "vector-add"))
			require.False(t, v.Passed())
			got := verdict.Verdict{Stage: v.Stage, Diagnosis: v.Diagnosis, Message: v.Message, Try: v.Try, Line: v.Line, Column: v.Column}
			require.Equal(t, c.want, got)
			require.NotEmpty(t, v.Text())
		})
	}
}

func fails(err error) func(lesson.Case) (lesson.Buffer, error) {
	return func(lesson.Case) (lesson.Buffer, error) { return lesson.Buffer{}, err }
}

// at is a place in vector-add's reference, and who was there.
func at(line int, workgroup, invocation uint32) shader.Place {
	return shader.Place{
		Span:      shader.Span{Line: line, Column: 5, EndLine: line, EndColumn: 8},
		Workgroup: [3]uint32{workgroup}, Invocation: [3]uint32{invocation},
	}
}

// What is seen fails a shader whose values are right.
func TestWhatTheWatcherSees(t *testing.T) {
	other := at(2, 0, 1)
	for name, c := range map[string]struct {
		finding   shader.Finding
		diagnosis string
		line      int
		excerpts  []string
		message   string
	}{
		"a race in workgroup memory": {
			shader.Finding{Kind: "race-workgroup", Message: "two meet", Place: at(3, 0, 0), Other: &other}, "missing-barrier", 3, []string{"2 | ", "3 | "}, "Two meet."},
		"a race in a buffer": {
			shader.Finding{Kind: "race-storage", Message: "two meet", Variable: "out", Index: 4, Place: at(3, 0, 0), Other: &other}, "race", 3, []string{"2 | ", "3 | "}, "Two meet."},
		"a write by an invocation without an element": {
			shader.Finding{Kind: "out-of-bounds-write", Message: "it writes `out[65]`", Place: at(3, 31, 63)}, "missing-guard", 3, nil, "It writes `out[65]`."},
		"a write by one that has an element": {
			shader.Finding{Kind: "out-of-bounds-write", Message: "it writes `out[65]`", Place: at(3, 0, 0)}, "out-of-bounds-write", 3, nil, "It writes `out[65]`."},
		"a read": {
			shader.Finding{Kind: "out-of-bounds-read", Message: "it reads `a[65]`", Place: at(3, 0, 0)}, "out-of-bounds-read", 3, nil, "It reads `a[65]`."},
	} {
		t.Run(name, func(t *testing.T) {
			c.finding.Severity = shader.SeverityError
			v := judgedBy(t, &fake{}, &fake{found: []shader.Finding{c.finding}, foundIn: "n = 65", wide: 64}, "vector-add", reference(t, "vector-add"))
			require.False(t, v.Passed())
			require.Equal(t, c.diagnosis, v.Diagnosis, v.Text())
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

// A remark makes no right shader wrong, and a right shader is told of none.
func TestRemarksDoNotFail(t *testing.T) {
	v := judgedBy(t, &fake{}, &fake{found: []shader.Finding{{Kind: "wrapped", Severity: shader.SeverityRemark}}}, "add", reference(t, "add"))
	require.True(t, v.Passed(), v.Text())
	require.Empty(t, v.Findings)
}

// A slow shader is watched no further, and its values decide; one that never ends
// is told in the words of the one who watched.
func TestStepsThatRunOut(t *testing.T) {
	stuck := shader.Finding{Kind: "step-limit", Severity: shader.SeverityError, Message: "it goes round and round", Place: at(3, 0, 0)}
	watcher := &fake{found: []shader.Finding{stuck}}
	v := judgedBy(t, &fake{}, watcher, "vector-add", reference(t, "vector-add"))
	require.True(t, v.Passed(), v.Text())
	require.Len(t, watcher.watched, 1)

	late := &fake{run: fails(&shader.DeadlineError{What: "the shader", Deadline: time.Second})}
	v = judgedBy(t, late, &fake{found: []shader.Finding{stuck}}, "vector-add", reference(t, "vector-add"))
	require.Equal(t, verdict.DidNotFinish, v.Diagnosis)
	require.Equal(t, "It goes round and round.", v.Message)
	require.Equal(t, 3, v.Line)
}

// A stayer is an engine whose shaders end only with their context. It keeps why that ended.
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

// Nobody waits for a shader that is known never to end: the watcher goes round a loop
// in which nothing changes what its condition reads.
func TestNobodyWaitsForALoopWithoutEnd(t *testing.T) {
	source := strings.Replace(reference(t, "vector-add"), "if (i <", "while (i <", 1)
	before, _, found := strings.Cut(source, "while")
	require.True(t, found)
	line := 1 + strings.Count(before, "\n")
	stuck := shader.Finding{Kind: "step-limit", Severity: shader.SeverityError, Message: "it goes round and round", Place: at(line, 0, 0)}
	exercise, err := lesson.Find("vector-add")
	require.NoError(t, err)
	values := &stayer{}
	watcher := &fake{found: []shader.Finding{stuck}, cases: exercise.Draw(seed), run: func(c lesson.Case) (lesson.Buffer, error) { return exercise.Reference(c), nil }}
	v, err := judge.Run(t.Context(), shader.Engines{Values: values, Watcher: watcher}, exercise, "try.wgsl", source, seed)
	require.NoError(t, err)
	require.Equal(t, verdict.DidNotFinish, v.Diagnosis)
	require.Equal(t, "It goes round and round.", v.Message)
	require.Equal(t, line, v.Line)
	require.Empty(t, v.Cases)
	require.ErrorIs(t, values.ended, shader.ErrNeverEnds)
}

// Where the watcher cannot run a shader, the values decide alone.
func TestNobodyCanWatch(t *testing.T) {
	blind := &fake{compile: &shader.CompileError{Code: shader.EngineRefuses, Message: "no textures here"}}
	require.True(t, judgedBy(t, &fake{}, blind, "vector-add", reference(t, "vector-add")).Passed())
	blind = &fake{run: fails(errors.New("too large")), found: []shader.Finding{{}}}
	require.True(t, judgedBy(t, &fake{}, blind, "vector-add", reference(t, "vector-add")).Passed())
}

// What is watched goes past the edges of the learner's own workgroups, and a case
// that was drawn for that shows only where it fails.
func TestWhatIsWatched(t *testing.T) {
	source := reference(t, "matmul")
	wide := strings.Replace(source, "@workgroup_size(16, 16)", "@workgroup_size(128, 2)", 1)
	require.NotEqual(t, source, wide)
	exercise, err := lesson.Find("matmul")
	require.NoError(t, err)

	watcher := &fake{}
	v := judgedBy(t, &fake{}, watcher, "matmul", wide)
	require.True(t, v.Passed(), v.Text())
	require.Len(t, v.Cases, len(exercise.Draw(seed)))
	require.Equal(t, "3 × 5 times 5 × 129", watcher.watched[0])
	require.Contains(t, watcher.watched, "1 × 1 times 1 × 1")

	wrong := &fake{run: func(c lesson.Case) (lesson.Buffer, error) {
		out := exercise.Reference(c)
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

// With one engine for both, a case that was watched is not run again.
func TestOneEngineForBoth(t *testing.T) {
	exercise, err := lesson.Find("relu")
	require.NoError(t, err)
	runs := 0
	alone := &fake{cases: exercise.Draw(seed)}
	alone.run = func(c lesson.Case) (lesson.Buffer, error) {
		runs++
		return exercise.Reference(c), nil
	}
	v, err := judge.Run(t.Context(), shader.Engines{Values: alone, Watcher: alone}, exercise, "try.wgsl", reference(t, "relu"), seed)
	require.NoError(t, err)
	require.True(t, v.Passed(), v.Text())
	require.Equal(t, len(alone.cases), runs)
	require.Len(t, alone.watched, runs)
}

func TestNoShaderAtAll(t *testing.T) {
	require.Equal(t, "empty", judged(t, &fake{}, "add", " \n").Diagnosis)
	require.Equal(t, "too-large", judged(t, &fake{}, "add", strings.Repeat("/", shader.MaxSource+1)).Diagnosis)
}

// What is nobody's mistake is an error and no verdict: a device that was lost
// before, a context that has ended.
func TestWhatCannotBeJudged(t *testing.T) {
	exercise, err := lesson.Find("add")
	require.NoError(t, err)
	lost := &fake{compile: shader.ErrLost}
	_, err = judge.Run(t.Context(), shader.Engines{Values: lost, Watcher: &fake{}}, exercise, "try.wgsl", reference(t, "add"), seed)
	require.ErrorIs(t, err, shader.ErrLost)

	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{cases: exercise.Draw(seed)}
	f.run = func(c lesson.Case) (lesson.Buffer, error) {
		cancel() // in the midst of the first run
		return exercise.Reference(c), nil
	}
	_, err = judge.Run(ctx, shader.Engines{Values: f, Watcher: &fake{cases: f.cases, run: func(c lesson.Case) (lesson.Buffer, error) { return exercise.Reference(c), nil }}}, exercise, "try.wgsl", reference(t, "add"), seed)
	require.ErrorIs(t, err, context.Canceled)
}
