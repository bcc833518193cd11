package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var wrapAtZero = &Rule{
	Kind:      findings.WrapAtZero,
	Title:     "a u32 below 0 as an index",
	Certainty: findings.Likely,
	Doc: "A u32 has no negative values: `0u - 1u` is 4294967295. As an index, it is far out of bounds: reads return some other element and writes are dropped. " +
		"Check first that the value is large enough: `if i > 0 { … a[i - 1] … }`.",
}

func init() { wrapAtZero.run = runWrapAtZero }

func runWrapAtZero(p *pass) {
	p.functions(func(f *types.Function) {
		asked := p.comparedNames(f)
		syntax.Walk(f.Decl.Body, func(n syntax.Node) bool {
			x, ok := n.(*syntax.IndexExpr)
			if !ok {
				return true
			}
			b, ok := syntax.Unparen(x.Index).(*syntax.BinaryExpr)
			if !ok || b.Op != syntax.OpSub || p.valueType(b) != types.U32 {
				return true
			}
			by, constant := p.constant(b.Y)
			_, known := p.constant(b.X)
			if !constant || by <= 0 || known || by == 1 && p.atLeastOne(b.X) {
				return true
			}
			// If the shader compares the left operand with anything, it may have ruled out the
			// wrap.
			for _, o := range p.mentioned(b.X) {
				if asked[o] {
					return true
				}
			}
			p.report(b, "`%s` wraps around to about 4 billion if `%s` is less than %d, and as an index that is far out of bounds.", p.text(b), p.text(b.X), by).
				Try("Check first: `if %s >= %d { … }`.", p.text(b.X), by)
			return true
		}, nil)
	})
}

// atLeastOne reports whether an expression is never 0: a buffer has at least one element in its
// array.
func (p *pass) atLeastOne(x syntax.Expr) bool {
	call, ok := syntax.Unparen(x).(*syntax.CallExpr)
	return ok && p.builtin(call) == "arrayLength"
}

// mentioned returns the parameters, lets and variables that an expression names.
func (p *pass) mentioned(x syntax.Node) []*types.Object {
	var list []*types.Object
	syntax.Walk(x, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.IdentExpr); ok {
			switch o := p.info.Uses[id]; {
			case o == nil:
			case o.Kind == types.ParamObject, o.Kind == types.LetObject, o.Kind == types.VarObject:
				list = append(list, o)
			}
		}
		return true
	}, nil)
	return list
}

// comparedNames returns the names that a function compares with anything, or bounds by max, min,
// clamp, select or %.
func (p *pass) comparedNames(f *types.Function) map[*types.Object]bool {
	asked := map[*types.Object]bool{}
	note := func(x syntax.Node) {
		for _, o := range p.mentioned(x) {
			asked[o] = true
		}
	}
	syntax.Walk(f.Decl.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryExpr:
			if mirrored[n.Op] != syntax.OpNone || n.Op == syntax.OpRem {
				note(n)
			}
		case *syntax.CallExpr:
			switch p.builtin(n) {
			case "max", "min", "clamp", "select":
				note(n)
			}
		case *syntax.SwitchStmt:
			note(n.X)
		case *syntax.ForStmt:
			if n.Init != nil {
				note(n.Init)
			}
			if d, ok := n.Init.(*syntax.DeclStmt); ok { // the header already bounds a counter
				if v, ok := d.Decl.(*syntax.VarDecl); ok {
					asked[p.info.Defs[v.Name]] = true
				}
			}
		}
		return true
	}, nil)
	return asked
}
