package sim

import (
	"context"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A recording runs a program instruction by instruction. It tells its keeper of each instruction
// that makes a value, stores one or chooses a way. For every slot and word of memory it holds the
// keeper's number of what made the present value; 0 means the host, a constant or nothing.
type recording struct {
	*machine
	ctx    context.Context
	count3 [3]uint32
	made   *shadow[int32]
	single [3]ir.Instr
	most   int // maximum number of what is kept
}

// A keeper keeps what a recording tells it.
type keeper interface {
	joiner
	// enters prepares for a workgroup.
	enters()
	// kept returns how much it keeps.
	kept() int
	// jumps executes a conditional jump, and reports whether it is taken.
	jumps(inv *invocation, pc uint32, in ir.Instr) bool
	// keeps executes an instruction that changes slots or memory.
	keeps(inv *invocation, pc uint32, in ir.Instr)
}

// newRecording begins a run from these buffers. It changes a copy of them.
func (p *Program) newRecording(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, most int) (*recording, error) {
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	d := &dispatch{Program: p, host: host, workgroups: workgroups}
	separate := *p.Program
	separate.Barriers = true
	r := &recording{machine: newMachine(&separate, d.host, workgroups), ctx: ctx, count3: workgroups, most: most}
	r.made = newShadow[int32](r.machine)
	r.single[1].Op, r.single[2].Op = ir.OpStatement, ir.OpStatement
	return r, nil
}

// groups returns the number of workgroups.
func (r *recording) groups() uint64 {
	return uint64(r.count3[0]) * uint64(r.count3[1]) * uint64(r.count3[2])
}

// tell runs all workgroups.
func (r *recording) tell(k keeper) error {
	for number := range r.groups() {
		r.enter(number, r.count3)
		r.made.enter()
		k.enters()
		for i := range r.invs {
			r.start(&r.invs[i])
		}
		if err := r.workgroup(k); err != nil {
			return err
		}
	}
	return nil
}

// workgroup runs each invocation of a workgroup to where it waits, and repeats that until all have
// ended.
func (r *recording) workgroup(k keeper) error {
	for again := true; again; {
		again = false
		for i := range r.invs {
			if inv := &r.invs[i]; inv.state != ended && inv.state != meeting {
				if err := r.follow(inv, k); err != nil {
					return err
				}
			}
			again = again || r.invs[i].state == waiting
		}
		for r.join(k) {
			again = true
			for i := range r.invs {
				if inv := &r.invs[i]; inv.state == running {
					if err := r.follow(inv, k); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// follow runs an invocation up to a barrier or its end.
func (r *recording) follow(inv *invocation, k keeper) error {
	for n := 0; ; n++ {
		if k.kept() > r.most || n > r.most {
			return ErrTooManySteps
		}
		if n&0xffff == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if inv.state = r.one(inv, k); inv.state != running {
			return nil
		}
	}
}

// one runs one instruction.
func (r *recording) one(inv *invocation, k keeper) stop {
	pc := inv.pc
	in := r.Program.Code[pc]
	next := pc + 1
	switch {
	case in.Op == ir.OpEnd:
		inv.pc = next
		return ended
	case in.Op == ir.OpBarrier:
		inv.pc = next
		return waiting
	case in.Op == ir.OpSubgroup:
		inv.pc = next
		return meeting
	case in.Op == ir.OpCall:
		inv.slots[in.A] = next
		next = in.C
	case in.Op == ir.OpReturn:
		next = inv.slots[in.A]
	case in.Op == ir.OpJump || in.Op == ir.OpLoop:
		next = in.C
	case in.Op == ir.OpStatement:
	case in.Op.Info().Jumps():
		if k.jumps(inv, pc, in) {
			next = in.C
		}
	default:
		k.keeps(inv, pc, in)
	}
	inv.pc = next
	return running
}

// taken executes a conditional jump, and reports whether it is taken.
func (r *recording) taken(inv *invocation, in ir.Instr) bool {
	in.C = 2 // past the next instruction of r.single
	r.alone(inv, in)
	return inv.pc-1 == 2
}

// alone executes one instruction, and leaves invocations' positions to the caller.
func (r *recording) alone(inv *invocation, in ir.Instr) {
	r.single[0] = in
	r.machine.code, inv.pc = r.single[:], 0
	r.exec(inv)
}
