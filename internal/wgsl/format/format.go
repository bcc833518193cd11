// Package format gives WGSL one layout, as gofmt does for Go. It changes only the white space
// between tokens: the tokens, the comments and so the meaning stay.
//
// Each statement, declaration and member gets its own line, indented by four spaces for each block.
// Lines that the author broke inside parentheses or an expression stay broken. A block that was
// written on one line stays there if it holds at most one statement. At most one blank line stays
// between two lines. Comments at the ends of adjacent lines stay in one column if they were in one.
package format

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A SyntaxError says why a shader has no layout: it does not parse.
type SyntaxError struct{ Finding *findings.Finding }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: %s Only a shader without such errors can be formatted.", e.Finding.Line, e.Finding.Message)
}

// A TooLongError says that the shader would pass the limit by being formatted.
type TooLongError struct{ Bytes int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("the formatted shader would have %d KiB, and no compiler of ours takes more than %d: put large data into a buffer", (e.Bytes+1023)>>10, syntax.MaxSource>>10)
}

// Format returns the shader's text in the one layout. The error is a *SyntaxError for a text that
// does not parse, and a *TooLongError for one that would be too long.
func Format(text string) (string, error) {
	source := syntax.NewSource("", text)
	file, found := syntax.Parse(source)
	source.Locate(found...)
	for _, f := range found {
		if f.Severity == findings.Error {
			return "", &SyntaxError{f}
		}
	}
	p := printer{source: source, lexemes: lexemes(file)}
	p.pair()
	p.print()
	formatted := p.aligned()
	if len(formatted) > syntax.MaxSource {
		return "", &TooLongError{len(formatted)}
	}
	return formatted, p.same(formatted)
}

// same reports an error unless a formatted text has the tokens and comments that were read.
func (p *printer) same(formatted string) error {
	written, _ := syntax.Parse(syntax.NewSource("", formatted))
	again := lexemes(written)
	for i := range max(len(again), len(p.lexemes)) {
		if i >= len(again) || i >= len(p.lexemes) || again[i].text != p.lexemes[i].text {
			return fmt.Errorf("formatting would change the shader at line %d: please report it", p.source.Position(p.lexemes[min(i, len(p.lexemes)-1)].span.Start).Line)
		}
	}
	return nil
}

// indent is the white space of one level.
const indent = "    "

// A printer writes lexemes one after the other. It keeps the blocks and parentheses that are open.
type printer struct {
	source  *syntax.Source
	lexemes []lexeme
	out     strings.Builder
	beside  []besideCode
	open    []opened
	level   int // of the line that is being written
}

// An opened bracket is a brace, parenthesis or square bracket that is not yet closed.
type opened struct {
	brace bool
	level int  // of the line that it is on
	flat  bool // the block stays on one line
}

func (p *printer) print() {
	for i := range p.lexemes {
		l := &p.lexemes[i]
		closes := l.is("}") || l.is(")") || l.is("]")
		breaks := i > 0 && p.breaks(i)
		if closes {
			if breaks {
				p.level = p.top().level
			}
			p.open = p.open[:len(p.open)-1]
		} else if breaks {
			p.level = p.levelOf(i)
		}
		switch {
		case breaks:
			p.out.WriteString("\n")
			if p.blankLine(i) {
				p.out.WriteString("\n")
			}
			p.out.WriteString(strings.Repeat(indent, p.level))
		case i > 0 && p.spaced(i):
			if l.comment && !l.block {
				p.beside = append(p.beside, p.besideCode(l))
			}
			p.out.WriteString(" ")
		}
		p.out.WriteString(l.text)
		if l.is("{") || l.is("(") || l.is("[") {
			p.open = append(p.open, opened{l.is("{"), p.levelInside(l), l.flat})
		}
	}
	if len(p.lexemes) > 0 {
		p.out.WriteString("\n")
	}
}

// levelInside returns the level of a bracket's own line. A block's is that of its statement, even
// if the statement's head takes several lines.
func (p *printer) levelInside(l *lexeme) int {
	if l.is("{") {
		return p.top().level + 1
	}
	return p.level
}

// top returns the innermost open bracket; the shader itself is a block at level -1.
func (p *printer) top() opened {
	if len(p.open) == 0 {
		return opened{brace: true, level: -1}
	}
	return p.open[len(p.open)-1]
}

// breaks reports whether a lexeme begins a line.
func (p *printer) breaks(i int) bool {
	l, before, top := &p.lexemes[i], &p.lexemes[i-1], p.top()
	switch {
	case before.comment && !before.block:
		return true
	case l.comment:
		return p.newlines(i) > 0 // a comment stays beside the code that it is beside
	case l.is(";"):
		return false
	case l.is("else") && before.is("}"), l.is("{") && !before.comment && !before.ends && !before.is("}") && !before.is("{"):
		return false
	case !top.brace || top.flat:
		return p.newlines(i) > 0
	case l.is("}"):
		return !before.is("{")
	case before.is("{"), before.is("}"), before.ends:
		return true
	}
	return p.newlines(i) > 0
}

// levelOf returns the level of a line that a lexeme begins.
func (p *printer) levelOf(i int) int {
	top := p.top()
	if !top.brace || p.begins(i) {
		return top.level + 1
	}
	return top.level + 2 // a statement goes on
}

// begins reports whether a lexeme begins a statement, a declaration, a member or a comment between
// them. Attributes may have lines of their own before it.
func (p *printer) begins(i int) bool {
	for i--; i >= 0 && p.lexemes[i].comment; i-- {
	}
	if i < 0 {
		return true
	}
	before := &p.lexemes[i]
	return before.ends || before.attribute || before.is("{") || before.is("}")
}

// blankLine reports whether a blank line stays before a lexeme. Blocks neither begin nor end with
// one.
func (p *printer) blankLine(i int) bool {
	return p.newlines(i) > 1 && !p.lexemes[i-1].is("{") && !p.lexemes[i].is("}")
}

// newlines counts the line ends before a lexeme in the source.
func (p *printer) newlines(i int) int {
	between := syntax.Span{Start: p.lexemes[i-1].span.End, End: p.lexemes[i].span.Start}
	return p.source.LineOf(between.End) - p.source.LineOf(between.Start)
}

// spaced reports whether a space separates a lexeme from the one before it on the line.
func (p *printer) spaced(i int) bool {
	l, before := &p.lexemes[i], &p.lexemes[i-1]
	switch {
	case l.comment, before.comment:
		return true
	case before.is("{") && l.is("}"), before.is("("), before.is("["), l.is(")"), l.is("]"), l.is(";"), l.is(","), l.is(":"):
		return false
	case before.prefix:
		return l.prefix && l.text == before.text // two minus signs are another token than one after the other
	case l.is("."), before.is("."), before.is("@"), l.is("++"), l.is("--"):
		return false
	case before.is(","), before.is(";"), before.is(":"):
		return true
	case l.template, before.template && before.is("<"):
		return false
	case before.template && before.is(">"):
		return !l.is("(") && !l.is("[")
	case l.is("("):
		return before.spacesParen || !before.word && !before.is(")") && !before.is("]")
	case l.is("["):
		return !before.word && !before.is(")") && !before.is("]")
	}
	return true
}

// A Reformatted is the answer to a learner's Format, in a notebook and in the page.
type Reformatted struct {
	Text    string `json:"text"`
	Problem string `json:"problem,omitempty"` // why the shader has no layout; then Text is empty
}

// Formatted works like Format, for an editor in a browser.
func Formatted(text string) Reformatted {
	formatted, err := Format(text)
	if err != nil {
		return Reformatted{Problem: err.Error()}
	}
	return Reformatted{Text: formatted}
}
