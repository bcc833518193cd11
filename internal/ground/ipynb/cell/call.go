package cell

import (
	"go/ast"
	"go/token"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A CourseCall is a call of a function of the course with literal arguments, such as
// check.Exercise("add").
type CourseCall struct {
	Function  string // check.Exercise
	Arguments []any  // the values of its literals, each a string or an int
	Package   string // the name that the cell gives the package
}

const packages = "github.com/wgslab/wgslab/pkg/"

// Call returns the call that the cell consists of: an import of one of the course's packages, and a
// main with one call of it, with literal arguments. Comments and layout do not count. ok is false
// for any other cell.
func (s *CellSource) Call() (found CourseCall, ok bool) { return s.call() }

func (s *CellSource) readCall() (found CourseCall, ok bool) {
	if !strings.Contains(s.Code, packages) {
		return CourseCall{}, false
	}
	if slices.ContainsFunc(s.Program().Commands, func(c string) bool { return c != "%noautoget" }) {
		return CourseCall{}, false
	}
	file, err := s.syntax()
	if err != nil || len(file.Imports) != 1 {
		return CourseCall{}, false
	}
	imported, name, ok := ImportOf(file.Imports[0])
	if !ok {
		return CourseCall{}, false
	}
	statement, ok := onlyStatement(file).(*ast.ExprStmt)
	if !ok {
		return CourseCall{}, false
	}
	return callOf(statement.X, imported, name)
}

// Calls returns the calls of a package's functions with literal arguments, wherever they are in a
// cell of Go. The package has its own name there. If Go cannot parse the cell, there are none.
func (s *CellSource) Calls(pkg string) iter.Seq[CourseCall] {
	return func(yield func(CourseCall) bool) {
		if _, writes := s.File(); writes || !strings.Contains(s.Code, pkg+".") {
			return
		}
		file, err := s.syntax()
		if err != nil {
			return
		}
		more := true
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := callOf(n, pkg, pkg); ok && more {
				more = yield(call)
			}
			return more
		})
	}
}

// ImportOf returns the path below pkg/ of a package of the course, and the name that the cell
// gives it; ok is false for another package.
func ImportOf(spec *ast.ImportSpec) (imported, name string, ok bool) {
	whole, err := strconv.Unquote(spec.Path.Value)
	imported, ours := strings.CutPrefix(whole, packages)
	if err != nil || !ours {
		return "", "", false
	}
	name = path.Base(imported)
	if spec.Name != nil {
		name = spec.Name.Name
	}
	return imported, name, name != "." && name != "_"
}

// onlyStatement returns the one statement of main, in a file that declares nothing else, or nil.
func onlyStatement(file *ast.File) ast.Stmt {
	var main *ast.FuncDecl
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if main != nil || d.Name.Name != "main" || d.Recv != nil || d.Body == nil ||
				d.Type.TypeParams != nil || d.Type.Params.NumFields() > 0 || d.Type.Results.NumFields() > 0 {
				return nil
			}
			main = d
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				return nil
			}
		}
	}
	if main == nil || len(main.Body.List) != 1 {
		return nil
	}
	return main.Body.List[0]
}

// callOf reads a call of a function of an imported package, with literal arguments.
func callOf(n ast.Node, imported, name string) (found CourseCall, ok bool) {
	made, ok := n.(*ast.CallExpr)
	if !ok || made.Ellipsis.IsValid() {
		return CourseCall{}, false
	}
	function, ok := made.Fun.(*ast.SelectorExpr)
	if !ok {
		return CourseCall{}, false
	}
	if receiver, isName := function.X.(*ast.Ident); !isName || receiver.Name != name {
		return CourseCall{}, false
	}
	found = CourseCall{Function: imported + "." + function.Sel.Name, Package: name}
	for _, argument := range made.Args {
		value, ok := literal(argument)
		if !ok {
			return CourseCall{}, false
		}
		found.Arguments = append(found.Arguments, value)
	}
	return found, true
}

// literal returns the value of a literal: a string, or an int of 32 bits.
func literal(e ast.Expr) (value any, ok bool) {
	basic, ok := e.(*ast.BasicLit)
	if !ok {
		return nil, false
	}
	switch basic.Kind {
	case token.STRING:
		text, err := strconv.Unquote(basic.Value)
		return text, err == nil
	case token.INT:
		number, err := strconv.ParseInt(basic.Value, 0, 32)
		return int(number), err == nil
	}
	return nil, false
}
