package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Behavior is a set of ways for execution to leave a statement (§ 9.7).
type Behavior uint8

// The ways.
const (
	Next Behavior = 1 << iota
	Break
	Continue
	Return
)

// Has reports whether b contains all ways in other.
func (b Behavior) Has(other Behavior) bool { return b&other == other }

// Behaviors determines how execution can leave the functions' statements. It reports functions that
// do not return a value on every path, and loops without an exit (§ 9.7). It needs no types: a call
// always continues with the next statement, because functions that never return are reported
// themselves.
func Behaviors(file *syntax.TranslationUnit) []*findings.Finding {
	a := newBehaviors()
	for _, d := range file.Decls {
		if f, ok := d.(*syntax.FuncDecl); ok {
			a.function(f)
		}
	}
	sortDiagnostics(a.diagnostics)
	return a.diagnostics
}

// behaviors caches the results for blocks, because the uniformity analysis asks at every level.
type behaviors struct {
	known       map[*syntax.BlockStmt]Behavior
	diagnostics []*findings.Finding
}

func newBehaviors() *behaviors { return &behaviors{known: map[*syntax.BlockStmt]Behavior{}} }

func (a *behaviors) function(f *syntax.FuncDecl) {
	before := len(a.diagnostics)
	b := a.block(f.Body)
	if len(a.diagnostics) > before || f.Result == nil || !b.Has(Next) || broken(f) {
		return
	}
	closing := f.Body.Close
	d := findings.Errorf("missing-return", closing, "The function `%s` can end here without returning its %s.", f.Name.Name, resultText(f)).
		Try("Write `return value;` before this `}`, or delete the `->`.").
		See(f.Result.Span(), "it promises a value of this type")
	if way := a.wayOut(f.Body); way.Len() > 0 {
		d.See(way, "there is no `return` on this path")
	}
	a.diagnostics = append(a.diagnostics, d)
}

func resultText(f *syntax.FuncDecl) string {
	if id, ok := f.Result.(*syntax.IdentExpr); ok && id.Templ == nil {
		return id.Name.Name
	}
	return "result"
}

// broken reports whether part of the function is unreadable, so that its end is unknown.
func broken(f *syntax.FuncDecl) bool {
	found := false
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		if _, bad := n.(*syntax.BadStmt); bad {
			found = true
		}
		_, expr := n.(syntax.Expr)
		return !found && !expr
	}, nil)
	return found || f.Body.Open.Len() == 0 || f.Body.Close.Len() == 0
}

// wayOut returns the last `if` or `switch` through which execution reaches the end of a body, or
// the empty span.
func (a *behaviors) wayOut(b *syntax.BlockStmt) syntax.Span {
	if len(b.List) == 0 {
		return syntax.Span{}
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *syntax.IfStmt:
		if s.Else == nil {
			return s.Cond.Span()
		}
	case *syntax.ForStmt:
		if s.Cond != nil {
			return s.Cond.Span()
		}
	case *syntax.WhileStmt:
		return s.Cond.Span()
	}
	return syntax.Span{}
}

func (a *behaviors) block(b *syntax.BlockStmt) Behavior {
	known, ok := a.known[b]
	if !ok {
		known = a.sequence(b.List)
		a.known[b] = known
	}
	return known
}

func (a *behaviors) sequence(list []syntax.Stmt) Behavior {
	b := Next
	for _, s := range list {
		next := a.statement(s)
		if b.Has(Next) {
			b = b&^Next | next
		}
	}
	return b
}

func (a *behaviors) statement(s syntax.Stmt) Behavior {
	switch s := s.(type) {
	case *syntax.BlockStmt:
		return a.block(s)
	case *syntax.IfStmt:
		return a.ifStmt(s)
	case *syntax.SwitchStmt:
		return a.switchStmt(s)
	case *syntax.LoopStmt:
		rest := Next
		if s.Continuing != nil {
			rest = a.block(s.Continuing.Body)
		}
		return a.loop(s, a.block(s.Body), rest)
	case *syntax.ForStmt:
		body := a.block(s.Body)
		if s.Cond != nil {
			body |= Break
		}
		return a.loop(s, body, Next)
	case *syntax.WhileStmt:
		return a.loop(s, a.block(s.Body)|Break, Next)
	case *syntax.BreakStmt:
		return Break
	case *syntax.BreakIfStmt:
		return Break | Next
	case *syntax.ContinueStmt:
		return Continue
	case *syntax.ReturnStmt:
		return Return
	}
	return Next
}

func (a *behaviors) ifStmt(s *syntax.IfStmt) Behavior {
	b := a.block(s.Then)
	switch e := s.Else.(type) {
	case nil:
		return b | Next
	case *syntax.IfStmt:
		return b | a.ifStmt(e)
	case *syntax.BlockStmt:
		return b | a.block(e)
	}
	return b
}

func (a *behaviors) switchStmt(s *syntax.SwitchStmt) Behavior {
	var b Behavior
	for _, c := range s.Cases {
		b |= a.block(c.Body)
	}
	if b.Has(Break) {
		b = b&^Break | Next
	}
	return b
}

// loop combines the behaviors of a loop's body and continuing part.
func (a *behaviors) loop(s syntax.Stmt, body, rest Behavior) Behavior {
	b := loopBehavior(body, rest)
	if b == 0 {
		a.endless(s)
		return Next // already reported; the code after it counts as reachable
	}
	return b
}

func loopBehavior(body, rest Behavior) Behavior {
	if body == Return {
		return Return
	}
	both := body | rest
	if both.Has(Break) {
		return (both | Next) &^ (Break | Continue)
	}
	return both &^ (Continue | Next)
}

func (a *behaviors) endless(s syntax.Stmt) {
	keyword := syntax.Span{Start: s.Span().Start, End: s.Span().Start}
	name := "loop"
	switch s := s.(type) {
	case *syntax.LoopStmt:
		keyword = before(s.Body, len("loop"))
	case *syntax.ForStmt:
		name = "for"
	}
	if keyword.Len() == 0 {
		keyword = syntax.Span{Start: s.Span().Start, End: s.Span().Start + int32(len(name))}
	}
	d := findings.Errorf("endless-loop", keyword, "Nothing ends this `%s`: there is no `break` and no `return` in it.", name)
	if name == "for" {
		d.Try("Write a condition between the two `;`, such as `i < n`.")
	} else {
		d.Try("Write `if condition { break; }` in it.")
	}
	a.diagnostics = append(a.diagnostics, d)
}

// before returns the span of the keyword in front of a block without attributes.
func before(b *syntax.BlockStmt, width int) syntax.Span {
	if len(b.Attrs) > 0 || b.Open.Len() == 0 {
		return syntax.Span{}
	}
	return syntax.Span{Start: b.Open.Start - int32(width) - 1, End: b.Open.Start - 1}
}
