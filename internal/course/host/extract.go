//go:build !js

package host

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// head begins each program that a check saves. Go leaves such a file out of the folder's package.
const head = "//go:build ignore\n\npackage main\n"

// Extract returns the part of a Go file that a function uses: its imports, types, variables and
// functions, as the file has them. GoNB joins all cells into one file.
func Extract(text, function string) (string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("reading the program: %w", err)
	}
	x := extraction{declared: map[string][]int{}, kept: map[int]bool{}, used: map[string]bool{}}
	for i, d := range file.Decls {
		for _, name := range declares(d) {
			x.declared[name] = append(x.declared[name], i)
		}
	}
	if len(x.declared[function]) == 0 {
		return "", fmt.Errorf("the program has no function %s", function)
	}
	x.file = file
	x.keep(function)

	var out strings.Builder
	out.WriteString(head)
	if imports := x.imports(); len(imports) > 0 {
		fmt.Fprintf(&out, "\nimport (\n\t%s\n)\n", strings.Join(imports, "\n\t"))
	}
	for i, d := range file.Decls {
		if x.kept[i] {
			begin, end := files.Position(start(d)).Offset, files.Position(d.End()).Offset
			fmt.Fprintf(&out, "\n%s\n", text[begin:end])
		}
	}
	return out.String(), nil
}

// An extraction collects the declarations that a function uses.
type extraction struct {
	file     *ast.File
	declared map[string][]int // declarations by name; methods are under their type's
	kept     map[int]bool
	used     map[string]bool // all names
}

// keep keeps the declarations of a name, and what they use.
func (x *extraction) keep(name string) {
	x.used[name] = true
	for _, i := range x.declared[name] {
		if x.kept[i] {
			continue
		}
		x.kept[i] = true
		ast.Inspect(x.file.Decls[i], func(n ast.Node) bool {
			if used, ok := n.(*ast.Ident); ok {
				x.keep(used.Name)
			}
			return true
		})
	}
}

// imports returns the imports that what is kept may use, in order.
func (x *extraction) imports() (specs []string) {
	for _, spec := range x.file.Imports {
		path := strings.Trim(spec.Path.Value, "\"`")
		name, text := path[strings.LastIndexByte(path, '/')+1:], spec.Path.Value
		if spec.Name != nil {
			name, text = spec.Name.Name, spec.Name.Name+" "+text
		}
		if x.used[name] && !slices.Contains(specs, text) {
			specs = append(specs, text)
		}
	}
	return specs
}

// declares returns the names of a declaration. A method counts as a part of its type.
func declares(d ast.Decl) (names []string) {
	method, ok := d.(*ast.FuncDecl)
	if !ok || method.Recv == nil {
		return cell.Names(d)
	}
	for _, receiver := range method.Recv.List {
		ast.Inspect(receiver.Type, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && len(names) == 0 {
				names = []string{name.Name}
			}
			return true
		})
	}
	return names
}

// start returns the beginning of a declaration, with its comment.
func start(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}
