package sim

import (
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A loopEnd is what decides whether a loop ends, as far as its text says.
type loopEnd struct {
	machine *machine
	loop    syntax.Node
	names   []*types.Object // variables in its conditions
	memory  []*types.Object // that others may change
	groups  bool            // functions of subgroups
	seen    map[any]bool    // functions, and variables of the loop
}

// endOf reads what ends a loop: its own condition, and those of statements that leave it.
func (m *machine) endOf(loop syntax.Span) *loopEnd {
	e := &loopEnd{machine: m, seen: map[any]bool{}}
	for s := range syntax.All[syntax.Stmt](m.Pipeline.Info.File) {
		switch s.(type) {
		case *syntax.LoopStmt, *syntax.WhileStmt, *syntax.ForStmt:
			if s.Span() == loop {
				e.loop = s
			}
		}
	}
	if e.loop == nil {
		return e
	}
	var around []syntax.Node // the statements in the loop around a node, from the loop on
	syntax.Walk(e.loop, func(n syntax.Node) bool {
		around = append(around, n)
		switch n := n.(type) {
		case *syntax.BreakStmt:
			if of := slices.IndexFunc(around[1:], breaks); of < 0 {
				e.conditions(around)
			}
		case *syntax.BreakIfStmt:
			if of := slices.IndexFunc(around[1:], isLoop); of < 0 {
				e.conditions(around)
				e.condition(n.Cond)
			}
		case *syntax.ReturnStmt:
			e.conditions(around)
		}
		return true
	}, func(syntax.Node) { around = around[:len(around)-1] })
	switch s := e.loop.(type) {
	case *syntax.WhileStmt:
		e.condition(s.Cond)
	case *syntax.ForStmt:
		e.condition(s.Cond)
	}
	sort.Slice(e.names, func(i, j int) bool { return e.names[i].Span().Start < e.names[j].Span().Start })
	return e
}

func isLoop(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.LoopStmt, *syntax.WhileStmt, *syntax.ForStmt:
		return true
	}
	return false
}

// breaks reports whether a break in a statement leaves only that.
func breaks(n syntax.Node) bool {
	_, isSwitch := n.(*syntax.SwitchStmt)
	return isSwitch || isLoop(n)
}

// conditions adds those of the statements around one that leaves the loop.
func (e *loopEnd) conditions(around []syntax.Node) {
	for _, n := range around[1:] {
		switch n := n.(type) {
		case *syntax.IfStmt:
			e.condition(n.Cond)
		case *syntax.SwitchStmt:
			e.condition(n.X)
		case *syntax.WhileStmt:
			e.condition(n.Cond)
		case *syntax.ForStmt:
			e.condition(n.Cond)
		}
	}
}

func (e *loopEnd) condition(x syntax.Expr) {
	if x == nil {
		return
	}
	for _, o := range e.read(x) {
		if !slices.Contains(e.names, o) {
			e.names = append(e.names, o)
		}
	}
}

// read notes what an expression depends on, through the loop's statements and the functions that it
// calls. It returns the variables that the expression itself names.
func (e *loopEnd) read(n syntax.Node) (names []*types.Object) {
	info := e.machine.Pipeline.Info
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			call := info.Calls[n]
			switch {
			case call == nil:
			case call.Function != nil:
				e.readFunction(call.Function)
			case call.Builtin != nil && call.Builtin.Name == "arrayLength":
				return false
			case call.Builtin != nil && (strings.HasPrefix(call.Builtin.Name, "subgroup") || strings.HasPrefix(call.Builtin.Name, "quad")):
				e.groups = true
			}
		case *syntax.IdentExpr:
			o := info.Uses[n]
			if o == nil || o.Kind != types.VarObject && o.Kind != types.LetObject && o.Kind != types.ParamObject {
				break
			}
			names = append(names, o)
			e.depend(o)
		}
		return true
	}, nil)
	return names
}

// readFunction notes what the result of a function may depend on.
func (e *loopEnd) readFunction(f *types.Function) {
	if !e.seen[f] {
		e.seen[f] = true
		e.read(f.Decl.Body)
	}
}

// depend notes what a variable depends on: the memory that it is, or what the loop gives it.
func (e *loopEnd) depend(o *types.Object) {
	if e.seen[o] {
		return
	}
	e.seen[o] = true
	if e.machine.changedByOthers(o) {
		e.memory = append(e.memory, o)
		return
	}
	info := e.machine.Pipeline.Info
	for n := range syntax.All[syntax.Node](e.loop) {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			if n.LHS != nil && info.Root(n.LHS) == o {
				e.read(n.RHS)
			}
		case *syntax.LetDecl:
			if n == o.Decl {
				e.read(n.Init)
			}
		case *syntax.VarDecl:
			if n == o.Decl && n.Init != nil {
				e.read(n.Init)
			}
		}
	}
	if let, ok := o.Decl.(*syntax.LetDecl); ok && isPointer(o) {
		e.read(let.Init)
	}
}

func isPointer(o *types.Object) bool {
	_, is := o.Store().(*types.Pointer)
	return is
}

// changedByOthers reports whether other invocations may change a variable.
func (m *machine) changedByOthers(o *types.Object) bool {
	if p, ok := o.Store().(*types.Pointer); ok && o.Kind == types.ParamObject {
		return p.Space == types.SpaceWorkgroup || p.Space == types.SpaceStorage && p.Access.Writes()
	}
	return o.Space() == types.SpaceWorkgroup || slices.ContainsFunc(m.Bindings, func(b ir.Binding) bool { return b.Object == o && b.Writable })
}

// changes reports whether the loop itself may change a variable.
func (e *loopEnd) changes(o *types.Object) bool {
	return e.writes(e.loop, o, map[*types.Function]bool{})
}

func (e *loopEnd) writes(in syntax.Node, o *types.Object, seen map[*types.Function]bool) (found bool) {
	info := e.machine.Pipeline.Info
	may := func(x syntax.Expr) {
		root := info.Root(x)
		found = found || root == o || root != nil && isPointer(root) // it may point there
	}
	for n := range syntax.All[syntax.Node](in) {
		may(syntax.Assigned(n))
		if n, ok := n.(*syntax.CallExpr); ok && info.Calls[n] != nil {
			call := info.Calls[n]
			if call.Function != nil && !seen[call.Function] {
				seen[call.Function] = true
				found = found || e.writes(call.Function.Decl.Body, o, seen)
			}
			if b := call.Builtin; b != nil && len(n.Args) > 0 && (strings.HasPrefix(b.Name, "atomic") && b.Name != "atomicLoad" || strings.HasPrefix(b.Name, "textureStore")) {
				may(n.Args[0])
			}
		}
	}
	return found
}

// text says what the loop waits for. changes are the slots that changed in further rounds; nil if
// there was no round.
func (e *loopEnd) text(inv *invocation, changes map[uint32]bool) string {
	if len(e.names) == 0 && len(e.memory) == 0 && !e.groups {
		return "nothing in the loop can end it"
	}
	var own, others []string
	for _, o := range e.memory {
		if name := "`" + o.Name + "`"; e.changes(o) {
			own = append(own, name)
		} else {
			others = append(others, name)
		}
	}
	var depends, parts []string
	if len(own) > 0 {
		depends = append(depends, "on "+english.List(own)+", which the loop and other invocations may change")
	}
	if e.groups {
		depends = append(depends, "on all active invocations of the subgroup")
	}
	if len(others) > 0 {
		depends = append(depends, "on "+english.List(others)+", which only another invocation can change: WGSL does not promise that one runs meanwhile")
	}
	if len(depends) > 0 {
		parts = append(parts, "its end depends "+strings.Join(depends, ", and "))
	}
	parts = append(parts, e.values(inv, changes, len(parts) > 0)...)
	if len(parts) == 0 {
		return "its condition never changes"
	}
	return strings.Join(parts, "; ")
}

// values says which variables of the condition change. If the end depends on anything else, it
// leaves out the entry point's inputs, which never do.
func (e *loopEnd) values(inv *invocation, changes map[uint32]bool, more bool) (parts []string) {
	m := e.machine
	var still, moving, counting []string
	for _, o := range e.names {
		i := slices.IndexFunc(m.Variables, func(v ir.VariablePlace) bool { return v.Object == o && v.Where == ir.InSlots })
		if i < 0 || isPointer(o) || (more || len(e.names) > 1) && m.isInput(o) {
			continue
		}
		slots := m.SlotsOf(m.Variables[i])
		if len(slots) != 1 {
			continue
		}
		value := "`" + o.Name + "` (" + ir.FormatBits(inv.slots[slots[0]], ir.KindOf(o.Store())) + ")"
		if m.forever != nil && m.forever.slot == slots[0] {
			counting = append(counting, value+m.forever.text())
		} else if changes[slots[0]] {
			moving = append(moving, value)
		} else if changes != nil {
			still = append(still, value)
		}
	}
	if len(still) > 0 {
		parts = append(parts, strings.Join(still, " and ")+" no longer "+english.Form(len(still), "changes", "change"))
	}
	if len(moving) > 0 {
		parts = append(parts, strings.Join(moving, " and ")+english.Form(len(moving), " still changes", " still change"))
	}
	parts = append(parts, counting...)
	if len(parts) > 0 && !more {
		return []string{strings.Join(parts, ", ")}
	}
	return parts
}

// isInput reports whether a parameter is one of the entry point.
func (m *machine) isInput(o *types.Object) bool {
	return slices.ContainsFunc(m.Pipeline.Entry.Functions, func(f *types.Function) bool {
		return f.Entry != nil && slices.Contains(f.Params, o)
	})
}
