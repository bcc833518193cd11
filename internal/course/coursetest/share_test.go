package coursetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

func names(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprint("exercise-", i))
	}
	return ids
}

// Every exercise has its turn within eight days, and one that was touched has it at once.
func TestEveryExerciseHasItsTurn(t *testing.T) {
	ids := names(61)
	var had []string
	for day := range turns {
		today := share(ids, 20_000+day, nil)
		require.LessOrEqual(t, len(today), len(ids)/turns+1)
		had = append(had, today...)
	}
	slices.Sort(had)
	require.ElementsMatch(t, ids, had, "each once")
	for day := range turns {
		touched := share(ids, day, []string{"README.md", "exercises/exercise-5/exercise.toml", "exercises/exercise-60/wrong.md"})
		require.Contains(t, touched, "exercise-5")
		require.Contains(t, touched, "exercise-60", "and not because of exercise-6")
		require.LessOrEqual(t, len(touched), len(ids)/turns+3)
	}
}

// A change of every exercise takes at most a quarter and the eighth, and each has its turn as well.
func TestAChangeOfAllTakesAQuarter(t *testing.T) {
	ids := names(61)
	var paths []string
	for _, id := range ids {
		paths = append(paths, "exercises/"+id+"/exercise.toml")
	}
	had := map[string]bool{}
	for day := range turns {
		today := share(ids, day, paths)
		require.LessOrEqual(t, len(today), len(ids)/most+len(ids)/turns+2)
		for _, id := range today {
			had[id] = true
		}
	}
	require.Len(t, had, len(ids))
}

// Without a suite's variables, a test does all of its work.
func TestByHandEverythingRuns(t *testing.T) {
	t.Setenv(turnVariable, "")
	require.True(t, Whole(t))
	require.Equal(t, course.All(), Exercises(t, course.All()))
	require.Len(t, Eighth(t, names(20)), 20)
	require.Len(t, One(t, names(20)), 20)
	first, end := Range(t, 500)
	require.Equal(t, []int{0, 500}, []int{first, end})
	NeedsChange(t, "internal/fronts/page/")
}

// With them, it takes its share.
func TestASuiteTakesShares(t *testing.T) {
	list := filepath.Join(t.TempDir(), "touched.txt")
	require.NoError(t, os.WriteFile(list, []byte("internal/machine/sim/exec.go\nexercises/matmul/exercise.toml\n"), 0o644))
	t.Setenv(turnVariable, "3")
	t.Setenv(touchedVariable, list)
	require.False(t, Whole(t))
	require.Equal(t, []string{"exercise-3", "exercise-11", "exercise-19"}, Eighth(t, names(20)))
	require.Equal(t, []string{"exercise-3"}, One(t, names(20)))
	require.Empty(t, One(t, names(0)))
	first, end := Range(t, 500)
	require.Equal(t, []int{187, 250}, []int{first, end})
	chosen := Exercises(t, course.All())
	require.Less(t, len(chosen), len(course.All())/4)
	require.True(t, slices.ContainsFunc(chosen, func(e *course.Exercise) bool { return e.ID == "matmul" }))
	NeedsChange(t, "internal/fronts/page/", "internal/machine/sim/")
	left := t.Run("left out", func(t *testing.T) {
		NeedsChange(t, "internal/fronts/page/", "internal/machine/engine/simulator/")
		t.Error("nothing below these folders was touched")
	})
	require.True(t, left)
}
