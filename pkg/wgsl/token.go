package wgsl

import (
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
		blank := len(l.rest) - len(strings.TrimLeftFunc(l.rest, unicode.IsSpace))
		switch {
		case blank > 0:
			l.take(blank)
		case strings.HasPrefix(l.rest, "//"):
			l.take(lengthUntil(l.rest, "\n"))
		case strings.HasPrefix(l.rest, "/*"):
			l.take(blockComment(l.rest))
		default:
			return
		}
	}
}

func lengthUntil(s, mark string) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i
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

// lexeme is the length in bytes of the token at the start of rest.
func (l *lexer) lexeme() int {
	first, size := utf8.DecodeRuneInString(l.rest)
	if isWord(first) {
		end := strings.IndexFunc(l.rest, func(r rune) bool { return !isWord(r) && r != '.' || r == '.' && !unicode.IsDigit(first) })
		if end < 0 {
			return len(l.rest)
		}
		return end
	}
	for _, operator := range multiByte {
		if strings.HasPrefix(l.rest, operator) {
			return len(operator)
		}
	}
	return size
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
