//go:build acceptance

// Package jupyterlab tests the course in the real JupyterLab in a real browser, with keyboard and
// mouse.
package jupyterlab

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// These tests share one server and one browser.
func TestJupyterLab(t *testing.T) {
	server, clone, browser := lab.For(t)
	t.Run("eyes", func(t *testing.T) { testEyesCanSee(t, server, clone, browser) })
	t.Run("wgsl", func(t *testing.T) { testWGSL(t, server, clone, browser) })
	for _, theme := range []string{"Light", "Dark"} {
		t.Run("minutes/"+theme, func(t *testing.T) { testTenMinutes(t, server, clone, browser, theme) })
		t.Run("print/"+theme, func(t *testing.T) { testPrint(t, server, clone, browser, theme) })
	}
	t.Run("learner", func(t *testing.T) { testLearner(t, server, clone, browser) })
	t.Run("folds", func(t *testing.T) { testFolds(t, server, clone, browser) })
	t.Run("follows", func(t *testing.T) { testFollows(t, server, clone, browser) })
	t.Run("pack", func(t *testing.T) { testPack(t, server, clone, browser) })
	for _, path := range lab.Notebooks(t) {
		name := filepath.Base(path)
		t.Run("opens/"+name, func(t *testing.T) {
			page := lab.Visit(t, server, clone, browser, name)
			testOpens(t, page)
			testSaves(t, page, filepath.Join(clone.Lessons(), name))
		})
	}
	t.Run("course", func(t *testing.T) { testCourse(t, server, clone, browser) })
}

// The side bar has the journal: what was checked, a hint that was opened, and a conversation.
func testJournal(t *testing.T, page *lab.Page) {
	require.NoError(t, page.Journal("add: not right yet"))
	hints, err := page.Cell("add-hints")
	require.NoError(t, err)
	require.NoError(t, page.OpenHint(hints, 2))
	require.NoError(t, page.KeepConversation("You: Why is it `3`?\nAI: What does line 6 do?", "add"))
	require.NoError(t, page.Journal("<p>Why is it <code>3</code>?</p>"))
	require.NoError(t, page.Journal("You opened hint 2"))
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(t, page.Screenshot(filepath.Join(dir, "journal-lab.png")))
	}
	require.NoError(t, page.ClickJournal())
}

// A learner opens lesson 2, gets `add` wrong, then writes one that does not compile, then a
// right one, and reads the check's answer each time.
func testLearner(t *testing.T, server *lab.Server, clone *lab.Clone, chromium *lab.Browser) {
	page := lab.Visit(t, server, clone, chromium, "02-add.ipynb")
	shader, err := page.Cell("add-shader")
	require.NoError(t, err)
	check, err := page.Cell("add-check")
	require.NoError(t, err)

	try := func(line string, expected ...string) {
		t.Helper()
		began := time.Now()
		require.NoError(t, page.Type(shader, lab.AddShader(t, line)))
		require.NoError(t, page.Run(shader))
		require.NoError(t, page.Run(check))
		for _, text := range expected {
			require.NoError(t, page.WaitText(check, text))
		}
		t.Logf("%q: typed, run and read in %.1f s", line, time.Since(began).Seconds())
		page.RequireNoFlaws(t, shader)
		page.RequireNoFlaws(t, check)
	}

	title, why, ask := misconception(t, "add", "subtract")
	try("out[0] = a[0] - b[0];", "✗ add: not right yet", title, why, ask, "Case pair ", "0 of 3 cases right")
	requireStill(t, page, check)
	prompt, err := page.AskTutor(check)
	require.NoError(t, err)
	for _, part := range []string{"Never write code that solves an exercise", "out[0] = a[0] - b[0];", title} {
		require.Contains(t, prompt, part)
	}
	// In a run of several cells, those after a failed one don't run: there is nothing to ask
	// about them.
	later, err := page.Cell("vector-add-check")
	require.NoError(t, err)
	for range 3 { // beside load, the later cells may reach the kernel after the failure, and run
		require.NoError(t, page.RunTogether(check, later))
		ran, err := page.HasOutput(later)
		require.NoError(t, err)
		if !ran {
			break
		}
	}
	for i, want := range map[int]bool{check: true, later: false} {
		has, err := page.HasTutor(i)
		require.NoError(t, err)
		require.Equal(t, want, has, "the tutor's button below cell %d", i)
	}
	testJournal(t, page)
	conversation := filepath.Join(clone.Lessons(), learner.Dir)
	require.NoError(t, learner.Keep(conversation, learner.Turn{Exercise: "add", Who: learner.Tutor, Text: "What?"}))
	require.Eventually(t, func() bool {
		copied, err := page.AskTutor(check)
		return err == nil && copied == "Use wgslab, and help me with add."
	}, time.Minute, time.Second, "an attached tutor has the rest already")
	require.NoError(t, page.Type(shader, lab.AddShader(t, "out[0] = a[0];")))
	require.NoError(t, page.WaitOutdated(true, shader, check), "what is about an earlier text is dimmed")
	require.NoError(t, page.Type(shader, lab.AddShader(t, "out[0] = a[0] - b[0];")))
	require.NoError(t, page.WaitOutdated(false, shader, check), "the text is the one that was checked")
	require.NoError(t, page.Type(shader, lab.AddShader(t, "out[0] = a[0] + c[0];")))
	require.NoError(t, page.Run(shader))
	require.NoError(t, page.WaitOutdated(false, shader))
	require.NoError(t, page.WaitOutdated(true, check), "the file has changed since the check")
	page.RequireNoFlaws(t, shader)
	require.NoError(t, page.Type(shader, lab.AddShader(t, "out[0] = a[0] + a[0];")))
	require.NoError(t, page.Run(shader))
	page.RequireNoFlaws(t, shader) // the error's room goes with the error
	try("out[0] = a[0] + c[0];", "✗ add: does not compile", "out[0] = a[0] + c[0];", "^")
	require.NoError(t, page.WaitOutdated(false, shader, check))
	requireStill(t, page, check) // what was unfolded to read it is folded again
	again := requireStill(t, page, check)
	require.Equal(t, again.Before, again.After, "a shader that does not compile is told the same again")
	require.Zero(t, again.Moved, "pixels by which the page below moved")
	try("out[0] = a[0] + b[0];", "✓ add: right", "all 3 cases right")

	text, err := page.Text(check)
	require.NoError(t, err)
	for _, old := range []string{"not right yet", "does not compile", "exit status"} {
		require.NotContains(t, text, old, "of what the earlier tries showed nothing is left")
	}
	page.RequireQuiet(t)
}

// A bug to find is folded until the exercise itself is right: it opens when the check passes, and
// when the notebook opens with a pass in it. A learner who folds it again finds it folded.
func testFolds(t *testing.T, server *lab.Server, clone *lab.Clone, chromium *lab.Browser) {
	const name, folded = "folds.ipynb", "find-vector-add-shader"
	path := filepath.Join(clone.Lessons(), name)
	require.NoError(t, os.WriteFile(path, []byte(lab.Read(t, filepath.Join(clone.Lessons(), "02-add.ipynb"))), 0o644))
	page := lab.Visit(t, server, clone, chromium, name)
	cells := map[string]int{}
	for _, id := range []string{"vector-add-shader", "vector-add-check", folded} {
		at, err := page.Cell(id)
		require.NoError(t, err)
		cells[id] = at
	}
	answer := func(line string) {
		t.Helper()
		right := lab.Read(t, filepath.Join(lab.Root(t), "exercises", "vector-add", "reference.wgsl"))
		require.Contains(t, right, "a[i] + b[i]")
		require.NoError(t, page.Type(cells["vector-add-shader"], "%%writefile work/vector-add.wgsl\n"+strings.TrimSuffix(strings.Replace(right, "a[i] + b[i]", line, 1), "\n")))
		require.NoError(t, page.Run(cells["vector-add-shader"]))
		require.NoError(t, page.Run(cells["vector-add-check"]))
	}
	require.NoError(t, page.WaitFolded(true, cells[folded]))
	shoot(t, page, cells[folded], "folded")
	answer("a[i] - b[i]")
	require.NoError(t, page.WaitText(cells["vector-add-check"], "vector-add: not right yet"))
	require.NoError(t, page.WaitFolded(true, cells[folded]), "the exercise isn't right yet")
	shoot(t, page, cells["vector-add-check"], "tutor")
	answer("a[i] + b[i]")
	require.NoError(t, page.WaitText(cells["vector-add-check"], "vector-add: right"))
	require.NoError(t, page.WaitFolded(false, cells[folded]))
	shoot(t, page, cells[folded], "unfolded")
	require.NoError(t, page.Press('s', kb.ModifierCtrl))
	shipped := page.Notebook.Cells[cells[folded]].Metadata
	var nb *nbformat.Notebook
	require.Eventually(t, func() bool {
		saved, err := nbformat.Read(path) // an error while it is being written
		nb = saved
		return err == nil && nb.Cells[cells[folded]].Metadata["jupyter"] == nil
	}, 20*time.Second, 100*time.Millisecond, "JupyterLab did not save it")
	require.Equal(t, map[string]any{"nbgrader": shipped["nbgrader"]}, nb.Cells[cells[folded]].Metadata)
	page.RequireQuiet(t)

	for opens, metadata := range map[bool]map[string]any{true: shipped, false: {"jupyter": shipped["jupyter"]}} {
		nb.Cells[cells[folded]].Metadata = metadata
		passed := fmt.Sprintf("passed-%t.ipynb", opens)
		require.NoError(t, nb.Write(filepath.Join(clone.Lessons(), passed)))
		again := lab.Visit(t, server, clone, chromium, passed)
		require.NoError(t, again.WaitFolded(!opens, cells[folded]))
		again.RequireQuiet(t)
	}
}

// A notebook is closed while a cell runs, and opened again: the cell shows what it has printed in
// between, goes on with it, and ends.
func testFollows(t *testing.T, server *lab.Server, clone *lab.Clone, chromium *lab.Browser) {
	const name = "follows.ipynb"
	path := filepath.Join(clone.Lessons(), name)
	nb := lab.Notebook(t, filepath.Join(clone.Lessons(), "02-add.ipynb"))
	nb.Cells = []*nbformat.Cell{{ID: "steps", Type: nbformat.Code, Metadata: map[string]any{}, Source: `%noautoget
import (
	"fmt"
	"time"

	"github.com/wgslab/wgslab/pkg/show"
)
%%
place := show.NewPlace()
for step := range 40 {
	fmt.Println("step", step)
	place.Show(show.Note{Title: fmt.Sprint("here: ", step)})
	time.Sleep(time.Second / 2)
}`}}
	require.NoError(t, nb.Write(path))
	page := lab.Visit(t, server, clone, chromium, name)
	require.NoError(t, page.Start(0))
	require.NoError(t, page.WaitText(0, "step 3"))
	page.Close()
	again, err := chromium.OpenRunning(server, clone, name)
	require.NoError(t, err)
	again.CloseAtEnd(t)
	require.NoError(t, again.WaitText(0, "step 9"), "it goes on while the cell runs")
	text, err := again.Text(0)
	require.NoError(t, err)
	require.NotContains(t, text, "step 39", "it isn't over")
	shoot(t, again, 0, "follows")
	require.NoError(t, again.WaitRan(0))
	require.NoError(t, again.WaitText(0, "step 39"))
	text, err = again.Text(0)
	require.NoError(t, err)
	require.Equal(t, 40, strings.Count(text, "step"), "each line once: %s", text)
	require.Equal(t, 1, strings.Count(text, "here: "), "an output that changes stays one: %s", text)
	require.Contains(t, text, "here: 39")
	require.NoError(t, again.Run(0), "the kernel takes the next run")
}

// shoot leaves a picture of a cell in the folder that WGSLAB_SCREENSHOTS names.
func shoot(t *testing.T, page *lab.Page, cell int, name string) {
	dir := os.Getenv("WGSLAB_SCREENSHOTS")
	if dir == "" {
		return
	}
	require.NoError(t, chromedp.Do(page.Tab(), chromedp.Evaluate[chromedp.Void](fmt.Sprintf("acceptance.cell(%d).scrollIntoView({ block: 'end' })", cell))))
	require.NoError(t, page.Screenshot(filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "-")+"-"+name+".png")))
}

// requireStill checks again, and requires that the output never gets lower than before and after.
func requireStill(t *testing.T, page *lab.Page, check int) browser.Motion {
	t.Helper()
	seen, err := page.Check(check)
	require.NoError(t, err)
	t.Logf("the verdict was there after %.0f ms, and rested after %.0f; it moved the page by %.0f px", seen.First, seen.Last, seen.Moved)
	require.GreaterOrEqual(t, seen.Lowest, min(seen.Before, seen.After), "the output collapsed")
	return seen
}

// Exercises that somebody put beside a notebook work as those of the course: here vector-add, under
// another id.
func testPack(t *testing.T, server *lab.Server, clone *lab.Clone, browser *lab.Browser) {
	own := filepath.Join(lab.Pack(t, filepath.Join(clone.Lessons(), "own")), "sum-up")
	page := lab.Visit(t, server, clone, browser, filepath.Join("own", "sums.ipynb"))
	shader, err := page.Cell("vector-add-shader")
	require.NoError(t, err)
	check, err := page.Cell("vector-add-check")
	require.NoError(t, err)
	try := func(source string, expected ...string) {
		t.Helper()
		require.NoError(t, page.Type(shader, "%%writefile work/sum-up.wgsl\n"+source))
		require.NoError(t, page.Run(shader))
		require.NoError(t, page.Run(check))
		for _, text := range expected {
			require.NoError(t, page.WaitText(check, text))
		}
		page.RequireNoFlaws(t, check)
	}
	title, why, ask := misconception(t, "vector-add", "local-id")
	try(lab.Read(t, filepath.Join(lab.Root(t), "exercises", "vector-add", "wrong", "local-id.wgsl")), "✗ sum-up: not right yet", title, why, ask)
	try(lab.Read(t, filepath.Join(own, "reference.wgsl")), "✓ sum-up: right")
	page.RequireQuiet(t)
}

// misconception returns an exercise's misconception with its texts as they are shown.
func misconception(t *testing.T, id, slug string) (title, why, ask string) {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	known, err := exercise.Misconceptions()
	require.NoError(t, err)
	i := slices.IndexFunc(known, func(m *course.Misconception) bool { return m.Slug == slug })
	require.GreaterOrEqual(t, i, 0, "%s knows the mistake %s", id, slug)
	plain := func(text string) string { return strings.ReplaceAll(text, "`", "") }
	return plain(known[i].Title), plain(known[i].Why), plain(known[i].Ask)
}

// A notebook opens with its pictures, its texts fit the window, and its hints read as the
// exercises define them.
func testOpens(t *testing.T, page *lab.Page) {
	var want, hints []string
	for i := range page.Notebook.Cells {
		page.RequireNoFlaws(t, i)
		found, err := page.Hints(i)
		require.NoError(t, err)
		hints = append(hints, found...)
	}
	for _, id := range lab.CheckedIn(page.Notebook) {
		exercise, err := course.Find(id)
		require.NoError(t, err)
		want = append(want, lab.Displayed(exercise.Hints)...)
	}
	require.Equal(t, want, hints, "the hints as they read in the page")
	page.RequireQuiet(t)
}

// Whoever opens a notebook and saves it leaves the file as it was, so Git shows no change.
func testSaves(t *testing.T, page *lab.Page, path string) {
	before := lab.Read(t, path)
	opened, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, page.Press('s', kb.ModifierCtrl))
	var after string
	require.Eventually(t, func() bool {
		saved, err := os.Stat(path)
		after = lab.Read(t, path)
		return err == nil && saved.ModTime().After(opened.ModTime()) && strings.HasSuffix(after, "}\n") // all of it
	}, 20*time.Second, 20*time.Millisecond, "JupyterLab did not save it")
	require.Equal(t, before, after)
}

// The whole course is solved from the first cell to the last, one notebook after the other:
// no cell ends with an error, nothing looks broken, and in the end the map shows everything
// as passed.
func testCourse(t *testing.T, server *lab.Server, clone *lab.Clone, browser *lab.Browser) {
	paths := lab.Notebooks(t)
	for i, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) { // it closes its page: open pages use the processor
			nb := lab.Notebook(t, path)
			require.NoError(t, lab.Solve(lab.Root(t), nb))
			require.NoError(t, nb.Write(filepath.Join(clone.Lessons(), name)))
			page := lab.Visit(t, server, clone, browser, name)
			began := time.Now()
			for at, cell := range page.Notebook.Cells {
				// The page's cell never ends by itself: see TestDrawInJupyterLab.
				if cell.Type == nbformat.Code && cell.ID != lab.LiveCell {
					requireRuns(t, page, at, cell)
				}
			}
			t.Logf("solved in %.1f s", time.Since(began).Seconds())
			if i == len(paths)-1 {
				requireAllPassed(t, page)
			}
			page.RequireQuiet(t)
		})
	}
	for _, path := range paths {
		require.Equal(t, lab.Read(t, path), lab.Read(t, filepath.Join(clone.Notebooks(), filepath.Base(path))), "a day of work leaves the course's notebook as it was")
	}
}

func requireRuns(t *testing.T, page *lab.Page, at int, cell *nbformat.Cell) {
	t.Helper()
	require.NoError(t, page.Run(at), "cell %s", cell.ID)
	if id, ok := lab.Checked(cell); ok {
		require.NoError(t, page.WaitText(at, "✓ "+id+": right"))
	}
	text, err := page.Text(at)
	require.NoError(t, err)
	require.NotContains(t, text, "exit status", "cell %s ended with an error", cell.ID)
	page.RequireNoFlaws(t, at)
}

// requireAllPassed runs the map again.
func requireAllPassed(t *testing.T, page *lab.Page) {
	t.Helper()
	at, err := page.Cell("map")
	require.NoError(t, err)
	require.NoError(t, page.Run(at))
	exercises := 0
	for _, l := range course.Lessons {
		for _, e := range l.Exercises() {
			if !e.Stretch {
				exercises++
			}
		}
	}
	require.NoError(t, page.WaitText(at, fmt.Sprintf("%d of %d exercises passed", exercises, exercises)))
}

// A notebook that opens with a picture missing, or with a display that is too
// wide, is found out: the eyes of the tests above can see.
func testEyesCanSee(t *testing.T, server *lab.Server, clone *lab.Clone, browser *lab.Browser) {
	const name = "flaws.ipynb"
	cells := []string{
		`![a picture that is not there](images/nowhere.svg)`,
		`<table style=\"width:4000px\"><tr><td>wide</td></tr></table>`,
		`&lt;div class=x&gt;raw&lt;/div&gt;`,
		`All is well here.`,
	}
	var all []string
	for i, source := range cells {
		all = append(all, fmt.Sprintf(`{"cell_type":"markdown","id":"c%d","metadata":{},"source":"%s"}`, i, source))
	}
	text := `{"cells":[` + strings.Join(all, ",") + `],"metadata":{"kernelspec":{"display_name":"Go (gonb)","language":"go","name":"gonb"}},"nbformat":4,"nbformat_minor":5}`
	require.NoError(t, os.WriteFile(filepath.Join(clone.Lessons(), name), []byte(text), 0o644))
	page := lab.Visit(t, server, clone, browser, name)
	for i, want := range []string{"broken: a picture that is not there", "overflow: ", "mark-up that reads as text: <div"} {
		flaws, err := page.Flaws(i)
		require.NoError(t, err)
		require.NotEmpty(t, flaws, "flaws of %s", cells[i])
		require.Contains(t, flaws[0], want)
	}
	page.RequireNoFlaws(t, len(cells)-1)
}
