package wgsl

import "github.com/wgslab/wgslab/internal/wgsl/syntax"

// A Loop is a loop statement of a shader.
type Loop struct {
	Line, Column int // of the keyword, both from 1
}

// endless are the loops that nothing can leave: the header sets no bound, and
// inside is no `break` that is this loop's own (one in a loop or switch further
// in leaves only that) and no `return`.
//
// Of `loop` WGSL itself says so (§ 9.7); of `while (true)` and `for (;;)` it does
// not, and a driver may drop such a loop, so that a shader which never ends seems
// to have ended.
func (s *Shader) endless() []Loop {
	var found []Loop
	syntax.Walk(s.File, func(n syntax.Node) bool {
		if body, ok := unbounded(n); ok && !leaves(body, true) {
			at := s.Source.Position(n.Span().Start)
			found = append(found, Loop{at.Line, s.Column(n.Span().Start)})
		}
		return true
	}, nil)
	return found
}

// unbounded gives the body of a loop whose header never ends it.
func unbounded(n syntax.Node) (body syntax.Node, ok bool) {
	switch n := n.(type) {
	case *syntax.WhileStmt:
		return n.Body, isTrue(n.Cond)
	case *syntax.ForStmt:
		return n.Body, n.Cond == nil || isTrue(n.Cond)
	case *syntax.LoopStmt:
		return n, true
	}
	return nil, false
}

func isTrue(x syntax.Expr) bool {
	literal, ok := syntax.Unparen(x).(*syntax.Literal)
	return ok && literal.Kind == syntax.BoolLit && literal.Int == 1
}

// leaves says whether something in a loop's body leaves the loop; own, whether a
// break there is the loop's.
func leaves(body syntax.Node, own bool) bool {
	left := false
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ReturnStmt, *syntax.BreakIfStmt:
			left = left || own || isReturn(n)
		case *syntax.BreakStmt:
			left = left || own
		case *syntax.LoopStmt, *syntax.ForStmt, *syntax.WhileStmt, *syntax.SwitchStmt:
			if n == body {
				return true
			}
			left = left || leavesInside(n)
			return false
		}
		return !left
	}, nil)
	return left
}

func isReturn(n syntax.Node) bool {
	_, ok := n.(*syntax.ReturnStmt)
	return ok
}

// leavesInside: a loop or switch further in leaves the outer one by `return`
// alone.
func leavesInside(n syntax.Node) bool {
	left := false
	syntax.Walk(n, func(n syntax.Node) bool {
		left = left || isReturn(n)
		return !left
	}, nil)
	return left
}
