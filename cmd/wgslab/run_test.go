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
	notebookrun "github.com/wgslab/wgslab/internal/fronts/notebook/run"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
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
	require.NotContains(t, got.stderr, "\x1b", "the output is not a terminal")
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
		"no notebook":      {nil, "run got no argument, and takes NOTEBOOK…"},
		"no such notebook": {[]string{"missing.ipynb"}, "there is no notebook missing.ipynb"},
		"no JSON":          {[]string{page}, "it is not JSON"},
		"an empty folder":  {[]string{t.TempDir()}, "there is no notebook in the folder"},
		"no such pattern":  {[]string{filepath.Join(t.TempDir(), "*.ipynb")}, "there is no notebook"},
		"no worker":        {[]string{good, "-j", "0"}, "at least 1"},
		"none of several":  {[]string{page, foreign}, "none of the 2 notebooks can run"},
		"a file for two":   {[]string{good, foreign, "-o", page}, "for several notebooks, name a folder"},
		"twice one name":   {[]string{good, writeNotebook(t), "-o", t.TempDir()}, "would both be written to"},
		"no such kernel":   {[]string{good, "--kernel", "nope"}, `no kernel is named "nope"`},
		"its kernel":       {[]string{foreign}, "choose another with --kernel"},
		"no output folder": {[]string{good, "-o", "/no/such/folder/out.ipynb"}, "make it first"},
		"no duration":      {[]string{good, "--timeout", "soon"}, "--timeout takes a duration"},
	} {
		t.Run(name, func(t *testing.T) {
			got := runArgs(t.Context(), append([]string{"run"}, c.args...)...)
			require.Equal(t, exitAsked, got.code)
			require.Contains(t, got.stderr, c.want)
		})
	}
}

// Ctrl-C immediately ends a run and its cell. The notebook keeps the outputs so far, and the
// interrupted cell says why it ended.
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
	require.Contains(t, got.stderr, "stopped before the end; "+out+" contains the outputs so far")
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
	require.Contains(t, got.stderr, "stopped before the end; wgslab wrote nothing")
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

// isRunning reports whether a process exists and is not a zombie.
func isRunning(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestRunProgressLine(t *testing.T) {
	begin := time.Now()
	after := func(d time.Duration) time.Time { return begin.Add(d) }
	named := func(path string, cells int) *notebookrun.Job { return &notebookrun.Job{Path: path, Cells: cells} }
	one := &runProgress{notebooks: 1, running: []*runningCell{{named("nb.ipynb", 12), 3, begin}}}
	require.Equal(t, "cell 3 of 12 5s", one.line(after(5500*time.Millisecond), 80))
	several := &runProgress{notebooks: 8, over: 2, running: []*runningCell{
		{named("notebooks/03-matmul.ipynb", 20), 4, begin}, {named("notebooks/04-relu.ipynb", 12), 1, after(3 * time.Second)},
	}}
	require.Equal(t, "2 of 8 notebooks, 03-matmul 4 of 20 5s, 04-relu 1 of 12 2s", several.line(after(5*time.Second), 80))
	require.Equal(t, "2 of 8 notebooks, 03", several.line(after(5*time.Second), 20))
}
