// Package acceptance tests the whole product from the learner's side: it runs the notebooks
// in a real GoNB kernel and in the real JupyterLab in a real browser.
package acceptance

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/notebook/nbformat"
)

// notebooks lists the notebooks' files in the course's order.
func notebooks(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(checkout.Root(t), "notebooks", "*.ipynb"))
	require.NoError(t, err)
	require.NotEmpty(t, paths, "notebooks in notebooks/")
	return paths
}

func readNotebook(t *testing.T, path string) *nbformat.Notebook {
	t.Helper()
	nb, err := nbformat.Read(path)
	require.NoError(t, err)
	return nb
}

var checkCall = regexp.MustCompile(`check\.(?:Exercise\("([^"]*)"\)|Forward\(forward\))`)

// checkOf returns the exercise that a cell checks, if any.
func checkOf(cell *nbformat.Cell) (id string, ok bool) {
	if cell.Type != nbformat.Code {
		return "", false
	}
	match := checkCall.FindStringSubmatch(cell.Source)
	if match == nil {
		return "", false
	}
	if match[1] == "" {
		return course.Forward.ID, true
	}
	return match[1], true
}

// checkedIn lists the exercises that a notebook checks, in order.
func checkedIn(nb *nbformat.Notebook) []string {
	var ids []string
	for _, cell := range nb.Cells {
		if id, ok := checkOf(cell); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
