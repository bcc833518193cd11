package ir

import (
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// KindOf returns the kind of a value's scalars; abstract numbers count as the type that they
// become.
func KindOf(t types.Type) types.ScalarKind {
	if a, ok := t.(*types.Atomic); ok {
		t = a.Elem
	}
	s := types.ElemOf(t)
	switch s {
	case nil:
		return types.BoolKind
	case types.AbstractInt:
		return types.I32Kind
	case types.AbstractFloat:
		return types.F32Kind
	}
	return s.Kind
}

func IsFloat(k types.ScalarKind) bool { return k == types.F32Kind || k == types.F16Kind }

// whole evaluates a statement's whole expression.
func (c *compiler) whole(x syntax.Expr) []uint32 {
	c.careful = c.callsUser(x)
	return c.value(x)
}

// into evaluates a whole expression and puts its value into slots.
func (c *compiler) into(to []uint32, x syntax.Expr) {
	temporary := c.top
	from := c.whole(x)
	c.note(x.Span())
	c.assign(to, from, temporary)
}

// callsUser reports whether the expressions call a function of the shader, which may write
// variables.
func (c *compiler) callsUser(list ...syntax.Expr) (calls bool) {
	for _, x := range list {
		if x == nil {
			continue
		}
		syntax.Walk(x, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok {
				found := c.info.Calls[call]
				calls = calls || found != nil && found.Kind == types.UserCall
			}
			return !calls
		}, nil)
	}
	return calls
}

// value evaluates an expression in the type that its context requires, and returns the slots of its
// scalars. They may be the slots of a variable: use them before anything is written.
func (c *compiler) value(x syntax.Expr) []uint32 {
	if v := c.Pipeline.Value(x); v.Valid() {
		return c.constants(v)
	}
	e := c.info.Exprs[x]
	if e == nil {
		c.fail(x, "this expression")
	}
	if r := e.Reference(); r != nil {
		if p := c.place(x); r.Space != types.SpaceHandle {
			return c.load(p, x)
		} else {
			return []uint32{p.dyn}
		}
	}
	if _, pointer := e.Type.(*types.Pointer); pointer {
		return c.pointerWords(c.pointer(x))
	}
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.value(x.X)
	case *syntax.IdentExpr:
		return c.named(x)
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		if x.Op == syntax.OpLogicalAnd || x.Op == syntax.OpLogicalOr {
			return c.shortCircuit(x)
		}
		a, b := c.value(x.X), c.value(x.Y)
		c.note(x.Span())
		return c.binary(x.Op, c.typeOf(x.X), c.typeOf(x.Y), a, b)
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.IndexExpr:
		return c.element(x)
	case *syntax.MemberExpr:
		return c.part(x)
	}
	c.fail(x, "this expression")
	return nil
}

// typeOf returns the type that an expression has in its context.
func (c *compiler) typeOf(x syntax.Expr) types.Type {
	return types.Concrete(c.info.Exprs[x].ValueType())
}

func (c *compiler) named(x *syntax.IdentExpr) []uint32 {
	o := c.info.Uses[x]
	slots, ok := c.values[o]
	if !ok {
		c.fail(x, "the value of `%s`", o.Name)
	}
	return slots
}

// element compiles x[i] of a value.
func (c *compiler) element(x *syntax.IndexExpr) []uint32 {
	from := c.value(x.X)
	t := c.typeOf(x.X)
	elem, count := c.Parts(t)
	n := c.FlatWords(elem)
	if v := c.Pipeline.Value(x.Index); v.Valid() && uint64(v.Int()) < count {
		at := uint32(v.Int()) * n
		return from[at : at+n]
	}
	p := c.indexed(place{where: InSlots, base: c.inRow(from), t: t}, x)
	c.noteLoad(p, x)
	to := c.row(n)
	c.loadTo(p, to)
	return to
}

// part compiles x.name of a value.
func (c *compiler) part(x *syntax.MemberExpr) []uint32 {
	from := c.value(x.X)
	if s, ok := c.typeOf(x.X).(*types.Struct); ok {
		m := s.Member(x.Name.Name)
		at := c.memberWord(s, m.Index)
		return from[at : at+c.FlatWords(m.Type)]
	}
	picks := c.info.Swizzle(x)
	to := make([]uint32, len(picks))
	for i, pick := range picks {
		to[i] = from[pick]
	}
	return to
}

func (c *compiler) unary(x *syntax.UnaryExpr) []uint32 {
	from := c.value(x.X)
	c.note(x.Span())
	k := KindOf(c.typeOf(x.X))
	o := OpNot
	switch {
	case x.Op == syntax.OpNot:
		o = OpNotBool
	case x.Op == syntax.OpSub && IsFloat(k):
		o = OpNegF
	case x.Op == syntax.OpSub:
		o = OpNegI
	}
	return c.each(from, func(to, a uint32) {
		c.at.Kind = k
		c.emit(o, 0, to, a, 0)
	})
}

// each applies an operation to every scalar.
func (c *compiler) each(from []uint32, do func(to, from uint32)) []uint32 {
	to := c.row(uint32(len(from)))
	for i := range from {
		do(to[i], from[i])
	}
	return to
}

// each2 is each for two operands. If one operand is a scalar, it applies to every component of the
// other.
func (c *compiler) each2(a, b []uint32, do func(to, a, b uint32)) []uint32 {
	to := c.row(uint32(max(len(a), len(b))))
	for i := range to {
		do(to[i], spread(a, i), spread(b, i))
	}
	return to
}

func spread(slots []uint32, i int) uint32 {
	if len(slots) == 1 {
		return slots[0]
	}
	return slots[i]
}

// decided returns the left side of && or
//
// if it is constant and decides the result. The right side then has no value, not even if it is a
// literal.
func (c *compiler) decided(x *syntax.BinaryExpr) (left types.Value, ok bool) {
	left = c.Pipeline.Value(x.X)
	return left, left.Valid() && left.Bool() == (x.Op == syntax.OpLogicalOr)
}

func (c *compiler) shortCircuit(x *syntax.BinaryExpr) []uint32 {
	if left, ok := c.decided(x); ok {
		return c.constants(left)
	}
	to := c.alloc(1)
	c.move([]uint32{to}, c.value(x.X))
	c.note(x.Span())
	skip := OpJumpFalse
	if x.Op == syntax.OpLogicalOr {
		skip = OpJumpTrue
	}
	jump := c.emit(skip, 0, 0, to, 0)
	c.move([]uint32{to}, c.value(x.Y))
	c.land([]int{jump})
	return []uint32{to}
}

// An operation is the instruction of an operator for scalars of a kind. A comparison that swaps its
// sides is marked.
type operation struct {
	op   Opcode
	swap bool
}

var operations = func() (table [syntax.OpGreaterEqual + 1][3]operation) { // floats, SignedKind, UnsignedKind or bool
	set := func(o syntax.Op, f, i, u Opcode) { table[o] = [3]operation{{f, false}, {i, false}, {u, false}} }
	set(syntax.OpAdd, OpAddF, OpAddI, OpAddU)
	set(syntax.OpSub, OpSubF, OpSubI, OpSubU)
	set(syntax.OpMul, OpMulF, OpMulI, OpMulU)
	set(syntax.OpDiv, OpDivF, OpDivI, OpDivU)
	set(syntax.OpRem, OpRemF, OpRemI, OpRemU)
	set(syntax.OpAnd, OpAnd, OpAnd, OpAnd)
	set(syntax.OpOr, OpOr, OpOr, OpOr)
	set(syntax.OpXor, OpXor, OpXor, OpXor)
	set(syntax.OpShl, OpShl, OpShl, OpShl)
	set(syntax.OpShr, OpShrU, OpShrI, OpShrU)
	set(syntax.OpEqual, OpEqF, OpEq, OpEq)
	set(syntax.OpNotEqual, OpNeF, OpNe, OpNe)
	set(syntax.OpLess, OpLtF, OpLtI, OpLtU)
	set(syntax.OpLessEqual, OpLeF, OpLeI, OpLeU)
	for greater, less := range map[syntax.Op]syntax.Op{
		syntax.OpGreater: syntax.OpLess, syntax.OpGreaterEqual: syntax.OpLessEqual,
	} {
		for i, o := range table[less] {
			table[greater][i] = operation{o.op, true}
		}
	}
	return table
}()

func operationFor(o syntax.Op, k types.ScalarKind) operation {
	switch {
	case IsFloat(k):
		return operations[o][0]
	case k == types.I32Kind:
		return operations[o][1]
	}
	return operations[o][2]
}

// arithmetic reports whether an operator's result has the operands' type.
func arithmetic(o syntax.Op) bool { return o >= syntax.OpAdd && o <= syntax.OpShr }

// binary evaluates an operator on values of types ta and tb (§ 8.6 to § 8.9).
func (c *compiler) binary(o syntax.Op, ta, tb types.Type, a, b []uint32) []uint32 {
	ma, _ := ta.(*types.Matrix)
	mb, _ := tb.(*types.Matrix)
	if o == syntax.OpMul && (ma != nil || mb != nil) && len(a) > 1 && len(b) > 1 {
		return c.product(ma, mb, KindOf(ta), a, b)
	}
	k := KindOf(ta)
	does := operationFor(o, k)
	return c.each2(a, b, func(to, x, y uint32) {
		if does.swap {
			x, y = y, x
		}
		c.scalar(does.op, k, to, x, y)
		if k == types.F16Kind && arithmetic(o) {
			c.emit(OpRoundH, 0, to, to, 0)
		}
	})
}

// scalar emits one operation on scalars of a kind.
func (c *compiler) scalar(o Opcode, k types.ScalarKind, to, x, y uint32) {
	c.at.Kind = k
	c.emit(o, 0, to, x, y)
}

// floats computes with floats and rounds to their kind.
func (c *compiler) floats(o Opcode, k types.ScalarKind, x, y uint32) uint32 {
	to := c.alloc(1)
	c.scalar(o, k, to, x, y)
	c.round(k, to)
	return to
}

func (c *compiler) round(k types.ScalarKind, slot uint32) {
	if k == types.F16Kind {
		c.at.Kind = k
		c.emit(OpRoundH, 0, slot, slot, 0)
	}
}

// product compiles matrix times matrix, matrix times vector or vector times matrix (§ 8.7).
func (c *compiler) product(ma, mb *types.Matrix, k types.ScalarKind, a, b []uint32) []uint32 {
	rows, inner, columns := 1, len(a), 1
	if ma != nil {
		rows, inner = ma.Rows, ma.Columns
	}
	if mb != nil {
		columns = mb.Columns
	}
	to := make([]uint32, 0, rows*columns)
	for column := range columns {
		for row := range rows {
			x, y := make([]uint32, inner), make([]uint32, inner)
			for i := range inner {
				x[i], y[i] = a[i*rows+row], b[column*inner+i]
			}
			to = append(to, c.dot(k, x, y))
		}
	}
	return to
}

// dot compiles a sum of products.
func (c *compiler) dot(k types.ScalarKind, a, b []uint32) uint32 {
	mul, add := operationFor(syntax.OpMul, k).op, operationFor(syntax.OpAdd, k).op
	sum := c.floats(mul, k, a[0], b[0])
	for i := 1; i < len(a); i++ {
		sum = c.floats(add, k, sum, c.floats(mul, k, a[i], b[i]))
	}
	return sum
}

// jumps evaluates a condition and jumps if it equals sense; land sets the target of the jumps.
func (c *compiler) jumps(x syntax.Expr, sense bool) []int {
	x = syntax.Unparen(x)
	if v := c.Pipeline.Value(x); v.Valid() {
		if v.Bool() == sense {
			return []int{c.emit(OpJump, 0, 0, 0, 0)}
		}
		return nil
	}
	switch e := x.(type) {
	case *syntax.UnaryExpr:
		if e.Op == syntax.OpNot {
			return c.jumps(e.X, !sense)
		}
	case *syntax.BinaryExpr:
		switch {
		case e.Op == syntax.OpLogicalAnd || e.Op == syntax.OpLogicalOr:
			return c.jumpsEither(e, sense)
		case e.Op >= syntax.OpEqual && e.Op <= syntax.OpGreaterEqual:
			return []int{c.jumpCompared(e, sense)}
		}
	}
	condition := c.value(x)[0]
	c.note(x.Span())
	if sense {
		return []int{c.emit(OpJumpTrue, 0, 0, condition, 0)}
	}
	return []int{c.emit(OpJumpFalse, 0, 0, condition, 0)}
}

func (c *compiler) jumpsEither(x *syntax.BinaryExpr, sense bool) []int {
	if _, ok := c.decided(x); ok {
		return c.jumps(x.X, sense)
	}
	decides := x.Op == syntax.OpLogicalOr // the left side's value that decides the result
	if sense == decides {
		return append(c.jumps(x.X, sense), c.jumps(x.Y, sense)...)
	}
	over := c.jumps(x.X, decides)
	jumps := c.jumps(x.Y, sense)
	c.land(over)
	return jumps
}

func (c *compiler) jumpCompared(x *syntax.BinaryExpr, sense bool) int {
	a, b := c.value(x.X)[0], c.value(x.Y)[0]
	c.note(x.Span())
	does := operationFor(x.Op, KindOf(c.typeOf(x.X)))
	if does.swap {
		a, b = b, a
	}
	jump := does.op.Info().Jump
	if !sense {
		if jump.Info().swapped {
			a, b = b, a
		}
		jump = jump.Info().orElse
	}
	return c.emit(jump, 0, a, b, 0)
}
