package cases_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func TestAfterACheck(t *testing.T) {
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	reference, err := exercise.Reference()
	require.NoError(t, err)
	text := strings.Replace(reference.Text, "\n}", "\n    // print: id.x\n}", 1)
	source := shader.Read("work/vector-add.wgsl", text)
	first := cases.PrintsAtFirstSight(context.Background(), exercise, source, 1)
	require.Len(t, first, 1)
	assert.Contains(t, first[0].Text(), "vector-add, n = 64, seed 1")

	v := &verdict.Verdict{Seed: 1, Cases: []verdict.CaseResult{{Name: "n = 1", Pass: true}, {Name: "n = 65"}}}
	assert.Contains(t, cases.PrintsAfterCheck(context.Background(), exercise, source, v)[0].Text(), "vector-add, n = 65", "the first that failed")
	assert.Empty(t, cases.PrintsAfterCheck(context.Background(), exercise, reference, v), "without a comment there is nothing")
	assert.Empty(t, cases.PrintsAtFirstSight(context.Background(), exercise, shader.ReadWith("", "fn main( // print: i", types.AllFeatures), 1))
}

// A grid of one column or of one element shows nothing of how rows and columns work together. And
// a title says only what is printed: the case and the device are beside it.
func TestTheCaseShowsWhatThePrintPromises(t *testing.T) {
	result := func(passed bool, names ...string) (all []verdict.CaseResult) {
		for _, name := range names {
			all = append(all, verdict.CaseResult{Name: name, Pass: passed})
		}
		return all
	}
	for _, c := range []struct {
		exercise, after string // the line with the comment ends so
		verdict         verdict.Verdict
		shows           string
		rows, cols      int
	}{
		{"matmul", "= total;", verdict.Verdict{}, "matmul, 2 × 3 times 3 × 4, seed 1", 2, 4},
		{"matmul", "= total;", verdict.Verdict{Cases: result(false, "1 × 1 times 1 × 1", "65 × 7 times 7 × 1", "2 × 3 times 3 × 4")}, "matmul, 2 × 3 times 3 × 4, seed 1", 2, 4},
		{"matmul", "= total;", verdict.Verdict{Cases: result(false, "2 × 3 times 3 × 4", "9 × 130 times 130 × 5"), Diagnosis: verdict.Diagnosis{Mismatch: &verdict.Mismatch{Case: "9 × 130 times 130 × 5"}}}, "matmul, 9 × 130 times 130 × 5, seed 1", 9, 5},
		{"matmul", "= total;", verdict.Verdict{Cases: result(false, "1 × 1 times 1 × 1", "65 × 7 times 7 × 1"), Diagnosis: verdict.Diagnosis{Mismatch: &verdict.Mismatch{Case: "65 × 7 times 7 × 1"}}}, "matmul, 65 × 7 times 7 × 1, seed 1", 65, 1},
		{"vector-add", "+ b[i];", verdict.Verdict{Cases: result(false, "n = 1", "n = 63"), Diagnosis: verdict.Diagnosis{Mismatch: &verdict.Mismatch{Case: "n = 1"}}}, "vector-add, n = 63, seed 1", 4, 16},
		{"vector-add", "+ b[i];", verdict.Verdict{Cases: result(true, "n = 1")}, "vector-add, n = 64, seed 1", 4, 16},
		{"iota-2d", ";", verdict.Verdict{}, "iota-2d, ", 0, 0},
	} {
		exercise, err := course.Find(c.exercise)
		require.NoError(t, err)
		reference, err := exercise.Reference()
		require.NoError(t, err)
		at := strings.LastIndex(reference.Text, c.after) + len(c.after)
		source := shader.Read("work/"+c.exercise+".wgsl", reference.Text[:at]+" // print: id.x"+reference.Text[at:])
		c.verdict.Seed = 1
		grid, is := cases.PrintsAfterCheck(context.Background(), exercise, source, &c.verdict)[0].(view.HeatMap)
		require.True(t, is, c)
		require.Contains(t, grid.Source, c.shows)
		require.Regexp(t, `^Line \d+ prints id\.x$`, grid.Title)
		if c.rows > 0 {
			require.Equal(t, []int{c.rows, c.cols}, []int{grid.Rows, grid.Cols}, c)
		} else {
			require.Greater(t, min(grid.Rows, grid.Cols), 1, c)
		}
	}
}
