// Package checkout finds and reads files of the repository under test.
package lab

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// Root returns the folder of the repository.
func Root(t *testing.T) string {
	t.Helper()
	root, err := repository.Root(".")
	require.NoError(t, err)
	return root
}

// Read returns the text of a file, or of an exercise's solution.
func Read(t *testing.T, path string) string {
	t.Helper()
	if name, err := filepath.Rel(filepath.Join(Root(t), "exercises"), path); err == nil && filepath.IsLocal(name) {
		text, err := exercises.Files.ReadFile(filepath.ToSlash(name))
		if err == nil {
			return string(text)
		}
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// Shaders lists the shaders in a folder of the repository, or the solutions of an exercise.
func Shaders(t *testing.T, folder ...string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(append(append([]string{Root(t)}, folder...), "*.wgsl")...))
	require.NoError(t, err)
	if folder[0] == "exercises" {
		found, err := exercises.Files.Glob(path.Join(append(folder[1:], "*.wgsl")...))
		require.NoError(t, err)
		paths = nil
		for _, name := range found {
			paths = append(paths, filepath.Join(Root(t), "exercises", filepath.FromSlash(name)))
		}
	}
	require.NotEmpty(t, paths, "shaders in %s", filepath.Join(folder...))
	return paths
}

// EndlessAdd returns a vector-add with an endless loop that no compiler can see as one.
func EndlessAdd(t *testing.T) string {
	t.Helper()
	right := Read(t, filepath.Join(Root(t), "exercises", "vector-add", "reference.wgsl"))
	endless := strings.Replace(right, "let i = id.x;", "let i = id.x; for (var k = 1u; k * k != 2u; k += 2u) { out[0] = f32(k); }", 1)
	require.NotEqual(t, right, endless)
	return endless
}
