package sim

import (
	"context"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A Rerun runs parts of a dispatch again and again, always from the same buffers, to find out what
// a number depends on. The host's buffers keep their contents.
type Rerun struct {
	dispatch *dispatch
	machine  *machine
	before   []uint32 // the buffers
	together bool     // invocations of a workgroup depend on each other, so all of them run
}

// A Spot is a word of a binding's buffer.
type Spot struct {
	Binding int // an index of Program.Bindings
	Word    int
}

// A Maker is the invocation that wrote a word last, and where in the source.
type Maker struct {
	Workgroup  uint64 // its number, counted in x, then y, then z
	Invocation uint32 // its local_invocation_index
	Site       Site
}

// A Load is a word that an invocation read from a buffer, and where in the source.
type Load struct {
	Spot
	Site Site
}

// Rerun prepares to run parts of a dispatch.
func (p *Program) Rerun(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer) (*Rerun, error) {
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	groups := uint64(workgroups[0]) * uint64(workgroups[1]) * uint64(workgroups[2])
	d := &dispatch{Program: p, host: host, workgroups: workgroups, groups: groups, limit: &meter{ctx: ctx, efforts: true}}
	d.limit.left.Store(DefaultSteps)
	together := p.Barriers || p.Atomics || p.SharedWords > 0
	return &Rerun{d, newMachine(p.Program, host, workgroups), slices.Clone(host.words), together}, nil
}

// Makers returns who wrote each word of a binding last; nil for a word that nothing wrote.
func (r *Rerun) Makers(binding int) ([]*Maker, error) {
	n := &noter{memoryMap: r.dispatch.memoryMap(), sites: map[uint32]Site{}}
	makers := make([]*Maker, r.dispatch.host.regions[binding].size/4)
	n.note = func(m *machine, inv *invocation, pc uint32, spot Spot) {
		if spot.Binding == binding {
			makers[spot.Word] = &Maker{uint64(m.groupNumber), inv.local, n.site(m, pc)}
		}
	}
	err := r.noting(n, ir.Write, func() error {
		for number := range r.dispatch.groups {
			r.machine.enter(number, r.dispatch.workgroups)
			if err := r.machine.runGroup(r.dispatch); err != nil {
				return err
			}
		}
		return nil
	})
	return makers, err
}

// Loads returns the words of buffers that a maker's invocation read, each once. If the invocations
// of a workgroup depend on each other, it returns those that any of them read.
func (r *Rerun) Loads(by *Maker) (loads []Load, err error) {
	n := &noter{memoryMap: r.dispatch.memoryMap(), sites: map[uint32]Site{}}
	known := map[Spot]bool{}
	n.note = func(m *machine, _ *invocation, pc uint32, spot Spot) {
		if !known[spot] {
			known[spot] = true
			loads = append(loads, Load{spot, n.site(m, pc)})
		}
	}
	err = r.noting(n, ir.Read, func() error { return r.part(by) })
	return loads, err
}

// Without returns the word that a maker writes to spot if another word, read, held value before the
// dispatch.
func (r *Rerun) Without(by *Maker, spot, read Spot, value uint32) (uint32, error) {
	words := r.machine.buffers
	words[r.index(read)] = value
	err := r.part(by)
	made := words[r.index(spot)]
	words[r.index(read)] = r.before[r.index(read)]
	r.restore()
	return made, err
}

// index returns the place of a word in the machine's buffers.
func (r *Rerun) index(s Spot) int { return int(r.dispatch.host.regions[s.Binding].base)/4 + s.Word }

// restore undoes what a run wrote.
func (r *Rerun) restore() {
	writable := r.dispatch.host.writable
	copy(r.machine.buffers[:writable], r.before[:writable])
}

// part runs a maker's invocation, with its workgroup if they depend on each other.
func (r *Rerun) part(by *Maker) error {
	r.machine.enter(by.Workgroup, r.dispatch.workgroups)
	err := r.machine.refill(r.dispatch)
	switch {
	case err != nil:
	case r.together:
		err = r.machine.runGroup(r.dispatch)
	default:
		inv := &r.machine.invs[by.Invocation]
		r.machine.start(inv)
		err = r.machine.advance(r.dispatch, inv)
	}
	if err == nil && r.dispatch.stopped.Load() {
		return ErrTooManySteps
	}
	return err
}

// noting lets a noter look on at the accesses of a kind during a run. Every atomic function counts
// as such an access.
func (r *Rerun) noting(n *noter, kind ir.AccessKind, run func() error) error {
	m := r.machine
	n.stops = stopping(m.Program.Code, func(pc int) bool {
		info := m.Program.Code[pc].Op.Info()
		return info.Access == ir.Atomic || info.Access == kind && info.Memory == ir.InBuffers
	})
	m.beside, m.code = n, n.code
	err := m.refill(r.dispatch)
	if err == nil {
		err = run()
	}
	m.beside, m.code = nil, m.Program.Code
	r.restore()
	if err == nil && r.dispatch.stopped.Load() {
		return ErrTooManySteps
	}
	return err
}

// A noter notes accesses to buffers beside a run.
type noter struct {
	memoryMap
	stops
	note  func(m *machine, inv *invocation, pc uint32, spot Spot)
	sites map[uint32]Site // by instruction
}

func (n *noter) enter()        {}
func (n *noter) meet(*machine) {}

// stopped notes each word that the next instruction accesses, and executes it.
func (n *noter) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.Program.Code[pc]
	if in.Op == ir.OpStatement {
		return
	}
	if a, ok := n.touched(m, inv, &in); ok && int(a.Variable) < len(m.regions) {
		for at := a.Offset / 4; at <= (a.Offset+a.Bytes-1)/4; at++ {
			n.note(m, inv, pc, Spot{int(a.Variable), int(at)})
		}
	}
	n.execute(m, inv, pc, in)
}

func (n *noter) site(m *machine, pc uint32) Site {
	s, known := n.sites[pc]
	if !known {
		span := m.Notes[pc].Span
		s = Site{m.Source.Region(span), m.Text(span), m.Program.Code[pc].Op.Info().Access}
		n.sites[pc] = s
	}
	return s
}
