package sim

import (
	"math"
	"sync/atomic"

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
	*word = *word&^(0xffff<<shift) | uint32(numeric.F16Bits(f32(value)))<<shift
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

// atomic executes one atomic operation. A location out of bounds reads as zero and is not written.
func (m *machine) atomic(inv *invocation, pc uint32, in *instr) {
	regs := inv.slots
	kind, address := in.n&^atomicInBuffer, regs[in.b]
	memory, word := m.shared, address
	if in.n&atomicInBuffer != 0 {
		memory, word = m.buffers, address>>2
	}
	if word >= uint32(len(memory)) {
		if m.watch != nil {
			m.reportOutsideWrite(inv, pc, address)
		}
		if kind != atomicStore && kind < atomicStoreMax64 {
			regs[in.a] = 0
		}
		if kind == atomicCompareExchange {
			regs[in.a+1] = 0
		}
		return
	}
	if m.watch != nil {
		m.watch.touchAtomic(in.n, word, regs[in.c])
	}
	old, v := memory[word], uint32(0)
	if kind != atomicLoad {
		v = regs[in.c]
	}
	switch kind {
	case atomicStore:
		memory[word] = v
		return
	case atomicStoreMax64, atomicStoreMin64:
		store64(memory[word:word+2], regs[in.c:in.c+2], kind == atomicStoreMax64)
		return
	case atomicCompareExchange:
		regs[in.a], regs[in.a+1] = old, truth(old == v)
		if old == v {
			memory[word] = regs[in.c+1]
		}
		return
	case atomicAdd:
		memory[word] = old + v
	case atomicSub:
		memory[word] = old - v
	case atomicMaxI:
		memory[word] = uint32(max(int32(old), int32(v)))
	case atomicMaxU:
		memory[word] = max(old, v)
	case atomicMinI:
		memory[word] = uint32(min(int32(old), int32(v)))
	case atomicMinU:
		memory[word] = min(old, v)
	case atomicAnd:
		memory[word] = old & v
	case atomicOr:
		memory[word] = old | v
	case atomicXor:
		memory[word] = old ^ v
	case atomicExchange:
		memory[word] = v
	}
	regs[in.a] = old
}

// store64 sets the 64-bit number in two words, the lower one first, to its maximum (raise) or
// minimum with a value.
func store64(word, value []uint32, raise bool) {
	old, v := uint64(word[0])|uint64(word[1])<<32, uint64(value[0])|uint64(value[1])<<32
	if (v > old) == raise {
		copy(word, value)
	}
}
