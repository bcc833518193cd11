package preprocess

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// This file finds the names that a shader declares itself although the host has values for them. A
// value doesn't replace these: naga_oil's hosts set them for directives alone.

// declared are such names.
type declared struct {
	module  map[string]bool // outside of functions, in any of the files
	members map[string]bool // of structures
	words   map[place]bool  // the members' declarations, and the features that directives name
	locals  []extent
}

// A place is where a token begins.
type place struct {
	file  string
	start int32
}

// An extent is the part of a file in which a parameter or a local name is declared: its function.
type extent struct {
	name, file string
	span       syntax.Span
}

func (d *declared) any() bool { return len(d.module)+len(d.words)+len(d.locals) > 0 }

// keeps reports whether a value of the host doesn't replace this token. Attributes and swizzles
// have names of their own.
func (d *declared) keeps(t token) bool {
	switch t.after {
	case '@':
		return syntax.IsAttribute(t.text)
	case '.':
		return d.members[t.text] || isSwizzle(t.text)
	}
	within := func(e extent) bool {
		return e.name == t.text && e.file == t.file.Name && e.span.Start <= t.span.Start && t.span.End <= e.span.End
	}
	return d.module[t.text] || d.words[place{t.file.Name, t.span.Start}] || slices.ContainsFunc(d.locals, within)
}

// isSwizzle reports whether a text selects components of a vector (§ 8.5.1).
func isSwizzle(text string) bool {
	return len(text) <= 4 && (strings.Trim(text, "xyzw") == "" || strings.Trim(text, "rgba") == "")
}

// A watch looks for declarations in the text of a file that is used.
type watch struct {
	*preprocessor
	file      *syntax.Source
	depth     int    // of parentheses, brackets and braces
	keyword   string // whose name comes next
	template  bool   // in the < > of a var
	structure bool
	label     bool // in a case clause, whose colon follows a value
	last      token
	colon     bool     // after last
	function  int32    // where it begins
	names     []string // of the function
}

// see takes the next token.
func (w *watch) see(t token) {
	if t.kind == blank || t.kind == comment {
		return
	}
	if w.colon && !t.is(":") { // not a::b
		w.declare(w.last)
	}
	w.colon = t.is(":") && !w.colon && !w.label && w.last.kind == word
	if w.colon {
		return
	}
	w.nest(t)
	switch {
	case w.template:
		w.template = !t.is(">")
	case w.keyword == "var" && t.is("<"):
		w.template = true
	case w.keyword == "enable" || w.keyword == "requires":
		w.feature(t)
	case t.kind != word:
		w.keyword = ""
	case w.keyword != "":
		w.declare(t)
		w.keyword = ""
	case slices.Contains(declaring, t.text):
		w.keyword = t.text
		w.structure = w.structure || t.text == "struct"
	case t.text == "case":
		w.label = true
	}
	w.last = t
}

// declaring has the words that a declared name or the name of a feature follows.
var declaring = []string{"const", "override", "let", "var", "fn", "struct", "alias", "enable", "requires"}

// nest follows the braces.
func (w *watch) nest(t token) {
	switch {
	case t.is("{"), t.is("("), t.is("["):
		w.depth++
		w.label = w.label && !t.is("{")
	case t.is("}"), t.is(")"), t.is("]"):
		w.depth--
	case t.is(":"):
		w.label = false
	case t.kind == word && t.text == "fn" && w.depth <= 0:
		w.function = t.span.Start
	}
	if t.is("}") && w.depth <= 0 {
		w.end(t.span.End)
		w.structure = false
	}
}

// end ends a function.
func (w *watch) end(at int32) {
	for _, name := range w.names {
		w.found.locals = append(w.found.locals, extent{name, w.file.Name, syntax.Span{Start: w.function, End: at}})
	}
	w.names, w.function = nil, at
}

// feature takes a word of an enable or requires directive.
func (w *watch) feature(t token) {
	switch {
	case t.is(";"):
		w.keyword = ""
	case w.valued(t):
		w.found.words[place{w.file.Name, t.span.Start}] = true
	}
}

// valued reports whether the host has a text for a token.
func (w *watch) valued(t token) bool {
	return t.kind == word && w.ofHost(t.text) && !w.macros[t.text].flag
}

// declare takes the name of a declaration.
func (w *watch) declare(t token) {
	switch {
	case !w.valued(t):
	case w.structure && w.depth == 1:
		w.found.members[t.text] = true
		w.found.words[place{w.file.Name, t.span.Start}] = true
	case w.depth <= 0 && w.keyword != "let" && w.keyword != "":
		w.found.module[t.text] = true
	case !slices.Contains(w.names, t.text):
		w.names = append(w.names, t.text)
	}
}
