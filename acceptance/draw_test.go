package acceptance

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/pkg/draw"
	"github.com/wgslab/wgslab/pkg/mnist"
	"github.com/wgslab/wgslab/shaders"
)

// A sheet is the draw-a-digit page in a tab: the whole of it, or in a frame.
type sheet struct {
	tab   context.Context
	where string // a JavaScript expression for the page's document
}

// on evaluates an expression in which `at(name)` is a part of the page and
// `main` all of it.
func on[T any](t *testing.T, s sheet, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.tab, time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](s.script(expression), chromedp.EvalAwaitPromise))
	require.NoError(t, err, "evaluating %s", expression)
	return value
}

// wait waits until an expression as for on is true.
func (s sheet) wait(t *testing.T, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.tab, time.Minute)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](s.script(expression), chromedp.WithPollingInterval(10*time.Millisecond)))
	require.NoError(t, err, "waiting for %s", expression)
}

func (s sheet) script(expression string) string {
	return fmt.Sprintf(`((page) => {
		const main = page?.getElementById('draw');
		const at = (name) => main?.querySelector('[data-at="' + name + '"]');
		return %s;
	})(%s)`, expression, s.where)
}

// ready waits until the page has asked for the first time.
func (s sheet) ready(t *testing.T) {
	t.Helper()
	s.wait(t, `at('passes')?.children.length === 6`)
}

// draw moves the mouse over the sheet, pressed along each stroke; meanwhile,
// when given, is called before the mouse is let go at the end.
func (s sheet) draw(t *testing.T, strokes []mnist.Stroke, meanwhile func()) {
	t.Helper()
	box := on[struct{ Left, Top, Width, Height float64 }](t, s, `(() => {
		at('canvas').scrollIntoView({ block: 'center' });
		const { left, top, width, height } = at('canvas').getBoundingClientRect();
		const frame = page.defaultView.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
		return { left: left + frame.left, top: top + frame.top, width, height };
	})()`)
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

// settle waits until what is drawn has been read.
func (s sheet) settle(t *testing.T) {
	t.Helper()
	s.wait(t, `!main.hasAttribute('data-drawing') && at('answer').getAttribute('aria-busy') === 'false'`)
}

// press presses a part of the page: a button, or the switch.
func (s sheet) press(t *testing.T, element string) {
	t.Helper()
	on[chromedp.Void](t, s, element+`.click()`)
	s.settle(t)
}

// digit is what the page says.
func (s sheet) digit(t *testing.T) string {
	t.Helper()
	return on[string](t, s, `at('digit').textContent`)
}

// penUp is how long the last answer took from the pen's lifting, in milliseconds.
func (s sheet) penUp(t *testing.T) float64 {
	t.Helper()
	return on[float64](t, s, `page.defaultView.performance.getEntriesByName('answer')[0].duration`)
}

const (
	centred = `main.querySelector('[value=centred]')`
	asDrawn = `main.querySelector('[value=drawn]')`
)

// serveDraw serves the page as `wgslab draw` does, with the shaders in work.
func serveDraw(t *testing.T, work string) (address string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- draw.Serve(ctx, draw.Options{Work: work, Ready: func(address string) { ready <- address }})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended, "the server ends when it is told to")
	})
	select {
	case address = <-ready:
	case err := <-ended:
		ended <- nil
		require.NoError(t, err)
	}
	return address
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

// drawings are digits by the project's stroke generator from a seed that is used
// nowhere else. Every third point is enough for a mouse.
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

// small puts a drawing into a part of the sheet, as who does not fill the page.
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

// Two hundred drawings, drawn with the mouse, half of them large, half in a part
// of the sheet: nearly all are read right when framed as MNIST frames its digits,
// and as they are about as many as lesson 8 says. From the pen's lifting to the
// new bars a person notices no wait.
func TestDrawingsAreRead(t *testing.T) {
	s, page := openSheet(t, startBrowser(t), serveDraw(t, t.TempDir()))
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
	require.InDelta(t, 90, asTheyAre[0], 6, "lesson 8 says: about 9 of 10")
	require.InDelta(t, 50, asTheyAre[1], 10, "lesson 8 says: about half")
	require.Empty(t, page.ConsoleErrors())
}

// liveCell is the cell of lesson 8 that shows the page.
const liveCell = "live"

// Lesson 8 in JupyterLab, as it is served on this machine, and as a JupyterHub
// serves it: below /hub/user/x/, over HTTPS, behind a proxy.
func TestDrawInJupyterLab(t *testing.T) {
	t.Run("here", func(t *testing.T) {
		server, clone, chromium := startDrawLab(t)
		testDrawInJupyterLab(t, server, clone, chromium)
	})
	t.Run("behind a hub", func(t *testing.T) {
		server, clone, chromium := startDrawLab(t, "--ServerApp.base_url=/hub/user/x/", "--ServerApp.allow_remote_access=True")
		testDrawInJupyterLab(t, server.At(proxyTLS(t, server.Base())), clone, chromium)
	})
}

// startDrawLab starts JupyterLab on the notebooks, in whose folder work the
// learner has solved all that reads a drawing, but for softmax.
func startDrawLab(t *testing.T, options ...string) (*lab.Server, *lab.Clone, *lab.Browser) {
	t.Helper()
	clone, err := lab.NewClone(repository(t), t.TempDir())
	require.NoError(t, err)
	for _, id := range draw.Kernels[:len(draw.Kernels)-1] {
		source, err := shaders.Source(id)
		require.NoError(t, err)
		path := filepath.Join(clone.Notebooks(), "work", id+".wgsl")
		require.NoError(t, os.WriteFile(path, []byte(source), 0o644))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	server, err := lab.StartServer(ctx, clone, options...)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("JupyterLab said:\n%s", server.Log())
		}
		require.NoError(t, server.Stop())
	})
	chromium, err := lab.OpenBrowser(ctx, "ignore-certificate-errors")
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	return server, clone, chromium
}

// proxyTLS serves what lies behind an address over HTTPS, with a certificate of
// its own, and returns the address to use instead.
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

func testDrawInJupyterLab(t *testing.T, server *lab.Server, clone *lab.Clone, chromium *lab.Browser) {
	page := open(t, server, clone, chromium, "08-draw.ipynb")
	live, err := page.Cell(liveCell)
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, page.Start(live))
	s := sheet{page.Tab(), "document.querySelector('.wgslab-draw iframe')?.contentDocument"}
	s.ready(t)
	t.Logf("the page is there %.1f s after Shift+Enter", time.Since(began).Seconds())
	require.Equal(t, "The passes: 4 of 5 kernels are yours", on[string](t, s, `at('passes-title').textContent`))

	for digit, strokes := range drawings(10) {
		s.press(t, `at('clear')`)
		s.draw(t, strokes, func() { // the pen is still down
			s.wait(t, `main.hasAttribute('data-drawing') && at('bars').querySelector('[data-best]') !== null`)
		})
		s.settle(t)
		require.Equal(t, fmt.Sprint(digit), s.digit(t))
	}
	t.Logf("from pen up to the last bars: %.0f ms", s.penUp(t))

	// Like the notebook, so the page.
	requireTheme(t, page, s)
	address := on[string](t, s, `page.location.pathname`)
	require.Contains(t, address, "/proxy/", "the page comes through the Jupyter server")
	direct := directly(t, address)
	requireNoFlaws(t, page, live)

	require.NoError(t, page.Interrupt(live))
	require.NoError(t, page.WaitText(live, "The page is closed."))
	requireGone(t, direct)
	at, err := page.Cell("map")
	require.NoError(t, err)
	require.NoError(t, page.Run(at), "the kernel goes on")
	requireQuiet(t, page)
}

// directly is the page's address without the Jupyter server in between.
func directly(t *testing.T, proxied string) string {
	t.Helper()
	_, below, ok := strings.Cut(proxied, "/proxy/")
	require.True(t, ok)
	port, token, ok := strings.Cut(below, "/")
	require.True(t, ok)
	address := "http://127.0.0.1:" + port + "/" + token
	response, err := http.Get(address)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	return address
}

func requireGone(t *testing.T, address string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	_, err := client.Get(address)
	require.ErrorIs(t, err, syscall.ECONNREFUSED, "nobody listens any more")
}

// requireTheme: the page takes on JupyterLab's theme, and changes with it.
func requireTheme(t *testing.T, page *lab.Page, s sheet) {
	t.Helper()
	require.Equal(t, "light", on[string](t, s, `page.documentElement.dataset.theme`))
	for _, theme := range []string{"dark", "light"} {
		set := fmt.Sprintf(`document.body.dataset.jpThemeLight = %t`, theme == "light")
		require.NoError(t, chromedp.Do(page.Tab(), chromedp.Evaluate[chromedp.Void](set)))
		s.wait(t, fmt.Sprintf(`page.documentElement.dataset.theme === %q`, theme))
	}
}

func percent(some, all int) float64 { return 100 * float64(some) / float64(all) }
