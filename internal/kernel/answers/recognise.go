package answers

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/kernel/gocell"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

// call is what a cell comes to.
type call struct {
	kind      kept.Kind
	arguments []string
	name      string // that the cell gives the package
}

const packages = "github.com/wgslab/wgslab/pkg/"

// parameters are the kinds of literals that the calls take. A kind of request is the
// call's name.
var parameters = map[kept.Kind][]token.Token{
	kept.Check:   {token.STRING},
	kept.Map:     {token.INT},
	kept.Trace:   {token.STRING},
	kept.Compare: {token.STRING, token.STRING},
	kept.Try:     {token.STRING},
}

// recognise reads a cell as Go does. ok is true when it is an import of one package of
// the course's and a main that is one call of it with literal arguments, and nothing
// else; comments and layout do not count. What is anything more is GoNB's.
func recognise(code string) (found call, ok bool) {
	if !strings.Contains(code, packages) {
		return call{}, false
	}
	cell := gocell.Read(code)
	if slices.ContainsFunc(cell.Commands, func(c string) bool { return c != "%noautoget" }) {
		return call{}, false // another command is for GoNB to do
	}
	file, err := cell.File()
	if err != nil || len(file.Imports) != 1 {
		return call{}, false
	}
	imported, name, ok := importOf(file.Imports[0])
	if !ok {
		return call{}, false
	}
	statement, ok := onlyStatement(file)
	if !ok {
		return call{}, false
	}
	return callOf(statement, imported, name)
}

// importOf gives the path of a package of the course's, behind pkg/, and the name that
// it goes by.
func importOf(spec *ast.ImportSpec) (imported, name string, ok bool) {
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

// onlyStatement is the one of main, in a file that declares nothing else.
func onlyStatement(file *ast.File) (ast.Stmt, bool) {
	var main *ast.FuncDecl
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if main != nil || d.Name.Name != "main" || d.Recv != nil || d.Body == nil ||
				d.Type.TypeParams != nil || d.Type.Params.NumFields() > 0 || d.Type.Results.NumFields() > 0 {
				return nil, false
			}
			main = d
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				return nil, false
			}
		}
	}
	if main == nil || len(main.Body.List) != 1 {
		return nil, false
	}
	return main.Body.List[0], true
}

// callOf reads a statement as a call of an imported package with literal arguments.
func callOf(statement ast.Stmt, imported, name string) (found call, ok bool) {
	expression, ok := statement.(*ast.ExprStmt)
	if !ok {
		return call{}, false
	}
	made, ok := expression.X.(*ast.CallExpr)
	if !ok || made.Ellipsis.IsValid() {
		return call{}, false
	}
	function, ok := made.Fun.(*ast.SelectorExpr)
	if !ok {
		return call{}, false
	}
	if receiver, isName := function.X.(*ast.Ident); !isName || receiver.Name != name {
		return call{}, false
	}
	found = call{kind: kept.Kind(imported + "." + function.Sel.Name), name: name}
	kinds, ours := parameters[found.kind]
	if !ours || len(kinds) != len(made.Args) {
		return call{}, false
	}
	for i, kind := range kinds {
		value, ok := literal(made.Args[i], kind)
		if !ok {
			return call{}, false
		}
		found.arguments = append(found.arguments, value)
	}
	return found, true
}

// literal is the value of a literal, as text; numbers are decimal.
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
