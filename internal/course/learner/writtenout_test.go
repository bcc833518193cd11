package learner

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// What the learner says in a lesson comes again two lessons later, beside ours.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	said := func(lesson int, words string) string {
		t.Helper()
		c, err := Explain(dir, lesson, words)
		require.NoError(t, err)
		return c.Text()
	}
	first, err := course.FindLessonQuestion(1)
	require.NoError(t, err)
	require.Contains(t, said(1, ""), first.Asks)
	require.NotContains(t, said(1, " \n "), "in your journal", "blanks are no words")
	for range 2 { // the same words are kept once
		shown := said(1, "Some have no element.\n\tThe guard sends them home.")
		require.Contains(t, shown, "Lesson 3 shows them again")
		require.NotContains(t, shown, first.Ours, "not yet")
	}
	require.NotContains(t, said(2, "The dispatch is the loop."), "you said")
	shown := said(3, "")
	require.Contains(t, shown, "Some have no element. The guard sends them home.")
	require.Contains(t, shown, first.Ours)
	require.Contains(t, shown, "Would you still say it so?")
	said(1, "A surplus one would write past the end.")
	require.Contains(t, said(3, "Row by row."), "A surplus one would write past the end.", "the last words count")
	require.NotContains(t, said(5, strings.Repeat("é", mostLetters+1)), "in your journal")
	require.NotContains(t, said(6, "One queue."), "we say", "lesson 4 was not explained")
	last, err := course.FindLessonQuestion(16)
	require.NoError(t, err)
	require.Contains(t, said(16, "They never change."), last.Ours, "no lesson comes after it")
	for _, lesson := range []int{0, 17} {
		_, err := Explain(dir, lesson, "x")
		require.ErrorContains(t, err, "use 1 to 16")
	}
	tries, _, err := ReadJournal(dir)
	require.NoError(t, err)
	require.Len(t, tries, 6)
	require.Equal(t, "predict-half", func() string { c, err := Recall(dir, 5, ""); require.NoError(t, err); return c.ID }(), "words are no failed checks")
	var page strings.Builder
	require.NoError(t, WritePage(&page, dir, nil))
	require.Contains(t, page.String(), "A surplus one would write past the end.")
	require.NotContains(t, page.String(), "Some have no element.")
}

// A line from memory is kept with its verdict. One that cannot be one is not judged.
func TestLine(t *testing.T) {
	dir := t.TempDir()
	judged := ""
	judge := func(e *course.Exercise, text string) (*verdict.Verdict, error) {
		judged = text
		v := &verdict.Verdict{Exercise: e.ID, Outcome: verdict.Pass}
		if !strings.Contains(text, "i * dims.n") {
			v = &verdict.Verdict{Exercise: e.ID, Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{Message: "The rows are mixed up.", Ask: "How long is a row?"}}
		}
		return v, nil
	}
	for line, want := range map[string]string{
		"": "From memory", "a;\nb;": "several lines",
		"total += a[row] * b[column];":                              "✗ Not yet. The rows are mixed up.",
		" total += b[i * dims.n + column] * a[row * dims.k + i];\n": "✓ Right",
	} {
		judged = ""
		n, err := Line(dir, "matmul", line, judge)
		require.NoError(t, err)
		require.Contains(t, n.Text(), want)
		require.Equal(t, strings.Contains(want, "✓") || strings.Contains(want, "✗"), judged != "", line)
		if judged != "" {
			require.Contains(t, judged, "{\n        "+strings.TrimSpace(line)+"\n    }")
		}
	}
	_, err := Line(dir, "matmul", "sum += a[r * dims.k + i] * b[i * dims.n + col];", judge)
	require.NoError(t, err)
	require.Contains(t, judged, "total += a[row * dims.k + i] * b[i * dims.n + column];", "the learner's own names")
	require.Equal(t, "The steps meet. Which one waits?", withoutPlaces("The steps meet, both on line 15. Which one waits?"))
	require.Equal(t, "One reads what another writes.", withoutPlaces("On line 38, one reads what another writes."))
	tries, _, err := ReadJournal(dir)
	require.NoError(t, err)
	require.Len(t, tries, 3)
	_, err = Line(dir, "relu", "x", judge)
	require.ErrorContains(t, err, "no lesson asks for a line of \"relu\"")
	_, err = Line(dir, "row-max", "x", func(*course.Exercise, string) (*verdict.Verdict, error) { return nil, errors.New("no memory") })
	require.ErrorContains(t, err, "no memory")
}
