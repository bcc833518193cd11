package assist

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A cursor is a place in a text, determined by the tokens before it alone. It needs no tree, so it
// works in any unfinished text.
type cursor struct {
	start, end int      // of the word at the cursor; both equal the cursor if there is none
	tokens     []string // before the word
	starts     []int    // of the tokens
	newLine    bool     // a line ends between the last token and the word
	open       []bracket
}

// A bracket is a bracket that is open at the cursor. The < of a template counts as one.
type bracket struct {
	text  string
	index int // in tokens
	comma int // the number of commas in it so far
}

func cursorAt(text string, offset int) cursor {
	c := cursor{start: offset, end: offset}
	for c.start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:c.start])
		if !syntax.InName(r) {
			break
		}
		c.start -= size
	}
	for c.end < len(text) {
		r, size := utf8.DecodeRuneInString(text[c.end:])
		if !syntax.InName(r) {
			break
		}
		c.end += size
	}
	before := syntax.NewSource("", text[:c.start])
	last := 0
	for _, span := range syntax.Tokens(before) {
		c.tokens, c.starts = append(c.tokens, before.Slice(span)), append(c.starts, int(span.Start))
		last = int(span.End)
	}
	c.newLine = strings.ContainsAny(text[last:c.start], "\n\r")
	for i, token := range c.tokens {
		c.pass(i, token)
	}
	return c
}

// pass updates the open brackets for a token.
func (c *cursor) pass(i int, token string) {
	switch token {
	case "(", "[", "{":
		c.open = append(c.open, bracket{text: token, index: i})
	case "<":
		if i > 0 && opensTemplate(c.tokens[i-1]) {
			c.open = append(c.open, bracket{text: token, index: i})
		}
	case ">":
		c.close("<")
	case ")":
		c.close("(")
	case "]":
		c.close("[")
	case "}":
		c.close("{")
	case ";": // only braces and the header of a for continue after it
		for len(c.open) > 0 && !c.inside("{") && c.owner(0) != "for" {
			c.open = c.open[:len(c.open)-1]
		}
	case ",":
		if len(c.open) > 0 {
			c.open[len(c.open)-1].comma++
		}
	}
}

// opensTemplate reports whether a < after the word begins a template list. After a variable, < may
// be a comparison.
func opensTemplate(before string) bool {
	if before == "var" {
		return true
	}
	o := types.PredeclaredNamed(before)
	return o != nil && o.Kind == types.GeneratorObject
}

// close closes the innermost bracket of the given form and the unclosed brackets in it. A
// template's bracket does not close other kinds.
func (c *cursor) close(form string) {
	for i := len(c.open) - 1; i >= 0; i-- {
		if c.open[i].text == form {
			c.open = c.open[:i]
			return
		}
		if form == "<" {
			return
		}
	}
}

// inside reports whether the innermost open bracket has the given form.
func (c *cursor) inside(form string) bool {
	return len(c.open) > 0 && c.open[len(c.open)-1].text == form
}

// argument returns the number of commas before the cursor in the innermost bracket.
func (c *cursor) argument() int { return c.open[len(c.open)-1].comma }

// before returns the token n places before the cursor's word, 1 being the nearest, or "".
func (c *cursor) before(n int) string { return textAt(c.tokens, len(c.tokens)-n) }

// owner returns the token n places before the innermost open bracket, 0 being the nearest, or "".
func (c *cursor) owner(n int) string {
	if len(c.open) == 0 {
		return ""
	}
	return textAt(c.tokens, c.open[len(c.open)-1].index-1-n)
}

func textAt(tokens []string, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i]
}

// braces returns the number of open braces.
func (c *cursor) braces() int {
	n := 0
	for _, b := range c.open {
		if b.text == "{" {
			n++
		}
	}
	return n
}

// inStruct reports whether the cursor is among the members of a structure.
func (c *cursor) inStruct() bool {
	outermost := slices.IndexFunc(c.open, func(b bracket) bool { return b.text == "{" })
	return outermost >= 0 && textAt(c.tokens, c.open[outermost].index-2) == "struct"
}

// inFunction reports whether the cursor is in the body of a function.
func (c *cursor) inFunction() bool { return c.braces() > 0 && !c.inStruct() }

// inParameters reports whether the cursor is among the parameters of a function that is being
// declared.
func (c *cursor) inParameters() bool { return c.inside("(") && c.owner(1) == "fn" }

// attribute returns the attribute whose parentheses contain the cursor, or "".
func (c *cursor) attribute() string {
	if c.inside("(") && (c.owner(1) == "@" || c.owner(0) == "diagnostic") {
		return c.owner(0)
	}
	return ""
}

// statement returns the tokens of the cursor's statement or declaration, up to the cursor.
func (c *cursor) statement() []string {
	i := len(c.tokens)
	for i > 0 && c.tokens[i-1] != ";" && c.tokens[i-1] != "{" && c.tokens[i-1] != "}" {
		i--
	}
	return c.tokens[i:]
}

// statementStart returns the start of the cursor's statement or declaration.
func (c *cursor) statementStart() int {
	if n := len(c.statement()); n > 0 {
		return c.starts[len(c.starts)-n]
	}
	return c.start
}

// owning returns the start of the expression whose member is required. The cursor is after its dot;
// before the dot are names, calls, accesses and parentheses.
func (c *cursor) owning() int {
	depth := 0
	for i := len(c.tokens) - 2; i >= 0; i-- {
		switch t := c.tokens[i]; {
		case t == ")" || t == "]":
			depth++
		case t == "(" || t == "[":
			depth--
		case depth > 0 || t == ".":
			continue
		}
		first, _ := utf8.DecodeRuneInString(textAt(c.tokens, i-1))
		goesOn := c.tokens[i] != "." && (textAt(c.tokens, i-1) == "." || (c.tokens[i] == "(" || c.tokens[i] == "[") &&
			(syntax.InName(first) && !syntax.IsKeyword(textAt(c.tokens, i-1)) || textAt(c.tokens, i-1) == ")" || textAt(c.tokens, i-1) == "]"))
		if depth <= 0 && !goesOn {
			return c.starts[i]
		}
	}
	return c.start
}

// afterOperand reports whether a complete value, type or name comes before the cursor, so that no
// other can follow.
func (c *cursor) afterOperand() bool {
	last := c.before(1)
	switch last {
	case ")", "]", "true", "false":
		return true
	case ">":
		return c.closedTemplate()
	case "":
		return false
	}
	r, _ := utf8.DecodeRuneInString(last)
	return syntax.InName(r) && !syntax.IsKeyword(last)
}

// closedTemplate reports whether the > before the cursor ends a template list. Then the < that
// opened the list is no longer open.
func (c *cursor) closedTemplate() bool {
	depth := 0
	for i := len(c.tokens) - 1; i > 0; i-- {
		switch c.tokens[i] {
		case ">":
			depth++
		case "<":
			if depth--; depth == 0 {
				return opensTemplate(c.tokens[i-1])
			}
		case ";", "{", "}":
			return false
		}
	}
	return false
}

// closers returns the text that closes everything open, innermost first. It adds a semicolon to an
// unfinished statement.
func (c *cursor) closers() string {
	var b strings.Builder
	for i := len(c.open) - 1; i >= 0; i-- {
		switch c.open[i].text {
		case "(":
			b.WriteString(")")
		case "[":
			b.WriteString("]")
		case "<":
			b.WriteString(">")
		case "{":
			if textAt(c.tokens, c.open[i].index-2) != "struct" {
				b.WriteString(";")
			}
			b.WriteString("}")
		}
	}
	return b.String()
}
