package cell

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"
)

// Packages are the course's packages that a cell may import, below pkg/.
var Packages = []string{"check", "cost", "course", "digits", "draw", "gpu", "learn", "mnist", "race", "shadertest", "show", "trace", "wgpu", "write"}

// aliasPrefix begins the other name of a package.
const aliasPrefix = "wgslab_"

// An insertion is text to insert into a cell, at an offset of the program that the cell makes.
type insertion struct {
	offset int
	text   string
}

// Renamed returns the cell with another name for each of the course's packages that it imports by
// one of the names: earlier cells use these for something else. Lines keep their numbers.
func (s *CellSource) Renamed(names []string) string {
	file, err := s.syntax()
	if err != nil || len(names) == 0 {
		return s.Code
	}
	own := declaredIn(file)
	aliased := map[string]bool{}
	var edits []insertion
	for _, spec := range file.Imports {
		_, name, ours := ImportOf(spec)
		if !ours || spec.Name != nil || !slices.Contains(names, name) || own[name] {
			continue
		}
		aliased[name] = true
		edits = append(edits, insertion{int(spec.Path.Pos()) - 1, aliasPrefix + name + " "})
	}
	if len(aliased) == 0 {
		return s.Code
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, isName := selector.X.(*ast.Ident); isName && aliased[name.Name] {
				edits = append(edits, insertion{int(name.Pos()) - 1, aliasPrefix})
			}
		}
		return true
	})
	return s.inserted(edits)
}

// declaredIn returns all names that a file declares, at its top or in a function.
func declaredIn(file *ast.File) map[string]bool {
	names := map[string]bool{}
	add := func(e ast.Expr) {
		if name, ok := e.(*ast.Ident); ok {
			names[name.Name] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names[n.Name.Name] = names[n.Name.Name] || n.Recv == nil
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.Field:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				add(to)
			}
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		}
		return true
	})
	return names
}

// inserted returns the cell with text inserted at offsets of the source that parse has read.
func (s *CellSource) inserted(edits []insertion) string {
	slices.SortFunc(edits, func(a, b insertion) int { return cmp.Compare(b.offset, a.offset) })
	p := s.Program()
	source := p.Source()
	lines := strings.SplitAfter(s.Code, "\n")
	before := strings.Count(p.Declarations, "\n")
	for _, e := range edits { // the last one first
		line := strings.Count(source[:e.offset], "\n") - 1 // below the package clause
		column := e.offset - strings.LastIndexByte(source[:e.offset], '\n') - 1
		if line >= len(lines) || line > before && !p.HasMain || column > len(lines[line]) {
			return s.Code
		}
		lines[line] = lines[line][:column] + e.text + lines[line][column:]
	}
	return strings.Join(lines, "")
}
