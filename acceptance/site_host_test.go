//go:build acceptance

package acceptance

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
)

// A visitor writes the host's calls in JavaScript: a program that is not written, one that rounds
// down, one that never ends, and a right one.
func TestSiteHost(t *testing.T) {
	for name, flags := range map[string][]chromedp.ExecAllocatorOption{"simulator": nil, "WebGPU": {browser.WebGPU}} {
		t.Run(name, func(t *testing.T) { testHostInPage(t, browser.For(t, flags...), name) })
	}
}

func testHostInPage(t *testing.T, chromium *browser.Browser, name string) {
	const id = "host-add"
	program := func(parts ...string) string {
		return lab.Read(t, filepath.Join(append([]string{lab.Root(t), "exercises", id}, parts...)...))
	}
	v := visitSite(t, chromium, site.Serve(t), "02-add.html#"+id)
	v.wait(`document.documentElement.dataset.ready`)
	require.Contains(t, v.check(id), "your function makes no call")

	v.write(id, program("wrong", "rounds-down.js"))
	said := v.check(id)
	require.Contains(t, said, "Round the division up, not down.")
	require.Contains(t, said, "pass.dispatchWorkgroups(n / size);")
	require.Contains(t, said, "Your calls, step by step")
	photographWidths(t, v, id, name)

	if name == "simulator" {
		v.write(id, program("wrong", "waits-in-a-loop.js"))
		require.Contains(t, v.check(id), "Your program made no call for 10 seconds, so it was stopped. Its last call was on line 34.")
		v.write(id, program("wrong", "looks-in-a-loop.js"))
		require.Contains(t, v.check(id), "reads mapState without end")
		v.write(id, program("wrong", "makes-buffers-forever.js"))
		require.Contains(t, v.check(id), "1,000 buffers are alive")
	}

	v.write(id, program("reference.js"))
	require.Contains(t, v.check(id), id+": right")
	v.becomes("✓ passed", `document.querySelector('#host-add .passed').textContent`)
	require.Empty(t, v.page.ConsoleErrors())

	// The exercise is done in the list of lessons as well, and after a reload.
	v.open("02-add.html#" + id)
	v.wait(`document.querySelector('[data-mark="host-add"].done')`)
	v.wait(`document.querySelector('#host-add .cm-content')?.innerText.includes('await readback.mapAsync')`)

	// How long it takes from a press of the button to the verdict, once warm.
	v.wait(`document.documentElement.dataset.ready`)
	v.check(id)
	var all []time.Duration
	for range 9 {
		began := time.Now()
		v.check(id)
		all = append(all, time.Since(began))
	}
	t.Logf("from a click to the verdict of a right program, in seven cases: %v", all)
}

// photographWidths photographs a check wide and narrow, light and dark.
func photographWidths(t *testing.T, v *visit, id, name string) {
	for _, theme := range []string{"light", "dark"} {
		value[bool](v, `(document.documentElement.dataset.theme = %q, true)`, theme)
		for width, called := range map[int64]string{1280: "wide", 360: "narrow"} {
			require.NoError(t, chromedp.Do(v.page.Tab(), chromedp.EmulateViewport(width, 900)))
			value[bool](v, `(document.querySelectorAll('#check-%[1]s details').forEach((d) => { d.open = true; }), document.querySelector('#check-%[1]s').scrollIntoView(), true)`, id)
			photograph(t, v.page, "host-"+name+"-"+theme+"-"+called)
		}
	}
	require.NoError(t, chromedp.Do(v.page.Tab(), chromedp.EmulateViewport(1280, 900)))
}
