//go:build acceptance

package acceptance

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The course works on a machine where no driver can be seen: every notebook, with
// the reference shaders in place, runs to its end in the simulator, and says so.
func TestNotebooksWithoutADriver(t *testing.T) {
	t.Setenv("VK_DRIVER_FILES", "/nonexistent")
	t.Setenv("VK_ICD_FILENAMES", "/nonexistent")
	talkToWebGPU := map[string]int{"01-bootstrap": 4, "02-add": 2} // cells
	var times timings
	for _, path := range notebooks(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb := readNotebook(t, path)
			testSolved(t, nb, times.of(name, "no driver"))
			simulated, without := 0, 0
			for _, cell := range codeCells(nb) {
				shown := displayed(cell, "text/plain")
				if strings.Contains(shown, "simulator (no GPU or driver needed)") {
					simulated++
				}
				if strings.Contains(shown, "No driver for WebGPU here") {
					without++
					require.Contains(t, shown, "`wgslab doctor`")
				}
			}
			require.Positive(t, simulated, "the checks say what ran the shader")
			require.Equal(t, talkToWebGPU[name], without, "cells that say that they have nothing to show")
		})
	}
	t.Logf("how long they took:\n%s", times.table())
}
