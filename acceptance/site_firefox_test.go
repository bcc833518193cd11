//go:build acceptance

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/firefox"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// A visitor in Firefox sees mistakes while typing, tries a wrong shader, reads why, writes
// the right one, and does the same offline.
func TestSiteInFirefox(t *testing.T) {
	from, fox := site.Serve(t), firefox.For(t)
	v, page := visitInFirefox(t, fox, from, "02-add.html#vector-add")
	wait := v.wait
	value := func(expression string, arguments ...any) string {
		t.Helper()
		return value[string](v, expression, arguments...)
	}
	write := func(source string) {
		t.Helper()
		wait(`document.querySelector('#vector-add .cm-content')`)
		value(`(document.querySelector('#vector-add .cm-content').focus(), '')`)
		require.NoError(t, page.Press(firefox.Control, "a"))
		require.NoError(t, page.Press(firefox.Delete))
		value(`(document.execCommand('insertText', false, %q), '')`, source)
		wait(`localStorage.getItem('wgslab:work/vector-add.wgsl') === %q`, source)
	}
	check := func() string {
		t.Helper()
		value(`(document.querySelector('#check-vector-add .verdict').replaceChildren(), '')`)
		wait(`!document.querySelector('#check-vector-add .start').disabled`)
		require.NoError(t, page.Click("#check-vector-add .start"))
		wait(`document.querySelector('#check-vector-add .verdict').childElementCount > 0 && !document.querySelector('#check-vector-add').hasAttribute('aria-busy')`)
		return value(`document.querySelector('#check-vector-add .verdict').innerText`)
	}

	wait(`document.querySelector('#check-vector-add .doing').textContent.includes('no WebGPU')`)
	right := reference(t, "vector-add")
	write(strings.Replace(right, "a[i] + b[i]", "a[i] + c[i]", 1))
	wait(`document.querySelector('#vector-add .cm-lintRange-error')?.textContent === 'c'`)
	write(strings.Replace(right, "a[i] + b[i]", "a[i] - b[i]", 1))
	require.Contains(t, check(), "a[i] - b[i]")
	write(right)
	require.Contains(t, check(), "vector-add: right")
	require.Equal(t, "✓ passed", value(`document.querySelector('#vector-add .passed').textContent`))

	wait(`document.querySelector('#offline').textContent !== ''`)
	for _, asked := range fox.Requests() {
		require.True(t, strings.HasPrefix(asked, from.URL+"/"), "the page asked for %s", asked)
	}
	require.Empty(t, value(`document.cookie`))
	require.Empty(t, fox.ConsoleErrors())

	from.Gone.Store(true)
	v.open("02-add.html#vector-add")
	wait(`document.querySelector('#vector-add .cm-content')?.innerText.includes('a[i] + b[i]')`)
	require.Contains(t, check(), "vector-add: right")
}

// In Firefox, which has no WebGPU, the Go cells show what they show without a driver, and
// lesson 8 reads a drawing.
func TestSiteCellsInFirefox(t *testing.T) {
	lab.HideDrivers(t)
	fox := firefox.For(t)
	v, page := visitInFirefox(t, fox, site.Serve(t), "index.html")
	for _, path := range lab.WithBeyond(t) {
		v.holdAgainst(solvedWithoutADriver(t, path), path, func(string) bool { return true })
	}

	v.open("08-draw.html")
	v.wait(`document.documentElement.dataset.ready`)
	require.NoError(t, page.Click("#live .start"))
	s := sheet{where: "document.querySelector('#live iframe')?.contentDocument"}
	v.wait("%s", s.script(`at('passes')?.children.length === 6`))
	right := 0
	for i, strokes := range drawings(10) {
		value[bool](v, "%s", s.script(`at('clear').click() || true`))
		box := value[struct{ Left, Top, Width, Height float64 }](v, "%s", s.script(placeOfSheet))
		for _, stroke := range strokes {
			var way [][2]float64
			for _, p := range stroke {
				way = append(way, [2]float64{box.Left + p.X*box.Width, box.Top + p.Y*box.Height})
			}
			require.NoError(t, page.Drag(way))
		}
		v.wait("%s", s.script(settled))
		if value[string](v, "%s", s.script(`at('digit').textContent`)) == fmt.Sprint(i) {
			right++
		}
	}
	t.Logf("%d of 10 drawings are read right", right)
	require.GreaterOrEqual(t, right, 9)
	require.Empty(t, fox.ConsoleErrors())
}
