package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/repository"
)

// This is a learner's path on the command line: a check counts, and appears in the progress, the
// journal and the tutor's context.
func TestCourseCommands(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	clone := t.TempDir()
	t.Chdir(clone)
	work := filepath.Join(clone, "notebooks", "work")
	require.NoError(t, os.MkdirAll(work, 0o755))
	rules, err := os.ReadFile(filepath.Join(root, "notebooks", "TUTOR.md"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(clone, "notebooks", "TUTOR.md"), rules, 0o644))
	source, err := exercises.Reference("add")
	require.NoError(t, err)

	command := func(want int, args ...string) string {
		var stdout, stderr strings.Builder
		require.Equal(t, want, run(t.Context(), args, &stdout, &stderr), "%s%s", &stdout, &stderr)
		return stdout.String() + stderr.String()
	}
	require.Contains(t, command(exitAsked, "check", "add"), "there is no file")
	require.NoError(t, os.WriteFile(filepath.Join(work, "add.wgsl"), []byte(strings.Replace(source, "] +", "] -", 1)), 0o644))
	command(exitNotRight, "check", "add")
	require.Contains(t, command(exitOK, "progress"), "○ add")
	require.NoError(t, os.WriteFile(filepath.Join(work, "add.wgsl"), []byte(source), 0o644))
	command(exitOK, "check", "add")
	require.Contains(t, command(exitOK, "progress"), "✓ add")

	command(exitOK, "journal", "--out", "page.html")
	page, err := os.ReadFile("page.html")
	require.NoError(t, err)
	require.Contains(t, string(page), "try 2: add: right")

	tutor := command(exitOK, "tutor", "add")
	require.Contains(t, tutor, "Never write WGSL that solves an exercise")
	require.Contains(t, tutor, "(subtract)")
	require.Contains(t, command(exitAsked, "tutor", "ad"), `did you mean "add"`)
	require.Contains(t, command(exitAsked, "check", "forward"), "written in Go")
}
