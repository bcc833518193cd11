package ir

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// block compiles the statements of a block. Its declarations keep their slots until the block ends.
func (c *compiler) block(b *syntax.BlockStmt) {
	top := c.top
	c.list(b, b.List)
	c.top = top
}

func (c *compiler) list(b *syntax.BlockStmt, list []syntax.Stmt) {
	for _, s := range list {
		if d, ok := s.(*syntax.DeclStmt); ok {
			c.stop(s)
			c.declaration(d.Decl, b.Span())
			continue
		}
		top := c.top
		c.stmt(s)
		c.top = top
	}
}

// stop marks a place before a statement where a debugger can stop.
func (c *compiler) stop(s syntax.Stmt) {
	c.note(s.Span())
	if c.debug {
		c.Stops = append(c.Stops, statement{s, c.function.Function})
		c.emit(OpStatement, 0, 0, 0, uint32(len(c.Stops)-1))
	}
}

func (c *compiler) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.BlockStmt:
		c.block(s)
	case *syntax.AssignStmt:
		c.stop(s)
		c.assignment(s)
	case *syntax.IncDecStmt:
		c.stop(s)
		c.increment(s)
	case *syntax.CallStmt:
		c.stop(s)
		c.careful = c.callsUser(s.Call)
		if call := c.info.Calls[s.Call]; call != nil {
			c.call(s.Call)
		}
	case *syntax.IfStmt:
		c.stop(s)
		c.ifElse(s)
	case *syntax.SwitchStmt:
		c.stop(s)
		c.switches(s)
	case *syntax.LoopStmt:
		c.loop(s)
	case *syntax.ForStmt:
		c.forLoop(s)
	case *syntax.WhileStmt:
		c.while(s)
	case *syntax.BreakStmt:
		c.stop(s)
		at := &c.loops[len(c.loops)-1]
		at.breaks = append(at.breaks, c.emit(OpJump, 0, 0, 0, 0))
	case *syntax.BreakIfStmt:
		c.stop(s)
		at := &c.loops[len(c.loops)-1]
		c.careful = c.callsUser(s.Cond)
		at.breaks = append(at.breaks, c.jumps(s.Cond, true)...)
	case *syntax.ContinueStmt:
		c.stop(s)
		i := len(c.loops) - 1
		for !c.loops[i].isLoop {
			i--
		}
		c.loops[i].continues = append(c.loops[i].continues, c.emit(OpJump, 0, 0, 0, 0))
	case *syntax.ReturnStmt:
		c.stop(s)
		c.returns(s)
	case *syntax.DeclStmt:
		c.declaration(s.Decl, s.Span())
	case *syntax.EmptyStmt:
		c.stop(s)
	default:
		c.fail(s, "this statement")
	}
}

// declaration compiles a variable, let or const of a function; its name is visible in scope.
func (c *compiler) declaration(d syntax.Decl, scope syntax.Span) {
	switch d := d.(type) {
	case *syntax.VarDecl:
		c.local(d, scope)
	case *syntax.LetDecl:
		c.let(d, scope)
	case *syntax.ConstDecl:
		if o := c.info.Defs[d.Name]; o != nil && o.Value.Valid() {
			c.values[o] = c.constants(o.Value)
		}
	}
}

func (c *compiler) local(d *syntax.VarDecl, scope syntax.Span) {
	o := c.info.Defs[d.Name]
	slots := c.row(c.FlatWords(o.Store()))
	top := c.top
	if d.Init == nil || c.isZero(d.Init) {
		c.emit(OpZero, 0, slots[0], 0, uint32(len(slots)))
	} else {
		c.into(slots, d.Init)
	}
	c.top = top
	c.places[o] = place{where: InSlots, base: slots[0], t: o.Store()}
	c.Variables = append(c.Variables, VariablePlace{Object: o, Where: InSlots, Base: slots[0], In: c.function.Function, scope: scope})
}

// isZero reports whether an expression is T().
func (c *compiler) isZero(x syntax.Expr) bool {
	call, ok := syntax.Unparen(x).(*syntax.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	found := c.info.Calls[call]
	return found != nil && found.Kind == types.ConstructCall
}

func (c *compiler) let(d *syntax.LetDecl, scope syntax.Span) {
	o := c.info.Defs[d.Name]
	if p, ok := o.Type.(*types.Pointer); ok {
		c.careful = c.callsUser(d.Init)
		at := c.unfusedPointer(d.Init)
		at.t = p.Elem
		if at.dynamic && at.binding == 0 { // other code may reuse the slot later
			kept := c.alloc(1)
			c.emit(OpMove, 0, kept, at.dyn, 0)
			at.dyn = kept
		}
		if at.limited {
			kept := c.alloc(1)
			c.emit(OpMove, 0, kept, at.avail, 0)
			at.avail = kept
		}
		c.places[o] = at
		return
	}
	slots := c.row(c.FlatWords(o.Type))
	top := c.top
	c.into(slots, d.Init)
	c.top = top
	c.values[o] = slots
	c.Variables = append(c.Variables, VariablePlace{Object: o, Slots: slots, In: c.function.Function, scope: scope})
}

func (c *compiler) unfusedPointer(x syntax.Expr) place { return c.unfused(c.pointer(x)) }

func (c *compiler) assignment(s *syntax.AssignStmt) {
	c.careful = c.callsUser(s.LHS, s.RHS)
	if s.LHS == nil {
		if _, pointer := c.info.Exprs[s.RHS].Type.(*types.Pointer); !pointer {
			c.value(s.RHS)
		}
		return
	}
	to := c.place(s.LHS)
	temporary := c.top
	if s.Op == syntax.OpNone {
		if to.where == InSlots && !to.dynamic && to.picks == nil && c.isZero(s.RHS) {
			c.emit(OpZero, 0, to.base, 0, c.FlatWords(to.t))
			return
		}
		from := c.value(s.RHS)
		c.store(to, from, temporary, s.LHS.Span())
		return
	}
	old := c.load(to, s.LHS)
	by := c.value(s.RHS)
	c.note(s.Span())
	from := c.binary(s.Op, to.t, c.typeOf(s.RHS), old, by)
	c.store(to, from, temporary, s.LHS.Span())
}

func (c *compiler) increment(s *syntax.IncDecStmt) {
	c.careful = c.callsUser(s.X)
	to := c.place(s.X)
	temporary := c.top
	old := c.load(to, s.X)
	c.note(s.Span())
	o := syntax.OpAdd
	if s.Dec {
		o = syntax.OpSub
	}
	from := c.binary(o, to.t, to.t, old, []uint32{c.word(1)})
	c.store(to, from, temporary, s.X.Span())
}

func (c *compiler) ifElse(s *syntax.IfStmt) {
	c.careful = c.callsUser(s.Cond)
	otherwise := c.jumps(s.Cond, false)
	c.block(s.Then)
	if s.Else == nil {
		c.land(otherwise)
		return
	}
	c.note(s.Span())
	end := c.emit(OpJump, 0, 0, 0, 0)
	c.land(otherwise)
	c.stmt(s.Else)
	c.land([]int{end})
}

func (c *compiler) switches(s *syntax.SwitchStmt) {
	x := c.whole(s.X)[0]
	c.note(s.X.Span())
	var otherwise *syntax.CaseClause
	entries := map[*syntax.CaseClause][]int{}
	for _, clause := range s.Cases {
		for _, selector := range clause.Selectors {
			if selector.X == nil {
				otherwise = clause
				continue
			}
			value := c.Pipeline.Value(selector.X)
			if !value.Valid() {
				c.fail(selector, "this case")
			}
			entries[clause] = append(entries[clause], c.emit(OpJumpEq, 0, x, c.constants(value)[0], 0))
		}
	}
	c.loops = append(c.loops, loop{})
	over := c.emit(OpJump, 0, 0, 0, 0)
	landed := false
	for _, clause := range s.Cases {
		c.land(entries[clause])
		if clause == otherwise {
			c.land([]int{over})
			landed = true
		}
		c.block(clause.Body)
		c.note(clause.Body.Close)
		at := &c.loops[len(c.loops)-1]
		at.breaks = append(at.breaks, c.emit(OpJump, 0, 0, 0, 0))
	}
	if !landed {
		c.land([]int{over})
	}
	c.land(c.loops[len(c.loops)-1].breaks)
	c.loops = c.loops[:len(c.loops)-1]
}

// loop compiles loop { … continuing { … } }. The body's names are visible in the continuing block
// (§ 9.4.1).
func (c *compiler) loop(s *syntax.LoopStmt) {
	start := c.begin()
	c.stop(s)
	top := c.top
	c.list(s.Body, s.Body.List)
	c.land(c.takeContinues())
	if s.Continuing != nil {
		c.block(s.Continuing.Body)
	}
	c.top = top
	c.back(s, start)
}

// begin begins a loop, and returns its start. If the shader may use subgroups, a slot counts the
// rounds: invocations in the same round take a function together.
func (c *compiler) begin() (start uint32) {
	l := loop{isLoop: true, top: c.top}
	if c.info.Enabled.Has(types.FeatureSubgroups) {
		l.rounds = c.alloc(1)
		c.emit(OpZero, 0, l.rounds, 0, 1)
	}
	c.loops = append(c.loops, l)
	return c.here()
}

// back ends a loop: it jumps to its start, and jumps out of the loop land here.
func (c *compiler) back(s syntax.Stmt, start uint32) {
	l := c.loops[len(c.loops)-1]
	c.note(s.Span())
	if l.rounds > 0 {
		c.emit(OpAddU, 0, l.rounds, l.rounds, c.word(1))
	}
	c.emit(OpLoop, 0, l.rounds, 0, start)
	c.land(l.breaks)
	c.top = min(c.top, l.top)
	c.loops = c.loops[:len(c.loops)-1]
}

func (c *compiler) takeContinues() []int { return c.loops[len(c.loops)-1].continues }

func (c *compiler) forLoop(s *syntax.ForStmt) {
	top := c.top
	if s.Init != nil {
		if d, ok := s.Init.(*syntax.DeclStmt); ok {
			c.stop(s.Init)
			c.declaration(d.Decl, s.Span())
		} else {
			c.stmt(s.Init)
		}
	}
	start := c.begin()
	c.stop(s)
	if s.Cond != nil {
		c.condition(s.Cond)
	}
	c.block(s.Body)
	c.land(c.takeContinues())
	if s.Post != nil {
		inner := c.top
		c.stmt(s.Post)
		c.top = inner
	}
	c.top = top
	c.back(s, start)
}

// condition leaves the loop if the condition is false.
func (c *compiler) condition(x syntax.Expr) {
	top := c.top
	c.careful = c.callsUser(x)
	c.note(x.Span())
	out := c.jumps(x, false)
	c.top = top
	at := &c.loops[len(c.loops)-1]
	at.breaks = append(at.breaks, out...)
}

func (c *compiler) while(s *syntax.WhileStmt) {
	start := c.begin()
	c.stop(s)
	c.condition(s.Cond)
	c.block(s.Body)
	c.land(c.takeContinues())
	c.back(s, start)
}

func (c *compiler) returns(s *syntax.ReturnStmt) {
	if s.X != nil {
		c.into(c.function.result, s.X)
	}
	c.note(s.Span())
	if c.function.Entry != nil {
		c.emit(OpEnd, 0, 0, 0, 0)
		return
	}
	c.emit(OpReturn, 0, c.function.ret, 0, 0)
}
