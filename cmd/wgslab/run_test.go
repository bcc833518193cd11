package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/nbformat"
)

// writeNotebook makes a notebook of code cells for the GoNB kernel.
func writeNotebook(t *testing.T, sources ...string) string {
	t.Helper()
	nb := &nbformat.Notebook{Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb"}}}
	for i, source := range append([]string{"%noautoget"}, sources...) {
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "c" + strconv.Itoa(i), Type: nbformat.Code, Source: source})
	}
	path := filepath.Join(t.TempDir(), "nb.ipynb")
	require.NoError(t, nb.Write(path))
	return path
}

type ran struct {
	code           int
	stdout, stderr string
}

func runArgs(ctx context.Context, args ...string) ran {
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, &stdout, &stderr)
	return ran{code, stdout.String(), stderr.String()}
}

func TestRunNotebook(t *testing.T) {
	path := writeNotebook(t, "%%\nfmt.Println(\"hello\")", "%%writefile here.txt\ntext")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out.ipynb")

	got := runArgs(t.Context(), "run", path, "-o", out)
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, "all 3 cells ran in")
	require.Empty(t, got.stderr)
	require.FileExists(t, filepath.Join(filepath.Dir(path), "here.txt"), "the kernel works in the notebook's folder")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	nb, err := nbformat.Read(out)
	require.NoError(t, err)
	require.Equal(t, "hello\n", nb.Cells[1].Outputs[0].Text)
}

func TestRunNotebookThatFails(t *testing.T) {
	path := writeNotebook(t, "%%\nvar wrong int = \"text\"\nfmt.Println(wrong)",
		"%%\nfmt.Println(\"\\x1b[31mred\\x1b[0m\")\nvar list []int\nfmt.Println(list[3])")
	out := filepath.Join(t.TempDir(), "out.ipynb")

	got := runArgs(t.Context(), "run", path, "-o", out)
	require.Equal(t, exitNotRight, got.code)
	require.Contains(t, got.stderr, "Cell 2 of 3 (id c1) failed:\n  | %%\n  | var wrong int = \"text\"\n")
	require.Contains(t, got.stderr, "cannot use \"text\" (untyped string constant) as int value")
	require.Contains(t, got.stderr, "1 of 3 cells failed")
	require.NotContains(t, got.stderr, "<div")
	nb, err := nbformat.Read(out)
	require.NoError(t, err)
	require.NotEmpty(t, nb.Cells[1].Outputs)
	require.Empty(t, nb.Cells[2].Outputs)

	got = runArgs(t.Context(), "run", path, "-o", out, "--allow-errors")
	require.Equal(t, exitNotRight, got.code)
	require.Contains(t, got.stderr, "Cell 3 of 3 (id c2) failed:")
	require.Contains(t, got.stderr, "\nred\n")
	require.Contains(t, got.stderr, "index out of range [3] with length 0")
	require.Contains(t, got.stderr, "2 of 3 cells failed")
	require.NotContains(t, got.stderr, "\x1b", "nobody looks at a terminal here")
}

func TestRunNotebookTimeouts(t *testing.T) {
	path := writeNotebook(t, "%%\nfor {\n}")
	got := runArgs(t.Context(), "run", path, "--cell-timeout", "2s")
	require.Equal(t, exitNotRight, got.code)
	require.Contains(t, got.stderr, "not finished after 2s")

	got = runArgs(t.Context(), "run", path, "--timeout", "2s")
	require.Equal(t, exitNotRight, got.code)
	require.Contains(t, got.stderr, "the time for the whole notebook is up (2s)")
}

func TestRunNotebookAskedWrongly(t *testing.T) {
	good := writeNotebook(t)
	page := filepath.Join(t.TempDir(), "page.ipynb")
	require.NoError(t, os.WriteFile(page, []byte("<html>"), 0o644))
	foreign := filepath.Join(t.TempDir(), "foreign.ipynb")
	require.NoError(t, os.WriteFile(foreign, []byte(
		`{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "no-such-kernel"}}, "cells": []}`), 0o644))

	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no notebook":      {nil, "requires at least 1 arg"},
		"no such notebook": {[]string{"missing.ipynb"}, "there is no notebook missing.ipynb"},
		"no JSON":          {[]string{page}, "it is not JSON"},
		"an empty folder":  {[]string{t.TempDir()}, "there is no notebook in the folder"},
		"no such pattern":  {[]string{filepath.Join(t.TempDir(), "*.ipynb")}, "there is no notebook"},
		"no worker":        {[]string{good, "-j", "0"}, "at least 1"},
		"none of several":  {[]string{page, foreign}, "none of the 2 notebooks can be run"},
		"a file for two":   {[]string{good, foreign, "-o", page}, "several notebooks are written to a folder"},
		"twice one name":   {[]string{good, writeNotebook(t), "-o", t.TempDir()}, "would both be written to"},
		"no such kernel":   {[]string{good, "--kernel", "nope"}, `no kernel is named "nope"`},
		"its kernel":       {[]string{foreign}, "choose another by --kernel"},
		"no output folder": {[]string{good, "-o", "/no/such/folder/out.ipynb"}, "make it first"},
		"no duration":      {[]string{good, "--timeout", "soon"}, "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			got := runArgs(t.Context(), append([]string{"run"}, c.args...)...)
			require.Equal(t, exitAsked, got.code)
			require.Contains(t, got.stderr, c.want)
		})
	}
}

// Ctrl-C ends a run at once, and its cell with it. What has run is kept, and the
// cell that was running says why it ended.
func TestRunNotebookInterrupted(t *testing.T) {
	path := writeNotebook(t, "%%\nfmt.Println(\"hello\")",
		"%%\nos.WriteFile(\"pid\", fmt.Appendln(nil, os.Getpid()), 0o644)\nfor {\n}")
	out := filepath.Join(t.TempDir(), "out.ipynb")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan ran, 1)
	go func() { done <- runArgs(ctx, "run", path, "-o", out) }()
	pid := readPID(t, filepath.Join(filepath.Dir(path), "pid"))

	begin := time.Now()
	cancel()
	got := <-done
	require.Less(t, time.Since(begin), 2*time.Second)
	require.Equal(t, exitInterrupted, got.code)
	require.Contains(t, got.stderr, "stopped before the end; "+out+" holds what had run until then")
	require.False(t, isRunning(pid), "the cell's process")
	nb, err := nbformat.Read(out)
	require.NoError(t, err)
	require.Equal(t, "hello\n", nb.Cells[1].Outputs[0].Text)
	require.Equal(t, "Interrupted", nb.Cells[2].Outputs[0].EName)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	kept, err := os.ReadFile(out)
	require.NoError(t, err)
	got = runArgs(canceled, "run", path, "-o", out)
	require.Equal(t, exitInterrupted, got.code)
	require.Contains(t, got.stderr, "stopped before the end; nothing was written")
	after, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, string(kept), string(after))
}

// readPID reads the process id that a cell writes into a file, once it has.
func readPID(t *testing.T, path string) (pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	return pid
}

// isRunning says whether a process is there, and more than a zombie that waits
// for its parent.
func isRunning(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestPrintable(t *testing.T) {
	const title, clear, red, reset = "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b[1;31m", "\x1b[0m"
	for text, want := range map[string]string{
		title + clear + red + "a" + reset + "\x00\x07": "a",
		"10%\r50%\r100%\nnext\r\nlast\r":               "100%\nnext\nlast",
		"tab\tü\u009b31m€":                             "tab\tü31m€",
	} {
		require.Equal(t, want, printable(text, false))
	}
	require.Equal(t, red+"a"+reset, printable(title+clear+red+"a"+reset, true))
}
