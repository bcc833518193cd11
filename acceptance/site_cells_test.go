//go:build acceptance

package acceptance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/nbformat"
	"github.com/wgslab/wgslab/pkg/draw"
)

// A shownOutput is one thing that a cell put out: a display, or what it printed.
type shownOutput struct{ HTML, Stream, Text string }

// outputsOf are what a run by wgslab run left in a cell.
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

// section is a cell of the page.
func section(cell string) string { return fmt.Sprintf("document.getElementById(%q)", cell) }

// run presses a cell's button, and gives what it shows in the end.
func (v *visit) run(cell string) []shownOutput {
	v.t.Helper()
	v.wait(`!%s.querySelector('.start').disabled`, section(cell))
	value[bool](v, `%s.querySelector('.start').click() || true`, section(cell))
	v.wait(`!%s.hasAttribute('aria-busy')`, section(cell))
	require.Empty(v.t, value[string](v, `%s.querySelector('.doing').textContent`, section(cell)), cell)
	return value[[]shownOutput](v, `[...%s.querySelector('.shown').children].map((c) => c.matches('.printed')
		? { Stream: c.dataset.stream, Text: c.textContent } : { HTML: c.innerHTML })`, section(cell))
}

// normal is HTML as a browser writes it, in a page of the course.
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

// What two machines, and two runs, cannot have in common.
var (
	// The cells that show the adapter: all that it says.
	ofTheAdapter = []string{"01-bootstrap/alive"}
	// The cells that measure: each number, and the pictures of them.
	timed = []string{"03-matmul/speed-plot", "06-forward/slow", "06-forward/time"}
	// The time in a reading's card.
	tookTime = regexp.MustCompile(`time for all of them</td><td[^>]*>[^<]*`)

	number  = regexp.MustCompile(`-?[0-9][0-9.,]*(?:e[+-]?[0-9]+)?`)
	picture = regexp.MustCompile(`src="data:image/png;base64,([^"]*)"`)
	said    = regexp.MustCompile(`alt="[^"]*"`)
)

// TestSiteCells runs the notebooks' Go cells in their pages, on a browser's WebGPU, and
// holds what they show against what wgslab run shows: each text, and each picture.
func TestSiteCells(t *testing.T) {
	v := visitSite(t, startBrowser(t, browser.WebGPU), serveSite(t), "02-add.html")
	for _, l := range lesson.Lessons {
		for _, e := range l.Exercises() {
			if e != lesson.Forward {
				v.solve(e.ID)
			}
		}
	}
	for _, path := range notebooks(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		nb := solved(t, path)
		v.open(name + ".html")
		v.wait(`document.documentElement.dataset.ready`)
		for _, cell := range codeCells(nb) {
			id := name + "/" + cell.ID
			if id == "08-draw/live" || !value[bool](v, `Boolean(%s?.matches('.go[data-cell], .picture'))`, section(cell.ID)) {
				continue // TestSiteDraws; a shader, a check, the map, or what no page can run
			}
			t.Run(id, func(t *testing.T) {
				began := time.Now()
				there := v.run(cell.ID)
				t.Logf("%.1f s", time.Since(began).Seconds())
				here := outputsOf(cell)
				require.Len(t, there, len(here))
				for i := range here {
					require.Equal(t, here[i].Stream, there[i].Stream)
					require.Equal(t, here[i].Text, there[i].Text)
					requireSameHTML(t, id, v.normal(here[i].HTML), there[i].HTML)
				}
			})
		}
	}
	require.Empty(t, v.page.ConsoleErrors())
}

// requireSameHTML holds two displays of a cell against each other.
func requireSameHTML(t *testing.T, id, here, there string) {
	t.Helper()
	mask := func(html string) string {
		html = tookTime.ReplaceAllString(html, "time for all of them")
		html = picture.ReplaceAllString(html, "a picture")
		if slices.Contains(timed, id) {
			html = number.ReplaceAllString(said.ReplaceAllString(html, "said"), "#")
		}
		return html
	}
	if slices.Contains(ofTheAdapter, id) {
		return
	}
	require.Equal(t, mask(here), mask(there))
	if slices.Contains(timed, id) {
		return
	}
	pictures := picture.FindAllStringSubmatch(there, -1)
	for i, m := range picture.FindAllStringSubmatch(here, -1) {
		requireSamePicture(t, decodePicture(t, m[1]), decodePicture(t, pictures[i][1]))
	}
}

func decodePicture(t *testing.T, encoded string) image.Image {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	decoded, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return decoded
}

// requireSamePicture: two adapters round the last digit of a value differently, which may
// change its colour by a step.
func requireSamePicture(t *testing.T, here, there image.Image) {
	t.Helper()
	require.Equal(t, here.Bounds(), there.Bounds())
	apart := 0
	for y := here.Bounds().Min.Y; y < here.Bounds().Max.Y; y++ {
		for x := here.Bounds().Min.X; x < here.Bounds().Max.X; x++ {
			r, g, b, a := here.At(x, y).RGBA()
			r2, g2, b2, a2 := there.At(x, y).RGBA()
			for _, pair := range [][2]uint32{{r, r2}, {g, g2}, {b, b2}, {a, a2}} {
				apart = max(apart, int(pair[0]>>8)-int(pair[1]>>8), int(pair[1]>>8)-int(pair[0]>>8))
			}
		}
	}
	require.LessOrEqual(t, apart, 1)
}

// Lesson 8 in its page: drawn with a mouse, read by the learner's own shaders, and as
// `wgslab draw` reads it.
func TestSiteDraws(t *testing.T) {
	for says, chromium := range map[string]*browser.Browser{"simulat": startBrowser(t), "SwiftShader": startBrowser(t, browser.WebGPU)} {
		t.Run(says, func(t *testing.T) { testSiteDraws(t, chromium, says) })
	}
}

func testSiteDraws(t *testing.T, chromium *browser.Browser, says string) {
	v := visitSite(t, chromium, serveSite(t), "index.html")
	v.solve(draw.Kernels[:len(draw.Kernels)-1]...)
	v.open("08-draw.html")
	v.wait(`document.documentElement.dataset.ready`)
	s := sheet{v.page.Tab(), "document.querySelector('#live iframe')?.contentDocument"}
	began := time.Now()
	v.click("#live .start")
	s.ready(t)
	t.Logf("the sheet is there after %.1f s", time.Since(began).Seconds())
	require.Equal(t, "The passes: 4 of 5 kernels are yours", on[string](t, s, `at('passes-title').textContent`))
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
	for _, id := range draw.Kernels {
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
