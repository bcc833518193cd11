package coursecells

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// declared records how the cells that GoNB ran can change the meaning of a later course call. If it
// is unsure, it assumes a change.
type declared struct {
	names []string // at the top level
	acts  bool     // something runs before every main, or the program runs differently
}

// concerns reports whether the call may have another meaning.
func (d *declared) concerns(c cell.CourseCall) bool {
	return d.acts || slices.Contains(d.names, c.Package)
}

// changing lists GoNB's commands that change how it builds and runs later cells.
var changing = []string{"%env", "%goflags", "%goworkfix", "%wasm", "!*"}

// add records what a cell leaves to later ones. Its main ends with the cell.
func (d *declared) add(from *cell.CellSource) {
	for _, command := range from.Program().Commands {
		if command == "%reset" || strings.HasPrefix(command, "%reset ") {
			*d = declared{acts: d.acts} // the effect of other commands persists
		}
		d.acts = d.acts || slices.ContainsFunc(changing, func(c string) bool { return strings.HasPrefix(command, c) })
	}
	declarations, _ := from.Declared() // with an error, those that the parser understood
	for _, declaration := range declarations {
		for _, name := range cell.Names(declaration) {
			function, _ := declaration.(*ast.FuncDecl)
			d.names = append(d.names, name)
			d.acts = d.acts || function != nil && (name == "init" || strings.HasPrefix(name, "init_"))
		}
		if general, ok := declaration.(*ast.GenDecl); ok {
			for _, spec := range general.Specs {
				d.addSpec(spec)
			}
		}
	}
}

// addSpec records the name of an import, and what a variable's value does.
func (d *declared) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		if imported, name, ours := cell.ImportOf(spec); !ours || name != path.Base(imported) {
			d.names = append(d.names, importName(spec)) // perhaps the name of one of the course's packages
		}
	case *ast.ValueSpec:
		d.acts = d.acts || slices.ContainsFunc(spec.Values, runs)
	}
}

// importName returns the name of an import, or what its path suggests.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(strings.Trim(spec.Path.Value, "\"`"))
}

// quiet lists the functions without side effects.
var quiet = []string{"append", "cap", "complex", "imag", "len", "make", "max", "min", "new", "real"}

// runs reports whether working out a variable's value may have side effects: GoNB works it out
// again before each main.
func runs(value ast.Expr) bool {
	seen := false
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it is not called here
		case *ast.CallExpr:
			name, isName := n.Fun.(*ast.Ident)
			seen = seen || !isName || !slices.Contains(quiet, name.Name)
		case *ast.UnaryExpr:
			seen = seen || n.Op == token.ARROW
		}
		return !seen
	})
	return seen
}
