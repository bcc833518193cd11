package preprocess

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// isDirective has the words that begin a directive.
var isDirective = map[string]bool{
	"define": true, "undef": true, "include": true, "import": true, "enable": true, "error": true, "pragma": true,
	"if": true, "ifdef": true, "ifndef": true, "elif": true, "elifdef": true, "elifndef": true, "else": true, "endif": true,
	"define_import_path": true,
}

// A group is an open #if.
type group struct {
	line   token // its directive
	outer  bool  // the text around it is used
	active bool  // the text here is used
	taken  bool  // one of its branches was
	ended  bool  // it had its #else
}

// A reading is a file while the preprocessor goes through it.
type reading struct {
	*preprocessor
	file   *syntax.Source
	groups []group
}

// active reports whether the text here is used.
func (r *reading) active() bool { return len(r.groups) == 0 || r.groups[len(r.groups)-1].active }

// expandFile adds a file to the shader.
func (p *preprocessor) expandFile(file *syntax.Source) {
	r := &reading{preprocessor: p, file: file}
	p.open = append(p.open, file.Name)
	w := &watch{preprocessor: p, file: file}
	s := &stream{tokens: p.kept.scan(file)}
	for t, ok := s.next(); ok && !p.full; t, ok = s.next() {
		if t.kind == directive {
			r.directive(t)
			continue
		}
		if !r.active() {
			continue
		}
		if t.exact && t.file == file {
			w.see(t)
		}
		if !p.replace(s, t, false) {
			p.emit(t)
		}
	}
	w.end(int32(len(file.Text)))
	for _, g := range r.groups {
		p.problem(g.line, "This #%s has no #endif.", g.line.name).Try("Add #endif where its text ends.")
	}
	p.open = p.open[:len(p.open)-1]
}

// A line is a directive's line in parts.
type line struct {
	token
	rest []token // what follows the name, without comments and blanks around it
}

// split takes a directive's line apart.
func split(t token) line {
	from := strings.IndexByte(t.text, '#') + 1
	from = skipSpaces(t.text, from) + len(t.name)
	source := t.file
	rest := scanPart(source, syntax.Span{Start: t.span.Start + int32(from), End: t.span.End})
	var kept []token
	for i := 0; i < len(rest); i++ {
		switch next := rest[i]; {
		case next.kind == comment:
		case next.is("\\") && i+1 < len(rest) && rest[i+1].kind == blank: // the end of a line that goes on
		case next.kind == blank:
			kept = append(kept, next)
		default:
			kept = append(kept, next)
		}
	}
	whole := t
	whole.span.End = t.span.Start + int32(len(strings.TrimRight(t.text, " \t\r\n")))
	whole.span.Start += int32(skipSpaces(t.text, 0))
	return line{whole, trimmed(kept)}
}

// words returns the rest of the line without blanks.
func (l line) words() []token {
	return slices.DeleteFunc(slices.Clone(l.rest), func(t token) bool { return t.kind == blank })
}

// text returns the rest of the line.
func (l line) textOfRest() string {
	var b strings.Builder
	for _, t := range l.rest {
		b.WriteString(t.text)
	}
	return strings.TrimSpace(b.String())
}

// directive follows a directive.
func (r *reading) directive(t token) {
	l := split(t)
	if r.conditional(l) || !r.active() {
		return
	}
	switch l.name {
	case "define":
		r.define(l)
	case "undef":
		if name, ok := r.oneName(l); ok && !r.ofHost(name.text) {
			delete(r.macros, name.text)
		}
	case "include":
		r.include(l)
	case "import":
		r.importFile(l)
	case "enable":
		r.enable(l)
	case "error":
		r.problem(l.token, "The shader says: %s", strings.TrimSpace(l.textOfRest())).Try("Other values with -D or in wgslab.toml choose other branches.")
	case "pragma":
		if l.textOfRest() == "once" {
			r.once[r.file.Name] = true
		}
	case "define_import_path": // only an #import needs it
	default:
		r.problem(l.token, "There is no directive #%s.", l.name).
			Try("Wgslab knows #define, #undef, #include, #import, #enable, #error, #pragma once, and #if with its kin.")
	}
}

// conditional follows #if and its kin, and reports whether the directive is one of them.
func (r *reading) conditional(l line) bool {
	name, l := branch(l)
	switch name {
	case "if", "ifdef", "ifndef":
		g := group{line: l.token, outer: r.active()}
		g.active = g.outer && r.holds(l, name)
		g.taken = g.active
		r.groups = append(r.groups, g)
		return true
	case "elif", "elifdef", "elifndef", "else", "endif":
	default:
		return false
	}
	if len(r.groups) == 0 {
		r.problem(l.token, "This #%s belongs to no #if.", l.name).Try("Remove it, or add the #if before it.")
		return true
	}
	g := &r.groups[len(r.groups)-1]
	switch {
	case name == "endif":
		r.groups = r.groups[:len(r.groups)-1]
	case g.ended:
		r.problem(l.token, "This #%s comes after the #else of its #if.", l.name).Try("Put the #else last.")
	case name == "else":
		g.active, g.taken, g.ended = g.outer && !g.taken, true, true
	default:
		g.active = g.outer && !g.taken && r.holds(l, strings.TrimPrefix(name, "el"))
		g.taken = g.taken || g.active
	}
	return true
}

// branch returns what a conditional directive is: `#else if X` is the same as `#elif X`.
func branch(l line) (name string, rest line) {
	words := l.words()
	if l.name != "else" || len(words) < 2 || words[0].kind != word {
		return l.name, l
	}
	switch words[0].text {
	case "if", "ifdef", "ifndef":
		l.rest = words[1:]
		return "el" + words[0].text, l
	}
	return l.name, l
}

// holds reports whether the condition of a directive holds. How is if, ifdef or ifndef.
func (r *reading) holds(l line, how string) bool {
	if how == "if" {
		return r.condition(l)
	}
	name, ok := r.oneName(l)
	return ok && (r.macros[name.text] != nil) == (how == "ifdef")
}

// oneName returns the name that a directive has; words after it are ignored, as by C's compilers.
func (r *reading) oneName(l line) (token, bool) {
	words := l.words()
	if len(words) == 0 || words[0].kind != word {
		r.problem(l.token, "The directive #%s needs a name.", l.name).Try("Write #%s NAME.", l.name)
		return token{}, false
	}
	return words[0], true
}

// ofHost reports whether the host set a name. The shader can't change it.
func (p *preprocessor) ofHost(name string) bool { return p.macros[name] != nil && p.macros[name].host }

// define follows #define. The parenthesis of parameters comes right after the name.
func (r *reading) define(l line) {
	name, ok := r.oneName(l)
	if !ok || r.ofHost(name.text) {
		return
	}
	m := &macro{name: name.text, body: trimmed(l.rest[1:])}
	if len(l.rest) > 1 && l.rest[1].is("(") {
		end := slices.IndexFunc(l.rest, func(t token) bool { return t.is(")") })
		if end < 0 {
			r.problem(l.token, "The parameters of `%s` have no end.", name.text).Try("Close the parenthesis.")
			return
		}
		m.calls, m.body = true, trimmed(l.rest[end+1:])
		for i, t := range (line{rest: l.rest[2:end]}).words() {
			switch {
			case i%2 == 0 && t.kind == word:
				m.parameters = append(m.parameters, t.text)
			case i%2 == 0 || !t.is(","):
				r.problem(l.token, "The parameters of `%s` aren't names with commas between them.", name.text).Try("Write #define %s(a, b) and then the text.", name.text)
				return
			}
		}
	}
	r.macros[name.text] = m
}

// include follows #include "file", #include <file> or #include file.
func (r *reading) include(l line) {
	name := strings.Trim(l.textOfRest(), `"<>`)
	if name == "" {
		r.problem(l.token, "The directive #include needs a file.").Try(`Write #include "file.wgsl".`)
		return
	}
	r.read(l, name)
}

// importFile follows #import: of a module, or else of the file name.wgsl.
func (r *reading) importFile(l line) {
	if r.importModules(l) {
		return
	}
	name := strings.Trim(l.textOfRest(), `";`)
	if !strings.HasSuffix(name, ".wgsl") && isWord(name) {
		name += ".wgsl"
	}
	r.read(l, name)
}

// read adds another file.
func (r *reading) read(l line, name string) {
	if r.files == nil {
		r.problem(l.token, "Here no other file can be read, so %s is missing.", name)
		return
	}
	file, err := r.files.Include(r.file, name)
	switch {
	case err != nil:
		r.problem(l.token, "%s", english.Sentence(err.Error()))
	case slices.Contains(r.open, file.Name):
		r.problem(l.token, "The file %s includes itself: %s.", file.Name, strings.Join(append(slices.Clone(r.open), file.Name), " → "))
	case len(r.open) > mostNested:
		r.problem(l.token, "The files include each other more than %d deep.", mostNested)
	case r.once[file.Name]:
	default:
		r.expandFile(file)
		r.endLine(file)
	}
}

// enable follows #enable, which moves an enable directive to the top of the shader.
func (r *reading) enable(l line) {
	text := "enable " + strings.TrimSuffix(l.textOfRest(), ";") + ";\n"
	if slices.ContainsFunc(r.head, func(t token) bool { return t.text == text }) {
		return
	}
	r.head = append(r.head, token{text: text, file: l.file, span: l.span})
}
