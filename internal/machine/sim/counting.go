package sim

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// counting follows the rounds of a loop in which a counter is all that decides and changes. It
// wraps around, so it takes all values that are whole steps away. If all of them go the same way at
// each comparison, the loop never ends: `i != n` by twos, or `i >= 0u`.
type counting struct {
	deciders ir.Deciders
	last     []uint32 // the situation one round before
	slot     uint32   // the counter
	step     uint32   // by how much it changes in each round
	rounds   int      // in which it alone has changed, by the same step
}

// enoughRounds is after how many rounds alike a loop is looked at.
const enoughRounds = 8

// onlyCounts notes the situation at the begin of a round. It reports true once, after enough
// rounds.
func (c *counting) onlyCounts(now []uint32) bool {
	last := c.last
	c.last = now
	if last == nil {
		return false
	}
	changed, n := 0, 0
	for i := range now {
		if now[i] != last[i] {
			changed, n = i, n+1
		}
	}
	if n != 1 || changed < placeSlots {
		c.rounds = 0
		return false
	}
	slot, step := c.deciders.Slots[changed-placeSlots], now[changed]-last[changed]
	if slot != c.slot || step != c.step {
		c.slot, c.step, c.rounds = slot, step, 0
	}
	c.rounds++
	return c.rounds == enoughRounds
}

// text says what the counter does.
func (c *counting) text() string {
	step, way := c.step, "up"
	if int32(step) < 0 {
		step, way = -step, "down"
	}
	return fmt.Sprintf(" goes %s by %d in each round and wraps around, but none of its values ends the loop", way, step)
}

// countsForever reports whether no value of a counter ends the loop. It runs one round more, to see
// with what the counter is compared.
func (m *machine) countsForever(inv *invocation, deciding *ir.Deciding, c *counting, end uint64) bool {
	compared, ok := deciding.Counts(c.slot)
	if !ok || m.beside != nil || c.step == 0 {
		return false
	}
	memory, code := m.remember(c.deciders.WritableMemory), m.code
	see := &comparisons{c: c, alike: true}
	see.stops = stopping(code, func(pc int) bool { return slices.Contains(compared, uint32(pc)) })
	m.beside, m.code = see, see.code
	head := inv.pc
	for went := m.round(inv, end); went && inv.pc != head; {
		went = m.round(inv, end)
	}
	m.beside, m.code = nil, code
	if !inv.canGoOn() || inv.pc != head || !see.alike || !m.remembers(c.deciders.WritableMemory, memory) {
		return false
	}
	if now := m.situation(nil, inv, c.deciders.Slots, inv.pc); !(c.onlyCounts(now) || c.rounds > enoughRounds) {
		return false
	}
	m.forever = c
	return true
}

// comparisons sees with what a counter is compared in a round.
type comparisons struct {
	stops
	c     *counting
	alike bool // none of the comparisons may ever go another way
}

func (*comparisons) enter()        {}
func (*comparisons) meet(*machine) {}

func (s *comparisons) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.Code[pc]
	value, other := inv.slots[in.A], inv.slots[in.B]
	if in.B == s.c.slot {
		value, other = other, value
	}
	s.alike = s.alike && in.AlwaysAlike(s.c.slot, value, other, s.c.step)
	s.execute(m, inv, pc, in)
}
