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
func RewriteArrayLength(source string, replace func(name string) (string, bool)) (rewritten string, complete bool) {
	tokens := tokenise(source)
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
	depth := 0
	for i, t := range tokens {
		switch t.text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return nameBehindAmpersand(tokens[:i+1]), i + 1
			}
		}
	}
	return "", len(tokens)
}

// nameBehindAmpersand: without its brackets and a trailing comma, a call's
// argument must be `&` and one word.
func nameBehindAmpersand(argument []token) string {
	var bare []token
	for i, t := range argument {
		trailing := t.text == "," && i == len(argument)-2
		if t.text != "(" && t.text != ")" && !trailing {
			bare = append(bare, t)
		}
	}
	if len(bare) != 2 || bare[0].text != "&" {
		return ""
	}
	return bare[1].text
}
