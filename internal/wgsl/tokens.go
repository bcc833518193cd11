package wgsl

import (
	"unicode"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Token is one lexeme of a shader, for comparing shaders.
type Token struct {
	Text string
	// Name is the token's name if the shader declares it and could have chosen another; "" for
	// everything that WGSL defines. Names of struct members begin with a dot, because they are a
	// separate kind of name.
	Name string
}

// Tokens splits text into tokens, without comments and white space. It accepts any text, even text
// that no compiler accepts. So it recognizes names by the neighbouring tokens, not with a tree.
func Tokens(text string) []Token {
	source := syntax.NewSource("", text)
	spans := syntax.Tokens(source)
	lexemes := make([]string, len(spans))
	for i, span := range spans {
		lexemes[i] = source.Slice(span)
	}
	d := declared(lexemes)
	tokens := make([]Token, len(lexemes))
	for i, lexeme := range lexemes {
		tokens[i] = Token{Text: lexeme, Name: d.name(lexemes, i)}
	}
	return tokens
}

// Lexes reports whether a text is tokens, white space and closed comments alone: then two texts
// with the same tokens are the same program.
func Lexes(text string) bool { return syntax.Lexes(syntax.NewSource("", text)) }

// declarations are the names that a shader declares.
type declarations struct {
	names, members map[string]bool
	inStruct       map[int]bool // the tokens that declare a member, by their place
}

// declared finds the declared names: those after a declaring keyword, and the members and
// parameters before a colon.
func declared(tokens []string) declarations {
	d := declarations{names: map[string]bool{}, members: map[string]bool{}, inStruct: map[int]bool{}}
	structs := false // inside the braces of a struct
	for i, t := range tokens {
		switch before := textAt(tokens, i-1); {
		case before == "struct":
			structs = true
			d.names[t] = true
		case t == "}":
			structs = false
		case !isName(t):
		case before == "let" || before == "const" || before == "override" || before == "fn" || before == "alias" || before == "var":
			d.names[t] = true
		case textAt(tokens, i+1) == ":" && structs:
			d.members[t], d.inStruct[i] = true, true
		case textAt(tokens, i+1) == ":" && before != "case" && t != "default":
			d.names[t] = true
		case before == ">" && textAt(tokens, i+1) == "=": // var<workgroup> name = …
			d.names[t] = true
		}
	}
	return d
}

func (d declarations) name(tokens []string, i int) string {
	text := tokens[i]
	switch {
	case d.inStruct[i], textAt(tokens, i-1) == "." && d.members[text]:
		return "." + text
	case textAt(tokens, i-1) == "." || textAt(tokens, i-1) == "@":
		return ""
	case textAt(tokens, i-1) == "(" && textAt(tokens, i-2) == "builtin" && textAt(tokens, i-3) == "@":
		return ""
	case d.names[text]:
		return text
	}
	return ""
}

func textAt(tokens []string, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i]
}

func isName(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return isWord(first) && (first < '0' || first > '9')
}

// isWord reports whether a name may contain the character (Unicode's XID_Continue).
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Pc)
}
