// Package acceptance tests the product as a whole, from the learner's side: the
// notebooks in a real GoNB kernel, and in the real JupyterLab in a real browser.
package acceptance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/kernelspec"
	"github.com/wgslab/wgslab/internal/nbformat"
)

// repository is the folder of the clone under test.
func repository(t *testing.T) string {
	t.Helper()
	root, err := kernelspec.Root(".")
	require.NoError(t, err)
	return root
}

// useMNIST lets cells find MNIST's files where they lie beside the clone.
func useMNIST(t *testing.T) {
	t.Helper()
	if dir := os.Getenv("WGSLAB_MNIST"); dir != "" {
		t.Logf("MNIST is taken from WGSLAB_MNIST=%s", dir)
		return
	}
	dir := filepath.Join(repository(t), "..", "shared", "mnist")
	if _, err := os.Stat(dir); err != nil {
		t.Logf("there is no %s and WGSLAB_MNIST is not set: cells that show digits look in the cache, then fetch them, then draw their own", dir)
		return
	}
	t.Setenv("WGSLAB_MNIST", dir)
	t.Logf("MNIST is taken from %s", dir)
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
