//go:build acceptance

package acceptance

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/networks/draw"
)

// The page with three networks: one points at a patch of the drawing, or moves there with the arrow
// keys, and sees where it looks. Heads that are off change the answer.
func TestDrawShowsWhereHeadsLook(t *testing.T) {
	address := serveDrawWith(t, draw.Options{Work: t.TempDir(), Filters: true, Attention: true})
	s, page := openSheet(t, browser.For(t), address)
	s.draw(t, drawings(10)[3], nil)
	s.settle(t)
	s.becomes(t, "3", `at('attends-digit').textContent`)
	require.Equal(t, "3", on[string](t, s, `at('beside-digit').textContent`))
	s.looks(t)
	require.NoError(t, chromedp.Do(s.tab, chromedp.EmulateViewport(360, 900)))
	require.LessOrEqual(t, on[int](t, s, `page.documentElement.scrollWidth`), 360)
	on[chromedp.Void](t, s, `at('patches').scrollIntoView()`)
	photograph(t, page, "attention-phone")
	require.NoError(t, chromedp.Do(s.tab, chromedp.EmulateViewport(1280, 900)))
	for _, theme := range []string{"light", "dark"} {
		on[chromedp.Void](t, s, `page.documentElement.dataset.theme = '`+theme+`'`)
		time.Sleep(200 * time.Millisecond) // until the colours have faded over
		photograph(t, page, "attention-"+theme)
	}
	require.Empty(t, page.ConsoleErrors())
}

const (
	patches = `at('patches').querySelectorAll('button')`
	heads   = `at('heads').querySelectorAll('button')`
	chosen  = `at('patches').querySelector('[aria-checked=true]').ariaLabel`
)

// looks tries the part of the page that shows where heads look, after a drawing.
func (s sheet) looks(t *testing.T) {
	t.Helper()
	require.Equal(t, 16, on[int](t, s, patches+`.length`))
	require.Equal(t, 8, on[int](t, s, heads+`.length`))

	at := on[box](t, s, `(() => {
		at('patches').scrollIntoView({ block: 'center' });
		const { left, top, width, height } = at('patches').getBoundingClientRect();
		const frame = page.defaultView.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
		return { left: left + frame.left, top: top + frame.top, width, height };
	})()`)
	require.NoError(t, chromedp.Do(s.tab, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.Left+0.6*at.Width, at.Top+0.1*at.Height)))
	s.becomes(t, "Patch in row 1, column 3", chosen)
	require.Regexp(t, `^Layer 2, head 1: row 1, column 3 looks most at row \d, column \d, \d+ %$`, on[string](t, s, heads+`[4].ariaLabel`))
	on[chromedp.Void](t, s, patches+`[2].focus()`)
	require.NoError(t, chromedp.Do(s.tab, chromedp.KeyEvent(kb.ArrowDown)))
	s.becomes(t, "Patch in row 2, column 3", chosen)
	on[chromedp.Void](t, s, patches+`[9].click()`)
	s.becomes(t, "Patch in row 3, column 2", chosen)

	bars := `[...at('attends-bars').querySelectorAll('.fill')].map((fill) => fill.style.transform).join()`
	before := on[string](t, s, bars)
	for range 4 {
		on[chromedp.Void](t, s, `at('heads').querySelector('[aria-pressed=true]').click()`)
	}
	s.wait(t, bars+` !== '`+before+`'`)
	require.Equal(t, 4, on[int](t, s, `at('heads').querySelectorAll('[aria-pressed=false]').length`))
	for range 3 {
		on[chromedp.Void](t, s, `at('heads').querySelector('[aria-pressed=false]').click()`)
	}
	on[chromedp.Void](t, s, `at('heads').querySelector('[aria-pressed=false]').click()`)
	s.becomes(t, before, bars)
}

// photograph saves what the window shows if WGSLAB_SCREENSHOTS names a folder.
func photograph(t *testing.T, page interface{ Screenshot(path string) error }, name string) {
	t.Helper()
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(t, page.Screenshot(filepath.Join(dir, name+".png")))
	}
}
