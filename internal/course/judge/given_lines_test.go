package judge_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// explained returns the verdict on a text, with its reasons.
func explained(t *testing.T, id, text string) *verdict.Verdict {
	t.Helper()
	on, err := engine.Open(t.Context(), shader.Simulated)
	require.NoError(t, err)
	t.Cleanup(on.Close)
	e, err := course.Find(id)
	require.NoError(t, err)
	v, err := judge.Explain(t.Context(), on.Engines, e, shader.Read("work/"+id+".wgsl", text), 1, nil)
	require.NoError(t, err)
	return v
}

func startOf(t *testing.T, id string) (skeleton, reference string) {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	skeleton, err = e.Skeleton()
	require.NoError(t, err)
	source, err := e.Reference()
	require.NoError(t, err)
	return skeleton, source.Text
}

// Until the line with the bug is named, a verdict shows what goes wrong, and nothing of where or
// why.
func TestVerdictsHideTheBug(t *testing.T) {
	for _, id := range []string{"find-vector-add", "find-row-max"} {
		skeleton, _ := startOf(t, id)
		v := explained(t, id, skeleton)
		require.Equal(t, verdict.Unnamed, v.Slug, id)
		require.NotNil(t, v.Mismatch, "%s: the symptom", id)
		require.Zero(t, v.Line)
		require.Empty(t, v.Places)
		require.Empty(t, v.Reasons)
		require.Empty(t, v.Findings)
		require.Nil(t, v.Origin)
		e, err := course.Find(id)
		require.NoError(t, err)
		all, err := e.Misconceptions()
		require.NoError(t, err)
		for _, m := range all {
			require.NotContains(t, v.Text(), m.Title, id)
		}
	}
}

// Whoever names the right line hears so, before and after the repair.
func TestTheRightLineIsConfirmed(t *testing.T) {
	const id, line = "find-vector-add", "let i = id.x;"
	skeleton, reference := startOf(t, id)
	require.NotContains(t, explained(t, id, skeleton).Text(), "You named")
	named := explained(t, id, strings.Replace(skeleton, "line:", "line: "+line, 1))
	require.Equal(t, "local-id", named.Slug)
	require.Contains(t, named.Text(), "You named a line of the part with the bug: `let i = id.x;`.")
	repaired := explained(t, id, reference)
	require.True(t, repaired.Passed())
	for _, shown := range []string{repaired.Text(), repaired.Brief(), string(repaired.HTML())} {
		require.Contains(t, shown, "You named a line of the part with the bug: ")
	}
}

// A line is the same however it is indented, and a comment after it doesn't count.
func TestNamingTheBug(t *testing.T) {
	skeleton, _ := startOf(t, "find-row-max")
	for said, want := range map[string]string{
		"   var  best=0.0;  // here": "starts-at-zero", "var best = 1.0;": verdict.Unnamed, "if (me < half) {": verdict.Unnamed, "}": verdict.Unnamed,
	} {
		require.Equal(t, want, explained(t, "find-row-max", strings.Replace(skeleton, "line:", "line:"+said, 1)).Slug, said)
	}
}

// Right values from lines that aren't given, or too often, are not what the exercise asks for.
func TestOnlyGivenLinesAreOrdered(t *testing.T) {
	const id = "order-sum-tree"
	_, reference := startOf(t, id)
	require.True(t, explained(t, id, reference).Passed())
	own := explained(t, id, strings.Replace(reference, "half > 0u", "half != 0u", 1))
	require.Equal(t, "own-line", own.Slug)
	require.Contains(t, own.Message, "isn't one of the given lines")
	require.Equal(t, "own-line", explained(t, id, strings.Replace(reference, "workgroupBarrier();", "workgroupBarrier();\nworkgroupBarrier();", 1)).Slug)
}
