//go:build acceptance

package acceptance

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/notebook/nbformat"
)

// hideDrivers hides all drivers from programs that start after it.
func hideDrivers(t *testing.T) {
	t.Helper()
	t.Setenv("VK_DRIVER_FILES", "/nonexistent")
	t.Setenv("VK_ICD_FILENAMES", "/nonexistent")
}

// Tests `make lab` on such a machine. In the browser, the solved lessons 1 to 5 run from
// the first cell to the last, and look right. Cells that call WebGPU directly say what is
// missing, and the checks name the engine.
func TestJupyterLabWithoutADriver(t *testing.T) {
	hideDrivers(t)
	server, clone, browser := startLab(t)
	for _, path := range notebooks(t)[:5] {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			nb := readNotebook(t, filepath.Join(clone.Notebooks(), name))
			require.NoError(t, lab.Solve(checkout.Root(t), nb))
			require.NoError(t, nb.Write(filepath.Join(clone.Notebooks(), name)))
			page := open(t, server, clone, browser, name)
			without := 0
			for at, cell := range page.Notebook.Cells {
				if cell.Type == nbformat.Code && runsWithoutADriver(t, page, at, cell) {
					without++
				}
			}
			require.Equal(t, cellsOnWebGPU[strings.TrimSuffix(name, ".ipynb")], without)
			requireQuiet(t, page)
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
	if _, ok := checkOf(cell); ok {
		require.Contains(t, text, "simulator (no GPU or driver needed)")
	}
	return strings.Contains(text, "No driver for WebGPU here")
}

// cellsOnWebGPU is the number of a notebook's cells that call WebGPU directly.
var cellsOnWebGPU = map[string]int{"01-bootstrap": 4, "02-add": 2}

// The course works on a machine without a driver: every notebook, with the reference
// shaders, runs to its end in the simulator, and says so.
func TestNotebooksWithoutADriver(t *testing.T) {
	hideDrivers(t)
	var times timings
	for _, path := range notebooks(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb := readNotebook(t, path)
			testSolved(t, nb, times.of(name, "no driver"))
			solvedBefore.Store(solvedHow{path, false}, nb)
			simulated, without := 0, 0
			for _, cell := range codeCells(nb) {
				shown := displayed(cell, "text/plain")
				if strings.Contains(shown, "simulator (no GPU or driver needed)") {
					simulated++
				}
				if strings.Contains(shown, "No driver for WebGPU here") {
					without++
					require.Contains(t, shown, "wgslab doctor")
				}
			}
			require.Positive(t, simulated, "the checks say what ran the shader")
			require.Equal(t, cellsOnWebGPU[name], without, "cells that say that they have nothing to show")
		})
	}
	t.Logf("how long they took:\n%s", times.table())
}
