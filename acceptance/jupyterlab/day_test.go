//go:build acceptance

package jupyterlab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// A day is one after the other what a learner does, in one clone.
type day struct {
	*testing.T
	clone    *lab.Clone
	chromium *lab.Browser
	server   *lab.Server
	page     *lab.Page
	answers  map[string]string // of the open notebook's cells, by id
	axe      string
}

// A learner's day: tries, wrong and right, a notebook that is closed with a verdict and with a
// running cell, a restart, an endless cell. At night the course changes in the middle of lesson 5:
// a cell that the learner changed as well, one that the learner didn't, and a new one. The next day
// all work is there, runs and counts, what the course changed is there too, and the last lesson is
// solved. At each step no output has a flaw, axe-core finds nothing in it, and nothing has moved,
// or has taken the keyboard.
func TestADay(t *testing.T) {
	clone, err := lab.NewClone(lab.Root(t), t.TempDir())
	require.NoError(t, err)
	chromium, err := lab.OpenBrowser(t.Context())
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	d := &day{T: t, clone: clone, chromium: chromium,
		axe: lab.Read(t, filepath.Join(lab.Root(t), ".build", "axe", "axe_playwright_python", "axe.min.js"))}

	d.begins()
	d.opens("01-bootstrap.ipynb")
	d.right("hello")
	d.closes()
	d.opens("02-add.ipynb")
	d.tries()
	d.closes()
	d.opens("02-add.ipynb")
	d.shows("add-check", "✓ add: right")
	d.restarts()
	d.stopsAnEndlessCell()
	d.leavesARunningCell()
	d.opens(lesson5)
	d.right("reverse-64")
	require.NoError(t, d.page.Type(d.cell("sum-64-shader"), d.answers["sum-64-shader"]))
	require.NoError(t, d.page.Run(d.cell("sum-64-shader")))
	require.NoError(t, d.page.Save())
	written := d.answers["reverse-64-shader"]
	d.ends()

	course := changed(t, clone)

	d.begins()
	d.opens(lesson5)
	require.Len(t, d.page.Notebook.Cells, len(course.Cells)+1, "the note")
	require.NoError(t, d.page.WaitSource(d.cell("reverse-64-shader"), written))
	d.shows("reverse-64-check", "✓ reverse-64: right")
	d.shows("update-reverse-64-shader", "Yours stays.")
	shoot(t, d.page, d.cell("update-reverse-64-shader"), "note")
	d.shows("row-max-task", "A new sentence in the task.")
	d.shows("added", "A new cell.")
	require.NoError(t, d.page.Run(d.cell("sum-64-check")), "with yesterday's file")
	d.shows("sum-64-check", "✓ sum-64: right")
	d.closes()
	d.lastLesson()
	d.ends()
}

const lesson5 = "05-reduce.ipynb"

func (d *day) begins() {
	var err error
	d.server, err = lab.StartServer(context.Background(), d.clone)
	require.NoError(d, err)
	d.Cleanup(d.server.Kill)
}

func (d *day) ends() {
	d.closes()
	require.NoError(d, d.server.Stop())
	require.NotContains(d, d.server.Log(), "Traceback", "what a learner sees in the terminal")
}

func (d *day) opens(name string) {
	page, err := d.chromium.Open(d.server, d.clone, name)
	require.NoError(d, err)
	d.turnsTo(page, name)
}

// again opens a notebook whose kernel runs.
func (d *day) again(name string) {
	page, err := d.chromium.OpenRunning(d.server, d.clone, name)
	require.NoError(d, err)
	d.turnsTo(page, name)
}

func (d *day) turnsTo(page *lab.Page, name string) {
	d.page = page
	solved := lab.Notebook(d.T, filepath.Join(d.clone.Notebooks(), name))
	require.NoError(d, lab.Solve(lab.Root(d.T), solved))
	d.answers = map[string]string{}
	for _, c := range solved.Cells {
		d.answers[c.ID] = c.Source
	}
	require.NoError(d, chromedp.Do(page.Tab(), chromedp.Evaluate[chromedp.Void](d.axe)))
}

func (d *day) closes() {
	d.page.RequireQuiet(d.T)
	d.page.Close()
}

func (d *day) cell(id string) int {
	d.Helper()
	at, err := d.page.Cell(id)
	require.NoError(d, err)
	return at
}

func (d *day) shows(id, want string) {
	d.Helper()
	text, err := d.page.Text(d.cell(id)) // JupyterLab doesn't draw a distant cell
	require.NoError(d, err)
	require.Contains(d, text, want)
	d.looks(id)
}

// looks requires that neither the eye nor axe-core finds a fault in a cell, and takes its picture.
func (d *day) looks(id string) {
	d.Helper()
	at := d.cell(id)
	d.page.RequireNoFlaws(d.T, at)
	faults, err := chromedp.Run(d.page.Tab(), chromedp.Evaluate[[]string](fmt.Sprintf(`(async () => {
		const place = acceptance.cell(%d).querySelector('.jp-OutputArea, .jp-MarkdownOutput');
		const { violations } = await axe.run(place);
		return violations.map((v) => v.impact + ': ' + v.help + ': ' + v.nodes.map((n) => n.html).join(' '));
	})()`, at), chromedp.EvalAwaitPromise))
	require.NoError(d, err)
	require.Empty(d, faults, "%s", id)
	shoot(d.T, d.page, at, id)
}

// tries gets add wrong, then writes what doesn't compile, then a right one, with the keyboard.
func (d *day) tries() {
	for _, try := range []struct{ line, verdict string }{
		{"out[0] = a[0] - b[0];", "✗ add: not right yet"},
		{"out[0] = a[0] + c[0];", "✗ add: does not compile"},
		{"out[0] = a[0] + b[0];", "✓ add: right"},
	} {
		require.NoError(d, d.page.Type(d.cell("add-shader"), lab.AddShader(d.T, try.line)))
		require.NoError(d, d.page.Run(d.cell("add-shader")))
		d.looks("add-shader")
		d.checks("add", try.verdict)
	}
	require.NoError(d, d.page.Save())
}

// checks runs a check twice: the second time, nothing moves, and the keyboard stays where it was.
func (d *day) checks(id, verdict string) {
	d.Helper()
	at := d.cell(id + "-check")
	require.NoError(d, d.page.Run(at))
	require.NoError(d, d.page.WaitText(at, verdict))
	d.looks(id + "-check")
	keyboard := d.keyboard()
	requireStill(d.T, d.page, at)
	require.NoError(d, d.page.WaitText(at, verdict))
	require.Equal(d, keyboard, d.keyboard(), "a check of %s took the keyboard", id)
}

// keyboard names the element that has the keyboard, and its cell.
func (d *day) keyboard() string {
	d.Helper()
	has, err := chromedp.Run(d.page.Tab(), chromedp.Evaluate[string](`(() => {
		const element = document.activeElement, all = [...document.querySelectorAll('.jp-Cell')];
		return element.className.split(' ')[0] + ' of cell ' + all.indexOf(element.closest('.jp-Cell'));
	})()`))
	require.NoError(d, err)
	return has
}

// right writes the reference and checks it.
func (d *day) right(id string) {
	d.Helper()
	require.NoError(d, d.page.Type(d.cell(id+"-shader"), d.answers[id+"-shader"]))
	require.NoError(d, d.page.Run(d.cell(id+"-shader")))
	d.checks(id, "✓ "+id+": right")
}

func (d *day) restarts() {
	require.NoError(d, d.page.Restart())
	d.checks("add", "✓ add: right")
}

func (d *day) stopsAnEndlessCell() {
	at := d.cell("map")
	before := d.answers["map"]
	require.NoError(d, d.page.Type(at, "%%\nfor {\n}"))
	require.NoError(d, d.page.Start(at))
	time.Sleep(2 * time.Second) // it compiles, and runs
	require.NoError(d, d.page.Interrupt(at))
	require.NoError(d, d.page.Type(at, before))
	d.checks("add", "✓ add: right")
}

// leavesARunningCell closes the notebook while a cell prints, and finds all of it afterwards. The
// cell ends only once the notebook is open again, however long a busy machine takes.
func (d *day) leavesARunningCell() {
	at := d.cell("map")
	before := d.answers["map"]
	back := filepath.Join(d.TempDir(), "back")
	require.NoError(d, d.page.Type(at, "import (\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)\n%%\nfor i := range 24 {\n\tfmt.Println(\"step\", i)\n\ttime.Sleep(time.Second / 4)\n}\n"+
		"for i := range 1000 {\n\tif _, err := os.Stat("+strconv.Quote(back)+"); err == nil {\n\t\tfmt.Println(\"seen after\", i)\n\t\tbreak\n\t}\n\ttime.Sleep(time.Second / 10)\n}"))
	require.NoError(d, d.page.Start(at))
	require.NoError(d, d.page.WaitText(at, "step 1"))
	require.NoError(d, d.page.Save())
	d.closes()
	d.again("02-add.ipynb")
	require.NoError(d, os.WriteFile(back, nil, 0o644))
	require.NoError(d, d.page.WaitText(at, "step 23"))
	require.NoError(d, d.page.WaitText(at, "seen after"))
	require.NoError(d, d.page.WaitRan(at))
	d.looks("map")
	require.NoError(d, d.page.Type(at, before))
	require.NoError(d, d.page.Save())
	d.closes()
}

// changed updates the course's lesson 5.
func changed(t *testing.T, clone *lab.Clone) *nbformat.Notebook {
	path := filepath.Join(clone.Notebooks(), lesson5)
	course := lab.Notebook(t, path)
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
	require.NoError(t, course.Write(path))
	return course
}

// lastLesson solves lesson 16.
func (d *day) lastLesson() {
	d.opens(filepath.Join("beyond", "16-write.ipynb"))
	for i, cell := range d.page.Notebook.Cells {
		if cell.Type != nbformat.Code {
			continue
		}
		if d.answers[cell.ID] != cell.Source {
			require.NoError(d, d.page.Type(i, d.answers[cell.ID]))
		}
		requireRuns(d.T, d.page, i, cell)
		d.looks(cell.ID)
	}
}
