package patterns

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one lexeme of WGSL and where it stands.
type token struct {
	text         string
	offset       int // bytes before it
	line, column int // both from 1; columns count characters
}

// multiByte are the operators that this package must not take apart. WGSL's
// `>>` is left out: `array<vec4<f32>>` ends in two template brackets.
var multiByte = []string{"->", "<<", "==", "!=", "<=", "&&", "||"}

// tokenise splits source into tokens, without comments and white space.
func tokenise(source string) []token {
	lex := lexer{rest: source, line: 1, column: 1}
	var tokens []token
	for lex.skipBlank(); lex.rest != ""; lex.skipBlank() {
		t := token{offset: len(source) - len(lex.rest), line: lex.line, column: lex.column}
		t.text = lex.take(lex.lexeme())
		tokens = append(tokens, t)
	}
	return tokens
}

type lexer struct {
	rest         string
	line, column int
}

// take consumes n bytes, and counts lines and columns as it goes.
func (l *lexer) take(n int) string {
	text := l.rest[:n]
	l.rest = l.rest[n:]
	if breaks := strings.Count(text, "\n"); breaks > 0 {
		l.line += breaks
		l.column = 1 + utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])
	} else {
		l.column += utf8.RuneCountInString(text)
	}
	return text
}

func (l *lexer) skipBlank() {
	for {
		blank := len(l.rest) - len(strings.TrimLeftFunc(l.rest, isBlank))
		switch {
		case blank > 0:
			l.take(blank)
		case strings.HasPrefix(l.rest, "//"):
			l.take(lineComment(l.rest))
		case strings.HasPrefix(l.rest, "/*"):
			l.take(blockComment(l.rest))
		default:
			return
		}
	}
}

// isBlank and isLineBreak are the specification's, section "Blankspace and Line
// Breaks".
func isBlank(r rune) bool {
	return r == ' ' || r == '\t' || r == '\u200e' || r == '\u200f' || isLineBreak(r)
}

func isLineBreak(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func lineComment(s string) int {
	if end := strings.IndexFunc(s, isLineBreak); end >= 0 {
		return end
	}
	return len(s)
}

// blockComment is the length of the block comment that s begins with. WGSL's
// block comments nest.
func blockComment(s string) int {
	depth, i := 1, 2
	for ; i < len(s) && depth > 0; i++ {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(s[i:], "*/"):
			depth--
			i++
		}
	}
	return i
}

// number is a literal of any kind: 3, 0x1Fu, 1.5e-3f, 0x1.8p+1.
var number = regexp.MustCompile(`^(0[xX][\da-fA-F.]*([pP][+-]?\d+)?|\d[\d.]*([eE][+-]?\d+)?)[uifh]?`)

// lexeme is the length in bytes of the token at the start of rest.
func (l *lexer) lexeme() int {
	first, size := utf8.DecodeRuneInString(l.rest)
	if '0' <= first && first <= '9' {
		return len(number.FindString(l.rest))
	}
	if isWord(first) {
		if end := strings.IndexFunc(l.rest, func(r rune) bool { return !isWord(r) }); end >= 0 {
			return end
		}
		return len(l.rest)
	}
	for _, operator := range multiByte {
		if strings.HasPrefix(l.rest, operator) {
			return len(operator)
		}
	}
	return size
}

// isWord: what a name may consist of, Unicode's XID_Continue.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Nl, unicode.Pc)
}
