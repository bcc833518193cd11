package glance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// stubs returns the shaders that learners start with in the notebooks, by exercise.
func stubs(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	paths, err := filepath.Glob("../../../notebooks/*.ipynb")
	require.NoError(t, err)
	beyond, err := filepath.Glob("../../../notebooks/beyond/*.ipynb")
	require.NoError(t, err)
	for _, path := range append(paths, beyond...) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		var notebook struct {
			Cells []struct{ Source []string }
		}
		require.NoError(t, json.Unmarshal(raw, &notebook))
		for _, cell := range notebook.Cells {
			first, text, _ := strings.Cut(strings.Join(cell.Source, ""), "\n")
			id, ok := strings.CutSuffix(filepath.Base(first), ".wgsl")
			if _, err := course.Find(id); ok && err == nil && strings.HasPrefix(first, "%%writefile work/"+id) {
				found[id] = text
			}
		}
	}
	require.Len(t, found, len(course.Written()))
	return found
}
