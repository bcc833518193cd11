package release

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

var write = flag.Bool("write", false, "write the notebooks' nbgrader metadata anew, from the exercises' declarations")

// The notebooks contain the points that the exercises declare, so that the two cannot drift apart.
// After you change an exercise, run: go test ./internal/fronts/class/release -run Gradings -args
// -write
func TestNotebooksCarryTheirGradings(t *testing.T) {
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		t.Run(l.Notebook, func(t *testing.T) {
			path := filepath.Join(cloned(t), "notebooks", l.Notebook)
			nb, err := nbformat.Read(path)
			require.NoError(t, err)
			require.NoError(t, setGradings(nb, l))
			if *write {
				require.NoError(t, nb.Write(path))
			}
			want, err := nb.Encode()
			require.NoError(t, err)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "run: go test ./internal/fronts/class/release -run Gradings -args -write")
			requireGradings(t, nb, l)
		})
	}
}

// requireGradings repeats the rule by hand: a learner's cell and a check for each exercise, and
// nothing else.
func requireGradings(t *testing.T, nb *nbformat.Notebook, l course.Lesson) {
	t.Helper()
	points, want := 0.0, 0
	for _, e := range l.Exercises() {
		want += e.Points
	}
	solutions, checks := 0, 0
	for _, cell := range nb.Cells {
		g, ok, err := cell.Grading()
		require.NoError(t, err)
		switch {
		case !ok:
		case g.Solution:
			solutions++
			require.Equal(t, nbformat.Grading{ID: cell.ID, Solution: true}, g)
		default:
			checks++
			points += g.Points
			require.Equal(t, nbformat.Grading{ID: cell.ID, Grade: true, Locked: true, Points: g.Points}, g)
			require.Contains(t, cell.Source, "check.")
		}
	}
	require.Len(t, l.Exercises(), solutions)
	require.Len(t, l.Exercises(), checks)
	require.Equal(t, float64(want), points)
}

func TestSetGradingsMissesACell(t *testing.T) {
	require.ErrorContains(t, setGradings(&nbformat.Notebook{}, course.Lessons[1]),
		"02-add.ipynb has no code cell with the id add-shader, where exercise add should be")
}

func cloned(t *testing.T) string {
	t.Helper()
	root, err := repository.Root(".")
	require.NoError(t, err)
	return root
}
