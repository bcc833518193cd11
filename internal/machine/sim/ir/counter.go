package ir

import "slices"

// Counts reports whether a slot decides in the loop only as a counter: one instruction adds to it,
// and else it is only compared. It returns these comparisons, which are jumps.
func (d *Deciding) Counts(slot uint32) (compared []uint32, ok bool) {
	steps := 0
	for _, at := range d.leaders {
		now := d.afterBlock(d.end(at))
		for pc := d.end(at) - 1; pc+1 > at; pc-- {
			in := &d.program.Code[pc]
			reads, writes := d.usesOf(pc, slot)
			switch {
			case writes && adds(in, slot):
				steps++
			case writes:
				return nil, false
			case reads && !d.matters(now, pc):
			case reads && in.Op.comparesWhole() && in.A != in.B:
				compared = append(compared, pc)
			case reads:
				return nil, false
			}
			d.change(now, pc)
		}
	}
	return compared, steps == 1
}

// usesOf reports whether an instruction may read or write a slot.
func (d *Deciding) usesOf(pc, slot uint32) (reads, writes bool) {
	from, to := d.uses(pc)
	reads, writes = slices.Contains(from, slot), slices.Contains(to, slot)
	if in := &d.program.Code[pc]; in.Memory() == InSlots && in.Op.Info().Access != noAccess {
		d.touched(pc, func(place uint32) {
			reads = reads || place == slot && in.Op.Info().Access == Read
			writes = writes || place == slot && in.Op.Info().Access == Write
		})
	}
	return reads, writes
}

// adds reports whether an instruction adds to a slot, or subtracts from it.
func adds(in *Instr, slot uint32) bool {
	switch in.Op {
	case OpAddI, OpAddU:
		return in.A == slot && (in.B == slot) != (in.C == slot)
	case OpSubI, OpSubU:
		return in.A == slot && in.B == slot && in.C != slot
	}
	return false
}

// comparesWhole reports whether a jump compares whole numbers.
func (o Opcode) comparesWhole() bool {
	switch o {
	case OpJumpEq, OpJumpNe, OpJumpLtI, OpJumpLeI, OpJumpLtU, OpJumpLeU:
		return true
	}
	return false
}

// AlwaysAlike reports whether a jump that compares a counter goes the same way for all values that
// the counter takes: those from which it differs by whole steps, after it has wrapped around.
func (in *Instr) AlwaysAlike(counter, value, other, step uint32) bool {
	const sign, all = 1 << 31, 1 << 32
	if in.Op == OpJumpLtI || in.Op == OpJumpLeI {
		value, other = value^sign, other^sign
	}
	apart := uint64(step & -step) // the counter takes every value that is so far from another
	least := uint64(value) % apart
	most, limit := least+all-apart, uint64(other)
	switch in.Op {
	case OpJumpEq, OpJumpNe:
		return limit%apart != least
	case OpJumpLtI, OpJumpLtU:
		if in.A == counter { // counter < limit
			return most < limit || least >= limit
		}
		return limit < least || limit >= most
	default:
		if in.A == counter { // counter <= limit
			return most <= limit || least > limit
		}
		return limit <= least || limit > most
	}
}
