package goals_test

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

func marksOf(t *testing.T, id, source string) cost.Marks {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	marks, _, err := goals.Reached(t.Context(), e, shader.Read(id+".wgsl", source))
	require.NoError(t, err)
	return marks
}

// A goal that nobody reaches, or that asks nothing, helps no learner. All but one are those of the
// reference: the plainest transposition is not coalesced.
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
			for _, m := range marksOf(t, e.ID, source.Text) {
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

var update = flag.Bool("update", false, "write the goals that each right shader reaches into its heading")

// Each right shader says in its heading which goals it reaches. After you change a shader or a
// goal, run: go test ./internal/course/goals -run Headers -update
func TestHeadersNameTheGoals(t *testing.T) {
	headers := 0
	exercises := slices.DeleteFunc(course.OfTheCourse(), func(e *course.Exercise) bool { return len(e.Goals) == 0 })
	if !*update {
		exercises = coursetest.Exercises(t, exercises)
	}
	for _, e := range exercises {
		others, err := e.Right()
		require.NoError(t, err)
		for _, source := range others {
			reached := []string{}
			for _, m := range marksOf(t, e.ID, source.Text) {
				if m.Reached {
					reached = append(reached, m.Name)
				}
			}
			want := cmp.Or(strings.Join(reached, "; "), "none")
			first, _, _ := strings.Cut(source.Text, "\n")
			if *update {
				writeGoals(t, e.ID, source.Name, want)
			} else {
				require.Equal(t, "// goals: "+want, strings.TrimSuffix(first, "\r"), "%s/right/%s: run go test ./internal/course/goals -run Headers -update", e.ID, source.Name)
			}
			headers++
		}
	}
	require.Greater(t, headers, len(exercises))
}

// writeGoals writes the goals that a right shader reaches into its heading.
func writeGoals(t *testing.T, id, name, goals string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "exercises", id, "right.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	heading := regexp.MustCompile(`(?m)^## ` + name + `(: .*)?$`)
	require.Len(t, heading.FindAll(text, -1), 1)
	require.NoError(t, os.WriteFile(path, heading.ReplaceAll(text, []byte("## "+name+": "+goals)), 0o644))
}

// A missed goal names the line that counts most, and asks.
func TestMarksOfTiles(t *testing.T) {
	marks := marksOf(t, "matmul-tiled", mustRead(t, "matmul-tiled", "flat-tiles"))
	byName := map[string]cost.GoalMark{}
	for _, m := range marks {
		byName[m.Name] = m
	}
	require.True(t, byName["coalesced"].Reached)
	require.Contains(t, byName["coalesced"].Means(), "neighbouring elements")
	missed := byName["no bank conflicts"]
	require.False(t, missed.Reached)
	require.Zero(t, missed.Limit)
	require.Positive(t, missed.Yours)
	require.Contains(t, missed.Text, "tb[r]")
	require.Contains(t, marks.Text(), "· no bank conflicts: 1.65 million bank conflicts, most on line 38; 0 would reach it")
	require.Contains(t, marks.Text(), "Which words do 32 neighbours need at once")
	require.NotContains(t, byName["coalesced"].Why(), "line")

	none, _, err := goals.Reached(t.Context(), &course.Exercise{}, nil)
	require.NoError(t, err)
	require.Nil(t, none, "it has no goals")
}

// Each kind of goal has words for a learner who hasn't met it yet.
func TestEachGoalIsExplained(t *testing.T) {
	for _, count := range course.Counts {
		require.NotEmpty(t, cost.GoalMark{Count: count}.Means(), count)
		require.NotEmpty(t, cost.GoalMark{Count: count + " of x"}.Means(), count)
	}
}
