package syntax

import "github.com/wgslab/wgslab/internal/wgsl/findings"

// Tokens returns the spans of a source's tokens in order, without comments and white space. It
// accepts any text, even text that no compiler accepts.
func Tokens(source *Source) []Span {
	if len(source.Text) > MaxSource {
		return nil
	}
	var ignored []*findings.Finding
	tokens, _ := lex(source.Text, &ignored)
	var spans []Span
	for _, t := range tokens {
		if t.end > t.start {
			spans = append(spans, t.span())
		}
	}
	return spans
}
