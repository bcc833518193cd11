package debug

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A comment in the shader can hold a console command, which applies from the start of the run:
//
//	// debug: invocation 3,0,0 of workgroup 1,0,0
//	// debug: watch sum + tile[i]
//	// debug: write of data[63]
//	sum += tile[k]; // debug: break if k == 2u
//
// This keeps the commands with the shader, and gives conditions and watches to editors that have no
// other place for them.

// A comment is a `// debug:` comment.
type comment struct {
	text string // all of it, for error messages
	says string // the command after `// debug:`
	line int
}

// errComment lists the commands that a comment can hold.
var errComment = errors.New("write `// debug:` and then `watch EXPRESSION`, `break`, `break if CONDITION`, `write of data[63]`, `invocation 3` " +
	"or `invocation 3,0,0 of workgroup 1,0,0`")

var commentForm = regexp.MustCompile(`(?m)//[ \t]*debug:[ \t]*(.*?)[ \t]*$`)

func readComments(source string) (list []comment) {
	for _, at := range commentForm.FindAllStringSubmatchIndex(source, -1) {
		list = append(list, comment{
			text: strings.TrimSpace(source[at[0]:at[1]]), says: source[at[2]:at[3]], line: strings.Count(source[:at[0]], "\n") + 1,
		})
	}
	return list
}

// StopsByItself reports whether a comment in the shader stops its run, even without a breakpoint.
func StopsByItself(source string) bool {
	for _, c := range readComments(source) {
		if word, _, _ := strings.Cut(c.says, " "); word == "break" || word == "write" {
			return true
		}
	}
	return false
}

// WaitedFor lists the elements that `write` comments in the shader wait for.
func WaitedFor(source string) (elements []string) {
	for _, c := range readComments(source) {
		if element, is := strings.CutPrefix(c.says, "write "); is {
			elements = append(elements, elementOf(element))
		}
	}
	return elements
}

// elementOf returns the element from the text after `write`.
func elementOf(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "of "))
}

// applyComments carries out the commands in the shader's comments.
func (s *Session) applyComments() error {
	source := s.Target.Source
	for _, c := range readComments(source.Text) {
		c.line = source.LineAsWritten(c.line)
		if err := s.applyComment(c); err != nil {
			return fmt.Errorf("line %d, `%s`: %w", c.line, c.text, err)
		}
	}
	s.SetBreakpoints(nil)
	return nil
}

func (s *Session) applyComment(c comment) error {
	word, rest, _ := strings.Cut(c.says, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "break":
		condition, is := strings.CutPrefix(rest, "if ")
		if rest != "" && !is {
			return errors.New("write `break` alone or `break if CONDITION`: the line is that of the comment")
		}
		b := &Breakpoint{Line: c.line, Condition: strings.TrimSpace(condition)}
		if s.place(b); !b.Set {
			return errors.New(b.Problem)
		}
		s.commentBreakpoints = append(s.commentBreakpoints, b)
	case "watch":
		s.addWatch(rest).fromComment = true
	case "write":
		w, err := s.parseWrite(elementOf(rest))
		if err != nil {
			return err
		}
		w.fromComment = true
		s.writes = append(s.writes, w)
	case "invocation", "workgroup":
		w, err := s.parseInvocation(c.says)
		if err == nil {
			err = s.checkInvocation(w.workgroup, w.local)
		}
		if err != nil {
			return err
		}
		if s.follow == nil { // the first such comment wins
			s.follow, s.view = &follow{s.number(w.workgroup), w.local}, w.local
		}
	default:
		return errComment
	}
	return nil
}
