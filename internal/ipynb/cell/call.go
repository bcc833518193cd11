package cell

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Call is a cell's only call of the course, such as check.Exercise("add").
type Call struct {
	Function  string   // check.Exercise
	Arguments []string // the values of its literals; numbers are decimal
	Package   string   // the name that the cell gives the package
}

const packages = "github.com/wgslab/wgslab/pkg/"

// parameters lists the kinds of literals that each function takes.
var parameters = map[string][]token.Token{
	"check.Exercise": {token.STRING},
	"check.Predict":  {token.STRING, token.STRING},
	"check.Recall":   {token.INT, token.STRING},
	"course.Here":    {token.INT},
	"trace.Exercise": {token.STRING},
	"trace.Compare":  {token.STRING, token.STRING},
	"race.Try":       {token.STRING},
}

// ReadCall reads a cell that consists of one call of the course: an import of one of its packages,
// and a main with one call of it, with literal arguments. Comments and layout do not count. ok is
// false for any other cell.
func ReadCall(code string) (found Call, ok bool) {
	if !strings.Contains(code, packages) {
		return Call{}, false
	}
	p := ReadProgram(code)
	if slices.ContainsFunc(p.Commands, func(c string) bool { return c != "%noautoget" }) {
		return Call{}, false
	}
	file, err := p.File()
	if err != nil || len(file.Imports) != 1 {
		return Call{}, false
	}
	imported, name, ok := ImportOf(file.Imports[0])
	if !ok {
		return Call{}, false
	}
	statement, ok := onlyStatement(file).(*ast.ExprStmt)
	if !ok {
		return Call{}, false
	}
	return callOf(statement.X, imported, name)
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
func callOf(n ast.Node, imported, name string) (found Call, ok bool) {
	made, ok := n.(*ast.CallExpr)
	if !ok || made.Ellipsis.IsValid() {
		return Call{}, false
	}
	function, ok := made.Fun.(*ast.SelectorExpr)
	if !ok {
		return Call{}, false
	}
	if receiver, isName := function.X.(*ast.Ident); !isName || receiver.Name != name {
		return Call{}, false
	}
	found = Call{Function: imported + "." + function.Sel.Name, Package: name}
	kinds, ours := parameters[found.Function]
	if !ours || len(kinds) != len(made.Args) {
		return Call{}, false
	}
	for i, kind := range kinds {
		value, ok := literal(made.Args[i], kind)
		if !ok {
			return Call{}, false
		}
		found.Arguments = append(found.Arguments, value)
	}
	return found, true
}

// literal returns the value of a literal as text, a number in decimal.
func literal(e ast.Expr, kind token.Token) (value string, ok bool) {
	basic, ok := e.(*ast.BasicLit)
	if !ok || basic.Kind != kind {
		return "", false
	}
	if kind == token.STRING {
		value, err := strconv.Unquote(basic.Value)
		return value, err == nil
	}
	number, err := strconv.ParseInt(basic.Value, 0, 32)
	return strconv.FormatInt(number, 10), err == nil
}

// Checked returns the exercise that a Go cell checks: the argument of its first check.Exercise,
// whatever else the cell does. ok is false if the cell checks none, or Go cannot parse it.
func Checked(code string) (id string, ok bool) {
	if !strings.Contains(code, "check.Exercise") {
		return "", false
	}
	file, err := ReadProgram(code).File()
	if err != nil {
		return "", false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, calls := callOf(n, "check", "check"); calls && !ok && call.Function == "check.Exercise" {
			id, ok = call.Arguments[0], true
		}
		return !ok
	})
	return id, ok
}
