package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var divisionByZero = &Rule{
	Kind:      findings.DivisionByZero,
	Title:     "a division by a counter that starts at 0",
	Certainty: findings.Certain,
	Doc: "The loop counts from 0 and divides by its counter, so its first round divides by 0. " +
		"For integers, `/` then returns the dividend and `%` returns 0; for floats, the result can be anything. Count from 1, or divide by `i + 1`.",
	run: runDivisionByZero,
}

func runDivisionByZero(p *pass) {
	for loop := range inFunctions[*syntax.ForStmt](p) {
		if counter := p.startsAtZero(loop); counter != nil {
			p.dividesBy(loop, counter)
		}
	}
}

// startsAtZero returns the variable that a for loop declares with the value 0, or nil.
func (p *pass) startsAtZero(loop *syntax.ForStmt) *types.Object {
	s, ok := loop.Init.(*syntax.DeclStmt)
	if !ok {
		return nil
	}
	d, ok := s.Decl.(*syntax.VarDecl)
	if !ok || d.Init == nil {
		return nil
	}
	if n, constant := p.constant(d.Init); !constant || n != 0 {
		return nil
	}
	return p.info.Defs[d.Name]
}

// dividesBy reports divisions on the straight path of the loop's body, before any statement can
// jump past them.
func (p *pass) dividesBy(loop *syntax.ForStmt, counter *types.Object) {
	for _, s := range loop.Body.List {
		switch s.(type) {
		case *syntax.DeclStmt, *syntax.AssignStmt, *syntax.CallStmt:
		default:
			return
		}
		syntax.Walk(s, func(n syntax.Node) bool {
			b, ok := n.(*syntax.BinaryExpr)
			if !ok {
				return true
			}
			if b.Op == syntax.OpLogicalAnd || b.Op == syntax.OpLogicalOr {
				return false // the right operand may not be evaluated
			}
			if b.Op != syntax.OpDiv && b.Op != syntax.OpRem {
				return true
			}
			if x, ok := syntax.Unparen(b.Y).(*syntax.IdentExpr); ok && p.info.Uses[x] == counter {
				p.report(b.Y, "`%s` is 0 in the first round of the loop, and `%s` divides by it.", counter.Name, p.text(b)).
					Try("Count from 1, or divide by `(%s + 1)`.", counter.Name).See(loop.Init.Span(), "it starts here")
			}
			return true
		}, nil)
	}
}
