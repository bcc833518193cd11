package wgsl

import "strings"

// RewriteArrayLength puts another expression where source asks for the length
// of an array: each `arrayLength(&name)` becomes what replace gives for name.
// White space, comments and line breaks stay, so that every other token keeps
// its line.
//
// Complete is false when a call remains: replace declined the name, or the
// argument is not simply the address of a variable (a pointer that was passed
// in, a member of a struct).
func (s *Source) RewriteArrayLength(replace func(name string) (string, bool)) (rewritten string, complete bool) {
	source, tokens := s.Text, s.tokens
	if declaresArrayLength(tokens) {
		return source, false
	}
	complete = true
	var b strings.Builder
	copied := 0
	for at := 0; at+1 < len(tokens); at++ {
		if tokens[at].text != "arrayLength" || tokens[at+1].text != "(" {
			continue
		}
		name, length := addressedVariable(tokens[at+1:])
		replacement, ok := "", false
		if name != "" {
			replacement, ok = replace(name)
		}
		if !ok {
			complete = false
			continue
		}
		for i, t := range tokens[at : at+1+length] {
			b.WriteString(source[copied:t.offset])
			if i == 0 {
				b.WriteString(replacement)
			}
			copied = t.offset + len(t.text)
		}
		at += length
	}
	b.WriteString(source[copied:])
	return b.String(), complete
}

// declaresArrayLength: then the shader's own function is what it calls.
func declaresArrayLength(tokens []token) bool {
	for i, t := range tokens {
		if t.text == "arrayLength" && i > 0 && tokens[i-1].text == "fn" {
			return true
		}
	}
	return false
}

// addressedVariable reads `(&name)`, however bracketed, at the start of tokens:
// the name, "" when it is anything else, and how many tokens that is.
func addressedVariable(tokens []token) (name string, length int) {
	depth, addressed := 0, false
	for i, t := range tokens {
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case t.text == "&" && !addressed:
			addressed = true
		case t.text == "," && name != "" && depth == 1: // a trailing comma
		case addressed && name == "":
			name = t.text
		default:
			return "", 0
		}
		if depth == 0 {
			return name, i + 1
		}
	}
	return "", 0
}
