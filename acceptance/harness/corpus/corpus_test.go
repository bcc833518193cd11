package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test's binary read one file as the program does. Two names stand for shaders
// that end the process and that never end.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && (os.Args[1] == oneFile || os.Args[1] == oneRun) {
		switch filepath.Base(os.Args[2]) {
		case "crash.wgsl":
			panic("a fault of the front end")
		case "endless.wgsl":
			time.Sleep(time.Hour)
		}
		main()
		return
	}
	os.Exit(m.Run())
}

const right, wrong = "fn f() {}\n", "fn f( {}\n"

// write writes files below a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return folder
}

// run runs the program without other compilers on PATH.
func run(t *testing.T, ctx context.Context, arguments ...string) (string, error) {
	t.Helper()
	t.Setenv("PATH", "")
	var out, progress bytes.Buffer
	cmd := newCommand()
	cmd.SetArgs(arguments)
	cmd.SetOut(&out)
	cmd.SetErr(&progress)
	err := cmd.ExecuteContext(ctx)
	assert.Empty(t, progress.String(), "progress is for terminals")
	return out.String(), err
}

// squeezed returns the report with single spaces: the width of its columns depends on the cells.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestCorpusComparesWithKeptOutcomes(t *testing.T) {
	folder := write(t, map[string]string{
		"tint/both.wgsl":                  right,
		"tint/both.wgsl.expected.wgsl":    "fn f() {\n}\n",
		"tint/ours.wgsl":                  right,
		"tint/ours.wgsl.expected.wgsl":    "SKIP: INVALID\n\ntint/ours.wgsl:1:1 error: no\n",
		"tint/skipped.wgsl":               right,
		"tint/skipped.wgsl.expected.wgsl": "SKIP: the writer can't\n",
		"tint/wrong.wgsl":                 wrong,
		"tint/wrong.wgsl.expected.wgsl":   "SKIP: INVALID\n\ntint/wrong.wgsl:1:7 error: no\n",
		"tint/json.wgsl":                  wrong,
		"tint/json.wgsl.expected.wgsl":    "[\n  {\n    \"severity\": \"error\"\n  }\n]\n",
		"naga/tests/in/theirs.wgsl":       wrong,
		"notes.txt":                       "no shader",
	})
	out, err := run(t, context.Background(), folder)
	require.NoError(t, err, "disagreements are no faults")
	words := squeezed(out)
	for _, want := range []string{
		"6 shaders tint naga accepted by both 1 0 refused by both 1 0 accepted by wgslab only 1 0 accepted by the other only 0 1 no answer 3 5",
		"tint is not on PATH", "naga is not on PATH",
		"accepted by wgslab, refused by tint: " + filepath.FromSlash("tint/ours.wgsl"),
		"accepted by naga, refused by wgslab: " + filepath.FromSlash("naga/tests/in/theirs.wgsl") + ": line 1: ",
		"crashes 0 too slow 0 formatter not stable 0 verdict changed by white space 0 not read 0",
	} {
		assert.Contains(t, words, want)
	}
}

// A crash, an endless file and files that can't be read hide no other.
func TestNoFileHidesAnother(t *testing.T) {
	folder := write(t, map[string]string{
		"a.wgsl": right, "crash.wgsl": right, "endless.wgsl": right, "z.wgsl": wrong,
		"large.wgsl": strings.Repeat("// more\n", 40_000),
	})
	unread := "not read 1"
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("nowhere", filepath.Join(folder, "dangling.wgsl")))
		unread = "not read 2"
	}
	out, err := run(t, context.Background(), folder, "--limit", "3s")
	require.ErrorContains(t, err, "2 faults")
	words := squeezed(out)
	for _, want := range []string{
		"4 shaders", "crashes 1 too slow 1 ", unread, "crashes: crash.wgsl: ", "a fault of the front end",
		"too slow: endless.wgsl: it was ended at the limit", "large.wgsl: it has 312 KiB; the limit is 256 KiB",
	} {
		assert.Contains(t, words, want)
	}
}

func TestInterruptedCorpusPrintsWhatItRead(t *testing.T) {
	folder := write(t, map[string]string{"a.wgsl": right, "endless.wgsl": right})
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	began := time.Now()
	out, err := run(t, ctx, folder, "--limit", "1h", "-j", "2")
	require.ErrorContains(t, err, "interrupted after 1 of 2 files")
	require.Contains(t, out, "1 shader ")
	require.Less(t, time.Since(began), 30*time.Second)
}

func TestCorpusNeedsAFolder(t *testing.T) {
	_, err := run(t, context.Background())
	require.ErrorContains(t, err, "make corpus FOLDER=")
	_, err = run(t, context.Background(), filepath.Join(t.TempDir(), "missing"))
	require.ErrorContains(t, err, "reading the corpus: ")
}

// The formatter and the layout of white space have no known fault, so their rows are made up.
func TestReportListsLayoutFaults(t *testing.T) {
	results := []*result{
		{path: "f/a.wgsl", reading: reading{Accepted: true, Layout: "the second time changes line 3"}},
		{path: "f/b\x1b.wgsl", reading: reading{WhiteSpace: "refused, on one line accepted"}},
	}
	r := newReport("f", nil, results, nil)
	require.Equal(t, 2, r.faults())
	var out bytes.Buffer
	require.NoError(t, r.write(&out))
	require.Contains(t, out.String(), "formatter not stable:\n  a.wgsl: the second time changes line 3\n")
	require.Contains(t, out.String(), "verdict changed by white space:\n  b\uFFFD.wgsl: refused, on one line accepted\n")
}

func TestOnOneLine(t *testing.T) {
	require.Equal(t, "fn f() {    /* a b */ return; } ", onOneLine("fn f() { // c\n\r\n/* a\nb */ return;\u2028}\n"))
	require.Equal(t, "a /* no end ", onOneLine("a /* no end\n"))
}

func TestReadSaysWhy(t *testing.T) {
	require.Equal(t, reading{Accepted: true}, read(right))
	require.Regexp(t, "^line 1: ", read(wrong).Error)
}
