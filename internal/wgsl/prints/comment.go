package prints

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// layouts returns the comments of the shader, with the code of those that the entry point can
// reach.
func (w *rewriter) layouts() (list []RecordLayout) {
	wrong := Problems(w.info)
	for _, c := range Of(w.info.File) {
		l := RecordLayout{Print: c, Problem: wrong[c.Span.Start]}
		if l.Problem == "" {
			l.Problem = w.fill(&l)
		}
		list = append(list, l)
	}
	return list
}

// fill adds the code of a comment, or returns why it shows nothing.
func (w *rewriter) fill(l *RecordLayout) (problem string) {
	i := slices.IndexFunc(w.pipeline.Entry.Functions, func(f *types.Function) bool { return f.Decl.Body.Span().Contains(l.Span) })
	if i < 0 {
		return NotReached
	}
	f := w.pipeline.Entry.Functions[i]
	if l.Condition.Text != "" {
		condition, problem := w.value(l, f, l.Condition)
		if problem != "" {
			return problem
		}
		l.condition = condition.Text
	}
	for _, p := range l.Values {
		v, problem := w.value(l, f, p)
		if problem != "" {
			return problem
		}
		l.types = append(l.types, v.Type)
		l.arguments = append(l.arguments, argumentsOf(v)...)
	}
	l.writes = !afterJump(f.Decl.Body, l.Span)
	return ""
}

// value returns an expression of a comment as the shader may write it, or why it has no value.
func (w *rewriter) value(l *RecordLayout, f *types.Function, p PrintedExpression) (v InspectedValue, problem string) {
	v, wrong := l.Inspect(w.pipeline, f, p.Text)
	if wrong != nil && wrong.Kind == findings.AtomicAccess {
		if loaded, again := l.Inspect(w.pipeline, f, "atomicLoad(&("+p.Text+"))"); again == nil {
			v, wrong = loaded, nil
		}
	}
	if wrong == nil {
		wrong = w.pipeline.NotThere(v.Info, f)
	}
	if wrong != nil {
		return v, strings.TrimSpace(wrong.Message + " " + wrong.Hint)
	}
	for _, call := range v.Info.Calls {
		if harm := w.harmOf(call); harm != "" {
			return v, fmt.Sprintf("On a device, `%s` can't be printed: %s. Give the value a name with `let` before the comment, and print that.", p.Text, harm)
		}
	}
	if unnamed(v.Type) {
		return v, fmt.Sprintf("On a device, `%s` can't be printed: no shader can name its type, %s. Print its parts.", p.Text, v.Type)
	}
	return v, ""
}

// harmOf says what a call does that a comment must not do: a comment doesn't change what the shader
// does.
func (w *rewriter) harmOf(call *types.Call) string {
	switch {
	case call.Kind == types.UserCall:
		return w.harmIn(call.Function)
	case call.Kind != types.BuiltinCall:
		return ""
	case call.Builtin.Uniform:
		return fmt.Sprintf("`%s` waits for other invocations", call.Builtin.Name)
	case strings.HasPrefix(call.Builtin.Name, "atomic") && call.Builtin.Name != "atomicLoad", call.Builtin.Name == "textureStore":
		return fmt.Sprintf("`%s` changes memory", call.Builtin.Name)
	}
	return ""
}

// harmIn is harmOf for everything in a function. A write through a pointer counts: what it points
// to is the caller's.
func (w *rewriter) harmIn(f *types.Function) (harm string) {
	if known, seen := w.harms[f]; seen {
		return known
	}
	name := f.Object.Name
	for _, c := range Of(w.info.File) {
		if f.Decl.Body.Span().Contains(c.Span) {
			harm = fmt.Sprintf("`%s` has a print comment itself", name)
		}
	}
	written := func(x syntax.Expr) {
		if root := w.info.Root(x); root != nil && (root.Global || root.Kind == types.ParamObject) {
			harm = fmt.Sprintf("`%s` changes `%s`", name, root.Name)
		}
	}
	syntax.Walk(f.Decl.Body, func(n syntax.Node) bool {
		written(syntax.Assigned(n))
		if x, ok := n.(*syntax.CallExpr); ok && w.info.Calls[x] != nil && harm == "" {
			harm = w.harmOf(w.info.Calls[x])
		}
		return harm == ""
	}, nil)
	w.harms[f] = harm
	return harm
}

// afterJump reports whether a place comes after a statement that ends its block. No invocation gets
// there, and some compilers refuse a statement there.
func afterJump(body *syntax.BlockStmt, at syntax.Span) (found bool) {
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LoopStmt:
			if n.Continuing != nil && n.Continuing.Span().Contains(at) { // a continue ends the body before it
				found = found || afterJump(n.Continuing.Body, at)
				return false
			}
		case *syntax.BlockStmt:
			found = found || n.Span().Contains(at) && slices.ContainsFunc(n.List, func(s syntax.Stmt) bool { return jumps(s) && s.Span().End <= at.Start })
		}
		return !found
	}, nil)
	return found
}

func jumps(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.ReturnStmt, *syntax.BreakStmt, *syntax.ContinueStmt, *syntax.DiscardStmt:
		return true
	}
	return false
}
