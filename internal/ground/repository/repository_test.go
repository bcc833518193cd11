package repository

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// newClone makes a folder that looks like a clone, with a path as awkward as
// people have them.
func newClone(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root = filepath.Join(root, "my course ü")
	require.NoError(t, os.Mkdir(root, 0o755))
	writeFile(t, filepath.Join(root, "go.mod"), "// a comment\nmodule github.com/wgslab/wgslab\n\ngo 1.26.0\n")
	return root
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestRootIsTheCloneAroundAFolder(t *testing.T) {
	root := newClone(t)
	inner := filepath.Join(root, "tools")
	writeFile(t, filepath.Join(inner, "go.mod"), "module github.com/wgslab/wgslab/tools\n")

	for _, dir := range []string{root, inner} {
		found, err := Root(dir)
		require.NoError(t, err)
		require.Equal(t, root, found)
	}
}

func TestRootPrefersTheFirstFolder(t *testing.T) {
	near, far, outside := newClone(t), newClone(t), t.TempDir()
	for _, c := range []struct {
		dir    string
		others []string
		want   string
	}{
		{near, []string{far}, near},
		{outside, []string{far, near}, far},
	} {
		found, err := Root(c.dir, c.others...)
		require.NoError(t, err)
		require.Equal(t, c.want, found)
	}
}

func TestRootOutsideOfAClone(t *testing.T) {
	dir := t.TempDir()
	_, err := Root(dir)
	require.ErrorContains(t, err, dir+" is not inside a clone of wgslab")
}
