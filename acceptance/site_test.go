//go:build acceptance

package acceptance

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/firefox"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course"
)

// A visit is the course's page open in a tab.
type visit struct {
	t    *testing.T
	tab  tab
	page *browser.Page // the same tab, in Chromium
	from *site.PageServer

	loads int
}

// A tab is Chromium's or Firefox's.
type tab interface {
	Open(address string) error
	Wait(expression string) error
	WaitFor(patience time.Duration, expression string) error
	ConsoleErrors() []string
	Screenshot(path string) error
}

func visitSite(t *testing.T, chromium *browser.Browser, from *site.PageServer, path string) *visit {
	t.Helper()
	page, err := chromium.Open(from.URL + "/" + path)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	lookAtFailure(t, page)
	return &visit{t: t, tab: page, page: page, from: from}
}

// visitInFirefox opens a visit in Firefox.
func visitInFirefox(t *testing.T, fox *firefox.Browser, from *site.PageServer, path string) (*visit, *firefox.Page) {
	t.Helper()
	page, err := fox.Open(from.URL + "/" + path)
	require.NoError(t, err)
	lookAtFailure(t, page)
	return &visit{t: t, tab: page, from: from}, page
}

// lookAtFailure logs what a tab showed if the test fails.
func lookAtFailure(t *testing.T, seen tab) {
	t.Cleanup(func() {
		if t.Failed() {
			shot := filepath.Join(os.TempDir(), "wgslab-site.png")
			t.Logf("what the window showed: %s (%v); the console said %q", shot, seen.Screenshot(shot), seen.ConsoleErrors())
		}
	})
}

func (v *visit) wait(expression string, arguments ...any) {
	v.t.Helper()
	require.NoError(v.t, v.tab.Wait("Boolean("+fmt.Sprintf(expression, arguments...)+")"))
}

// becomes waits until an expression equals a text, and shows the difference if it never does.
func (v *visit) becomes(want, expression string) {
	v.t.Helper()
	if v.tab.Wait(fmt.Sprintf("%s === %q", expression, want)) != nil {
		require.Equal(v.t, want, value[string](v, "%s", expression), expression)
	}
}

func value[T any](v *visit, expression string, arguments ...any) T {
	v.t.Helper()
	expression = fmt.Sprintf(expression, arguments...)
	var got T
	var err error
	switch tab := v.tab.(type) {
	case *browser.Page:
		got, err = browser.Evaluate[T](tab, expression)
	case *firefox.Page:
		got, err = firefox.Evaluate[T](tab, expression)
	}
	require.NoError(v.t, err)
	return got
}

// click clicks an element with the mouse once it has stopped moving.
func (v *visit) click(selector string) {
	v.t.Helper()
	v.wait(`((element) => {
		const top = element && element.getBoundingClientRect().top + scrollY;
		const still = globalThis.aim?.element === element && globalThis.aim.top === top;
		globalThis.aim = { element, top };
		return element && still;
	})(document.querySelector(%q))`, selector)
	v.wait(`document.querySelector(%q)?.checkVisibility() && !document.querySelector(%q).disabled`, selector, selector)
	ctx, cancel := context.WithTimeout(v.page.Tab(), time.Minute)
	defer cancel()
	require.NoError(v.t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))), selector)
}

// keys types.
func (v *visit) keys(keys string, modifiers ...chromedp.KeyOption) {
	v.t.Helper()
	require.NoError(v.t, chromedp.Do(v.page.Tab(), chromedp.KeyEvent(keys, modifiers...)))
}

// open loads a page, and reloads it if it is the current one.
func (v *visit) open(path string) {
	v.t.Helper()
	v.loads++ // a new address, since a browser does not reload when only the fragment differs
	path, anchor, _ := strings.Cut(path, "#")
	require.NoError(v.t, v.tab.Open(fmt.Sprintf("%s/%s?%d#%s", v.from.URL, path, v.loads, anchor)))
}

// write types a shader or a program into the editor of an exercise, in place of what is there.
func (v *visit) write(id, source string) {
	v.t.Helper()
	v.wait(`document.querySelector('#%s .cm-content')`, id)
	value[bool](v, `document.querySelector('#%s .cm-content').focus() || true`, id)
	v.keys("a", chromedp.KeyModifiers(2)) // Ctrl
	v.keys(kb.Delete)
	// As a paste does: typing would make the editor add closing brackets.
	value[bool](v, `document.execCommand('insertText', false, %q)`, source)
	v.wait(`localStorage.getItem('wgslab:' + document.getElementById(%q).dataset.file) === %q`, id, source)
}

// check presses Check and gives the verdict's text.
func (v *visit) check(id string) string {
	v.t.Helper()
	place := fmt.Sprintf("document.querySelector('#check-%s .verdict')", id)
	value[bool](v, `%s.replaceChildren() || true`, place)
	v.click("#check-" + id + " .start")
	v.wait(`!document.querySelector('#check-%s').hasAttribute('aria-busy')`, id) // shaders are timed after the verdict
	return value[string](v, `%s.innerText`, place)
}

// requireStill checks again, and requires that the check never gets lower than before and after.
func (v *visit) requireStill(id string) browser.Motion {
	v.t.Helper()
	require.NoError(v.t, v.page.Watch(fmt.Sprintf("document.querySelector('#check-%s')", id)))
	v.click("#check-" + id + " .start")
	v.wait(`!document.querySelector('#check-%s').hasAttribute('aria-busy')`, id)
	seen, err := v.page.Motion()
	require.NoError(v.t, err)
	v.t.Logf("the verdict was there after %.0f ms, and rested after %.0f; it moved the page by %.0f px", seen.First, seen.Last, seen.Moved)
	require.GreaterOrEqual(v.t, seen.Lowest, min(seen.Before, seen.After), "the verdict collapsed")
	return seen
}

// shaderOf returns a shader of the zoo.
func shaderOf(t *testing.T, id, kind, name string) string {
	t.Helper()
	return lab.Read(t, filepath.Join(lab.Root(t), "exercises", id, kind, name+".wgsl"))
}

func reference(t *testing.T, id string) string {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	right, err := exercise.Reference()
	require.NoError(t, err)
	return right.Text
}

// A visitor follows a link, tries a wrong shader, reads why, writes the right one, and comes
// back the next day, offline.
func TestSite(t *testing.T) {
	for says, flags := range map[string][]chromedp.ExecAllocatorOption{"no WebGPU": nil, "by WebGPU": {browser.WebGPU}} {
		t.Run(says, func(t *testing.T) { testVisit(t, browser.For(t, flags...), says) })
	}
}

func testVisit(t *testing.T, chromium *browser.Browser, says string) {
	from := site.Serve(t)
	v := visitSite(t, chromium, from, "02-add.html#vector-add")
	v.wait(`document.querySelector('#check-vector-add .doing').textContent.includes(%q)`, says)

	wrong := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "a[i] - b[i]", 1)
	require.NotEqual(t, reference(t, "vector-add"), wrong)
	v.write("vector-add", wrong)
	require.Contains(t, v.check("vector-add"), "a[i] - b[i]")
	v.becomes("fail", `document.querySelector('#vector-add').dataset.verdict`)
	v.requireStill("vector-add")
	v.write("vector-add", reference(t, "vector-add"))
	v.wait(`document.querySelector('#check-vector-add .verdict.outdated').title !== ''`)
	v.write("vector-add", wrong)
	v.wait(`document.querySelector('#check-vector-add .verdict:not(.outdated)').title === ''`)
	v.write("vector-add", strings.Replace(wrong, "a[i] - b[i]", "c[i] - b[i]", 1))
	require.Contains(t, v.check("vector-add"), "does not compile")
	again := v.requireStill("vector-add")
	require.Equal(t, again.Before, again.After, "a shader that does not compile is told the same again")
	require.Zero(t, again.Moved, "pixels by which the page below moved")

	v.write("vector-add", reference(t, "vector-add"))
	value[bool](v, `new MutationObserver(() => {
		globalThis.busyWhenMarked ??= document.querySelector('#check-vector-add').hasAttribute('aria-busy');
	}).observe(document.querySelector('#vector-add .passed'), { childList: true }) ?? true`)
	require.Contains(t, v.check("vector-add"), "vector-add: right")
	v.becomes("✓ passed", `document.querySelector('#vector-add .passed').textContent`)
	require.True(t, value[bool](v, `busyWhenMarked`), "the mark comes with the verdict, before shaders are timed")

	v.wait(`document.querySelector('#offline').textContent !== ''`)
	for _, asked := range v.page.Requests() {
		require.True(t, strings.HasPrefix(asked, from.URL+"/"), "the page asked for %s", asked)
	}
	require.Empty(t, value[string](v, `document.cookie`))
	require.Empty(t, v.page.ConsoleErrors())

	from.Gone.Store(true)
	v.open("02-add.html")
	v.wait(`document.querySelector('#vector-add .cm-content')`)
	v.becomes(reference(t, "vector-add"), `localStorage.getItem('wgslab:work/vector-add.wgsl')`)
	v.wait(`document.querySelector('#vector-add .cm-content')?.innerText.includes(%q)`, "a[i] + b[i]")
	require.Contains(t, v.check("vector-add"), "vector-add: right")
	v.open("05-softmax.html")
	v.wait(`document.querySelector('[data-mark=vector-add].done')`)
	require.Contains(t, v.check("softmax"), "softmax:")
	v.open("07-digits.html")
	require.Contains(t, v.run("data")[0].HTML, "The first of 10,000 images of MNIST")
	v.open("")
	v.wait(`document.querySelector('#goon').textContent === 'Go on with hello'`)
	from.Missed.Range(func(path, _ any) bool {
		require.Equal(t, "/sw.js", path, "a browser looks for a newer version; all else it has")
		return true
	})
}

// Subgroups in the page: the simulator judges them, also beside a WebGPU that has some of its own.
// A shader that takes 32 for granted is not right.
func TestSiteSubgroups(t *testing.T) {
	for name, flags := range map[string][]chromedp.ExecAllocatorOption{"simulator": nil, "WebGPU": {browser.WebGPU}} {
		t.Run(name, func(t *testing.T) {
			const id = "sum-together"
			v := visitSite(t, browser.For(t, flags...), site.Serve(t), "15-together.html#"+id)
			v.wait(`document.documentElement.dataset.ready`)
			v.write(id, shaderOf(t, id, "wrong", "thirty-two-once"))
			said := v.check(id)
			require.Contains(t, said, "wrong with subgroups of")
			photographWidths(t, v, id, "subgroups-"+name)
			v.write(id, reference(t, id))
			said = v.check(id)
			require.Contains(t, said, "with subgroups of 4 to 128 invocations")
			require.Empty(t, v.page.ConsoleErrors())
		})
	}
}

// A page that was built with exercises of one's own has them as a lesson after the eight.
func TestSiteWithAPack(t *testing.T) {
	pack := lab.Pack(t, t.TempDir())
	v := visitSite(t, browser.For(t), site.ServeWith(t, pack), "sums.html")
	v.becomes("sums", `document.querySelector('.where').textContent`)
	v.write("sum-up", shaderOf(t, "vector-add", "wrong", "local-id"))
	require.Contains(t, v.check("sum-up"), "Only the elements of the first workgroup were written.")
	v.write("sum-up", lab.Read(t, filepath.Join(pack, "sum-up", "reference.wgsl")))
	require.Contains(t, v.check("sum-up"), "sum-up: right")
	v.open("index.html")
	v.wait(`document.querySelector('[data-mark=sum-up].done')`)
	require.Empty(t, v.page.ConsoleErrors())
}

// Every page loads from one origin, fits a phone, and passes axe-core, light and dark.
func TestSiteIsAccessible(t *testing.T) {
	axe := lab.Read(t, filepath.Join(lab.Root(t), ".build", "axe", "axe_playwright_python", "axe.min.js"))
	from, chromium := site.Serve(t), browser.For(t)
	pages := []string{"index.html"}
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		pages = append(pages, l.Name()+".html")
	}
	ran := map[string]string{"01-bootstrap.html": "surplus-map", "04-relu.html": "see-run", "08-draw.html": "live", "09-frame.html": "see"} // Go cells
	v := visitSite(t, chromium, from, "02-add.html")
	v.write("vector-add", shaderOf(t, "vector-add", "wrong", "no-guard"))
	for _, path := range pages {
		v.open(path)
		if path == "02-add.html" {
			v.check("vector-add")
			v.click("#add .share")
			v.wait(`document.querySelector('#add .offer input')`)
		}
		if path != "index.html" {
			v.wait(`document.documentElement.dataset.ready && document.querySelectorAll('.editor:not(:has(.cm-content))').length === 0`)
		}
		if cell := ran[path]; cell != "" {
			v.click("#" + cell + " .start")
			v.wait(`document.querySelector('#%s iframe') || !document.querySelector('#%s').hasAttribute('aria-busy')`, cell, cell)
		}
		value[bool](v, `document.querySelectorAll('details').forEach((d) => { d.open = true; }) || true`)
		for _, theme := range []string{"light", "dark"} {
			value[string](v, `document.documentElement.dataset.theme = %q`, theme)
			for _, width := range []int64{1280, 360} {
				require.NoError(t, chromedp.Do(v.page.Tab(), chromedp.EmulateViewport(width, 900)))
				require.LessOrEqual(t, value[int64](v, `document.documentElement.scrollWidth`), width, "%s is wider than the window", path)
				require.NoError(t, chromedp.Do(v.page.Tab(), chromedp.Evaluate[chromedp.Void](axe)))
				faults := value[[]string](v, `axe.run(document).then(({ violations }) =>
					violations.map((v) => v.impact + ': ' + v.help + ': ' + v.nodes.map((n) => n.html).join(' ')))`)
				assert.Empty(t, faults, "%s, %s, %d px wide", path, theme, width)
			}
		}
	}
	require.Empty(t, v.page.ConsoleErrors())
}

// The keyboard alone gets from the top of the page into an editor, out again, and to a check.
func TestSiteByKeyboard(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "02-add.html")
	v.wait(`document.documentElement.dataset.ready`)
	focused := func(selector string) bool {
		return value[bool](v, `document.activeElement.matches(%q) && document.activeElement.matches(':focus-visible')`, selector)
	}
	v.keys(kb.Tab)
	require.True(t, focused(".skip"), "the first key leads past the lists")
	v.keys(kb.Enter)
	for range 40 {
		if focused("#add .cm-content") {
			break
		}
		v.keys(kb.Tab)
	}
	require.True(t, focused("#add .cm-content"), "Tab leads to the first editor")
	v.keys(kb.Escape)
	v.keys(kb.Tab)
	require.False(t, focused(".cm-content"), "Escape and Tab lead out of it")
	v.keys(kb.Tab, chromedp.KeyModifiers(8)) // Shift
	require.True(t, focused("#add .cm-content"))
	v.keys(kb.Enter, chromedp.KeyModifiers(2))
	v.wait(`document.querySelector('#check-add .verdict').childElementCount > 0`)
}

// The editor knows WGSL: it underlines errors, describes names and completes words.
func TestSiteEditor(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "02-add.html")
	v.write("add", strings.Replace(reference(t, "add"), "a[0] + b[0]", "a[0] + c[0]", 1))
	v.wait(`document.querySelector('#add .cm-lintRange-error')?.textContent === 'c'`)
	v.wait(`document.querySelector('#add .problems').textContent.includes(%q)`, "c")
	v.write("add", reference(t, "add"))
	v.wait(`document.querySelector('#add .problems').textContent === 'It compiles.'`)

	v.write("add", "fn main() { let x = arr")
	v.keys(" ", chromedp.KeyModifiers(2))
	v.wait(`document.querySelector('.cm-tooltip-autocomplete')?.innerText.includes('arrayLength')`)
}

// After a pass, the editor says what each line costs. It is about that text, so a change removes
// it.
func TestSiteShowsWhatLinesCost(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "03-matmul.html#matmul")
	v.write("matmul", reference(t, "matmul"))
	require.Zero(t, value[int](v, `document.querySelectorAll('#matmul .heat').length`), "nobody has checked it yet")
	const code = `(({ x, width }) => x + ' ' + width)(document.querySelector('#matmul .cm-line').getBoundingClientRect())`
	before := value[string](v, code)
	require.Contains(t, v.check("matmul"), "matmul: right")
	v.wait(`document.querySelector('#matmul .heat-3')?.title.includes('of storage')`)
	require.Equal(t, before, value[string](v, code), "the costs move no code")
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(t, v.page.Screenshot(filepath.Join(dir, "site-costs.png")))
	}
	require.Contains(t, value[string](v, `document.querySelector('#matmul .heat-3').textContent`), "B")
	v.write("matmul", reference(t, "matmul")+"// changed\n")
	v.wait(`!document.querySelector('#matmul .heat')`)
	require.Empty(t, v.page.ConsoleErrors())
}

// An endless shader costs that run and nothing else.
func TestSiteStops(t *testing.T) {
	v := visitSite(t, browser.For(t), site.Serve(t), "02-add.html")
	endless := strings.Replace(reference(t, "vector-add"), "out[i] =", "var n = 0u;\n    while (a[0] == a[0]) { n += 1u; }\n    out[i] =", 1)
	v.write("vector-add", endless)
	v.click("#check-vector-add .start")
	v.wait(`document.querySelector('#check-vector-add .stop').checkVisibility()`)
	v.write("add", "fn main() { nothing(); }")
	v.wait(`document.querySelector('#add .problems').textContent.includes('nothing')`)
	v.click("#check-vector-add .stop")
	v.wait(`document.querySelector('#check-vector-add .doing').textContent.startsWith('Stopped')`)
	v.write("vector-add", reference(t, "vector-add"))
	require.Contains(t, v.check("vector-add"), "vector-add: right")
}

// A link's shader is shown, but neither kept nor run before the visitor agrees; their own
// comes back.
func TestSiteLink(t *testing.T) {
	from, chromium := site.Serve(t), browser.For(t)
	v := visitSite(t, chromium, from, "02-add.html")
	theirs := "// a friend's, with ü and <b>\n" + reference(t, "add")
	v.write("add", theirs)
	v.click("#add .share")
	v.wait(`document.querySelector('#add .offer input')`)
	link := value[string](v, `document.querySelector('#add .offer input').value`)
	require.Contains(t, link, from.URL+"/02-add.html#add=")

	mine := "// mine\n" + reference(t, "add")
	for _, choice := range []struct{ button, left string }{{".discard", mine}, {".use", theirs}} {
		v.write("add", mine)
		v.open(strings.TrimPrefix(link, from.URL+"/"))
		v.wait(`document.querySelector('#add .offer pre')`)
		v.becomes(theirs, `document.querySelector('#add .offer pre').textContent`)
		require.Equal(t, mine, value[string](v, `localStorage.getItem('wgslab:work/add.wgsl')`), "one's own stays")
		require.Zero(t, value[int](v, `document.querySelector('#check-add .verdict').childElementCount`), "nothing ran")
		v.click("#add " + choice.button)
		v.wait(`!document.querySelector('#add .offer pre')`)
		v.becomes(choice.left, `localStorage.getItem('wgslab:work/add.wgsl')`)
		v.becomes("#add", `location.hash`)
	}
	v.click("#add .undo")
	v.wait(`localStorage.getItem('wgslab:work/add.wgsl') === %q`, mine)

	for _, broken := range []string{"#add=", "#add=!!", "#add=AAAA", "#add=" + strings.Repeat("A", 20_000)} {
		v.open("02-add.html" + broken)
		v.wait(`document.querySelector('#add .offer')?.textContent.includes('Could not read the shader in this link')`)
	}
}

// The work folder downloads as a zip, and another browser takes it back.
func TestSiteZip(t *testing.T) {
	from := site.Serve(t)
	v := visitSite(t, browser.For(t), from, "02-add.html")
	folder := t.TempDir()
	_, err := chromedp.CallBrowser(v.page.Tab(), cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder})
	require.NoError(t, err)
	v.write("add", reference(t, "add"))
	require.Contains(t, v.check("add"), "add: right")
	v.click("#take")
	path := filepath.Join(folder, "wgslab-work.zip")
	require.Eventually(t, func() bool { _, err := os.Stat(path); return err == nil }, time.Minute, 20*time.Millisecond)
	taken, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer taken.Close()
	source, err := taken.Open("work/add.wgsl")
	require.NoError(t, err)
	text, err := io.ReadAll(source)
	require.NoError(t, err)
	require.Equal(t, reference(t, "add"), string(text))
	_, err = taken.Open("work/progress.json")
	require.NoError(t, err)

	other := visitSite(t, browser.For(t), from, "02-add.html")
	bring := func(path string) {
		t.Helper()
		other.wait(`document.querySelector('#brought')`)
		require.NoError(t, setFile(other.page, "#brought", path))
	}
	bring(path)
	other.wait(`document.querySelector('#arrived').textContent.includes('work/add.wgsl')`)
	other.becomes("✓ passed", `document.querySelector('#add .passed').textContent`)
	other.wait(`document.querySelector('#add .cm-content')?.innerText.includes(%q)`, "a[0] + b[0]")

	other.write("add", "// mine")
	bring(path)
	other.wait(`document.querySelector('#arrived').textContent.includes('These differ')`)
	other.becomes("// mine", `localStorage.getItem('wgslab:work/add.wgsl')`)
	other.click("#arrived .primary")
	other.wait(`localStorage.getItem('wgslab:work/add.wgsl') === %q`, reference(t, "add"))

	var hostile bytes.Buffer
	w := zip.NewWriter(&hostile)
	large, err := w.Create("work/add.wgsl")
	require.NoError(t, err)
	_, err = large.Write(bytes.Repeat([]byte{' '}, 300<<10))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for name, data := range map[string][]byte{"large.zip": hostile.Bytes(), "no.zip": []byte("PK nothing"), "empty.zip": nil} {
		bad := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(bad, data, 0o644))
		bring(bad)
		other.wait(`document.querySelector('#arrived').textContent.startsWith(%q)`, "Could not upload "+name)
	}
	other.becomes(reference(t, "add"), `localStorage.getItem('wgslab:work/add.wgsl')`)
}

// setFile chooses a file as in the browser's dialog.
func setFile(p *browser.Page, selector, path string) error {
	ctx, cancel := context.WithTimeout(p.Tab(), time.Minute)
	defer cancel()
	return chromedp.Do(ctx, chromedp.SetUploadFiles(chromedp.CSS(selector), []string{path}))
}
