package lab

import (
	_ "embed"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed debugger.js
var debuggerJS string

// TurnDebuggerOn clicks on the bug in the notebook's toolbar.
func (p *Page) TurnDebuggerOn() error {
	err := chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](debuggerJS))
	if err == nil {
		err = p.wait(seePatience, "debugging.available()")
	}
	if err == nil {
		err = p.click("debugging.bug()")
	}
	if err == nil {
		err = p.wait(seePatience, "debugging.on()")
	}
	if err != nil {
		return fmt.Errorf("turning the debugger on: %w", err)
	}
	return nil
}

// ClickBeside clicks beside a line of a cell's editor, counted from 1, and waits until there are so many breakpoints.
func (p *Page) ClickBeside(i, line, breakpoints int) error {
	err := p.wait(seePatience, fmt.Sprintf("debugging.gutters(%d) > %d", i, line))
	if err == nil {
		err = p.click(fmt.Sprintf("debugging.gutter(%d, %d)", i, line))
	}
	if err == nil {
		err = p.wait(seePatience, fmt.Sprintf("debugging.breakpoints().length === %d", breakpoints))
	}
	if err != nil {
		return fmt.Errorf("setting a breakpoint at line %d of cell %d: %w", line, i, err)
	}
	return nil
}

// DebuggerButton clicks on a button above the call stack, by JupyterLab's name of its command.
func (p *Page) DebuggerButton(command string) error {
	button := fmt.Sprintf("debugging.button(%s)", quote(command))
	err := p.wait(seePatience, button+" !== null")
	if err == nil {
		err = p.click(button)
	}
	if err != nil {
		return fmt.Errorf("clicking on %s: %w", command, err)
	}
	return nil
}

// ClickFrame clicks on a frame of the call stack, the topmost being 0.
func (p *Page) ClickFrame(i int) error { return p.click(fmt.Sprintf("debugging.frame(%d)", i)) }

// WaitStanding waits until a line of a cell is the one where the debugger stands; 0 for none.
func (p *Page) WaitStanding(i, line int) error {
	if err := p.wait(seePatience, fmt.Sprintf("debugging.line(%d) === %d", i, line)); err != nil {
		at, _ := chromedp.Run(p.ctx, chromedp.Evaluate[int](fmt.Sprintf("debugging.line(%d)", i)))
		return fmt.Errorf("the debugger does not stand at line %d of cell %d, but at %d (%w)", line, i, at, err)
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

// Console types a line into the debug console, which is opened where it is not, and waits for what it shows.
func (p *Page) Console(line, answer string) error {
	open, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("debugging.console()"))
	if err == nil && !open {
		err = p.DebuggerButton("debugger:evaluate")
	}
	if err == nil {
		err = p.wait(seePatience, "debugging.console()")
	}
	if err == nil {
		err = p.click("debugging.consolePrompt()")
	}
	if err == nil {
		_, err = chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: line})
	}
	if err == nil {
		err = p.Press('\r', kb.ModifierShift)
	}
	if err == nil {
		err = p.wait(seePatience, fmt.Sprintf("debugging.consoleText().includes(%s)", quote(answer)))
	}
	if err != nil {
		seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string]("debugging.consoleText()"))
		return fmt.Errorf("typing %q into the debug console, which shows %q: %w", line, seen, err)
	}
	return nil
}

// Frames are the lines of the call stack.
func (p *Page) Frames() ([]string, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[[]string]("debugging.frames()"))
}

// click clicks on the middle of what an expression finds.
func (p *Page) click(expression string) error {
	at, err := chromedp.Run(p.ctx, chromedp.Evaluate[rectangle](expression))
	if err != nil {
		return err
	}
	return chromedp.Do(p.ctx, chromedp.MouseClickXY(at.Left, at.Top))
}
