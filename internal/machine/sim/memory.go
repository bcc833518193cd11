package sim

import (
	"math"
	"sync/atomic"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A region is a binding's range in the machine's buffers.
type region struct{ base, size uint32 } // bytes

// load and store access one word of the buffers. They are atomic if other machines use the buffers
// as well, so a race in a shader is never a data race in the simulator.
func (m *machine) load(word uint32) uint32 {
	if m.parallel {
		return atomic.LoadUint32(&m.buffers[word])
	}
	return m.buffers[word]
}

func (m *machine) store(word, value uint32) {
	if m.parallel {
		atomic.StoreUint32(&m.buffers[word], value)
		return
	}
	m.buffers[word] = value
}

func (m *machine) loadHalf(address uint32) uint32 {
	return math.Float32bits(numeric.FromF16Bits(uint16(m.load(address>>2) >> (address & 2 * 8))))
}

func (m *machine) storeHalf(address, value uint32) {
	shift := address & 2 * 8
	word := &m.buffers[address>>2]
	*word = *word&^(0xffff<<shift) | uint32(numeric.F16Bits(ir.F32(value)))<<shift
}

// lengthAt returns the number of elements, each of stride bytes, of the runtime-sized array at an
// address (§ 14.3.2).
func (m *machine) lengthAt(address, stride uint32) uint32 {
	for _, r := range m.regions {
		if r.base <= address && address < r.base+r.size {
			return (r.base + r.size - address) / stride
		}
	}
	return 0
}

// atomic executes one atomic operation. One that writes has no effect at a location out of bounds,
// and gives zero. An atomicLoad there is a read like any other (§ 14.6.2).
func (m *machine) atomic(inv *invocation, pc uint32, in *ir.Instr) {
	regs := inv.slots
	kind, address := in.N&^ir.AtomicInBuffer, regs[in.B]
	memory, word := m.shared, address
	if in.N&ir.AtomicInBuffer != 0 {
		memory, word = m.buffers, address>>2
	}
	if word >= uint32(len(memory)) {
		if kind == ir.AtomicLoad {
			m.reportOutsideRead(inv, pc, address)
			m.nothing(inv, pc, address)
			return
		}
		m.reportOutsideWrite(inv, pc, address)
		if kind != ir.AtomicStore && kind < ir.AtomicStoreMax64 {
			regs[in.A] = 0
		}
		if kind == ir.AtomicCompareExchange {
			regs[in.A+1] = 0
		}
		return
	}
	if m.watch != nil {
		m.watch.touchAtomic(in.N, word, regs[in.C])
	}
	old, v := memory[word], uint32(0)
	if kind != ir.AtomicLoad {
		v = regs[in.C]
	}
	switch kind {
	case ir.AtomicStore:
		memory[word] = v
		return
	case ir.AtomicStoreMax64, ir.AtomicStoreMin64:
		store64(memory[word:word+2], regs[in.C:in.C+2], kind == ir.AtomicStoreMax64)
		return
	case ir.AtomicCompareExchange:
		regs[in.A], regs[in.A+1] = old, ir.Truth(old == v)
		if old == v {
			memory[word] = regs[in.C+1]
		}
		return
	case ir.AtomicAdd:
		memory[word] = old + v
	case ir.AtomicSub:
		memory[word] = old - v
	case ir.AtomicMaxI:
		memory[word] = uint32(max(int32(old), int32(v)))
	case ir.AtomicMaxU:
		memory[word] = max(old, v)
	case ir.AtomicMinI:
		memory[word] = uint32(min(int32(old), int32(v)))
	case ir.AtomicMinU:
		memory[word] = min(old, v)
	case ir.AtomicAnd:
		memory[word] = old & v
	case ir.AtomicOr:
		memory[word] = old | v
	case ir.AtomicXor:
		memory[word] = old ^ v
	case ir.AtomicExchange:
		memory[word] = v
	}
	regs[in.A] = old
}

// store64 sets the 64-bit number in two words, the lower one first, to its maximum (raise) or
// minimum with a value.
func store64(word, value []uint32, raise bool) {
	old, v := uint64(word[0])|uint64(word[1])<<32, uint64(value[0])|uint64(value[1])<<32
	if (v > old) == raise {
		copy(word, value)
	}
}
