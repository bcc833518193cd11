package types

import (
	"maps"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Inspect checks an expression that is not part of the shader, as if it were written in f at
// offset. It uses the names in scope there, and loads a reference. source is the expression's own
// text, which the spans of the diagnostics refer to. The returned pipeline is a copy whose Info
// contains only the expression.
func (p *Pipeline) Inspect(source *syntax.Source, x syntax.Expr, f *Function, offset int32) (*Pipeline, []*findings.Finding) {
	info := *p.Info
	info.File, info.Scopes = &syntax.File{Source: source}, nil
	info.Exprs, info.Uses = map[syntax.Expr]*Expr{}, map[*syntax.IdentExpr]*Object{}
	info.Defs, info.Calls = map[*syntax.Ident]*Object{}, map[*syntax.CallExpr]*Call{}
	c := &checker{features: AllFeatures, info: &info, unknown: map[string]bool{}, module: map[string]*Object{}}
	module := p.Info.Scopes[0]
	for _, o := range module.Objects {
		c.module[o.Name] = o
	}
	c.scope = &Scope{Parent: module, Objects: p.Info.localsAt(offset)}
	inside := &Function{Object: &Object{Kind: FunctionObject, Name: f.Object.Name, Global: true, state: resolved}, Decl: f.Decl, Params: f.Params}
	c.function, c.owner = inside, inside.Object
	if e := c.value(x); e != nil && c.concretize(x, e) {
		c.storedValue(x, Concrete(e.ValueType()), "let")
	}
	b := &pipelineBuilder{Pipeline: &Pipeline{
		Info: &info, Entry: p.Entry, WorkgroupSize: p.WorkgroupSize, SubgroupSize: p.SubgroupSize,
		Overrides: maps.Clone(p.Overrides), values: maps.Clone(p.values),
	}}
	if !findings.HasErrors(c.diagnostics) {
		b.walk(x)
	}
	return b.Pipeline, append(c.diagnostics, b.diagnostics...)
}

// localsAt returns the names of a function that are in scope at an offset, outer ones first.
func (info *Info) localsAt(offset int32) (known []*Object) {
	for _, s := range info.Scopes { // outer scopes before inner ones
		if s.Parent == nil || offset < s.Span.Start || s.Span.End <= offset {
			continue
		}
		for _, o := range s.Objects {
			if o.from <= offset {
				known = append(known, o)
			}
		}
	}
	return known
}
