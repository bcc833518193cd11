package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// The tests of this file run notebooks in kernels that misbehave on demand, and some in Jupyter's
// own Python kernel.

// fakeNotebooks makes a folder of notebooks, each with some cells for one kernel. No process of a
// kernel may be left when the test ends.
func fakeNotebooks(t *testing.T, kernel string, cells map[string][]string) string {
	t.Helper()
	kernels, err := os.MkdirTemp("", "wgslab-run-") // short: there will be sockets in it
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(kernels) })
	require.NoError(t, jupytertest.Install(kernels))
	t.Setenv("JUPYTER_PATH", kernels)
	t.Setenv("IPYTHONDIR", kernels)
	t.Setenv("TMPDIR", kernels)
	t.Cleanup(func() {
		require.Empty(t, processesWith(t, "WGSLAB_KERNEL="+kernels), "processes of a kernel")
		left, err := filepath.Glob(filepath.Join(kernels, "wgslab-kernel-*"))
		require.NoError(t, err)
		require.Empty(t, left, "folders of a kernel")
	})
	folder := t.TempDir()
	for name, sources := range cells {
		nb := &nbformat.Notebook{Metadata: map[string]any{"kernelspec": map[string]any{"name": kernel}}}
		for i, source := range sources {
			nb.Cells = append(nb.Cells, &nbformat.Cell{ID: fmt.Sprint("c", i), Type: nbformat.Code, Source: source})
		}
		path := filepath.Join(folder, name+".ipynb")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, nb.Write(path))
	}
	return folder
}

// processesWith lists the processes whose environment holds an entry with the given beginning.
func processesWith(t *testing.T, entry string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		data, _ := os.ReadFile(file) // it may have gone
		if bytes.Contains(append([]byte{0}, data...), []byte("\x00"+entry)) {
			found = append(found, file)
		}
	}
	return found
}

// rows returns the lines of the table, with times and spaces normalised.
func rows(table string) []string {
	table = regexp.MustCompile(`  +(?:[\d.]+[µmns]+)  +`).ReplaceAllString(table, " T ")
	table = regexp.MustCompile(`  +`).ReplaceAllString(table, " ")
	return strings.Split(strings.TrimSpace(table), "\n")
}

func TestRunSeveralNotebooks(t *testing.T) {
	folder := fakeNotebooks(t, jupytertest.Fake, map[string][]string{
		"a-slow":                            {jupytertest.Endless, jupytertest.Fine},
		"b-fine":                            {jupytertest.Fine, " ", jupytertest.Fine},
		"c/d-bad":                           {jupytertest.Fine, jupytertest.Fails, jupytertest.Fine},
		"c/.ipynb_checkpoints/d-checkpoint": {jupytertest.Fine},
	})
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	write("e-old.ipynb", `{"nbformat": 4, "nbformat_minor": 0, "metadata": {"kernelspec": {"name": "fake"}},
		"cells": [{"cell_type": "code", "metadata": {}, "source": ["fine"], "execution_count": 7, "outputs": []}]}`)
	write("f-older.ipynb", `{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": []}]}`)
	write("g-oldest.ipynb", `{"nbformat": 2, "metadata": {}, "worksheets": []}`)
	write("h-page.ipynb", "<!doctype html>")
	write("i-conflict.ipynb", "{\n<<<<<<< HEAD\n \"cells\": [],\n")
	write("notes.txt", "no notebook")
	out := filepath.Join(folder, "out") // in the folder that is run
	first := filepath.Join(folder, "b-fine.ipynb")
	args := []string{"run", first, folder, filepath.Join(folder, "[ab]-*.ipynb"), "-j", "4", "--cell-timeout", "1s", "-o", out}

	for range 2 { // the second time "out" is there
		got := runArgs(t.Context(), args...)
		require.Equal(t, exitNotRight, got.code, got.stderr)
		in := func(name string) string { return filepath.Join(folder, name) + ".ipynb" }
		for i, want := range []string{
			"notebook cells run failed time result",
			in("b-fine") + " 2 of 2 0 T ok",
			in("a-slow") + " 1 of 2 1 T cell 1: not finished after 1s",
			in("c/d-bad") + " 2 of 3 1 T cell 2: FakeError: as it was told",
			in("e-old") + " 1 of 1 0 T ok",
			in("f-older") + " 0 of 0 0 T not run: ",
			in("g-oldest") + " 0 of 0 0 T not run: ",
			in("h-page") + " 0 of 0 0 T not run: ",
			in("i-conflict") + " 0 of 0 0 T not run: ",
		} {
			require.True(t, strings.HasPrefix(rows(got.stdout)[i], want), "%s\n%s", want, got.stdout)
		}
		require.Contains(t, got.stderr, "6 of 8 notebooks failed")
		slow := strings.Index(got.stderr, in("a-slow")+":\n\nCell 1 of 2")
		bad := strings.Index(got.stderr, in("c/d-bad")+":\n\nCell 2 of 3")
		require.Positive(t, bad)
		require.Less(t, slow, bad, "in the order of the table, whichever ended first")

		var written []string
		require.NoError(t, filepath.WalkDir(out, func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				written = append(written, strings.TrimPrefix(path, out))
			}
			return err
		}))
		require.Equal(t, []string{"/a-slow.ipynb", "/b-fine.ipynb", "/c/d-bad.ipynb", "/e-old.ipynb"}, written)
		data, err := os.ReadFile(filepath.Join(out, "e-old.ipynb"))
		require.NoError(t, err)
		require.Contains(t, string(data), `"nbformat_minor": 5`)
		require.Contains(t, string(data), `"before\n"`)
	}
}

// TestRunNotebooksThatCannotBeRead wants each to say what to do.
func TestRunNotebooksThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nbformat 3": {`{"nbformat": 3, "worksheets": []}`, "it has nbformat 3, and wgslab reads only 4: open it in JupyterLab and save it"},
		"nbformat 2": {`{"nbformat": 2, "worksheets": []}`, "it has nbformat 2, and wgslab reads only 4: open it in JupyterLab and save it"},
		"no JSON":    {"<html>", "it is not JSON: it begins with"},
		"cut off":    {`{"nbformat": 4, "cells": [`, "it is not JSON"},
		"empty":      {"", "it is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "nb.ipynb")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
			got := runArgs(t.Context(), "run", path)
			require.Equal(t, exitAsked, got.code)
			require.Contains(t, got.stderr, c.want)
			require.Empty(t, got.stdout)
		})
	}
}

func TestRunKernelsThatDoNotStart(t *testing.T) {
	folder := fakeNotebooks(t, jupytertest.Fake, map[string][]string{"nb": {jupytertest.Fine}})
	path, out := filepath.Join(folder, "nb.ipynb"), filepath.Join(folder, "out.ipynb")
	for kernel, want := range map[string]string{
		jupytertest.DiesAtOnce: "the fake-dies-at-once kernel died (exit status 3); its last output:\n    no licence found",
		jupytertest.ForgesInfo: "the signature of the message is wrong",
	} {
		got := runArgs(t.Context(), "run", path, "--kernel", kernel, "-o", out)
		require.Equal(t, exitNotRight, got.code)
		require.Contains(t, got.stderr, want)
		require.NoFileExists(t, out, "nothing has run")
	}
}

// Notebooks that wait for each other can end only if they run at the same time, each in its own
// kernel.
func TestRunInParallel(t *testing.T) {
	meet := func(mine, other string) []string {
		return []string{fmt.Sprintf(`
import os, time
who = %q
open(who, "w").close()
while not os.path.exists(%q): time.sleep(0.01)`, mine, other), "time.sleep(0.1)\nwho"}
	}
	folder := fakeNotebooks(t, "python3", map[string][]string{"a": meet("A", "B"), "b": meet("B", "A")})
	out := t.TempDir()
	got := runArgs(t.Context(), "run", folder, "-j", "2", "--cell-timeout", "30s", "-o", out)
	require.Zero(t, got.code, got.stderr+got.stdout)
	require.Empty(t, got.stderr)
	for name, want := range map[string]string{"a": "'A'", "b": "'B'"} {
		nb, err := nbformat.Read(filepath.Join(out, name+".ipynb"))
		require.NoError(t, err)
		require.Equal(t, want, nb.Cells[1].Outputs[0].Data["text/plain"])
	}

	for _, name := range []string{"A", "B"} {
		require.NoError(t, os.Remove(filepath.Join(folder, name)))
	}
	got = runArgs(t.Context(), "run", folder, "--cell-timeout", "2s")
	require.Equal(t, exitNotRight, got.code, "one after the other, the first waits in vain")
}
