package sim

// The part of an alignment that compares values: which steps of this run have values that the right
// run has as well, and from where on they differ.

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// differ reports whether two values of the same thing are different.
func (c *alignment) differ(h *step, x uint32, t *step, y uint32) bool {
	if x == y {
		return false
	}
	if c.here.whole(h) || c.there.whole(t) {
		return true
	}
	return !close32(x, y)
}

// close32 reports whether two words are floats that differ only by rounding.
func close32(x, y uint32) bool {
	a, b := ir.F64(x), ir.F64(y)
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	if a, b = asExtreme(a), asExtreme(b); a == b {
		return true
	}
	largest := max(math.Abs(a), math.Abs(b))
	if largest < 1e-30 && largest > 0 {
		return false // rather whole numbers
	}
	return math.Abs(a-b) <= roundingTolerance*largest
}

// beyondAll is from where on a float stands for more than any number: an extreme may begin with
// -3.4e38, -1e38 or the lowest number, and all are the same.
const beyondAll = 1e37

// asExtreme returns a float, or the largest of its sign for one that stands for more than any
// number.
func asExtreme(x float64) float64 {
	if math.Abs(x) < beyondAll || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	return math.Copysign(math.MaxFloat32, x)
}

// unlike reports whether two executions of the same thing differ.
func (c *alignment) unlike(h, t *step) bool {
	return c.differ(h, h.value, t, t.value) || c.here.isStore(h) && c.there.isStore(t) && h.place != t.place
}

// constant reports whether a step copies a constant.
func (c *alignment) constant(h *step) bool {
	in := c.here.Program.Code[h.pc]
	return c.here.kind(h) == ir.OpMove && h.from[0] == 0 && (in.Op == ir.OpZero || ir.BuiltinOf(in.B) == "")
}

// variableOf returns the slot of the variable that a step assigns to.
func (r *profile) variableOf(s *step) (slot uint32, ok bool) {
	in := r.Program.Code[s.pc]
	if !in.Op.Info().OnlySets() {
		return 0, false
	}
	for _, v := range r.Variables {
		if v.Where == ir.InSlots && v.Slots == nil && slices.Contains(r.SlotsOf(v), in.A) {
			return in.A, true
		}
	}
	return 0, false
}

// assignments returns the steps of an invocation that set a slot.
func (r *profile) assignments(slot, inv uint32) (all []int32) {
	if int(inv) >= len(r.of) {
		return nil
	}
	for _, at := range r.of[inv] {
		if in := r.Program.Code[r.steps[at].pc]; in.A == slot && in.Op.Info().OnlySets() {
			all = append(all, at)
		}
	}
	return all
}

// assignedAlike reports whether a variable of the right run gets the same values.
func (c *alignment) assignedAlike(h *step, slot, inv uint32) bool {
	mine := c.here.assignments(slot, h.inv)
	for _, v := range c.there.Variables {
		if v.Where != ir.InSlots {
			continue
		}
		for _, other := range c.there.SlotsOf(v) {
			if due := c.there.assignments(other, inv); len(due) > 0 && c.begins(mine, due, len(mine)) {
				return true
			}
		}
	}
	return false
}

// usedRightly reports whether the right run has what another step makes of the result of a step.
func (c *alignment) usedRightly(h *step, inv uint32) bool {
	checked := map[uint32]bool{}
	for _, at := range c.here.of[h.inv] {
		s := &c.here.steps[at]
		info := c.here.Program.Code[s.pc].Op.Info()
		if checked[s.pc] || info.Operands.A == ir.OperandWriteAddress || c.here.isStore(s) {
			continue
		}
		for k, from := range s.from {
			if from == 0 || c.here.steps[from].pc != h.pc {
				continue
			}
			checked[s.pc] = true
			if info.Jumps() {
				partner, flipped, ok := c.closest(s.pc, s.inv, inv)
				if ok && c.sameWay(c.here.run(s.pc, s.inv), c.there.run(partner, inv), flipped) && c.conditionTakes(s, k, partner, inv) {
					return true
				}
			} else if c.knows(at, inv) {
				return true
			}
		}
	}
	return false
}

// conditionTakes reports whether the partner of a condition takes the value of an operand as well.
func (c *alignment) conditionTakes(s *step, k int, partner, inv uint32) bool {
	for _, at := range c.there.run(partner, inv) {
		t := &c.there.steps[at]
		return slices.Contains(t.took[:c.there.count(t)], s.took[k])
	}
	return false
}

// knows reports whether the right run has an instruction with the values of the one here: in all
// invocations if they have the same numbers in both runs, or else in the given one.
func (c *alignment) knows(at int32, inv uint32) bool {
	h := &c.here.steps[at]
	if known, ok := c.known[h.pc]; ok && c.sameShape {
		return known
	}
	known := false
	for pc := range uint32(c.there.width) {
		if c.there.executed(pc) && c.sameValues(h, pc, inv) {
			known = true
			break
		}
	}
	c.known[h.pc] = known
	return known
}

// sameValues reports whether an instruction of the right run has the values of the one of a step,
// as far as both run.
func (c *alignment) sameValues(h *step, pc, inv uint32) bool {
	if !c.sameShape {
		return c.begins(c.here.run(h.pc, h.inv), c.there.run(pc, inv), int(h.nth))
	}
	both := false
	for i := range c.here.of {
		mine, due := c.here.run(h.pc, uint32(i)), c.there.run(pc, uint32(i))
		if !c.begins(mine, due, 0) {
			return false
		}
		both = both || len(mine) > 0 && len(due) > 0
	}
	return both
}

// begins reports whether two runs of an instruction begin alike, and both come to a round.
func (c *alignment) begins(mine, due []int32, round int) bool {
	for i := range min(len(mine), len(due)) {
		if h, t := &c.here.steps[mine[i]], &c.there.steps[due[i]]; c.differ(h, h.value, t, t.value) {
			return false
		}
	}
	return len(due) >= min(round, len(mine))
}

// earliest returns the first executions of two instructions by the same invocations that differ; 0
// if all are alike as far as both go.
func (c *alignment) earliest(at, right int32) (first, second int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	mine, due := c.here.run(h.pc, h.inv), c.there.run(t.pc, t.inv)
	for i := range min(len(mine), len(due)) {
		if c.unlike(&c.here.steps[mine[i]], &c.there.steps[due[i]]) {
			return mine[i], due[i]
		}
	}
	return 0, 0
}

// amongOperands reports whether the value of a step is one of those that another step takes.
func (c *alignment) amongOperands(h, t *step) bool {
	for k := range c.there.count(t) {
		if t.from[k] != 0 && !c.differ(h, h.value, t, t.took[k]) {
			return true
		}
	}
	return false
}
