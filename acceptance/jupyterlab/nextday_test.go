//go:build acceptance

package jupyterlab

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/checkout"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/ipynb/nbformat"
)

// A learner stops in the middle of lesson 5. The next day the course has changed: a cell that the
// learner changed as well, one that the learner didn't, and a new one. All of the learner's work is
// there, runs, and counts; what the course changed is there, too.
func TestTheNextDay(t *testing.T) {
	const name = "05-reduce.ipynb"
	clone, err := lab.NewClone(checkout.Root(t), t.TempDir())
	require.NoError(t, err)
	chromium, err := lab.OpenBrowser(t.Context())
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	day := func(work func(*lab.Server, *lab.Page)) {
		t.Helper()
		server, err := lab.StartServer(context.Background(), clone)
		require.NoError(t, err)
		defer func() { require.NoError(t, server.Stop()) }()
		page, err := chromium.Open(server, clone, name)
		require.NoError(t, err)
		defer page.Close()
		work(server, page)
		page.RequireQuiet(t)
	}
	cell := func(page *lab.Page, id string) int {
		t.Helper()
		at, err := page.Cell(id)
		require.NoError(t, err)
		return at
	}
	shows := func(page *lab.Page, id, want string) {
		t.Helper()
		text, err := page.Text(cell(page, id)) // JupyterLab doesn't draw a distant cell
		require.NoError(t, err)
		require.Contains(t, text, want)
	}
	solved := checkout.Notebook(t, filepath.Join(clone.Notebooks(), name))
	require.NoError(t, lab.Solve(checkout.Root(t), solved))
	answers := map[string]string{}
	for _, c := range solved.Cells {
		answers[c.ID] = c.Source
	}

	day(func(_ *lab.Server, page *lab.Page) {
		for _, id := range []string{"reverse-64", "sum-64"} {
			require.NoError(t, page.Type(cell(page, id+"-shader"), answers[id+"-shader"]))
			require.NoError(t, page.Run(cell(page, id+"-shader")))
		}
		require.NoError(t, page.Run(cell(page, "reverse-64-check")))
		require.NoError(t, page.WaitText(cell(page, "reverse-64-check"), "✓ reverse-64: right"))
		require.NoError(t, page.Save())
	})

	course := checkout.Notebook(t, filepath.Join(clone.Notebooks(), name))
	for i, c := range course.Cells {
		switch c.ID {
		case "reverse-64-shader":
			c.Source += "\n// A new comment in the skeleton.\n"
		case "row-max-task":
			c.Source += "\n\nA new sentence in the task.\n"
			added := &nbformat.Cell{ID: "added", Type: nbformat.Markdown, Metadata: map[string]any{}, Source: "A new cell."}
			course.Cells = append(course.Cells[:i+1:i+1], append([]*nbformat.Cell{added}, course.Cells[i+1:]...)...)
		}
	}
	require.NoError(t, course.Write(filepath.Join(clone.Notebooks(), name)))

	day(func(_ *lab.Server, page *lab.Page) {
		require.Len(t, page.Notebook.Cells, len(course.Cells)+1, "the note")
		require.NoError(t, page.WaitSource(cell(page, "reverse-64-shader"), answers["reverse-64-shader"]))
		shows(page, "reverse-64-check", "✓ reverse-64: right")
		shows(page, "update-reverse-64-shader", "Yours stays.")
		shoot(t, page, cell(page, "update-reverse-64-shader"), "note")
		shows(page, "row-max-task", "A new sentence in the task.")
		shows(page, "added", "A new cell.")
		require.NoError(t, page.Run(cell(page, "sum-64-check")), "with yesterday's file")
		shows(page, "sum-64-check", "✓ sum-64: right")
	})
}
