package answers

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/kernel/gocell"
)

// declared is what the cells that GoNB was given leave behind, as far as it can change
// what a later cell of one call does. It errs on one side: what may be there, is.
type declared struct {
	names []string // at the top level
	acts  bool     // something is run before every main, or runs in another way than here
}

// concerns says whether a call may mean something else than it does here.
func (d *declared) concerns(c call) bool { return d.acts || slices.Contains(d.names, c.name) }

// changing are GoNB's commands that change how later cells are built and run.
var changing = []string{"%env", "%goflags", "%goworkfix", "%wasm", "!*"}

// add adds what a cell leaves behind. Its main ends with it.
func (d *declared) add(code string) {
	cell := gocell.Read(code)
	for _, command := range cell.Commands {
		if command == "%reset" || strings.HasPrefix(command, "%reset ") {
			*d = declared{acts: d.acts} // what was set by other commands stays
		}
		d.acts = d.acts || slices.ContainsFunc(changing, func(c string) bool { return strings.HasPrefix(command, c) })
	}
	file, _ := cell.Declared() // of one with a mistake, what Go's parser makes out
	if file == nil {
		return
	}
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			if declaration.Recv == nil {
				d.names = append(d.names, declaration.Name.Name)
				d.acts = d.acts || declaration.Name.Name == "init" || strings.HasPrefix(declaration.Name.Name, "init_")
			}
		case *ast.GenDecl:
			for _, spec := range declaration.Specs {
				d.addSpec(spec)
			}
		}
	}
}

func (d *declared) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		d.names = append(d.names, spec.Name.Name)
	case *ast.ImportSpec:
		if imported, name, ours := importOf(spec); !ours || name != path.Base(imported) {
			d.names = append(d.names, importName(spec)) // perhaps that of one of the course's packages
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			d.names = append(d.names, name.Name)
		}
		d.acts = d.acts || slices.ContainsFunc(spec.Values, runs)
	}
}

// importName is the name that an import goes by, as far as its path tells.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(strings.Trim(spec.Path.Value, "\"`"))
}

// quiet are the functions whose calls do nothing that can be seen.
var quiet = []string{"append", "cap", "complex", "imag", "len", "make", "max", "min", "new", "real"}

// runs says whether the value of a variable is worked out by something that can be
// seen: GoNB does so again before each main.
func runs(value ast.Expr) bool {
	seen := false
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // only made
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
