//go:build acceptance

package acceptance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/run"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/networks/cellrun"
)

// Runs every notebook as it ships and with the reference shaders, and every check
// alone, each in its own real kernel.
func TestNotebooks(t *testing.T) {
	var times timings
	t.Run("run", func(t *testing.T) { // ends when all parallel subtests have ended
		for _, path := range lab.WithBeyond(t) {
			name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
			t.Run(name+"/shipped", func(t *testing.T) {
				t.Parallel()
				testShipped(t, lab.Notebook(t, path), times.of(name, "shipped"))
			})
			t.Run(name+"/solved", func(t *testing.T) {
				t.Parallel()
				nb := lab.Notebook(t, path)
				testSolved(t, nb, times.of(name, "solved"))
				solvedBefore.Store(solvedHow{path, true}, nb)
			})
			for _, id := range lab.CheckedIn(lab.Notebook(t, path)) {
				t.Run(name+"/alone/"+id, func(t *testing.T) {
					t.Parallel()
					testAlone(t, lab.Notebook(t, path), id, times.of(name, "check "+id+" alone"))
				})
			}
		}
	})
	t.Logf("how long they took (two at a time):\n%s", times.table())
}

// In the notebooks as they ship, every check says that the shader is still empty, and
// ends its cell with an error. Every other cell passes.
func testShipped(t *testing.T, nb *nbformat.Notebook, times *timing) {
	failures := execute(t, nb, times)
	for _, cell := range codeCells(nb) {
		id, isCheck := lab.Checked(cell)
		if !isCheck {
			require.NotContains(t, failures, cell.ID, "%s should pass with the skeletons in place", describe(cell))
			continue
		}
		require.Contains(t, failures, cell.ID, "%s should end with an error while its shader is a skeleton", describe(cell))
		for _, mime := range []string{"text/plain", "text/html"} {
			shown := displayed(cell, mime)
			if strings.HasPrefix(id, "find-") {
				require.Contains(t, shown, "name the line with the bug yet", "what %s shows as %s", describe(cell), mime)
				continue
			}
			require.Contains(t, shown, id+": not started", "what %s shows as %s", describe(cell), mime)
			require.Contains(t, shown, "Nothing is written yet", "what %s shows as %s", describe(cell), mime)
		}
	}
	requireCleanStderr(t, nb)
}

// With the reference shaders every cell passes, and every check says so.
func testSolved(t *testing.T, nb *nbformat.Notebook, times *timing) {
	require.NoError(t, lab.Solve(lab.Root(t), nb))
	failures := execute(t, nb, times)
	for _, cell := range codeCells(nb) {
		require.NotContains(t, failures, cell.ID, "%s should pass with the reference shaders in place", describe(cell))
		if id, isCheck := lab.Checked(cell); isCheck {
			for _, mime := range []string{"text/plain", "text/html"} {
				require.Contains(t, displayed(cell, mime), id+": right", "what %s shows as %s", describe(cell), mime)
			}
		}
	}
	requireCleanStderr(t, nb)
}

// solvedBefore holds the notebooks that ran with the reference shaders, by solvedHow.
var solvedBefore sync.Map

type solvedHow struct {
	path   string
	driver bool
}

// solved returns a notebook after a run with the reference shaders; it runs it once.
func solved(t *testing.T, path string) *nbformat.Notebook { return solvedAs(t, solvedHow{path, true}) }

// solvedWithoutADriver is solved in the simulator; call hideDrivers first.
func solvedWithoutADriver(t *testing.T, path string) *nbformat.Notebook {
	return solvedAs(t, solvedHow{path, false})
}

func solvedAs(t *testing.T, how solvedHow) *nbformat.Notebook {
	t.Helper()
	if nb, done := solvedBefore.Load(how); done {
		return nb.(*nbformat.Notebook)
	}
	nb := lab.Notebook(t, how.path)
	testSolved(t, nb, &timing{})
	solvedBefore.Store(how, nb)
	return nb
}

// A check needs only the cell that writes its shader, so it runs right after a
// restart of the kernel.
func testAlone(t *testing.T, nb *nbformat.Notebook, id string, times *timing) {
	require.NoError(t, lab.Solve(lab.Root(t), nb))
	nb.Cells = slices.DeleteFunc(nb.Cells, func(cell *nbformat.Cell) bool {
		check, isCheck := lab.Checked(cell)
		shader, isShader := lab.AnswerOf(cell)
		return !(isCheck && check == id) && !(isShader && shader == id)
	})
	require.Len(t, nb.Cells, 2, "the cell with the answer, and the one that checks it")
	failures := execute(t, nb, times)
	require.Empty(t, failures)
	require.Contains(t, displayed(nb.Cells[1], "text/plain"), id+": right")
	requireCleanStderr(t, nb)
}

// execute runs a notebook in a fresh copy of the notebooks' folder and a fresh
// kernel, to its end whatever fails. It returns the cells that failed, by id.
func execute(t *testing.T, nb *nbformat.Notebook, times *timing) map[string]error {
	t.Helper()
	root, folder := lab.Root(t), t.TempDir()
	require.NoError(t, lab.CopyNotebooks(root, folder))
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run make setup: it builds and installs the kernel")
	spec.Env = maps.Clone(spec.Env)
	spec.Env[cellrun.Variable] = "1"

	began := time.Now()
	kernel, err := jupyter.Start(t.Context(), spec, folder)
	require.NoError(t, err)
	defer func() {
		require.NoError(t, kernel.Shutdown(context.Background()))
		times.total = time.Since(began)
	}()

	var notices []string
	err = run.Run(t.Context(), nb, kernel, run.Options{
		CellDeadline: 5 * time.Minute,
		Deadline:     20 * time.Minute,
		AllowErrors:  true,
		Started:      func(int, int) { times.next() },
		Notice:       func(text string) { notices = append(notices, text) },
	})
	times.finish()
	require.Empty(t, notices, "what the kernel did that was odd")
	failed := make(map[string]error)
	var failures run.Failures
	if !errors.As(err, &failures) {
		require.NoError(t, err)
	}
	for _, failure := range failures {
		var raised *nbformat.Raised
		require.ErrorAs(t, failure.Err, &raised, "%s was stopped", describe(failure.Cell))
		failed[failure.Cell.ID] = failure.Err
	}
	return failed
}

// requireCleanStderr requires that stderr has only GoNB's own message about a file. Shader cells
// and checks write nothing to stderr, also when they fail.
func requireCleanStderr(t *testing.T, nb *nbformat.Notebook) {
	t.Helper()
	for _, cell := range codeCells(nb) {
		want := ""
		if file, ok := cell.WrittenFile(); ok && filepath.Ext(file.Path) != ".wgsl" {
			want = fmt.Sprintf("Cell contents written to %q.\n", file.Path)
		}
		got := ""
		for _, output := range cell.Outputs {
			if output.Type == nbformat.Stream && output.Name == "stderr" {
				got += output.Text
			}
		}
		require.Equal(t, want, got, "stderr of %s", describe(cell))
	}
}

// displayed returns everything that a cell displays in one format.
func displayed(cell *nbformat.Cell, mime string) string {
	var all strings.Builder
	for _, output := range cell.Outputs {
		text, _ := output.Data[mime].(string)
		all.WriteString(text)
	}
	return all.String()
}

func codeCells(nb *nbformat.Notebook) []*nbformat.Cell {
	return slices.DeleteFunc(slices.Clone(nb.Cells), func(c *nbformat.Cell) bool { return c.Type != nbformat.Code })
}

// describe returns a cell's name and its output.
func describe(cell *nbformat.Cell) string {
	text := "cell " + cell.ID
	for _, output := range cell.Outputs {
		plain := output.Plain()
		text += "\n  | " + strings.ReplaceAll(strings.TrimSpace(plain), "\n", "\n  | ")
	}
	return text
}

// timings holds the running times of all notebooks.
type timings struct {
	mu  sync.Mutex
	all []*timing
}

// timing holds the running time of one notebook, including its kernel's start and end.
type timing struct {
	notebook, run string
	cells         []time.Time // when each began
	total         time.Duration
	slowest       time.Duration
	slowestCell   int
}

func (ts *timings) of(notebook, run string) *timing {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := &timing{notebook: notebook, run: run}
	ts.all = append(ts.all, t)
	return t
}

// next records the end of the running cell, if any, and the start of another one.
func (t *timing) next() {
	now := time.Now()
	if n := len(t.cells); n > 0 {
		if took := now.Sub(t.cells[n-1]); took > t.slowest {
			t.slowest, t.slowestCell = took, n
		}
	}
	t.cells = append(t.cells, now)
}

// finish records the end of the last cell.
func (t *timing) finish() {
	t.next()
	t.cells = t.cells[:len(t.cells)-1]
}

func (ts *timings) table() string {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	slices.SortStableFunc(ts.all, func(a, b *timing) int { return strings.Compare(a.notebook, b.notebook) })
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NOTEBOOK\tRUN\tCODE CELLS\tALL OF IT\tSLOWEST CELL")
	for _, t := range ts.all {
		fmt.Fprintf(table, "%s\t%s\t%d\t%.1f s\t%.1f s (cell %d)\n",
			t.notebook, t.run, len(t.cells), t.total.Seconds(), t.slowest.Seconds(), t.slowestCell)
	}
	table.Flush()
	return text.String()
}
