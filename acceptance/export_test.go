//go:build acceptance

package acceptance

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/draw"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

const (
	// exportTolerance is how far the page's probabilities may be from Go's.
	exportTolerance = 1e-3
	exportDigits    = 200 // that are read as pixels
	exportDrawings  = 10  // that are drawn with the mouse
	exportSeed      = 0x6578706f7274
)

// The exported page, opened from its file, reads digits as Go does, with and without the
// browser's WebGPU, and makes no network request.
func TestExport(t *testing.T) {
	path := exportPage(t)
	served, err := browser.For(t).Open(serveDraw(t, t.TempDir()))
	require.NoError(t, err)
	require.NoError(t, served.Wait("document.querySelectorAll('[data-at=passes] li').length === 6"), "the passes of the network")
	bars := testDraws(t, served)
	served.Close()
	for _, mode := range []struct {
		backend string
		flags   []chromedp.ExecAllocatorOption
	}{{"webgpu", []chromedp.ExecAllocatorOption{browser.WebGPU}}, {"js", nil}} {
		t.Run(mode.backend, func(t *testing.T) {
			page := openExported(t, browser.For(t, mode.flags...), path)
			backend, err := browser.Evaluate[string](page, "wgslab.backend")
			require.NoError(t, err)
			require.Equal(t, mode.backend, backend)
			testSays(t, page, mode.backend)
			testReads(t, page)
			require.InDeltaSlice(t, bars, testDraws(t, page), exportTolerance, "the same drawings, by wgslab draw and in this page")
			testRefuses(t, page)
			require.Equal(t, []string{"file://" + path}, page.Requests(), "what the page asked for")
			require.Empty(t, page.ConsoleErrors(), "errors in the console")
			testSealed(t, page)
		})
	}
	t.Run("lost", func(t *testing.T) { testLost(t, path) })
	t.Run("refused", testRefused)
}

// exportPage exports a page with a learner's shaders and host; two have a comment that could end
// the page's script.
func exportPage(t *testing.T) string {
	t.Helper()
	right := func(id, name string) string {
		return lab.Read(t, filepath.Join(lab.Root(t), "exercises", id, "right", name+".wgsl"))
	}
	page := export(t, map[string]string{
		"linear":     "/* </script><!-- <script> \u2028 ü */\n" + lab.Read(t, filepath.Join(lab.Root(t), "exercises", "linear", "reference.wgsl")),
		"relu":       right("relu", "strided"),
		"softmax":    right("softmax", "online"),
		"downsample": "this is no shader",
	}, "/* </script><!-- <script> */\n"+lab.Read(t, filepath.Join(lab.Root(t), "exercises", "host-digits", "reference.js")))
	for _, s := range page.Shaders {
		require.Equal(t, s.ID == "relu" || s.ID == "linear" || s.ID == "softmax", s.Learners, "%s is %s", s.ID, s.Whose())
	}
	require.LessOrEqual(t, len(page.HTML), 1_000_000)
	t.Logf("the page has %d bytes", len(page.HTML))
	return saved(t, page)
}

// export exports a page with a learner's shaders, by the id of their exercise, and their host.
func export(t *testing.T, own map[string]string, host string) *draw.Export {
	t.Helper()
	work := t.TempDir()
	for id, source := range own {
		require.NoError(t, os.WriteFile(filepath.Join(work, id+".wgsl"), []byte(source), 0o644))
	}
	page, err := draw.NewExport(t.Context(), work, "", false, host)
	require.NoError(t, err)
	return page
}

func saved(t *testing.T, page *draw.Export) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, page.HTML, 0o644))
	return path
}

func openExported(t *testing.T, chromium *browser.Browser, path string) *browser.Page {
	t.Helper()
	page, err := chromium.Open("file://" + path)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the console said: %q", page.ConsoleErrors())
			shot := filepath.Join(os.TempDir(), "wgslab-export.png")
			t.Logf("what the window showed: %s (%v)", shot, page.Screenshot(shot))
		}
		page.Close()
	})
	require.NoError(t, page.Wait("Boolean(globalThis.wgslab)"))
	require.NoError(t, page.Wait("document.querySelectorAll('[data-at=passes] li').length === 6"), "the passes of the network")
	return page
}

// testSays requires that the page names what runs and whose shaders they are.
func testSays(t *testing.T, page *browser.Page, backend string) {
	text := pageText(t, page)
	if backend == "webgpu" {
		require.Regexp(t, "by this browser's WebGPU, on google swiftshader.*, with the author's own host", text)
		require.Contains(t, text, "3 of 6 kernels are the author's")
		require.NotContains(t, text, "JavaScript")
		return
	}
	require.Contains(t, text, "This browser has no WebGPU")
	require.Contains(t, text, "plain JavaScript runs the same network, without the shaders")
	require.NotContains(t, text, "the author's")
}

func pageText(t *testing.T, page *browser.Page) string {
	t.Helper()
	text, err := browser.Evaluate[string](page, "document.body.innerText")
	require.NoError(t, err)
	return text
}

// testReads requires the same probabilities as in Go for the same pixels.
func testReads(t *testing.T, page *browser.Page) {
	images := someDigits(t)
	pixels := make([]float32, len(images))
	for i, b := range images {
		pixels[i] = float32(b) / 255
	}
	list, err := json.Marshal(pixels)
	require.NoError(t, err)
	began := time.Now()
	got, err := browser.Evaluate[[]float64](page, fmt.Sprintf(`(async (pixels) => {
		const asked = [];
		for (let i = 0; i < pixels.length; i += 784) asked.push(wgslab.classify(pixels.slice(i, i + 784)));
		const all = await Promise.all(asked);
		if (!all.every((p) => Array.isArray(p) && p.length === 10)) throw new Error('not ten numbers');
		return all.flat();
	})(%s)`, list))
	require.NoError(t, err)
	t.Logf("%d digits read in %.1f s; the largest difference to Go is %.2g",
		len(images)/mlp.Inputs, time.Since(began).Seconds(), requireAlike(t, forward(t, images), got))
}

// someDigits returns as many of MNIST's digits as drawn ones.
func someDigits(t *testing.T) []byte {
	t.Helper()
	test, err := mnist.Test()
	require.NoError(t, err)
	const half = exportDigits / 2 * mlp.Inputs
	return append(append([]byte(nil), test.Images[:half]...), mnist.Drawn().Images[:half]...)
}

// forward runs the network from Go with the reference shaders.
func forward(t *testing.T, images []byte) []float32 {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	defer device.Close()
	weights, err := mlp.Trained()
	require.NoError(t, err)
	network, err := mlp.New(device, weights)
	require.NoError(t, err)
	probabilities, err := network.Forward(images)
	require.NoError(t, err)
	return probabilities
}

func requireAlike(t *testing.T, want []float32, got []float64) (largest float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		largest = max(largest, math.Abs(got[i]-float64(want[i])))
		require.InDelta(t, want[i], got[i], exportTolerance, "probability of %d in image %d", i%mlp.Outputs, i/mlp.Outputs)
	}
	return largest
}

// testDraws draws with the mouse and requires the bars that Go computes for the pixels that
// the page says it saw.
func testDraws(t *testing.T, page *browser.Page) (bars []float64) {
	rng := rand.New(rand.NewPCG(exportSeed, 0))
	var seen []byte
	right := 0
	_, err := browser.Evaluate[bool](page, "addEventListener('pointerup', (event) => { globalThis.penUp = event.timeStamp; }, true) || true")
	require.NoError(t, err)
	for i := range exportDrawings {
		digit := i % 10
		require.NoError(t, page.Draw("[data-at=canvas]", pointsOf(mnist.Strokes(rng, digit))))
		require.NoError(t, page.Wait("performance.getEntriesByName('answer').some((answer) => answer.startTime >= penUp)"),
			"the answer to what was drawn when the pen went up last")
		read, err := browser.Evaluate[struct {
			Digit  string
			Pixels []byte
			Bars   []float64
		}](page, readPageJS)
		require.NoError(t, err)
		if read.Digit == fmt.Sprint(digit) {
			right++
		}
		seen = append(seen, read.Pixels...)
		bars = append(bars, read.Bars...)
		require.NoError(t, clear(page))
	}
	largest := requireAlike(t, forward(t, seen), bars)
	t.Logf("%d of %d drawings were read as they were meant; the bars differ from Go's by at most %.2g", right, exportDrawings, largest)
	require.GreaterOrEqual(t, right, exportDrawings*9/10)
	return bars
}

// readPageJS reads the digit, the small picture and the bars from the page.
const readPageJS = `(() => {
	const picture = document.querySelector('[data-at=seen]').getContext('2d').getImageData(0, 0, 28, 28).data;
	return {
		Digit: document.querySelector('[data-at=digit]').textContent,
		Pixels: btoa(String.fromCharCode(...picture.filter((_, i) => i % 4 === 0))),
		Bars: [...document.querySelectorAll('[data-at=bars] .fill')].map((fill) => Number(/scaleY\((.*)\)/.exec(fill.style.transform)[1])),
	};
})()`

func clear(page *browser.Page) error {
	if _, err := browser.Evaluate[bool](page, "document.querySelector('[data-at=clear]').click() || true"); err != nil {
		return err
	}
	return page.Wait("document.querySelector('[data-at=digit]').textContent === '?'")
}

func pointsOf(strokes []mnist.Stroke) [][]browser.Point {
	var all [][]browser.Point
	for _, stroke := range strokes {
		var points []browser.Point
		for _, p := range stroke {
			points = append(points, browser.Point{X: p.X, Y: p.Y})
		}
		all = append(all, points)
	}
	return all
}

// testRefuses requires that a wrong request is told what to ask instead.
func testRefuses(t *testing.T, page *browser.Page) {
	for call, says := range map[string]string{
		"wgslab.classify([1, 2, 3])":                "784 values",
		"wgslab.classify()":                         "784 values",
		"wgslab.classify(new Array(784).fill(255))": "divide bytes by 255",
		"wgslab.classify(new Array(784).fill(NaN))": "from 0 to 1",
	} {
		said, err := browser.Evaluate[string](page, call+".then(() => 'nothing', (error) => error.message)")
		require.NoError(t, err)
		require.Contains(t, said, says, call)
	}
}

// testSealed requires that not even a script in the page can reach the network.
func testSealed(t *testing.T, page *browser.Page) {
	var asked atomic.Int32
	listener := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer listener.Close()
	said, err := browser.Evaluate[string](page, fmt.Sprintf(`(async () => {
		const fetched = await fetch(%[1]q, { mode: 'no-cors' }).then(() => 'fetched', () => 'not fetched');
		const shown = await new Promise((resolve) => {
			const image = new Image();
			image.onload = image.onerror = () => resolve('asked for');
			addEventListener('securitypolicyviolation', () => resolve('not shown'));
			image.src = %[1]q;
		});
		return fetched + ', ' + shown;
	})()`, listener.URL))
	require.NoError(t, err)
	require.Equal(t, "not fetched, not shown", said)
	require.Zero(t, asked.Load(), "requests that left the page")
}

// testLost takes the device away: the page gets a new one, or goes on without where the
// browser has none left.
func testLost(t *testing.T, path string) {
	chromium := browser.For(t, browser.WebGPU)
	page := openExported(t, chromium, path)
	readAfterLoss := func(backend string) {
		t.Helper()
		require.NoError(t, chromium.CrashGPU())
		testReads(t, page)
		now, err := browser.Evaluate[string](page, "wgslab.backend")
		require.NoError(t, err)
		require.Equal(t, backend, now)
	}
	readAfterLoss("webgpu")
	_, err := browser.Evaluate[bool](page, "(navigator.gpu.requestAdapter = async () => null) && true")
	require.NoError(t, err)
	readAfterLoss("js")
	require.Contains(t, pageText(t, page), "plain JavaScript runs the same network")
}

// testRefused requires that the page names a shader that the browser refuses, with the
// browser's message. A page can rely on 256 invocations per workgroup, no more.
func testRefused(t *testing.T) {
	trees := lab.Read(t, filepath.Join(lab.Root(t), "exercises", "softmax", "right", "trees-256.wgsl"))
	path := saved(t, export(t, map[string]string{"softmax": strings.ReplaceAll(trees, "256", "512")}, ""))
	page := openExported(t, browser.For(t, browser.WebGPU), path)
	text := pageText(t, page)
	require.Contains(t, text, "cannot run the shader softmax")
	require.Contains(t, text, "workgroup_size(512, 1, 1) that exceeds the maximum allowed")
	require.Contains(t, text, "plain JavaScript runs the same network")
	testReads(t, page)
}
