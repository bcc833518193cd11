package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Pack writes exercises of one's own into a new folder: exercises/sum-up, which is vector-add under
// another id, and beside it sums.ipynb. It returns the folder of the exercises.
func Pack(t *testing.T, folder string) string {
	t.Helper()
	pack := filepath.Join(folder, "exercises")
	own := filepath.Join(pack, "sum-up")
	require.NoError(t, os.CopyFS(own, os.DirFS(filepath.Join(Root(t), "exercises", "vector-add"))))
	description := Read(t, filepath.Join(own, "exercise.toml"))
	require.Contains(t, description, "lesson = 2")
	for name, text := range map[string]string{
		"reference.wgsl": Read(t, filepath.Join(Root(t), "exercises", "vector-add", "reference.wgsl")),
		"exercise.toml":  strings.Replace(description, "lesson = 2", `notebook = "sums.ipynb"`, 1),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(own, name), []byte(text), 0o644))
	}
	nb := Notebook(t, filepath.Join(Root(t), "notebooks", "02-add.ipynb"))
	nb.Cells = slices.DeleteFunc(nb.Cells, func(cell *nbformat.Cell) bool { return !strings.HasPrefix(cell.ID, "vector-add-") })
	for _, cell := range nb.Cells {
		cell.Source = strings.ReplaceAll(cell.Source, "vector-add", "sum-up")
	}
	require.NoError(t, nb.Write(filepath.Join(folder, "sums.ipynb")))
	return pack
}
