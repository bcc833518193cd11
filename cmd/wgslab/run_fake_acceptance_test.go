//go:build acceptance

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	notebookrun "github.com/wgslab/wgslab/internal/fronts/notebook/run"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// TestRunMisbehavingKernels requires a clear error for each misdeed, the output so far, and no
// remaining process.
func TestRunMisbehavingKernels(t *testing.T) {
	t.Run("by themselves", func(t *testing.T) {
		testMisdeeds(t, "5m", []misdeed{
			{jupytertest.NoReply, "KernelFailed", "the kernel fell silent before it was done: it is idle, but sent no reply"},
			{jupytertest.NoIdle, "KernelFailed", "the kernel fell silent before it was done: it replied, but did not become idle"},
			{jupytertest.LastWords, "KernelDied", "the fake kernel died (signal: killed)"},
			{jupytertest.Orphan, "KernelDied", "the fake kernel died (signal: killed)"},
			{jupytertest.BadSignature, "KernelFailed", "receiving on iopub: the signature of the message is wrong"},
			{jupytertest.Garbage, "KernelFailed", "receiving on iopub: the frames are not a Jupyter message"},
			{jupytertest.Flood, "OutputLimit", "more than 20 MB of output; wgslab cut off the rest and stopped the cell"},
			{jupytertest.OneLine, "OutputLimit", "more than 20 MB of output; wgslab cut off the rest and stopped the cell"},
		})
	})
	t.Run("when they are interrupted", func(t *testing.T) {
		testMisdeeds(t, "1s", []misdeed{
			{jupytertest.Deaf, "DeadlineExceeded", "not finished after 1s, and an interrupt did not help"},
			{jupytertest.DiesOnCall, "KernelDied", "the fake kernel died (exit status 137); its last output"},
			{jupytertest.HangsUp, "KernelFailed", "the fake kernel hung up"},
		})
	})
}

func TestRunInterruptedInParallel(t *testing.T) {
	mark := "open('here', 'w').close()\n"
	endless := "import time\ntime.sleep(600)"
	folder := fakeNotebooks(t, "python3", map[string][]string{
		"a": {"print('fine')"},
		"b": {"print('so far')", strings.Replace(mark, "here", "b", 1) + endless},
		"c": {strings.Replace(mark, "here", "c", 1) + endless},
		"d": {"print('not run')"},
	})
	out := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan ran, 1)
	go func() { done <- runArgs(ctx, "run", folder, "-j", "2", "-o", out) }()
	require.Eventually(t, func() bool {
		_, errB := os.Stat(filepath.Join(folder, "b"))
		_, errC := os.Stat(filepath.Join(folder, "c"))
		return errB == nil && errC == nil
	}, time.Minute, 5*time.Millisecond)

	begin := time.Now()
	cancel()
	got := <-done
	require.Less(t, time.Since(begin), 2*time.Second)
	require.Equal(t, exitInterrupted, got.code)
	require.Contains(t, got.stderr, "stopped before the end; 1 of 4 notebooks ran without an error")
	table := strings.ReplaceAll(strings.Join(rows(got.stdout), "\n"), folder+"/", "")
	require.Equal(t, `notebook cells run failed time result
a.ipynb 1 of 1 0 T ok
b.ipynb 2 of 2 0 T stopped
c.ipynb 1 of 1 0 T stopped
d.ipynb 0 of 1 0 T not run`, table)
	nb, err := nbformat.Read(filepath.Join(out, "b.ipynb"))
	require.NoError(t, err)
	require.Equal(t, "so far\n", nb.Cells[0].Outputs[0].Text)
	require.Equal(t, "Interrupted", nb.Cells[1].Outputs[0].EName)
	require.NoFileExists(t, filepath.Join(out, "d.ipynb"))
}

// misdeed is an error of a kernel, with the message that its cell must show.
type misdeed struct{ code, ename, want string }

func testMisdeeds(t *testing.T, cellTimeout string, misdeeds []misdeed) {
	t.Helper()
	cells := map[string][]string{"unknown": {jupytertest.Unknown}}
	for _, m := range misdeeds {
		cells[m.code] = []string{jupytertest.Fine, m.code, jupytertest.Fine}
	}
	folder := fakeNotebooks(t, jupytertest.Fake, cells)
	out := t.TempDir()
	got := runArgs(t.Context(), "run", folder, "-j", "4", "--cell-timeout", cellTimeout, "-o", out)
	require.Equal(t, exitNotRight, got.code)
	require.Contains(t, got.stderr, fmt.Sprintf("%d of %d notebooks failed", len(misdeeds), len(cells)))
	require.Contains(t, got.stderr, `unknown.ipynb: ignored a message of the unknown type "frobnicate"`)
	for _, m := range misdeeds {
		require.Contains(t, strings.Join(rows(got.stdout), "\n"),
			filepath.Join(folder, m.code)+".ipynb 2 of 3 1 T cell 2: "+m.want)
		nb, err := nbformat.Read(filepath.Join(out, m.code+".ipynb"))
		require.NoError(t, err, m.code)
		require.Equal(t, "before\n", nb.Cells[0].Outputs[0].Text, m.code)
		outputs := nb.Cells[1].Outputs
		require.True(t, strings.HasPrefix(outputs[0].Text, "before\n"), m.code)
		require.LessOrEqual(t, len(outputs[0].Text), notebookrun.DefaultOutputLimit, m.code)
		last := outputs[len(outputs)-1]
		require.Equal(t, m.ename, last.EName, m.code)
		require.Contains(t, last.Plain(), m.want)
		require.Empty(t, nb.Cells[2].Outputs, m.code)
	}
}
