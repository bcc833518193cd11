package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// effects records where a function and its callees read and write memory through each root
// identifier: module-scope variables and pointer parameters (§ 11.4.1).
type effects struct {
	reads, writes map[*types.Object]syntax.Span
}

// aliases reports calls that could reach the same memory by two names and write through one of them
// (§ 11.4.1.2).
func aliases(info *types.Info, order []*types.Function) []*findings.Finding {
	a := &aliasing{info: info, effects: make(map[*types.Function]*effects, len(order))}
	for _, f := range order {
		a.current = &effects{map[*types.Object]syntax.Span{}, map[*types.Object]syntax.Span{}}
		syntax.Walk(f.Decl.Body, a.visit, nil)
		a.effects[f] = a.current
	}
	return a.diagnostics
}

type aliasing struct {
	info        *types.Info
	effects     map[*types.Function]*effects
	current     *effects
	diagnostics []*findings.Finding
}

func (a *aliasing) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		if n.LHS != nil {
			a.writes(n.LHS)
			if n.Op != syntax.OpNone {
				a.reads(n.LHS)
			}
		}
	case *syntax.IncDecStmt:
		a.writes(n.X)
		a.reads(n.X)
	case *syntax.CallExpr:
		a.call(n)
	}
	if x, ok := n.(syntax.Expr); ok && loads(a.info, x) != nil {
		a.reads(x)
	}
	return true
}

func (a *aliasing) reads(x syntax.Expr)  { record(a.current.reads, a.info.Root(x), x.Span()) }
func (a *aliasing) writes(x syntax.Expr) { record(a.current.writes, a.info.Root(x), x.Span()) }

// record keeps the first place for each root that is visible to callers.
func record(places map[*types.Object]syntax.Span, root *types.Object, at syntax.Span) {
	if root == nil || !(root.Kind == types.ParamObject || root.Global) {
		return
	}
	if _, known := places[root]; !known {
		places[root] = at
	}
}

func (a *aliasing) call(x *syntax.CallExpr) {
	call := a.info.Calls[x]
	switch {
	case call == nil:
	case call.Kind == types.BuiltinCall:
		a.builtin(x, call)
	case call.Kind == types.UserCall:
		a.user(x, call.Function)
	}
}

// builtin records how a builtin function accesses the memory that its first argument points to.
func (a *aliasing) builtin(x *syntax.CallExpr, call *types.Call) {
	if len(x.Args) == 0 {
		return
	}
	if _, pointer := a.info.ValueType(x.Args[0]).(*types.Pointer); !pointer {
		return
	}
	switch call.Builtin.Name {
	case "arrayLength", "bufferLength", "bufferView", "bufferArrayView":
	case "atomicLoad", "workgroupUniformLoad":
		a.reads(x.Args[0])
	case "atomicStore":
		a.writes(x.Args[0])
	default:
		a.reads(x.Args[0])
		a.writes(x.Args[0])
	}
}

// inherit adds a callee's accesses to module-scope variables.
func inherit(places, callee map[*types.Object]syntax.Span) {
	for root, at := range callee {
		if root.Global {
			record(places, root, at)
		}
	}
}

// user checks a call of a function that the shader declares and adds its effects to the caller's.
func (a *aliasing) user(x *syntax.CallExpr, f *types.Function) {
	callee := a.effects[f]
	if callee == nil {
		return
	}
	inherit(a.current.reads, callee.reads)
	inherit(a.current.writes, callee.writes)
	roots := make([]*types.Object, min(len(x.Args), len(f.Params)))
	for i := range roots {
		if _, pointer := f.Params[i].Type.(*types.Pointer); !pointer {
			continue
		}
		root := a.info.Root(x.Args[i])
		roots[i] = root
		if root == nil {
			continue
		}
		a.against(x, f, callee, i, root)
		for j, other := range roots[:i] {
			if other == root {
				a.pair(x, f, callee, j, i, root)
			}
		}
		if at, ok := callee.reads[f.Params[i]]; ok {
			record(a.current.reads, root, at)
		}
		if at, ok := callee.writes[f.Params[i]]; ok {
			record(a.current.writes, root, at)
		}
	}
}

// conflict returns where the function accesses two roots, if it writes through one of them.
func (e *effects) conflict(a, b *types.Object) (atA, atB syntax.Span, conflict bool) {
	writeA, writesA := e.writes[a]
	writeB, writesB := e.writes[b]
	readA, readsA := e.reads[a]
	readB, readsB := e.reads[b]
	switch {
	case writesA && writesB:
		return writeA, writeB, true
	case writesA && readsB:
		return writeA, readB, true
	}
	return readA, writeB, readsA && writesB
}

// pair reports two arguments that point into the same variable if the function uses both and writes
// through one.
func (a *aliasing) pair(x *syntax.CallExpr, f *types.Function, callee *effects, i, j int, root *types.Object) {
	first, second, conflict := callee.conflict(f.Params[i], f.Params[j])
	if !conflict {
		return
	}
	a.diagnostics = append(a.diagnostics,
		findings.Errorf("aliased-pointers", x.Args[j].Span(), "Two arguments of this call point into `%s`, and `%s` writes through one of them.", root.Name, f.Object.Name).
			Try("Give the function two different variables, or only one pointer.").
			See(x.Args[i].Span(), "the other argument that points into `%s`", root.Name).
			See(first, "used through `%s`", f.Params[i].Name).
			See(second, "used through `%s`", f.Params[j].Name))
}

// against reports an argument that points into a module-scope variable that the function also
// accesses by name.
func (a *aliasing) against(x *syntax.CallExpr, f *types.Function, callee *effects, i int, root *types.Object) {
	byPointer, byName, conflict := callee.conflict(f.Params[i], root)
	if !root.Global || !conflict {
		return
	}
	a.diagnostics = append(a.diagnostics,
		findings.Errorf("aliased-pointers", x.Args[i].Span(), "This argument points into `%s`, which `%s` also uses by its name, and one of the two writes.", root.Name, f.Object.Name).
			Try("Let the function use `%s` in only one way: by the pointer or by the name.", root.Name).
			See(byPointer, "used through the pointer").See(byName, "used by its name"))
}
