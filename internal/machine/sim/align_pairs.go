package sim

// The part of an alignment that compares one step here with the step that should leave the same.

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// maxAligned limits the pairs that are compared for a word.
const maxAligned = 400

// pair compares two steps that should leave the same and don't. The user is the step here that the
// value is for.
func (c *alignment) pair(at, right, user int32) {
	if at == 0 || right == 0 || c.seen[[2]int32{at, right}] || len(c.seen) > maxAligned {
		return
	}
	c.seen[[2]int32{at, right}] = true
	h, t := &c.here.steps[at], &c.there.steps[right]
	if first, second := c.here.peeled(at), c.there.peeled(right); (first != at || second != right) && c.here.kind(&c.here.steps[first]) == c.there.kind(&c.there.steps[second]) {
		if first != at {
			user = c.here.lastMove(at)
		}
		c.pair(first, second, user)
		return
	}
	a, b := c.here.kind(h), c.there.kind(t)
	if user != at && (a != b || a == ir.OpMove) && !c.constant(h) && c.knows(at, t.inv) {
		before := len(c.found)
		if c.ways(h.inv, t.inv); len(c.found) == before {
			c.add(c.blamed(at, user, t.inv), true)
		}
		return
	}
	if a == b && a != ir.OpMove {
		first, second := c.earliest(at, right)
		if first == 0 {
			before := len(c.found)
			if c.ways(h.inv, t.inv); len(c.found) == before {
				c.operands(at, right)
			}
			return
		}
		at, right = first, second
		t = &c.there.steps[right]
	}
	switch {
	case a == ir.OpMove && b == ir.OpMove:
		c.operand(at, 0, right, 0)
	case b == ir.OpMove:
		if t.from[0] == 0 {
			c.alone(at, t.inv, user) // a constant is due
			return
		}
		c.pair(at, t.from[0], user)
	case a == ir.OpMove:
		c.moved(at, right, user)
	case a == b:
		c.operands(at, right)
	default:
		c.other(at, right, user)
	}
}

// peeled returns the step whose value a step copies, or the step itself. A copy of a constant or of
// a builtin value is a step of its own.
func (r *profile) peeled(at int32) int32 {
	for r.kind(&r.steps[at]) == ir.OpMove && r.steps[at].from[0] != 0 {
		at = r.steps[at].from[0]
	}
	return at
}

// lastMove returns the step that copies first what a step copies.
func (r *profile) lastMove(at int32) int32 {
	for next := r.steps[at].from[0]; r.kind(&r.steps[next]) == ir.OpMove && r.steps[next].from[0] != 0; next = r.steps[at].from[0] {
		at = next
	}
	return at
}

// blamed returns the step that is mistaken if a right value is used where another is due: the one
// that gives it to a variable whose values the right run doesn't have, or that no one uses rightly;
// or else the user.
func (c *alignment) blamed(at, user int32, inv uint32) int32 {
	h := &c.here.steps[at]
	if slot, ok := c.here.variableOf(h); ok && !c.assignedAlike(h, slot, inv) {
		return at
	}
	if c.here.kind(h) == ir.OpMove && !c.usedRightly(h, inv) {
		return at
	}
	return user
}

// kind returns the operation of a step, the same for all that only copy.
func (r *profile) kind(s *step) ir.Opcode {
	switch op := r.Program.Code[s.pc].Op; op {
	case ir.OpMove, ir.OpMoveRow, ir.OpZero:
		return ir.OpMove
	default:
		return op
	}
}

// moved compares a copy with a step that makes something new.
func (c *alignment) moved(at, right, user int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	if h.from[0] == 0 {
		before := len(c.found)
		switch c.ways(h.inv, t.inv); {
		case len(c.found) > before:
		case c.amongOperands(h, t):
			c.add(user, true) // what should be done with it is missing
		default:
			c.add(at, true)
		}
		return
	}
	if c.amongOperands(h, t) {
		c.add(at, true)
		return
	}
	c.pair(h.from[0], right, at)
}

// count returns how many operands of a step are values.
func (r *profile) count(s *step) int {
	info := r.Program.Code[s.pc].Op.Info()
	switch {
	case info.Access == ir.Read:
		return 0
	case info.Access == ir.Write || info.Access == ir.Atomic:
		return 1
	case info.Operands.B == ir.OperandReadThree:
		return 3
	case r.Program.Code[s.pc].Op == ir.OpMoveIf, info.Jumps() && info.Operands.A == ir.OperandRead:
		return 2
	case info.Operands.B == ir.OperandRead && info.Operands.C == ir.OperandRead:
		return 2
	case info.Operands.B == ir.OperandRead || info.Operands.B == ir.OperandReadMany:
		return 1
	}
	return 0
}

// operand compares one operand of two steps.
func (c *alignment) operand(at int32, k int, right int32, l int) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	switch {
	case h.from[k] == 0 && c.otherBuiltin(h, k, t, l):
		c.builtin(at, k)
	case h.from[k] == 0:
		c.add(at, true)
	case t.from[l] == 0:
		c.alone(h.from[k], t.inv, at)
	default:
		c.pair(h.from[k], t.from[l], at)
	}
}

// operands compares two steps of the same operation.
func (c *alignment) operands(at, right int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	before := len(c.found)
	info := c.here.Program.Code[h.pc].Op.Info()
	if info.Access != 0 {
		c.accesses(at, right)
		return
	}
	n := c.here.count(h)
	order := c.order(h, t, n)
	for k := range n {
		if c.differ(h, h.took[k], t, t.took[order[k]]) {
			c.operand(at, k, right, order[k])
		}
	}
	if len(c.found) == before {
		c.add(at, false)
	}
}

// order returns which operand of the right step belongs to each of the other.
func (c *alignment) order(h, t *step, n int) [3]int {
	straight, swapped := [3]int{0, 1, 2}, [3]int{1, 0, 2}
	if n != 2 || !anyOrder[c.here.kind(h)] {
		return straight
	}
	fit := func(order [3]int) (values, kinds int) {
		for k := range n {
			l := order[k]
			if !c.differ(h, h.took[k], t, t.took[l]) {
				values++
			}
			switch mine, due := h.from[k], t.from[l]; {
			case (mine == 0) != (due == 0):
			case mine == 0 || c.here.kind(&c.here.steps[mine]) == c.there.kind(&c.there.steps[due]):
				kinds++
			}
		}
		return values, kinds
	}
	values, kinds := fit(straight)
	if v, k := fit(swapped); v > values || v == 0 && values == 0 && k > kinds {
		return swapped
	}
	return straight
}

// other compares two steps of different operations.
func (c *alignment) other(at, right, user int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	if c.amongOperands(h, t) {
		c.add(c.blamed(at, user, t.inv), true)
		return
	}
	// What the right step takes, and this one doesn't.
	var due []int
	for l := range c.there.count(t) {
		if !slices.ContainsFunc(h.took[:c.here.count(h)], func(x uint32) bool { return !c.differ(h, x, t, t.took[l]) }) {
			due = append(due, l)
		}
	}
	before, strange := len(c.found), 0
	for k := range c.here.count(h) {
		if h.from[k] == 0 || c.knows(h.from[k], t.inv) {
			continue
		}
		strange++
		switch {
		case len(due) == 1 && t.from[due[0]] != 0:
			c.pair(h.from[k], t.from[due[0]], at)
		case c.here.count(h) > c.there.count(t):
			c.pair(h.from[k], right, at)
		default:
			c.alone(h.from[k], t.inv, at)
		}
	}
	if info := c.here.Program.Code[h.pc].Op.Info(); info.Access == ir.Read {
		c.alone(at, t.inv, user)
	}
	if len(c.found) == before {
		c.add(at, strange == 0)
	}
}

// alone follows what the right run doesn't have back to the first step that takes only what it has.
func (c *alignment) alone(at int32, inv uint32, user int32) {
	if c.seen[[2]int32{at, 0}] || len(c.seen) > maxAligned {
		return
	}
	c.seen[[2]int32{at, 0}] = true
	h := &c.here.steps[at]
	if c.knows(at, inv) {
		c.add(user, false)
		return
	}
	before := len(c.found)
	follow := func(from int32) {
		if from != 0 && !c.knows(from, inv) {
			c.alone(from, inv, at)
		}
	}
	for k := range c.here.count(h) {
		follow(h.from[k])
	}
	if c.here.Program.Code[h.pc].Op.Info().Access != 0 {
		follow(h.from[2])
		if h.wrote != 0 {
			follow(h.wrote)
		}
	}
	if len(c.found) == before {
		c.add(at, false)
	}
}

// otherBuiltin reports whether two operands are of different builtin values.
func (c *alignment) otherBuiltin(h *step, k int, t *step, l int) bool {
	mine, due := ir.BuiltinOf(c.here.operandSlot(h, k)), ir.BuiltinOf(c.there.operandSlot(t, l))
	return t.from[l] == 0 && mine != "" && due != "" && mine != due
}

// operandSlot returns the slot of an operand of a step.
func (r *profile) operandSlot(s *step, k int) uint32 {
	in := r.Program.Code[s.pc]
	info := in.Op.Info()
	switch {
	case info.Access == ir.Write, info.Jumps() && info.Operands.A == ir.OperandRead && k == 0:
		return in.A
	case info.Jumps() && info.Operands.A == ir.OperandRead:
		return in.B
	case info.Access == ir.Atomic || k == 1:
		return in.C
	}
	return in.B + uint32(k)
}
