//go:build acceptance

package run

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// The tests of this file drive Jupyter's own Python kernel: another protocol
// version than GoNB's, interrupted by a signal, with results and displays that
// change.

func startPython(t *testing.T) *jupyter.Kernel {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	t.Setenv("IPYTHONDIR", t.TempDir()) // no history of the user's
	spec, err := kernelspec.Find("python3", filepath.Join(root, ".venv"))
	require.NoError(t, err, "run `make setup` first: it installs JupyterLab and with it the Python kernel")
	kernel, err := jupyter.Start(t.Context(), spec, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kernel.Shutdown(context.Background())) })
	return kernel
}

// python makes a notebook of Python cells.
func python(sources ...string) *nbformat.Notebook {
	nb := &nbformat.Notebook{}
	for _, source := range sources {
		nb.Cells = append(nb.Cells, &nbformat.Cell{Type: nbformat.Code, Source: source})
	}
	return nb
}

func TestPython(t *testing.T) {
	kernel := startPython(t)
	options := bounded
	options.Notice = func(text string) { t.Errorf("notice: %s", text) }

	t.Run("outputs", func(t *testing.T) {
		nb := python(
			"import sys\nprint('out')\nprint('err', file=sys.stderr)",
			"6 * 7",
			"from IPython.display import HTML, display\nhandle = display(HTML('<b>old</b>'), display_id='it')\ndisplay('plain')",
			"handle.update(HTML('<b>new</b>'))",
			"from IPython.display import clear_output\nprint('gone')\nclear_output(wait=True)\nprint('kept')",
			// ipykernel reads descriptor 1 in another thread, and does not wait for it at the end
			// of a cell.
			"import os, subprocess, time\nsubprocess.run(['echo', 'of a child'])\nos.write(1, b'by its number\\n')\ntime.sleep(2)",
		)
		require.NoError(t, Run(t.Context(), nb, kernel, options))
		outputs := func(i int) []*nbformat.Output { return nb.Cells[i].Outputs }
		require.Equal(t, []*nbformat.Output{
			{Type: nbformat.Stream, Name: "stdout", Text: "out\n"}, {Type: nbformat.Stream, Name: "stderr", Text: "err\n"},
		}, outputs(0))
		require.Equal(t, []*nbformat.Output{{
			Type: nbformat.ExecuteResult, ExecutionCount: nb.Cells[1].ExecutionCount,
			Data: map[string]any{"text/plain": "42"}, Metadata: map[string]any{},
		}}, outputs(1))
		require.Equal(t, 2, *nb.Cells[1].ExecutionCount)
		require.Len(t, outputs(2), 2)
		require.Equal(t, nbformat.DisplayData, outputs(2)[0].Type)
		require.Equal(t, "<b>new</b>", outputs(2)[0].Data["text/html"], "a later cell changed it")
		require.Equal(t, "'plain'", outputs(2)[1].Data["text/plain"])
		require.Empty(t, outputs(3))
		require.Equal(t, []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "kept\n"}}, outputs(4))
		require.NotEmpty(t, outputs(5))
		require.Contains(t, outputs(5)[0].Text, "of a child\n")
		require.Equal(t, "python3", nb.Kernel())
		require.Equal(t, "python", nb.Metadata["language_info"].(map[string]any)["name"])
	})

	t.Run("an error", func(t *testing.T) {
		nb := python("print('so far')\n1 / 0", "print('not run')")
		var raised *nbformat.Raised
		require.ErrorAs(t, Run(t.Context(), nb, kernel, options), &raised)
		require.Equal(t, "ZeroDivisionError: division by zero", raised.Error())
		require.Contains(t, strings.Join(raised.Traceback, "\n"), "division by zero")
		require.Equal(t, "so far\n", nb.Cells[0].Outputs[0].Text)
		require.Equal(t, nbformat.Error, nb.Cells[0].Outputs[1].Type)
		require.Empty(t, nb.Cells[1].Outputs)
	})

	// After an error, a kernel refuses the waiting requests unless it is told not to.
	t.Run("errors are allowed", func(t *testing.T) {
		var sources []string
		for range 50 {
			sources = append(sources, "1 / 0", "print('goes on')")
		}
		nb := python(sources...)
		allowed := options
		allowed.AllowErrors = true
		var failures Failures
		require.ErrorAs(t, Run(t.Context(), nb, kernel, allowed), &failures)
		require.Len(t, failures, 50)
		for i := 1; i < len(nb.Cells); i += 2 {
			require.Equal(t, "goes on\n", nb.Cells[i].Outputs[0].Text)
		}
	})

	t.Run("tags", func(t *testing.T) {
		nb := python("1 / 0", "exit(3)", "print('goes on')")
		nb.Cells[0].Metadata = map[string]any{"tags": []any{"raises-exception"}}
		nb.Cells[1].Metadata = map[string]any{"tags": []any{"skip-execution"}}
		nb.Cells[1].Outputs = []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "of another day\n"}}
		require.NoError(t, Run(t.Context(), nb, kernel, options))
		require.Equal(t, "ZeroDivisionError", nb.Cells[0].Outputs[0].EName)
		require.Equal(t, "of another day\n", nb.Cells[1].Outputs[0].Text)
		require.Equal(t, "goes on\n", nb.Cells[2].Outputs[0].Text)
	})

	t.Run("input is refused", func(t *testing.T) {
		nb := python("input('your name: ')")
		var raised *nbformat.Raised
		require.ErrorAs(t, Run(t.Context(), nb, kernel, options), &raised)
		require.Equal(t, "StdinNotImplementedError", raised.EName)
	})

	t.Run("a deadline interrupts by a signal", func(t *testing.T) {
		nb := python("import time\nprint('so far', flush=True)\ntime.sleep(600)", "print('goes on')")
		late := options
		late.AllowErrors, late.CellDeadline = true, time.Second
		var deadline *jupyter.DeadlineError
		require.ErrorAs(t, Run(t.Context(), nb, kernel, late), &deadline)
		outputs := nb.Cells[0].Outputs
		require.Equal(t, "so far\n", outputs[0].Text)
		require.Equal(t, "KeyboardInterrupt", outputs[1].EName)
		require.Equal(t, "DeadlineExceeded", outputs[2].EName)
		require.Equal(t, "goes on\n", nb.Cells[1].Outputs[0].Text)
	})

	t.Run("a flood", func(t *testing.T) {
		nb := python("print('é' * 10_000_000)", "print('goes on')", "for i in range(10_000_000): print('x' * 100)")
		flood := options
		flood.AllowErrors, flood.OutputLimit = true, 1_000_001
		var failures Failures
		require.ErrorAs(t, Run(t.Context(), nb, kernel, flood), &failures)
		require.Len(t, failures, 2)
		for _, i := range []int{0, 2} {
			outputs := nb.Cells[i].Outputs
			require.Greater(t, len(outputs[0].Text), 900_000)
			require.Equal(t, outputs[0].Text, strings.ToValidUTF8(outputs[0].Text, ""))
			require.Equal(t, "OutputLimit", outputs[len(outputs)-1].EName)
		}
		require.Equal(t, "goes on\n", nb.Cells[1].Outputs[0].Text)
	})

	t.Run("the kernel is killed", func(t *testing.T) {
		nb := python("print('so far', flush=True)\nos.kill(os.getpid(), 9)", "print('not run')")
		allowed := options
		allowed.AllowErrors = true
		var failures Failures
		require.ErrorAs(t, Run(t.Context(), nb, kernel, allowed), &failures)
		require.Len(t, failures, 1)
		var dead *jupyter.DeadError
		require.ErrorAs(t, failures[0], &dead)
		require.Equal(t, "signal: killed", dead.State)
		last := nb.Cells[0].Outputs[len(nb.Cells[0].Outputs)-1]
		require.Equal(t, "KernelDied", last.EName)
		require.Empty(t, nb.Cells[1].Outputs)
	})
}

// A forked child holds the kernel's sockets open. The client must still notice the kernel's death.
func TestPythonDiesAndLeavesAChild(t *testing.T) {
	kernel := startPython(t)
	nb := python("import os, time\nif os.fork() == 0: time.sleep(600)\nos.kill(os.getpid(), 9)")
	begin := time.Now()
	var dead *jupyter.DeadError
	require.ErrorAs(t, Run(t.Context(), nb, kernel, bounded), &dead)
	require.Less(t, time.Since(begin), 4*time.Second)
}
