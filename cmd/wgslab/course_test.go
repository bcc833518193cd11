package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/repository"
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
	require.NoError(t, os.MkdirAll(filepath.Join(clone, "docs"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(clone, "notebooks", "beyond"), 0o755))
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

	// From another folder of the clone the same tries are found; outside of it, both commands say
	// where they looked, and the journal leaves an earlier page as it is.
	require.Contains(t, command(exitOK, "progress"), "Read from "+work)
	require.NoError(t, os.WriteFile(filepath.Join(clone, "notebooks", "01-bootstrap.ipynb"), nil, 0o644))
	for _, inner := range []string{"docs", filepath.Join("notebooks", "beyond")} {
		t.Chdir(filepath.Join(clone, inner))
		require.Contains(t, command(exitOK, "progress"), "✓ add")
	}
	elsewhere := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(elsewhere, "work", "inner"), 0o755))
	t.Chdir(filepath.Join(elsewhere, "work", "inner"))
	none := "There are no tries of yours in " + filepath.Join(elsewhere, "work", "inner", "work")
	require.Contains(t, command(exitOK, "progress"), none)
	require.NoError(t, os.WriteFile("journal.html", []byte("earlier"), 0o644))
	require.Contains(t, command(exitAsked, "journal"), none)
	kept, err := os.ReadFile("journal.html")
	require.NoError(t, err)
	require.Equal(t, "earlier", string(kept))
	t.Chdir(clone)

	command(exitOK, "journal", "--out", "page.html")
	page, err := os.ReadFile("page.html")
	require.NoError(t, err)
	require.Contains(t, string(page), "try 2: add: right")
	require.NoError(t, os.WriteFile(filepath.Join(work, "add.wgsl"), []byte("// by Ada Lovelace, in "+work+"\n"+source), 0o644))
	command(exitOK, "check", "add")
	command(exitOK, "journal", "--html", "shared.html", "--without", "Ada Lovelace")
	page, err = os.ReadFile("shared.html")
	require.NoError(t, err)
	require.Contains(t, string(page), "// by …, in …")
	require.NotContains(t, string(page), clone)

	require.NoError(t, os.WriteFile("chat.md", []byte("**You:** Why?\n**AI:** Ask.\n"), 0o644))
	require.Contains(t, command(exitAsked, "journal", "--paste", "chat.md"), "chat.md: the conversation doesn't name its exercise: choose one with --exercise ID")
	require.Contains(t, command(exitOK, "journal", "--paste", "chat.md", "--exercise", "add"), "kept 2 turns about add\n")
	require.Contains(t, command(exitOK, "journal", "--paste", "chat.md", "--exercise", "add"), "kept 0 turns about add; 2 turns were there already\n")

	command(exitOK, "journal", "--progsnap2", "data", "--without", "Ada Lovelace")
	require.Contains(t, command(exitAsked, "journal", "--progsnap2", "data"), "data isn't empty: name a new folder")
	states, err := os.ReadFile(filepath.Join("data", "CodeStates", "CodeStates.csv"))
	require.NoError(t, err)
	require.Contains(t, string(states), "// by …, in …")

	tutor := command(exitOK, "tutor", "add")
	require.Contains(t, tutor, "Never write code that solves an exercise")
	require.Contains(t, tutor, "(subtract)")
	require.Contains(t, command(exitAsked, "tutor", "ad"), `did you mean "add"`)
	require.Contains(t, command(exitAsked, "check", "forward"), "there is no forward.go or forward.js in")
}
