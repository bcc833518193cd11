package types

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/english"
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
