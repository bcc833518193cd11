package assist

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Wholeness says whether a text can be run as it is, in Jupyter's words.
type Wholeness string

// Complete texts are well-formed. More text can make incomplete ones well-formed, but not invalid
// ones.
const (
	WholeText   Wholeness = "complete"
	PartialText Wholeness = "incomplete"
	InvalidText Wholeness = "invalid"
)

// IsComplete reports by the grammar alone whether a shader is complete. For an incomplete one it
// also returns the indentation of the next line.
func IsComplete(text string) (whole Wholeness, indent string) {
	source := syntax.NewSource("", text)
	file, found := syntax.Parse(source)
	if !findings.HasErrors(found) {
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

// soundBefore reports whether the text before the last token has no mistake once everything open is
// closed.
func (c *cursor) soundBefore(text string) bool {
	_, found := syntax.Parse(syntax.NewSource("", text+" "+c.closers()))
	for _, d := range found {
		if d.Severity == findings.Error && len(c.starts) > 0 && int(d.Span.End) <= c.starts[len(c.starts)-1] {
			return false
		}
	}
	return true
}

// indentation returns the indentation of the text's first indented line, or else four spaces, as in
// a learner's cells.
func indentation(text string) string {
	for line := range strings.Lines(text) {
		if rest := strings.TrimLeft(line, " \t"); rest != line && strings.TrimSpace(rest) != "" {
			return line[:len(line)-len(rest)]
		}
	}
	return "    "
}
