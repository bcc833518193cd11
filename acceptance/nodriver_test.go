//go:build acceptance

package acceptance

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// The course works on a machine without a driver: every notebook, with the reference
// shaders, runs to its end in the simulator, and says so.
func TestNotebooksWithoutADriver(t *testing.T) {
	lab.HideDrivers(t)
	var times timings
	for _, path := range lab.WithBeyond(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb := lab.Notebook(t, path)
			testSolved(t, nb, times.of(name, "no driver"))
			solvedBefore.Store(solvedHow{path, false}, nb)
			require.True(t, slices.ContainsFunc(codeCells(nb), func(cell *nbformat.Cell) bool {
				return strings.Contains(displayed(cell, "text/plain"), "simulator (no GPU or driver needed)")
			}), "the checks say what ran the shader")
		})
	}
	t.Logf("how long they took:\n%s", times.table())
}
