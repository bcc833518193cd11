package analysis

import (
	"slices"

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
	run: runWrapAtZero,
}

func runWrapAtZero(p *pass) {
	for _, f := range p.info.Functions {
		for x := range syntax.All[*syntax.IndexExpr](f.Decl.Body) {
			b, ok := syntax.Unparen(x.Index).(*syntax.BinaryExpr)
			if !ok || b.Op != syntax.OpSub || p.valueType(b) != types.U32 {
				continue
			}
			by, constant := p.constant(b.Y)
			_, known := p.constant(b.X)
			if !constant || by <= 0 || known || p.least(b.X, mostSteps) >= by {
				continue
			}
			if p.asksFor(f, b.X, mostSteps) {
				continue
			}
			p.report(b, "`%s` wraps around to about 4 billion if `%s` is less than %d, and as an index that is far out of bounds.", p.text(b), p.text(b.X), by).
				Try("Check first: `if %s >= %d { … }`.", p.text(b.X), by)
		}
	}
}

// asksFor reports whether the shader compares a value, or what that is made of, with anything: then
// it may have ruled out the wrap. What a function gets, all of its callers may have compared.
func (p *pass) asksFor(f *types.Function, x syntax.Expr, steps int) bool {
	asked := p.comparedNames(f)
	for _, o := range p.mentioned(x) {
		if asked[o] || steps > 0 && (p.asksForFirst(f, o, steps-1) || p.callersAskFor(f, o, steps-1)) {
			return true
		}
	}
	return false
}

// asksForFirst reports whether a function compares what a local name begins with.
func (p *pass) asksForFirst(f *types.Function, o *types.Object, steps int) bool {
	switch d := o.Decl.(type) {
	case *syntax.LetDecl:
		return p.asksFor(f, d.Init, steps)
	case *syntax.VarDecl:
		return d.Init != nil && p.asksFor(f, d.Init, steps)
	}
	return false
}

// callersAskFor reports whether a parameter's function is called, and each caller compares what it
// passes.
func (p *pass) callersAskFor(f *types.Function, o *types.Object, steps int) bool {
	i := slices.IndexFunc(f.Decl.Params, func(d *syntax.Param) bool { return o.Decl == d })
	if i < 0 {
		return false
	}
	called := false
	for _, caller := range p.info.Functions {
		for call := range syntax.All[*syntax.CallExpr](caller.Decl.Body) {
			if c := p.info.Calls[call]; c == nil || c.Kind != types.UserCall || c.Function != f {
				continue
			}
			if called = true; !p.asksFor(caller, call.Args[i], steps) {
				return false
			}
		}
	}
	return called
}

// least returns the least value that a u32 expression surely has, as far as its text tells: 0 if it
// tells nothing. Sums and products count as if they did not wrap. Deeper than mostSteps it does not
// look.
func (p *pass) least(x syntax.Expr, steps int) int64 {
	if n, ok := p.constant(x); ok {
		return max(n, 0)
	}
	if steps == 0 {
		return 0
	}
	of := func(x syntax.Expr) int64 { return p.least(x, steps-1) }
	switch x := syntax.Unparen(x).(type) {
	case *syntax.IdentExpr:
		o := p.info.Uses[x]
		if o == nil {
			return 0
		}
		switch d := o.Decl.(type) {
		case *syntax.LetDecl:
			if o.Kind == types.LetObject {
				return of(d.Init)
			}
		case *syntax.VarDecl:
			if d.Init != nil && p.onlyGrows(o) {
				return of(d.Init)
			}
		}
	case *syntax.MemberExpr:
		if id, ok := syntax.Unparen(x.X).(*syntax.IdentExpr); ok && p.neverZero(p.info.Uses[id]) {
			return 1
		}
	case *syntax.BinaryExpr:
		return p.leastOf(x, of)
	case *syntax.CallExpr:
		switch name := p.builtin(x); {
		case name == "arrayLength": // a buffer holds at least one element of its array: its size is at least one stride
			return 1
		case name == "max" && len(x.Args) == 2:
			return max(of(x.Args[0]), of(x.Args[1]))
		case name == "min" && len(x.Args) == 2, name == "select" && len(x.Args) == 3:
			return min(of(x.Args[0]), of(x.Args[1]))
		case name == "clamp" && len(x.Args) == 3:
			return min(of(x.Args[1]), of(x.Args[2]))
		}
	}
	return 0
}

// onlyGrows reports whether a local variable of a loop is never less than its first value: each
// assignment adds to it.
func (p *pass) onlyGrows(o *types.Object) bool {
	of := func(x syntax.Expr) bool {
		id, ok := syntax.Unparen(x).(*syntax.IdentExpr)
		return ok && p.info.Uses[id] == o
	}
	loop := false
	for n := range syntax.All[syntax.Node](p.info.File) {
		switch n := n.(type) {
		case *syntax.ForStmt:
			d, ok := n.Init.(*syntax.DeclStmt)
			loop = loop || ok && d.Decl == o.Decl
		case *syntax.AssignStmt:
			if n.LHS != nil && of(n.LHS) && n.Op != syntax.OpAdd {
				return false
			}
		case *syntax.IncDecStmt:
			if of(n.X) && n.Dec {
				return false
			}
		case *syntax.UnaryExpr:
			if n.Op == syntax.OpAddressOf && of(n.X) {
				return false // a function may change it
			}
		}
	}
	return loop
}

// mostSteps bounds how deep least looks into an expression and the lets that it names.
const mostSteps = 16

// leastOf returns the least value of a binary expression.
func (p *pass) leastOf(x *syntax.BinaryExpr, least func(syntax.Expr) int64) int64 {
	a, b := least(x.X), least(x.Y)
	by, constant := p.constant(x.Y)
	switch {
	case a > maxU32 || b > maxU32:
		return 0
	case x.Op == syntax.OpAdd:
		return min(a+b, maxU32)
	case x.Op == syntax.OpMul && a*b <= maxU32:
		return a * b
	case x.Op == syntax.OpOr:
		return max(a, b)
	case x.Op == syntax.OpSub && constant && by >= 0:
		return max(a-by, 0)
	case x.Op == syntax.OpDiv && constant && by > 0:
		return a / by
	case x.Op == syntax.OpShl && constant && by >= 0 && by < 32 && a<<by <= maxU32:
		return a << by
	}
	return 0
}

// neverZero reports whether a value is a builtin of which each component is at least 1.
func (p *pass) neverZero(o *types.Object) bool { return p.builtinValue(o) == "num_workgroups" }

// builtinValue returns the name of the builtin value that a parameter is, "" for anything else.
func (p *pass) builtinValue(o *types.Object) string {
	if o == nil || o.Kind != types.ParamObject {
		return ""
	}
	d, ok := o.Decl.(*syntax.Param)
	if !ok {
		return ""
	}
	if a := syntax.FindAttribute(d.Attrs, "builtin"); a != nil && len(a.Args) == 1 {
		return p.text(a.Args[0])
	}
	return ""
}

// mentioned returns the parameters, lets and variables that an expression names.
func (p *pass) mentioned(x syntax.Node) []*types.Object {
	var list []*types.Object
	for id := range syntax.All[*syntax.IdentExpr](x) {
		switch o := p.info.Uses[id]; {
		case o == nil:
		case o.Kind == types.ParamObject, o.Kind == types.LetObject, o.Kind == types.VarObject:
			list = append(list, o)
		}
	}
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
	for n := range syntax.All[syntax.Node](f.Decl.Body) {
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
	}
	return asked
}
