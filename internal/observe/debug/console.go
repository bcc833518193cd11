package debug

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A ConsoleReply is the console's reply to a line.
type ConsoleReply struct {
	Text  string
	Item  *TreeItem // the value, if the line was an expression
	Moved bool      // the view moved to another invocation or moment, so fronts must redraw
}

// BreakHelp is the help text for the lines that ReadBreak reads.
const BreakHelp = "break LINE [if EXPRESSION]                stop at this line, if the expression is true"

var breakForm = regexp.MustCompile(`^\s*break\s+([0-9]{1,9})(?:\s+if\s+(.+?))?\s*$`)

// ReadBreak parses `break 12` or `break 12 if i == 3u`, for consoles that set breakpoints.
func ReadBreak(line string) (b *Breakpoint, ok bool) {
	parts := breakForm.FindStringSubmatch(line)
	if parts == nil {
		return nil, false
	}
	at, _ := strconv.Atoi(parts[1]) // digits only
	return &Breakpoint{Line: at, Condition: parts[2]}, true
}

// ConsoleHelp lists the console's commands.
const ConsoleHelp = `EXPRESSION                                show its value here
invocation 3                              view this invocation and follow it
invocation 3,0,0 of workgroup 1,0,0       the same, at the start of that workgroup
where EXPRESSION                          view the next invocation for which it is true
back                                      go back to where the last step began
anyone                                    stop following: breakpoints stop any invocation
write of data[63]                         stop when this element is written
watch EXPRESSION                          show its value at each stop
unwatch EXPRESSION                        remove this watch; unwatch alone removes all
picture                                   show the workgroup, and who wrote each element
findings                                  list what has gone wrong so far
findings off                              don't stop at them; findings on stops again`

// Console answers a line, which is a command or a WGSL expression. It evaluates expressions in a
// frame of the viewed invocation.
func (s *Session) Console(ctx context.Context, frame int, line string) (ConsoleReply, error) {
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	if rest = strings.TrimSpace(rest); rest != "" {
		switch word {
		case "invocation", "workgroup":
			return s.switchTo(ctx, line)
		case "where":
			return s.findWhere(rest)
		case "write":
			return s.waitForWrite(elementOf(rest))
		case "findings":
			if rest == "on" || rest == "off" {
				return s.minding(rest == "on"), nil
			}
		case "watch":
			it := s.Watch(rest)
			return ConsoleReply{Text: it.Name + " = " + it.Value}, nil
		}
	}
	if word == "unwatch" {
		return s.unwatch(rest)
	}
	switch line {
	case "":
		return ConsoleReply{}, nil
	case "help":
		return ConsoleReply{Text: ConsoleHelp}, nil
	case "back":
		return ConsoleReply{Text: s.Do(ctx, Back).Text, Moved: true}, nil
	case "anyone":
		s.Anyone()
		return ConsoleReply{Text: "The next breakpoint stops the first invocation that reaches it."}, nil
	case "picture":
		return ConsoleReply{Text: s.Picture().Text()}, nil
	case "findings":
		return ConsoleReply{Text: s.findingsText()}, nil
	}
	it, err := s.Evaluate(s.view, frame, line)
	if err != nil {
		return ConsoleReply{}, err
	}
	return ConsoleReply{Text: it.Value, Item: &it}, nil
}

// minding sets whether errors that the run finds stop it. It still lists them.
func (s *Session) minding(on bool) ConsoleReply {
	s.StopAtFindings(on, false)
	if on {
		return ConsoleReply{Text: "The run stops where something goes wrong."}
	}
	return ConsoleReply{Text: "The run stops only at breakpoints and writes. `findings` still lists what goes wrong."}
}

func (s *Session) findingsText() string {
	var lines []string
	for _, f := range s.sim.Findings() {
		lines = append(lines, fmt.Sprintf("line %d: %s (%s)", f.Location.Line, f.Message, f.Severity))
	}
	if len(lines) == 0 {
		return "Nothing has gone wrong so far."
	}
	return strings.Join(lines, "\n")
}

func (s *Session) switchTo(ctx context.Context, line string) (ConsoleReply, error) {
	who, err := s.parseInvocation(line)
	if err != nil {
		return ConsoleReply{}, err
	}
	if err := s.Enter(ctx, who.workgroup, who.local); err != nil {
		return ConsoleReply{}, err
	}
	return ConsoleReply{Text: english.Capital(s.where()), Moved: true}, nil
}

// findWhere views the next invocation of the workgroup for which a condition is true.
func (s *Session) findWhere(text string) (ConsoleReply, error) {
	n := s.sim.Invocations()
	var problem error
	for i := 1; i <= n; i++ {
		local := (s.view + i) % n
		stack := s.sim.Stack(local)
		if len(stack) == 0 {
			continue
		}
		e, err := s.Target.Program.Expression(stack[0], text)
		if err != nil {
			problem = err
			continue
		}
		if e.Type != types.Bool {
			return ConsoleReply{}, fmt.Errorf("`%s` has type %s: a condition must be a bool", text, e.Type)
		}
		if v, _, err := s.sim.Evaluate(e, local); err == nil && v.Bool() {
			return ConsoleReply{Text: english.Capital(s.Name(local)) + ".", Moved: true}, s.Look(local)
		}
	}
	if problem != nil {
		return ConsoleReply{}, problem
	}
	return ConsoleReply{}, fmt.Errorf("`%s` is not true for any invocation of this workgroup right now", text)
}

func (s *Session) waitForWrite(element string) (ConsoleReply, error) {
	if err := s.WatchWrites(append(s.Writes(), element)); err != nil {
		return ConsoleReply{}, err
	}
	return ConsoleReply{Text: fmt.Sprintf("The run will stop when %s is written.", element)}, nil
}

// Writes lists the elements that stop the run when they are written, except those from comments.
func (s *Session) Writes() (texts []string) {
	for _, w := range s.writes {
		if !w.fromComment {
			texts = append(texts, w.Text)
		}
	}
	return texts
}

// who identifies an invocation of a workgroup.
type who struct {
	workgroup [3]uint32
	local     int
}

var invocationForm = regexp.MustCompile(`^(?:invocation\s+([0-9]+(?:\s*,\s*[0-9]+){0,2}))?\s*(?:of\s+)?(?:workgroup\s+([0-9]+(?:\s*,\s*[0-9]+){0,2}))?$`)

// errInvocation says how to name an invocation.
var errInvocation = errors.New("write `invocation 3`, `invocation 3,0,0` or `invocation 3,0,0 of workgroup 1,0,0`")

// parseInvocation parses `invocation 3`, `invocation 3,0,0 of workgroup 1,0,0` or `workgroup 2`.
// One number is a local_invocation_index; three are a local_invocation_id.
func (s *Session) parseInvocation(text string) (who, error) {
	parts := invocationForm.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil || parts[1] == "" && parts[2] == "" {
		return who{}, errInvocation
	}
	w := who{workgroup: s.Workgroup()}
	if parts[2] != "" {
		w.workgroup, _ = parseID(parts[2])
	}
	if parts[1] == "" {
		return w, nil
	}
	id, n := parseID(parts[1])
	if n == 1 {
		w.local = int(id[0])
		return w, nil
	}
	size := s.Target.Program.Pipeline.WorkgroupSize
	for axis := range id {
		if id[axis] >= size[axis] {
			return who{}, fmt.Errorf("a workgroup has %s invocations, so there is no invocation %s", triple(size), triple(id))
		}
	}
	w.local = int(id[0] + size[0]*(id[1]+size[1]*id[2]))
	return w, nil
}

// parseID parses one to three numbers and returns how many there were. Numbers out of range become
// the largest.
func parseID(text string) (id [3]uint32, n int) {
	for i, word := range strings.Split(text, ",") {
		v, _ := strconv.ParseUint(strings.TrimSpace(word), 10, 31) // digits; out of range gives the largest
		id[i] = uint32(v)
		n++
	}
	return id, n
}

// number returns the index of a workgroup in the dispatch, counted in x, then y, then z.
func (s *Session) number(workgroup [3]uint32) uint64 {
	counts := s.Target.Workgroups
	return uint64(workgroup[0]) + uint64(counts[0])*(uint64(workgroup[1])+uint64(counts[1])*uint64(workgroup[2]))
}
