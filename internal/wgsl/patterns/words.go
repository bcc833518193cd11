package patterns

import (
	"slices"
)

// barrierFunctions are WGSL's own; every invocation of a workgroup must reach
// them.
var barrierFunctions = []string{"workgroupBarrier", "storageBarrier", "textureBarrier", "workgroupUniformLoad"}

// ownBuiltins are different in each invocation of a workgroup.
var ownBuiltins = []string{"local_invocation_id", "local_invocation_index", "global_invocation_id"}

// waiting are the functions that contain a barrier, themselves or in what they
// call.
func (f *Functions) waiting() map[string]bool {
	waiting := map[string]bool{}
	for _, name := range barrierFunctions {
		waiting[name] = true
	}
	for grown := true; grown; {
		grown = false
		for name, function := range f.all {
			if !waiting[name] && slices.ContainsFunc(function.body, func(t token) bool { return waiting[t.text] }) {
				waiting[name], grown = true, true
			}
		}
	}
	return waiting
}

// ownValues are the names in main whose value depends on the invocation: the
// builtins, and what is declared from them and never assigned anew. A name that
// means something else in another scope is left out.
func (f *Functions) ownValues() map[string]bool {
	own := map[string]bool{}
	declarations, reassigned := declarationsIn(f.main.body), reassignedIn(f.main.body)
	for name := range f.module {
		delete(declarations, name)
	}
	for _, param := range params(f.main.params) {
		_, shadowed := declarations[param.name]
		if slices.Contains(ownBuiltins, param.builtin) && !shadowed {
			own[param.name] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for name, values := range declarations {
			all := !slices.ContainsFunc(values, func(value []token) bool { return !mentions(value, own) })
			if all && !own[name] && !reassigned[name] {
				own[name], grown = true, true
			}
		}
	}
	return own
}

// declarationsIn is what each name is declared from, once for each declaration.
func declarationsIn(body []token) map[string][][]token {
	declarations := map[string][][]token{}
	for at, t := range body {
		if t.text != "let" && t.text != "var" && t.text != "const" || at+1 >= len(body) {
			continue
		}
		name := body[at+1].text
		declaration := body[at+2 : max(at+2, indexOf(body, at, ";"))]
		declarations[name] = append(declarations[name], declaration[indexOf(declaration, 0, "="):])
	}
	return declarations
}

// reassignedIn are the names that get another value with `=`, or whose address
// somebody takes.
func reassignedIn(body []token) map[string]bool {
	names := map[string]bool{}
	for at := 1; at+1 < len(body); at++ {
		before, after := body[at-1].text, body[at+1].text
		declares := before == "let" || before == "var" || before == "const"
		if after == "=" && !declares || before == "&" {
			names[body[at].text] = true
		}
	}
	return names
}

// mentions says whether an expression uses one of names. What
// workgroupUniformLoad gives is the same for all.
func mentions(expression []token, names map[string]bool) bool {
	found := false
	for i, t := range expression {
		if t.text == "workgroupUniformLoad" {
			return false
		}
		member := i > 0 && expression[i-1].text == "."
		found = found || names[t.text] && !member
	}
	return found
}

// indexOf is where mark stands at or after from; len(tokens) when it does not.
func indexOf(tokens []token, from int, mark string) int {
	for at := from; at < len(tokens); at++ {
		if tokens[at].text == mark {
			return at
		}
	}
	return len(tokens)
}

// splitComma cuts a list at its commas, not inside brackets; a trailing comma
// is allowed, as everywhere in WGSL.
func splitComma(tokens []token) [][]token {
	var parts [][]token
	var open brackets
	from := 0
	for i, t := range tokens {
		if t.text == "," && len(open) == 0 {
			parts = append(parts, tokens[from:i])
			from = i + 1
			continue
		}
		open.see(t.text)
	}
	if from < len(tokens) {
		parts = append(parts, tokens[from:])
	}
	return parts
}

// A param is a parameter of main.
type param struct{ name, builtin string }

func params(tokens []token) []param {
	var found []param
	for _, declaration := range splitComma(tokens) {
		p, at := param{}, 0
		for at+1 < len(declaration) && declaration[at].text == "@" {
			if declaration[at+1].text == "builtin" && at+3 < len(declaration) {
				p.builtin = declaration[at+3].text
			}
			at += 2
			if at < len(declaration) && declaration[at].text == "(" {
				at = closing(declaration, at, "(", ")") + 1
			}
		}
		if at < len(declaration) {
			p.name = declaration[at].text
		}
		found = append(found, p)
	}
	return found
}

// brackets are those that are open. A `<` counts as one until a bracket around
// it closes: then it was a comparison; a `>` closes only a `<`.
type brackets []string

var opening = map[string]string{")": "(", "]": "[", "}": "{"}

func (b *brackets) see(text string) {
	switch text {
	case "(", "[", "{", "<":
		*b = append(*b, text)
	case ">":
		if n := len(*b); n > 0 && (*b)[n-1] == "<" {
			*b = (*b)[:n-1]
		}
	case ")", "]", "}":
		if i := lastIndex(*b, opening[text]); i >= 0 {
			*b = (*b)[:i]
		}
	}
}

func lastIndex(list []string, wanted string) int {
	i := len(list) - 1
	for i >= 0 && list[i] != wanted {
		i--
	}
	return i
}
