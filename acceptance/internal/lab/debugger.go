package lab

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed debugger.js
var debuggerJS string

// TurnDebuggerOn clicks on the bug in the notebook's toolbar, and waits until it is on.
func (p *Page) TurnDebuggerOn() error {
	err := chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](debuggerJS))
	if err == nil {
		err = p.click("debugging.bug()")
	}
	if err == nil {
		err = p.WaitDebuggerOn()
	}
	if err != nil {
		return fmt.Errorf("turning the debugger on: %w", err)
	}
	return nil
}

// FindDebuggerOn waits until the debugger is on in a page that was opened while it was.
func (p *Page) FindDebuggerOn() error {
	if err := chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](debuggerJS)); err != nil {
		return err
	}
	return p.WaitDebuggerOn()
}

// WaitDebuggerOn waits until the bug shows that the debugger is on.
func (p *Page) WaitDebuggerOn() error { return p.wait(seePatience, "debugging.on()") }

// ClickBeside clicks beside a line of a cell's editor, counted from 1. It waits until the lines in
// after have breakpoints.
func (p *Page) ClickBeside(i, line int, after ...int) error {
	err := p.wait(seePatience, "debugging.quiet()")
	if err == nil {
		err = p.click(fmt.Sprintf("debugging.gutter(%d, %d)", i, line))
	}
	if err == nil {
		err = p.WaitBreakpoints(after...)
	}
	if err != nil {
		return fmt.Errorf("clicking beside line %d of cell %d: %w", line, i, err)
	}
	return nil
}

// WaitBreakpoints waits until the panel lists breakpoints at these lines, and no others.
func (p *Page) WaitBreakpoints(lines ...int) error {
	want := strings.Trim(fmt.Sprint(lines), "[]")
	if err := p.wait(seePatience, fmt.Sprintf("debugging.breakpoints().join(' ') === %s", quote(want))); err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[[]int]("debugging.breakpoints()"))
		return fmt.Errorf("there are not breakpoints at %v, but at %v (%w)", lines, seen, err)
	}
	return nil
}

// DebuggerButton clicks on a button above the call stack, by JupyterLab's name for its command.
func (p *Page) DebuggerButton(command string) error {
	if err := p.click(fmt.Sprintf("debugging.button(%s)", quote(command))); err != nil {
		return fmt.Errorf("clicking on %s: %w", command, err)
	}
	return nil
}

// A Wait is how long a learner waits after pressing the mouse button. It also holds the part of the
// time after the page learns of the stop, and the requests to the debugger in between.
type Wait struct {
	All, SinceStop time.Duration
	Asked          []string
}

// TimeButton clicks on a button above the call stack, and times it from pressing the mouse. The
// time ends when a line of a cell is marked as the current one, and the panel shows a variable with
// a text.
func (p *Page) TimeButton(command string, i, line int, variable string) (waited Wait, err error) {
	seen := fmt.Sprintf("debugging.line(%d) === %d && debugging.variables().some((text) => text.includes(%s))", i, line, quote(variable))
	err = chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("debugging.time(() => %s)", seen)))
	if err == nil {
		err = p.DebuggerButton(command)
	}
	if err == nil {
		err = p.wait(seePatience, "debugging.took !== null")
	}
	if err != nil {
		return Wait{}, fmt.Errorf("waiting for line %d and %q: %w", line, variable, err)
	}
	ms, err := chromedp.Run(p.ctx, chromedp.Evaluate[[2]float64]("[debugging.took, debugging.since]"))
	if err != nil {
		return Wait{}, err
	}
	asked, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string]("debugging.asked()"))
	duration := func(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
	return Wait{duration(ms[0]), duration(ms[1]), asked}, err
}

// ClickFrame clicks on a frame of the call stack; the topmost is 0.
func (p *Page) ClickFrame(i int) error { return p.click(fmt.Sprintf("debugging.frame(%d)", i)) }

// WaitStanding waits until a line of a cell is marked as the debugger's current line; 0 means none.
func (p *Page) WaitStanding(i, line int) error {
	if err := p.wait(seePatience, fmt.Sprintf("debugging.line(%d) === %d", i, line)); err != nil {
		at, _ := chromedp.Run(p.ctx, chromedp.Evaluate[int](fmt.Sprintf("debugging.line(%d)", i)))
		return fmt.Errorf("the debugger is not at line %d of cell %d, but at %d (%w)", line, i, at, err)
	}
	return nil
}

// WaitVariable waits until the panel of variables has a line with a text.
func (p *Page) WaitVariable(text string) error {
	if err := p.wait(seePatience, fmt.Sprintf("debugging.variables().some((line) => line.includes(%s))", quote(text))); err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[[]string]("debugging.variables()"))
		return fmt.Errorf("no variable is %q, but there are %q (%w)", text, seen, err)
	}
	return nil
}

// WaitGone waits until the panel of variables shows some, and none with a name.
func (p *Page) WaitGone(name string) error {
	seen := fmt.Sprintf("((shown) => shown.length > 0 && !shown.some((line) => line.startsWith(%s)))(debugging.variables())", quote(name+":"))
	if err := p.wait(seePatience, seen); err != nil {
		return fmt.Errorf("waiting until no variable is %s: %w", name, err)
	}
	return nil
}

// WaitScope waits until the panel of variables offers a scope.
func (p *Page) WaitScope(name string) error {
	if err := p.wait(seePatience, fmt.Sprintf("debugging.scopes().includes(%s)", quote(name))); err != nil {
		return fmt.Errorf("waiting for the scope %q: %w", name, err)
	}
	return nil
}

// Clipped lists the panel's titles and the call stack's places that are cut off.
func (p *Page) Clipped() ([]string, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[[]string]("debugging.clipped()"))
}

// Console types a line into the debug console, and waits for an answer, after which the console
// must still have the keyboard. It opens the console if necessary.
func (p *Page) Console(line, answer string) error {
	if err := p.openConsole(); err != nil {
		return fmt.Errorf("opening the debug console: %w", err)
	}
	before, err := p.answers()
	if err == nil {
		err = p.focusConsole()
	}
	if err == nil {
		_, err = chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: line})
	}
	if err == nil {
		err = p.wait(seePatience, fmt.Sprintf("debugging.consoleTyped() === %s", quote(line)))
	}
	if err == nil {
		err = p.sendConsole(line)
	}
	if err == nil {
		err = p.wait(seePatience, fmt.Sprintf("debugging.answers().slice(%d).join('\\n').includes(%s)", len(before), quote(answer)))
	}
	if err == nil {
		err = p.keepsConsole()
	}
	if err != nil {
		seen, _ := p.answers()
		return fmt.Errorf("typing %q into the debug console, which shows %q: %w", line, seen, err)
	}
	return nil
}

// keepsConsole waits until the panel shows the current line again after an answer, and reports an
// error if the keyboard went elsewhere.
func (p *Page) keepsConsole() error {
	err := p.wait(seePatience, "debugging.quiet()")
	if err == nil {
		err = p.wait(3*time.Second, "debugging.consoleFocused()")
	}
	if err != nil {
		return fmt.Errorf("the console lost the keyboard after the answer: %w", err)
	}
	return nil
}

func (p *Page) answers() ([]string, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[[]string]("debugging.answers()"))
}

func (p *Page) openConsole() error {
	open, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("debugging.console()"))
	if err == nil && !open {
		err = p.DebuggerButton("debugger:evaluate")
	}
	if err == nil {
		err = p.wait(seePatience, "debugging.console()")
	}
	return err
}

// sendConsole presses Shift-Enter in the prompt. If the line stays in the prompt, because the
// notebook took the keyboard at the last moment, it presses again.
func (p *Page) sendConsole(line string) error {
	for end := time.Now().Add(seePatience); ; {
		err := p.focusConsole()
		if err == nil {
			err = p.Press('\r', kb.ModifierShift)
		}
		if err != nil {
			return err
		}
		err = p.wait(3*time.Second, fmt.Sprintf("debugging.consoleTyped() !== %s", quote(line)))
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

// focusConsole clicks on the prompt until it gets and keeps the keyboard. Each answer makes a new
// prompt.
func (p *Page) focusConsole() error {
	for end := time.Now().Add(seePatience); ; {
		if err := p.click("debugging.consolePrompt()"); err != nil {
			return err
		}
		err := p.wait(2*time.Second, "debugging.consoleFocused()")
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("clicking into it: %w", err)
		}
	}
}

// Mark clicks on the smallest element in a cell's outputs that begins with a text, and returns the
// text that is then marked.
func (p *Page) Mark(i int, text string) (string, error) {
	err := p.click(fmt.Sprintf("debugging.output(%d, %s)", i, quote(text)))
	if err != nil {
		return "", fmt.Errorf("clicking on %q: %w", text, err)
	}
	return chromedp.Run(p.ctx, chromedp.Evaluate[string]("getSelection().toString()"))
}

// WaitFrames waits until the call stack has at least a number of lines.
func (p *Page) WaitFrames(least int) error {
	if err := p.wait(seePatience, fmt.Sprintf("debugging.frames().length >= %d", least)); err != nil {
		return fmt.Errorf("waiting for %d lines in the call stack: %w", least, err)
	}
	return nil
}

// errMissed reports that the page moved under the mouse each time.
var errMissed = errors.New("the mouse came down on something else each time")

// click clicks on the middle of the element that an expression finds, once the element is still and
// not covered. Outputs and cells appear while the page loads, and everything below them moves. So
// click asks the page which element the mouse hit, and clicks again if it was another one.
func (p *Page) click(element string) error {
	aim := fmt.Sprintf("debugging.aim(() => %s)", element)
	for end := time.Now().Add(seePatience); time.Now().Before(end); {
		if err := p.wait(seePatience, aim+" !== null"); err != nil {
			return fmt.Errorf("it is not there, or does not lie still: %w", err)
		}
		at, err := chromedp.Run(p.ctx, chromedp.Evaluate[*rectangle](aim))
		if err != nil {
			return err
		}
		if at == nil {
			continue // it has moved since
		}
		if err := chromedp.Do(p.ctx, chromedp.MouseClickXY(at.Left, at.Top)); err != nil {
			return err
		}
		met, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("debugging.met()"))
		if err != nil || met {
			return err
		}
	}
	return errMissed
}
