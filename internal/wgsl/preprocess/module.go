package preprocess

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// This file has the imports of naga_oil, as Bevy's shaders used them: a file names itself with
// #define_import_path, and another one imports it or some of its items. Each module is in the
// shader once, before the text that imports it. Only names that collide are changed.

// An importing file's names for the items of others.
type names struct {
	items   map[string]item   // by the name in this file
	modules map[string]string // by what comes before :: in this file
}

// An item is a declaration in a module, by the name of its file.
type item struct{ module, name string }

// namesOf returns the names that a file has imported.
func (p *preprocessor) namesOf(file *syntax.Source) *names {
	if p.imported == nil {
		p.imported = map[string]*names{}
	}
	if p.imported[file.Name] == nil {
		p.imported[file.Name] = &names{map[string]item{}, map[string]string{}}
	}
	return p.imported[file.Name]
}

// An importing is one path of an #import, such as a::b::c as d.
type importing struct {
	path []string
	as   string
}

// importModules follows an #import of modules. It reports false for one that has no path.
func (r *reading) importModules(l line) bool {
	words := l.words()
	if !slices.ContainsFunc(words, func(t token) bool { return t.is(":") || t.is("{") || t.is(",") }) {
		if len(words) != 1 || !isWord(words[0].text) {
			return false
		}
		if _, _, is := r.module(words[0].text); !is {
			return false
		}
	}
	all, ok := pathsOf(words)
	if !ok {
		r.problem(l.token, "This #import isn't a path.").Try("Write #import a::b, #import a::b::item or #import a::b::{one, two as other}.")
		return true
	}
	for _, one := range all {
		r.importPath(l, one)
	}
	return true
}

// pathsOf reads paths with braces and names after `as`.
func pathsOf(words []token) (all []importing, ok bool) {
	rest, ok := paths(words, nil, &all)
	rest = slices.DeleteFunc(rest, func(t token) bool { return t.is(";") })
	return all, ok && len(rest) == 0 && len(all) > 0
}

// paths reads a list of paths that begin with a prefix, up to a closing brace.
func paths(words []token, prefix []string, all *[]importing) (rest []token, ok bool) {
	for {
		path := slices.Clone(prefix)
		nested := false
		for len(words) > 0 {
			if words[0].is("{") {
				if words, ok = paths(words[1:], path, all); !ok || len(words) == 0 {
					return words, false
				}
				words, nested = words[1:], true
				break
			}
			name := strings.Trim(words[0].text, `"`)
			if words[0].kind != word {
				break
			}
			path, words = append(path, name), words[1:]
			if len(words) < 2 || !words[0].is(":") || !words[1].is(":") {
				break
			}
			words = words[2:]
		}
		if !nested && len(path) > len(prefix) {
			one := importing{path: path}
			if len(words) > 1 && words[0].kind == word && words[0].text == "as" {
				one.as, words = words[1].text, words[2:]
			}
			*all = append(*all, one)
		}
		if len(words) == 0 || !words[0].is(",") {
			return words, len(words) == 0 || words[0].is("}") && prefix != nil || words[0].is(";")
		}
		words = words[1:]
	}
}

// module returns the module of a path, or the one with the last name of the path in it.
func (r *reading) module(path ...string) (file *syntax.Source, name string, ok bool) {
	modules, ok := r.files.(Modules)
	if !ok {
		return nil, "", false
	}
	if file := modules.Module(r.file, strings.Join(path, "::")); file != nil {
		return file, "", true
	}
	last := len(path) - 1
	if file := modules.Module(r.file, strings.Join(path[:last], "::")); file != nil && last > 0 {
		return file, path[last], true
	}
	return nil, "", false
}

// importPath adds the module of a path, and remembers the name that the file has for it.
func (r *reading) importPath(l line, one importing) {
	file, name, ok := r.module(one.path...)
	whole := strings.Join(one.path, "::")
	if !ok {
		r.problem(l.token, "There is no module `%s`, and none with an item `%s`.", whole, one.path[len(one.path)-1]).
			Try("A file becomes a module by #define_import_path; list its folder under include in wgslab.toml.")
		return
	}
	known := r.namesOf(r.file)
	as := one.path[len(one.path)-1]
	if one.as != "" {
		as = one.as
	}
	if name == "" {
		known.modules[as], known.modules[whole] = file.Name, file.Name
	} else {
		known.items[as] = item{file.Name, name}
		known.modules[strings.Join(one.path[:len(one.path)-1], "::")] = file.Name
	}
	if r.isModule[file.Name] || slices.Contains(r.open, file.Name) { // modules may import each other
		return
	}
	if r.isModule == nil {
		r.isModule = map[string]bool{}
	}
	r.isModule[file.Name] = true
	r.expandFile(file)
	r.endLine(file)
}

// link gives the items of modules their names in the shader, and replaces a::b::item by them. The
// first item with a name keeps it, and those of files that aren't modules always do.
func (p *preprocessor) link() {
	if len(p.imported) == 0 || len(p.problems) > 0 {
		return
	}
	p.final = map[item]string{}
	used, words := map[string]bool{}, map[string]bool{}
	for _, t := range p.body {
		words[t.text] = words[t.text] || t.kind == word
	}
	all := p.declarations()
	for _, i := range all {
		used[i.name] = used[i.name] || !p.isModule[i.module]
	}
	for _, i := range all {
		if !p.isModule[i.module] || p.final[i] != "" {
			continue
		}
		name := i.name
		for n := 2; used[name] || n > 2 && words[name]; n++ {
			name = i.name + "_" + strconv.Itoa(n)
		}
		used[name], p.final[i] = true, name
	}
	p.rename()
}

// declarations returns what the shader declares outside of functions, in order.
func (p *preprocessor) declarations() (all []item) {
	depth, keyword := 0, ""
	for _, t := range p.body {
		switch {
		case t.is("{"), t.is("("), t.is("["):
			depth++
		case t.is("}"), t.is(")"), t.is("]"):
			depth--
		case depth > 0:
		case t.is("<") && keyword == "var", t.is(">") && keyword == "<":
			keyword = map[string]string{"<": "<", ">": "var"}[t.text]
		case t.kind == word && keyword != "" && keyword != "<":
			all = append(all, item{t.file.Name, t.text})
			keyword = ""
		case t.kind == word && keyword == "" && slices.Contains([]string{"fn", "struct", "const", "override", "alias", "var"}, t.text):
			keyword = t.text
		}
	}
	return all
}

// rename replaces the names of items, except after a dot, and the paths to them.
func (p *preprocessor) rename() {
	var out []token
	for i := 0; i < len(p.body); i++ {
		t := p.body[i]
		if t.kind != word || len(out) > 0 && out[len(out)-1].is(".") {
			out = append(out, t)
			continue
		}
		if named, length := p.pathAt(i); length > 1 {
			last := p.body[i+length-1]
			t.text, t.exact = named, false
			if last.file == t.file && last.span.End > t.span.End {
				t.span.End = last.span.End
			}
			i += length - 1
		} else if named := p.nameOf(t); named != t.text {
			t.text, t.exact = named, false
		}
		out = append(out, t)
	}
	p.body = out
}

// nameOf returns the name in the shader for a name in a file.
func (p *preprocessor) nameOf(t token) string {
	if known := p.imported[t.file.Name]; known != nil {
		if i, ok := known.items[t.text]; ok {
			return p.finalName(i)
		}
	}
	return p.finalName(item{t.file.Name, t.text})
}

func (p *preprocessor) finalName(i item) string {
	if name := p.final[i]; name != "" {
		return name
	}
	return i.name
}

// pathAt returns the item of a path such as a::b::item, and the number of its tokens.
func (p *preprocessor) pathAt(i int) (name string, length int) {
	known := p.imported[p.body[i].file.Name]
	if known == nil {
		return "", 0
	}
	path := []string{p.body[i].text}
	end := i + 1
	for end+2 < len(p.body) && p.body[end].is(":") && p.body[end+1].is(":") && p.body[end+2].kind == word {
		path, end = append(path, p.body[end+2].text), end+3
	}
	last := len(path) - 1
	if last == 0 {
		return "", 0
	}
	file := known.modules[strings.Join(path[:last], "::")]
	if file == "" {
		return "", 0
	}
	return p.finalName(item{file, path[last]}), end - i
}
