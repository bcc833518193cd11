package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// TestMain lets grade start this test program again in jail, and an editor's tests as a debug
// adapter or language server, which runs trace in turn, or as watch, which runs check.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{jail.Command, "dap", "lsp", "trace", "watch", "check"}, os.Args[1]) {
		main() // with its signals
	}
	os.Exit(m.Run())
}

// handIn writes a student's lesson 2 with add as given.
func handIn(t *testing.T, path, add string) {
	t.Helper()
	nb, err := nbformat.Read("../../notebooks/02-add.ipynb")
	require.NoError(t, err)
	for _, cell := range nb.Cells {
		if cell.ID == "add-shader" {
			require.NoError(t, cell.SetFileBody(add))
		}
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, nb.Write(path))
}

func TestGradeAskedWrongly(t *testing.T) {
	dir := t.TempDir()
	handIn(t, filepath.Join(dir, "ada.ipynb"), "fn")
	for want, args := range map[string][]string{
		"grade got no argument, and takes PATH…": {},
		"no-such-folder":                           {"no-such-folder"},
		"choose table, json, csv or junit":         {dir, "--format", "xml"},
		"at least one shader":                      {dir, "-j", "0"},
		"must be more than 0":                      {dir, "--deadline", "0s"},
		"write it as I/N":                          {dir, "--shard", "4/4", "--seed", "1"},
		"--shard needs --seed":                     {dir, "--shard", "0/4"},
		"make it first":                            {dir, "-o", filepath.Join(dir, "none", "grades.csv")},
		"isn't a result of wgslab grade":           {"--merge", filepath.Join(dir, "ada.ipynb")},
		"--merge and --similar exclude each other": {dir, "--merge", "--similar"},
	} {
		code, stdout, stderr := wgslab(t, append([]string{"grade"}, args...)...)
		require.Equal(t, exitAsked, code, "%v: %s", args, stderr)
		require.Contains(t, stderr, want)
		require.Empty(t, stdout)
	}
}

// If there is no room for the table, the command still reports the missing parts.
func TestMergeNamesGapsFirst(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, "part-0.json")
	require.NoError(t, os.WriteFile(part, []byte(`{"seed": 7, "adapter": "one", "shard": {"index": 0, "of": 2, "class": ["b"]}, "submissions": []}`), 0o644))
	taken := filepath.Join(dir, "grades.csv") // by a folder: nothing can be put in its place
	require.NoError(t, os.Mkdir(taken, 0o755))
	code, stdout, stderr := wgslab(t, "grade", "--merge", part, "-o", taken)
	require.Equal(t, exitNotRight, code, stderr)
	require.Empty(t, stdout)
	require.Regexp(t, `(?s)shard \d of 2 .*writing the result`, stderr)
}

func TestGradeSections(t *testing.T) {
	dir := t.TempDir()
	right, err := exercises.Reference("add")
	require.NoError(t, err)
	handIn(t, filepath.Join(dir, "monday", "ada.ipynb"), right)
	handIn(t, filepath.Join(dir, "tuesday", "ada.ipynb"), "fn")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "wednesday"), 0o755))
	code, stdout, stderr := wgslab(t, "grade", "--sections", dir, "--format", "csv", "--seed", "3")
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stderr, "the section "+filepath.Join(dir, "wednesday")+" has no submissions")
	rows := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Len(t, rows, 3)
	require.True(t, strings.HasPrefix(rows[1], "monday - ada,1,"), rows[1])
	require.True(t, strings.HasPrefix(rows[2], "tuesday - ada,0,"), rows[2])
}

// full is a writer that has no room for a text.
type full struct{ text string }

func (f full) Write(p []byte) (int, error) {
	if strings.Contains(string(p), f.text) {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// The journal stays until everything is written, so that the same command continues after a
// failure.
func TestGradeKeepsTheJournalIfTheListFails(t *testing.T) {
	dir := t.TempDir()
	right, err := exercises.Reference("add")
	require.NoError(t, err)
	handIn(t, filepath.Join(dir, "ada.ipynb"), right)
	handIn(t, filepath.Join(dir, "ben.ipynb"), right+"// mine\n")
	out := filepath.Join(dir, "grades.csv")
	args := []string{"grade", dir, "--format", "csv", "-o", out, "--similar"}
	require.Equal(t, exitNotRight, run(t.Context(), args, io.Discard, full{"Similar shaders"}))
	require.FileExists(t, out+".journal")
	code, _, stderr := wgslab(t, args...)
	require.Equal(t, exitOK, code, stderr)
	require.NoFileExists(t, out+".journal")
}

func TestGradeNamesWhatItCouldNotRead(t *testing.T) {
	dir := t.TempDir()
	handIn(t, filepath.Join(dir, "ada.ipynb"), "@compute @workgroup_size(1) fn main() {}")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ben.ipynb"), []byte("no JSON"), 0o644))
	out := filepath.Join(dir, "grades.csv")
	code, stdout, stderr := wgslab(t, "grade", dir, "--format", "csv", "-o", out, "--seed", "3")
	require.Equal(t, exitNotRight, code, stderr)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "wgslab: ben: ")
	require.Contains(t, stderr, "1 of 2 submissions could not be read in full")
	require.Contains(t, stderr, "seed 3")
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Len(t, strings.Split(strings.TrimSpace(string(data)), "\n"), 3)
}
