package sim

import (
	"context"
	"math"

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
	*recorder
	steps []step
	of    [][]int32 // the steps of each invocation, in order
	last  []int32   // by invocation of the workgroup and instruction, how often it ran
	width int       // the number of instructions

	rounds [][]int32 // the steps by invocation and instruction; nil until index
	ran    []bool    // by instruction
}

// profiled runs the program and keeps at most so many steps.
func (p *Program) profiled(ctx context.Context, run Dispatched, buffers []BoundBuffer, most int) (*profile, error) {
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	r := &profile{recorder: newRecorder(ctx, p, host, run.Workgroups), steps: make([]step, 1), width: len(p.code)}
	r.most = most
	groups := int(run.Workgroups[0]) * int(run.Workgroups[1]) * int(run.Workgroups[2])
	if groups*len(r.invs) > most {
		return nil, ErrTooManySteps
	}
	r.of = make([][]int32, groups*len(r.invs))
	return r, r.runAll(groups)
}

func (r *profile) runAll(groups int) error {
	for number := range groups {
		r.enter(uint64(number), r.count3)
		r.made.enter()
		r.last = make([]int32, len(r.invs)*r.width)
		for i := range r.invs {
			r.start(&r.invs[i])
		}
		for again := true; again; {
			again = false
			for i := range r.invs {
				inv := &r.invs[i]
				if inv.state == ended {
					continue
				}
				if err := r.goOn(inv); err != nil {
					return err
				}
				again = again || inv.state == waiting
			}
		}
	}
	return nil
}

// goOn runs an invocation up to a barrier or its end.
func (r *profile) goOn(inv *invocation) error {
	for n := 0; ; n++ {
		if len(r.steps) > r.most || n > r.most {
			return ErrTooManySteps
		}
		if n&0xffff == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if inv.state = r.next(inv); inv.state != running {
			return nil
		}
	}
}

// next runs one instruction.
func (r *profile) next(inv *invocation) stop {
	pc := inv.pc
	in := r.Program.code[pc]
	next := pc + 1
	switch {
	case in.op == opEnd:
		inv.pc = next
		return ended
	case in.op == opBarrier:
		inv.pc = next
		return waiting
	case in.op == opCall:
		inv.slots[in.a] = next
		next = in.c
	case in.op == opReturn:
		next = inv.slots[in.a]
	case in.op == opJump || in.op == opLoop:
		next = in.c
	case in.op == opStatement:
	case in.op.info().jumps():
		if s := r.step(inv, pc); r.jump(inv, in, s) {
			next = in.c
		}
	default:
		r.note(inv, pc, in)
	}
	inv.pc = next
	return running
}

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

// jump notes which way a conditional jump goes, and reports whether it is taken.
func (r *profile) jump(inv *invocation, in instr, s *step) bool {
	if in.op.info().operands.a == read {
		r.take(inv, s, in.a, in.b)
	} else {
		r.take(inv, s, in.b)
	}
	in.c = 2
	if r.alone(inv, in) == 2 {
		return true
	}
	s.value = 1
	return false
}

// note executes an instruction that changes slots or memory, and keeps its steps.
func (r *profile) note(inv *invocation, pc uint32, in instr) {
	info, slots := in.op.info(), r.made.slots[inv.local]
	switch {
	case in.op == opMoveRow || in.op == opMove || in.op == opZero:
		r.moves(inv, pc, in)
	case in.op == opMoveIf:
		s, at := r.step(inv, pc), in.a
		if inv.slots[in.b] != 0 {
			at = in.c
		}
		r.take(inv, s, in.b, at)
		s.value, slots[in.a] = inv.slots[at], int32(len(r.steps)-1)
		r.alone(inv, in)
	case info.access == Read || info.access == Write:
		r.accesses(inv, pc, in)
	case in.op == opAtomic:
		r.atomic(inv, pc, in)
	default:
		s := r.step(inv, pc)
		switch takes := info.operands; {
		case takes.b == readThree:
			r.take(inv, s, in.b, in.b+1, in.b+2)
		case takes.b == read && takes.c == read:
			r.take(inv, s, in.b, in.c)
		case takes.b == read:
			r.take(inv, s, in.b)
		}
		r.alone(inv, in)
		s.value, slots[in.a] = inv.slots[in.a], int32(len(r.steps)-1)
	}
}

// moves keeps a step for each slot that an instruction copies or clears.
func (r *profile) moves(inv *invocation, pc uint32, in instr) {
	n := uint32(1)
	if in.op != opMove {
		n = in.c
	}
	made := make([]int32, n)
	for i := range n {
		s := r.step(inv, pc)
		if in.op != opZero {
			r.take(inv, s, in.b+i)
			s.value = s.took[0]
		}
		made[i] = int32(len(r.steps) - 1)
	}
	copy(r.made.slots[inv.local][in.a:], made)
	r.alone(inv, in)
}

// accesses keeps a step for each word that a load or a store touches.
func (r *profile) accesses(inv *invocation, pc uint32, in instr) {
	info, slots := in.op.info(), r.made.slots[inv.local]
	word, ok := r.reach(inv, &in)
	n, first := max(1, uint32(in.n)), len(r.steps)
	memory := r.made.of(info.memory, inv)
	for i := range n {
		s := r.step(inv, pc)
		s.place = outside
		if ok {
			s.place = r.placeOf(info.memory, word+i, in)
		}
		if info.access == Write {
			r.take(inv, s, in.a+i)
			s.value = s.took[0]
			if ok {
				memory[word+i] = int32(len(r.steps) - 1)
			}
		} else if ok {
			s.wrote = memory[word+i]
		}
		s.took[2], s.from[2] = inv.slots[in.b], slots[in.b]
	}
	r.alone(inv, in)
	if info.access == Read {
		for i := range n {
			r.steps[first+int(i)].value, slots[in.a+i] = inv.slots[in.a+i], int32(first)+int32(i)
		}
	}
}

// atomic keeps a step for an atomic function. Its value is the operand, since the result depends on
// the order.
func (r *profile) atomic(inv *invocation, pc uint32, in instr) {
	s, word, where := r.step(inv, pc), inv.slots[in.b], inShared
	if in.n&atomicInBuffer != 0 {
		word, where = word>>2, inBuffers
	}
	memory := r.made.of(where, inv)
	kind, at := in.n&^atomicInBuffer, int32(len(r.steps)-1)
	if kind != atomicLoad {
		r.take(inv, s, in.c)
		s.value = s.took[0]
	}
	s.took[2], s.from[2], s.place = inv.slots[in.b], r.made.slots[inv.local][in.b], outside
	if word < uint32(len(memory)) {
		s.place, s.wrote = r.placeOf(where, word, in), memory[word]
		if kind != atomicLoad {
			memory[word] = at
		}
	}
	r.alone(inv, in)
	if kind == atomicLoad {
		s.value = inv.slots[in.a]
	}
	if kind != atomicStore && kind < atomicStoreMax64 {
		r.made.slots[inv.local][in.a] = at
	}
}

// placeOf names a word in the same way in every program with the same bindings: by its binding, or
// by where it is in its workgroup variable.
func (r *profile) placeOf(where memory, word uint32, in instr) uint32 {
	switch where {
	case inBuffers:
		for i, b := range r.Bindings {
			if at := word<<2 - r.regions[i].base; at < r.regions[i].size {
				return (b.Number+1)<<24 | at>>2
			}
		}
	case inShared:
		base := uint32(0)
		for _, v := range r.variables {
			if v.where == inShared && v.base <= word {
				base = max(base, v.base)
			}
		}
		return word - base
	}
	return word - in.c
}

// isStore reports whether a step changes memory that invocations share.
func (r *profile) isStore(s *step) bool {
	in := r.Program.code[s.pc]
	info := in.op.info()
	return info.access == Write && info.memory != inSlots || info.access == Atomic && in.n&^atomicInBuffer != atomicLoad
}

// whole reports whether the value of a step is known to be no float.
func (r *profile) whole(s *step) bool {
	in := r.Program.code[s.pc]
	info := in.op.info()
	return info.of == signed || info.of == unsigned || info.operands.a == writeBool || info.operands.a == writeAddress ||
		info.jumps() || info.access == Read && !r.notes[s.pc].float && r.notes[s.pc].kind != types.F32Kind
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
