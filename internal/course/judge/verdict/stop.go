package verdict

import "fmt"

// A Watchpoint makes the debugger stop where the first wrong element is written. If nothing writes
// it, it stops where an invocation should have decided to write it.
type Watchpoint struct {
	Element   string // out[63]; "" if it stops on a line
	Line      int    // 0 if it stops at an element
	Condition string // of the invocation that should write the element: id.x == 63u
	Seed      uint64
	Case      string // of a stop on a line: the case that shows the element
	Comment   string // what to add to the shader's cell
	Command   string // the equivalent terminal command
}

// Title says where the debugger stops.
func (s *Watchpoint) Title() string {
	if s.Element == "" {
		return fmt.Sprintf("Stop on line %d, where it is decided", s.Line)
	}
	return fmt.Sprintf("Stop where `%s` should be written", s.Element)
}

// Stop returns what to type in order to stop there; nil if there is no element to stop at, or the
// shader has written nothing yet.
func (v *Verdict) Stop() *Watchpoint {
	if v.Wrong == "" || v.Slug == Stub {
		return nil
	}
	for _, r := range v.Reasons {
		if r.Why == NotWritten && r.Line > 0 {
			return v.stopOn(r)
		}
	}
	return &Watchpoint{
		Element: v.Wrong, Seed: v.Seed, Comment: "// debug: write of " + v.Wrong,
		Command: fmt.Sprintf("wgslab debug %s --seed %d --write '%s'", v.Exercise, v.Seed, v.Wrong),
	}
}

// stopOn stops the invocation that a reason is about on the reason's line.
func (v *Verdict) stopOn(r Reason) *Watchpoint {
	s := &Watchpoint{Line: r.Line, Condition: r.Invocation, Seed: v.Seed, Comment: "// debug: break"}
	line := r.Line - v.Above // in the file, which a terminal shows
	at := fmt.Sprint(line)
	if r.Invocation != "" {
		s.Comment += " if " + r.Invocation
		at = fmt.Sprintf("'%d if %s'", line, r.Invocation)
	}
	s.Command = fmt.Sprintf("wgslab debug %s --seed %d --break %s", v.Exercise, v.Seed, at)
	if v.Mismatch != nil {
		s.Case = v.Mismatch.Case
		s.Command += fmt.Sprintf(" --case '%s'", s.Case)
	}
	return s
}
