package sim

// The part of an alignment that goes through memory: who wrote a word, which stores an invocation
// makes, and where an address comes from.

import (
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// writer returns the step that wrote a word last; 0 if none did.
func (r *profile) writer(w Word) int32 {
	for i, b := range r.Bindings {
		if b.Group == 0 && int(b.Number) == w.Binding {
			return r.made.buffers[int(r.regions[i].base>>2)+w.Index]
		}
	}
	return 0
}

// stores compares the stores of an invocation in both runs, and reports whether it found anything.
func (c *alignment) stores(inv uint32, because int32) bool {
	before := len(c.found)
	kind := uint32(0)
	if because != 0 {
		kind = c.here.steps[because].place >> 24
	}
	mine, due := c.here.storesOf(inv, kind), c.there.storesOf(inv, kind)
	for i := range min(len(mine), len(due)) {
		h, t := &c.here.steps[mine[i]], &c.there.steps[due[i]]
		if h.place != t.place || c.differ(h, h.value, t, t.value) {
			c.pair(mine[i], due[i], mine[i])
			return len(c.found) > before
		}
	}
	if len(mine) != len(due) {
		c.ways(inv, inv)
		if len(c.found) == before && len(mine) > len(due) {
			c.add(mine[len(due)], false)
		}
	}
	return len(c.found) > before
}

// storesOf returns the stores of an invocation to a binding, or to all buffers if the kind is 0.
func (r *profile) storesOf(inv, kind uint32) (found []int32) {
	if int(inv) >= len(r.of) {
		return nil
	}
	for _, at := range r.of[inv] {
		if s := &r.steps[at]; r.isStore(s) && (kind == 0 && s.place>>24 > 0 || s.place>>24 == kind || s.place == outside) {
			found = append(found, at)
		}
	}
	return found
}

// accesses compares two loads, two stores or two atomic functions.
func (c *alignment) accesses(at, right int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	if h.place != t.place {
		before := len(c.found)
		c.index(h.from[2], h.took[2], t.from[2], t.took[2], at, t.inv)
		if len(c.found) == before {
			c.add(at, true)
		}
		return
	}
	if c.here.isStore(h) {
		if c.differ(h, h.value, t, t.value) {
			c.operand(at, 0, right, 0)
		}
		return
	}
	switch {
	case h.wrote != 0 && t.wrote != 0:
		before := len(c.found)
		c.written(h.wrote, t.wrote)
		if len(c.found) == before {
			c.add(at, false)
		}
	case t.wrote != 0 && c.sameShape:
		if !c.sharedStores(c.there.steps[t.wrote].inv) {
			c.add(at, false)
		}
	case h.wrote != 0 && c.sameShape:
		if !c.sharedStores(c.here.steps[h.wrote].inv) {
			c.add(at, false)
		}
	default:
		c.add(at, false)
	}
}

// written compares the stores from which two loads get their values.
func (c *alignment) written(h, t int32) {
	if mine, due := &c.here.steps[h], &c.there.steps[t]; c.sameShape && mine.inv != due.inv {
		if c.sharedStores(due.inv) || c.sharedStores(mine.inv) {
			return
		}
	}
	c.pair(h, t, h)
}

// sharedStores compares the stores of an invocation to workgroup memory.
func (c *alignment) sharedStores(inv uint32) bool {
	before := len(c.found)
	mine, due := c.here.sharedOf(inv), c.there.sharedOf(inv)
	for i := range min(len(mine), len(due)) {
		if c.unlike(&c.here.steps[mine[i]], &c.there.steps[due[i]]) {
			c.pair(mine[i], due[i], mine[i])
			return len(c.found) > before
		}
	}
	if len(mine) != len(due) {
		c.ways(inv, inv)
	}
	return len(c.found) > before
}

func (r *profile) sharedOf(inv uint32) (found []int32) {
	if int(inv) >= len(r.of) {
		return nil
	}
	for _, at := range r.of[inv] {
		if s := &r.steps[at]; r.isStore(s) && s.place>>24 == 0 {
			found = append(found, at)
		}
	}
	return found
}

// index compares where two accesses get their addresses from. The steps between only multiply and
// add the layout.
func (c *alignment) index(h int32, x uint32, t int32, y uint32, user int32, inv uint32) {
	if h == 0 && t == 0 {
		return // constants, or builtin values
	}
	addressed := func(r *profile, at int32) bool {
		return at != 0 && r.Program.Code[r.steps[at].pc].Op.Info().Operands.A == ir.OperandWriteAddress
	}
	switch {
	case addressed(c.here, h) && addressed(c.there, t):
		mine, due := &c.here.steps[h], &c.there.steps[t]
		if c.seen[[2]int32{h, t}] {
			return
		}
		c.seen[[2]int32{h, t}] = true
		for k := range min(c.here.count(mine), c.there.count(due)) {
			if mine.took[k] != due.took[k] {
				c.index(mine.from[k], mine.took[k], due.from[k], due.took[k], user, inv)
			}
		}
	case addressed(c.here, h):
		c.index(c.here.steps[h].from[0], c.here.steps[h].took[0], t, y, user, inv)
	case addressed(c.there, t):
		c.index(h, x, c.there.steps[t].from[0], c.there.steps[t].took[0], user, inv)
	case x == y:
	case h == 0:
		c.add(user, true)
	case t == 0:
		c.alone(h, inv, user)
	default:
		c.pair(h, t, user)
	}
}
