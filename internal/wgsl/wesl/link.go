package wesl

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/expand"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A linker joins a module and all that it uses.
type linker struct {
	features map[string]bool
	root     *module
	modules  map[*Package]map[string]*module // by path; nil where there is no file
	order    []*module                       // that are part of the result, the root first
	queue    []*declaration                  // likewise, in the order in which they are first used
	given    map[string]bool                 // predeclared names that a declaration uses
}

// module returns the module with a path in a package, or nil if there is none.
func (l *linker) module(in *Package, segments []string) *module {
	key := strings.Join(segments, "/")
	if l.modules[in] == nil {
		l.modules[in] = map[string]*module{}
	}
	if m, known := l.modules[in][key]; known {
		return m
	}
	names := []string{key}
	if key == "" {
		names = []string{"package", "lib"}
	}
	l.modules[in][key] = nil
	for _, name := range names {
		for _, ending := range endings {
			text, err := fs.ReadFile(in.Files, name+ending)
			if err != nil {
				continue
			}
			m := readModule(syntax.NewSource(path.Join(in.Folder, name+ending), string(text)), in, segments, l.features)
			l.modules[in][key] = m
			return m
		}
	}
	return nil
}

// reach adds a module to the result, and the const assertions in it. via is where the root uses it.
func (l *linker) reach(m *module, via syntax.Span) {
	if m.reached {
		return
	}
	m.reached, m.via = true, via
	l.order = append(l.order, m)
	l.checkImports(m)
	for _, d := range m.all {
		if d.assert || m == l.root {
			l.add(d, via)
		}
	}
}

func (l *linker) add(d *declaration, via syntax.Span) {
	if !d.reached {
		d.reached, d.via = true, via
		l.queue = append(l.queue, d)
		l.reach(d.in, via)
	}
}

// collect finds all declarations that the root uses, those near it first.
func (l *linker) collect() {
	l.reach(l.root, syntax.Span{})
	for _, item := range l.rootImports() {
		if d, _, _ := l.find(l.root, &item.reference, true); d != nil && d.entry {
			l.add(d, item.at)
		}
	}
	for i := 0; i < len(l.queue); i++ {
		d := l.queue[i]
		for u := range d.uses {
			l.resolve(d.in, &d.uses[u])
			via := d.via
			if d.in == l.root {
				via = d.uses[u].at
			}
			if target := d.uses[u].target; target != nil {
				l.add(target, via)
			}
		}
	}
}

// resolve finds the declaration that a use means.
func (l *linker) resolve(m *module, u *use) {
	written := m.paths[u.at.Start]
	if written == nil {
		if u.target = m.decls[u.name]; u.target != nil {
			return
		}
		item := m.imports[u.name]
		if item == nil {
			l.given[u.name] = true
			return
		}
		u.target, _, _ = l.find(m, &item.reference, true)
		if u.target == nil {
			l.notFound(m, &item.reference, u.at, true)
		}
		return
	}
	if u.target, _, _ = l.find(m, written, false); u.target == nil {
		l.notFound(m, written, written.at, false)
	}
}

// A place is how far a path leads: a package, and the segments below it.
type place struct {
	in       *Package
	segments []string
}

// start returns the place that the first segments of a path name, and the segments after them. The
// path of an import doesn't begin with a name that another import brings.
func (l *linker) start(m *module, r *reference, isImport bool) (at place, ok bool) {
	switch first := r.segments[0]; {
	case first == "package":
		return place{m.in, r.segments[1:]}, true
	case first == "super":
		up, rest := m.path, r.segments
		for len(rest) > 0 && rest[0] == "super" {
			if len(up) == 0 {
				return place{}, false
			}
			up, rest = up[:len(up)-1], rest[1:]
		}
		return place{m.in, slices.Concat(up, rest)}, true
	case !isImport && m.imports[first] != nil:
		at, ok = l.start(m, &m.imports[first].reference, true)
		at.segments = slices.Concat(at.segments, r.segments[1:])
		return at, ok
	}
	if other := m.in.named(r.segments[0]); other != nil {
		return place{other, r.segments[1:]}, true
	}
	return place{}, false
}

// find follows a path, from a module to an item or to another module.
func (l *linker) find(m *module, r *reference, isImport bool) (item *declaration, to *module, ok bool) {
	at, ok := l.start(m, r, isImport)
	if !ok {
		return nil, nil, false
	}
	for i, segment := range at.segments {
		in := l.module(at.in, at.segments[:i])
		if in == nil {
			continue
		}
		if d := in.decls[segment]; d != nil {
			if i+1 < len(at.segments) {
				return nil, in, false
			}
			return d, in, true
		}
	}
	to = l.module(at.in, at.segments)
	return nil, to, to != nil
}

// checkImports reports the imports from this package that lead nowhere. A package that isn't there
// is reported where it is used.
func (l *linker) checkImports(m *module) {
	for _, name := range m.importedNames() {
		item := m.imports[name]
		if m.decls[name] != nil {
			m.report(item.as, "`%s` is imported, and this file declares it as well.", name).
				Try("Give the import another name: `import %s as other;`.", &item.reference).See(m.decls[name].nameAt, "the declaration")
			continue
		}
		first := item.segments[0]
		if first != "package" && first != "super" {
			continue
		}
		if _, _, ok := l.find(m, &item.reference, true); !ok && !l.isFolder(m, &item.reference) {
			l.notFound(m, &item.reference, item.at, true)
		}
	}
}

// isFolder reports whether a path leads to a folder, which is a module without items.
func (l *linker) isFolder(m *module, r *reference) bool {
	at, ok := l.start(m, r, true)
	if !ok || len(at.segments) == 0 {
		return ok
	}
	info, err := fs.Stat(at.in.Files, path.Join(at.segments...))
	return err == nil && info.IsDir()
}

// notFound reports a path that leads to no item.
func (l *linker) notFound(m *module, r *reference, at syntax.Span, isImport bool) {
	if slices.ContainsFunc(m.mistakes, func(f *findings.Finding) bool { return f.Span == at || f.Span == r.at }) {
		return
	}
	name := r.segments[len(r.segments)-1]
	from, ok := l.start(m, r, isImport)
	if !ok {
		l.noStart(m, r, at)
		return
	}
	if _, to, isModule := l.find(m, r, isImport); isModule {
		m.report(at, "`%s` is a file, %s, and no item of one.", r, to.source.Name).Try("Name an item in it: `%s::name`.", r)
		return
	}
	for i := len(from.segments) - 1; i >= 0; i-- {
		in := l.module(from.in, from.segments[:i])
		switch {
		case in == nil:
		case i+1 < len(from.segments) && in.decls[from.segments[i]] != nil:
			m.report(at, "`%s` in %s is an item, and nothing is in it.", from.segments[i], in.source.Name).
				Try("End the path with it.")
			return
		case i+1 == len(from.segments):
			f := m.report(at, "%s declares no `%s`.", in.source.Name, name)
			if close := syntax.Closest(name, namesOf(in)); close != "" {
				f.Try("Did you mean `%s`?", close)
			} else {
				f.Try("Declare it there, or change the path.")
			}
			return
		}
	}
	missing := path.Join(from.in.Folder, path.Join(from.segments[:max(1, len(from.segments)-1)]...))
	m.report(at, "`%s` isn't found: there is no file %s.wesl or %s.wgsl.", r, missing, missing).
		Try("Check the path: `package` is the folder %s.", folderName(from.in.Folder))
}

// noStart reports a path whose first segment leads nowhere.
func (l *linker) noStart(m *module, r *reference, at syntax.Span) {
	first := r.segments[0]
	switch {
	case first == "super":
		m.report(at, "`%s` leads out of the package.", r).Try("Use fewer `super`, or `package::` and the path from its folder.")
	case m.decls[first] != nil:
		m.report(at, "`%s` is an item, and nothing is in it.", first).Try("End the path with it.")
	case l.module(m.in, r.segments[:1]) != nil:
		m.report(at, "There is no package `%s`.", first).Try("The file beside this one is `package::%s`.", r)
	default:
		m.report(at, "There is no package `%s`.", first).
			Try("Install it with npm, or list it in wesl.toml, as %s = {path = \"…\"} below [dependencies].", first)
	}
}

func folderName(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}

func namesOf(m *module) (names []string) {
	for _, d := range m.all {
		if d.name != "" {
			names = append(names, d.name)
		}
	}
	return names
}

// importedNames returns the names that a module imports, in the order of the text.
func (m *module) importedNames() []string {
	var names []string
	for name := range m.imports {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return int(m.imports[a].as.Start - m.imports[b].as.Start) })
	return names
}

func (l *linker) rootImports() (items []*imported) {
	for _, name := range l.root.importedNames() {
		items = append(items, l.root.imports[name])
	}
	return items
}

// name gives each declaration a name that no other has, and that no local name captures: its own,
// unless that is taken (Name Mangling, Only-conflict, in WESL's specification).
func (l *linker) name() {
	taken := map[string]*declaration{}
	captured := map[*declaration][]string{}
	for _, d := range l.queue {
		for _, u := range d.uses {
			if u.target != nil {
				captured[u.target] = append(captured[u.target], u.locals...)
			}
		}
	}
	give := func(d *declaration, wanted string) {
		free := func(name string) bool {
			return taken[name] == nil && !l.given[name] && !slices.Contains(captured[d], name)
		}
		d.as = wanted
		for n := 0; !free(d.as) && !(d.fixed && taken[d.as] == nil); n++ {
			if d.fixed {
				d.in.report(d.nameAt, "`%s` is a name that the host uses, and two files have it.", d.name).
					Try("Rename it here or in %s.", taken[d.as].in.source.Name)
				break
			}
			d.as = fmt.Sprintf("%s%d", wanted, n)
		}
		taken[d.as] = d
	}
	for _, d := range l.queue {
		if d.in == l.root && d.name != "" && l.root.decls[d.name] == d {
			give(d, d.name)
		}
	}
	for _, item := range l.rootImports() {
		if d, _, _ := l.find(l.root, &item.reference, true); d != nil && d.reached && d.as == "" {
			give(d, l.root.slice(item.as))
		}
	}
	for _, d := range l.queue {
		if d.as == "" && d.name != "" {
			if d.in == l.root {
				d.as = d.name // declared twice: the front end reports it
				continue
			}
			give(d, d.name)
		}
	}
}

// write joins the texts: the root's with all its lines, and what it uses after it.
func (l *linker) write() *syntax.Source {
	to := expand.New(l.root.source)
	l.writeDirectives(to)
	whole := syntax.Span{End: int32(len(l.root.source.Text))}
	l.root.write(to, whole, l.root.all)
	for _, d := range l.queue {
		if d.in != l.root && !d.in.broken {
			to.Write("\n", l.root.source, d.via)
			d.in.write(to, d.span, []*declaration{d})
		}
	}
	for _, m := range l.order {
		if m != l.root && m.broken { // whole, so that its mistakes are reported at their places
			to.Write("\n", l.root.source, m.via)
			m.write(to, syntax.Span{End: int32(len(m.source.Text))}, m.all)
		}
	}
	to.Write("\n", l.root.source, whole.At())
	return to.Source()
}

// writeDirectives writes what the other modules enable and require.
func (l *linker) writeDirectives(to *expand.Expansion) {
	known := map[string]bool{}
	for _, m := range l.order {
		for _, d := range m.unit.Directives {
			word, names := "enable", []*syntax.Ident(nil)
			switch d := d.(type) {
			case *syntax.EnableDirective:
				names = d.Names
			case *syntax.RequiresDirective:
				word, names = "requires", d.Names
			}
			for _, name := range names {
				line := fmt.Sprintf("%s %s; ", word, name.Name)
				if !known[line] && m != l.root {
					to.Write(line, m.source, name.Span())
				}
				known[line] = true
			}
		}
	}
}

// write adds a part of a module with the declarations in it.
func (m *module) write(to *expand.Expansion, part syntax.Span, in []*declaration) {
	type change struct {
		at   syntax.Span
		text string
	}
	var changes []change
	for i, token := range m.tokens {
		if m.gone[i] && part.Contains(token) {
			changes = append(changes, change{token, m.clean[token.Start:token.End]})
		}
	}
	for _, d := range in {
		if d.as != "" && d.as != d.name {
			changes = append(changes, change{d.nameAt, d.as})
		}
		for _, u := range d.uses {
			if u.target != nil && u.target.as != m.slice(u.at) {
				changes = append(changes, change{u.at, u.target.as})
			} else if u.target == nil && m.paths[u.at.Start] != nil { // a path that leads nowhere is reported
				changes = append(changes, change{u.at, m.clean[u.at.Start:u.at.End]})
			}
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return int(a.at.Start - b.at.Start) })
	at := part.Start
	for _, c := range changes {
		to.Copy(m.source, syntax.Span{Start: at, End: c.at.Start})
		to.Write(c.text, m.source, c.at)
		at = c.at.End
	}
	to.Copy(m.source, syntax.Span{Start: at, End: part.End})
}
