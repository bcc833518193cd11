package wgsl

import (
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Loop is a loop statement of a shader.
type Loop struct {
	Line, Column int // of the keyword, both from 1
}

// endless returns the loops whose condition is `true` and that nothing leaves. WGSL forbids a
// `loop` without an exit (§ 9.7) but allows these. A driver may drop them, so that a shader that
// never ends seems to have ended.
func (s *Shader) endless() []Loop {
	var found []Loop
	for n := range syntax.All[syntax.Stmt](s.File) {
		if loop, ok := unbounded(n); ok && !analysis.Exits(loop) {
			at := s.Source.Region(n.Span())
			found = append(found, Loop{at.Line, at.Column})
		}
	}
	return found
}

// unbounded returns the loop if its header never ends it.
func unbounded(n syntax.Node) (loop syntax.Stmt, ok bool) {
	switch n := n.(type) {
	case *syntax.WhileStmt:
		return n, isTrue(n.Cond)
	case *syntax.ForStmt:
		return n, n.Cond == nil || isTrue(n.Cond)
	}
	return nil, false
}

func isTrue(x syntax.Expr) bool {
	literal, ok := syntax.Unparen(x).(*syntax.Literal)
	return ok && literal.Kind == syntax.BoolLit && literal.Int == 1
}
