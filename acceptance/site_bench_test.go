//go:build acceptance

package acceptance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/firefox"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/observe/capture"
	"github.com/wgslab/wgslab/internal/observe/capture/capturetest"
)

// racy adds up in one place without an atomic.
const racy = `override SCALE: f32;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    // print if i < 2u: i, a[i] * SCALE
    sum[0] += a[i] * SCALE;
}
`

// A visitor in Chromium pastes a racy shader, runs it, steps into it and sends a friend the link.
// The friend, in Firefox, sees the same. The bench works on a phone, in the dark and with the
// keyboard alone.
func TestSiteBench(t *testing.T) {
	from := site.Serve(t)
	v := visitSite(t, browser.For(t), from, "bench.html")
	link := v.bench(func() { v.keys("a", chromedp.KeyModifiers(2)) }, func() { v.keys("\r", chromedp.KeyModifiers(2)) })
	v.looksOnBench("stepping", func(string, int64) {}) // TestSiteStepThrough runs axe-core on the step view
	v.press(".stepview .close")
	v.looksOnBench("run", v.passesAxe())
	require.Empty(t, v.page.ConsoleErrors())

	friend, _ := visitInFirefox(t, firefox.For(t), from, strings.TrimPrefix(link, from.URL+"/"))
	friend.openedLink()

	v.open("02-add.html")
	v.write("vector-add", shaderOf(t, "vector-add", "wrong", "no-guard"))
	v.check("vector-add")
	v.click("#check-vector-add .try")
	v.wait(`document.querySelector('#check-vector-add .offer input')`)
	shared := value[string](v, `document.querySelector('#check-vector-add .offer input').value`)
	v.open(strings.TrimPrefix(shared, from.URL+"/"))
	v.wait(`document.querySelector('#bench .offer').textContent.includes('from the check of vector-add, n = 1, seed')`)
	require.Contains(t, v.run360(), "out-of-bounds-write (error)")

	v.drop("page.wgpuc", "WGPUCAP 1 2")
	v.wait(`document.querySelector('#bench .problems').textContent.includes('--extract')`)
	v.drop("bench.json", "{}")
	v.wait(`document.querySelector('#bench .problems').textContent.includes('holds no bench')`)
	v.drop("bench.json", capturedBench(t))
	v.wait(`document.querySelector('[data-field="bind 0.0"] input')?.value.startsWith('u32:0,1,2,3,')`)
	require.Contains(t, v.run360(), "race-workgroup (error)")
	require.Empty(t, v.page.ConsoleErrors())
}

// The same the other way round: a visitor in Firefox makes the link, and a friend opens it in
// Chromium. A damaged link and an endless shader do no harm.
func TestSiteBenchInFirefox(t *testing.T) {
	from, fox := site.Serve(t), firefox.For(t)
	v, page := visitInFirefox(t, fox, from, "bench.html")
	link := v.bench(func() { require.NoError(t, page.Press(firefox.Control, "a")) }, func() { v.press("#run .start") })
	require.Empty(t, fox.ConsoleErrors())

	friend := visitSite(t, browser.For(t), from, strings.TrimPrefix(link, from.URL+"/"))
	friend.openedLink()

	mine := value[string](friend, `localStorage.getItem('wgslab:bench')`)
	for _, broken := range []string{"#try=a", "#try=a!!", "#try=zAAAA", "#try=a" + strings.Repeat("A", 40_000)} {
		friend.open("bench.html" + broken)
		friend.wait(`document.querySelector('#bench .offer').textContent.includes('Could not read this link')`)
		require.Equal(t, mine, value[string](friend, `localStorage.getItem('wgslab:bench')`), "what was there is left alone")
	}
	friend.paste(strings.Replace(racy, "sum[0] +=", "while (a[0] == a[0]) { sum[1] += 1.0; }\n    sum[0] +=", 1), func() { friend.keys("a", chromedp.KeyModifiers(2)) })
	friend.click("#run .start")
	friend.click("#run .stop")
	friend.wait(`document.querySelector('#run .doing').textContent === 'Stopped.'`)
}

// capturedBench returns the first dispatch of a captured page, as wgslab open writes it for the
// bench.
func capturedBench(t *testing.T) string {
	file := capturetest.Frame().Binary()
	c, err := capture.Open("page.wgpuc", bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	p, err := c.Prepare(t.Context(), c.Dispatches[0])
	require.NoError(t, err)
	return string(p.Parts().Files["bench.json"])
}

// drop drops a file on the bench.
func (v *visit) drop(name, text string) {
	v.t.Helper()
	value[bool](v, `((data) => {
		data.items.add(new File([%q], %q));
		document.querySelector('#bench').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
		return true;
	})(new DataTransfer())`, text, name)
}

// bench pastes the racy shader, runs it and steps into it. It returns the link to that step.
func (v *visit) bench(selectAll, run func()) (link string) {
	v.t.Helper()
	v.wait(`document.documentElement.dataset.ready`)
	v.paste(racy, selectAll)
	v.wait(`document.querySelector('[data-field="bind 0.0"] input')?.value === 'f32[128]'`)
	v.fill("bind 0.1", "f32:0,0")
	v.fill("override SCALE", "two")
	v.fill("pass 0", "1")
	v.press("#run .start")
	v.wait(`document.querySelector('[data-field="override SCALE"] .wrong').textContent.includes('takes numbers')`)
	v.wait(`document.activeElement === document.querySelector('[data-field="override SCALE"] input')`)
	v.fill("override SCALE", "2")
	value[bool](v, `(document.querySelector('#bench .cm-content').focus(), true)`)
	run()
	v.ranOnBench()

	v.press("#run .step")
	v.wait(`document.querySelector('.stepview .says')?.textContent.includes('Before the first statement')`)
	for line := range 2 {
		v.press(".stepview .over")
		v.wait(`document.querySelector('.stepview .here .spot')?.textContent === '%d'`, []int{9, 10}[line])
	}
	value[bool](v, `(navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }, true)`)
	v.press(".stepview .link")
	v.wait(`globalThis.copied`)
	return value[string](v, `globalThis.copied`)
}

// openedLink sees in a friend's link what the visitor saw, and runs it.
func (v *visit) openedLink() {
	v.t.Helper()
	v.wait(`document.querySelector('#bench .offer').textContent.includes('It hasn’t run yet.')`)
	v.wait(`document.querySelector('[data-field="override SCALE"] input')?.value === '2' && document.querySelector('[data-field="bind 0.1"] input').value === 'f32:0,0'`)
	require.Contains(v.t, value[string](v, `document.querySelector('#bench .cm-content').textContent`), "sum[0] += a[i] * SCALE;")
	require.Zero(v.t, value[int](v, `document.querySelector('#run .verdict').childElementCount`), "nothing ran by itself")
	v.press("#bench .offer button")
	v.wait(`document.querySelector('.stepview .here .spot')?.textContent === '10'`)
	v.press(".stepview .close")
	v.press("#run .start")
	v.ranOnBench()
}

// ranOnBench reads what the run of the racy shader shows.
func (v *visit) ranOnBench() {
	v.t.Helper()
	v.wait(`document.querySelector('#run .verdict').textContent.includes('what your shader costs') && !document.querySelector('#run').hasAttribute('aria-busy')`)
	said := value[string](v, `document.querySelector('#run .verdict').innerText`)
	for _, part := range []string{"race-storage (error)", "sum[0] += a[i] * SCALE;", "sum after the run", "Line 8 prints i, a[i] * SCALE", "at least"} {
		require.Contains(v.t, strings.ToLower(said), strings.ToLower(part))
	}
	v.wait(`document.querySelector('#run [title="row 0, column 0: 4032"]')`)
}

// run360 runs the bench in a window as wide as a phone.
func (v *visit) run360() string {
	v.t.Helper()
	require.NoError(v.t, chromedp.Do(v.page.Tab(), chromedp.EmulateViewport(360, 740)))
	v.wait(`document.documentElement.dataset.ready`)
	v.press("#run .start")
	v.wait(`document.querySelector('#run .verdict').childElementCount > 0 && !document.querySelector('#run').hasAttribute('aria-busy')`)
	require.LessOrEqual(v.t, value[int](v, `document.documentElement.scrollWidth`), 360)
	return value[string](v, `document.querySelector('#run .verdict').innerText`)
}

// press clicks an element without a mouse, once it can be clicked.
func (v *visit) press(selector string) {
	v.t.Helper()
	v.wait(`document.querySelector(%q)?.checkVisibility() && !document.querySelector(%q).disabled`, selector, selector)
	value[bool](v, `(document.querySelector(%q).click(), true)`, selector)
}

// paste replaces the bench's shader as a paste does: typing would make the editor add closing
// brackets.
func (v *visit) paste(source string, selectAll func()) {
	v.t.Helper()
	v.wait(`document.querySelector('#bench .cm-content')`)
	value[bool](v, `(document.querySelector('#bench .cm-content').focus(), true)`)
	selectAll()
	value[bool](v, `document.execCommand('insertText', false, %q)`, source)
	v.wait(`JSON.parse(localStorage.getItem('wgslab:bench'))?.source === %q`, source)
}

// fill types into one of the bench's inputs.
func (v *visit) fill(field, text string) {
	v.t.Helper()
	v.wait(`document.querySelector('[data-field="%s"] input')`, field)
	value[bool](v, `((input) => {
		input.value = %q;
		return input.dispatchEvent(new InputEvent('input', { bubbles: true }));
	})(document.querySelector('[data-field="%s"] input'))`, text, field)
}

// looksOnBench requires that the bench fits a phone and a desktop, light and dark, and does more
// there. It takes pictures if WGSLAB_SCREENSHOTS names a folder.
func (v *visit) looksOnBench(name string, more func(theme string, width int64)) {
	v.t.Helper()
	value[bool](v, `document.querySelectorAll('main details').forEach((d) => { d.open = true; }) || true`)
	(&stepped{visit: v}).looks(func(theme string, width int64) {
		require.LessOrEqual(v.t, value[int64](v, `document.documentElement.scrollWidth`), width, "the bench is wider than the window")
		more(theme, width)
		if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
			require.NoError(v.t, v.page.Screenshot(filepath.Join(dir, fmt.Sprintf("bench-%s-%s-%d.png", name, theme, width))))
		}
	})
}

// passesAxe returns a function that runs axe-core.
func (v *visit) passesAxe() func(theme string, width int64) {
	axe := lab.Read(v.t, filepath.Join(lab.Root(v.t), ".build", "axe", "axe_playwright_python", "axe.min.js"))
	return func(theme string, width int64) {
		require.NoError(v.t, chromedp.Do(v.page.Tab(), chromedp.Evaluate[chromedp.Void](axe)))
		faults := value[[]string](v, `axe.run(document).then(({ violations }) =>
			violations.map((v) => v.impact + ': ' + v.help + ': ' + v.nodes.map((n) => n.html).join(' ')))`)
		assert.Empty(v.t, faults, "%s, %d px wide", theme, width)
	}
}
