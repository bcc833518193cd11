package session_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
)

// stubs returns the shaders that learners start with in the notebooks, by exercise.
func stubs(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		raw, err := os.ReadFile(filepath.Join("../../../notebooks", l.Notebook))
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
