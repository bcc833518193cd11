package verdict

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// An Origin shows how the first wrong element got its value.
type Origin struct {
	Case string             `json:"case"`
	Want numeric.JSONNumber `json:"want"` // what the element should be

	Packed bool `json:"-"` // it holds four signed bytes
	OriginStep
}

// An OriginStep is one value on the way, with the values that it was computed from.
type OriginStep struct {
	Text       string       `json:"text"`  // the source that computed it, or what was read: sum + a[i], a[3]
	Value      string       `json:"value"` // as WGSL would write it
	Line       int          `json:"line"`  // 0 for a value from the host
	Column     int          `json:"column"`
	Workgroup  [3]uint32    `json:"workgroup"`
	Invocation [3]uint32    `json:"invocation"`
	Times      int          `json:"times"`            // how often a loop repeated the step
	Rounds     string       `json:"rounds,omitempty"` // of a repeated step: the values after its first rounds and its last, for people
	Round      int          `json:"round,omitempty"`  // of a source of a repeated step: the round that used it, from 1
	From       []OriginStep `json:"from,omitempty"`   // of a repeated step: the sources of those rounds
}

// The limits of what people see of an origin.
const (
	mostDepth = 5
	mostLines = 13
	mostText  = 44 // characters of the source
)

// An OriginLine is one step of an origin in its text form.
type OriginLine struct {
	Depth int
	Text  string // with backquotes around code
}

// Lines returns the origin as an indented list, folded if it is long.
func (o *Origin) Lines() []OriginLine {
	lines := []OriginLine{{0, o.OriginStep.sentence(o.OriginStep.who())}}
	o.OriginStep.writeFrom(&lines, 1)
	return lines
}

// writeFrom writes the sources of a step. If a step only passes a value on, the value appears
// once.
func (s *OriginStep) writeFrom(lines *[]OriginLine, depth int) {
	from := s.From
	for len(from) == 1 && len(from[0].From) > 0 && from[0].Value == s.Value && from[0].Text == s.Text {
		from = from[0].From
	}
	for i := range from {
		if depth == mostDepth || len(*lines) == mostLines {
			*lines = append(*lines, OriginLine{depth, "…"})
			return
		}
		if len(*lines) > mostLines {
			return
		}
		who := ""
		if from[i].doer() != s.doer() {
			who = from[i].who()
		}
		*lines = append(*lines, OriginLine{depth, from[i].sentence(who)})
		from[i].writeFrom(lines, depth+1)
	}
}

// sentence describes one step in words; who says which invocation did it, if that is not clear.
func (s *OriginStep) sentence(who string) string {
	sentence := fmt.Sprintf("`%s` is %s", ShortCode(s.Text, mostText), s.Value)
	if s.Round > 0 {
		sentence = fmt.Sprintf("round %d: %s", s.Round, sentence)
	}
	if s.Line == 0 {
		return sentence + ", as the host gave it"
	}
	sentence += fmt.Sprintf(", line %d%s", s.Line, who)
	if s.Rounds != "" {
		sentence += fmt.Sprintf(", in %d rounds: %s", s.Times, s.Rounds)
	}
	return sentence
}

// ShortCode returns the beginning of a piece of code that has more characters than most. It breaks
// no token.
func ShortCode(code string, most int) string {
	runes := []rune(code)
	if len(runes) <= most {
		return code
	}
	end := most - len(" .")
	for end > 0 && kindOf(runes[end-1]) == kindOf(runes[end]) && kindOf(runes[end]) != ' ' {
		end--
	}
	return strings.TrimLeft(strings.TrimRight(string(runes[:end]), " ")+" …", " ")
}

// kindOf returns the kind of token that a character belongs to: a name or number, an operator, or
// none that has several characters.
func kindOf(r rune) rune {
	switch {
	case r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return 'a'
	case strings.ContainsRune("+-*/%<>=&|!^~", r):
		return '+'
	}
	return ' '
}

func (s *OriginStep) doer() [2][3]uint32 { return [2][3]uint32{s.Workgroup, s.Invocation} }

// who names the invocation that did a step.
func (s *OriginStep) who() string {
	return fmt.Sprintf(", by invocation %s of workgroup %s", Numbered(s.Invocation), Numbered(s.Workgroup))
}

// Numbered writes the number of an invocation or a workgroup, in as many directions as it needs.
func Numbered(n [3]uint32) string {
	if n[1] == 0 && n[2] == 0 {
		return fmt.Sprint(n[0])
	}
	return fmt.Sprintf("(%d, %d, %d)", n[0], n[1], n[2])
}

// Heading says which number the origin explains.
func (o *Origin) Heading() string {
	return fmt.Sprintf("How %s came to be %s (%s; it should be %s)", o.OriginStep.Text, o.Came(), o.Case, inBytes(o.Want, o.Packed))
}

// Came returns what the element came to be.
func (o *Origin) Came() string {
	n, err := strconv.ParseUint(o.Value, 10, 32)
	if err != nil || !o.Packed {
		return o.Value
	}
	return inBytes(numeric.JSONNumber(n), o.Packed)
}

func (o *Origin) text() string {
	var b strings.Builder
	b.WriteString(wrap(o.Heading()+":", "  ") + "\n")
	for _, l := range o.Lines() {
		b.WriteString("  " + strings.Repeat("  ", l.Depth+1) + l.Text + "\n")
	}
	return b.String()
}
