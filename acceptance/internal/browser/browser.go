// Package browser opens pages in a real headless Chromium, with or without WebGPU. It records their
// requests and their console errors.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const (
	// pageTimeout is how long a page may take to do its task.
	pageTimeout = 60 * time.Second
	// lookAgain is the pause between two checks of the page while waiting.
	lookAgain = 20 * time.Millisecond

	windowWidth, windowHeight = 1280, 1000
)

// WebGPU makes Chromium offer WebGPU without a GPU, through a software driver.
var WebGPU = chromedp.Flag("enable-unsafe-webgpu", true)

// names are the possible names of Chromium.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// A Browser is a headless Chromium with a fresh profile.
type Browser struct {
	ctx  context.Context
	stop context.CancelFunc
}

// Start starts a browser. It ends with Close, with ctx or with our own process, whichever ends
// first.
func Start(ctx context.Context, more ...chromedp.ExecAllocatorOption) (*Browser, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // it opens only our own pages, and a container may offer no sandbox
		chromedp.DisableGPU,
		chromedp.WindowSize(windowWidth, windowHeight),
		chromedp.Flag("disable-component-update", true),
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(ctx, append(options, more...)...)
	tab, stopTab := chromedp.NewContext(allocator)
	b := &Browser{ctx: tab, stop: func() { stopTab(); stopAllocator() }}
	if err := chromedp.Do(tab); err != nil {
		b.stop()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() { b.stop() }

// CrashGPU ends the browser's GPU process, as a failing driver does.
func (b *Browser) CrashGPU() error {
	if _, err := chromedp.CallBrowser(b.ctx, cdpbrowser.CrashGPUProcess, cdp.Empty{}); err != nil {
		return fmt.Errorf("ending the GPU process: %w", err)
	}
	return nil
}

func find() (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium is installed: run make test, which installs what the tests need, or apt-get install chromium")
}

// A Page is a page in its own tab.
type Page struct {
	ctx  context.Context
	stop context.CancelFunc

	mu       sync.Mutex
	requests []string // the addresses that the page requested
	errors   []string // the errors on the console
}

// Open opens an address and waits until it has loaded.
func (b *Browser) Open(address string) (*Page, error) {
	ctx, stop := chromedp.NewContext(b.ctx)
	p := &Page{ctx: ctx, stop: stop}
	if err := p.open(address); err != nil {
		stop()
		return nil, fmt.Errorf("opening %s: %w", address, err)
	}
	return p, nil
}

// Other returns another tab, which the page has opened.
func (p *Page) Other(id target.ID) (*Page, error) {
	ctx, stop := chromedp.NewContext(p.ctx, chromedp.WithTargetID(id))
	other := &Page{ctx: ctx, stop: stop}
	if err := other.watch(); err != nil {
		stop()
		return nil, fmt.Errorf("watching a new tab: %w", err)
	}
	return other, nil
}

// Close closes the page's tab.
func (p *Page) Close() { p.stop() }

// Tab returns the page's tab, for actions that only one test needs.
func (p *Page) Tab() context.Context { return p.ctx }

func (p *Page) open(address string) error {
	if err := p.watch(); err != nil {
		return err
	}
	return p.Open(address)
}

// watch notes the page's requests and errors from now on.
func (p *Page) watch() error {
	if err := chromedp.Listen(p.ctx, p.take); err != nil {
		return err
	}
	console := chromedp.Console(p.ctx)
	go func() {
		for message, err := range console {
			if err != nil {
				return
			}
			if message.Type == "error" || message.Type == chromedp.ConsoleException {
				p.note(&p.errors, message.Text)
			}
		}
	}()
	_, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{})
	return err
}

// Open opens another address in the same tab, and waits until it has loaded.
func (p *Page) Open(address string) error {
	ctx, cancel := context.WithTimeout(p.ctx, pageTimeout)
	defer cancel()
	return chromedp.Do(ctx, chromedp.Navigate(address))
}

func (p *Page) take(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.note(&p.requests, e.Request.URL)
	case *network.EventWebSocketCreated:
		p.note(&p.requests, e.URL)
	}
}

func (p *Page) note(list *[]string, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*list = append(*list, text)
}

// Requests lists the addresses that the page has requested, beginning with its own. Addresses
// inside the page (data: and blob:) do not count.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.requests), func(address string) bool {
		return strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:")
	})
}

// ConsoleErrors lists the errors on the page's console.
func (p *Page) ConsoleErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.errors)
}

// Evaluate returns the value of a JavaScript expression. If the value is a promise, it waits for
// the promise's value.
func Evaluate[T any](p *Page, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, pageTimeout)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Wait waits until a JavaScript expression is true.
func (p *Page) Wait(expression string) error { return p.WaitFor(pageTimeout, expression) }

// WaitFor works like Wait, with another timeout.
func (p *Page) WaitFor(timeout time.Duration, expression string) error {
	ctx, cancel := context.WithTimeout(p.ctx, timeout+time.Second)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression,
		chromedp.WithPollingTimeout(timeout), chromedp.WithPollingInterval(lookAgain)))
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", expression, err)
	}
	return nil
}

// A Point is a place on an element: (0, 0) is its upper left corner, (1, 1) its lower right corner.
type Point struct{ X, Y float64 }

// Draw moves the mouse over the element that a CSS selector finds, with the button pressed along
// each stroke.
func (p *Page) Draw(selector string, strokes [][]Point) error {
	box, err := Evaluate[struct{ Left, Top, Width, Height float64 }](p, fmt.Sprintf(`(() => {
		const element = document.querySelector(%q);
		element.scrollIntoView({ block: 'center' });
		const { left, top, width, height } = element.getBoundingClientRect();
		return { left, top, width, height };
	})()`, selector))
	if err != nil {
		return fmt.Errorf("looking for %s: %w", selector, err)
	}
	move := func(kind input.DispatchMouseEventType, at Point, options ...chromedp.MouseOption) error {
		return chromedp.Do(p.ctx, chromedp.MouseEvent(kind, box.Left+at.X*box.Width, box.Top+at.Y*box.Height, options...))
	}
	for _, stroke := range strokes {
		err := move(input.DispatchMouseEventTypeMousePressed, stroke[0], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))
		for _, at := range stroke[1:] {
			if err == nil {
				err = move(input.DispatchMouseEventTypeMouseMoved, at, chromedp.ButtonType(input.MouseButtonLeft))
			}
		}
		if err == nil {
			err = move(input.DispatchMouseEventTypeMouseReleased, stroke[len(stroke)-1], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))
		}
		if err != nil {
			return fmt.Errorf("drawing on %s: %w", selector, err)
		}
	}
	return nil
}

// Screenshot writes the window's contents to a PNG file.
func (p *Page) Screenshot(path string) error {
	ctx, cancel := context.WithTimeout(p.ctx, pageTimeout)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return fmt.Errorf("taking a screenshot: %w", err)
	}
	return os.WriteFile(path, picture, 0o644)
}
