package lab

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

//go:embed page.js
var pageJS string

const (
	// openPatience is how long JupyterLab may take to draw a notebook.
	openPatience = 60 * time.Second
	// cellPatience is how long a cell may run.
	cellPatience = 2 * time.Minute
	// seePatience is how long content that has arrived may take to become visible.
	seePatience = 20 * time.Second
	// The window's size, in pixels, is that of a small laptop.
	windowWidth, windowHeight = 1280, 800
)

// A Browser opens notebooks.
type Browser struct{ *browser.Browser }

// OpenBrowser starts a browser. It ends with Close, with ctx or with our own process, whichever
// ends first.
func OpenBrowser(ctx context.Context, more ...chromedp.ExecAllocatorOption) (*Browser, error) {
	b, err := browser.Start(ctx, append([]chromedp.ExecAllocatorOption{
		chromedp.WindowSize(windowWidth, windowHeight),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("hide-scrollbars", false),
	}, more...)...)
	if err != nil {
		return nil, err
	}
	return &Browser{b}, nil
}

// OpenFile opens a file of the server's notebooks in JupyterLab's editor, and waits until it is
// drawn.
func (b *Browser) OpenFile(s *Server, name string) (*browser.Page, error) {
	tab, err := b.Browser.Open(s.notebookURL(name))
	if err != nil {
		return nil, err
	}
	if err := tab.Wait("document.querySelector('.jp-FileEditor .cm-content') !== null"); err != nil {
		tab.Close()
		return nil, fmt.Errorf("waiting for %s in JupyterLab: %w", name, err)
	}
	return tab, nil
}

// A Page is an open notebook in JupyterLab.
type Page struct {
	Notebook *nbformat.Notebook // its state when the page was opened

	tab  *browser.Page
	ctx  context.Context // the tab's
	host string          // the only host that the page may contact
}

// Open opens a notebook of the server's clone, named by its file. It waits until all cells are
// drawn.
func (b *Browser) Open(s *Server, c *Clone, name string) (*Page, error) {
	nb, err := nbformat.Read(filepath.Join(c.Lessons(), name))
	if err != nil {
		return nil, err
	}
	return b.OpenNotebook(s, name, nb)
}

// OpenNotebook opens a notebook at a path of the server, like Open.
func (b *Browser) OpenNotebook(s *Server, name string, nb *nbformat.Notebook) (*Page, error) {
	tab, err := b.Browser.Open(s.notebookURL(name))
	if err != nil {
		return nil, err
	}
	return opened(s, tab, name, nb, "idle", "unknown")
}

// OpenRunning opens a notebook of the server's clone while its kernel runs a cell.
func (b *Browser) OpenRunning(s *Server, c *Clone, name string) (*Page, error) {
	nb, err := nbformat.Read(filepath.Join(c.Lessons(), name))
	if err != nil {
		return nil, err
	}
	tab, err := b.Browser.Open(s.notebookURL(name))
	if err != nil {
		return nil, err
	}
	return opened(s, tab, name, nb, "busy")
}

// opened waits until the notebook in a tab is drawn, and its kernel is in one of the states.
func opened(s *Server, tab *browser.Page, name string, nb *nbformat.Notebook, states ...string) (*Page, error) {
	p := &Page{Notebook: nb, tab: tab, ctx: tab.Tab(), host: s.Host()}
	if err := p.ready(states...); err != nil {
		tab.Close()
		return nil, fmt.Errorf("waiting for %s in JupyterLab: %w", name, err)
	}
	return p, nil
}

// ready waits until the notebook is drawn.
func (p *Page) ready(states ...string) error {
	ctx, cancel := context.WithTimeout(p.ctx, openPatience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](pageJS)); err != nil {
		return err
	}
	return p.wait(openPatience, fmt.Sprintf("acceptance.ready(%d, %s) && acceptance.settled()", len(p.Notebook.Cells), quote(strings.Join(states, " "))))
}

// Close closes the page's tab.
func (p *Page) Close() { p.tab.Close() }

// Tab returns the page's tab, for actions that only one test needs.
func (p *Page) Tab() context.Context { return p.ctx }

// Requests lists the addresses that the page has requested, and those of them that are not the
// server's.
func (p *Page) Requests() (all, foreign []string) {
	all = p.tab.Requests()
	for _, address := range all {
		if u, err := url.Parse(address); err != nil || u.Host != p.host {
			foreign = append(foreign, address)
		}
	}
	return all, foreign
}

// ConsoleErrors lists the errors on the page's console, without their places in JupyterLab's own
// code.
func (p *Page) ConsoleErrors() []string {
	var errors []string
	for _, text := range p.tab.ConsoleErrors() {
		first, _, _ := strings.Cut(text, "\n")
		errors = append(errors, first)
	}
	return errors
}

// Cell returns the position of the cell with an id.
func (p *Page) Cell(id string) (int, error) {
	i := slices.IndexFunc(p.Notebook.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	if i < 0 {
		return 0, fmt.Errorf("the notebook has no cell %q", id)
	}
	return i, nil
}

// AskTutor presses the button below a failed check, with the keyboard, and returns what it copied.
func (p *Page) AskTutor(i int) (string, error) {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.tutor(%d)", i)); err != nil {
		return "", fmt.Errorf("there is no button below the check: %w", err)
	}
	if err := chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		return "", err
	}
	const told = "[...document.querySelectorAll('.Toastify__toast')].map((toast) => toast.textContent).join()"
	if err := p.wait(seePatience, told+" !== ''"); err != nil {
		return "", fmt.Errorf("the button says nothing: %w", err)
	}
	if said, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](told)); err != nil || !strings.HasPrefix(said, "Copied") {
		return "", errors.Join(err, fmt.Errorf("the button says %q", said))
	}
	may := cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: "clipboard-read"}, Setting: cdpbrowser.PermissionSettingGranted}
	if _, err := chromedp.CallBrowser(p.ctx, cdpbrowser.SetPermission, may); err != nil {
		return "", err
	}
	const read = "delete globalThis.wgslabCopied; void navigator.clipboard.readText().then((text) => { globalThis.wgslabCopied = text; })"
	if err := chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](read)); err != nil {
		return "", err
	}
	if err := p.wait(seePatience, "globalThis.wgslabCopied !== undefined"); err != nil {
		return "", err
	}
	return chromedp.Run(p.ctx, chromedp.Evaluate[string]("globalThis.wgslabCopied"))
}

// Journal opens the journal in the side bar, and waits until it shows a text.
func (p *Page) Journal(text string) error {
	const shows = "fetch(document.querySelector('.wgslab-journal iframe')?.src).then((page) => page.text(), () => '')"
	open, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("document.querySelector('.wgslab-journal')?.checkVisibility() ?? false"))
	if err != nil {
		return err
	}
	if !open {
		if err := p.ClickJournal(); err != nil {
			return err
		}
	}
	page := ""
	for end := time.Now().Add(seePatience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if page, err = chromedp.Run(p.ctx, chromedp.Evaluate[string](shows, chromedp.EvalAwaitPromise)); err != nil {
			return err
		}
		if strings.Contains(page, text) {
			return nil
		}
	}
	return fmt.Errorf("the journal doesn't show %q: %s", text, page)
}

// ClickJournal opens the journal in the side bar, or closes it.
func (p *Page) ClickJournal() error {
	ctx, cancel := context.WithTimeout(p.ctx, seePatience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click(".jp-SideBar [data-id=wgslab-journal]")); err != nil {
		return fmt.Errorf("the side bar has no journal: %w", err)
	}
	return nil
}

// KeepConversation pastes a conversation into the form above the journal, which is open.
func (p *Page) KeepConversation(text, exercise string) error {
	const form = "document.querySelector('.wgslab-journal details')"
	fill := fmt.Sprintf("void ((form) => { form.open = true; form.querySelector('textarea').value = %s; form.querySelector('input').value = %s; form.querySelector('button').click(); })(%s)", quote(text), quote(exercise), form)
	return chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](fill))
}

// OpenHint opens a hint in a cell, the first one being 1.
func (p *Page) OpenHint(i, number int) error {
	return chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("void (acceptance.cell(%d).querySelectorAll('details')[%d].open = true)", i, number-1)))
}

// Type clicks into a cell and replaces its contents, like a paste.
func (p *Page) Type(i int, source string) error {
	if err := p.focus(i); err != nil {
		return fmt.Errorf("typing into cell %d: %w", i, err)
	}
	err := chromedp.Do(p.ctx, chromedp.KeyEvent("a", chromedp.KeyModifiers(kb.ModifierCtrl)))
	if err == nil {
		_, err = chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: source})
	}
	if err != nil {
		return fmt.Errorf("typing into cell %d: %w", i, err)
	}
	if err := p.WaitSource(i, source); err != nil {
		return fmt.Errorf("typing into cell %d: the text did not arrive as it was typed: %w", i, err)
	}
	return nil
}

// Press presses a key in the last clicked cell, for JupyterLab's action on it. It does not send the
// key's character: on a busy machine Chromium types it even if JupyterLab has handled the key.
func (p *Page) Press(key rune, modifiers ...kb.Modifier) error {
	for _, event := range kb.Encode(key) {
		if event.Type == kb.KeyChar {
			continue
		}
		for _, m := range modifiers {
			event.Modifiers |= int64(m)
		}
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, *event); err != nil {
			return fmt.Errorf("pressing a key: %w", err)
		}
	}
	return nil
}

// Complete presses Tab in the cell that was last typed into, and waits until the menu offers a
// word. The menu stays open.
func (p *Page) Complete(word string) error {
	if err := p.Press('\t'); err != nil {
		return err
	}
	return p.waitPopup(".jp-Completer", word)
}

// Inspect presses Shift-Tab in the cell that was last typed into, and waits until the tooltip
// contains a text. The tooltip stays open.
func (p *Page) Inspect(text string) error {
	if err := p.Press('\t', kb.ModifierShift); err != nil {
		return err
	}
	return p.waitPopup(".jp-Tooltip", text)
}

func (p *Page) waitPopup(selector, text string) error {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.popup(%s).includes(%s)", quote(selector), quote(text))); err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.popup(%s)", quote(selector))))
		return fmt.Errorf("no %s with %q came up, but %q (%w)", selector, text, seen, err)
	}
	return nil
}

// WaitSource waits until a cell has a source.
func (p *Page) WaitSource(i int, source string) error {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.source(%d) === %s", i, quote(source))); err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.source(%d)", i)))
		return fmt.Errorf("cell %d does not hold %q, but %q (%w)", i, source, seen, err)
	}
	return nil
}

// WaitLanguage waits until the editor of a cell uses a language, such as "wgsl".
func (p *Page) WaitLanguage(i int, language string) error {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.language(%d) === %s", i, quote(language))); err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.language(%d)", i)))
		return fmt.Errorf("cell %d is not read as %q, but as %q (%w)", i, language, seen, err)
	}
	return nil
}

// WaitNumbers waits until the number beside the last line of a cell is last; 0 if no line has one.
func (p *Page) WaitNumbers(i, last int) error {
	return p.wait(seePatience, fmt.Sprintf("acceptance.numbers(%d) === %d", i, last))
}

// Colour returns the colour of a word in the editor of a cell.
func (p *Page) Colour(i int, word string) (string, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.colour(%d, %s)", i, quote(word))))
}

// Restart presses the toolbar's restart button, confirms, and waits until the kernel is ready.
func (p *Page) Restart() error {
	err := chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void]("acceptance.watchRestart()"))
	if err == nil {
		err = chromedp.Do(p.ctx, chromedp.Click(`.jp-NotebookPanel:not(.lm-mod-hidden) [data-command="notebook:restart-kernel"]`))
	}
	if err == nil {
		err = p.wait(seePatience, "document.querySelector('.jp-Dialog .jp-mod-accept') !== null")
	}
	if err == nil {
		err = chromedp.Do(p.ctx, chromedp.Click(".jp-Dialog .jp-mod-accept"))
	}
	if err == nil {
		err = p.wait(cellPatience, "acceptance.restarted()")
	}
	if err != nil {
		return fmt.Errorf("restarting the kernel: %w", err)
	}
	return nil
}

// Run clicks into a cell, presses Shift+Enter, and waits until it has run.
func (p *Page) Run(i int) error {
	before, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.prompt(%d)", i)))
	if err == nil {
		err = p.focus(i)
	}
	if err == nil {
		err = chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(kb.ModifierShift)))
	}
	if err == nil {
		err = p.wait(cellPatience, fmt.Sprintf("acceptance.ran(%d, %s)", i, quote(before)))
	}
	if err != nil {
		return fmt.Errorf("running cell %d: %w", i, err)
	}
	return nil
}

// Save presses Ctrl-S, and waits until the notebook is saved.
func (p *Page) Save() error {
	if err := p.Press('s', kb.ModifierCtrl); err != nil {
		return err
	}
	return p.wait(seePatience, "acceptance.saved()")
}

// Tabs returns the titles of the open tabs in the main area.
func (p *Page) Tabs() ([]string, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[[]string]("acceptance.tabs()"))
}

// WaitRan waits until a cell that is running has ended.
func (p *Page) WaitRan(i int) error {
	return p.wait(cellPatience, fmt.Sprintf("acceptance.ran(%d, '[*]:')", i))
}

// Check runs a cell that checks an exercise, like Run, and returns how it moved the page.
func (p *Page) Check(i int) (browser.Motion, error) {
	if err := p.tab.Watch(fmt.Sprintf("acceptance.cell(%d)", i)); err != nil {
		return browser.Motion{}, err
	}
	if err := p.Run(i); err != nil {
		return browser.Motion{}, err
	}
	return p.tab.Motion()
}

// WaitOutdated waits until the outputs of cells are dimmed, or none of them is.
func (p *Page) WaitOutdated(outdated bool, cells ...int) error {
	for _, i := range cells {
		if err := p.wait(seePatience, fmt.Sprintf("acceptance.outdated(%d) === %t", i, outdated)); err != nil {
			return fmt.Errorf("waiting until cell %d is dimmed (%t): %w", i, outdated, err)
		}
	}
	return nil
}

// WaitHeats waits until the costs beside the lines of a cell match, joined by line ends. Each has
// its step and its words: "3: Line 11 moves 1.2 MB …".
func (p *Page) WaitHeats(i int, pattern string) error {
	if err := p.wait(seePatience, fmt.Sprintf("new RegExp(%s).test(acceptance.heats(%d).join('\\n'))", quote(pattern), i)); err != nil {
		return fmt.Errorf("waiting for the costs beside the lines of cell %d: %w", i, err)
	}
	return nil
}

// Start clicks into a cell, presses Shift+Enter, and waits until it is running.
func (p *Page) Start(i int) error {
	err := p.focus(i)
	if err == nil {
		err = chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(kb.ModifierShift)))
	}
	if err == nil {
		err = p.wait(seePatience, fmt.Sprintf("acceptance.prompt(%d) === '[*]:'", i))
	}
	if err != nil {
		return fmt.Errorf("starting cell %d: %w", i, err)
	}
	return nil
}

// Interrupt presses the toolbar's button that interrupts the kernel, and waits until the cell has
// ended.
func (p *Page) Interrupt(i int) error {
	err := chromedp.Do(p.ctx, chromedp.Click(`.jp-NotebookPanel:not(.lm-mod-hidden) [data-command="notebook:interrupt-kernel"]`))
	if err == nil {
		err = p.wait(seePatience, fmt.Sprintf("acceptance.ran(%d, '[*]:')", i))
	}
	if err != nil {
		return fmt.Errorf("interrupting cell %d: %w", i, err)
	}
	return nil
}

// WaitFolded waits until a cell's shader is folded, or isn't.
func (p *Page) WaitFolded(folded bool, i int) error {
	if err := p.wait(seePatience, fmt.Sprintf("(acceptance.folded(%d) !== null) === %t", i, folded)); err != nil {
		return fmt.Errorf("waiting until cell %d is folded (%t): %w", i, folded, err)
	}
	return nil
}

// unfoldInput opens the shader of a cell if it is folded, with a click.
func (p *Page) unfoldInput(i int) error {
	at, err := chromedp.Run(p.ctx, chromedp.Evaluate[*rectangle](fmt.Sprintf("acceptance.folded(%d)", i)))
	if err != nil || at == nil {
		return err
	}
	if err := chromedp.Do(p.ctx, chromedp.MouseClickXY(at.Left, at.Top)); err != nil {
		return err
	}
	return p.wait(seePatience, fmt.Sprintf("acceptance.cell(%d).querySelector('.cm-line') !== null", i))
}

// focus clicks into the editor of a cell, and unfolds it first. It clicks again if the page moved
// under the mouse, as it does while a picture or an output above loads.
func (p *Page) focus(i int) error {
	if err := p.unfoldInput(i); err != nil {
		return fmt.Errorf("unfolding its editor: %w", err)
	}
	for end := time.Now().Add(seePatience); ; {
		at, err := chromedp.Run(p.ctx, chromedp.Evaluate[rectangle](fmt.Sprintf("acceptance.editor(%d)", i)))
		if err != nil {
			return err
		}
		if err := chromedp.Do(p.ctx, chromedp.MouseClickXY(at.Left, at.Top)); err != nil {
			return err
		}
		err = p.wait(time.Second, fmt.Sprintf("acceptance.focused(%d)", i))
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("clicking into its editor: %w", err)
		}
	}
}

// Text returns the visible text in the outputs of a code cell, or in a cell of text, with
// everything unfolded.
func (p *Page) Text(i int) (string, error) {
	if err := p.reveal(i); err != nil {
		return "", err
	}
	return chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.text(%d)", i)))
}

// Code returns where the code of a cell is in the cell, and how wide.
func (p *Page) Code(i int) (string, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[string](fmt.Sprintf("acceptance.code(%d)", i)))
}

// WaitNoHole waits until a cell's output is as high as what it shows.
func (p *Page) WaitNoHole(i int) error {
	if err := p.reveal(i); err != nil {
		return err
	}
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.holes(%d).length === 0", i)); err != nil {
		return fmt.Errorf("waiting until the output of cell %d has no hole: %w", i, err)
	}
	return nil
}

// RunTogether runs all cells from one to another at once, and waits until none is running.
func (p *Page) RunTogether(first, last int) error {
	if err := p.focus(first); err != nil {
		return err
	}
	for _, key := range kb.Escape + strings.Repeat("J", last-first) { // J selects the next cell as well
		if err := p.Press(key); err != nil {
			return err
		}
	}
	if err := chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(kb.ModifierCtrl))); err != nil {
		return fmt.Errorf("running the cells: %w", err)
	}
	return p.wait(cellPatience, "[...document.querySelectorAll('.jp-InputPrompt')].every((prompt) => !prompt.textContent.includes('*'))")
}

// HasOutput reports whether a cell shows anything.
func (p *Page) HasOutput(i int) (bool, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[bool](fmt.Sprintf("acceptance.cell(%d).querySelector('.jp-OutputArea-output') !== null", i)))
}

// HasTutor reports whether a button below a cell asks an AI tutor.
func (p *Page) HasTutor(i int) (bool, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[bool](fmt.Sprintf("acceptance.cell(%d).querySelector('.wgslab-tutor') !== null", i)))
}

// reveal scrolls to a cell and unfolds it.
func (p *Page) reveal(i int) error {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.reveal(%d)", i)); err != nil {
		return fmt.Errorf("scrolling to cell %d: %w", i, err)
	}
	return nil
}

// WaitText waits until a text is visible in a cell.
func (p *Page) WaitText(i int, text string) error {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.text(%d).includes(%s)", i, quote(text))); err != nil {
		seen, _ := p.Text(i)
		return fmt.Errorf("cell %d does not show %q, but:\n%s\n(%w)", i, text, seen, err)
	}
	return nil
}

// Unfold opens everything that a cell's output folds.
func (p *Page) Unfold(i int) error {
	if err := p.wait(seePatience, fmt.Sprintf("acceptance.unfold(%d)", i)); err != nil {
		return fmt.Errorf("unfolding the output of cell %d: %w", i, err)
	}
	return nil
}

// Hints returns the hints of a cell of text, as they read when opened.
func (p *Page) Hints(i int) ([]string, error) {
	if err := p.reveal(i); err != nil {
		return nil, err
	}
	return chromedp.Run(p.ctx, chromedp.Evaluate[[]string](fmt.Sprintf("acceptance.hints(%d)", i)))
}

// Flaws lists visible faults of a cell: mark-up that appears as text, pictures that did not load,
// content wider than its place, and room that an earlier output has left.
func (p *Page) Flaws(i int) ([]string, error) {
	if err := p.reveal(i); err != nil {
		return nil, err
	}
	if err := p.wait(seePatience, "acceptance.settled()"); err != nil {
		return nil, fmt.Errorf("waiting for the pictures: %w", err)
	}
	// The room of the output before goes with the new one: a moment later, or never.
	_ = p.wait(seePatience, fmt.Sprintf("acceptance.holes(%d).length === 0", i))
	var flaws []string
	for _, kind := range []string{"overflow", "broken", "holes"} {
		found, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](fmt.Sprintf("acceptance.%s(%d)", kind, i)))
		if err != nil {
			return nil, err
		}
		for _, what := range found {
			flaws = append(flaws, kind+": "+what)
		}
	}
	text, err := p.Text(i)
	if err != nil {
		return nil, err
	}
	for _, markup := range []string{"<div", "<span", "<table", "&lt;", "style="} {
		if strings.Contains(text, markup) {
			flaws = append(flaws, "mark-up that reads as text: "+markup)
		}
	}
	return flaws, nil
}

// wait waits until a JavaScript expression is true.
func (p *Page) wait(timeout time.Duration, expression string) error {
	ctx, cancel := context.WithTimeout(p.ctx, timeout+time.Second)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression,
		chromedp.WithPollingTimeout(timeout), chromedp.WithPollingInterval(lookAgain)))
	return err
}

// Screenshot writes the window's contents to a PNG file.
func (p *Page) Screenshot(path string) error {
	ctx, cancel := context.WithTimeout(p.ctx, seePatience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return fmt.Errorf("taking a screenshot: %w", err)
	}
	return os.WriteFile(path, picture, 0o644)
}

// Pages writes the whole notebook to PNG files, prefix-1.png and so on, and returns their paths.
// Each file holds whole cells, and is at most tall pixels high unless one cell is higher. The
// setting windowingMode must be "defer". Shift+Enter in the last cell adds one, which isn't shown.
func (p *Page) Pages(prefix string, tall float64) ([]string, error) {
	panel, places, err := p.stretch()
	if err != nil {
		return nil, fmt.Errorf("taking screenshots: %w", err)
	}
	places = places[:min(len(places), len(p.Notebook.Cells))]
	var paths []string
	for first := 0; first < len(places); {
		next := first + 1
		for next < len(places) && places[next].bottom()-places[first].Top <= tall {
			next++
		}
		clip := page.Viewport{X: panel.Left, Y: places[first].Top - 4, Width: panel.Width, Scale: 1}
		clip.Height = places[next-1].bottom() + 4 - clip.Y
		ctx, cancel := context.WithTimeout(p.ctx, seePatience)
		shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &clip})
		cancel()
		if err != nil {
			return paths, fmt.Errorf("taking screenshots: %w", err)
		}
		path := fmt.Sprintf("%s-%d.png", prefix, len(paths)+1)
		if err := os.WriteFile(path, shot.Data, 0o644); err != nil {
			return paths, fmt.Errorf("taking screenshots: %w", err)
		}
		paths, first = append(paths, path), next
	}
	return paths, nil
}

// stretch makes the window as tall as the notebook, and returns the places of the notebook and its
// cells.
func (p *Page) stretch() (panel rectangle, places []rectangle, err error) {
	if err := errors.Join(p.reveal(0), p.wait(seePatience, "acceptance.settled()")); err != nil {
		return panel, nil, err
	}
	height := int64(windowHeight)
	for range 5 { // a taller window can draw new lines
		hidden, err := chromedp.Run(p.ctx, chromedp.Evaluate[float64]("acceptance.hidden()"))
		if err != nil {
			return panel, nil, err
		}
		if hidden == 0 {
			break
		}
		height += int64(hidden) + 1
		if err := chromedp.Do(p.ctx, chromedp.EmulateViewport(windowWidth, height)); err != nil {
			return panel, nil, err
		}
		if err := p.wait(seePatience, fmt.Sprintf("acceptance.settled() && innerHeight === %d", height)); err != nil {
			return panel, nil, err
		}
	}
	if panel, err = chromedp.Run(p.ctx, chromedp.Evaluate[rectangle]("acceptance.panel()")); err != nil {
		return panel, nil, err
	}
	places, err = chromedp.Run(p.ctx, chromedp.Evaluate[[]rectangle]("acceptance.places()"))
	return panel, places, err
}

// rectangle is a place on the page, in pixels.
type rectangle struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func (r rectangle) bottom() float64 { return r.Top + r.Height }

// quote writes text as a JavaScript string.
func quote(text string) string {
	data, _ := json.Marshal(text) // a string never fails
	return string(data)
}
