package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var loopEndless = &Rule{
	Kind:      findings.LoopEndless,
	Title:     "a loop that never ends once it runs",
	Certainty: findings.Certain,
	Doc: "The condition of the loop reads nothing that the loop changes, and nothing in the loop leaves it. " +
		"An invocation that enters it never leaves. A driver may kill the shader or remove the loop, so don't trust its results. " +
		"Change a variable of the condition in the loop, or leave it with `break`.",
	run: runLoopEndless,
}

func runLoopEndless(p *pass) {
	p.conditionLoops(func(loop syntax.Stmt, cond syntax.Expr, keyword string) {
		if !p.endless(loop, cond) {
			return
		}
		d := p.report(cond, "This `%s` never ends once it runs: nothing in it changes `%s`, and nothing leaves it.", keyword, p.text(syntax.Unparen(cond)))
		d.Try("Change a variable of the condition in the loop, such as `i++`.")
	})
}

// EndlessLoops returns the conditions of loops that never end once they run. They are those of this
// rule and those that comparison-constant reports, whose condition is true for every u32.
func EndlessLoops(info *types.Info) []syntax.Span {
	p := &pass{info: info}
	var spans []syntax.Span
	p.conditionLoops(func(loop syntax.Stmt, cond syntax.Expr, _ string) {
		if p.endless(loop, cond) || p.alwaysTrue(cond) && !Exits(loop) {
			spans = append(spans, cond.Span())
		}
	})
	return spans
}

// conditionLoops calls f for each loop that has a condition.
func (p *pass) conditionLoops(f func(loop syntax.Stmt, cond syntax.Expr, keyword string)) {
	for s := range inFunctions[syntax.Stmt](p) {
		switch s := s.(type) {
		case *syntax.WhileStmt:
			f(s, s.Cond, "while")
		case *syntax.ForStmt:
			if s.Cond != nil {
				f(s, s.Cond, "for")
			}
		}
	}
}

func (p *pass) endless(loop syntax.Stmt, cond syntax.Expr) bool {
	if v := p.info.ValueOf(cond); v.Valid() && !v.Bool() {
		return false // never entered
	}
	return p.steady(cond) && !Exits(loop) && !p.changes(loop, cond)
}

// Exits reports whether a statement in the loop leaves it.
func Exits(loop syntax.Stmt) bool {
	found := false
	inner := 0 // nesting of inner loops and switches
	syntax.Walk(loop, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.WhileStmt, *syntax.ForStmt, *syntax.LoopStmt, *syntax.SwitchStmt:
			inner++
		case *syntax.BreakStmt:
			found = found || inner == 1
		case *syntax.ReturnStmt:
			found = true
		}
		return !found
	}, func(n syntax.Node) {
		switch n.(type) {
		case *syntax.WhileStmt, *syntax.ForStmt, *syntax.LoopStmt, *syntax.SwitchStmt:
			inner--
		}
	})
	return found
}

// mayChange returns the expression that a node assigns to, or whose address it takes: code with the
// address may write. It is nil for any other node.
func mayChange(n syntax.Node) syntax.Expr {
	if x, ok := n.(*syntax.UnaryExpr); ok && x.Op == syntax.OpAddressOf {
		return x.X
	}
	return syntax.Assigned(n)
}

// changes reports whether the loop may change a variable that the condition reads.
func (p *pass) changes(loop syntax.Stmt, cond syntax.Expr) bool {
	read := map[*types.Object]bool{}
	syntax.Walk(cond, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && p.builtin(call) == "arrayLength" {
			return false // the loop may write to the array, but this length stays the same
		}
		if x, ok := n.(*syntax.IdentExpr); ok {
			if o := p.info.Uses[x]; o != nil && o.Kind == types.VarObject {
				read[o] = true
			}
		}
		return true
	}, nil)
	found := false
	syntax.Walk(loop, func(n syntax.Node) bool {
		changed := mayChange(n)
		if x, ok := n.(*syntax.IdentExpr); ok {
			if _, pointer := p.valueType(x).(*types.Pointer); pointer {
				changed = x
			}
		}
		found = found || read[p.info.Root(changed)]
		return !found
	}, nil)
	return found
}
