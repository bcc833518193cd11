package cases_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// TestTheCaseIsTheOneThatIsMeant checks the choice of a case. A race appears in the smallest case
// already, although every value there is right.
func TestTheCaseIsTheOneThatIsMeant(t *testing.T) {
	e, err := course.Find("matmul-tiled")
	require.NoError(t, err)
	right, err := exercises.Reference(e.ID)
	require.NoError(t, err)
	race := strings.Replace(right, "workgroupBarrier();", "", 1)
	title := func(text, wanted string, writes ...string) string {
		t.Helper()
		made, err := cases.Target(t.Context(), e, shader.Read("try.wgsl", text), 3, wanted, writes)
		require.NoError(t, err)
		assert.Equal(t, writes, made.Writes)
		return made.Title
	}
	first := "matmul-tiled, 1 × 1 times 1 × 1"
	assert.Equal(t, "matmul-tiled, 65 × 7 times 7 × 1", title(right, ""), "where all are right, the first with work for a workgroup")
	assert.Equal(t, first, title(race, ""), "the first that fails")
	assert.Equal(t, "matmul-tiled, 2 × 3 times 3 × 4", title(race, "", "out[0]"), "the first in which it is wrong")
	assert.Equal(t, "matmul-tiled, 2 × 3 times 3 × 4", title(race+"// debug: write of out[0]\n", ""))
	assert.Equal(t, first, title(race, "", "out[9999]"))
	assert.Equal(t, "matmul-tiled, 65 × 7 times 7 × 1", title(race, "65 × 7 times 7 × 1", "out[0]"))
	_, err = cases.Target(t.Context(), e, shader.Read("try.wgsl", right), 3, "nothing", nil)
	assert.ErrorContains(t, err, "it has `1 × 1 times 1 × 1`")
}

// TestColumnsCountCharacters checks that an error's column counts characters, not bytes.
func TestColumnsCountCharacters(t *testing.T) {
	_, err := anyshader.Target(t.Context(), shader.ReadWith("try.wgsl", "/* äöü∑ */ fn main( {", types.AllFeatures), anyshader.ShaderRun{Entry: "main", Workgroups: "1"})
	require.ErrorContains(t, err, "try.wgsl:1:21: ")
}

// A verdict names the exercise's buffers, whatever the learner calls them.
func TestABufferHasTwoNames(t *testing.T) {
	e, err := course.Find("vector-add")
	require.NoError(t, err)
	right, err := exercises.Reference(e.ID)
	require.NoError(t, err)
	mine := regexp.MustCompile(`\bout\b`).ReplaceAllString(right, "result")
	made, err := cases.Target(t.Context(), e, shader.Read("try.wgsl", mine), 3, "", []string{"out[0]"})
	require.NoError(t, err)
	s, err := debug.New(t.Context(), made)
	require.NoError(t, err)
	assert.NoError(t, s.WatchWrites([]string{"result[0]"}))
	assert.ErrorContains(t, s.WatchWrites([]string{"product[0]"}), "`product` is neither a buffer")
}

// Lesson 5 has learners step back from the line that stores a wrong value, until the variable is
// gone: the line that they stepped back over is the bug.
func TestSteppingBackLeadsToTheBug(t *testing.T) {
	e, err := course.Find("find-row-max")
	require.NoError(t, err)
	text, err := e.Skeleton()
	require.NoError(t, err)
	made, err := cases.Target(t.Context(), e, shader.Read("try.wgsl", text), 3, "", nil)
	require.NoError(t, err)
	s, err := debug.New(t.Context(), made)
	require.NoError(t, err)
	before, _, found := strings.Cut(text, "shared_max[me] = best;")
	require.True(t, found)
	s.SetBreakpoints([]*debug.Breakpoint{{Line: strings.Count(before, "\n") + 1}})
	require.Equal(t, debug.Hit, s.Do(t.Context(), debug.Start).Reason)
	best := func() (string, error) {
		item, err := s.Evaluate(s.Invocation(), 0, "best")
		return item.Value, err
	}
	for value, err := best(); err == nil; value, err = best() {
		require.Equal(t, "0.0", value)
		s.Do(t.Context(), debug.Back)
	}
	require.Equal(t, "var best = 0.0;", strings.TrimSpace(made.Source.Slice(made.Source.Line(s.Line(s.Invocation())))))
}
