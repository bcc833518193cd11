package release

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Each exercise with points and goals gets a graded cell after its check, if the instructor says
// so.
func TestPointsForCosts(t *testing.T) {
	l := course.Beyond[2]
	nb, err := nbformat.Read(filepath.Join(cloned(t), "notebooks", l.Notebook))
	require.NoError(t, err)
	before := len(nb.Cells)
	require.NoError(t, Course{}.addCosts(nb, l))
	require.Len(t, nb.Cells, before, "no points unless the instructor says so")

	require.NoError(t, Course{CostPoints: 1.5}.addCosts(nb, l))
	require.Len(t, nb.Cells, before+3, "copy-2d is for practice")
	for i, cell := range nb.Cells {
		if cell.ID != "sum-fast-cost" {
			continue
		}
		require.Equal(t, "sum-fast-check", nb.Cells[i-1].ID)
		require.Contains(t, cell.Source, `check.Goals("sum-fast")`)
		g, graded, err := cell.Grading()
		require.NoError(t, err)
		require.True(t, graded)
		require.Equal(t, nbformat.Grading{ID: "sum-fast-cost", Grade: true, Locked: true, Points: 1.5}, g)
		_, err = nb.Encode()
		require.NoError(t, err)
		return
	}
	t.Fatal("sum-fast has no cell for its costs")
}
