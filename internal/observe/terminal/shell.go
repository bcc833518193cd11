// Package terminal debugs a shader in a terminal: on the full screen, or line by line if the input
// or output is not a terminal.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/observe/debug"
)

// A shell carries out typed commands.
type shell struct {
	s    *debug.Session
	last string // the last movement, which an empty line repeats
	next int    // the id of the next breakpoint
}

// movements are the commands that move through the run, by name.
var movements = map[string]debug.Move{
	"continue": debug.Continue, "c": debug.Continue, "run": debug.Start, "r": debug.Start,
	"step": debug.StepIn, "s": debug.StepIn, "next": debug.StepOver, "n": debug.StepOver,
	"out": debug.StepOut, "o": debug.StepOut, "back": debug.Back, "b": debug.Back,
	"reverse": debug.ReverseContinue, "rc": debug.ReverseContinue,
}

// Help lists all commands.
const Help = debug.BreakHelp + `
delete LINE                               remove the breakpoint at this line
run, continue (c)                         run to the next breakpoint
step (s), next (n), out (o)               step one statement, over calls, out of the function
reverse (rc), back (b)                    go back to the previous breakpoint, or back a step
print EXPRESSION (p)                      show its value; long arrays in ranges: print a[100]
locals, memory                            show the variables; workgroup memory and buffers
where                                     show the call stack
` + debug.ConsoleHelp + `
quit (q)                                  end the debugger`

// errQuit ends the debugger.
var errQuit = errors.New("quit")

// movement returns the command of a line that moves through the run. An empty line repeats the
// last.
func (sh *shell) movement(line string) (debug.Move, bool) {
	if line == "" {
		line = sh.last
	}
	command, ok := movements[line]
	if ok {
		sh.last = line
	}
	return command, ok
}

// do carries out any other line.
func (sh *shell) do(ctx context.Context, line string) (text string, moved bool, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "break":
		text, err = sh.breakAt(rest)
	case word == "delete":
		text, err = sh.delete(rest)
	case line == "quit" || line == "q":
		err = errQuit
	case line == "help":
		text = Help
	case line == "where":
		text = sh.stack()
	case line == "locals":
		text = sh.variables(debug.LocalScope, debug.InvocationName, debug.PrivateScope)
	case line == "memory":
		text = sh.variables(debug.WorkgroupScope, debug.BufferScope)
	default:
		if word == "print" || word == "p" {
			line = rest
		}
		var answer debug.ConsoleReply
		answer, err = sh.s.Console(ctx, 0, line)
		text, moved = sh.answer(answer), answer.Moved
	}
	return text, moved, err
}

// answer formats the console's answer, with the parts of a value below it.
func (sh *shell) answer(a debug.ConsoleReply) string {
	if a.Item == nil || a.Item.Children == 0 {
		return a.Text
	}
	lines := []string{a.Text}
	for _, part := range a.Item.Parts() {
		lines = append(lines, "  "+entry(part))
	}
	return strings.Join(lines, "\n")
}

// entry formats an item on one line; * marks a changed value.
func entry(it debug.TreeItem) string {
	mark := " "
	if it.Changed {
		mark = "*"
	}
	return mark + it.Name + " = " + it.Value
}

func (sh *shell) breakAt(text string) (string, error) {
	number, condition, _ := strings.Cut(text, " ")
	line, err := strconv.Atoi(number)
	if err != nil {
		return "", errors.New("write `break 12` or `break 12 if i == 3u`")
	}
	condition = strings.TrimSpace(condition)
	if condition != "" {
		given, ok := strings.CutPrefix(condition, "if ")
		if !ok {
			return "", errors.New("after the line, write `if` and a condition")
		}
		condition = given
	}
	sh.next++
	b := &debug.Breakpoint{ID: sh.next, Line: line, Condition: condition}
	sh.s.SetBreakpoints(append(slices.Clone(sh.s.Breakpoints()), b))
	if !b.Set {
		sh.remove(func(other *debug.Breakpoint) bool { return other == b })
		return "", errors.New(b.Problem)
	}
	return fmt.Sprintf("Stops at line %d.", b.Line), nil
}

func (sh *shell) delete(text string) (string, error) {
	line, err := strconv.Atoi(text)
	if err != nil {
		return "", errors.New("write `delete 12`")
	}
	if !sh.remove(func(b *debug.Breakpoint) bool { return b.Line == line }) {
		return "", fmt.Errorf("there is no breakpoint at line %d", line)
	}
	return fmt.Sprintf("The breakpoint at line %d is removed.", line), nil
}

// remove removes breakpoints and reports whether there were any.
func (sh *shell) remove(which func(*debug.Breakpoint) bool) bool {
	before := sh.s.Breakpoints()
	after := slices.DeleteFunc(slices.Clone(before), which)
	sh.s.SetBreakpoints(after)
	return len(after) < len(before)
}

// toggle sets a breakpoint at a line, or removes it.
func (sh *shell) toggle(line int) (string, error) {
	if sh.remove(func(b *debug.Breakpoint) bool { return b.Line == line }) {
		return fmt.Sprintf("The breakpoint at line %d is removed.", line), nil
	}
	return sh.breakAt(strconv.Itoa(line))
}

// stack lists the functions that the viewed invocation is in, then where all invocations are.
func (sh *shell) stack() string {
	var lines []string
	source := sh.s.Target.Source
	for _, f := range sh.s.Stack(sh.s.Invocation()) {
		at := source.Region(f.Span)
		where := fmt.Sprintf("line %d", at.Line)
		if at.File != "" {
			where += " of " + plaintext.OneLine(at.File)
		}
		lines = append(lines, f.Function.Object.Name+" at "+where)
	}
	for _, g := range sh.s.Picture().Groups() {
		lines = append(lines, g.String())
	}
	return strings.Join(lines, "\n")
}

// variables lists the items of the named scopes.
func (sh *shell) variables(names ...string) string {
	var lines []string
	for _, scope := range sh.s.Scopes(sh.s.Invocation(), 0) {
		if !slices.Contains(names, scope.Name) {
			continue
		}
		lines = append(lines, scope.Name+":")
		for _, it := range scope.Items {
			lines = append(lines, " "+entry(it))
		}
	}
	if len(lines) == 0 {
		return "There are no variables here."
	}
	return strings.Join(lines, "\n")
}

// here shows the current line of the viewed invocation, with its number, and the watches.
func (sh *shell) here() string {
	n, file := sh.s.Line(sh.s.Invocation()), sh.s.File(sh.s.Invocation())
	lines := []string{fmt.Sprintf("%4d | %s", n, sourceLine(sh.s, file, n))}
	if file != "" {
		lines = append([]string{"In " + plaintext.OneLine(file) + ":"}, lines...)
	}
	for _, it := range sh.s.Watched(sh.s.Invocation(), 0) {
		lines = append(lines, "      "+entry(it))
	}
	return strings.Join(lines, "\n")
}

// sourceLine returns a line of the shader without control characters, which could steer a terminal.
func sourceLine(s *debug.Session, file string, n int) string {
	source := s.Target.Source.File(file)
	text := strings.ReplaceAll(source.Slice(source.Line(n)), "\t", "  ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, strings.TrimRight(text, "\r\n"))
}
