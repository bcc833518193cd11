//go:build acceptance

package acceptance

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/networks/draw"
)

// A shownOutput is one output of a cell: a display or a stream's text.
type shownOutput struct{ HTML, Stream, Text string }

// outputsOf returns the outputs that wgslab run left in a cell.
func outputsOf(cell *nbformat.Cell) (all []shownOutput) {
	for _, o := range cell.Outputs {
		html, _ := o.Data["text/html"].(string)
		all = append(all, shownOutput{HTML: html, Stream: o.Name, Text: o.Text})
	}
	return all
}

// solve writes the reference shaders into this browser's work/.
func (v *visit) solve(ids ...string) {
	v.t.Helper()
	for _, id := range ids {
		value[bool](v, `localStorage.setItem('wgslab:work/%s.wgsl', %q) || true`, id, reference(v.t, id))
	}
}

// section returns the selector of a cell in the page.
func section(cell string) string { return fmt.Sprintf("document.getElementById(%q)", cell) }

// run presses a cell's button and returns what it shows in the end, which must not be an error.
func (v *visit) run(cell string) []shownOutput {
	v.t.Helper()
	shown, says := v.runs(cell)
	require.Empty(v.t, says, "%s shows %v", cell, shown)
	return shown
}

// cellPatience is how long a cell may compute. The simulator in a page needs seconds for a network
// of MNIST's size, and more than a minute on two cores that run other tests as well.
const cellPatience = 5 * time.Minute

// runs presses a cell's button and returns its outputs and its final message.
func (v *visit) runs(cell string) (shown []shownOutput, says string) {
	v.t.Helper()
	v.wait(`!%s.querySelector('.start').disabled`, section(cell))
	value[bool](v, `%s.querySelector('.start').click() || true`, section(cell))
	require.NoError(v.t, v.tab.WaitFor(cellPatience, fmt.Sprintf(`!%s.hasAttribute('aria-busy')`, section(cell))))
	shown = value[[]shownOutput](v, `[...%s.querySelector('.shown').children].map((c) => c.matches('.printed')
		? { Stream: c.dataset.stream, Text: c.textContent } : { HTML: c.innerHTML })`, section(cell))
	return shown, value[string](v, `%s.querySelector('.doing').textContent`, section(cell))
}

// normal returns HTML as a browser in one of the pages serializes it.
func (v *visit) normal(html string) string {
	v.t.Helper()
	quoted, err := json.Marshal(html)
	require.NoError(v.t, err)
	return value[string](v, `((html) => {
		const place = document.createElement('div');
		place.innerHTML = html;
		for (const pre of place.querySelectorAll('pre')) pre.tabIndex = 0;
		return place.innerHTML;
	})(%s)`, quoted)
}

// What differs between two machines or two runs, by cell.
var (
	// The adapter's description of itself.
	ofTheAdapter = []string{"01-bootstrap/alive"}
	// Every number, and the pictures of them.
	timed = []string{
		"01-bootstrap/race-run", "03-matmul/speed-plot", "06-forward/slow", "06-forward/fused", "06-forward/time", "07-digits/argmax-times",
		"09-frame/tickets-run", "10-train/nudge-run", "10-train/check-gradients", "13-attend/attention-all", "13-attend/one-walk",
		"14-eight-bits/bits", "16-write/try", "16-write/cold", "16-write/anew", "16-write/times", "16-write/write", "16-write/looks", "16-write/next", "16-write/next-cold",
	}
	// The notebook runs these cells before later shaders are written. The page has all of them.
	early = []string{"16-write/try", "16-write/cold", "16-write/anew", "16-write/looks", "16-write/next", "16-write/next-cold"}
	// The last digit: sums of 784 products, which adapters round differently.
	rounded = []string{"06-forward/see"}
	// These cells show that adapters differ: where a wrong index leads, what naga refuses
	// although WGSL allows it, who wins a race. They run in the simulator on both sides.
	ofTheEngine = []string{"03-matmul/transpose-run", "04-relu/ask-the-compiler", "05-reduce/race-run"}

	// These cells run until the visitor stops them: TestSiteDraws, TestSiteTrains,
	// TestSiteLearnsASign, TestSiteDrawsForBoth, TestSiteDrawsForThree.
	untilStopped = []string{"08-draw/live", "10-train/live", "10-train/sign", "12-convolve/both", "13-attend/all"}

	inColumn   = regexp.MustCompile(`(<td[^>]*>)[^<]*`)
	timeOrName = regexp.MustCompile(`(time for all of them</th><td[^>]*>|<strong>matmul on )[^<]*`)
	number     = regexp.MustCompile(`-?[0-9][0-9.,]*(?:e[+-]?[0-9]+)?`)
	picture    = regexp.MustCompile(`src="data:image/png;base64,[^"]*"`)
	said       = regexp.MustCompile(`alt="[^"]*"`)
)

// TestSiteCells runs the notebooks' Go cells in their pages and holds what they show
// against what wgslab run shows, each text and each picture to the byte: on a browser's WebGPU, and
// some in the simulator.
func TestSiteCells(t *testing.T) {
	from := site.Serve(t)
	t.Run("by WebGPU", func(t *testing.T) {
		v := visitSite(t, browser.For(t, browser.WebGPU), from, "index.html")
		for _, path := range lab.WithBeyond(t) {
			v.holdAgainst(solved(t, path), path, func(id string) bool { return !slices.Contains(ofTheEngine, id) })
		}
	})
	t.Run("simulated", func(t *testing.T) {
		lab.HideDrivers(t)
		v := visitSite(t, browser.For(t), from, "index.html")
		for _, path := range lab.WithBeyond(t) {
			if slices.ContainsFunc(ofTheEngine, func(id string) bool { return strings.HasPrefix(id, notebookName(path)+"/") }) {
				v.holdAgainst(solvedWithoutADriver(t, path), path, func(id string) bool { return slices.Contains(ofTheEngine, id) })
			}
		}
	})
}

func notebookName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".ipynb") }

// holdAgainst runs cells of a lesson's page, with the notebook's solved shaders, and
// compares their outputs with the notebook's.
func (v *visit) holdAgainst(nb *nbformat.Notebook, path string, which func(id string) bool) {
	value[bool](v, `localStorage.clear() || true`)
	v.solve(slices.DeleteFunc(lab.CheckedIn(nb), isOnHost)...)
	name := notebookName(path)
	if program := course.Digits; slices.ContainsFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == program.ID+"-check" }) { // its answers are in later cells
		text := lab.Read(v.t, filepath.Join(lab.Root(v.t), "exercises", program.ID, "reference.js"))
		value[bool](v, `localStorage.setItem('wgslab:%s', %q) || true`, learner.ProgramPath(program.ID), text)
	}
	v.open(name + ".html")
	v.wait(`document.documentElement.dataset.ready`)
	t := v.t
	defer func() { v.t = t }()
	for _, cell := range codeCells(nb) {
		id := name + "/" + cell.ID
		if slices.Contains(untilStopped, id) || !which(id) || !value[bool](v, `Boolean(%s?.matches('.go[data-cell], .picture'))`, section(cell.ID)) {
			continue // a shader, a check, the map, or what no page can run
		}
		t.Run(id, func(t *testing.T) {
			v.t = t
			there, here := v.run(cell.ID), outputsOf(cell)
			require.Len(t, there, len(here))
			for i := range here {
				require.Equal(t, here[i].Stream, there[i].Stream)
				require.Equal(t, siteOfCall.ReplaceAllString(here[i].Text, ""), siteOfCall.ReplaceAllString(there[i].Text, ""))
				requireSameHTML(t, id, v.normal(here[i].HTML), there[i].HTML)
			}
		})
	}
	require.Empty(t, v.tab.ConsoleErrors())
}

// sourceLine matches a line of a shader, in a sentence or in a trace's first column. A notebook
// counts from the cell's first line, %%writefile, and the page's editor has no such line.
var sourceLine = regexp.MustCompile(`(\bline )\d+|(<td [^>]*>)\d+(</td><td [^>]*>(?:read|write|atomic) )`)

// siteOfCall matches where a call of WebGPU is: GoNB counts the lines of the program that it makes
// of a cell, and quotes the line.
var siteOfCall = regexp.MustCompile("[\\w.]+:\\d+(?:, `[^`]*`)?: ")

// costLine matches a line of a shader in the first column of what its lines cost.
var costLine = regexp.MustCompile(`(<td [^>]*text-align:right">)\d+(</td><td [^>]*text-align:left">)`)

// requireSameHTML compares two displays of a cell.
func requireSameHTML(t *testing.T, id, here, there string) {
	t.Helper()
	mask := func(html string) string {
		if slices.Contains(ofTheAdapter, id) {
			html = inColumn.ReplaceAllString(html, "$1")
		}
		html = timeOrName.ReplaceAllString(html, "$1")
		html = sourceLine.ReplaceAllString(html, "$1$2#$3")
		if strings.Contains(html, ">LINE</th>") {
			html = costLine.ReplaceAllString(html, "$1#$2")
		}
		if slices.Contains(early, id) {
			html = strings.ReplaceAll(html, ">the reference: yours is not written yet<", ">yours<")
		}
		if slices.Contains(timed, id) {
			html = said.ReplaceAllString(picture.ReplaceAllString(html, "a picture"), "said")
		}
		if slices.Contains(timed, id) || slices.Contains(rounded, id) {
			html = number.ReplaceAllString(html, "#")
		}
		return html
	}
	require.Equal(t, mask(here), mask(there))
	if slices.Contains(rounded, id) {
		requireNearlySame(t, number.FindAllString(picture.ReplaceAllString(here, ""), -1), number.FindAllString(picture.ReplaceAllString(there, ""), -1))
	}
}

// requireNearlySame allows a difference of one in the last of six digits.
func requireNearlySame(t *testing.T, here, there []string) {
	t.Helper()
	for i := range here {
		a, err := strconv.ParseFloat(here[i], 64)
		if err != nil {
			require.Equal(t, here[i], there[i])
			continue
		}
		b, err := strconv.ParseFloat(there[i], 64)
		require.NoError(t, err)
		require.InDelta(t, a, b, 1e-5*math.Abs(a))
	}
}

// A cell that cannot continue says why, a panic shows in the first line, and a cell that
// takes too long is stopped. The next cell runs.
func TestSiteCellsThatEnd(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "04-relu.html")
	v.wait(`document.documentElement.dataset.ready`)
	v.write("relu", "fn main() { nothing(); }")
	shown, says := v.runs("see-run")
	require.Equal(t, "The cell ended with an error.", says)
	require.Contains(t, shown[0].HTML, "This cell could not go on")
	require.Contains(t, shown[0].HTML, "nothing")
	v.write("relu", reference(t, "relu"))
	require.Len(t, v.run("see-run"), 2)

	v.open("01-bootstrap.html")
	v.wait(`document.documentElement.dataset.ready`)
	v.write("hello", "fn main() { nothing(); }")
	shown, says = v.runs("hello-picture")
	require.Equal(t, "The cell ended with an error.", says)
	require.Equal(t, "stderr", shown[0].Stream)
	require.Regexp(t, "^panic: .*nothing", shown[0].Text)
	require.NotContains(t, shown[0].Text, "goroutine")
	require.Contains(t, shown[1].HTML, "hello-picture:", "the line in the cell is named")

	v.open("06-forward.html")
	v.wait(`document.documentElement.dataset.ready`)
	v.click("#time .start")
	v.click("#time .stop")
	v.wait(`document.querySelector('#time .doing').textContent === 'Stopped.'`)
	require.NotEmpty(t, v.run("worked"))
	require.Empty(t, v.page.ConsoleErrors())
}

// Lesson 10's page trains the network with the learner's kernels, on WebGPU and in the simulator.
// It says how long an epoch takes, whose kernels run, and what they learn from.
func TestSiteTrains(t *testing.T) {
	for learns, chromium := range map[string]*browser.Browser{"100 of MNIST": browser.For(t), "9,000 of MNIST": browser.For(t, browser.WebGPU)} {
		t.Run(learns, func(t *testing.T) {
			v := visitSite(t, chromium, site.Serve(t), "index.html")
			v.solve("sgd", "grad-bias")
			v.open("10-train.html")
			v.wait(`document.documentElement.dataset.ready`)
			v.click("#live .start")
			v.wait(`/step \d+ of \d+\. An epoch takes about/.test(document.querySelector('#live .shown').textContent)`)
			text := value[string](v, `document.querySelector('#live .shown').textContent`)
			require.Contains(t, text, learns)
			require.Regexp(t, `sgd\s*yours`, text)
			require.Regexp(t, `loss-grad\s*the reference: yours does not pass its check yet`, text)
			v.click("#live .stop")
			v.wait(`document.querySelector('#live .doing').textContent === 'Stopped.'`)
			require.Empty(t, v.tab.ConsoleErrors())
		})
	}
}

// Lesson 8's page reads a mouse drawing with the learner's shaders, as `wgslab draw` does.
func TestSiteDraws(t *testing.T) {
	for says, chromium := range map[string]*browser.Browser{"simulator": browser.For(t), "SwiftShader": browser.For(t, browser.WebGPU)} {
		t.Run(says, func(t *testing.T) { testSiteDraws(t, chromium, says) })
	}
}

func testSiteDraws(t *testing.T, chromium *browser.Browser, says string) {
	v := visitSite(t, chromium, site.Serve(t), "index.html")
	v.solve(draw.Exercises[:len(draw.Exercises)-1]...)
	v.open("08-draw.html")
	v.wait(`document.documentElement.dataset.ready`)
	s := sheet{v.page.Tab(), "document.querySelector('#live iframe')?.contentDocument"}
	began := time.Now()
	v.click("#live .start")
	s.ready(t)
	t.Logf("the sheet is there after %.1f s", time.Since(began).Seconds())
	s.becomes(t, "The passes: 4 of 5 kernels are yours", `at('passes-title').textContent`)
	require.Contains(t, on[string](t, s, `at('label').textContent`), says)

	right := 0
	for i, strokes := range drawings(10) {
		s.press(t, `at('clear')`)
		s.draw(t, strokes, nil)
		s.settle(t)
		if s.digit(t) == fmt.Sprint(i) {
			right++
		}
	}
	t.Logf("%d of 10 drawings are read right, the last %.0f ms after pen up", right, s.penUp(t))
	require.GreaterOrEqual(t, right, 9)

	// The same strokes, read here.
	work := t.TempDir()
	for _, id := range draw.Exercises {
		require.NoError(t, os.WriteFile(filepath.Join(work, id+".wgsl"), []byte(reference(t, id)), 0o644))
	}
	native, _ := openSheet(t, chromium, serveDraw(t, work))
	for digit := range 10 {
		var read [2]string
		for i, sheet := range []sheet{s, native} {
			sheet.press(t, fmt.Sprintf(`at('samples').children[%d]`, digit))
			read[i] = on[string](t, sheet, `at('digit').textContent + ' ' + at('sure').textContent + at('bars').innerText`)
		}
		require.Equal(t, read[1], read[0])
	}

	v.click("#live .stop")
	v.wait(`!document.querySelector('#live iframe')`)
	require.Empty(t, v.page.ConsoleErrors())
}

// Lesson 10's page learns a sign from ten drawings, and then reads fresh ones.
func TestSiteLearnsASign(t *testing.T) {
	v := visitSite(t, browser.For(t, browser.WebGPU), site.Serve(t), "10-train.html")
	v.wait(`document.documentElement.dataset.ready`)
	v.click("#sign .start")
	s := sheet{v.page.Tab(), "document.querySelector('#sign iframe')?.contentDocument"}
	s.ready(t)
	s.learnsASign(t)
	v.click("#sign .stop")
	v.wait(`!document.querySelector('#sign iframe')`)
	require.Empty(t, v.page.ConsoleErrors())
}

// Lesson 12's page lets both networks read a drawing, and shows what the filters see in it.
func TestSiteDrawsForBoth(t *testing.T) {
	v := visitSite(t, browser.For(t, browser.WebGPU), site.Serve(t), "12-convolve.html")
	v.wait(`document.documentElement.dataset.ready`)
	v.click("#both .start")
	s := sheet{v.page.Tab(), "document.querySelector('#both iframe')?.contentDocument"}
	s.ready(t)
	s.draw(t, drawings(10)[3], nil)
	s.settle(t)
	require.Equal(t, "3", s.digit(t))
	s.becomes(t, "3", `at('beside-digit').textContent`)
	require.Greater(t, on[int](t, s, `at('beside').querySelectorAll('canvas').length`), 30, "16 and 32 pictures, and the edges")
	v.click("#both .stop")
	v.wait(`!document.querySelector('#both iframe')`)
	require.Empty(t, v.page.ConsoleErrors())
}

// Lesson 13's page lets all three networks read a drawing, and shows where the heads of the third
// look.
func TestSiteDrawsForThree(t *testing.T) {
	v := visitSite(t, browser.For(t, browser.WebGPU), site.Serve(t), "13-attend.html")
	v.wait(`document.documentElement.dataset.ready`)
	v.click("#all .start")
	s := sheet{v.page.Tab(), "document.querySelector('#all iframe')?.contentDocument"}
	s.ready(t)
	s.draw(t, drawings(10)[3], nil)
	s.settle(t)
	require.Equal(t, "3", s.digit(t))
	s.becomes(t, "3", `at('attends-digit').textContent`)
	s.looks(t)
	v.click("#all .stop")
	v.wait(`!document.querySelector('#all iframe')`)
	require.Empty(t, v.page.ConsoleErrors())
}

func isOnHost(id string) bool {
	return slices.ContainsFunc(course.OnHost, func(e *course.Exercise) bool { return e.ID == id })
}
