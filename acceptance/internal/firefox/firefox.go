// Package firefox opens pages in a real headless Firefox, and records their requests and their
// console errors. It speaks WebDriver BiDi with the browser directly.
package firefox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// pageTimeout is how long a page may take to do its task.
	pageTimeout = 60 * time.Second
	// lookAgain is the pause between two checks of the page while waiting.
	lookAgain = 20 * time.Millisecond
	// closing is how long the browser may take to end by itself.
	closing = 5 * time.Second
)

// names are the possible names of Firefox.
var names = []string{"firefox-esr", "firefox"}

// settings keep Firefox offline: requests to other machines go to a proxy that does not exist.
const settings = `user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("dom.webgpu.enabled", false);
`

// A Browser is a headless Firefox with a fresh profile, and without WebGPU.
type Browser struct {
	ctx     context.Context
	process *exec.Cmd
	profile string
	bidi    *connection

	mu       sync.Mutex
	requests []string // the addresses that pages requested
	errors   []string // the errors on consoles
}

// Start starts a browser. It ends with Close, with ctx or with our own process, whichever ends
// first.
func Start(ctx context.Context) (*Browser, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "wgslab-firefox-")
	if err != nil {
		return nil, fmt.Errorf("making a profile for Firefox: %w", err)
	}
	b := &Browser{ctx: ctx, profile: profile}
	if err := b.start(program); err != nil {
		b.Close()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return b, nil
}

func find() (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Firefox is installed: run make test, which installs what the tests need, or apt-get install firefox-esr")
}

func (b *Browser) start(program string) error {
	if err := os.WriteFile(filepath.Join(b.profile, "user.js"), []byte(settings), 0o600); err != nil {
		return err
	}
	b.process = exec.CommandContext(b.ctx, program, "--headless", "--no-remote", "--profile", b.profile, "--remote-debugging-port", "0", "about:blank")
	b.process.Env = append(os.Environ(), "HOME="+b.profile, "MOZ_CRASHREPORTER_DISABLE=1")
	// The browser starts more processes, which end with it.
	b.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	b.process.Cancel = func() error { return syscall.Kill(-b.process.Process.Pid, syscall.SIGKILL) }
	told, err := b.process.StderrPipe()
	if err != nil {
		return err
	}
	if err := b.process.Start(); err != nil {
		return err
	}
	address, err := listening(told)
	if err != nil {
		return err
	}
	if b.bidi, err = connect(b.ctx, address+"/session", b.take); err != nil {
		return err
	}
	if err := b.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		return err
	}
	return b.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded", "network.beforeRequestSent"}}, nil)
}

// listening waits for the line in which Firefox prints its address. It discards all later output.
func listening(told io.Reader) (string, error) {
	var said []string
	lines := bufio.NewScanner(told)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
			go io.Copy(io.Discard, told) //nolint:errcheck // it ends with the browser
			return strings.TrimSpace(address), nil
		}
		said = append(said, lines.Text())
	}
	return "", fmt.Errorf("it ended, and said: %s", strings.Join(said, "\n"))
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() {
	if b.bidi != nil {
		ctx, cancel := context.WithTimeout(b.ctx, closing)
		_ = b.bidi.call(ctx, "browser.close", map[string]any{}, nil)
		cancel()
		b.bidi.close()
	}
	if b.process != nil && b.process.Process != nil {
		_ = b.process.Cancel() // the remaining processes
		_ = b.process.Wait()
	}
	_ = os.RemoveAll(b.profile)
}

// call sends a command, and reads the answer into result, unless that is nil.
func (b *Browser) call(method string, parameters, result any) error {
	ctx, cancel := context.WithTimeout(b.ctx, pageTimeout)
	defer cancel()
	return b.bidi.call(ctx, method, parameters, result)
}

// take records the requests and errors of pages.
func (b *Browser) take(method string, raw json.RawMessage) {
	var event struct {
		Level, Text string
		Request     struct{ URL string }
	}
	if json.Unmarshal(raw, &event) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case method == "network.beforeRequestSent":
		b.requests = append(b.requests, event.Request.URL)
	case method == "log.entryAdded" && event.Level == "error":
		b.errors = append(b.errors, event.Text)
	}
}

// Requests lists the addresses that pages have requested. Addresses inside a page (data: and blob:)
// do not count.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.requests), func(address string) bool {
		return strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:") || strings.HasPrefix(address, "about:")
	})
}

// ConsoleErrors lists the errors on consoles.
func (b *Browser) ConsoleErrors() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.errors)
}

// A Page is a page in its own tab.
type Page struct {
	browser *Browser
	tab     string
}

// Open opens an address in a new tab and waits until it has loaded.
func (b *Browser) Open(address string) (*Page, error) {
	var made struct{ Context string }
	if err := b.call("browsingContext.create", map[string]any{"type": "tab"}, &made); err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	p := &Page{b, made.Context}
	return p, p.Open(address)
}

// Open opens another address in the same tab.
func (p *Page) Open(address string) error {
	if err := p.call("browsingContext.navigate", map[string]any{"url": address, "wait": "complete"}, nil); err != nil {
		return fmt.Errorf("opening %s: %w", address, err)
	}
	return nil
}

// ConsoleErrors lists the errors on the browser's consoles.
func (p *Page) ConsoleErrors() []string { return p.browser.ConsoleErrors() }

// call sends a command about this tab.
func (p *Page) call(method string, parameters map[string]any, result any) error {
	parameters["context"] = p.tab
	return p.browser.call(method, parameters, result)
}

// Evaluate returns the value of a JavaScript expression. If the value is a promise, it waits for
// the promise's value.
func Evaluate[T any](p *Page, expression string) (T, error) {
	var value T
	var said struct {
		Result           struct{ Value string }
		ExceptionDetails *struct{ Text string }
	}
	err := p.browser.call("script.evaluate", map[string]any{
		"expression": "(async () => JSON.stringify(await (" + expression + ")) ?? 'null')()", "awaitPromise": true,
		"target": map[string]any{"context": p.tab}, "userActivation": true,
	}, &said)
	if err != nil {
		return value, err
	}
	if said.ExceptionDetails != nil {
		return value, errors.New(said.ExceptionDetails.Text)
	}
	if err := json.Unmarshal([]byte(said.Result.Value), &value); err != nil {
		return value, fmt.Errorf("reading what %s gives: %w", expression, err)
	}
	return value, nil
}

// Wait waits until a JavaScript expression is true.
func (p *Page) Wait(expression string) error { return p.WaitFor(pageTimeout, expression) }

// WaitFor works like Wait, with another timeout.
func (p *Page) WaitFor(timeout time.Duration, expression string) error {
	for deadline := time.Now().Add(timeout); ; time.Sleep(lookAgain) {
		is, err := Evaluate[bool](p, "Boolean("+expression+")")
		if err != nil || is {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("waiting for %s: not within %v", expression, timeout)
		}
	}
}

// Click clicks an element, as a mouse would.
func (p *Page) Click(selector string) error {
	at, err := Evaluate[struct{ X, Y float64 }](p, fmt.Sprintf(`(() => {
		const element = document.querySelector(%q);
		element.scrollIntoView({ block: 'center', behavior: 'instant' });
		const { left, top, width, height } = element.getBoundingClientRect();
		return { X: left + width / 2, Y: top + height / 2 };
	})()`, selector))
	if err != nil {
		return fmt.Errorf("looking for %s: %w", selector, err)
	}
	return p.act(map[string]any{"type": "pointer", "id": "mouse", "actions": []any{
		map[string]any{"type": "pointerMove", "x": int(at.X), "y": int(at.Y)},
		map[string]any{"type": "pointerDown", "button": 0},
		map[string]any{"type": "pointerUp", "button": 0},
	}})
}

// Drag moves the mouse along points in the window, in pixels, with the button pressed from the
// first to the last.
func (p *Page) Drag(way [][2]float64) error {
	move := func(to [2]float64) any {
		return map[string]any{"type": "pointerMove", "x": int(to[0]), "y": int(to[1])}
	}
	actions := []any{move(way[0]), map[string]any{"type": "pointerDown", "button": 0}}
	for _, to := range way[1:] {
		actions = append(actions, move(to))
	}
	actions = append(actions, map[string]any{"type": "pointerUp", "button": 0})
	return p.act(map[string]any{"type": "pointer", "id": "mouse", "actions": actions})
}

// Keys without a character, by WebDriver's names.
const (
	Control = "\ue009"
	Delete  = "\ue017"
)

// Press presses keys together, and releases them.
func (p *Page) Press(keys ...string) error {
	var actions []any
	for _, key := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": key})
	}
	for _, key := range slices.Backward(keys) {
		actions = append(actions, map[string]any{"type": "keyUp", "value": key})
	}
	return p.act(map[string]any{"type": "key", "id": "keyboard", "actions": actions})
}

func (p *Page) act(source map[string]any) error {
	return p.call("input.performActions", map[string]any{"actions": []any{source}}, nil)
}

// Screenshot writes the window's contents to a PNG file.
func (p *Page) Screenshot(path string) error {
	var taken struct{ Data []byte }
	if err := p.call("browsingContext.captureScreenshot", map[string]any{}, &taken); err != nil {
		return fmt.Errorf("taking a screenshot: %w", err)
	}
	return os.WriteFile(path, taken.Data, 0o644)
}
