package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var comparisonConstant = &Rule{
	Kind:      findings.ComparisonConstant,
	Title:     "a comparison that always has the same answer",
	Certainty: findings.Certain,
	Doc: "A u32 is never below 0 and never above 4294967295, and a value is always equal to itself. " +
		"Such a comparison guards nothing. Compare with the value that you meant.",
	run: runComparisonConstant,
}

var mirrored = map[syntax.Op]syntax.Op{
	syntax.OpLess: syntax.OpGreater, syntax.OpGreater: syntax.OpLess,
	syntax.OpLessEqual: syntax.OpGreaterEqual, syntax.OpGreaterEqual: syntax.OpLessEqual,
	syntax.OpEqual: syntax.OpEqual, syntax.OpNotEqual: syntax.OpNotEqual,
}

const maxU32 = 1<<32 - 1

func runComparisonConstant(p *pass) {
	for b := range inFunctions[*syntax.BinaryExpr](p) {
		if mirrored[b.Op] != syntax.OpNone && !p.info.ValueOf(b).Valid() {
			p.unsignedLimit(b, b.Op, b.X, b.Y)
			p.unsignedLimit(b, mirrored[b.Op], b.Y, b.X)
			p.withItself(b)
		}
	}
}

// unsignedLimit reports `x op limit` if its result is the same for every u32 x.
func (p *pass) unsignedLimit(at *syntax.BinaryExpr, op syntax.Op, x, limit syntax.Expr) {
	if answer, known := p.answer(op, x, limit); known {
		p.report(at, "`%s` is always %t: `%s` is a u32, from 0 to 4294967295.", p.text(at), answer, p.text(x)).
			Try("Compare with another value, or use an i32 if it may be negative.")
	}
}

// answer returns the result of `x op limit` if it is the same for every u32 x.
func (p *pass) answer(op syntax.Op, x, limit syntax.Expr) (answer, known bool) {
	n, constant := p.constant(limit)
	if !constant || p.valueType(x) != types.U32 {
		return false, false
	}
	switch {
	case op == syntax.OpLess && n == 0, op == syntax.OpGreater && n == maxU32:
		return false, true
	case op == syntax.OpGreaterEqual && n == 0, op == syntax.OpLessEqual && n == maxU32:
		return true, true
	}
	return false, false
}

// alwaysTrue reports whether a condition is a comparison that holds for every u32.
func (p *pass) alwaysTrue(cond syntax.Expr) bool {
	b, ok := syntax.Unparen(cond).(*syntax.BinaryExpr)
	if !ok {
		return false
	}
	left, _ := p.answer(b.Op, b.X, b.Y)
	right, _ := p.answer(mirrored[b.Op], b.Y, b.X)
	return left || right
}

func (p *pass) withItself(b *syntax.BinaryExpr) {
	x := p.text(b.X)
	if x != p.text(b.Y) || !p.steady(b.X) {
		return
	}
	if s, ok := p.valueType(b.X).(*types.Scalar); !ok || s == types.F32 || s == types.F16 {
		return // x != x asks whether a float is NaN
	}
	p.report(b, "`%s` compares `%s` with itself.", p.text(b), x).Try("Compare with the value that you meant.")
}
