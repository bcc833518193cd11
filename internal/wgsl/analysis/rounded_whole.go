package analysis

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var roundedWhole = &Rule{
	Kind:      findings.RoundedWhole,
	Title:     "an index computed in f16",
	Certainty: findings.Likely,
	Doc: "An f16 holds all whole numbers only up to 2,048: 2,049 becomes 2,048, so another element is used, without an error. " +
		"Compute indexes in u32 or i32. For a scale, multiply and divide whole numbers, or use f32 up to 16,777,216.",
	run: runRoundedWhole,
}

// wholeInF16 is the largest number up to which an f16 holds all whole numbers.
const wholeInF16 = 2048

func runRoundedWhole(p *pass) {
	for _, f := range p.info.Functions {
		search := inF16{p, p.fewRounds(f), map[syntax.Expr]bool{}}
		for n := range syntax.All[syntax.Node](f.Decl.Body) {
			x, ok := n.(*syntax.IndexExpr)
			if !ok {
				continue // few textures have more texels in a row than an f16 counts
			}
			if a, ok := p.valueType(x.X).(*types.Array); !ok || a.Count == 0 || a.Count > wholeInF16 {
				search.index(x.Index)
			}
		}
	}
}

// inF16 searches for indexes that are computed in f16.
type inF16 struct {
	*pass
	few  map[*types.Object]bool // counters that never get large
	told map[syntax.Expr]bool
}

// index reports conversions to whole numbers in an index, and in the lets that it names.
func (s *inF16) index(x syntax.Expr) {
	s.each(x, map[*syntax.LetDecl]bool{}, func(call *syntax.CallExpr) bool {
		if name := s.builtin(call); (name == "min" || name == "clamp") && s.small(call.Args[len(call.Args)-1], 0) {
			return false
		}
		if !s.converts(call, types.F16, types.I32, types.U32) || s.told[call] || !s.takesWhole(call.Args[0]) || s.inSmallGrid(call.Args[0], mostSteps) {
			return true
		}
		s.told[call] = true
		s.report(call, "`%s` is an index, and an f16 holds all whole numbers only up to 2,048: 2,049 becomes 2,048.", s.text(call)).
			Try("Compute the index in u32 or i32.")
		return false
	})
}

// inSmallGrid reports whether an expression adds to rows of a constant length that is so short that
// an f16 counts as many rows of it.
func (s *inF16) inSmallGrid(x syntax.Expr, steps int) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.IdentExpr:
		let := s.let(x)
		return let != nil && steps > 0 && s.inSmallGrid(let.Init, steps-1)
	case *syntax.BinaryExpr:
		return x.Op == syntax.OpAdd && (s.isShortRow(x.X, steps) || s.isShortRow(x.Y, steps))
	}
	return false
}

// isShortRow reports whether an expression is a product with the length of a short row.
func (s *inF16) isShortRow(x syntax.Expr, steps int) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.IdentExpr:
		let := s.let(x)
		return let != nil && steps > 0 && s.isShortRow(let.Init, steps-1)
	case *syntax.BinaryExpr:
		for _, side := range []syntax.Expr{x.X, x.Y} {
			if v := s.info.ValueOf(side); x.Op == syntax.OpMul && v.Valid() && v.Float() > 1 && v.Float()*v.Float() <= wholeInF16 {
				return true
			}
		}
	}
	return false
}

// takesWhole reports whether a whole number that may be large is converted to f16 in an expression.
func (s *inF16) takesWhole(x syntax.Expr) (found bool) {
	s.each(x, map[*syntax.LetDecl]bool{}, func(call *syntax.CallExpr) bool {
		whole := s.converts(call, types.I32, types.F16) || s.converts(call, types.U32, types.F16)
		found = found || whole && !s.small(call.Args[0], mostSteps)
		return !found
	})
	return found
}

// each visits the calls in an expression and in the lets that it names, as long as visit returns
// true.
func (s *inF16) each(x syntax.Expr, seen map[*syntax.LetDecl]bool, visit func(*syntax.CallExpr) bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			return visit(n)
		case *syntax.IdentExpr:
			if let := s.let(n); let != nil && !seen[let] {
				seen[let] = true
				s.each(let.Init, seen, visit)
			}
		}
		return true
	}, nil)
}

// let returns the let that a name stands for, or nil.
func (p *pass) let(x *syntax.IdentExpr) *syntax.LetDecl {
	if o := p.info.Uses[x]; o != nil && o.Kind == types.LetObject {
		let, _ := o.Decl.(*syntax.LetDecl)
		return let
	}
	return nil
}

// converts reports whether a call converts a value of one type to one of others, whose value isn't
// known before the run.
func (s *inF16) converts(call *syntax.CallExpr, from *types.Scalar, to ...*types.Scalar) bool {
	c := s.info.Calls[call]
	if c == nil || c.Kind != types.ConstructCall || len(call.Args) != 1 || s.info.ValueOf(call).Valid() || types.ElemOf(s.valueType(call.Args[0])) != from {
		return false
	}
	return slices.Contains(to, types.ElemOf(c.Type))
}

// small reports whether a whole number is surely at most 2,048.
func (s *inF16) small(x syntax.Expr, steps int) bool {
	if n, ok := s.constant(x); ok {
		return n <= wholeInF16
	}
	switch x := syntax.Unparen(x).(type) {
	case *syntax.IdentExpr:
		if let := s.let(x); let != nil && steps > 0 {
			return s.small(let.Init, steps-1)
		}
		o := s.info.Uses[x]
		return s.few[o] || s.isLocal(o)
	case *syntax.MemberExpr:
		return s.small(x.X, steps)
	case *syntax.BinaryExpr:
		switch x.Op {
		case syntax.OpRem, syntax.OpAnd:
			return s.small(x.Y, steps)
		case syntax.OpSub, syntax.OpDiv, syntax.OpShr:
			return s.small(x.X, steps)
		}
	case *syntax.CallExpr:
		if name := s.builtin(x); name == "min" {
			return s.small(x.Args[0], steps) || s.small(x.Args[1], steps)
		}
	}
	return false
}

// isLocal reports whether a parameter is an invocation's place in its workgroup.
func (p *pass) isLocal(o *types.Object) bool {
	name := p.builtinValue(o)
	return name == "local_invocation_index" || name == "local_invocation_id"
}

// fewRounds returns the counters of for loops that a constant of at most 2,048 ends.
func (p *pass) fewRounds(f *types.Function) map[*types.Object]bool {
	few := map[*types.Object]bool{}
	for loop := range syntax.All[*syntax.ForStmt](f.Decl.Body) {
		init, ok := loop.Init.(*syntax.DeclStmt)
		cond, compares := loop.Cond.(*syntax.BinaryExpr)
		if !ok || !compares || cond.Op != syntax.OpLess && cond.Op != syntax.OpLessEqual {
			continue
		}
		if n, known := p.constant(cond.Y); known && n <= wholeInF16 {
			if v, ok := init.Decl.(*syntax.VarDecl); ok {
				few[p.info.Defs[v.Name]] = true
			}
		}
	}
	return few
}
