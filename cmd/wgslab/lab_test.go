package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInstallNeedsAClone(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"install", "lab", "doctor"} {
		var stdout, stderr strings.Builder
		require.Equal(t, exitAsked, run(t.Context(), []string{command}, &stdout, &stderr))
		require.Contains(t, stderr.String(), "is not inside a clone of wgslab")
	}
}

func TestLabSaysWhenTheSetUpIsMissing(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/wgslab/wgslab\n"), 0o644))
	t.Chdir(root)
	var stdout, stderr strings.Builder
	require.Equal(t, exitNotRight, run(t.Context(), []string{"lab"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "run make setup")
}
