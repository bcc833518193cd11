package reasons

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// plenty is a budget that does not decide.
const plenty = 20 * time.Second

// checked returns what is known of a shader after its cases ran in the simulator, with no judge.
func checked(t *testing.T, id, text string) *finder {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	facts, err := ran(t.Context(), e, shader.Read("try.wgsl", text))
	require.NoError(t, err)
	return &finder{Input: Input{Facts: facts, Passes: func(ctx context.Context, edited *shader.Source) bool {
		facts, err := ran(ctx, e, edited)
		return err == nil && len(facts.Outcomes) > 0 && len(wrongCases(&facts)) == 0
	}}}
}

// ran runs a shader in the simulator, and watches it in the small cases.
func ran(ctx context.Context, e *course.Exercise, source *shader.Source) (evidence.Facts, error) {
	facts := evidence.About(e, source)
	if facts.Source.Mistake() != nil || facts.Read() != nil {
		return facts, nil
	}
	program, err := e.Compile(ctx, simulator.New(simulator.Options{}), facts.Source)
	if err != nil {
		return facts, err
	}
	defer program.Free()
	for _, c := range e.Draw(7) {
		right, err := evidence.In(ctx, e, c)
		if err != nil {
			return facts, err
		}
		d := facts.Dispatch(c)
		d.Watch = facts.Work(c) <= evidence.MostWatched
		result, err := program.Run(ctx, d)
		if err != nil {
			return facts, err
		}
		o := evidence.CaseRun{Case: c}
		if o.Receive(result, right); d.Watch {
			o.Seen = &result
		}
		facts.Outcomes = append(facts.Outcomes, o)
	}
	return facts, nil
}

// slipped returns a reference shader with one change, and the line of the change.
func slipped(t *testing.T, id, right, wrong string) (text string, line int) {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	reference, err := e.Reference()
	require.NoError(t, err)
	before, after, ok := strings.Cut(reference.Text, right)
	require.True(t, ok, "%s has no %q", id, right)
	return before + wrong + after, 1 + strings.Count(before, "\n")
}

// Several candidates are tried at once, and the verdict must not depend on how many.
func TestNearestFindsThePlace(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	for _, c := range []struct {
		id, right, wrong string
		kind             edit.MutationKind
	}{
		{"vector-add", "i < arrayLength", "i <= arrayLength", edit.Comparison},
		{"vector-add", "let i = id.x", "let i = id.y", edit.Component},
		{"vector-add", "a[i] + b[i]", "a[i] - b[i]", edit.Operator},
		{"vector-add", "a[i] + b[i]", "a[i] + a[i]", edit.Name},
		{"leaky-relu", "x, params.slope * x, x", "params.slope * x, x, x", edit.Argument},
		{"saxpy", "params.alpha * x[i] + y[i]", "x[i] + y[i]", edit.Operand},
		{"matmul", "i < dims.k", "i < dims.n", edit.Bound},
		{"matmul", "* dims.n + column] = ", "* dims.m + column] = ", edit.Index},
		{"matmul", "i = 0u", "i = 1u", edit.Start},
		{"matmul", "row * dims.k + i", "i * dims.k + row", edit.Index},
		{"matmul", "+= a[", "= a[", edit.Assignment},
		{"argmax", "x[start + column] >", "x[start + column] >=", edit.Comparison},
		{"argmax", "column < dims.cols", "column < dims.rows", edit.Bound},
		{"downsample", "/ f32(", "* f32(", edit.Operator},
		{"downsample", "+ x];", "+ y];", edit.Index},
	} {
		t.Run(c.id+", "+c.wrong, func(t *testing.T) {
			text, line := slipped(t, c.id, c.right, c.wrong)
			n := checked(t, c.id, text).nearest(t.Context(), suspicion{}, plenty)
			require.NotNil(t, n)
			require.Equal(t, line, n.Region.Line, n.Edit)
			require.Equal(t, c.kind, n.Kind, n.Edit)
			require.Contains(t, n.Question, fmt.Sprintf("line %d", line))
			require.True(t, strings.HasSuffix(n.Question, "?"), n.Question)
			require.NotEmpty(t, n.Edit)
			require.Empty(t, wrongCases(&checked(t, c.id, n.Text).Facts))
		})
	}
}

// wrongCases returns the cases that a shader gets wrong.
func wrongCases(f *evidence.Facts) (names []string) {
	for _, o := range f.Outcomes {
		if !f.Right(o) {
			names = append(names, o.Name)
		}
	}
	return names
}

// A barrier that is missing belongs between two statements: the region is empty.
func TestNearestFindsAMissingBarrier(t *testing.T) {
	text, line := slipped(t, "matmul-tiled", "workgroupBarrier(); // the tiles are complete", "")
	n := checked(t, "matmul-tiled", text).nearest(t.Context(), suspicion{}, plenty)
	require.NotNil(t, n)
	require.Equal(t, edit.Barrier, n.Kind)
	require.InDelta(t, line, n.Region.Line, 1)
	require.Equal(t, n.Region.Column, n.Region.EndColumn)
}

// Where edits at two places would do as well, both are told.
func TestTwoPlacesAreAsNear(t *testing.T) {
	text, _ := transposed(t)
	n := checked(t, "downsample", text).nearest(t.Context(), suspicion{}, plenty)
	require.NotNil(t, n)
	require.NotEmpty(t, n.Also)
	require.NotEqual(t, n.Region.Line, n.Also[0].Line)
}

func TestNearestIsSilent(t *testing.T) {
	t.Run("on a right shader", func(t *testing.T) {
		text, _ := slipped(t, "matmul", "fn main", "fn main")
		require.Nil(t, checked(t, "matmul", text).nearest(t.Context(), suspicion{}, plenty))
	})
	t.Run("on a shader that does not compile", func(t *testing.T) {
		require.Nil(t, checked(t, "matmul", "fn main() {").nearest(t.Context(), suspicion{}, plenty))
	})
	t.Run("when its context has ended", func(t *testing.T) {
		text, _ := slipped(t, "vector-add", "i < arrayLength", "i <= arrayLength")
		r := checked(t, "vector-add", text)
		ended, end := context.WithCancel(t.Context())
		end()
		require.Nil(t, r.nearest(ended, suspicion{}, plenty))
	})
}

// Of two edits that would do, the one in a suspicious place is nearer.
func TestNearestPrefersSuspiciousPlaces(t *testing.T) {
	text, line := transposed(t)
	r := checked(t, "downsample", text)
	for _, suspicious := range []int{line, line + 3} {
		n := r.nearest(t.Context(), suspicion{places: []findings.Region{{Line: suspicious, EndLine: suspicious}}}, plenty)
		require.NotNil(t, n)
		require.Equal(t, suspicious, n.Region.Line, n.Edit)
	}
}

// transposed returns a shader that reads its image transposed. It would be right as well if it
// wrote transposed, three lines further on.
func transposed(t *testing.T) (text string, line int) {
	t.Helper()
	return slipped(t, "downsample", "(id.y * side + y) * params.src + id.x * side + x", "(id.x * side + x) * params.src + id.y * side + y")
}

// A search ends soon after its budget.
func TestNearestHonoursItsBudget(t *testing.T) {
	text, _ := slipped(t, "softmax", "/ total", "- total * 3.0 + 17.0")
	r := checked(t, "softmax", text)
	const budget = 20 * time.Millisecond
	began := time.Now()
	r.nearest(t.Context(), suspicion{}, budget)
	require.Less(t, time.Since(began), budget+time.Second)
}

// Two edits are tried where one is not enough.
func TestNearestFindsTwoEdits(t *testing.T) {
	text, line := slipped(t, "matmul", "i < dims.k", "i < dims.n")
	text = strings.Replace(text, "row * dims.k + i", "row * dims.m + i", 1)
	n := checked(t, "matmul", text).nearest(t.Context(), suspicion{}, plenty)
	require.NotNil(t, n)
	require.Contains(t, []int{line, line + 1}, n.Region.Line)
}

// An excerpt has each line once, in the order of the source, and carets below the line that they
// belong to.
func TestExcerptsAreInOrder(t *testing.T) {
	gap := " 9 | a\n   | ^^^\n10 | b"
	require.Equal(t, " 8 | z\n 9 | a\n   | ^^^\n10 | b\n12 | d", inOrder(gap, "8 | z\n  | ^\n12 | d\n   | ^\n9 | a\n  | ^"))
	require.Equal(t, gap, inOrder(gap, "9 | a\n  | ^"))
}

// Carets cover expressions or statements, and no half of one.
func TestCaretsCoverExpressions(t *testing.T) {
	for _, c := range []struct{ id, right, wrong, text string }{
		{"quiz-contrast", "clamp(params.gain * data[i] + params.shift, 0.0, 1.0)", "params.gain * clamp(data[i], 0.0, 1.0) + params.shift", "params.gain * clamp(data[i], 0.0, 1.0) + params.shift"},
		{"linear-relu", "max(total, 0.0)", "total", "total"},
		{"saxpy", "params.alpha * x[i] + y[i]", "x[i] * y[i]", "x[i] * y[i]"},
	} {
		text, line := slipped(t, c.id, c.right, c.wrong)
		n := checked(t, c.id, text).nearest(t.Context(), suspicion{}, plenty)
		require.NotNil(t, n)
		require.Equal(t, line, n.Region.Line)
		source := strings.Split(text, "\n")[line-1]
		require.Equal(t, c.text, source[n.Region.Column-1:n.Region.EndColumn-1])
	}
}
