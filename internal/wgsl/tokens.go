package wgsl

import "unicode/utf8"

// A Token is one lexeme of a shader, as one that compares shaders sees it.
type Token struct {
	Text string
	// Name is the name that the token stands for, where the shader itself
	// declares it and could have chosen another; "" for all that WGSL gives. The
	// members of structs begin with a point, for they are names of another kind.
	Name string
}

// Tokens splits source into tokens, without comments and white space. It reads
// any text, also what no compiler takes.
func (s *Source) Tokens() []Token {
	lexemes := s.tokens
	d := declared(lexemes)
	tokens := make([]Token, len(lexemes))
	for i, lexeme := range lexemes {
		tokens[i] = Token{Text: lexeme.text, Name: d.name(lexemes, i)}
	}
	return tokens
}

// declarations are the names that a shader declares.
type declarations struct {
	names, members map[string]bool
	inStruct       map[int]bool // the tokens that declare a member, by their place
}

// declared finds the names: after the keyword that declares them, and before a
// colon, where members and parameters stand.
func declared(tokens []token) declarations {
	d := declarations{names: map[string]bool{}, members: map[string]bool{}, inStruct: map[int]bool{}}
	structs := false // inside the braces of a struct
	for i, t := range tokens {
		switch before := textAt(tokens, i-1); {
		case before == "struct":
			structs = true
			d.names[t.text] = true
		case t.text == "}":
			structs = false
		case !isName(t.text):
		case before == "let" || before == "const" || before == "override" || before == "fn" || before == "alias" || before == "var":
			d.names[t.text] = true
		case textAt(tokens, i+1) == ":" && structs:
			d.members[t.text], d.inStruct[i] = true, true
		case textAt(tokens, i+1) == ":" && before != "case" && t.text != "default":
			d.names[t.text] = true
		case before == ">" && textAt(tokens, i+1) == "=": // var<workgroup> name = …
			d.names[t.text] = true
		}
	}
	return d
}

func (d declarations) name(tokens []token, i int) string {
	text := tokens[i].text
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

func textAt(tokens []token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i].text
}

func isName(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return isWord(first) && (first < '0' || first > '9')
}
