package analysis

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var guardIgnored = &Rule{
	Kind:      findings.GuardIgnored,
	Title:     "an index used outside its guard",
	Certainty: findings.Likely,
	Doc: "A function checks whether an index is in bounds, but also uses it on a buffer before that check, or where the check failed. " +
		"More invocations run than there are elements, so some of them go out of bounds. Move the access into the `if`, or the guard before it.",
	run: runGuardIgnored,
}

func runGuardIgnored(p *pass) {
	for _, f := range p.info.Functions {
		g := &guards{pass: p, guarded: map[string]int{}, asked: map[string]syntax.Span{}}
		g.collect(f.Decl.Body)
		if len(g.asked) > 0 {
			g.block(f.Decl.Body)
		}
	}
}

// guards tracks which indices are known to be within bounds.
type guards struct {
	*pass
	asked   map[string]syntax.Span // index expressions with an upper bound in some `if`, and its place
	guarded map[string]int         // index expressions that are guarded here, and how often
}

// collect finds the indices that the function's ifs guard. Only names and their components are
// considered: `i`, `id.x`.
func (g *guards) collect(body *syntax.BlockStmt) {
	for s := range syntax.All[*syntax.IfStmt](body) {
		for _, index := range g.indices(s.Cond) {
			if _, known := g.asked[g.text(index)]; !known {
				g.asked[g.text(index)] = s.Cond.Span()
			}
		}
	}
}

// indices returns what a condition compares with an upper bound: the smaller side of <, <=, >, >=.
func (g *guards) indices(cond syntax.Expr) []syntax.Expr {
	var list []syntax.Expr
	for b := range syntax.All[*syntax.BinaryExpr](cond) {
		switch b.Op {
		case syntax.OpLess, syntax.OpLessEqual, syntax.OpGreater, syntax.OpGreaterEqual:
			for _, side := range []syntax.Expr{b.X, b.Y} {
				if g.fixedIndex(side) && g.bound(other(b, side)) {
					list = append(list, side)
				}
			}
		}
	}
	return list
}

func other(b *syntax.BinaryExpr, side syntax.Expr) syntax.Expr {
	if side == b.X {
		return b.Y
	}
	return b.X
}

// bound reports whether an expression is the length of data: arrayLength or a member of a uniform.
func (g *guards) bound(x syntax.Expr) bool {
	if call, ok := syntax.Unparen(x).(*syntax.CallExpr); ok {
		return g.builtin(call) == "arrayLength"
	}
	root := g.info.Root(x)
	return root != nil && root.Global && root.Space() == types.SpaceUniform
}

// fixedIndex reports whether an expression is an integer let or parameter, or a component of one.
// Its text then means the same value everywhere.
func (g *guards) fixedIndex(x syntax.Expr) bool {
	switch g.valueType(x) {
	case types.U32, types.I32:
	default:
		return false
	}
	if m, ok := x.(*syntax.MemberExpr); ok {
		x = m.X
	}
	id, ok := x.(*syntax.IdentExpr)
	if !ok {
		return false
	}
	o := g.info.Uses[id]
	return o != nil && (o.Kind == types.LetObject || o.Kind == types.ParamObject)
}

func (g *guards) block(b *syntax.BlockStmt) {
	var here []string // guards that hold for the rest of this block
	for _, s := range b.List {
		if i, ok := s.(*syntax.IfStmt); ok {
			here = append(here, g.ifStmt(i)...)
			continue
		}
		g.statement(s)
	}
	g.release(here)
}

func (g *guards) hold(list []syntax.Expr) []string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = g.text(x)
		g.guarded[texts[i]]++
	}
	return texts
}

func (g *guards) release(list []string) {
	for _, t := range list {
		g.guarded[t]--
	}
}

// ifStmt checks an if and returns the indices that are guarded after it because its body leaves the
// block.
func (g *guards) ifStmt(s *syntax.IfStmt) []string {
	indices := g.indices(s.Cond)
	held := g.hold(indices) // also the right operand of &&; the direction of the comparison is not judged
	g.accesses(s.Cond)
	g.block(s.Then)
	switch e := s.Else.(type) {
	case *syntax.IfStmt:
		g.release(g.ifStmt(e))
	case *syntax.BlockStmt:
		g.block(e)
	}
	if s.Then.Leaves() {
		return held
	}
	g.release(held)
	return nil
}

// statement looks at a statement other than if.
func (g *guards) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.BlockStmt:
		g.block(s)
	case *syntax.ForStmt:
		held := []string(nil)
		if s.Cond != nil {
			held = g.hold(g.indices(s.Cond))
		}
		g.block(s.Body)
		g.release(held)
	case *syntax.WhileStmt:
		held := g.hold(g.indices(s.Cond))
		g.block(s.Body)
		g.release(held)
	case *syntax.LoopStmt:
		g.block(s.Body)
	case *syntax.SwitchStmt:
		for _, c := range s.Cases {
			g.block(c.Body)
		}
	default:
		g.accesses(s)
	}
}

// accesses reports accesses to buffer elements at an index that is guarded elsewhere but not here.
func (g *guards) accesses(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && g.builtin(call) == "select" {
			return false // it uses the guard in another way
		}
		x, ok := n.(*syntax.IndexExpr)
		if !ok {
			return true
		}
		index := g.text(x.Index)
		guard, asked := g.asked[index]
		if !asked || g.guarded[index] > 0 || !g.fixedIndex(x.Index) || !g.buffer(x.X) {
			return true
		}
		g.report(x, "`%s` is used here, but nothing has checked here that `%s` is in bounds; the guard is elsewhere.", strings.TrimSpace(g.text(x)), index).
			Try("Move this into the `if`, or the guard before it.").See(guard, "the guard")
		return true
	}, nil)
}

// buffer reports whether an expression is a runtime-sized array.
func (g *guards) buffer(x syntax.Expr) bool {
	a, ok := g.valueType(x).(*types.Array)
	return ok && a.Runtime()
}
