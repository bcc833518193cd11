package syntax

// Tokens are the spans of a source's tokens in order, without comments and white
// space. It reads any text, also what no compiler takes.
func Tokens(source *Source) []Span {
	if len(source.Text) > MaxSource {
		return nil
	}
	var ignored []*Diagnostic
	tokens, _ := lex(source.Text, &ignored)
	var spans []Span
	for _, t := range tokens {
		if t.end > t.start {
			spans = append(spans, t.span())
		}
	}
	return spans
}
