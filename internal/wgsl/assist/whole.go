package assist

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Wholeness says whether a text can be taken as it is, in Jupyter's words.
type Wholeness string

// Complete texts are well-formed, incomplete ones can become so by what follows, invalid ones by no means.
const (
	WholeText   Wholeness = "complete"
	PartialText Wholeness = "incomplete"
	InvalidText Wholeness = "invalid"
)

// IsComplete says whether a shader is whole by its grammar alone; of a partial one also how far the next line is to be
// indented.
func IsComplete(text string) (whole Wholeness, indent string) {
	source := syntax.NewSource("", text)
	file, found := syntax.Parse(source)
	if !syntax.HasErrors(found) {
		return WholeText, ""
	}
	for _, c := range file.Comments {
		if c.Block && !strings.HasSuffix(source.Slice(c.Span), "*/") {
			return PartialText, ""
		}
	}
	c := cursorAt(text+" ", len(text)+1)
	last := c.before(1)
	if len(c.open) == 0 && (last == "}" || last == ";") {
		return InvalidText, ""
	}
	if !c.soundBefore(text) {
		return InvalidText, ""
	}
	return PartialText, strings.Repeat(indentation(text), c.braces())
}

// soundBefore reports whether nothing is wrong before the last token once all that is open is closed.
func (c *cursor) soundBefore(text string) bool {
	_, found := syntax.Parse(syntax.NewSource("", text+" "+c.closers()))
	for _, d := range found {
		if d.Severity == syntax.Error && len(c.starts) > 0 && int(d.Span.End) <= c.starts[len(c.starts)-1] {
			return false
		}
	}
	return true
}

// indentation is what the text's first indented line begins with, or else four blanks, as a learner's cells have.
func indentation(text string) string {
	for line := range strings.Lines(text) {
		if rest := strings.TrimLeft(line, " \t"); rest != line && strings.TrimSpace(rest) != "" {
			return line[:len(line)-len(rest)]
		}
	}
	return "    "
}
