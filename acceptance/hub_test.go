//go:build acceptance

package acceptance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// hubVariable names a running JupyterHub, such as the one of make cluster-test.
const hubVariable = "WGSLAB_HUB"

// The password that acceptance/harness/cluster-test/manifests/yours.yaml sets.
const hubPassword = "a class of two"

func hubAddress(t *testing.T) string {
	t.Helper()
	address := os.Getenv(hubVariable)
	if address == "" {
		t.Skip(hubVariable + " names no JupyterHub to log in to: make cluster-test starts one")
	}
	return address
}

// Two learners log in side by side, each in her own browser. Each gets her own server
// through the hub's proxy, passes lesson 2's check and draws in lesson 8.
func TestLearnersOnAHub(t *testing.T) {
	hub := hubAddress(t)
	for _, name := range []string{"ada", "barbara"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, chromium := enterHub(t, hub, name)
			page := openOnHub(t, chromium, server, "02-add.ipynb")
			passAdd(t, page)
			saveOnHub(t, page)
			page.RequireQuiet(t)
			leavePicture(t, page, name+"-add")
			page.Close()

			page = openOnHub(t, chromium, server, "08-draw.ipynb")
			drawOnHub(t, page)
			page.RequireQuiet(t)
			leavePicture(t, page, name+"-draw")
		})
	}
}

// A learner whose server was stopped comes back: her notebook and her shader are as she
// left them, and the shader is checked again.
func TestAHomeOutlastsItsServer(t *testing.T) {
	server, chromium := enterHub(t, hubAddress(t), "ada")
	page := openOnHub(t, chromium, server, "02-add.ipynb")
	shader, err := page.Cell("add-shader")
	require.NoError(t, err)
	require.NoError(t, page.WaitSource(shader, lab.AddShader(t, rightAdd)))
	check, err := page.Cell("add-check")
	require.NoError(t, err)
	require.NoError(t, page.Run(check), "without the cell that writes the shader's file")
	require.NoError(t, page.WaitText(check, "✓ add: right"))
	t.Log("ada's notebook and her shader were there again")
}

const rightAdd = "out[0] = a[0] + b[0];"

// enterHub logs a learner in, starts the first profile's server, and waits for JupyterLab.
func enterHub(t *testing.T, hub, name string) (*lab.Server, *lab.Browser) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	t.Cleanup(cancel)
	chromium, err := lab.OpenBrowser(ctx)
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	page, err := chromium.Browser.Open(hub + "/hub/login")
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			where, _ := browser.Evaluate[string](page, `location.href + "\n" + document.body.innerText.slice(0, 2000)`)
			t.Logf("the page on which %s logged in is at %s", name, where)
		}
		page.Close()
	})
	set := `document.querySelector(%q).value = %q`
	for selector, value := range map[string]string{"#username_input": name, "#password_input": hubPassword} {
		_, err = browser.Evaluate[string](page, fmt.Sprintf(set, selector, value))
		require.NoError(t, err)
	}
	press(t, page, "#login_submit")
	// Shortly after a server was stopped, the hub first asks whether to start one.
	arrive(t, page, `document.querySelector("#spawn_form, #start") !== null`)
	if asked, err := browser.Evaluate[bool](page, `document.querySelector("#start") !== null`); err == nil && asked {
		press(t, page, "#start")
	}
	arrive(t, page, `document.querySelector("#spawn_form") !== null`)
	profile, err := browser.Evaluate[string](page, `document.querySelector("#spawn_form input[type=radio]:checked").closest("label").innerText`)
	require.NoError(t, err)
	require.Contains(t, profile, "Without a GPU")
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(t, page.Screenshot(filepath.Join(dir, "hub-"+name+"-profiles.png")))
	}
	began := time.Now()
	press(t, page, "#spawn_form [type=submit]")
	own := "/user/" + name + "/"
	arrive(t, page, fmt.Sprintf(`location.pathname.startsWith(%q) && document.querySelector("#jp-main-dock-panel") !== null`, own))
	t.Logf("%s sees JupyterLab %.0f s after she asked for a server", name, time.Since(began).Seconds())
	return lab.ServerAt(hub + own), chromium
}

// arrive waits until an expression is true on whichever page the hub redirects to: a page
// may go away while it is being asked.
func arrive(t *testing.T, page *browser.Page, expression string) {
	t.Helper()
	const failed = `document.body.innerText.includes("Spawn failed")`
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if there, err := browser.Evaluate[bool](page, expression); err == nil && there {
			return
		}
		if gone, err := browser.Evaluate[bool](page, failed); err == nil && gone || time.Now().After(end) {
			require.FailNow(t, "the hub did not lead there", expression)
		}
	}
}

// press clicks the element that a selector finds.
func press(t *testing.T, page *browser.Page, selector string) {
	t.Helper()
	_, err := browser.Evaluate[bool](page, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, selector))
	require.NoError(t, err)
}

// openOnHub opens one of the notebooks that the image puts into an empty home.
func openOnHub(t *testing.T, chromium *lab.Browser, server *lab.Server, name string) *lab.Page {
	t.Helper()
	nb := lab.Notebook(t, filepath.Join(lab.Root(t), "notebooks", name))
	page, err := chromium.OpenNotebook(server, "wgslab/"+name, nb)
	require.NoError(t, err)
	page.CloseAtEnd(t)
	return page
}

// passAdd writes a wrong shader and then a right one, and checks both.
func passAdd(t *testing.T, page *lab.Page) {
	t.Helper()
	shader, err := page.Cell("add-shader")
	require.NoError(t, err)
	check, err := page.Cell("add-check")
	require.NoError(t, err)
	for _, try := range []struct{ line, says string }{
		{"out[0] = a[0] - b[0];", "✗ add: not right yet"},
		{rightAdd, "✓ add: right"},
	} {
		began := time.Now()
		require.NoError(t, page.Type(shader, lab.AddShader(t, try.line)))
		require.NoError(t, page.Run(shader))
		require.NoError(t, page.Run(check))
		require.NoError(t, page.WaitText(check, try.says))
		t.Logf("%q: typed, run and read in %.1f s", try.says, time.Since(began).Seconds())
	}
	page.RequireNoFlaws(t, check)
}

func saveOnHub(t *testing.T, page *lab.Page) {
	t.Helper()
	require.NoError(t, page.Press('s', kb.ModifierCtrl))
	_, err := chromedp.Run(page.Tab(), chromedp.Poll[bool](`document.querySelector(".jp-mod-dirty") === null`, chromedp.WithPollingTimeout(20*time.Second)))
	require.NoError(t, err)
}

// drawOnHub draws two digits on lesson 8's page, which comes only through the learner's
// server and the hub's proxy.
func drawOnHub(t *testing.T, page *lab.Page) {
	t.Helper()
	live, err := page.Cell(lab.LiveCell)
	require.NoError(t, err)
	began := time.Now()
	// A covered tab draws nothing and gets no mouse events.
	_, err = chromedp.Call(page.Tab(), cdppage.BringToFront, cdp.Empty{})
	require.NoError(t, err)
	require.NoError(t, page.Start(live))
	s := sheet{page.Tab(), "document.querySelector('.wgslab-draw iframe')?.contentDocument"}
	s.ready(t)
	t.Logf("the sheet is there %.1f s after Shift+Enter", time.Since(began).Seconds())
	require.Regexp(t, `^/user/[a-z]+/.*proxy/`, on[string](t, s, `page.location.pathname`))
	for digit, strokes := range drawings(10) {
		s.press(t, `at('clear')`)
		s.draw(t, strokes, nil)
		s.settle(t)
		require.Equal(t, fmt.Sprint(digit), s.digit(t), "%s", on[string](t, s, `main.innerText`))
	}
	t.Logf("ten of ten drawings read right; from pen up to the last bars %.0f ms", s.penUp(t))
}

func leavePicture(t *testing.T, page *lab.Page, name string) {
	t.Helper()
	if dir := os.Getenv("WGSLAB_SCREENSHOTS"); dir != "" {
		require.NoError(t, page.Screenshot(filepath.Join(dir, "hub-"+name+".png")))
	}
}
