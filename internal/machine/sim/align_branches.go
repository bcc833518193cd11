package sim

import "github.com/wgslab/wgslab/internal/machine/sim/ir"

// ways finds the first condition of an invocation that decides as none does in the right run.
func (c *alignment) ways(inv, right uint32) {
	key := [2]int32{-1 - int32(inv), -1 - int32(right)}
	if c.seen[key] || int(inv) >= len(c.here.of) || int(right) >= len(c.there.of) {
		return
	}
	c.seen[key] = true
	for _, first := range c.here.conditions(inv) {
		pc := c.here.steps[first].pc
		before := len(c.found)
		if partner, flipped, ok := c.closest(pc, inv, right); ok {
			mine, due := c.here.run(pc, inv), c.there.run(partner, right)
			if !c.sameWay(mine, due, flipped) {
				c.condition(mine, due, flipped)
			}
		} else if !c.decided(pc, inv, right) {
			c.alone(first, right, first)
		}
		if len(c.found) > before {
			return
		}
	}
}

// conditions returns the first execution of each conditional jump of an invocation.
func (r *profile) conditions(inv uint32) (all []int32) {
	for _, at := range r.of[inv] {
		if s := &r.steps[at]; s.nth == 0 && r.Program.Code[s.pc].Op.Info().Jumps() {
			all = append(all, at)
		}
	}
	return all
}

// decided reports whether a condition of the right run decides like one here, or always the other
// way round.
func (c *alignment) decided(pc, inv, right uint32) bool {
	for _, first := range c.there.conditions(right) {
		other := c.there.steps[first].pc
		if !c.sameShape && c.sameWay(c.here.run(pc, inv), c.there.run(other, right), false) {
			return true
		}
		if a := c.agreements(pc, other, inv, right); c.sameShape && max(a.straight, a.flipped) == 64 {
			return true
		}
	}
	return false
}

// sameWay reports whether two conditions decide alike in all rounds.
func (c *alignment) sameWay(mine, due []int32, flipped bool) bool {
	return len(mine) == len(due) && c.agree(mine, due, flipped) == len(mine)
}

// agree counts the rounds in which two conditions decide alike before they first don't.
func (c *alignment) agree(mine, due []int32, flipped bool) int {
	for i := range min(len(mine), len(due)) {
		if (c.here.steps[mine[i]].value != c.there.steps[due[i]].value) != flipped {
			return i
		}
	}
	return min(len(mine), len(due))
}

// closest returns the condition of the right run that takes the most of the same operands in the
// invocation, and decides alike in most others.
func (c *alignment) closest(pc, inv, right uint32) (best uint32, flip, ok bool) {
	most := 0
	for _, first := range c.there.conditions(right) {
		other := c.there.steps[first].pc
		mine, due := c.here.run(pc, inv), c.there.run(other, right)
		points := 0
		for i := range min(len(mine), len(due)) {
			points += c.operandsAlike(&c.here.steps[mine[i]], &c.there.steps[due[i]])
		}
		if points == 0 {
			continue
		}
		points = points * 16 / min(len(mine), len(due))
		a := c.agreements(pc, other, inv, right)
		points += max(a.straight, a.flipped) / 4
		if points > most {
			best, most, ok, flip = other, points, true, a.flipped > a.straight
		}
	}
	return best, flip, ok
}

// operandsAlike says how much the operands of two conditions have in common; 0 if none has the same
// value.
func (c *alignment) operandsAlike(h, t *step) (points int) {
	equal := 0
	for k := range c.here.count(h) {
		for l := range c.there.count(t) {
			if h.from[k] == 0 || t.from[l] == 0 {
				if h.from[k] == 0 && t.from[l] == 0 && h.took[k] == t.took[l] {
					points++
				}
				continue
			}
			mine, due := &c.here.steps[h.from[k]], &c.there.steps[t.from[l]]
			same := c.here.kind(mine) == c.there.kind(due)
			loads := same && c.here.Program.Code[mine.pc].Op.Info().Access == ir.Read && mine.place>>24 > 0
			switch {
			case loads && mine.place == due.place:
				equal += 4
			case h.took[k] == t.took[l]:
				equal += 2
			}
			if same {
				points++
			}
		}
	}
	if equal == 0 {
		return 0
	}
	return points + equal
}

// An agreement says in how many of 64 parts of all invocations two conditions decide alike, and the
// other way round.
type agreement struct{ straight, flipped int }

func (c *alignment) agreements(pc, other, inv, right uint32) agreement {
	if !c.sameShape {
		return agreement{c.agree(c.here.run(pc, inv), c.there.run(other, right), false), 0}
	}
	key := [2]uint32{pc, other}
	if known, ok := c.agreed[key]; ok {
		return known
	}
	var a agreement
	all := 0
	for i := range c.here.of {
		mine, due := c.here.run(pc, uint32(i)), c.there.run(other, uint32(i))
		if len(mine) == 0 || len(due) == 0 {
			continue
		}
		all++
		if c.sameWay(mine, due, false) {
			a.straight++
		}
		if c.sameWay(mine, due, true) {
			a.flipped++
		}
	}
	a.straight, a.flipped = a.straight*64/max(1, all), a.flipped*64/max(1, all)
	c.agreed[key] = a
	return a
}

// condition compares two conditions where they first decide differently.
func (c *alignment) condition(mine, due []int32, flipped bool) {
	i := min(c.agree(mine, due, flipped), len(mine)-1, len(due)-1)
	at, right := mine[i], due[i]
	h, t := &c.here.steps[at], &c.there.steps[right]
	n, m := c.here.count(h), c.there.count(t)
	if n != m {
		c.alone(at, t.inv, at)
		return
	}
	order := [3]int{0, 1, 2}
	if n == 2 && (h.took[0] == t.took[1] || h.took[1] == t.took[0]) && h.took[0] != t.took[0] && h.took[1] != t.took[1] {
		order = [3]int{1, 0, 2}
	}
	before := len(c.found)
	for k := range n {
		if c.differ(h, h.took[k], t, t.took[order[k]]) {
			c.operand(at, k, right, order[k])
		}
	}
	if len(c.found) == before {
		c.add(at, true)
	}
}
