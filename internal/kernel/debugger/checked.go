package debugger

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/kernel/gocell"
)

// Checked is the exercise that a cell of Go checks: the argument of its first check.Exercise. ok is false where it
// checks none, or the cell cannot be read.
func Checked(code string) (id string, ok bool) {
	if !strings.Contains(code, "check.Exercise") {
		return "", false
	}
	file, err := gocell.Read(code).File()
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
