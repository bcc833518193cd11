//go:build acceptance

package acceptance

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
)

// The course works on a machine without a driver: every notebook, with the reference
// shaders, runs to its end in the simulator, and says so.
func TestNotebooksWithoutADriver(t *testing.T) {
	checkout.HideDrivers(t)
	var times timings
	for _, path := range checkout.WithBeyond(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb := checkout.Notebook(t, path)
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
			require.Equal(t, checkout.CellsOnWebGPU[name], without, "cells that say that they have nothing to show")
		})
	}
	t.Logf("how long they took:\n%s", times.table())
}
