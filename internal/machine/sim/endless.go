package sim

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
)

// A run that never ends is told early, where that is certain. The machine runs in a fixed order. So
// if everything that decides about the way of an invocation is as it was some rounds ago, it goes
// the same way again and again: that are the slots and the memory from which conditions are
// computed (ir.Deciding). What the rounds compute besides doesn't count. Invocations that wait for
// each other in each round, at barriers or functions of subgroups, are one such case together.
//
// Looking costs time, because the machine then stops in each round. So it looks first after
// firstLook steps, and again whenever half as many have passed, each time for a share of them.
const (
	firstLook = wasm.FirstLook
	lookShare = 8
)

// comesAgain runs an invocation for some steps more, and reports whether it never ends, nor waits.
func (m *machine) comesAgain(d *dispatch, inv *invocation, steps uint64) bool {
	m.hold()
	if m.workgroup.looking {
		m.workgroup.stop(m) // it would miss rounds
	}
	defer func() { m.budget = m.granted }()
	var heads []uint32
	if inv.state == exhausted {
		heads = []uint32{inv.pc} // and not a call
	}
	end := m.steps + steps
	goesOn := d.limit.asking(m)
	for m.round(inv, end-steps/2) && goesOn() {
		if heads = noted(heads, inv.pc); len(heads) > mostHeads {
			return false
		}
	}
	loop := m.LoopOf(heads)
	deciding := m.decidingIn(loop)
	if deciding == nil || !inv.canGoOn() {
		return false
	}
	deciders := deciding.At(loop.Head)
	var kept moment
	counting := counting{deciders: deciders}
	for passes := 1; m.round(inv, end) && loop.Holds(inv.pc) && goesOn(); {
		if inv.pc != loop.Head {
			continue
		}
		own := m.situation(nil, inv, deciders.Slots, inv.pc)
		if counting.onlyCounts(own) {
			if m.countsForever(inv, deciding, &counting, end) {
				return true
			} else if !inv.canGoOn() {
				return false
			}
			continue // it is a round further
		}
		if kept.own != nil && slices.Equal(own, kept.own) && m.remembers(deciders.WritableMemory, kept.memory) {
			return true
		}
		if passes++; passes&(passes-1) == 0 {
			kept = moment{own, m.remember(deciders.WritableMemory)}
		}
	}
	return false
}

// canGoOn reports whether an invocation neither waits nor has ended.
func (inv *invocation) canGoOn() bool {
	return inv.state == running || inv.state == exhausted || inv.state == calling
}

// mostHeads limits the loops in which to look.
const mostHeads = 64

func noted(heads []uint32, head uint32) []uint32 {
	if slices.Contains(heads, head) {
		return heads
	}
	return append(heads, head)
}

// round runs an invocation to the next begin of a round. It reports false if it ends or waits, or
// if there is none before the machine has taken the given steps.
func (m *machine) round(inv *invocation, end uint64) bool {
	for m.steps < end {
		m.budget = m.steps
		switch inv.state = m.exec(inv); inv.state {
		case exhausted:
			return true
		case calling:
		case atStmt:
			if m.beside != nil {
				m.beside.stopped(m, inv)
			}
			inv.state = running
		default:
			return false
		}
	}
	return false
}

// A moment is what decides at a moment: the places of invocations with their slots, and the memory.
type moment struct{ own, memory []uint32 }

// placeSlots is how many numbers of a situation come before the slots.
const placeSlots = 2

// situation appends where an invocation is, and what decides about its way in its own slots.
func (m *machine) situation(to []uint32, inv *invocation, slots []uint32, pc uint32) []uint32 {
	to = append(to, pc, uint32(inv.state))
	for _, slot := range slots {
		to = append(to, inv.slots[slot])
	}
	return to
}

// remember copies the memory that decides.
func (m *machine) remember(decides ir.WritableMemory) (words []uint32) {
	for _, i := range decides.Bindings {
		for at := m.regions[i].base / 4; at < (m.regions[i].base+m.regions[i].size)/4; at++ {
			words = append(words, m.load(at))
		}
	}
	if decides.Shared {
		words = append(words, m.shared...)
	}
	return words
}

// remembers reports whether the memory that decides is as it was.
func (m *machine) remembers(decides ir.WritableMemory, words []uint32) bool {
	for _, i := range decides.Bindings {
		for at := m.regions[i].base / 4; at < (m.regions[i].base+m.regions[i].size)/4; at++ {
			if m.load(at) != words[0] {
				return false
			}
			words = words[1:]
		}
	}
	return !decides.Shared || slices.Equal(m.shared, words)
}

// decidingIn returns what decides in a loop; nil if that isn't known.
func (m *machine) decidingIn(loop *ir.CodeLoop) *ir.Deciding {
	if loop == nil || m.overlap() {
		return nil
	}
	known, ok := m.deciding[loop.Head]
	if !ok {
		if known = m.Deciding(loop); m.deciding == nil {
			m.deciding = map[uint32]*ir.Deciding{}
		}
		m.deciding[loop.Head] = known
	}
	return known
}

// overlap reports whether bindings share memory: then a store through one may change another.
func (m *machine) overlap() bool {
	for i, a := range m.regions {
		for _, b := range m.regions[:i] {
			if a.base < b.base+b.size && b.base < a.base+a.size {
				return true
			}
		}
	}
	return false
}

// together looks whether the invocations of a workgroup, which wait for each other in each round,
// come again to where they were.
type together struct {
	from    uint64 // the steps at which the workgroup began
	next    uint64 // the count of steps at which to look
	looking bool
	choose  uint64   // the count of steps at which to choose the loop
	end     uint64   // the count at which to stop looking
	heads   []uint32 // of the rounds since looking began
	loop    *ir.CodeLoop
	at      map[uint32]ir.Deciders // by instruction
	passes  int
	kept    moment
	ways    [][]uint32
}

func (t *together) enter(m *machine) { *t = together{from: m.steps, next: m.steps + firstLook} }

// pass notes that an invocation begins a round, and lets the machine stop at the next.
func (t *together) pass(m *machine, inv *invocation) {
	if !t.looking {
		return
	}
	if inv.state == exhausted {
		if t.heads = noted(t.heads, inv.pc); len(t.heads) > mostHeads || t.loop != nil && !t.loop.Holds(inv.pc) {
			t.stop(m)
			return
		}
	}
	m.budget = m.steps
}

func (t *together) stop(m *machine) {
	m.budget = m.granted
	*t = together{from: t.from, next: m.steps + (m.steps-t.from)/2}
}

// comesAgain reports whether the workgroup never ends. Its invocations have just met.
func (t *together) comesAgain(m *machine) bool {
	switch {
	case !t.looking && m.steps < t.next:
		return false
	case !t.looking:
		share := (m.steps - t.from) / lookShare
		t.looking, t.choose, t.end = true, m.steps+share/2, m.steps+share
		m.budget = m.steps
		return false
	case m.steps > t.end:
		t.stop(m)
		return false
	case m.steps < t.choose:
		return false
	case t.loop == nil && !t.chosen(m):
		t.stop(m)
		return false
	}
	m.hold()
	now, memory, ok := t.moment(m)
	if !ok {
		t.stop(m)
		return false
	}
	if t.kept.own != nil && slices.Equal(now, t.kept.own) && m.remembers(memory, t.kept.memory) && t.inStep(m) {
		return true
	}
	if t.passes++; t.passes&(t.passes-1) == 0 {
		t.kept, t.ways = moment{now, m.remember(memory)}, t.waysOf(m)
	}
	return false
}

// chosen chooses the loop in which the rounds are.
func (t *together) chosen(m *machine) bool {
	t.loop, t.at = m.LoopOf(t.heads), map[uint32]ir.Deciders{}
	return m.decidingIn(t.loop) != nil
}

// moment returns what decides now. It reports false if invocations are outside of the loop.
func (t *together) moment(m *machine) (own []uint32, memory ir.WritableMemory, ok bool) {
	deciding := m.decidingIn(t.loop)
	for i := range m.invs {
		inv := &m.invs[i]
		if inv.state == ended {
			own = append(own, uint32(ended))
			continue
		}
		pc := inv.pc
		if inv.state == meeting {
			pc-- // it has yet to take the function
		}
		if !t.loop.Holds(pc) {
			return nil, memory, false
		}
		d, known := t.at[pc]
		if !known {
			d = deciding.At(pc)
			t.at[pc] = d
		}
		own = m.situation(own, inv, d.Slots, pc)
		memory.Shared = memory.Shared || d.Shared
		for _, binding := range d.Bindings {
			if !slices.Contains(memory.Bindings, binding) {
				memory.Bindings = append(memory.Bindings, binding)
			}
		}
	}
	return own, memory, true
}

// waysOf returns the ways of all invocations; see machine.way.
func (t *together) waysOf(m *machine) [][]uint32 {
	if !m.Subgroups {
		return nil
	}
	ways := make([][]uint32, len(m.invs))
	for i := range m.invs {
		if inv := &m.invs[i]; inv.state != ended {
			ways[i] = m.way(nil, inv, inv.pc-1)
		}
	}
	return ways
}

// inStep reports whether the invocations of each subgroup have come along equally far: who is
// behind whom, and by how many rounds, decides who goes next.
func (t *together) inStep(m *machine) bool {
	now := t.waysOf(m)
	for _, all := range m.subgroups {
		for _, a := range all {
			for _, b := range all {
				if now != nil && !sameDistance(t.ways[a.local], now[a.local], t.ways[b.local], now[b.local]) {
					return false
				}
			}
		}
	}
	return true
}

// sameDistance reports whether two ways have changed alike up to where they part.
func sameDistance(beforeA, nowA, beforeB, nowB []uint32) bool {
	if len(beforeA) != len(nowA) || len(beforeB) != len(nowB) {
		return false
	}
	for i := range min(len(beforeA), len(beforeB)) {
		if nowA[i]-beforeA[i] != nowB[i]-beforeB[i] {
			return false
		}
		if beforeA[i] != beforeB[i] {
			break
		}
	}
	return true
}

// first returns the first invocation that has not ended.
func (t *together) first(m *machine) *invocation {
	return &m.invs[slices.IndexFunc(m.invs, func(inv invocation) bool { return inv.state != ended })]
}
