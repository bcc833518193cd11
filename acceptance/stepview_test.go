//go:build acceptance

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// A visitor steps through a shader in the course's page, by mouse and by keyboard.
func TestSiteStepThrough(t *testing.T) {
	v := &stepped{visit: visitSite(t, browser.For(t), site.Serve(t), "02-add.html")}
	v.wait(`document.documentElement.dataset.ready`)
	v.part("stepping", v.stepping)
	v.part("keyboard", v.byKeyboard)
	v.part("editing", v.editing)
	v.part("verdict", v.fromVerdict)
	v.part("refused", v.refused)
	v.part("endless", v.endless)
	v.open("03-matmul.html")
	v.open("05-softmax.html")
	v.part("256", v.many)
	v.part("race", v.race)
	require.Empty(t, v.page.ConsoleErrors())
}

// stepped is a page whose exercise is being stepped through.
type stepped struct {
	*visit
	id, source string
}

// part runs one part of the visit and ends the test if it fails: later parts build on it.
func (v *stepped) part(name string, what func()) {
	outer := v.t
	require.True(outer, outer.Run(name, func(t *testing.T) {
		v.t = t
		defer func() { v.t = outer }()
		what()
	}))
}

// begin writes a shader and steps through it.
func (v *stepped) begin(id, source string) {
	v.t.Helper()
	v.id, v.source = id, source
	v.write(id, source)
	v.click("#check-" + id + " .step")
	v.wait(`document.querySelector('.stepview .says')?.textContent`)
}

// line returns the shader's line that has a text.
func (v *stepped) line(text string) int {
	v.t.Helper()
	before, _, found := strings.Cut(v.source, text)
	require.True(v.t, found, text)
	return strings.Count(before, "\n") + 1
}

// stands waits until the view marks the line that has text, and shows a message.
func (v *stepped) stands(text, says string) {
	v.t.Helper()
	v.wait(`document.querySelector('.stepview .here .spot')?.textContent === '%d' && document.querySelector('.stepview .says').textContent.includes(%q)`, v.line(text), says)
}

// variable waits until a variable has a value.
func (v *stepped) variable(name, has string) {
	v.t.Helper()
	v.wait(`[...document.querySelectorAll('.variable')].some((line) => line.firstChild.textContent === %q && line.querySelector('.value').textContent.includes(%q))`, name, has)
}

// choose chooses a case.
func (v *stepped) choose(name string) {
	v.t.Helper()
	value[bool](v.visit, `(() => {
		const list = document.querySelector('.stepview select');
		list.value = %q;
		return list.dispatchEvent(new Event('change'));
	})()`, name)
}

// beside is the button beside the line of a text.
func (v *stepped) beside(text string) string {
	return fmt.Sprintf(".source .row:nth-child(%d) .spot", v.line(text))
}

func (v *stepped) console(line, says string) {
	v.t.Helper()
	v.click(".console input")
	v.keys(line)
	v.keys(kb.Enter)
	v.wait(`document.querySelector('.console .log > :last-child')?.textContent.includes(%q)`, says)
}

// shot takes pictures if WGSLAB_SCREENSHOTS names a folder.
func (v *stepped) shot(name string) {
	dir := os.Getenv("WGSLAB_SCREENSHOTS")
	if dir == "" {
		return
	}
	v.looks(func(theme string, width int64) {
		require.NoError(v.t, v.page.Screenshot(filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", name, theme, width))))
	})
}

// looks shows the page in both themes, at the width of a desktop and of a phone.
func (v *stepped) looks(at func(theme string, width int64)) {
	for _, theme := range []string{"light", "dark"} {
		value[string](v.visit, `document.documentElement.dataset.theme = %q`, theme)
		for _, size := range [][2]int64{{360, 740}, {1280, 900}} {
			require.NoError(v.t, chromedp.Do(v.page.Tab(), chromedp.EmulateViewport(size[0], size[1])))
			value[bool](v.visit, `new Promise((settled) => setTimeout(() => settled(true), 100))`)
			at(theme, size[0])
		}
	}
}

func (v *stepped) stepping() {
	v.begin("vector-add", reference(v.t, "vector-add"))
	v.stands("let i", "Before the first statement")
	v.choose("n = 65")
	v.stands("let i", "invocation 0 of workgroup 0")
	v.shot("begin")
	v.click(v.beside("out[i] ="))
	v.wait(`document.querySelector(%q).ariaPressed === 'true'`, v.beside("out[i] ="))
	v.click(".stepview .continue")
	v.stands("out[i] =", "Stopped at the breakpoint on line")
	v.variable("i", "0u")
	v.click(".stepview .over")
	v.wait(`document.querySelector('.variable[data-changed] .twist')?.textContent === 'out'`)
	v.click(".stepview .back")
	v.stands("out[i] =", "Stopped on line")
	v.wait(`!document.querySelector('.variable[data-changed]')`)
	v.click(".strip .cell:nth-child(18)")
	v.stands("let i", "invocation 17")
	v.variable("id", "(17u, 0u, 0u)")
	v.click(".stepview .in")
	v.stands("if (i", "invocation 17")
	v.variable("i", "17u")
	v.click(`.variable [data-path="Buffers/out"]`)
	v.wait(`document.querySelector('.variable [data-path="Buffers/out"]').ariaExpanded === 'true' && document.querySelectorAll('.variables ul ul .variable').length > 10`)
	v.console("i + 40u", "57u")
	v.shot("variables")
	v.fine()
	v.console("where id.x == 20u", "Invocation 20,0,0")
	v.console("watch id.x * 2u", "= 40u")
	v.variable("id.x * 2u", "40u")
	v.click(v.beside("out[i] =")) // else the other invocations stop there as well
	v.wait(`document.querySelector(%q).ariaPressed === 'false'`, v.beside("out[i] ="))
	v.console(fmt.Sprintf("break %d if i == 33u", v.line("out[i] =")), "Stops at line")
	v.console("anyone", "The next breakpoint")
	v.click(".stepview .continue")
	v.stands("out[i] =", "invocation 33")
	v.shot("condition")
	v.click(v.beside("out[i] ="))
	v.click(".stepview .continue")
	v.wait(`document.querySelector('.stepview .says').textContent === 'The run has ended.'`)
	v.wait(`document.querySelector('.stepview .again').checkVisibility()`)
	v.shot("end")
	v.click(".stepview .close")
	v.wait(`!document.querySelector('.stepview') && document.activeElement.matches('#check-vector-add .step')`)
}

// fine requires that axe-core finds nothing and nothing is wider than the window.
func (v *stepped) fine() {
	axe := lab.Read(v.t, filepath.Join(lab.Root(v.t), ".build", "axe", "axe_playwright_python", "axe.min.js"))
	require.NoError(v.t, chromedp.Do(v.page.Tab(), chromedp.Evaluate[chromedp.Void](axe)))
	v.looks(func(theme string, width int64) {
		require.LessOrEqual(v.t, value[int64](v.visit, `Math.max(document.documentElement.scrollWidth, document.querySelector('.stepview').scrollWidth)`), width)
		faults := value[[]string](v.visit, `axe.run(document.querySelector('.stepview')).then(({ violations }) =>
			violations.map((v) => v.impact + ': ' + v.help + ': ' + v.nodes.map((n) => n.html).join(' ')))`)
		assert.Empty(v.t, faults, "%s, %d px wide", theme, width)
	})
}

// byKeyboard uses the keys of browsers' debuggers, arrows along lines and invocations, and
// Escape.
func (v *stepped) byKeyboard() {
	value[bool](v.visit, `document.querySelector('#check-vector-add .step').focus() || true`)
	v.keys(kb.Enter)
	v.stands("let i", "Before the first statement")
	v.wait(`document.activeElement.matches('.stepview .over')`)
	v.choose("n = 65")
	v.stands("let i", "invocation 0 of workgroup 0")
	v.keys(kb.F10)
	v.stands("if (i", "Stopped on line")
	v.keys(kb.F11)
	v.stands("out[i] =", "Stopped on line")
	v.keys(kb.F7)
	v.stands("if (i", "Stopped on line")
	v.tabTo(".source .spot")
	v.keys(kb.ArrowDown)
	v.keys(" ")
	v.wait(`document.querySelector(%q).ariaPressed === 'true' && document.activeElement.matches(%q)`, v.beside("out[i] ="), v.beside("out[i] ="))
	v.tabTo(".strip .cell:nth-child(1)")
	v.keys(kb.ArrowDown)
	v.keys(kb.ArrowRight)
	v.keys(kb.Enter)
	v.stands("let i", "invocation 17")
	v.wait(`document.activeElement.matches('.strip .cell:nth-child(18)')`)
	v.keys(kb.F8)
	v.stands("out[i] =", "breakpoint on line")
	v.keys(kb.F11, chromedp.KeyModifiers(8))
	v.wait(`document.querySelector('.stepview .says').textContent.includes('returned')`)
	v.keys(kb.F5, chromedp.KeyModifiers(8))
	v.wait(`document.querySelector('.stepview .says').textContent.startsWith('Stopped. ')`)
	v.keys(kb.F5, chromedp.KeyModifiers(8))
	v.stands("out[i] =", "invocation 0")
	v.keys(kb.Escape)
	v.wait(`!document.querySelector('.stepview') && document.activeElement.matches('#check-vector-add .step')`)
}

// tabTo presses Tab until something has the focus.
func (v *stepped) tabTo(selector string) {
	v.t.Helper()
	for range 20 {
		if value[bool](v.visit, `document.activeElement.matches(%q)`, selector) {
			return
		}
		v.keys(kb.Tab)
	}
	require.Fail(v.t, "Tab does not lead there", selector)
}

// editing changes the shader: the run keeps the old version until it is restarted, and the
// breakpoint moves with its line.
func (v *stepped) editing() {
	v.begin("vector-add", v.source)
	v.stands("out[i] =", "breakpoint")
	const older = `document.querySelector('.stepview .older').checkVisibility()`
	require.False(v.t, value[bool](v.visit, older))
	changed := strings.Replace("// mine\n"+v.source, "a[i] + b[i]", "a[i] * b[i]", 1)
	v.write("vector-add", changed)
	v.wait(older)
	v.wait(`document.querySelector('.source').innerText.includes(%q)`, "a[i] + b[i]")
	v.click(".stepview .stop")
	v.click(".stepview .again")
	v.source = changed
	v.stands("out[i] =", "breakpoint")
	require.False(v.t, value[bool](v.visit, older))
	v.wait(`document.querySelector('.source').innerText.includes(%q)`, "a[i] * b[i]")
	require.Contains(v.t, v.check("vector-add"), "not right yet", "a check goes on beside it")
	v.click(".stepview .over")
	v.wait(`document.querySelector('.variable[data-changed] .twist')?.textContent === 'out'`)
	v.click(v.beside("out[i] ="))
	v.click(".stepview .close")
}

// fromVerdict follows the verdict's offer, which stops where the wrong element is written or
// says that no invocation writes it.
func (v *stepped) fromVerdict() {
	wrong := strings.Replace(reference(v.t, "vector-add"), "a[i] + b[i]", "a[i] - 2.0 * b[i]", 1)
	v.source = wrong
	v.write("vector-add", wrong)
	require.Contains(v.t, v.check("vector-add"), "not right yet")
	v.unfold("vector-add")
	element := value[string](v.visit, `document.querySelector('#check-vector-add .stophere code').textContent`)
	require.Regexp(v.t, `^out\[\d+\]$`, element)
	value[bool](v.visit, `document.querySelector('#check-vector-add .stophere').scrollIntoView({ block: 'center' }), true`)
	v.shot("offer")
	v.click("#check-vector-add .stophere")
	v.wait(`document.querySelector('.stepview')`)
	v.stands("out[i] =", "writes "+element+" here")
	v.shot("verdict")
	v.click(".stepview .close")
}

// unfold opens what the verdict of an exercise folds.
func (v *stepped) unfold(id string) {
	v.wait(`(() => {
		const folds = [...document.querySelectorAll('#check-%s .verdict details')];
		folds.forEach((details) => { details.open = true; });
		return folds.length > 0;
	})()`, id)
}

// refused requires that the page says why a shader cannot run.
func (v *stepped) refused() {
	v.write("vector-add", strings.Replace(v.source, "let i", "let", 1))
	v.click("#check-vector-add .step")
	v.wait(`document.querySelector('#check-vector-add .doing').textContent.includes('does not compile yet')`)
	require.False(v.t, value[bool](v.visit, `document.querySelector('.stepview') !== null`))
	v.begin("vector-add", reference(v.t, "vector-add"))
	v.write("vector-add", strings.Replace(v.source, "let i", "let", 1))
	v.click(".stepview .stop")
	v.click(".stepview .again")
	v.wait(`document.querySelector('.stepview .says').textContent.includes('does not compile yet')`)
	v.click(".stepview .close")
}

// endless pauses an endless shader and looks at it.
func (v *stepped) endless() {
	v.begin("vector-add", strings.Replace(reference(v.t, "vector-add"), "out[i] =", "var n = 0u;\n    while (a[0] == a[0]) { n += 1u; }\n    out[i] =", 1))
	v.stands("let i", "Before the first statement")
	v.click(".stepview .continue")
	v.wait(`document.querySelector('.stepview .says').textContent.includes('steps so far')`)
	v.click(".stepview .pause")
	v.wait(`document.querySelector('.stepview .says').textContent.startsWith('Paused on line')`)
	v.variable("n", "u")
	v.click(".stepview .close")
}

// race runs a shader that lacks a barrier, and stops where that does harm.
func (v *stepped) race() {
	v.begin("matmul-tiled", strings.Replace(reference(v.t, "matmul-tiled"), "workgroupBarrier(); // the tiles are complete", "", 1))
	v.click(".stepview .continue")
	v.wait(`document.querySelector('.stepview .says').textContent.includes('Something goes wrong on line')`)
	v.wait(`document.querySelector('.stepview .says').textContent.includes(%q)`, "workgroupBarrier()")
	v.shot("race")
	v.click(".stepview .close")
}

// many steps through 256 invocations with two functions and workgroup memory, and measures
// how long a visitor waits.
func (v *stepped) many() {
	v.begin("matmul-tiled", reference(v.t, "matmul-tiled"))
	v.click(v.beside("total +="))
	v.wait(`document.querySelector(%q).ariaPressed === 'true'`, v.beside("total +="))
	v.click(".stepview .continue")
	v.stands("total +=", "invocation 0,0")
	v.wait(`document.querySelectorAll('.strip .cell').length === 256`)
	v.shot("many")
	took := value[[]float64](v.visit, `(async () => {
		const says = document.querySelector('.stepview .says'), times = [];
		for (let i = 0; i < 12; i++) {
			const began = performance.now();
			const shown = new Promise((resolve) => new MutationObserver((_, o) => { o.disconnect(); resolve(); }).observe(says, { childList: true }));
			document.querySelector('.stepview .over').click();
			await shown;
			await new Promise(requestAnimationFrame);
			times.push(performance.now() - began);
		}
		return times.sort((a, b) => a - b);
	})()`)
	v.t.Logf("a step, of 256 invocations: %.0f ms in the middle of %d, %.0f ms the longest", took[len(took)/2], len(took), took[len(took)-1])
	v.click(v.beside("total +="))
	v.click(".stepview .close")
}
