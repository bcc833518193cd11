package debug

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A comment in the shader is a line of the console that counts from the beginning:
//
//	// debug: invocation 3,0,0 of workgroup 1,0,0
//	// debug: watch sum + tile[i]
//	// debug: write of data[63]
//	sum += tile[k]; // debug: break if k == 2u
//
// So what somebody looks for is kept with the shader, and where an editor has no place for it, such as a condition.

// A comment is what stands behind `// debug:`.
type comment struct {
	text string // all of it, for who reads what is wrong with it
	says string
	line int
}

// errComment says what a comment can say.
var errComment = errors.New("write `// debug:` and then `watch EXPRESSION`, `break`, `break if CONDITION`, `write of data[63]`, `invocation 3` " +
	"or `invocation 3,0,0 of workgroup 1,0,0`")

var commentForm = regexp.MustCompile(`(?m)//[ \t]*debug:[ \t]*(.*?)[ \t]*$`)

func comments(source string) (list []comment) {
	for _, at := range commentForm.FindAllStringSubmatchIndex(source, -1) {
		list = append(list, comment{
			text: strings.TrimSpace(source[at[0]:at[1]]), says: source[at[2]:at[3]], line: strings.Count(source[:at[0]], "\n") + 1,
		})
	}
	return list
}

// StopsByItself reports whether a comment of a shader stops its run, so that no breakpoint is needed.
func StopsByItself(source string) bool {
	for _, c := range comments(source) {
		if word, _, _ := strings.Cut(c.says, " "); word == "break" || word == "write" {
			return true
		}
	}
	return false
}

// WaitedFor are the elements at whose writing the comments of a shader stop its run.
func WaitedFor(source string) (elements []string) {
	for _, c := range comments(source) {
		if element, is := strings.CutPrefix(c.says, "write "); is {
			elements = append(elements, elementOf(element))
		}
	}
	return elements
}

// elementOf is what stands behind `write`.
func elementOf(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "of "))
}

// obey does what the shader's comments say.
func (s *Session) obey() error {
	for _, c := range comments(s.Target.Source.Text) {
		if err := s.obeyOne(c); err != nil {
			return fmt.Errorf("line %d, `%s`: %w", c.line, c.text, err)
		}
	}
	s.SetBreakpoints(nil)
	return nil
}

func (s *Session) obeyOne(c comment) error {
	word, rest, _ := strings.Cut(c.says, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "break":
		condition, is := strings.CutPrefix(rest, "if ")
		if rest != "" && !is {
			return errors.New("behind `break` comes nothing, or `if` and a condition; the line is the comment's own")
		}
		b := &Breakpoint{Line: c.line, Condition: strings.TrimSpace(condition)}
		if s.place(b); !b.Set {
			return errors.New(b.Problem)
		}
		s.own = append(s.own, b)
	case "watch":
		s.addWatch(rest).own = true
	case "write":
		w, err := s.write(elementOf(rest))
		if err != nil {
			return err
		}
		w.own = true
		s.writes = append(s.writes, w)
	case "invocation", "workgroup":
		f, err := s.whom(c.says)
		if err != nil {
			return err
		}
		if s.follow == nil { // the first counts
			s.follow, s.view = f, f.local
		}
	default:
		return errComment
	}
	return nil
}

// whom is the invocation that a line names, if there is one.
func (s *Session) whom(line string) (*follow, error) {
	w, err := s.parseInvocation(line)
	if err != nil {
		return nil, err
	}
	counts := s.Target.Workgroups
	for axis := range counts {
		if w.workgroup[axis] >= counts[axis] {
			return nil, fmt.Errorf("there are %s workgroups", triple(counts))
		}
	}
	if w.local >= s.sim.Invocations() {
		return nil, fmt.Errorf("a workgroup has %d invocations", s.sim.Invocations())
	}
	return &follow{s.number(w.workgroup), w.local}, nil
}
