package reasons

import (
	"cmp"
	"slices"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// sharedBase returns where a variable is declared that is in the index of every read of an input,
// if the element uses the right pattern of inputs in the wrong place: then each read is right but
// for what they share. It returns an empty region if there is no such variable, or only one read.
func (r *finder) sharedBase(t *evidence.Trace, d *difference) (declared findings.Region) {
	if !d.displaced() {
		return declared
	}
	var shared []*types.Object
	reads := r.indicesOf(t, d.surplus[0].Binding)
	for i, read := range reads {
		locals := r.localsIn(read.Index)
		if i == 0 {
			shared = locals
		}
		shared = slices.DeleteFunc(shared, func(o *types.Object) bool { return !slices.Contains(locals, o) })
	}
	if len(reads) < 2 || len(shared) == 0 {
		return declared
	}
	last := slices.MaxFunc(shared, func(a, b *types.Object) int { return cmp.Compare(a.Span().Start, b.Span().Start) })
	return r.Shader.Source.Region(last.Span())
}

// displaced reports whether the element uses what it needs of one input, but moved by the same
// number of elements each.
func (d *difference) displaced() bool {
	if len(d.missing) == 0 || len(d.surplus) == 0 {
		return false
	}
	binding := d.surplus[0].Binding
	var uses []int
	for _, w := range d.uses {
		if w.Binding == binding {
			uses = append(uses, w.Index)
		}
	}
	needs := slices.DeleteFunc(slices.Clone(uses), func(i int) bool { return slices.Contains(d.surplus, sim.Word{Binding: binding, Index: i}) })
	for _, w := range d.missing {
		if w.Binding == binding {
			needs = append(needs, w.Index)
		}
	}
	slices.Sort(needs)
	slices.Sort(uses)
	if len(needs) != len(uses) {
		return false
	}
	for i := range needs {
		if needs[i]-uses[i] != needs[0]-uses[0] {
			return false
		}
	}
	return true
}

// indicesOf returns the expressions that read an element of a binding, of those that were executed.
func (r *finder) indicesOf(t *evidence.Trace, binding int) []*syntax.IndexExpr {
	at := map[findings.Region]bool{}
	for _, a := range t.Accesses {
		if t.Sites[a.Site].Kind == ir.Read && t.BindingOf(a) == binding {
			at[t.Sites[a.Site].Span] = true
		}
	}
	var found []*syntax.IndexExpr
	for index := range syntax.All[*syntax.IndexExpr](r.Shader.File) {
		if at[r.Shader.Source.Region(index.Span())] {
			found = append(found, index)
		}
	}
	return found
}

// localsIn returns the local variables and values in an expression.
func (r *finder) localsIn(x syntax.Expr) []*types.Object {
	var found []*types.Object
	for ident := range syntax.All[*syntax.IdentExpr](x) {
		o := r.Shader.Info.Uses[ident]
		if o != nil && (o.Kind == types.LetObject || o.Kind == types.VarObject) && r.isLocal(o) {
			found = append(found, o)
		}
	}
	return found
}

// isLocal reports whether a variable is declared in a function.
func (r *finder) isLocal(o *types.Object) bool {
	return slices.ContainsFunc(r.Shader.File.Decls, func(d syntax.Decl) bool {
		f, ok := d.(*syntax.FuncDecl)
		return ok && f.Span().Start <= o.Span().Start && o.Span().End <= f.Span().End
	})
}
