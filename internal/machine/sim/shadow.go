package sim

import (
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A shadow keeps a T beside each slot of a workgroup's invocations and each word of memory.
type shadow[T any] struct {
	slots   [][]T
	shared  []T
	buffers []T
}

func newShadow[T any](m *machine) *shadow[T] {
	s := &shadow[T]{shared: make([]T, len(m.shared)), buffers: make([]T, len(m.buffers))}
	for range m.invs {
		s.slots = append(s.slots, make([]T, len(m.Initial)))
	}
	return s
}

// enter clears what ends with a workgroup.
func (s *shadow[T]) enter() {
	clear(s.shared)
	for _, slots := range s.slots {
		clear(slots)
	}
}

// of returns the shadow of a memory as an invocation sees it.
func (s *shadow[T]) of(where ir.MemoryKind, inv *invocation) []T {
	switch where {
	case ir.InShared:
		return s.shared
	case ir.InBuffers:
		return s.buffers
	}
	return s.slots[inv.local]
}

// words returns the memory itself.
func (m *machine) words(where ir.MemoryKind, inv *invocation) []uint32 {
	switch where {
	case ir.InShared:
		return m.shared
	case ir.InBuffers:
		return m.buffers
	}
	return inv.slots
}

// reach returns the first word that a load or store touches; ok is false if it is out of bounds.
func (m *machine) reach(inv *invocation, in *ir.Instr) (word uint32, ok bool) {
	info := in.Op.Info()
	if info.Operands.C == ir.OperandArrayAt {
		run := m.runs[in.C]
		i := inv.slots[in.B]
		return run.base>>2 + i, i < run.length
	}
	word = inv.slots[in.B] + in.C
	if info.Memory == ir.InBuffers {
		word >>= 2
	}
	return word, word < uint32(len(m.words(info.Memory, inv)))
}

// follow does to the shadow what an instruction that only moves values does to them. It runs before
// the instruction and reports whether this was such an instruction.
func (s *shadow[T]) follow(m *machine, inv *invocation, in *ir.Instr) bool {
	slots := s.slots[inv.local]
	switch in.Op {
	case ir.OpMove:
		slots[in.A] = slots[in.B]
	case ir.OpMoveRow:
		copy(slots[in.A:in.A+in.C], slots[in.B:in.B+in.C])
	case ir.OpZero:
		clear(slots[in.A : in.A+in.C])
	case ir.OpMoveIf:
		if inv.slots[in.B] != 0 {
			slots[in.A] = slots[in.C]
		}
	case ir.OpLoadSlots:
		s.load(m, inv, in)
	case ir.OpStoreSlots:
		s.store(m, inv, in)
	default:
		return false
	}
	return true
}

// joined copies the shadows of the values that invocations of a subgroup got.
func (s *shadow[T]) joined(_ *machine, j joining) {
	got := make([]T, len(j.active))
	for i, from := range j.from {
		if from != nil {
			got[i] = s.slots[from.local][j.in.B]
		}
	}
	for i, inv := range j.active {
		s.slots[inv.local][j.in.A] = got[i]
	}
}

// load copies what a load reads, or clears the target if it reads out of bounds.
func (s *shadow[T]) load(m *machine, inv *invocation, in *ir.Instr) {
	to := s.slots[inv.local][in.A : in.A+uint32(in.N)]
	if word, ok := m.reach(inv, in); ok {
		copy(to, s.of(in.Op.Info().Memory, inv)[word:])
	} else {
		clear(to)
	}
}

// store copies what a store writes.
func (s *shadow[T]) store(m *machine, inv *invocation, in *ir.Instr) {
	if word, ok := m.reach(inv, in); ok {
		copy(s.of(in.Op.Info().Memory, inv)[word:], s.slots[inv.local][in.A:in.A+uint32(in.N)])
	}
}
