package debugger

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// Checked is the exercise that a cell of Go checks: the argument of its first check.Exercise. ok is false where it
// checks none, or the cell cannot be read.
func Checked(code string) (id string, ok bool) {
	if !strings.Contains(code, "check.Exercise") {
		return "", false
	}
	file, err := parser.ParseFile(token.NewFileSet(), "cell.go", program(code), parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is && !ok {
			id, ok = checks(call)
		}
		return !ok
	})
	return id, ok
}

// program makes Go of a cell as GoNB does: lines for itself go, and what stands behind %% is func main's.
func program(code string) string {
	var b strings.Builder
	b.WriteString("package main\n")
	inMain := false
	for line := range strings.Lines(code) {
		start := strings.TrimSpace(line)
		switch {
		case !inMain && (start == "%%" || strings.HasPrefix(start, "%% ") || strings.HasPrefix(start, "%main")):
			b.WriteString("func main() {\n")
			inMain = true
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"):
			b.WriteString("\n")
		default:
			b.WriteString(line)
		}
	}
	if inMain {
		b.WriteString("\n}")
	}
	return b.String()
}

func checks(call *ast.CallExpr) (id string, ok bool) {
	function, is := call.Fun.(*ast.SelectorExpr)
	if !is || function.Sel.Name != "Exercise" || len(call.Args) != 1 {
		return "", false
	}
	from, is := function.X.(*ast.Ident)
	text, isText := call.Args[0].(*ast.BasicLit)
	if !is || from.Name != "check" || !isText || text.Kind != token.STRING {
		return "", false
	}
	id, err := strconv.Unquote(text.Value)
	return id, err == nil
}
