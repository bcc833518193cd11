//go:build acceptance

package gradebook_test

import (
	"context"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook/gradebooktest"
)

// look measures a page as rendered. That includes text with less contrast to its background than
// WCAG 2's 4.5 (3 for large text). The verdict's own colours are the notebook's.
const look = `(() => {
	const light = color => {
		const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * b;
	};
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
	const faint = new Set();
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('[role=group]') || ![...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), a = light(style.color), b = light(behind(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) faint.add(e.className + ': ' + e.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
	}
	return {
		Background: getComputedStyle(document.body).backgroundColor,
		TooWide: document.documentElement.scrollWidth - innerWidth,
		Scripts: document.querySelectorAll('script, img, iframe, object, embed, link, form, base, svg, [onclick], [onload], [onerror]').length,
		Faint: [...faint],
	};
})()`

// TestFeedbackInABrowser opens the pages in a real browser. They request nothing, run nothing, fit
// a phone, and are legible in light, in dark and on paper.
func TestFeedbackInABrowser(t *testing.T) {
	table := gradebooktest.Class()
	attack := `</title></pre></span>"'><script>fetch("http://127.0.0.1:9/")</script><img src=x onerror=alert(1)><svg onload=alert(1)>` + "`}}{{.}}${1}\u202e"
	evil := gradebooktest.Exercises()
	for i := range evil {
		evil[i].Source, evil[i].Note, evil[i].Diagnosis = attack, attack, attack
		if evil[i].Detail != nil {
			d := *evil[i].Detail
			d.Message, d.Why, d.Ask, d.Excerpt, d.Detail, d.Line = attack, attack, attack, attack, attack, 1
			d.Places = []verdict.Place{{Line: 1, Column: 1, Why: verdict.ByFinding}}
			d.Reasons = verdict.Reasons{{Text: attack, Excerpt: attack, Inputs: []verdict.Inputs{{Name: attack, Columns: 1, Cells: []verdict.InputCell{{Used: true}}}}}}
			d.Mismatch = &verdict.Mismatch{Case: attack, Output: attack, Around: []verdict.OutputElement{{}}}
			d.Cases = []verdict.CaseResult{{Name: attack}}
			evil[i].Detail = &d
		}
	}
	table.Submissions = append(table.Submissions, gradebook.Student{Student: attack, MaxPoints: 1, Exercises: evil, Problems: []string{attack}},
		gradebook.Student{Student: strings.Repeat("Wolfeschlegelsteinhausenbergerdorff", 4), Points: 0.333333, MaxPoints: 1})
	table.Adapter = attack
	dir, files := pages(t, table)

	tab := openTab(t)
	for _, file := range files {
		address := (&url.URL{Scheme: "file", Path: filepath.Join(dir, file)}).String()
		backgrounds := map[string]bool{}
		for _, way := range []struct {
			scheme, media string
			width         int64
		}{{"light", "screen", 1200}, {"dark", "screen", 1200}, {"light", "screen", 360}, {"dark", "print", 700}} {
			got := tab.see(t, address, way.scheme, way.media, way.width)
			require.Zero(t, got.Scripts, file)
			require.LessOrEqual(t, got.TooWide, 0, "%s, %d pixels wide", file, way.width)
			require.Empty(t, got.Faint, "%s, %s, %s", file, way.scheme, way.media)
			if way.media == "screen" {
				backgrounds[way.scheme+got.Background] = true
			} else {
				require.Equal(t, "rgb(255, 255, 255)", got.Background, "on paper")
			}
		}
		require.Len(t, backgrounds, 2, "%s: light and dark", file)
		requests, complaints := tab.noted()
		for _, request := range requests {
			require.Equal(t, address, request)
		}
		require.Len(t, requests, 4)
		require.Empty(t, complaints)
	}
}

// A tab is a page in a headless Chromium.
type tab struct {
	ctx context.Context

	mu                   sync.Mutex
	requests, complaints []string
}

func openTab(t *testing.T) *tab {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	at := slices.IndexFunc(names, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	require.GreaterOrEqual(t, at, 0, "no Chromium is installed: run make test, which installs what the tests need, or apt-get install chromium")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(names[at]), chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	tabContext, stopTab := chromedp.NewContext(allocator)
	t.Cleanup(func() { stopTab(); stopAllocator(); cancel() })
	p := &tab{ctx: tabContext}
	require.NoError(t, chromedp.Do(tabContext))
	require.NoError(t, chromedp.Listen(tabContext, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			p.note(&p.requests, e.Request.URL)
		}
	}))
	console := chromedp.Console(tabContext)
	go func() {
		for message, err := range console {
			if err != nil {
				return
			}
			p.note(&p.complaints, message.Text)
		}
	}()
	_, err := chromedp.Call(tabContext, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return p
}

func (p *tab) note(list *[]string, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*list = append(*list, text)
}

// noted returns the requests and complaints since the last call.
func (p *tab) noted() (requests, complaints []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	requests, complaints = p.requests, p.complaints
	p.requests, p.complaints = nil, nil
	return requests, complaints
}

// A sight is what a browser sees of a page.
type sight struct {
	Background string
	TooWide    int // pixels beyond the window's width
	Scripts    int // elements that could run or request something
	Faint      []string
}

func (p *tab) see(t *testing.T, address, scheme, media string, width int64) sight {
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(p.ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address)))
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[sight](look))
	require.NoError(t, err)
	return got
}
