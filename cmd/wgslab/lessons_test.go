package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// A learner is in the middle of lesson 5 when the course changes it, from a cell above to the end.
func TestAnUpdateInTheMiddleOfALesson(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	clone := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(clone, "go.mod"), []byte("module github.com/wgslab/wgslab\n"), 0o644))
	require.NoError(t, os.CopyFS(filepath.Join(clone, "notebooks"), os.DirFS(filepath.Join(root, "notebooks"))))
	t.Chdir(clone)
	lessons := func() string {
		t.Helper()
		var stdout, stderr strings.Builder
		require.Equal(t, exitOK, run(t.Context(), []string{"lessons"}, &stdout, &stderr), stderr.String())
		return stdout.String()
	}
	// change gives cells of lesson 5 other texts, and returns their notebook.
	change := func(folder string, texts map[string]string) *nbformat.Notebook {
		t.Helper()
		path := filepath.Join(clone, folder, "05-reduce.ipynb")
		nb, err := nbformat.Read(path)
		require.NoError(t, err)
		for _, c := range nb.Cells {
			if text, ok := texts[c.ID]; ok {
				c.Source = text
				delete(texts, c.ID)
			}
		}
		require.Empty(t, texts, "there are no such cells")
		require.NoError(t, nb.Write(path))
		return nb
	}

	require.Contains(t, lessons(), "Work in them")
	require.Contains(t, lessons(), "are those of the course")
	change("lessons", map[string]string{"reverse-64-shader": "mine 1", "row-max-shader": "mine 2"})
	course := change("notebooks", map[string]string{"row-max-shader": "theirs 2", "sum-64-shader": "theirs 3"})
	said := lessons()
	require.Contains(t, said, "Updated in")
	require.Contains(t, said, "changed row-max-shader in 05-reduce.ipynb. Yours stays")

	mine, err := nbformat.Read(filepath.Join(clone, "lessons", "05-reduce.ipynb"))
	require.NoError(t, err)
	require.Len(t, mine.Cells, len(course.Cells)+1)
	texts := map[string]string{}
	for _, c := range mine.Cells {
		texts[c.ID] = c.Source
	}
	require.Equal(t, "mine 1", texts["reverse-64-shader"])
	require.Equal(t, "mine 2", texts["row-max-shader"])
	require.Equal(t, "theirs 3", texts["sum-64-shader"])
	require.Contains(t, texts["update-row-max-shader"], "theirs 2")
	require.Contains(t, lessons(), "are those of the course")
}
