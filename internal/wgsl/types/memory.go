package types

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

func (c *checker) notAssignable(x syntax.Expr, e *CheckedExpr) {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok {
		if root := c.rootObject(x); root != nil && root.Kind != VarObject {
			c.constantTarget(x, root)
			return
		}
		d := c.errorf("not-assignable", x, "%s is a value and cannot be assigned to.", english.Capital(c.quote(x)))
		if m, ok := syntax.Unparen(x).(*syntax.MemberExpr); ok && len(m.Name.Name) > 1 {
			d.Message = fmt.Sprintf("%s names several components at once, which can only be read.", english.Capital(c.quote(x)))
			d.Try("Assign the components one by one, or the whole vector.")
		}
		return
	}
	c.constantTarget(x, c.info.Uses[ident])
}

func (c *checker) rootObject(x syntax.Expr) *Object {
	if root, ok := syntax.Base(x).(*syntax.IdentExpr); ok {
		return c.info.Uses[root]
	}
	return nil
}

func (c *checker) constantTarget(x syntax.Expr, o *Object) {
	d := c.errorf("not-assignable", x, "`%s` is a `%s` and never changes.", o.Name, o.Kind)
	d.See(o.Span(), "`%s` is declared here.", o.Name)
	switch o.Kind {
	case LetObject, ConstObject:
		d.Try("Declare it with `var` to change it.")
		if let, ok := o.Decl.(*syntax.LetDecl); ok {
			d.Replace(let.Keyword, "var", "write `var`")
		}
	case ParamObject:
		d.Message = fmt.Sprintf("`%s` is a parameter, and parameters never change.", o.Name)
		d.Try("Copy it first: `var my_%s = %s;`.", o.Name, o.Name)
	case OverrideObject:
	default:
		d.Message = fmt.Sprintf("`%s` is a %s and cannot be assigned to.", o.Name, o.Kind)
	}
}

func (c *checker) readOnly(x syntax.Expr, r *Reference) {
	root := c.rootObject(x)
	if root == nil {
		c.errorf("read-only", x, "%s can only be read.", english.Capital(c.quote(x)))
		return
	}
	d := c.errorf("read-only", x, "`%s` is in %s memory that can only be read.", root.Name, r.Space).
		See(root.Span(), "`%s` is declared here.", root.Name)
	decl, ok := root.Decl.(*syntax.VarDecl)
	if !ok || r.Space != SpaceStorage || decl.Templ == nil {
		return
	}
	d.Message = fmt.Sprintf("`%s` is declared read-only.", root.Name)
	d.Try("Declare it `var<storage, read_write>`.")
	d.Fixes = append(d.Fixes, findings.Fix{
		Title: "declare it `read_write`",
		Edits: []findings.Edit{{Span: decl.Templ.Span(), New: "<storage, read_write>"}},
	})
}

func (c *checker) atomicAssignment(x syntax.Expr, r *Reference) {
	d := c.errorf("atomic-access", x, "%s is %s, which only the atomic functions may access.", english.Capital(c.quote(x)), r.Elem)
	if _, ok := r.Elem.(*Atomic); ok {
		d.Try("Write `atomicStore(&%s, …);`.", c.short(x))
	}
}

// atomicFunctions are the functions that read, change and write an atomic in one step.
var atomicFunctions = map[syntax.Op]string{
	syntax.OpAdd: "atomicAdd", syntax.OpSub: "atomicSub", syntax.OpAnd: "atomicAnd", syntax.OpOr: "atomicOr", syntax.OpXor: "atomicXor",
}

// AtomicFunction returns the function that does an operation to an atomic in one step; "" if there
// is none.
func AtomicFunction(op syntax.Op) string { return atomicFunctions[op] }

// atomicChange improves on the advice about a statement that changes an atomic: a load and a store
// would be two steps, and another invocation could come between them. It fits if the value that the
// target changes by has the right type.
func (c *checker) atomicChange(s syntax.Stmt, target syntax.Expr, op syntax.Op, by string, fits bool) {
	d := c.diagnostics[len(c.diagnostics)-1]
	name, ok := atomicFunctions[op]
	if d.Kind != findings.AtomicAccess {
		return
	}
	if !ok {
		d.Try("No atomic function does `%s` in one step; `atomicCompareExchangeWeak` in a loop can.", op)
		return
	}
	c.atomicCall(d, s, name, target, by, fits)
}

// atomicCall suggests the function that changes an atomic in one step, in the place of a statement.
func (c *checker) atomicCall(d *findings.Finding, s syntax.Stmt, name string, target syntax.Expr, by string, fits bool) {
	call := fmt.Sprintf("%s(&%s, %s)", name, c.text(target), by)
	d.Try("Write `%s;`: it reads, changes and writes in one step.", c.brief(call, fmt.Sprintf("%s(&%s, …)", name, c.short(target))))
	if !fits {
		return // the value has an error of its own
	}
	at := s.Span()
	at.End = at.Start + int32(len(strings.TrimRight(c.text(s), "; \t\r\n")))
	d.Replace(at, call, "write `"+name+"(…)`")
}

// atomicInstead improves on the advice about an assignment to an atomic.
func (c *checker) atomicInstead(s *syntax.AssignStmt, target *CheckedExpr) {
	if op, by := c.changeOf(s); by != nil {
		c.atomicChange(s, s.LHS, op, c.text(by), c.fitsAtomic(by, target))
		return
	}
	call, ok := s.RHS.(*syntax.CallExpr)
	if !ok || len(call.Args) != 2 || s.Op != syntax.OpNone {
		return
	}
	name := map[string]string{"max": "atomicMax", "min": "atomicMin"}[call.Callee.Name.Name]
	d := c.diagnostics[len(c.diagnostics)-1]
	for i, arg := range call.Args {
		if other := call.Args[1-i]; name != "" && c.text(arg) == c.text(s.LHS) && d.Kind == findings.AtomicAccess {
			c.atomicCall(d, s, name, s.LHS, c.text(other), c.fitsAtomic(other, target))
			return
		}
	}
}

// fitsAtomic reports whether a value can be added to an atomic as it is.
func (c *checker) fitsAtomic(value syntax.Expr, target *CheckedExpr) (fits bool) {
	c.quietly(func() {
		e := c.operand(value)
		fits = e != nil && conversionRank(e.ValueType(), target.Reference().Elem.(*Atomic).Elem) < never
	})
	return fits
}

// changeOf splits the value of an assignment that changes its target: count + 1, or max(count, x).
func (c *checker) changeOf(s *syntax.AssignStmt) (op syntax.Op, by syntax.Expr) {
	if s.Op != syntax.OpNone {
		return s.Op, s.RHS
	}
	target := c.text(s.LHS)
	b, ok := syntax.Unparen(s.RHS).(*syntax.BinaryExpr)
	switch {
	case !ok:
		return syntax.OpNone, nil
	case c.text(b.X) == target:
		return b.Op, b.Y
	case c.text(b.Y) == target && b.Op != syntax.OpSub:
		return b.Op, b.X
	}
	return syntax.OpNone, nil
}
