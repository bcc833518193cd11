package sim

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// maxInTurns limits the invocations that run side by side: all of them keep their slots.
const maxInTurns = 1 << 15

// RunInTurns is Run with another order, which WGSL allows as well: all workgroups run at once, the
// last invocation first, and after each atomic function it is the next one's turn. So what lies
// between two atomic functions of one invocation, others do as well, and whoever comes first in Run
// comes last. Its findings are remarks: the lost updates.
func (p *Program) RunInTurns(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, steps uint64) (*Result, error) {
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	size, groups := p.Pipeline.WorkgroupSize, uint64(workgroups[0])*uint64(workgroups[1])*uint64(workgroups[2])
	if groups*uint64(size[0])*uint64(size[1])*uint64(size[2]) > maxInTurns {
		return nil, fmt.Errorf("%w: too many invocations to run side by side", ir.ErrTooLarge)
	}
	c := newSideBySide(ctx, p, host, workgroups, steps)
	for running := true; running && !c.stopped; {
		running = false
		for _, m := range slices.Backward(c.machines) {
			more, err := c.round(m)
			if err != nil {
				return nil, err
			}
			running = running || more
		}
	}
	host.download()
	return &Result{Findings: c.found, Finished: !c.stopped, regions: host.regions, words: host.words}, nil
}

// A sideBySide is the workgroups of a dispatch that run side by side. It remembers who touched
// which atomic.
type sideBySide struct {
	*Program
	ctx      context.Context
	steps    uint64 // that are left
	stopped  bool   // none are left
	machines []*machine
	time     int
	atomics  map[atomicAt]*atomicUse
	told     map[pair]bool // the instructions that load and store
	found    []findings.Finding
}

// An atomicAt is a word of memory.
type atomicAt struct {
	in   *machine // the workgroup that it belongs to; nil for a word of the buffers
	word uint32
}

// A member is an invocation among them.
type member struct {
	in    *machine
	local uint32
}

// An event is when a member did something, and at which instruction.
type event struct {
	time int
	pc   uint32
	by   member
}

// An atomicUse is what happened to an atomic: each member's load that no own write has followed,
// the last write, and the last one by somebody else.
type atomicUse struct {
	loads       map[member]event
	last, other event
}

func newSideBySide(ctx context.Context, p *Program, host *hostMemory, workgroups [3]uint32, steps uint64) *sideBySide {
	separate := *p.Program
	separate.Barriers = true // each invocation keeps its slots
	separate.Code = slices.Clone(p.Code)
	for i := range separate.Code {
		if separate.Code[i].Op == ir.OpAtomic {
			separate.Code[i].Op = ir.OpStatement
		}
	}
	c := &sideBySide{
		Program: p, ctx: ctx, steps: steps,
		atomics: map[atomicAt]*atomicUse{}, told: map[pair]bool{},
	}
	for number := range uint64(workgroups[0]) * uint64(workgroups[1]) * uint64(workgroups[2]) {
		m := newMachine(&separate, host, workgroups)
		m.enter(number, workgroups)
		for i := range m.invs {
			m.start(&m.invs[i])
		}
		c.machines = append(c.machines, m)
	}
	return c
}

// round gives each invocation of a workgroup a turn, and opens the barrier once all wait. It
// reports whether any has not ended.
func (c *sideBySide) round(m *machine) (more bool, err error) {
	waits, left := 0, 0
	for i := range slices.Backward(m.invs) {
		inv := &m.invs[i]
		if inv.state != ended && inv.state != waiting && inv.state != meeting {
			if err := c.turn(m, inv); err != nil || c.stopped {
				return false, err
			}
		}
		if inv.state != ended {
			left++
		}
		if inv.state == waiting {
			waits++
		}
	}
	if m.join(nil) {
		return true, nil
	}
	if waits == left {
		for i := range m.invs {
			if m.invs[i].state == waiting {
				m.invs[i].state = running
			}
		}
	}
	return left > 0, nil
}

// turn runs an invocation up to the end of its next atomic function, a barrier, or its end.
func (c *sideBySide) turn(m *machine, inv *invocation) error {
	for {
		switch inv.state = m.exec(inv); inv.state {
		case ended, waiting, meeting:
			return nil
		case exhausted, calling:
			if err := c.refill(m); err != nil || c.stopped {
				return err
			}
		case atStmt:
			if in := &c.Code[inv.pc-1]; in.Op == ir.OpAtomic {
				c.note(m, inv, in)
				m.atomic(inv, inv.pc-1, in)
				return nil
			}
		}
	}
}

// refill gives a workgroup some of the steps that are left.
func (c *sideBySide) refill(m *machine) error {
	const some = 1 << 12
	if c.steps < some {
		c.stopped = true
		return nil
	}
	c.steps -= some
	m.budget, m.effort = m.steps+some, 0
	return c.ctx.Err()
}

// note remembers an atomic function before it runs.
func (c *sideBySide) note(m *machine, inv *invocation, in *ir.Instr) {
	at := atomicAt{m, inv.slots[in.B]}
	if in.N&ir.AtomicInBuffer != 0 {
		at = atomicAt{nil, inv.slots[in.B] >> 2}
	}
	use := c.atomics[at]
	if use == nil {
		use = &atomicUse{loads: map[member]event{}}
		c.atomics[at] = use
	}
	c.time++
	now := event{c.time, inv.pc - 1, member{m, inv.local}}
	kind := in.N &^ ir.AtomicInBuffer
	if kind == ir.AtomicLoad {
		use.loads[now.by] = now
		return
	}
	if load, loaded := use.loads[now.by]; loaded && kind == ir.AtomicStore {
		if between := use.lastNotBy(now.by); between.time > load.time {
			c.lost(at, load, between, now)
		}
	}
	delete(use.loads, now.by)
	if use.last.by != now.by {
		use.other = use.last
	}
	use.last = now
}

// lastNotBy returns the last write by anybody else.
func (u *atomicUse) lastNotBy(m member) event {
	if u.last.by == m {
		return u.other
	}
	return u.last
}

// lost tells of a write that a store undoes, because what it stores was loaded before.
func (c *sideBySide) lost(at atomicAt, load, between, store event) {
	p := pair{load.pc, store.pc}
	if c.told[p] {
		return
	}
	c.told[p] = true
	m := store.by.in
	where := m.SharedSpot(at.word)
	if at.in == nil {
		where = m.bufferSpot(at.word << 2)
	}
	first, second := m.place(load.pc, load.by.local), m.place(store.pc, store.by.local)
	message := fmt.Sprintf("%s loads `%s` on %s and stores it on %s; in between, %s may write it, and what that one wrote is lost",
		m.invocationOf(store.by.local), where.Text, first.LineName(), second.LineName(), between.by.in.invocationOf(between.by.local))
	if first.SameLine(second.Region) {
		message = fmt.Sprintf("%s loads and stores `%s` on %s; in between, %s may write it, and what that one wrote is lost",
			m.invocationOf(store.by.local), where.Text, first.LineName(), between.by.in.invocationOf(between.by.local))
	}
	c.found = append(c.found, findings.Finding{
		Kind: findings.LostUpdate, Severity: findings.Remark, Location: second, Message: message,
		Related:  []findings.Related{{Location: first}},
		Variable: where.Variable, Index: where.Index, Length: where.Length,
	})
}
