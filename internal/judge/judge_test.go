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
	beyond  func(c lesson.Case, behind lesson.Buffer)  // writes behind the output's end
	found   []shader.Finding                           // what it saw
	cases   []lesson.Case                              // in the order in which the judge runs them
	next    int                                        // the case that is run next
	began   bool
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

// Run is asked for the first case, as it is, and then for the cases in their
// order, in longer buffers; large ones are left out when it is asked again.
func (f *fake) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	if ctx.Err() != nil {
		return shader.Result{}, ctx.Err()
	}
	for !begins(d.Buffers, f.cases[f.next]) {
		f.next = (f.next + 1) % len(f.cases)
	}
	c := f.cases[f.next]
	if f.began {
		f.next = (f.next + 1) % len(f.cases)
	}
	f.began = true
	got, err := f.run(c)
	if err != nil {
		return shader.Result{}, err
	}
	held := d.Buffers[d.Output].Clone()
	rest := shader.Buffer{Element: held.Element, Bytes: held.Bytes[len(got.Bytes):]}
	if f.beyond != nil && rest.Len() > 0 {
		f.beyond(c, rest)
	}
	return shader.Result{Output: got.Append(rest), Findings: f.found}, nil
}

// begins says whether the buffers hold a case, whatever comes behind it.
func begins(buffers []shader.Buffer, c lesson.Case) bool {
	for i, b := range c.Buffers {
		if !bytes.HasPrefix(buffers[i].Bytes, b.Bytes) {
			return false
		}
	}
	return true
}

const seed = 7

func judged(t *testing.T, f *fake, id, source string) *verdict.Verdict {
	t.Helper()
	exercise, err := lesson.Find(id)
	require.NoError(t, err)
	f.cases = exercise.Draw(seed)
	if f.run == nil {
		f.run = func(c lesson.Case) (lesson.Buffer, error) { return exercise.Reference(c), nil }
	}
	v, err := judge.Run(t.Context(), f, exercise, "try.wgsl", source, seed)
	require.NoError(t, err)
	return v
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
		"what it saw": {fake{found: []shader.Finding{{Kind: "note", Severity: shader.SeverityRemark}, {Kind: "race-storage", Severity: shader.SeverityError, Message: "Two write.", Place: shader.Place{Span: at}}}},
			verdict.Verdict{Stage: verdict.StageRun, Diagnosis: "race-storage", Message: "Two write.", Line: 3, Column: 5}},
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

// A remark of the engine makes no right shader wrong.
func TestRemarksDoNotFail(t *testing.T) {
	v := judged(t, &fake{found: []shader.Finding{{Kind: "wrapped", Severity: shader.SeverityRemark}}}, "add", reference(t, "add"))
	require.True(t, v.Passed(), v.Text())
}

func TestWritesBehindTheEndAreSeen(t *testing.T) {
	write := func(n int) func(lesson.Case, lesson.Buffer) {
		return func(_ lesson.Case, behind lesson.Buffer) { clear(behind.Floats()[:n]) }
	}
	one := judged(t, &fake{beyond: write(1)}, "vector-add", reference(t, "vector-add"))
	require.Equal(t, "guard-off-by-one", one.Diagnosis, one.Text())
	more := judged(t, &fake{beyond: write(2)}, "vector-add", reference(t, "vector-add"))
	require.Equal(t, "missing-guard", more.Diagnosis, more.Text())
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
	_, err = judge.Run(t.Context(), lost, exercise, "try.wgsl", reference(t, "add"), seed)
	require.ErrorIs(t, err, shader.ErrLost)

	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{cases: exercise.Draw(seed)}
	f.run = func(c lesson.Case) (lesson.Buffer, error) {
		cancel() // in the midst of the first run
		return exercise.Reference(c), nil
	}
	_, err = judge.Run(ctx, f, exercise, "try.wgsl", reference(t, "add"), seed)
	require.ErrorIs(t, err, context.Canceled)
}
