package reasons

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// readTooEarly returns where the shader reads a workgroup variable that only later statements
// write: it reads zeros. An empty region means that it doesn't. A loop around both may mean the
// value of the round before.
func (r *finder) readTooEarly(all []findings.Finding) findings.Region {
	for _, f := range all {
		read := f.Region
		stores := r.writing(f.Variable)
		if f.Kind != findings.UnwrittenRead || len(stores) == 0 {
			continue
		}
		late := !slices.ContainsFunc(stores, func(s syntax.Stmt) bool {
			store := r.Shader.Source.Region(s.Span())
			return store.Line <= read.Line || r.loopAround(read) != read && r.loopAround(read) == r.loopAround(store)
		})
		if late {
			return read
		}
	}
	return findings.Region{}
}

// keeping returns the condition without else that decides whether a workgroup variable is written
// which a place reads: where it is false, the variable keeps an older value. The region is empty if
// there is none, or if the variable is also written under no condition.
func (r *finder) keeping(at findings.Region) findings.Region {
	for _, o := range r.Entry.Workgroup {
		if !r.names(at, o) {
			continue
		}
		var conditions []findings.Region
		stores := r.writing(o.Name)
		for _, s := range stores {
			for around := range syntax.All[*syntax.IfStmt](r.Shader.File) {
				if around.Else == nil && around.Then.Span().Contains(s.Span()) {
					conditions = append(conditions, r.Shader.Source.Region(around.Cond.Span()))
				}
			}
		}
		if len(stores) > 0 && len(conditions) == len(stores) && r.loopAround(conditions[0]) != conditions[0] {
			return conditions[0]
		}
	}
	return findings.Region{}
}

// names reports whether a place names a variable.
func (r *finder) names(at findings.Region, o *types.Object) bool {
	for ident := range syntax.All[*syntax.IdentExpr](r.Shader.File) {
		if line := r.Shader.Source.Region(ident.Span()).Line; r.Shader.Info.Uses[ident] == o && at.Line <= line && line <= at.EndLine {
			return true
		}
	}
	return false
}

// writing returns the statements that assign to a variable or an element of it.
func (r *finder) writing(name string) (stores []syntax.Stmt) {
	for s := range syntax.All[syntax.Stmt](r.Shader.File) {
		if x := syntax.Assigned(s); x != nil && rootOf(x) == name {
			stores = append(stores, s)
		}
	}
	return stores
}

// onlyAt returns the condition of a barrier that ends or begins at one of some offsets, or is in
// the same loop as the first: the barrier is there already, but not for everyone or in every round.
// It returns nil if there is none.
func (r *finder) onlyAt(offsets ...int32) syntax.Expr {
	for around := range syntax.All[*syntax.IfStmt](r.Shader.File) {
		if around.Else != nil || len(around.Then.List) != 1 {
			continue
		}
		call, ok := around.Then.List[0].(*syntax.CallStmt)
		if !ok || call.Call.Callee.Name.Name != "workgroupBarrier" {
			continue
		}
		text, at := r.Shader.Source.Text, around.Span()
		if slices.ContainsFunc(offsets, func(offset int32) bool { return blank(text, at.End, offset) || blank(text, offset, at.Start) }) {
			return around.Cond
		}
		here, there := r.Shader.Source.Region(at), r.Shader.Source.Region(syntax.Span{Start: offsets[0], End: offsets[0]})
		if loop := r.loopAround(here); loop != here && loop == r.loopAround(there) {
			return around.Cond
		}
	}
	return nil
}

// blank reports whether a part of a text is in order and has only spaces.
func blank(text string, from, to int32) bool {
	return from <= to && oneLine(text[from:to]) == ""
}
