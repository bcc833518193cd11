//go:build acceptance

package jupyterlab

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/ipynb/nbformat"
)

// Tests `make lab` on such a machine. In the browser, the solved lessons 1 and 2 run from
// the first cell to the last, and look right. Cells that call WebGPU directly say what is
// missing, and the checks name the engine. TestNotebooksWithoutADriver runs all lessons without
// JupyterLab; no later one has cells that need a driver.
func TestJupyterLabWithoutADriver(t *testing.T) {
	checkout.HideDrivers(t)
	server, clone, browser := lab.For(t)
	for _, path := range checkout.Notebooks(t)[:2] {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			nb := checkout.Notebook(t, filepath.Join(clone.Notebooks(), name))
			require.NoError(t, lab.Solve(checkout.Root(t), nb))
			require.NoError(t, nb.Write(filepath.Join(clone.Notebooks(), name)))
			page := lab.Visit(t, server, clone, browser, name)
			without := 0
			for at, cell := range page.Notebook.Cells {
				if cell.Type == nbformat.Code && runsWithoutADriver(t, page, at, cell) {
					without++
				}
			}
			require.Equal(t, checkout.CellsOnWebGPU[strings.TrimSuffix(name, ".ipynb")], without)
			page.RequireQuiet(t)
			t.Logf("solved in %.1f s", time.Since(began).Seconds())
		})
	}
}

// runsWithoutADriver runs a cell, and reports whether it has nothing to show.
func runsWithoutADriver(t *testing.T, page *lab.Page, at int, cell *nbformat.Cell) bool {
	t.Helper()
	requireRuns(t, page, at, cell)
	text, err := page.Text(at)
	require.NoError(t, err)
	if _, ok := checkout.Checked(cell); ok {
		require.Contains(t, text, "simulator (no GPU or driver needed)")
	}
	return strings.Contains(text, "No driver for WebGPU here")
}
