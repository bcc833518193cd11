//go:build acceptance

package jupyterlab

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Tests `make lab` on such a machine. In the browser, the solved lesson 2 runs from the
// first cell to the last, and looks right. The checks name the engine.
// TestNotebooksWithoutADriver runs all lessons without JupyterLab.
func TestJupyterLabWithoutADriver(t *testing.T) {
	lab.HideDrivers(t)
	server, clone, browser := lab.For(t)
	for _, path := range lab.Notebooks(t)[1:2] {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			nb := lab.Notebook(t, filepath.Join(clone.Lessons(), name))
			require.NoError(t, lab.Solve(lab.Root(t), nb))
			require.NoError(t, nb.Write(filepath.Join(clone.Lessons(), name)))
			page := lab.Visit(t, server, clone, browser, name)
			for at, cell := range page.Notebook.Cells {
				if cell.Type == nbformat.Code {
					requireRunsWithoutADriver(t, page, at, cell)
				}
			}
			page.RequireQuiet(t)
			t.Logf("solved in %.1f s", time.Since(began).Seconds())
		})
	}
}

// requireRunsWithoutADriver runs a cell. A check says that the simulator ran the shader.
func requireRunsWithoutADriver(t *testing.T, page *lab.Page, at int, cell *nbformat.Cell) {
	t.Helper()
	requireRuns(t, page, at, cell)
	text, err := page.Text(at)
	require.NoError(t, err)
	if _, ok := lab.Checked(cell); ok {
		require.Contains(t, text, "simulator (no GPU or driver needed)")
	}
}
