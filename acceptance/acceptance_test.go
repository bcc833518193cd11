// Package acceptance tests the product as a whole, from the learner's side: the
// notebooks in a real GoNB kernel, and in the real JupyterLab in a real browser.
package acceptance

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/clone"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/nbformat"
)

// repository is the folder of the clone under test.
func repository(t *testing.T) string {
	t.Helper()
	root, err := clone.Root(".")
	require.NoError(t, err)
	return root
}

// notebooks lists the files of all notebooks, in the order of the course.
func notebooks(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(repository(t), "notebooks", "*.ipynb"))
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

// checkOf gives the exercise that a cell checks, if it checks one.
func checkOf(cell *nbformat.Cell) (id string, ok bool) {
	if cell.Type != nbformat.Code {
		return "", false
	}
	match := checkCall.FindStringSubmatch(cell.Source)
	if match == nil {
		return "", false
	}
	if match[1] == "" {
		return lesson.Forward.ID, true
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
