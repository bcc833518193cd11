package syntax

import "github.com/wgslab/wgslab/internal/wgsl/findings"

// Lexes reports whether a source consists of tokens, white space and closed comments alone.
// Otherwise Tokens drops something that makes the shader invalid.
func Lexes(source *Source) bool {
	var found []*findings.Finding
	if len(source.Text) > MaxSource {
		return false
	}
	lex(source.Text, &found)
	return len(found) == 0
}

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
