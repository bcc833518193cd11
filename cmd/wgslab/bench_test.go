package main

import (
	"context"
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

// If a measurement fails, bench --gpu still prints the report of those before it.
func TestBenchPrintsTheReportOfAnEndedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := runArgs(ctx, "bench", "--gpu")
	require.NotEqual(t, exitOK, got.code)
	require.Contains(t, got.stdout, `"adapter": "`)
	require.Contains(t, got.stderr, "measuring a product")
}
