//go:build acceptance

package acceptance

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ladder"
	"github.com/wgslab/wgslab/internal/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/notebook/run"
	"github.com/wgslab/wgslab/shaders"
)

// The notebook on speed runs as shipped and with the reference rungs filled in.
func TestHowFast(t *testing.T) {
	path := filepath.Join(checkout.Root(t), "notebooks", "beyond", "how-fast.ipynb")
	t.Run("shipped", func(t *testing.T) {
		nb := checkout.Notebook(t, path)
		for _, cell := range codeCells(nb) {
			require.Empty(t, cell.Outputs, "%s ships cleared", cell.ID)
		}
		failures := executeBeyond(t, nb)
		for _, cell := range codeCells(nb) {
			if rung, tried := triedIn(cell); tried {
				require.Contains(t, failures, cell.ID, describe(cell))
				require.Contains(t, displayed(cell, "text/plain"), rung+": not started")
			} else {
				require.NotContains(t, failures, cell.ID, describe(cell))
			}
		}
	})
	t.Run("solved", func(t *testing.T) {
		nb := checkout.Notebook(t, path)
		solved := 0
		for _, cell := range codeCells(nb) {
			if rung, ok := rungOf(cell); ok {
				source, err := shaders.Source("fast/" + rung)
				require.NoError(t, err)
				require.NoError(t, cell.SetFileBody(source))
				solved++
			}
		}
		require.Len(t, ladder.Rungs, solved, "the learner writes each rung")
		failures := executeBeyond(t, nb)
		for _, cell := range codeCells(nb) {
			require.NotContains(t, failures, cell.ID, describe(cell))
			if rung, tried := triedIn(cell); tried {
				require.Contains(t, displayed(cell, "text/plain"), rung+": right")
			}
		}
		last := codeCells(nb)[len(codeCells(nb))-1]
		for _, r := range ladder.Rungs {
			require.Contains(t, displayed(last, "text/plain"), "your "+r.Name)
		}
		require.Contains(t, displayed(last, "text/plain"), "the roof")
	})
}

var tryCall = regexp.MustCompile(`race\.Try\("([^"]*)"\)`)

func triedIn(cell *nbformat.Cell) (rung string, ok bool) {
	match := tryCall.FindStringSubmatch(cell.Source)
	if match == nil {
		return "", false
	}
	return match[1], true
}

// rungOf returns the rung that a learner's cell answers.
func rungOf(cell *nbformat.Cell) (rung string, ok bool) {
	file, ok := cell.WrittenFile()
	if !ok {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file.Path), "fast-"), ".wgsl"), true
}

// executeBeyond runs a notebook of notebooks/beyond to its end, past failing cells,
// and returns the cells that failed.
func executeBeyond(t *testing.T, nb *nbformat.Notebook) map[string]error {
	t.Helper()
	root, folder := checkout.Root(t), t.TempDir()
	require.NoError(t, lab.CopyNotebooks(root, folder))
	beyond := filepath.Join(folder, "beyond")
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run make setup: it builds and installs the GoNB kernel")
	kernel, err := jupyter.Start(t.Context(), spec, beyond)
	require.NoError(t, err)
	defer func() { require.NoError(t, kernel.Shutdown(context.Background())) }()
	err = run.Run(t.Context(), nb, kernel, run.Options{CellDeadline: 3 * time.Minute, Deadline: 15 * time.Minute, AllowErrors: true})
	failed := map[string]error{}
	var failures run.Failures
	if !errors.As(err, &failures) {
		require.NoError(t, err)
	}
	for _, failure := range failures {
		failed[failure.Cell.ID] = failure.Err
	}
	return failed
}
