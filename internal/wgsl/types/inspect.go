package types

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Inspect checks an expression that is not part of the shader, as if it were written in f at
// offset. It uses the names in scope there, and loads a reference. source is the expression's own
// text, which the spans of the diagnostics refer to. The returned pipeline is a copy whose Info
// contains only the expression. Unless there are errors, the time doesn't grow with the shader.
func (p *Pipeline) Inspect(source *syntax.Source, x syntax.Expr, f *Function, offset int32) (*Pipeline, []*findings.Finding) {
	pipeline, list := p.inspect(source, x, f, p.Info.scopeAt(offset), offset)
	if findings.HasErrors(list) { // suggestions need a list of the names, and not only an index
		visible := &Scope{Parent: p.Info.Scopes[0], Objects: p.Info.localsAt(offset)}
		return p.inspect(source, x, f, visible, offset)
	}
	return pipeline, list
}

func (p *Pipeline) inspect(source *syntax.Source, x syntax.Expr, f *Function, scope *Scope, offset int32) (*Pipeline, []*findings.Finding) {
	info := *p.Info
	info.File, info.Scopes = &syntax.TranslationUnit{Source: source}, nil
	info.Exprs, info.Uses = map[syntax.Expr]*CheckedExpr{}, map[*syntax.IdentExpr]*Object{}
	info.Defs, info.Calls = map[*syntax.Ident]*Object{}, map[*syntax.CallExpr]*Call{}
	c := &checker{features: AllFeatures, info: &info, unknown: map[string]role{}, module: info.module, scope: scope, upTo: offset}
	inside := &Function{Object: &Object{Kind: FunctionObject, Name: f.Object.Name, Global: true, state: resolved}, Decl: f.Decl, Params: f.Params}
	c.function, c.owner = inside, inside.Object
	if e := c.value(x); e != nil && c.concretize(x, e) {
		c.storedValue(x, Concrete(e.ValueType()), "let")
	}
	b := &pipelineBuilder{
		Pipeline: &Pipeline{
			Info: &info, Entry: p.Entry, WorkgroupSize: p.WorkgroupSize, SubgroupSize: p.SubgroupSize,
			Overrides: p.Overrides, values: map[syntax.Expr]Value{}, around: p,
		},
	}
	if !findings.HasErrors(c.diagnostics) {
		b.walk(x)
	}
	return b.Pipeline, append(c.diagnostics, b.diagnostics...)
}

// NotThere reports a name in an inspected expression that the entry point does not use: nothing is
// bound to such a variable, and such a function may need one. A function may also not call itself.
func (p *Pipeline) NotThere(inspected *Info, inside *Function) *findings.Finding {
	e := p.Entry
	for x, o := range inspected.Uses {
		if o.Global && o.Kind == VarObject && o != e.Immediate && !slices.Contains(e.Resources, o) && !slices.Contains(e.Workgroup, o) && !slices.Contains(e.Private, o) {
			return findings.Errorf("not-there", x.Span(), "The entry point does not use `%s`, so nothing is bound to it.", o.Name)
		}
	}
	for x, call := range inspected.Calls {
		if call.Kind != UserCall {
			continue
		}
		if !slices.Contains(e.Functions, call.Function) {
			return findings.Errorf("not-there", x.Span(), "The entry point does not call `%s`, so it cannot be called here.", call.Function.Object.Name)
		}
		if reaches(call.Function, inside) {
			return findings.Errorf("recursion", x.Span(), "`%s` cannot be called while it runs.", inside.Object.Name)
		}
	}
	return nil
}

func reaches(from, to *Function) bool {
	return from == to || slices.ContainsFunc(from.Calls, func(c CallSite) bool { return reaches(c.Callee, to) })
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

// A scopeIndex finds scopes by their place.
type scopeIndex struct {
	once   sync.Once
	sorted []*Scope // by their starts, outer scopes before inner ones
}

// scopeAt returns the innermost scope at an offset.
func (info *Info) scopeAt(offset int32) *Scope {
	info.index.once.Do(func() {
		info.index.sorted = slices.Clone(info.Scopes)
		slices.SortStableFunc(info.index.sorted, func(a, b *Scope) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	})
	after := sort.Search(len(info.index.sorted), func(i int) bool { return info.index.sorted[i].Span.Start > offset })
	if after == 0 {
		return info.Scopes[0]
	}
	s := info.index.sorted[after-1]
	for s.Parent != nil && s.Span.End <= offset {
		s = s.Parent
	}
	return s
}
