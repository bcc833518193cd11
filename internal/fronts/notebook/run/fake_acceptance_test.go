//go:build acceptance

package run

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// The tests of this file execute notebooks in a kernel that misbehaves. Each cell first prints a
// line. The tests of wgslab run cover slow failures, such as a missing reply.

// TestMisbehavingKernel requires a clear error for each misdeed, in the cell and after its output.
// Later cells must run as long as the kernel can run them.
func TestMisbehavingKernel(t *testing.T) {
	t.Setenv("JUPYTER_PATH", installFakes(t))
	spec, err := kernelspec.Find(jupytertest.Fake)
	require.NoError(t, err)
	const quick = time.Second
	type misdeed struct {
		deadline time.Duration
		ename    string
		want     string
		goesOn   bool
	}
	for code, want := range map[string]misdeed{
		jupytertest.Fails:        {time.Minute, "FakeError", "as it was told", true},
		jupytertest.Endless:      {quick, "DeadlineExceeded", "not finished after 1s", true},
		jupytertest.DiesOnCall:   {quick, "KernelDied", "the fake kernel died (exit status 137); its last output:\n    out of memory", false},
		jupytertest.LastWords:    {time.Minute, "KernelDied", "the fake kernel died (signal: killed)", false},
		jupytertest.BadSignature: {time.Minute, "KernelFailed", "the signature of the message is wrong; the connection cannot be trusted any more", false},
		jupytertest.Garbage:      {time.Minute, "KernelFailed", "the frames are not a Jupyter message", false},
		jupytertest.Flood:        {time.Minute, "OutputLimit", "more than 1 MB of output; wgslab cut off the rest", true},
		jupytertest.OneLine:      {time.Minute, "OutputLimit", "more than 1 MB of output; wgslab cut off the rest", true},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			kernel := startFake(t, spec)
			nb := python(code, jupytertest.Fine)
			err := Run(t.Context(), nb, kernel, Options{CellDeadline: want.deadline, AllowErrors: true, OutputLimit: 1_000_000})
			var failures Failures
			require.ErrorAs(t, err, &failures)
			require.Len(t, failures, 1)
			require.ErrorContains(t, failures[0], want.want)

			outputs := nb.Cells[0].Outputs
			require.Len(t, outputs, 2)
			require.True(t, strings.HasPrefix(outputs[0].Text, "before\n"), "the output so far is kept")
			require.NotContains(t, outputs[0].Text, "forged")
			require.Equal(t, want.ename, outputs[1].EName)
			require.Contains(t, outputs[1].EValue, want.want)
			if want.goesOn {
				require.Equal(t, "before\n", nb.Cells[1].Outputs[0].Text)
			} else {
				require.Empty(t, nb.Cells[1].Outputs)
			}
			_, err = nb.Encode()
			require.NoError(t, err)
		})
	}
	t.Run("unknown messages are a note", func(t *testing.T) {
		t.Parallel()
		nb := python(jupytertest.Unknown, jupytertest.Unknown)
		var notices []string
		require.NoError(t, Run(t.Context(), nb, startFake(t, spec), Options{Notice: func(text string) { notices = append(notices, text) }}))
		require.Equal(t, []string{`ignored a message of the unknown type "frobnicate" from the kernel`}, notices)
	})
	t.Run("a kernel that died meanwhile", func(t *testing.T) {
		t.Parallel()
		nb := python(jupytertest.DiesAfter, jupytertest.Fine)
		var dead *jupyter.DeadError
		require.ErrorAs(t, Run(t.Context(), nb, startFake(t, spec), bounded), &dead)
		require.Equal(t, []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "before\n"}}, nb.Cells[0].Outputs)
		require.Equal(t, "KernelDied", nb.Cells[1].Outputs[0].EName)
	})
	t.Run("a run that is stopped", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("Ctrl-C")
		nb := python(jupytertest.Fine, jupytertest.Endless, jupytertest.Fine)
		options := Options{Started: func(n, _ int) {
			if n == 2 {
				cancel(reason)
			}
		}}
		require.ErrorIs(t, Run(ctx, nb, startFake(t, spec), options), reason)
		require.Equal(t, "before\n", nb.Cells[0].Outputs[0].Text)
		last := nb.Cells[1].Outputs[len(nb.Cells[1].Outputs)-1]
		require.Equal(t, "Interrupted", last.EName)
		require.Equal(t, "stopped before its end: Ctrl-C", last.EValue)
		require.Empty(t, nb.Cells[2].Outputs)
	})
}

// A flood of 100 MB uses no more memory than the part of it that is kept.
func TestFloodStaysFlat(t *testing.T) {
	t.Setenv("JUPYTER_PATH", installFakes(t))
	spec, err := kernelspec.Find(jupytertest.Fake)
	require.NoError(t, err)
	kernel := startFake(t, spec)
	before := heap()
	watching, stop := context.WithCancel(t.Context())
	highest := make(chan uint64)
	go func() {
		var most uint64
		for watching.Err() == nil {
			most = max(most, heap())
			time.Sleep(5 * time.Millisecond)
		}
		highest <- most
	}()
	nb := python(jupytertest.Flood)
	var limit *outputLimitError
	require.ErrorAs(t, Run(t.Context(), nb, kernel, Options{OutputLimit: 1_000_000}), &limit)
	stop()
	require.Less(t, <-highest-before, uint64(30<<20))
}

// heap returns the bytes of the heap in use, including garbage.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// installFakes returns a folder for JUPYTER_PATH.
func installFakes(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, jupytertest.Install(dir))
	return dir
}

func startFake(t *testing.T, spec kernelspec.Spec) *jupyter.Kernel {
	t.Helper()
	kernel, err := jupyter.Start(t.Context(), spec, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kernel.Shutdown(context.Background())) })
	return kernel
}
