package lab

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
)

// LiveCell is lesson 8's cell that shows the drawing sheet. It runs until it is interrupted.
const LiveCell = "live"

// For starts JupyterLab on a copy of the notebooks, and a browser. Both end with the test.
func For(t *testing.T) (*Server, *Clone, *Browser) {
	t.Helper()
	clone, err := NewClone(Root(t), t.TempDir())
	require.NoError(t, err)
	server, browser := Start(t, clone, nil)
	return server, clone, browser
}

// Start starts JupyterLab on a clone, and a browser. Both end with the test.
func Start(t *testing.T, clone *Clone, server []string, browser ...chromedp.ExecAllocatorOption) (*Server, *Browser) {
	t.Helper()
	// Not t.Context(), which ends before the last screenshot is taken.
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Minute)
	t.Cleanup(cancel)
	began := time.Now()
	s, err := StartServer(ctx, clone, server...)
	require.NoError(t, err)
	t.Logf("JupyterLab answered after %.1f s", time.Since(began).Seconds())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("JupyterLab said:\n%s", s.Log())
		}
		require.NoError(t, s.Stop())
	})
	b, err := OpenBrowser(ctx, browser...)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return s, b
}

// Visit opens a notebook. If the test fails, it leaves a screenshot.
func Visit(t *testing.T, server *Server, clone *Clone, browser *Browser, name string) *Page {
	t.Helper()
	page, err := browser.Open(server, clone, name)
	require.NoError(t, err)
	page.CloseAtEnd(t)
	return page
}

// CloseAtEnd closes the page when the test ends, after a screenshot if it failed.
func (p *Page) CloseAtEnd(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			p.leaveScreenshot(t)
		}
		p.Close()
	})
}

func (p *Page) leaveScreenshot(t *testing.T) {
	file, err := os.CreateTemp("", "wgslab-acceptance-*.png")
	if err == nil {
		file.Close()
		err = p.Screenshot(file.Name())
	}
	if err != nil {
		t.Logf("no screenshot could be taken: %v", err)
		return
	}
	t.Logf("what the window showed: %s", file.Name())
}

// RequireQuiet requires that the page talked only to its server and logged no error.
func (p *Page) RequireQuiet(t *testing.T) {
	t.Helper()
	all, foreign := p.Requests()
	require.NotEmpty(t, all, "the requests of the page were watched")
	require.Empty(t, foreign, "requests to others than the server on 127.0.0.1")
	require.Empty(t, p.ConsoleErrors(), "errors in the console")
}

// RequireNoFlaws requires that cell i looks right.
func (p *Page) RequireNoFlaws(t *testing.T, i int) {
	t.Helper()
	flaws, err := p.Flaws(i)
	require.NoError(t, err)
	require.Empty(t, flaws, "how cell %s looks", p.Notebook.Cells[i].ID)
}

// AddShader returns the cell of `add` with a learner's line filled in.
func AddShader(t *testing.T, line string) string {
	t.Helper()
	exercise, err := course.Find("add")
	require.NoError(t, err)
	skeleton, err := exercise.Skeleton()
	require.NoError(t, err)
	const place = "// Your line goes here."
	require.Contains(t, skeleton, place)
	return "%%writefile work/add.wgsl\n" + strings.TrimSuffix(strings.Replace(skeleton, place, line, 1), "\n")
}
