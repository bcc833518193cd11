package sim

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// lostAdvice ends the message of a race within an update: no barrier helps there.
const lostAdvice = "that is three steps, read, change and write, so one of the two updates can get lost"

// An updating is a statement that reads a value, changes it and writes it back, such as a[i] += 1.
type updating struct {
	target   syntax.Expr
	function string // that does it in one step with an atomic; "" if none does
}

// updateOf returns the update to which both sides of a race belong; nil if they belong to none.
func (m *machine) updateOf(a, b syntax.Span) *updating {
	for s := range syntax.All[syntax.Stmt](m.Pipeline.Info.File) {
		at := s.Span()
		if !at.Contains(a) || !at.Contains(b) {
			continue
		}
		switch s := s.(type) {
		case *syntax.IncDecStmt:
			op := syntax.OpAdd
			if s.Dec {
				op = syntax.OpSub
			}
			return &updating{s.X, types.AtomicFunction(op)}
		case *syntax.AssignStmt:
			return m.updateBy(s, a, b)
		}
	}
	return nil
}

// updateBy returns what an assignment updates. One of the accesses has to read what it writes: in
// s[i] += s[i + 1], a race about s[i + 1] is none within an update.
func (m *machine) updateBy(s *syntax.AssignStmt, a, b syntax.Span) *updating {
	if s.LHS == nil {
		return nil
	}
	target, value := m.Text(s.LHS.Span()), s.RHS.Span()
	if s.Op != syntax.OpNone && !value.Contains(a) && !value.Contains(b) {
		return &updating{s.LHS, types.AtomicFunction(s.Op)}
	}
	for _, read := range []syntax.Span{a, b} {
		if s.Op == syntax.OpNone && value.Contains(read) && m.Text(read) == target {
			return &updating{s.LHS, m.changedBy(s.RHS, target)}
		}
	}
	return nil
}

// changedBy returns the atomic function that computes an expression from the value of a target.
func (m *machine) changedBy(value syntax.Expr, target string) string {
	is := func(x syntax.Expr) bool { return m.Text(syntax.Unparen(x).Span()) == target }
	switch x := syntax.Unparen(value).(type) {
	case *syntax.BinaryExpr:
		if is(x.X) || is(x.Y) && x.Op != syntax.OpSub {
			return types.AtomicFunction(x.Op)
		}
	case *syntax.CallExpr:
		name := x.Callee.Name.Name
		if len(x.Args) == 2 && (name == "max" || name == "min") && (is(x.Args[0]) || is(x.Args[1])) {
			return "atomicM" + name[1:]
		}
	}
	return ""
}

// inOneStep says how several invocations can update a value.
func (m *machine) inOneStep(u *updating, where ir.NamedWord) string {
	if ir.IsFloat(where.Kind) { // § 6.2.8: atomics are i32 and u32
		return fmt.Sprintf("WGSL has no atomic %s: let one invocation update it, or count whole units in an integer with `atomicAdd`.", kindName(where.Kind))
	}
	made := fmt.Sprintf("Make it atomic<%s>, and ", kindName(where.Kind))
	if u.function == "" {
		return made + "update it in a loop with `atomicCompareExchangeWeak`."
	}
	target, pointer := strings.CutPrefix(m.Text(u.target.Span()), "*")
	if !pointer {
		target = "&" + target
	}
	return made + fmt.Sprintf("write `%s(%s, …)`, which is one step.", u.function, target)
}

// tellLost improves on the finding about a race in which both sides are one update.
func (m *machine) tellLost(f *findings.Finding, where ir.NamedWord, how raceWay) {
	if !f.Reads || how.beside() || f.Severity != findings.Error {
		return
	}
	if u := m.updateOf(f.Span, f.Other().Span); u != nil {
		what, _, _ := strings.Cut(f.Message, "; ")
		f.Message, f.Hint, f.Updates = what+"; "+lostAdvice, m.inOneStep(u, where), true
	}
}
