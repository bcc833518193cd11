package lab

import (
	"html"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel/debugger"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Notebooks lists the notebooks' files in the course's order.
func Notebooks(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Root(t), "notebooks", "*.ipynb"))
	require.NoError(t, err)
	require.NotEmpty(t, paths, "notebooks in notebooks/")
	return paths
}

// WithBeyond lists the files of all lessons' notebooks in the course's order: the eight, and those
// of notebooks/beyond.
func WithBeyond(t *testing.T) []string {
	t.Helper()
	paths := Notebooks(t)
	for _, l := range course.Beyond {
		paths = append(paths, filepath.Join(Root(t), "notebooks", filepath.FromSlash(l.Notebook)))
	}
	return paths
}

// Notebook reads a notebook.
func Notebook(t *testing.T, path string) *nbformat.Notebook {
	t.Helper()
	nb, err := nbformat.Read(path)
	require.NoError(t, err)
	return nb
}

// Checked returns the exercise that a cell checks, if any.
func Checked(c *nbformat.Cell) (id string, ok bool) {
	if c.Type != nbformat.Code {
		return "", false
	}
	for _, e := range course.OnHost {
		if c.ID == e.ID+"-check" {
			return e.ID, true
		}
	}
	return debugger.Checked(cell.Read(c.Source))
}

// CheckedIn lists the exercises that a notebook checks, in order.
func CheckedIn(nb *nbformat.Notebook) []string {
	var ids []string
	for _, c := range nb.Cells {
		if id, ok := Checked(c); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// Displayed returns Markdown as displayed text, for the Markdown that hints use: text between
// backquotes is code, and < may be an entity.
func Displayed(hints []string) []string {
	var texts []string
	for _, hint := range hints {
		texts = append(texts, html.UnescapeString(strings.ReplaceAll(hint, "`", "")))
	}
	return texts
}

// HideDrivers hides all drivers from programs that start after it.
func HideDrivers(t *testing.T) {
	t.Helper()
	t.Setenv("VK_DRIVER_FILES", "/nonexistent")
	t.Setenv("VK_ICD_FILENAMES", "/nonexistent")
}
