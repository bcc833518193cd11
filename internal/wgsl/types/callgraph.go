package types

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// stageNeed records that the current function needs one of the stages (bits 1<<ShaderStage).
func (c *checker) stageNeed(at syntax.Node, what string, stages uint8) {
	if c.function != nil {
		c.function.needs = append(c.function.needs, stageNeed{at.Span(), what, stages})
	}
}

// stageNeed is a construct in a function that only some stages support.
type stageNeed struct {
	span   syntax.Span
	what   string
	stages uint8
}

// callGraph reports recursion, which WGSL forbids (§ 11.4).
func (c *checker) callGraph() {
	state := map[*Function]resolveState{}
	var visit func(f *Function, depth int)
	visit = func(f *Function, depth int) {
		state[f] = resolving
		for _, call := range f.Calls {
			switch state[call.Callee] {
			case resolving:
				c.errorf("recursion", call.Call.Callee, "`%s` calls itself, directly or through others, and WGSL has no recursion.", call.Callee.Object.Name).
					See(call.Callee.Object.Span(), "`%s` is declared here.", call.Callee.Object.Name).Try("Write a loop.")
				c.recursive = true
			case unresolved:
				if depth >= maxChain {
					c.errorf("too-deep", call.Call.Callee, "More than %d functions call each other in a row here.", maxChain)
					c.recursive = true
					return
				}
				visit(call.Callee, depth+1)
			}
		}
		state[f] = resolved
	}
	for _, f := range c.info.Functions {
		if state[f] == unresolved {
			visit(f, 0)
		}
	}
}

// entryPoints finds everything that each entry point needs, and checks it against its stage
// (§ 13.3.2, § 14.3).
func (c *checker) entryPoints() {
	for _, f := range c.info.Functions {
		for _, o := range f.Object.mentions {
			if o.Kind == VarObject || o.Kind == OverrideObject || o.Kind == ConstObject {
				f.Globals = append(f.Globals, o)
			}
		}
	}
	if c.recursive {
		return
	}
	c.parameterViews()
	for _, e := range c.info.EntryPoints {
		c.reach(e)
		if c.reachBudget < 0 {
			c.errorf("too-many", e.Decl.Name, "The entry points use so many functions and declarations that they cannot all be followed.")
			return
		}
		c.stageRules(e)
		c.bindingConflicts(e)
	}
}

// reach follows calls and names from the entry point. Everything it finds is statically accessed
// (§ 13.3).
func (c *checker) reach(e *EntryPoint) {
	in, used := map[*Function]bool{}, map[*Object]bool{}
	var name func(o *Object)
	name = func(o *Object) {
		for _, m := range o.mentions {
			if c.reachBudget--; c.reachBudget < 0 {
				return
			}
			if m.Kind != FunctionObject && !used[m] {
				used[m] = true
				name(m)
			}
		}
	}
	var visit func(f *Function)
	visit = func(f *Function) {
		in[f] = true
		name(f.Object)
		for _, call := range f.Calls {
			if c.reachBudget--; c.reachBudget < 0 {
				return
			}
			if !in[call.Callee] {
				visit(call.Callee)
			}
		}
		e.Functions = append(e.Functions, f) // after those that it calls
	}
	visit(e.Function)
	for _, o := range c.info.Globals {
		if !used[o] || o.Type == nil {
			continue
		}
		switch o.Space() {
		case SpaceWorkgroup:
			e.Workgroup = append(e.Workgroup, o)
		case SpacePrivate:
			e.Private = append(e.Private, o)
		case SpaceImmediate:
			if e.Immediate != nil {
				c.errorf("two-immediates", e.Decl.Name, "`%s` uses two immediate variables, `%s` and `%s`, but only one is allowed.", e.Object.Name, e.Immediate.Name, o.Name)
			}
			e.Immediate = o
		default:
			if o.Group != nil && o.Binding != nil {
				e.Resources = append(e.Resources, o)
			}
		}
	}
	for _, o := range c.info.Overrides {
		if used[o] {
			e.Overrides = append(e.Overrides, o)
		}
	}
	byBinding(e.Resources)
}

func (c *checker) stageRules(e *EntryPoint) {
	for _, f := range e.Functions {
		for _, need := range f.needs {
			if need.stages&(1<<e.Stage) == 0 {
				d := c.report(findings.Errorf("wrong-stage", need.span, "%s cannot be used in a %s shader.", need.what, e.Stage))
				if f != e.Function {
					d.See(e.Object.Span(), "The entry point `%s` reaches it.", e.Object.Name)
				}
			}
		}
	}
	if e.Stage != ComputeStage && len(e.Workgroup) > 0 {
		o := e.Workgroup[0]
		c.errorf("wrong-stage", e.Decl.Name, "`%s` is in workgroup memory, which only compute shaders have, and `%s` is a %s shader.", o.Name, e.Object.Name, e.Stage).
			See(o.Span(), "`%s` is declared here.", o.Name)
	}
	if e.Stage != VertexStage {
		return
	}
	for _, o := range e.Resources {
		texture, storage := o.Store().(*Texture)
		writes := o.Space() == SpaceStorage && o.Access().Writes() || storage && texture.Kind == StorageTexture && texture.Access.Writes()
		if writes {
			c.errorf("wrong-stage", e.Decl.Name, "A vertex shader cannot write to memory that others see, but `%s` is writable.", o.Name).
				See(o.Span(), "`%s` is declared here.", o.Name)
		}
	}
}

func (c *checker) bindingConflicts(e *EntryPoint) {
	for i := 1; i < len(e.Resources); i++ {
		a, b := e.Resources[i-1], e.Resources[i]
		if *a.Group == *b.Group && *a.Binding == *b.Binding {
			c.errorf("binding-conflict", b.Ident, "`%s` and `%s` are both `@group(%d) @binding(%d)`.", a.Name, b.Name, *b.Group, *b.Binding).
				See(a.Span(), "`%s` is declared here.", a.Name).Try("Give one of them another binding.")
		}
	}
}
