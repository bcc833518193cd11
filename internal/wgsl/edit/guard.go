package edit

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// condition adds the edits of an if: without it, with its condition negated, and with one more.
func (f *finder) condition(s *syntax.IfStmt) {
	f.within(Condition, Slip, s.Cond.Span(), s.Cond.Span(), "(true)")
	inside := syntax.Unparen(s.Cond)
	f.replace(Condition, Usual, inside.Span(), "!("+f.text(inside)+")")
	and, compare := " && ", " < "
	if s.Then.Leaves() {
		and, compare = " || ", " >= "
	}
	offset := s.Span().Start
	for _, i := range f.indices(offset) {
		for _, bound := range f.bounds(offset) {
			more := and + i + compare + bound
			f.write(Guard, Usual, inside.Span(), more[1:], findings.Edit{Span: inside.Span(), New: f.logical(inside) + more})
		}
	}
}

// logical returns the text of a condition, in parentheses if it has && or || itself: WGSL does not
// mix them.
func (f *finder) logical(x syntax.Expr) string {
	if b, ok := x.(*syntax.BinaryExpr); ok && isComparison(b.Op) {
		return f.text(x)
	}
	return f.operand(x)
}

// guarded adds the edits that put an if around a statement which writes to a buffer.
func (f *finder) guarded(s syntax.Stmt) {
	assign, ok := s.(*syntax.AssignStmt)
	if !ok || assign.LHS == nil {
		return
	}
	root := f.info.Root(assign.LHS)
	if root == nil || !root.Global || root.Space() == types.SpacePrivate {
		return
	}
	guards := f.guards(s.Span().Start, f.text(assign.LHS))
	if f.typeOf(assign.RHS) == types.F32 {
		for _, compare := range []string{" < 0.0", " > 0.0"} {
			guards = append(guards, guard{f.text(assign.LHS) + compare, Unusual})
		}
	}
	farther := 0 // where there is a guard, it is likelier than another one
	if f.guard {
		farther = 1
	}
	for _, c := range guards {
		head := "if (" + c.text + ")"
		f.write(Guard, c.cost+farther, s.Span(), head, findings.Edit{Span: s.Span(), New: head + " { " + f.text(s) + " }"})
	}
}

// early adds the edits that let surplus invocations return, where the declarations at the start of
// an entry point end.
func (f *finder) early(body *syntax.BlockStmt) {
	first := slices.IndexFunc(body.List, func(s syntax.Stmt) bool {
		d, ok := s.(*syntax.DeclStmt)
		if !ok {
			return true
		}
		_, named := d.Decl.(*syntax.LetDecl)
		return !named
	})
	if first < 0 {
		return
	}
	at := before(body.List[first])
	for _, i := range f.indices(at.Start) {
		for _, bound := range f.bounds(at.Start) {
			leave := "if (" + i + " >= " + bound + ") { return; }"
			f.write(Guard, Unusual, at, leave, findings.Edit{Span: at, New: leave + " "})
		}
	}
}

// A guard is a condition under which something may be written.
type guard struct {
	text string
	cost int
}

// guards returns conditions for an access at an offset, those of its own index first.
func (f *finder) guards(offset int32, access string) []guard {
	var all []guard
	indices, bounds := f.indices(offset), f.bounds(offset)
	for _, i := range indices {
		for _, bound := range bounds {
			cost := Usual
			if !names(access, i) {
				cost = Unusual
			}
			all = append(all, guard{i + " < " + bound, cost})
		}
	}
	own := slices.DeleteFunc(slices.Clone(indices), func(i string) bool { return !names(access, i) })
	sides := f.members(offset, types.U32)
	for _, i := range own {
		for _, j := range own {
			for _, x := range sides {
				for _, y := range sides {
					if i < j {
						all = append(all, guard{i + " < " + x + " && " + j + " < " + y, Usual})
					}
				}
			}
		}
	}
	return all
}

// names reports whether a text has a name in it.
func names(text, name string) bool {
	for i := range text {
		rest := text[i:]
		if len(rest) >= len(name) && rest[:len(name)] == name && (i == 0 || !inName(text[i-1])) && (len(rest) == len(name) || !inName(rest[len(name)])) {
			return true
		}
	}
	return false
}

func inName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// indices returns what a guard may compare at an offset: the components of builtin values, and the
// variables made from them.
func (f *finder) indices(offset int32) []string {
	found := f.components(offset, types.U32)
	for _, o := range f.info.InScope(offset) {
		if o.Store() == types.U32 && !o.Global && isValue(o) && o.Kind != types.ConstObject {
			found = append(found, o.Name)
		}
	}
	return found
}

// bounds returns what a guard may compare with at an offset.
func (f *finder) bounds(offset int32) []string {
	return append(f.lengths(), f.members(offset, types.U32)...)
}
