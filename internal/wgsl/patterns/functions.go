// Package patterns finds races that are certain from the text of a shader alone.
package patterns

import "slices"

// Functions are the function bodies of a shader, as far as this package reads
// them: which words they use, and where their barriers stand.
type Functions struct {
	tokens []token
	module map[string]bool // names of module-scope constants and variables
	all    map[string]definition
	main   definition // the compute entry point called main; unnamed when there is none
}

// definition is one function, from its first attribute to its last brace.
type definition struct {
	attributes []token // with their arguments
	name       token
	params     []token
	body       []token
}

// Read reads the functions of a shader that is right as far as compilers go.
func Read(text string) *Functions {
	f := &Functions{tokens: tokenise(text), module: map[string]bool{}, all: map[string]definition{}}
	depth, from := 0, 0 // from is where the module-scope declaration began
	for at := 0; at < len(f.tokens); at++ {
		switch f.tokens[at].text {
		case "fn":
			if depth > 0 {
				continue
			}
			var read definition
			read, at = f.definition(from, at)
			f.all[read.name.text] = read
			from = at + 1
		case "{":
			depth++
		case "}":
			depth--
			from = at + 1
		case ";":
			f.declare(f.tokens[from:at])
			from = at + 1
		}
	}
	if entry, ok := f.all["main"]; ok && hasAttribute(entry.attributes, "compute") {
		f.main = entry
	}
	return f
}

// declare notes the name of a module-scope declaration, with its attributes: the
// word before its type or its value.
func (f *Functions) declare(declaration []token) {
	for i, t := range declaration {
		if (t.text == ":" || t.text == "=") && i > 0 {
			f.module[declaration[i-1].text] = true
			return
		}
	}
}

// definition reads the function whose attributes begin at from and whose `fn`
// stands at fn, and gives the place of its last brace.
func (f *Functions) definition(from, fn int) (definition, int) {
	open := indexOf(f.tokens, fn, "(")
	closed := closing(f.tokens, open, "(", ")")
	brace := indexOf(f.tokens, closed, "{")
	end := closing(f.tokens, brace, "{", "}")
	return definition{
		attributes: f.tokens[from:fn],
		name:       f.tokens[min(fn+1, len(f.tokens)-1)],
		params:     between(f.tokens, open, closed),
		body:       between(f.tokens, brace, end),
	}, end
}

func between(tokens []token, open, shut int) []token {
	return tokens[min(open+1, len(tokens)):min(max(shut, open+1), len(tokens))]
}

// closing is where the bracket that opens at `at` closes; len(tokens) when it
// does not.
func closing(tokens []token, at int, open, shut string) int {
	depth := 0
	for ; at < len(tokens); at++ {
		switch tokens[at].text {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

func hasAttribute(attributes []token, name string) bool {
	return slices.ContainsFunc(attributes, func(t token) bool { return t.text == name })
}

// Uses is how often the functions that run, main and all that it calls, name an
// identifier. A member is not a use of a variable of its name.
func (f *Functions) Uses(name string) int {
	uses, reached := 0, map[string]bool{}
	var visit func(definition)
	visit = func(from definition) {
		if reached[from.name.text] {
			return
		}
		reached[from.name.text] = true
		for i, t := range from.body {
			if i > 0 && from.body[i-1].text == "." {
				continue
			}
			if t.text == name {
				uses++
			}
			if called, ok := f.all[t.text]; ok {
				visit(called)
			}
		}
	}
	visit(f.main)
	return uses
}

// Waits says whether the functions that run contain a barrier.
func (f *Functions) Waits() bool {
	return slices.ContainsFunc(barrierFunctions, func(name string) bool { return f.Uses(name) > 0 })
}
