package cost_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/cost"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/shader"
)

func goals(t *testing.T, id, source string) cost.Marks {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	marks, err := cost.Goals(t.Context(), e, shader.Read(id+".wgsl", source))
	require.NoError(t, err)
	return marks
}

// A goal that nobody reaches, or that asks nothing, helps no learner. All but one are those of the reference: the
// plainest transposition is not coalesced.
func TestGoalsCanBeReached(t *testing.T) {
	with := 0
	for _, e := range course.OfTheCourse() {
		if len(e.Goals) == 0 {
			continue
		}
		with++
		sources := right(t, e)
		if e.ID != "transpose" {
			sources = sources[:1]
		}
		reached := map[string]bool{}
		for _, source := range sources {
			for _, m := range goals(t, e.ID, source.Text) {
				reached[m.Name] = reached[m.Name] || m.Reached
			}
		}
		for _, g := range e.Goals {
			require.True(t, reached[g.Name], "%s: %s", e.ID, g.Name)
			require.True(t, strings.HasSuffix(g.Ask, "?"), "%s: %s", e.ID, g.Ask)
		}
	}
	require.Greater(t, with, 25)
}

// A missed goal names the line that counts most, and asks.
func TestMarksOfTiles(t *testing.T) {
	marks := goals(t, "matmul-tiled", mustRead(t, "matmul-tiled", "flat-tiles"))
	byName := map[string]cost.Mark{}
	for _, m := range marks {
		byName[m.Name] = m
	}
	require.True(t, byName["coalesced"].Reached)
	missed := byName["no bank conflicts"]
	require.False(t, missed.Reached)
	require.Zero(t, missed.Limit)
	require.Positive(t, missed.Yours)
	require.Contains(t, missed.Text, "tb[r]")
	require.Contains(t, marks.Text(), "· no bank conflicts: 1.65 million bank conflicts, most on line 37; 0 would reach it")
	require.Contains(t, marks.Text(), "Which words do 32 neighbours need at once")
	require.NotContains(t, byName["coalesced"].Why(), "line")

	require.Nil(t, goals(t, "add", mustRead(t, "add", "two-steps")), "add has no goals")
}
