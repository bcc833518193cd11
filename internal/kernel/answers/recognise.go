package answers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

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
}

// recognise reads a cell as Go does. ok is true when it is an import of one package of
// the course's and a main that is one call of it with literal arguments, and nothing
// else; comments and layout do not count. What is anything more is GoNB's.
func recognise(code string) (found call, ok bool) {
	if !strings.Contains(code, packages) {
		return call{}, false
	}
	source, ok := program(code)
	if !ok {
		return call{}, false
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
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

// program makes the file of a cell that GoNB makes: what stands behind %% is the body
// of main. Other commands than those for which the course has a use, and the shell's,
// are for GoNB to do.
func program(code string) (source string, ok bool) {
	var b strings.Builder
	b.WriteString("package main\n")
	inMain := false
	for line := range strings.Lines(code) {
		command := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "%") && (command == "%%" || command == "%main") && !inMain:
			inMain = true
			b.WriteString("func main() {\n")
		case strings.HasPrefix(line, "%") && command == "%noautoget":
			b.WriteString("\n")
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"), strings.HasPrefix(command, "//gonb:"), strings.HasPrefix(command, "//go:"):
			return "", false
		default:
			b.WriteString(line)
		}
	}
	if inMain {
		b.WriteString("\n}\n")
	}
	return b.String(), true
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
