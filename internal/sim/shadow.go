package sim

// A shadow keeps a T beside each slot of a workgroup's invocations and each word of memory.
type shadow[T any] struct {
	slots   [][]T
	shared  []T
	buffers []T
}

func newShadow[T any](m *machine) *shadow[T] {
	s := &shadow[T]{shared: make([]T, len(m.shared)), buffers: make([]T, len(m.buffers))}
	for range m.invs {
		s.slots = append(s.slots, make([]T, len(m.initial)))
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
func (s *shadow[T]) of(where memory, inv *invocation) []T {
	switch where {
	case inShared:
		return s.shared
	case inBuffers:
		return s.buffers
	}
	return s.slots[inv.local]
}

// words returns the memory itself.
func (m *machine) words(where memory, inv *invocation) []uint32 {
	switch where {
	case inShared:
		return m.shared
	case inBuffers:
		return m.buffers
	}
	return inv.slots
}

// reach returns the first word that a load or store touches; ok is false if it is out of bounds.
func (m *machine) reach(inv *invocation, in *instr) (word uint32, ok bool) {
	info := in.op.info()
	if info.operands.c == arrayAt {
		run := m.runs[in.c]
		i := inv.slots[in.b]
		return run.base>>2 + i, i < run.length
	}
	word = inv.slots[in.b] + in.c
	if info.memory == inBuffers {
		word >>= 2
	}
	return word, word < uint32(len(m.words(info.memory, inv)))
}

// follow does to the shadow what an instruction that only moves values does to them. It runs before
// the instruction and reports whether this was such an instruction.
func (s *shadow[T]) follow(m *machine, inv *invocation, in *instr) bool {
	slots := s.slots[inv.local]
	switch in.op {
	case opMove:
		slots[in.a] = slots[in.b]
	case opMoveRow:
		copy(slots[in.a:in.a+in.c], slots[in.b:in.b+in.c])
	case opZero:
		clear(slots[in.a : in.a+in.c])
	case opMoveIf:
		if inv.slots[in.b] != 0 {
			slots[in.a] = slots[in.c]
		}
	case opLoadSlots:
		s.load(m, inv, in)
	case opStoreSlots:
		s.store(m, inv, in)
	default:
		return false
	}
	return true
}

// load copies what a load reads, or clears the target if it reads out of bounds.
func (s *shadow[T]) load(m *machine, inv *invocation, in *instr) {
	to := s.slots[inv.local][in.a : in.a+uint32(in.n)]
	if word, ok := m.reach(inv, in); ok {
		copy(to, s.of(in.op.info().memory, inv)[word:])
	} else {
		clear(to)
	}
}

// store copies what a store writes.
func (s *shadow[T]) store(m *machine, inv *invocation, in *instr) {
	if word, ok := m.reach(inv, in); ok {
		copy(s.of(in.op.info().memory, inv)[word:], s.slots[inv.local][in.a:in.a+uint32(in.n)])
	}
}
