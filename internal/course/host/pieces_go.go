//go:build !js

package host

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// GoCompanion returns what a program in Go gets from the text of a host file. Names that others of
// its session declare aren't in it. Its error says why the host file can't be read; what a program
// that can't be read needs isn't known.
func GoCompanion(program, own string, others ...string) (b Companion, err error) {
	read, err := goFile(program, "")
	if err != nil {
		return b, nil //nolint:nilerr // the compiler says what is wrong with the program
	}
	pool, err := goFile(own, GoFile)
	if err != nil {
		return b, fmt.Errorf("reading %s: %w", GoFile, err)
	}
	for _, e := range Pieces() {
		text, err := e.ReferenceFile()
		if err != nil {
			continue
		}
		if reference, err := goFile(text, ""); err == nil {
			pool.declarations = joined(pool.declarations, reference.declarations)
			pool.imports = append(pool.imports, reference.imports...)
		}
	}
	declared := func(name string) bool {
		return slices.Contains(others, name) || slices.ContainsFunc(read.declarations, isNamed(name))
	}
	b.choose(pool.declarations, read.used, goNames, declared)
	b.imports = importsFor(pool.imports, b.declarations)
	return b, nil
}

// A goSource is a file of Go in declarations.
type goSource struct {
	imports      []string // specs
	declarations []declaration
	used         []string // all names in the declarations
}

// goFile divides a file of Go into its declarations. A text without a package is a cell.
func goFile(text, file string) (s goSource, err error) {
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	before := 0
	if !packageClause.MatchString(text) {
		const head = "package main\n"
		text, before = head+text, 1
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.ParseComments)
	if err != nil {
		return s, err
	}
	for _, spec := range parsed.Imports {
		s.imports = append(s.imports, importText(spec))
	}
	for _, d := range parsed.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		from, to := files.Position(start(d)), files.Position(d.End())
		s.declarations = append(s.declarations, declaration{declares(d), text[from.Offset:to.Offset], file, from.Line - before})
	}
	s.used = namesIn(parsed)
	return s, nil
}

// goNames returns the names that declarations use and don't declare.
func goNames(text string) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+text, 0)
	if err != nil {
		return nil
	}
	return namesIn(parsed)
}

// namesIn returns the names that a file uses and doesn't declare.
func namesIn(file *ast.File) (names []string) {
	for _, name := range file.Unresolved {
		names = append(names, name.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func importText(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name + " " + spec.Path.Value
	}
	return spec.Path.Value
}

// importsFor returns those import specs whose packages the declarations use.
func importsFor(specs []string, declarations []declaration) (needed []string) {
	var used []string
	for _, p := range declarations {
		used = append(used, goNames(p.text)...)
	}
	for _, spec := range specs {
		name, _, named := strings.Cut(spec, " ")
		if path := strings.Trim(spec, "\"`"); !named {
			name = path[strings.LastIndexByte(path, '/')+1:]
		}
		if slices.Contains(used, name) && !slices.Contains(needed, spec) {
			needed = append(needed, spec)
		}
	}
	return needed
}

// Go returns a file of package main with the declarations. path is the host file, whose lines they
// are.
func (b Companion) Go(path string) string {
	var out strings.Builder
	out.WriteString("package main\n" + importBlock(b.imports))
	for _, p := range b.declarations {
		at := path
		if p.file == "" {
			at = "reference.go" // no such file: a verdict shows none of its lines
		}
		fmt.Fprintf(&out, "\n//line %s:%d\n%s\n", at, max(p.line, 1), p.text)
	}
	return out.String()
}

// CellWithPieces returns a cell of Go with what it uses from the host file in the work folder. The
// session has declared the names already. A file that can't be read gives nothing: Go's compiler
// then names what is missing.
func CellWithPieces(code string, declared []string) string {
	own, err := OwnFile(learner.Dir, GoFile)
	if err != nil {
		return code
	}
	c, err := GoCompanion(cell.Read(code).Program().Source(), own, declared...)
	if err != nil {
		return code
	}
	return c.InCell(code)
}

// InCell returns a cell for GoNB with the declarations. Lines of the cell keep their numbers, but
// for those of a main.
func (b Companion) InCell(code string) string {
	if b.Empty() {
		return code
	}
	var imports, texts strings.Builder
	for _, spec := range b.imports {
		imports.WriteString("import " + spec + "; ")
	}
	for _, p := range b.declarations {
		texts.WriteString("\n" + p.text + "\n")
	}
	var out strings.Builder
	began, ended := false, false
	for line := range strings.Lines(code) {
		isCommand := cell.IsCommand(line)
		switch {
		case !isCommand && !began:
			began = true
			out.WriteString(imports.String())
		case began && !ended && (strings.HasPrefix(line, "%%") || strings.HasPrefix(line, "%main")):
			ended = true
			out.WriteString(texts.String())
		}
		out.WriteString(line)
	}
	if !ended {
		out.WriteString("\n" + texts.String())
	}
	return out.String()
}

// importBlock returns the imports as gofmt writes them, Go's own packages first.
func importBlock(specs []string) string {
	var own, others []string
	for _, spec := range slices.Sorted(slices.Values(specs)) {
		if strings.Contains(spec, ".") {
			others = append(others, spec)
		} else {
			own = append(own, spec)
		}
	}
	switch all := append(slices.Clone(own), others...); {
	case len(all) == 0:
		return ""
	case len(all) == 1:
		return "\nimport " + all[0] + "\n"
	case len(own) > 0 && len(others) > 0:
		own = append(own, "")
	}
	return strings.ReplaceAll(fmt.Sprintf("\nimport (\n\t%s\n)\n", strings.Join(append(own, others...), "\n\t")), "\t\n", "\n")
}

// keepGo returns the text of a host file in Go with the declarations of a program that has a right
// piece. They take the place of those with the same names.
func keepGo(own, program string) (string, error) {
	old, err := goFile(own, GoFile)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", GoFile, err)
	}
	fresh, err := goFile(program, "")
	if err != nil {
		return "", fmt.Errorf("reading the program: %w", err)
	}
	text := kept(old.declarations, fresh.declarations)
	all, err := goFile("package main\n"+text, "")
	if err != nil {
		return "", err
	}
	return head + importBlock(importsFor(append(old.imports, fresh.imports...), all.declarations)) + "\n" + text, nil
}

// NewIn returns what is new in the program of an exercise: all but what its host file gives it in
// the same words. pieces says whose the pieces are that it uses; nil if it uses none. A piece is
// saved whole.
func NewIn(program, id, own string) (text string, pieces view.View) {
	t, err := Find(id)
	read, unread := goFile(program, "")
	if err != nil || unread != nil || t.Work.Piece {
		return program, nil
	}
	function := slices.IndexFunc(read.declarations, isNamed(t.Work.Function))
	if function < 0 {
		return program, nil
	}
	given, err := GoCompanion(read.declarations[function].text, own)
	if err != nil {
		return program, nil
	}
	fresh := slices.DeleteFunc(slices.Clone(read.declarations), func(d declaration) bool {
		return slices.ContainsFunc(given.declarations, func(g declaration) bool { return g.text == d.text })
	})
	texts := make([]string, len(fresh))
	for i, d := range fresh {
		texts[i] = d.text
	}
	text = head + importBlock(importsFor(read.imports, fresh)) + "\n" + strings.Join(texts, "\n\n") + "\n"
	if beside, err := GoCompanion(text, own); err == nil {
		pieces = beside.Whose()
	}
	return text, pieces
}

// packageClause begins a file that isn't a cell.
var packageClause = regexp.MustCompile(`(?m)^package \w+`)
