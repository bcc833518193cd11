//go:build acceptance

package jupyterlab

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/observe/debug"
)

// A learner debugs by mouse and keyboard, in JupyterLab's own panel. The dark theme only looks
// different, so it runs for screenshots alone.
func TestDebuggerInJupyterLab(t *testing.T) {
	themes := []string{"Light"}
	if os.Getenv("WGSLAB_SCREENSHOTS") != "" {
		themes = append(themes, "Dark")
	}
	for _, theme := range themes {
		t.Run(theme, func(t *testing.T) {
			server, clone, browser := lab.For(t)
			require.NoError(t, clone.Set("@jupyterlab/apputils-extension/themes", `{"theme": "JupyterLab `+theme+`"}`))
			l := &debugged{t: t, theme: strings.ToLower(theme)}
			l.open(lab.Visit(t, server, clone, browser, "02-add.ipynb"), "vector-add")
			l.write(l.reference())
			require.NoError(t, l.page.TurnDebuggerOn())
			l.part(t, "stepping", l.stepping)
			l.part(t, "console", l.console)
			l.part(t, "restart", l.restart)
			l.part(t, "comments", l.comments)
			l.part(t, "verdict", l.verdict)
			l.page.RequireQuiet(t)
			l.part(t, "reopened", func() { l.reopened(server, clone, browser) })
			l.open(lab.Visit(t, server, clone, browser, "05-softmax.ipynb"), "matmul-tiled")
			l.part(t, "race", l.race)
			l.page.RequireQuiet(t)
			l.open(lab.Visit(t, server, clone, browser, "05-reduce.ipynb"), "find-row-max")
			l.part(t, "find the bug", l.findBug)
			l.page.RequireQuiet(t)
		})
	}
}

// debugged is an open notebook whose exercise is being debugged.
type debugged struct {
	t             *testing.T
	theme         string
	page          *lab.Page
	id            string
	shader, check int
	cell          string // the text of the shader's
}

// part runs one part of the session and ends the test if it fails: later parts build on it.
func (l *debugged) part(t *testing.T, name string, what func()) {
	require.True(t, t.Run(name, func(t *testing.T) {
		outer := l.t
		l.t = t
		defer func() { l.t = outer }()
		what()
	}))
}

func (l *debugged) open(page *lab.Page, id string) {
	l.page, l.id = page, id
	var err error
	l.shader, err = page.Cell(id + "-shader")
	require.NoError(l.t, err)
	l.check, err = page.Cell(id + "-check")
	require.NoError(l.t, err)
}

func (l *debugged) reference() string {
	source, err := exercises.Reference(l.id)
	require.NoError(l.t, err)
	return strings.TrimSuffix(source, "\n")
}

// write types a shader into its cell and runs the cell.
func (l *debugged) write(source string) {
	l.t.Helper()
	l.cell = "%%writefile work/" + l.id + ".wgsl\n" + source
	require.NoError(l.t, l.page.Type(l.shader, l.cell))
	require.NoError(l.t, l.page.Run(l.shader))
}

// line returns the line of the shader's cell on which a text begins.
func (l *debugged) line(text string) int {
	l.t.Helper()
	before, _, found := strings.Cut(l.cell, text)
	require.True(l.t, found, text)
	return strings.Count(before, "\n") + 1
}

// stands waits until the debugger is stopped on the line that has text, and the panel shows the
// variable.
func (l *debugged) stands(text, variable string) {
	l.t.Helper()
	require.NoError(l.t, l.page.WaitStanding(l.shader, l.line(text)))
	require.NoError(l.t, l.page.WaitVariable(variable))
	require.NoError(l.t, l.page.WaitScope(debug.BufferScope))
}

// ends waits until the check shows a text and the debugger is no longer stopped.
func (l *debugged) ends(says string) {
	l.t.Helper()
	require.NoError(l.t, l.page.WaitText(l.check, says))
	require.NoError(l.t, l.page.WaitStanding(l.shader, 0))
}

func (l *debugged) shot(name string) {
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(l.t, l.page.Screenshot(filepath.Join(dir, name+"-"+l.theme+".png")))
	}
}

// shotOfCheck takes a screenshot with the check in view.
func (l *debugged) shotOfCheck(name string) {
	_, err := l.page.Text(l.check) // scrolls there
	require.NoError(l.t, err)
	l.shot(name)
}

// unclipped requires that the panel cuts off no title and no place.
func (l *debugged) unclipped() {
	l.t.Helper()
	clipped, err := l.page.Clipped()
	require.NoError(l.t, err)
	require.Empty(l.t, clipped)
}

const (
	goOn      = "debugger:continue"
	step      = "debugger:next"
	stepIn    = "debugger:stepIn"
	stepBack  = "wgslab:debug-back"
	terminate = "debugger:terminate"
	console   = "debugger:evaluate"
)

func (l *debugged) stepping() {
	page := l.page
	require.NoError(l.t, page.ClickBeside(l.shader, l.line("let i"), l.line("let i")))
	l.shot("breakpoint")
	require.NoError(l.t, page.Start(l.check))
	l.stands("let i", "id: vec3u(0u, 0u, 0u)")
	l.shot("stop")
	require.NoError(l.t, page.WaitFrames(2), "the neighbours are in the call stack")
	l.unclipped()
	require.NoError(l.t, page.DebuggerButton(step))
	l.stands("if (i", "i: 0u")
	require.NoError(l.t, page.WaitText(l.check, "vector-add"))
	l.shot("step")
	require.NoError(l.t, page.DebuggerButton(stepIn))
	l.stands("out[i] =", "i: 0u")
	require.NoError(l.t, page.DebuggerButton(stepBack))
	l.stands("if (i", "i: 0u")
	require.NoError(l.t, page.DebuggerButton(stepBack))
	l.stands("let i", "id: vec3u(0u, 0u, 0u)")
	l.shot("back")
	require.NoError(l.t, page.DebuggerButton(step))
	l.stands("if (i", "i: 0u")
	require.NoError(l.t, page.ClickFrame(1))
	l.stands("let i", "id: vec3u(1u, 0u, 0u)")
	l.shot("neighbour")
	require.NoError(l.t, page.DebuggerButton(goOn))
	require.NoError(l.t, page.WaitText(l.check, "Invocation 1,0,0 of workgroup 0,0,0 at line"))
	l.stands("let i", "id: vec3u(1u, 0u, 0u)")
	l.shotOfCheck("picture")
	// Without this, the other invocations would stop there as well.
	require.NoError(l.t, page.ClickBeside(l.shader, l.line("let i")))
	require.NoError(l.t, page.DebuggerButton(goOn))
	l.ends("✓ vector-add: right")
	l.shotOfCheck("end")
}

func (l *debugged) console() {
	page := l.page
	require.NoError(l.t, page.ClickBeside(l.shader, l.line("let i"), l.line("let i")))
	require.NoError(l.t, page.Start(l.check))
	l.stands("let i", "id: vec3u(0u, 0u, 0u)")
	require.NoError(l.t, page.WaitNoHole(l.check), "the picture takes the place of a verdict that was higher")
	l.shot("no-hole")
	require.NoError(l.t, page.Console("id.x + 40u", "40u"))
	require.NoError(l.t, page.Console("watch id.x * 2u", "id.x * 2u = 0u"))
	require.NoError(l.t, page.Console("invocation 5", "Invocation 5,0,0 of workgroup 0,0,0 at line"))
	l.stands("let i", "id: vec3u(5u, 0u, 0u)")
	require.NoError(l.t, page.WaitVariable("id.x * 2u: 10u"))
	require.NoError(l.t, page.Console("nonsense", "`nonsense`"))
	require.NoError(l.t, page.ClickBeside(l.shader, l.line("let i")))
	require.NoError(l.t, page.Console(fmt.Sprintf("break %d if i == 7u", l.line("if (i")), "Stops at line"))
	require.NoError(l.t, page.Console("anyone", "The next breakpoint"))
	l.shot("console")
	require.NoError(l.t, page.DebuggerButton(console)) // closes it
	require.NoError(l.t, page.DebuggerButton(goOn))
	l.stands("if (i", "i: 7u")
	require.NoError(l.t, page.WaitVariable("id.x * 2u: 14u"))
	l.shot("conditional")

	require.NoError(l.t, page.DebuggerButton(terminate))
	l.ends("✓ vector-add: right")
	require.NoError(l.t, page.WaitDebuggerOn(), "it looks as it is")
	require.NoError(l.t, page.WaitBreakpoints(l.line("if (i")), "JupyterLab has heard of the console's")
	require.NoError(l.t, page.ClickBeside(l.shader, l.line("if (i")))
}

// comments debugs with comments in the shader, for what JupyterLab has no controls for.
func (l *debugged) comments() {
	l.write(strings.Replace(l.reference(), "let i = id.x;", "let i = id.x; // debug: break if id.x == 3u\n  // debug: watch id.x + 100u", 1))
	require.NoError(l.t, l.page.Start(l.check))
	l.stands("let i", "id: vec3u(3u, 0u, 0u)")
	require.NoError(l.t, l.page.WaitVariable("id.x + 100u: 103u"))
	require.NoError(l.t, l.page.DebuggerButton(step))
	l.stands("if (i", "i: 3u")
	l.shot("watch")
	require.NoError(l.t, l.page.DebuggerButton(goOn))
	l.ends("✓ vector-add: right")
}

// restart restarts the kernel: the very next run stops. (For a second after a cell changes,
// JupyterLab has not settled which breakpoints it has.)
func (l *debugged) restart() {
	require.NoError(l.t, l.page.ClickBeside(l.shader, l.line("let i"), l.line("let i")))
	require.NoError(l.t, l.page.Restart())
	require.NoError(l.t, l.page.Start(l.check))
	l.stands("let i", "id: vec3u(0u, 0u, 0u)")
	require.NoError(l.t, l.page.WaitVariable("id.x * 2u: 0u"), "what the console watches is kept, too")
	require.NoError(l.t, l.page.WaitBreakpoints(l.line("let i")))
	l.shot("restarted")
	require.NoError(l.t, l.page.ClickBeside(l.shader, l.line("let i")))
	require.NoError(l.t, l.page.DebuggerButton(goOn))
	l.ends("✓ vector-add: right")
}

// reopened closes the notebook in the middle of a session, and opens it again: the session goes on,
// there and back, with its picture.
func (l *debugged) reopened(server *lab.Server, clone *lab.Clone, browser *lab.Browser) {
	l.write(l.reference())
	require.NoError(l.t, l.page.ClickBeside(l.shader, l.line("let i"), l.line("let i")))
	require.NoError(l.t, l.page.Start(l.check))
	l.stands("let i", "id: vec3u(0u, 0u, 0u)")
	require.NoError(l.t, l.page.DebuggerButton(step))
	l.stands("if (i", "i: 0u")
	require.NoError(l.t, l.page.Save())
	l.page.Close()
	var err error
	l.page, err = browser.OpenRunning(server, clone, "02-add.ipynb")
	require.NoError(l.t, err)
	l.page.CloseAtEnd(l.t)
	require.NoError(l.t, l.page.FindDebuggerOn())
	require.NoError(l.t, l.page.WaitText(l.check, "Invocation 0,0,0 of workgroup 0,0,0 at line"))
	l.shotOfCheck("reopened")
	require.NoError(l.t, l.page.DebuggerButton(stepBack))
	l.stands("let i", "id: vec3u(0u, 0u, 0u)")
	require.NoError(l.t, l.page.DebuggerButton(step))
	l.stands("if (i", "i: 0u")
	l.shot("reopened-step")
	tabs, err := l.page.Tabs()
	require.NoError(l.t, err)
	require.Equal(l.t, []string{"02-add.ipynb"}, tabs, "no tab with a source of its own")
	require.NoError(l.t, l.page.ClickBeside(l.shader, l.line("let i")))
	require.NoError(l.t, l.page.DebuggerButton(goOn))
	l.ends("✓ vector-add: right")
}

var offer = regexp.MustCompile(`Stop where (out\[\d+\]) should be written`)

// verdict follows the verdict's offer, which stops where the wrong element is written.
func (l *debugged) verdict() {
	wrong := strings.Replace(l.reference(), "a[i] + b[i]", "a[i] - 2.0 * b[i]", 1)
	l.write(wrong)
	require.NoError(l.t, l.page.Run(l.check))
	require.NoError(l.t, l.page.Unfold(l.check))
	require.NoError(l.t, l.page.WaitText(l.check, "Stop where out["))
	text, err := l.page.Text(l.check)
	require.NoError(l.t, err)
	found := offer.FindStringSubmatch(text)
	require.NotNil(l.t, found, text)
	l.shot("offer")
	marked, err := l.page.Mark(l.check, "// debug:")
	require.NoError(l.t, err)
	require.Equal(l.t, "// debug: write of "+found[1], marked)
	l.write(marked + "\n" + wrong)
	require.NoError(l.t, l.page.Start(l.check))
	require.NoError(l.t, l.page.WaitText(l.check, "writes "+found[1]+" here"))
	l.stands("out[i] =", "i: ")
	l.shot("write")
	require.NoError(l.t, l.page.DebuggerButton(goOn))
	l.ends("not right yet")
}

// race debugs a shader that lacks a barrier: an invocation reads what no other has written
// yet. It also measures how long a learner waits with 256 invocations.
func (l *debugged) race() {
	l.write(strings.Replace(l.reference(), "workgroupBarrier(); // the tiles are complete", "// debug: watch a_tile[local.y][1]", 1))
	require.NoError(l.t, l.page.TurnDebuggerOn())
	require.NoError(l.t, l.page.ClickBeside(l.shader, l.line("total +="), l.line("total +=")))
	require.NoError(l.t, l.page.Start(l.check))
	l.stands("total +=", "a_tile[local.y][1]: 0.0")
	require.NoError(l.t, l.page.WaitText(l.check, "a_tile was written by invocation 0 [0]; nobody [1 to 15]"))
	l.unclipped()
	l.shot("race")
	require.NoError(l.t, l.page.ClickFrame(1))
	l.stands("let column", "id: vec3u(1u, 0u, 0u)")

	for _, to := range []struct{ command, line, variable string }{
		{step, "let row", "column: 1u"}, {step, "var total", "row: 0u"}, {stepBack, "let row", "column: 1u"}, {goOn, "total +=", "i: 0u"},
	} {
		waited, err := l.page.TimeButton(to.command, l.shader, l.line(to.line), to.variable)
		require.NoError(l.t, err)
		for _, question := range []string{"stackTrace", "scopes", "variables", "source"} {
			require.NotContains(l.t, waited.Asked, question, "the stop brings along what the panel shows")
		}
		l.t.Logf("%s, of 256 invocations: %.0f ms from the click to the panel filled, %.0f of them after the stop",
			to.command, waited.All.Seconds()*1000, waited.SinceStop.Seconds()*1000)
	}
	require.NoError(l.t, l.page.Console("findings", "no `workgroupBarrier()`"))
	l.shot("findings")
	require.NoError(l.t, l.page.DebuggerButton(console))
	require.NoError(l.t, l.page.ClickBeside(l.shader, l.line("total +=")))
	require.NoError(l.t, l.page.DebuggerButton(goOn))
	l.ends("not right yet")
}

// findBug follows lesson 5: step back from the line that stores a wrong value to the line that it
// comes from.
func (l *debugged) findBug() {
	page := l.page
	l.cell = page.Notebook.Cells[l.shader].Source
	require.NoError(l.t, page.TurnDebuggerOn())
	require.NoError(l.t, page.Run(l.shader))
	stores := l.line("shared_max[me] = best;")
	require.NoError(l.t, page.ClickBeside(l.shader, stores, stores))
	require.NoError(l.t, page.Start(l.check))
	l.stands("shared_max[me] = best;", "best: 0.0")
	require.NoError(l.t, page.WaitText(l.check, "find-row-max, 5 × 10, all negative"))
	for _, at := range []struct{ line, variable string }{
		{"for (var c", "c: 64u"}, {"for (var c", "c: 0u"}, {"best = max", "best: 0.0"}, {"for (var c", "best: 0.0"},
	} {
		require.NoError(l.t, page.DebuggerButton(stepBack))
		l.stands(at.line, at.variable)
	}
	require.NoError(l.t, page.DebuggerButton(stepBack))
	require.NoError(l.t, page.WaitGone("c"))
	require.NoError(l.t, page.DebuggerButton(stepBack))
	require.NoError(l.t, page.WaitGone("best"))
	require.NoError(l.t, page.WaitStanding(l.shader, l.line("var best = 0.0;")), "the line with the bug")
	l.shot("bug")
	require.NoError(l.t, page.ClickBeside(l.shader, stores))
	require.NoError(l.t, page.DebuggerButton(goOn))
	l.ends("not right yet")
}
