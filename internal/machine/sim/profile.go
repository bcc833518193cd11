package sim

import (
	"context"
	"math"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A step is one executed instruction that made or stored a value, or chose a way.
type step struct {
	pc, inv uint32
	nth     int32     // how often its invocation had executed the instruction before
	value   uint32    // of a conditional jump: 1 if it wasn't taken
	place   uint32    // of loads, stores and atomic functions: see profile.placeOf
	wrote   int32     // of loads: the step that stored the value; 0 for the host
	took    [3]uint32 // the operands, of loads and stores the address last
	from    [3]int32  // the steps that made them; 0 for constants and builtin values
}

// outside is the place of an access out of bounds.
const outside = math.MaxUint32

// A profile holds the steps of a run, with the way that each invocation went.
type profile struct {
	*recording
	steps []step
	of    [][]int32 // the steps of each invocation, in order
	last  []int32   // by invocation of the workgroup and instruction, how often it ran
	width int       // the number of instructions

	rounds [][]int32 // the steps by invocation and instruction; nil until index
	ran    []bool    // by instruction
}

// profiled runs the program and keeps at most so many steps.
func (p *Program) profiled(ctx context.Context, run Dispatched, buffers []BoundBuffer, most int) (*profile, error) {
	whole, err := p.newRecording(ctx, run.Workgroups, buffers, most)
	if err != nil {
		return nil, err
	}
	invocations := int(whole.groups()) * len(whole.invs)
	if invocations > most {
		return nil, ErrTooManySteps
	}
	r := &profile{recording: whole, steps: make([]step, 1), of: make([][]int32, invocations), width: len(p.Code)}
	return r, r.tell(r)
}

func (r *profile) joined(m *machine, j joining) { r.made.joined(m, j) }
func (r *profile) enters()                      { r.last = make([]int32, len(r.invs)*r.width) }
func (r *profile) kept() int                    { return len(r.steps) }

// step adds a step of an invocation.
func (r *profile) step(inv *invocation, pc uint32) *step {
	number := int(r.groupNumber)*len(r.invs) + int(inv.local)
	count := &r.last[int(inv.local)*r.width+int(pc)]
	r.of[number] = append(r.of[number], int32(len(r.steps)))
	r.steps = append(r.steps, step{pc: pc, inv: uint32(number), nth: *count})
	*count++
	return &r.steps[len(r.steps)-1]
}

// take notes operands of a step, from slots.
func (r *profile) take(inv *invocation, s *step, slots ...uint32) {
	for i, slot := range slots {
		s.took[i], s.from[i] = inv.slots[slot], r.made.slots[inv.local][slot]
	}
}

// jumps notes which way a conditional jump goes.
func (r *profile) jumps(inv *invocation, pc uint32, in ir.Instr) bool {
	s := r.step(inv, pc)
	if in.Op.Info().Operands.A == ir.OperandRead {
		r.take(inv, s, in.A, in.B)
	} else {
		r.take(inv, s, in.B)
	}
	if r.taken(inv, in) {
		return true
	}
	s.value = 1
	return false
}

// keeps executes an instruction that changes slots or memory, and keeps its steps.
func (r *profile) keeps(inv *invocation, pc uint32, in ir.Instr) {
	info, slots := in.Op.Info(), r.made.slots[inv.local]
	switch {
	case in.Op == ir.OpMoveRow || in.Op == ir.OpMove || in.Op == ir.OpZero:
		r.moves(inv, pc, in)
	case in.Op == ir.OpMoveIf:
		s, at := r.step(inv, pc), in.A
		if inv.slots[in.B] != 0 {
			at = in.C
		}
		r.take(inv, s, in.B, at)
		s.value, slots[in.A] = inv.slots[at], int32(len(r.steps)-1)
		r.alone(inv, in)
	case info.Access == ir.Read || info.Access == ir.Write:
		r.accesses(inv, pc, in)
	case in.Op == ir.OpAtomic:
		r.atomic(inv, pc, in)
	default:
		s := r.step(inv, pc)
		switch takes := info.Operands; {
		case takes.B == ir.OperandReadThree:
			r.take(inv, s, in.B, in.B+1, in.B+2)
		case takes.B == ir.OperandRead && takes.C == ir.OperandRead:
			r.take(inv, s, in.B, in.C)
		case takes.B == ir.OperandRead:
			r.take(inv, s, in.B)
		}
		r.alone(inv, in)
		s.value, slots[in.A] = inv.slots[in.A], int32(len(r.steps)-1)
	}
}

// moves keeps a step for each slot that an instruction copies or clears.
func (r *profile) moves(inv *invocation, pc uint32, in ir.Instr) {
	n := uint32(1)
	if in.Op != ir.OpMove {
		n = in.C
	}
	made := make([]int32, n)
	for i := range n {
		s := r.step(inv, pc)
		if in.Op != ir.OpZero {
			r.take(inv, s, in.B+i)
			s.value = s.took[0]
		}
		made[i] = int32(len(r.steps) - 1)
	}
	copy(r.made.slots[inv.local][in.A:], made)
	r.alone(inv, in)
}

// accesses keeps a step for each word that a load or a store touches.
func (r *profile) accesses(inv *invocation, pc uint32, in ir.Instr) {
	info, slots := in.Op.Info(), r.made.slots[inv.local]
	word, ok := r.reach(inv, &in)
	n, first := max(1, uint32(in.N)), len(r.steps)
	memory := r.made.of(info.Memory, inv)
	for i := range n {
		s := r.step(inv, pc)
		s.place = outside
		if ok {
			s.place = r.placeOf(info.Memory, word+i, in)
		}
		if info.Access == ir.Write {
			r.take(inv, s, in.A+i)
			s.value = s.took[0]
			if ok {
				memory[word+i] = int32(len(r.steps) - 1)
			}
		} else if ok {
			s.wrote = memory[word+i]
		}
		s.took[2], s.from[2] = inv.slots[in.B], slots[in.B]
	}
	r.alone(inv, in)
	if info.Access == ir.Read {
		for i := range n {
			r.steps[first+int(i)].value, slots[in.A+i] = inv.slots[in.A+i], int32(first)+int32(i)
		}
	}
}

// atomic keeps a step for an atomic function. Its value is the operand, since the result depends on
// the order.
func (r *profile) atomic(inv *invocation, pc uint32, in ir.Instr) {
	s, word, where := r.step(inv, pc), inv.slots[in.B], ir.InShared
	if in.N&ir.AtomicInBuffer != 0 {
		word, where = word>>2, ir.InBuffers
	}
	memory := r.made.of(where, inv)
	kind, at := in.N&^ir.AtomicInBuffer, int32(len(r.steps)-1)
	if kind != ir.AtomicLoad {
		r.take(inv, s, in.C)
		s.value = s.took[0]
	}
	s.took[2], s.from[2], s.place = inv.slots[in.B], r.made.slots[inv.local][in.B], outside
	if word < uint32(len(memory)) {
		s.place, s.wrote = r.placeOf(where, word, in), memory[word]
		if kind != ir.AtomicLoad {
			memory[word] = at
		}
	}
	r.alone(inv, in)
	if kind == ir.AtomicLoad {
		s.value = inv.slots[in.A]
	}
	if kind != ir.AtomicStore && kind < ir.AtomicStoreMax64 {
		r.made.slots[inv.local][in.A] = at
	}
}

// placeOf names a word in the same way in every program with the same bindings: by its binding, or
// by where it is in its workgroup variable.
func (r *profile) placeOf(where ir.MemoryKind, word uint32, in ir.Instr) uint32 {
	switch where {
	case ir.InBuffers:
		for i, b := range r.Bindings {
			if at := word<<2 - r.regions[i].base; at < r.regions[i].size {
				return (b.Number+1)<<24 | at>>2
			}
		}
	case ir.InShared:
		base := uint32(0)
		for _, v := range r.Variables {
			if v.Where == ir.InShared && v.Base <= word {
				base = max(base, v.Base)
			}
		}
		return word - base
	}
	return word - in.C
}

// isStore reports whether a step changes memory that invocations share.
func (r *profile) isStore(s *step) bool {
	in := r.Program.Code[s.pc]
	info := in.Op.Info()
	return info.Access == ir.Write && info.Memory != ir.InSlots || info.Access == ir.Atomic && in.N&^ir.AtomicInBuffer != ir.AtomicLoad
}

// whole reports whether the value of a step is known to be no float.
func (r *profile) whole(s *step) bool {
	in := r.Program.Code[s.pc]
	info := in.Op.Info()
	return info.Of == ir.SignedKind || info.Of == ir.UnsignedKind || info.Operands.A == ir.OperandWriteBool || info.Operands.A == ir.OperandWriteAddress ||
		info.Jumps() || info.Access == ir.Read && !r.Notes[s.pc].Float && r.Notes[s.pc].Kind != types.F32Kind
}

// run returns the steps of an instruction and an invocation.
func (r *profile) run(pc, inv uint32) []int32 {
	r.index()
	if int(inv) >= len(r.of) {
		return nil
	}
	return r.rounds[int(inv)*r.width+int(pc)]
}

// executed reports whether any invocation came to an instruction.
func (r *profile) executed(pc uint32) bool {
	r.index()
	return r.ran[pc]
}

// index sorts the steps by invocation and instruction.
func (r *profile) index() {
	if r.rounds != nil {
		return
	}
	r.rounds, r.ran = make([][]int32, len(r.of)*r.width), make([]bool, r.width)
	for inv, steps := range r.of {
		for _, at := range steps {
			pc := r.steps[at].pc
			i := inv*r.width + int(pc)
			r.rounds[i] = append(r.rounds[i], at)
			r.ran[pc] = true
		}
	}
}
