package release

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/clone"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/nbformat"
)

var write = flag.Bool("write", false, "write the notebooks' nbgrader metadata anew, from the exercises' declarations")

// The notebooks carry what the exercises declare, so that points cannot drift.
// After a change of the exercises: go test ./internal/release -run Marks -args -write
func TestNotebooksCarryTheirMarks(t *testing.T) {
	for _, l := range lesson.Lessons {
		t.Run(l.Notebook, func(t *testing.T) {
			path := filepath.Join(cloned(t), "notebooks", l.Notebook)
			nb, err := nbformat.Read(path)
			require.NoError(t, err)
			require.NoError(t, mark(nb, l))
			if *write {
				require.NoError(t, nb.Write(path))
			}
			want, err := nb.Encode()
			require.NoError(t, err)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "run: go test ./internal/release -run Marks -args -write")
			requireMarks(t, nb, l)
		})
	}
}

// requireMarks says it once more, by hand: a learner's cell and a check for each
// exercise, and nothing else.
func requireMarks(t *testing.T, nb *nbformat.Notebook, l lesson.Lesson) {
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

func TestMarkMissesACell(t *testing.T) {
	require.ErrorContains(t, mark(&nbformat.Notebook{}, lesson.Lessons[1]),
		"02-add.ipynb has no code cell with the id add-shader, where exercise add should be")
}

func cloned(t *testing.T) string {
	t.Helper()
	root, err := clone.Root(".")
	require.NoError(t, err)
	return root
}
