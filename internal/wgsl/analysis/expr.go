package analysis

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func sortObjects(list []*types.Object) {
	slices.SortFunc(list, func(a, b *types.Object) int { return int(a.Span().Start - b.Span().Start) })
}

// expr returns the node of an expression's value (§ 15.2.8).
func (w *walker) expr(cf nodeID, x syntax.Expr) nodeID {
	e := w.info.Exprs[x]
	if e == nil || e.Mode == types.ValueMode && e.Stage != types.RuntimeStage {
		return cf // constants and overrides are equal in all invocations
	}
	if memory := loads(w.info, x); memory != nil {
		return w.loaded(cf, w.view(cf, memory), x.Span())
	}
	if e.Mode == types.ValueMode {
		switch e.Type.(type) {
		case *types.Reference, *types.Pointer:
			return w.address(cf, w.view(cf, x))
		}
	}
	switch x := x.(type) {
	case *syntax.IdentExpr:
		return w.named(cf, x)
	case *syntax.ParenExpr:
		return w.expr(cf, x.X)
	case *syntax.UnaryExpr:
		return w.expr(cf, x.X)
	case *syntax.MemberExpr:
		return w.expr(cf, x.X)
	case *syntax.IndexExpr:
		return w.both(w.expr(cf, x.X), w.expr(cf, x.Index))
	case *syntax.BinaryExpr:
		return w.binary(cf, x)
	case *syntax.CallExpr:
		return w.call(cf, x)
	}
	return cf
}

// loads returns the memory view that is loaded where x is evaluated, or nil. It is x itself, or the
// pointer before the letters of several components: `p.xy` loads the whole vector (§ 8.5.1).
func loads(info *types.Info, x syntax.Expr) syntax.Expr {
	e := info.Exprs[x]
	if e == nil || e.Mode != types.ValueMode {
		return nil
	}
	if e.Loads() {
		return x
	}
	m, member := x.(*syntax.MemberExpr)
	if _, reference := e.Type.(*types.Reference); reference || !member {
		return nil
	}
	if _, pointer := info.ValueType(m.X).(*types.Pointer); pointer {
		return m.X
	}
	return nil
}

func (w *walker) both(a, b nodeID) nodeID {
	if a == b {
		return a
	}
	n := w.add(whyNothing, syntax.Span{}, "")
	w.edge(n, a, b)
	return n
}

func (w *walker) binary(cf nodeID, x *syntax.BinaryExpr) nodeID {
	if x.Op == syntax.OpLogicalAnd || x.Op == syntax.OpLogicalOr {
		left := w.add(whyBranch, x.X.Span(), x.Op.String())
		w.edge(left, w.expr(cf, x.X))
		return w.sometimes(func() nodeID { return w.expr(left, x.Y) })
	}
	// Long chains of operators nest in the left operand: follow them in a loop.
	var rights []syntax.Expr
	var left syntax.Expr = x
	for {
		b, ok := left.(*syntax.BinaryExpr)
		if !ok || b.Op == syntax.OpLogicalAnd || b.Op == syntax.OpLogicalOr {
			break
		}
		rights = append(rights, b.Y)
		left = b.X
	}
	n := w.expr(cf, left)
	for _, r := range slices.Backward(rights) {
		n = w.both(n, w.expr(cf, r))
	}
	return n
}

// sometimes evaluates an operand that may be skipped. Afterwards, a variable has its value from
// before or the one that a call in the operand stored.
func (w *walker) sometimes(operand func() nodeID) (value nodeID) {
	evaluated := w.through(Next, func() nodeID {
		value = operand()
		return value
	})
	w.join([]arm{evaluated, {Next, none, w.fork()}})
	return value
}

// named returns the value of a name that is not a memory view.
func (w *walker) named(cf nodeID, x *syntax.IdentExpr) nodeID {
	o := w.info.Uses[x]
	if v, known := w.declared[o]; known {
		return w.both(cf, v)
	}
	return cf
}

// address returns the value of a memory view that is not loaded: its location, not its contents.
func (w *walker) address(cf nodeID, v view) nodeID {
	if len(v.deps) == 0 {
		return cf
	}
	n := w.add(whyNothing, syntax.Span{}, "")
	w.edge(n, cf)
	w.edge(n, v.deps...)
	return n
}

// loaded returns the value in a memory view.
func (w *walker) loaded(cf nodeID, v view, at syntax.Span) nodeID {
	n := w.add(whyNothing, at, "")
	w.edge(n, cf)
	w.edge(n, v.deps...)
	switch {
	case v.root == nil:
		w.edge(n, nonUni)
	case w.tracked(v.root):
		w.edge(n, w.values.get(v.root))
	case mutable(v.root):
		w.nodes[n] = node{at, v.root.Name, whyMemory}
		w.edge(n, nonUni)
	}
	return n
}

// mutable reports whether code may write a module-scope variable, or the memory that a pointer
// points to.
func mutable(o *types.Object) bool {
	switch t := o.Type.(type) {
	case *types.Reference:
		return t.Access != types.Read && t.Space != types.SpaceHandle
	case *types.Pointer:
		return t.Access != types.Read && t.Space != types.SpaceHandle
	}
	return false
}

// view follows a memory view to its root.
func (w *walker) view(cf nodeID, x syntax.Expr) view {
	switch x := x.(type) {
	case *syntax.IdentExpr:
		o := w.info.Uses[x]
		if o == nil {
			return view{}
		}
		if v, pointer := w.pointers[o]; pointer {
			return v
		}
		return view{root: o, full: true}
	case *syntax.ParenExpr:
		return w.view(cf, x.X)
	case *syntax.UnaryExpr:
		return w.view(cf, x.X)
	case *syntax.IndexExpr:
		v := w.view(cf, x.X)
		return view{v.root, append(v.deps[:len(v.deps):len(v.deps)], w.expr(cf, x.Index)), false}
	case *syntax.MemberExpr:
		v := w.view(cf, x.X)
		return view{v.root, v.deps, false}
	case *syntax.CallExpr:
		if call := w.info.Calls[x]; call == nil || !call.Views() {
			return view{deps: []nodeID{w.expr(cf, x)}}
		}
		v := w.view(cf, x.Args[0])
		deps := v.deps[:len(v.deps):len(v.deps)]
		for _, place := range x.Args[1:] {
			deps = append(deps, w.expr(cf, place))
		}
		return view{v.root, deps, false}
	}
	return view{}
}

// require records that something must be uniform.
func (w *walker) require(r requirement) {
	if r.severity != findings.Off {
		w.required = append(w.required, r)
	}
}

// argument holds the nodes of a call's argument: its value, and the memory it points to.
type argument struct {
	value, contents nodeID
	view            view
}

func (w *walker) call(cf nodeID, x *syntax.CallExpr) nodeID {
	args := make([]argument, len(x.Args))
	for i, arg := range x.Args {
		args[i].contents = none
		if functionPointer(w.info.ValueType(arg)) {
			v := w.view(cf, arg)
			args[i] = argument{w.address(cf, v), w.loaded(cf, v, arg.Span()), v}
			continue
		}
		args[i].value = w.expr(cf, arg)
	}
	call := w.info.Calls[x]
	if call == nil || call.Kind == types.ConstructCall {
		return w.allOf(cf, args)
	}
	if call.Kind == types.BuiltinCall {
		return w.builtinCall(cf, x, call, args)
	}
	return w.userCall(cf, x, call.Function, args)
}

// allOf returns a node that depends on the control flow and every argument.
func (w *walker) allOf(cf nodeID, args []argument) nodeID {
	n := w.add(whyNothing, syntax.Span{}, "")
	w.edge(n, cf)
	for _, a := range args {
		w.edge(n, a.value)
	}
	return n
}

func (w *walker) builtinCall(cf nodeID, x *syntax.CallExpr, call *types.Call, args []argument) nodeID {
	tags := w.builtin(x, call)
	n := w.allOf(cf, args)
	if tags.nonUniResult {
		w.nodes[n] = node{x.Span(), call.Builtin.Name, whyCall}
		w.edge(n, nonUni)
	}
	if tags.required {
		c := class{tags.rule, w.filters[tags.rule]}
		w.require(requirement{class: c, builtin: x, target: cf})
		if tags.uniformArg >= 0 && tags.uniformArg < len(args) {
			w.require(requirement{class: c, builtin: x, value: x.Args[tags.uniformArg].Span(), target: args[tags.uniformArg].value})
		}
	}
	return n
}

func (w *walker) userCall(cf nodeID, x *syntax.CallExpr, f *types.Function, args []argument) nodeID {
	n := w.add(whyNothing, x.Span(), f.Object.Name)
	w.edge(n, cf)
	s := w.summaries[f]
	if s == nil {
		return n
	}
	if s.nonUniResult {
		w.nodes[n].why = whyCall
		w.edge(n, nonUni)
		w.callWhy[n] = s.resultWhy
	}
	w.passOn(x, s.callSite, cf)
	outs := make([]nodeID, len(args))
	for i := range args {
		if i >= len(s.params) {
			break
		}
		p := &s.params[i]
		w.passOn(x, p.value, args[i].value)
		if p.toResult {
			w.edge(n, args[i].value)
		}
		if args[i].contents != none {
			w.passOn(x, p.contents, args[i].contents)
			if p.contentsResult {
				w.edge(n, args[i].contents)
			}
			outs[i] = w.written(cf, x, f, p, args)
		}
	}
	for i, a := range args {
		if a.contents == none || a.view.root == nil || !w.tracked(a.view.root) {
			continue
		}
		if !a.view.full {
			w.edge(outs[i], w.values.get(a.view.root))
		}
		w.values.set(a.view.root, outs[i])
	}
	return n
}

// written returns the value that a call leaves in the memory that an argument points to:
// Vout(call).
func (w *walker) written(cf nodeID, x *syntax.CallExpr, f *types.Function, p *paramTags, args []argument) nodeID {
	n := w.add(whyPointer, x.Span(), f.Object.Name)
	w.edge(n, cf)
	if p.becomesNonUni {
		w.edge(n, nonUni)
		w.callWhy[n] = p.becomesWhy
	}
	for _, j := range p.fromValues {
		w.edge(n, args[j].value)
	}
	for _, j := range p.fromContents {
		w.edge(n, args[j].contents)
	}
	return n
}

// passOn adds the requirements of a called function to the caller's.
func (w *walker) passOn(x *syntax.CallExpr, list []requirement, target nodeID) {
	for _, r := range list {
		r.via = append([]syntax.Span{x.Span()}, r.via...)
		r.target = target
		w.require(r)
	}
}
