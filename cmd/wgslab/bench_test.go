package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// bench must report this before it measures for minutes.
func TestBenchSaysWhenTheSetUpIsMissing(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/wgslab/wgslab\n"), 0o644))
	t.Chdir(root)
	got := runArgs(t.Context(), "bench")
	require.Equal(t, exitAsked, got.code)
	require.Contains(t, got.stderr, "run make setup")
}
