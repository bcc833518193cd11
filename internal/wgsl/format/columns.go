package format

import (
	"strings"
	"unicode/utf8"
)

// A besideCode is a line comment that follows code: where it is written, and where it was read.
type besideCode struct {
	at           int // in the output, before the space
	line, column int // in the source
}

// tab is how many columns a tab may take in the source, for comments that tabs align.
const tab = len(indent)

func (p *printer) besideCode(l *lexeme) besideCode {
	line, column := p.source.LineOf(l.span.Start), 0
	for _, r := range p.source.Text[p.source.Line(line).Start:l.span.Start] {
		if column++; r == '\t' {
			column = (column + tab - 1) / tab * tab
		}
	}
	return besideCode{p.out.Len(), line, column}
}

// aligned returns the output with the comments of adjacent lines in one column, where they were in
// one.
func (p *printer) aligned() string {
	text := p.out.String()
	var b strings.Builder
	written := 0
	for i := 0; i < len(p.beside); {
		next := i + 1
		for next < len(p.beside) && p.beside[next-1].goesOn(p.beside[next], text) {
			next++
		}
		widest := 0
		for _, c := range p.beside[i:next] {
			widest = max(widest, c.width(text))
		}
		for _, c := range p.beside[i:next] {
			b.WriteString(text[written:c.at])
			b.WriteString(strings.Repeat(" ", widest-c.width(text)))
			written = c.at
		}
		i = next
	}
	b.WriteString(text[written:])
	return b.String()
}

// goesOn reports whether a comment is in the next line, read and written, and was in the same
// column.
func (c besideCode) goesOn(next besideCode, text string) bool {
	return next.line == c.line+1 && next.column == c.column && strings.Count(text[c.at:next.at], "\n") == 1
}

// width returns the width of the code before a comment.
func (c besideCode) width(text string) int {
	return utf8.RuneCountInString(text[strings.LastIndexByte(text[:c.at], '\n')+1 : c.at])
}
