package ir

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Hashes and random numbers wrap around on purpose, so a watched run doesn't remark on that. They
// are known by their constants and by ^: leastFactor is smaller than the factors that hashes
// multiply with, which are odd, and leastSummand smaller than what they add.
const leastFactor, leastSummand = 1 << 16, 1 << 24

// A mixer finds the sums and products that belong to hashes.
type mixer struct {
	info  *types.Info
	mixed map[*types.Object]bool // variables and functions whose values are mixed
	found map[syntax.Span]bool   // expressions and assignments that may wrap around
}

// mixing returns the places that wrap around on purpose. Each function follows those it calls.
func mixing(info *types.Info, functions []*types.Function) map[syntax.Span]bool {
	m := &mixer{info, map[*types.Object]bool{}, map[syntax.Span]bool{}}
	for _, f := range functions {
		for known := -1; known < len(m.mixed); {
			known = len(m.mixed)
			for n := range syntax.All[syntax.Node](f.Decl.Body) {
				m.note(f, n)
			}
		}
	}
	return m.found
}

// note notes what a node of a function makes.
func (m *mixer) note(f *types.Function, n syntax.Node) {
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		if m.mixes(n) {
			m.found[n.Span()] = true
		}
	case *syntax.AssignStmt:
		if n.LHS == nil || !m.mixes(n.RHS) && n.Op != syntax.OpXor && !m.large(n.Op, n.RHS) && (n.Op == syntax.OpNone || !m.mixes(n.LHS)) {
			return
		}
		m.found[n.Span()] = true
		if id, ok := syntax.Base(n.LHS).(*syntax.IdentExpr); ok && m.info.Uses[id] != nil {
			m.mixed[m.info.Uses[id]] = true
		}
	case *syntax.LetDecl:
		m.define(n.Name, n.Init)
	case *syntax.VarDecl:
		m.define(n.Name, n.Init)
	case *syntax.ReturnStmt:
		if n.X != nil && m.mixes(n.X) {
			m.mixed[f.Object] = true
		}
	}
}

func (m *mixer) define(name *syntax.Ident, init syntax.Expr) {
	if o := m.info.Defs[name]; o != nil && init != nil && m.mixes(init) {
		m.mixed[o] = true
	}
}

// mixes reports whether an expression is a part of a hash. What % and & make of one is an index.
func (m *mixer) mixes(x syntax.Expr) (yes bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryExpr:
			yes = yes || n.Op == syntax.OpXor || m.large(n.Op, n.X) || m.large(n.Op, n.Y)
			return !yes && n.Op != syntax.OpRem && n.Op != syntax.OpAnd
		case *syntax.CallExpr:
			c := m.info.Calls[n]
			yes = yes || c != nil && c.Kind == types.UserCall && m.mixed[c.Function.Object]
			return c != nil && c.Kind == types.ConstructCall
		case *syntax.IndexExpr:
			return false
		case *syntax.IdentExpr:
			yes = yes || m.mixed[m.info.Uses[n]]
		}
		return !yes
	}, nil)
	return yes
}

// large reports whether an operand is a constant as hashes multiply with, or add.
func (m *mixer) large(o syntax.Op, x syntax.Expr) bool {
	v := m.info.ValueOf(x)
	if !v.Valid() || v.Type != types.U32 && v.Type != types.I32 && v.Type != types.AbstractInt {
		return false
	}
	n := uint32(v.Int())
	return o == syntax.OpMul && n >= leastFactor && n%2 == 1 || o == syntax.OpAdd && n >= leastSummand
}
