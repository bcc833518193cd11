//go:build acceptance

package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/networks/draw"
	"github.com/wgslab/wgslab/internal/networks/epochs"
	"github.com/wgslab/wgslab/internal/networks/handwriting"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// A sheet is the draw-a-digit page in a tab, either the whole tab or a frame in it.
type sheet struct {
	tab   context.Context
	where string // a JavaScript expression for the page's document
}

// on evaluates an expression; `at(name)` is a part of the page and `main` the whole page.
func on[T any](t *testing.T, s sheet, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.tab, time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](s.script(expression), chromedp.EvalAwaitPromise))
	require.NoError(t, err, "evaluating %s", expression)
	return value
}

// wait waits until an expression, as in on, is true.
func (s sheet) wait(t *testing.T, expression string) {
	t.Helper()
	s.waitLong(t, time.Minute, expression)
}

// waitLong waits up to a limit.
func (s sheet) waitLong(t *testing.T, limit time.Duration, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.tab, limit)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](s.script(expression), chromedp.WithPollingInterval(10*time.Millisecond)))
	require.NoError(t, err, "waiting for %s", expression)
}

// becomes waits until an expression, as in on, equals a text.
func (s sheet) becomes(t *testing.T, want, expression string) {
	t.Helper()
	s.wait(t, fmt.Sprintf("%s === %q", expression, want))
}

func (s sheet) script(expression string) string {
	return fmt.Sprintf(`((page) => {
		const main = page?.getElementById('draw');
		const at = (name) => main?.querySelector('[data-at="' + name + '"]');
		return %s;
	})(%s)`, expression, s.where)
}

// ready waits until the page has sent its first request.
func (s sheet) ready(t *testing.T) {
	t.Helper()
	s.wait(t, `at('passes')?.children.length === 6`)
}

// Expressions as in on: the sheet's place in the window once it is in view, and whether
// the drawing has been read.
const (
	placeOfSheet = `(() => {
		at('canvas').scrollIntoView({ block: 'center' });
		const { left, top, width, height } = at('canvas').getBoundingClientRect();
		const frame = page.defaultView.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
		return { left: left + frame.left, top: top + frame.top, width, height };
	})()`
	settled = `!main.hasAttribute('data-drawing') && at('answer').getAttribute('aria-busy') === 'false'`
)

type box struct{ Left, Top, Width, Height float64 }

// place returns the sheet's place once it stops moving: content that appears above moves it.
func (s sheet) place(t *testing.T) box {
	t.Helper()
	for before := on[box](t, s, placeOfSheet); ; {
		time.Sleep(50 * time.Millisecond)
		now := on[box](t, s, placeOfSheet)
		if now == before {
			return now
		}
		before = now
	}
}

// draw drags the mouse along each stroke. It calls meanwhile, if given, before the last
// release.
func (s sheet) draw(t *testing.T, strokes []mnist.Stroke, meanwhile func()) {
	t.Helper()
	box := s.place(t)
	mouse := func(kind input.DispatchMouseEventType, p mnist.Point) {
		t.Helper()
		require.NoError(t, chromedp.Do(s.tab, chromedp.MouseEvent(kind, box.Left+p.X*box.Width, box.Top+p.Y*box.Height,
			chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))))
	}
	for i, stroke := range strokes {
		mouse(input.DispatchMouseEventTypeMousePressed, stroke[0])
		for _, p := range stroke[1:] {
			mouse(input.DispatchMouseEventTypeMouseMoved, p)
		}
		if meanwhile != nil && i == len(strokes)-1 {
			meanwhile()
		}
		mouse(input.DispatchMouseEventTypeMouseReleased, stroke[len(stroke)-1])
	}
}

// settle waits until the drawing has been read.
func (s sheet) settle(t *testing.T) {
	t.Helper()
	s.wait(t, settled)
}

// press clicks a part of the page, a button or the switch.
func (s sheet) press(t *testing.T, element string) {
	t.Helper()
	on[chromedp.Void](t, s, element+`.click()`)
	s.settle(t)
}

// digit returns the digit that the page shows.
func (s sheet) digit(t *testing.T) string {
	t.Helper()
	return on[string](t, s, `at('digit').textContent`)
}

// penUp returns the milliseconds from lifting the pen to the last answer.
func (s sheet) penUp(t *testing.T) float64 {
	t.Helper()
	return on[float64](t, s, `page.defaultView.performance.getEntriesByName('answer')[0].duration`)
}

const (
	centred = `main.querySelector('[value=centred]')`
	asDrawn = `main.querySelector('[value=drawn]')`
)

// serveDraw serves the page as `wgslab draw` does, with the shaders in work, until the test
// ends.
func serveDraw(t *testing.T, work string) (address string) {
	t.Helper()
	return serveDrawWith(t, draw.Options{Work: work})
}

// serveDrawWith is serveDraw with other options than the folder.
func serveDrawWith(t *testing.T, o draw.Options) (address string) {
	t.Helper()
	address, stop := startDraw(t, o)
	t.Cleanup(stop)
	return address
}

// startDraw serves the page until stop is called.
func startDraw(t *testing.T, o draw.Options) (address string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	o.Ready = func(address string) { ready <- address }
	go func() { ended <- draw.Serve(ctx, o) }()
	select {
	case address = <-ready:
	case err := <-ended:
		cancel()
		require.NoError(t, err)
	}
	return address, func() {
		cancel()
		require.NoError(t, <-ended, "the server ends when it is told to")
	}
}

func openSheet(t *testing.T, chromium *browser.Browser, address string) (sheet, *browser.Page) {
	t.Helper()
	page, err := chromium.Open(address)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	s := sheet{page.Tab(), "document"}
	s.ready(t)
	return s, page
}

// drawings are digits from the project's stroke generator, with a seed used nowhere else.
// Every third point is enough for a mouse.
func drawings(n int) (all [][]mnist.Stroke) {
	rng := rand.New(rand.NewPCG(0x68656c64, 0x6f7574))
	for i := range n {
		strokes := mnist.Strokes(rng, i%10)
		for at, stroke := range strokes {
			var thin mnist.Stroke
			for k, p := range stroke {
				if k%3 == 0 || k == len(stroke)-1 {
					thin = append(thin, p)
				}
			}
			strokes[at] = thin
		}
		all = append(all, strokes)
	}
	return all
}

// small shrinks a drawing into one part of the sheet.
func small(rng *rand.Rand, strokes []mnist.Stroke) []mnist.Stroke {
	size := 0.4 + 0.4*rng.Float64()
	right, down := (1-size)*rng.Float64(), (1-size)*rng.Float64()
	var all []mnist.Stroke
	for _, stroke := range strokes {
		var moved mnist.Stroke
		for _, p := range stroke {
			moved = append(moved, mnist.Point{X: right + size*p.X, Y: down + size*p.Y})
		}
		all = append(all, moved)
	}
	return all
}

// The mouse draws two hundred digits, half of them large and half in one part of the sheet.
// Framed as MNIST frames its digits, nearly all are read right; unframed, about as many as
// lesson 8 says. The bars follow the pen without a noticeable delay.
func TestDrawingsAreRead(t *testing.T) {
	s, page := openSheet(t, browser.For(t), serveDraw(t, t.TempDir()))
	const half = 100
	rng := rand.New(rand.NewPCG(0x68656c64, 0x736d616c6c))
	var right, asTheyAre [2]int // large, small
	var took []float64
	for i, strokes := range drawings(2 * half) {
		size, want := i/half, fmt.Sprint(i%10)
		if size == 1 {
			strokes = small(rng, strokes)
		}
		s.press(t, `at('clear')`)
		s.draw(t, strokes, nil)
		s.settle(t)
		took = append(took, s.penUp(t))
		if s.digit(t) == want {
			right[size]++
		}
		s.press(t, asDrawn)
		if s.digit(t) == want {
			asTheyAre[size]++
		}
		s.press(t, centred)
	}
	slices.Sort(took)
	t.Logf("read right of %d large drawings: %d centred, %d as drawn; of %d small ones: %d centred, %d as drawn",
		half, right[0], asTheyAre[0], half, right[1], asTheyAre[1])
	t.Logf("from pen up to the new bars: median %.0f ms, 9 of 10 within %.0f ms", took[len(took)/2], took[len(took)*9/10])
	require.GreaterOrEqual(t, right[0]+right[1], 2*half*95/100)
	// Which pixels the mouse hits depends on the window.
	require.InDelta(t, 90, asTheyAre[0], 3, "large ones as drawn: what lesson 8 says")
	require.InDelta(t, 53, asTheyAre[1], 3, "small ones as drawn: what lesson 8 says")
	require.Empty(t, page.ConsoleErrors())
}

// Lesson 8 draws in JupyterLab as this machine serves it, and as a JupyterHub does: below
// /hub/user/x/, over HTTPS through a proxy, and over plain HTTP, where browsers withhold
// features from a page.
func TestDrawInJupyterLab(t *testing.T) {
	t.Run("here", func(t *testing.T) {
		server, clone, chromium := startDrawLab(t)
		testDrawInJupyterLab(t, server, clone, chromium)
	})
	t.Run("behind a hub", func(t *testing.T) {
		var second string
		t.Cleanup(func() { requireGone(t, second) }) // when JupyterLab has ended, in the midst of the cell
		server, clone, chromium := startDrawLab(t, "--ServerApp.base_url=/hub/user/x/", "--ServerApp.allow_remote_access=True")
		page := testDrawInJupyterLab(t, server.At(proxyTLS(t, server.Base())), clone, chromium)
		_, second = startLive(t, page)
	})
	t.Run("behind a hub over plain HTTP", func(t *testing.T) {
		server, clone, chromium := startDrawLab(t, "--ServerApp.base_url=/hub/user/x/", "--ServerApp.allow_remote_access=True")
		testDrawInJupyterLab(t, server.At(plainHTTP(server)), clone, chromium)
	})
}

// plainHTTP returns a server's address under a name that is not localhost.
func plainHTTP(server *lab.Server) string {
	return strings.Replace(server.Base(), server.Host(), hubName+server.Host()[strings.LastIndex(server.Host(), ":"):], 1)
}

// hubName resolves to this machine in the browsers of these tests.
const hubName = "hub.test"

// startDrawLab starts JupyterLab with every shader that reads a drawing solved, except
// softmax.
func startDrawLab(t *testing.T, options ...string) (*lab.Server, *lab.Clone, *lab.Browser) {
	t.Helper()
	clone, err := lab.NewClone(lab.Root(t), t.TempDir())
	require.NoError(t, err)
	for _, id := range draw.Exercises[:len(draw.Exercises)-1] {
		source, err := exercises.Reference(id)
		require.NoError(t, err)
		path := filepath.Join(clone.Notebooks(), "work", id+".wgsl")
		require.NoError(t, os.WriteFile(path, []byte(source), 0o644))
	}
	server, chromium := lab.Start(t, clone, options, chromedp.Flag("ignore-certificate-errors", true),
		chromedp.Flag("host-resolver-rules", "MAP "+hubName+" 127.0.0.1"))
	return server, clone, chromium
}

// proxyTLS serves an address over HTTPS with its own certificate, and returns the new
// address.
func proxyTLS(t *testing.T, base string) string {
	t.Helper()
	behind, err := url.Parse(base)
	require.NoError(t, err)
	proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: behind.Scheme, Host: behind.Host})
			r.Out.Host = r.In.Host
			r.SetXForwarded()
		},
		ErrorLog: log.New(io.Discard, "", 0), // of connections that a closing tab leaves
	})
	proxy.Config.ErrorLog = log.New(io.Discard, "", 0)
	proxy.StartTLS()
	t.Cleanup(func() { proxy.CloseClientConnections(); proxy.Close() })
	return proxy.URL + behind.Path
}

// startLive runs the cell with the page, and returns the page's direct address as well,
// without the Jupyter server in between.
func startLive(t *testing.T, page *lab.Page) (s sheet, direct string) {
	t.Helper()
	live, err := page.Cell(lab.LiveCell)
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, page.Start(live))
	s = sheet{page.Tab(), "document.querySelector('.wgslab-draw iframe')?.contentDocument"}
	s.ready(t)
	t.Logf("the page is there %.1f s after Shift+Enter", time.Since(began).Seconds())
	proxied := on[string](t, s, `page.location.pathname`)
	_, below, ok := strings.Cut(proxied, "/proxy/")
	require.True(t, ok, "the page comes through the Jupyter server, not from %s", proxied)
	direct = "http://127.0.0.1:" + below
	response, err := http.Get(direct)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	return s, direct
}

func testDrawInJupyterLab(t *testing.T, server *lab.Server, clone *lab.Clone, chromium *lab.Browser) *lab.Page {
	t.Helper()
	page := lab.Visit(t, server, clone, chromium, "08-draw.ipynb")
	live, err := page.Cell(lab.LiveCell)
	require.NoError(t, err)
	s, direct := startLive(t, page)
	s.becomes(t, "The passes: 4 of 5 kernels are yours", `at('passes-title').textContent`)

	for digit, strokes := range drawings(10) {
		s.press(t, `at('clear')`)
		s.draw(t, strokes, func() { // the pen is still down
			s.wait(t, `main.hasAttribute('data-drawing') && at('bars').querySelector('[data-best]') !== null`)
		})
		s.settle(t)
		require.Equal(t, fmt.Sprint(digit), s.digit(t))
	}
	t.Logf("from pen up to the last bars: %.0f ms", s.penUp(t))

	requireTheme(t, page, s)
	page.RequireNoFlaws(t, live)

	require.NoError(t, page.Interrupt(live))
	require.NoError(t, page.WaitText(live, "The page is closed."))
	requireGone(t, direct)
	at, err := page.Cell("map")
	require.NoError(t, err)
	require.NoError(t, page.Run(at), "the kernel goes on")
	page.RequireQuiet(t)
	return page
}

// In JupyterLab, lesson 10's sheet learns a sign, and keeps the weights that read it.
func TestSheetLearnsASignInJupyterLab(t *testing.T) {
	server, clone, chromium := startDrawLab(t)
	page := lab.Visit(t, server, clone, chromium, "beyond/10-train.ipynb")
	cell, err := page.Cell("sign")
	require.NoError(t, err)
	require.NoError(t, page.Start(cell))
	s := sheet{page.Tab(), "document.querySelector('.wgslab-draw iframe')?.contentDocument"}
	s.ready(t)
	s.learnsASign(t)
	page.RequireNoFlaws(t, cell)
	require.NoError(t, page.Interrupt(cell))
	require.NoError(t, page.WaitText(cell, "The page is closed."))
	kept, err := mlp.Load(filepath.Join(clone.Lessons(), "work", "sign.safetensors"))
	require.NoError(t, err)
	require.Equal(t, "A", kept.Sign)
	page.RequireQuiet(t)
}

// learnsASign teaches the sheet an A by ten drawings. Then it reads ten fresh ones, and a digit.
func (s sheet) learnsASign(t *testing.T) {
	t.Helper()
	letter := []mnist.Stroke{{{X: .12, Y: .98}, {X: .50, Y: .02}, {X: .50, Y: .02}, {X: .88, Y: .98}}, {{X: .26, Y: .64}, {X: .74, Y: .64}}}
	random := rand.New(rand.NewPCG(11, 11))
	for i := range epochs.Examples {
		s.draw(t, handwriting.Written(random, letter), nil)
		s.settle(t)
		s.press(t, `at('keep')`)
		s.wait(t, fmt.Sprintf(`at('examples').children.length === %d`, i+1))
	}
	on[chromedp.Void](t, s, `(at('sign').value = 'A', at('sign').dispatchEvent(new Event('input')))`)
	began := time.Now()
	s.press(t, `at('learn')`)
	s.wait(t, `/^Step \d+ of \d+/.test(at('lesson').textContent)`)
	s.waitLong(t, 5*time.Minute, `at('lesson').textContent.startsWith('It has learned A.')`)
	t.Logf("it learned for %.1f s", time.Since(began).Seconds())
	for range 10 {
		s.press(t, `at('clear')`)
		s.draw(t, handwriting.Written(random, letter), nil)
		s.settle(t)
		require.Equal(t, "A", s.digit(t))
	}
	s.press(t, `at('samples').children[7]`)
	s.becomes(t, "7", `at('digit').textContent`)
}

func requireGone(t *testing.T, address string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	_, err := client.Get(address)
	require.ErrorIs(t, err, syscall.ECONNREFUSED, "no server listens any more")
}

// requireTheme requires that the page follows JupyterLab's theme.
func requireTheme(t *testing.T, page *lab.Page, s sheet) {
	t.Helper()
	s.becomes(t, "light", `page.documentElement.dataset.theme`)
	for _, theme := range []string{"dark", "light"} {
		set := fmt.Sprintf(`document.body.dataset.jpThemeLight = %t`, theme == "light")
		require.NoError(t, chromedp.Do(page.Tab(), chromedp.Evaluate[chromedp.Void](set)))
		s.wait(t, fmt.Sprintf(`page.documentElement.dataset.theme === %q`, theme))
	}
}

// The page works without a mouse: the keyboard chooses a digit, hears it announced, undoes
// it and chooses again; a finger draws as a mouse does.
func TestDrawWithoutAMouse(t *testing.T) {
	s, page := openSheet(t, browser.For(t), serveDraw(t, t.TempDir()))
	key := func(key string, options ...chromedp.KeyOption) {
		t.Helper()
		require.NoError(t, chromedp.Do(s.tab, chromedp.KeyEvent(key, options...)))
	}
	focused := func() string { return on[string](t, s, `page.activeElement.getAttribute('aria-label') ?? ''`) }
	for range 20 {
		if key(kb.Tab); focused() == "Draw a sample 7" {
			break
		}
	}
	require.Equal(t, "Draw a sample 7", focused(), "the Tab key leads there")
	require.Equal(t, "solid", on[string](t, s, `getComputedStyle(page.activeElement).outlineStyle`), "the focus is to be seen")
	key(" ")
	s.wait(t, `at('spoken').textContent.startsWith('Read as 7. ')`)
	require.Equal(t, "7", s.digit(t))
	key("z", chromedp.KeyModifiers(kb.ModifierCtrl))
	s.wait(t, `at('spoken').textContent === 'The sheet is empty.'`)
	key(kb.Enter)
	s.wait(t, `at('spoken').textContent.startsWith('Read as 7. ')`)

	on[chromedp.Void](t, s, centred+`.focus()`)
	key(kb.ArrowRight)
	require.True(t, on[bool](t, s, asDrawn+`.checked && at('frame').hasAttribute('data-whole')`))
	s.settle(t)
	key(kb.ArrowLeft)
	s.settle(t)

	require.NoError(t, chromedp.Do(s.tab, chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch)))
	require.LessOrEqual(t, on[int](t, s, `page.documentElement.scrollWidth`), 360, "what a phone's width has to hold")
	s.press(t, `at('clear')`)
	s.touch(t, drawings(4)[3])
	s.settle(t)
	require.Equal(t, "3", s.digit(t))
	require.Empty(t, page.ConsoleErrors())
}

// touch draws with a finger.
func (s sheet) touch(t *testing.T, strokes []mnist.Stroke) {
	t.Helper()
	box := on[struct{ Left, Top, Width, Height float64 }](t, s, `(() => {
		const { left, top, width, height } = at('canvas').getBoundingClientRect();
		return { left, top, width, height };
	})()`)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		_, err := chromedp.Call(s.tab, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		require.NoError(t, err)
	}
	for _, stroke := range strokes {
		kind := input.DispatchTouchEventTypeTouchStart
		for _, p := range stroke {
			touch(kind, &input.TouchPoint{X: box.Left + p.X*box.Width, Y: box.Top + p.Y*box.Height})
			kind = input.DispatchTouchEventTypeTouchMove
		}
		touch(input.DispatchTouchEventTypeTouchEnd)
	}
}

// axe-core reports nothing: empty or read, light or dark, wide or on a phone.
func TestDrawIsAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(lab.Root(t), ".build", "axe", "axe_playwright_python", "axe.min.js"))
	require.NoError(t, err, "axe-core is not there: run make test, which fetches it")
	address, chromium := serveDraw(t, t.TempDir()), browser.For(t)
	for _, theme := range []string{"light", "dark"} {
		s, page := openSheet(t, chromium, address+"?theme="+theme)
		require.NoError(t, chromedp.Do(s.tab, chromedp.Evaluate[chromedp.Void](string(axe))))
		for _, width := range []int64{1000, 600, 360} {
			require.NoError(t, chromedp.Do(s.tab, chromedp.EmulateViewport(width, 800)))
			for _, state := range []string{"empty", "read", "as drawn"} {
				switch state {
				case "empty":
					s.press(t, centred)
					s.press(t, `at('clear')`)
				case "read":
					s.draw(t, drawings(9)[8], nil)
					s.settle(t)
				default:
					s.press(t, asDrawn)
				}
				faults := on[[]string](t, s, `axe.run(page).then(({ violations }) =>
					violations.map((v) => v.impact + ': ' + v.help + ': ' + v.nodes.map((n) => n.html).join(' ')))`)
				require.Empty(t, faults, "%s, %d px wide, %s", theme, width, state)
				require.LessOrEqual(t, on[int64](t, s, `page.documentElement.scrollWidth`), width, "what is wider than the window")
			}
		}
		require.Empty(t, page.ConsoleErrors())
		for _, asked := range page.Requests() {
			require.True(t, strings.HasPrefix(asked, address), "the page asked for %s", asked)
		}
	}
}

// Ten clients ask at once while others send rubbish, never read their answers, and vanish
// in the middle of a request or a stroke. The ten, and a person who draws, get the same
// answers as they would alone.
func TestDrawServesMany(t *testing.T) {
	address, chromium := serveDraw(t, t.TempDir()), browser.For(t)
	s, page := openSheet(t, chromium, address)
	var images, alone [][]byte
	for _, strokes := range drawings(10) {
		images = append(images, mnist.Rasterise(strokes, 140, 0.08))
	}
	for _, image := range images {
		answer, err := ask(address, image)
		require.NoError(t, err)
		alone = append(alone, answer)
	}

	for range 20 {
		neverRead(t, address)
	}
	stop := make(chan struct{})
	var bad, good sync.WaitGroup
	for _, nuisance := range []func(address string) error{sendRubbish, vanish} {
		bad.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := nuisance(address); err != nil {
					t.Errorf("a bad client was not answered as it should be: %v", err)
					return
				}
			}
		})
	}
	took := make(chan time.Duration, 10*20)
	for client := range 10 {
		good.Go(func() {
			for round := range 20 {
				i := (client + round) % len(images)
				began := time.Now()
				answer, err := ask(address, images[i])
				if err != nil || !bytes.Equal(answer, alone[i]) {
					t.Errorf("client %d, image %d: %v; %s instead of %s", client, i, err, answer, alone[i])
				}
				took <- time.Since(began)
			}
		})
	}
	vanishing, _ := openSheet(t, chromium, address)
	vanishing.vanishMidStroke(t)
	for digit, strokes := range drawings(10) {
		s.press(t, `at('clear')`)
		s.draw(t, strokes, nil)
		s.settle(t)
		require.Equal(t, fmt.Sprint(digit), s.digit(t))
	}
	good.Wait()
	close(stop)
	bad.Wait()
	close(took)
	var all []time.Duration
	for each := range took {
		all = append(all, each)
	}
	slices.Sort(all)
	t.Logf("an answer to one of the ten clients took %d ms (median), at most %d ms", all[len(all)/2].Milliseconds(), all[len(all)-1].Milliseconds())
	require.Empty(t, page.ConsoleErrors())
}

// When its server ends, the page says so and what to do.
func TestDrawSaysThatItsServerIsGone(t *testing.T) {
	address, stop := startDraw(t, draw.Options{Work: t.TempDir()})
	s, _ := openSheet(t, browser.For(t), address)
	stop()
	s.draw(t, drawings(1)[0], nil)
	s.settle(t)
	s.becomes(t, "Start `wgslab draw` again.", `at('problem').textContent`)
}

// vanishMidStroke closes the tab with the pen down.
func (s sheet) vanishMidStroke(t *testing.T) {
	t.Helper()
	s.draw(t, drawings(1)[0], func() {
		s.wait(t, `main.hasAttribute('data-drawing')`)
	})
	on[chromedp.Void](t, s, `setTimeout(() => close())`)
}

// ask returns the probabilities for an image, as sent.
func ask(address string, image []byte) ([]byte, error) {
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Post(address+"classify", "", bytes.NewReader(image))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct {
		Probabilities json.RawMessage
		Error         string
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("%s: %w", response.Status, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", response.Status, answer.Error)
	}
	return answer.Probabilities, nil
}

// sendRubbish sends invalid drawings and asks for missing pages.
func sendRubbish(address string) error {
	for _, length := range []int{0, 1, 140*140 - 1, 140*140 + 1, 4 << 20} {
		if _, err := ask(address, make([]byte, length)); err == nil || !strings.Contains(err.Error(), "400 Bad Request: a drawing is 140×140 bytes") {
			if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
				continue // the server need not read far too long a body to its end
			}
			return fmt.Errorf("%d bytes: %w", length, err)
		}
	}
	for path, want := range map[string]int{"classify": http.StatusMethodNotAllowed, "../": http.StatusNotFound, "etc/passwd": http.StatusNotFound} {
		response, err := http.Get(address + path)
		if err != nil {
			return err
		}
		response.Body.Close()
		if response.StatusCode != want {
			return fmt.Errorf("%s gives %s", path, response.Status)
		}
	}
	return send(address, "\x16\x03\x01\x00 this is no HTTP \xff\xfe\r\n\r\n")
}

// neverRead requests the page repeatedly and reads none of it.
func neverRead(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	connection, err := net.Dial("tcp", u.Host)
	require.NoError(t, err)
	t.Cleanup(func() { connection.Close() })
	_, err = io.WriteString(connection, strings.Repeat("GET "+u.Path+" HTTP/1.1\r\nHost: "+u.Host+"\r\n\r\n", 100))
	require.NoError(t, err)
}

// vanish disconnects before its drawing is complete, and before the answer arrives.
func vanish(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	head := "POST " + u.Path + "classify HTTP/1.1\r\nHost: " + u.Host + "\r\nContent-Length: 19600\r\n\r\n"
	return errors.Join(send(address, head+strings.Repeat("\x00", 9000)), send(address, head+strings.Repeat("\x00", 19600)))
}

// send sends bytes over a new connection and hangs up without reading.
func send(address, text string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	connection, err := net.Dial("tcp", u.Host)
	if err != nil {
		return err
	}
	defer connection.Close()
	_, err = io.WriteString(connection, text)
	return err
}
