package wasm

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// Limits say how large the words in slots can be, as unsigned numbers: each is less than its limit.
// So compiled code need not compare an index that a condition around it, its loop or the size of
// the workgroup bounds.
type limits []uint64

const (
	anyWord  = 1 << 32
	positive = 1 << 31 // as a signed number, and an address within bounds
)

// A bounding follows limits through code.
type bounding struct {
	*placement
	at   []limits // before each block, by its first instruction; else nil
	fits []bool   // by instruction: an index that is within its array
}

// bound finds the limits before each block. A run may begin at an entry, where nothing is known but
// the invocation's place.
func (p *placement) bound() *bounding {
	b := &bounding{p, make([]limits, len(p.ops)+1), make([]bool, len(p.ops))}
	leaders := p.leaders()
	next := map[uint32]uint32{}
	for i := range len(leaders) - 1 {
		next[leaders[i]] = leaders[i+1]
	}
	visits := map[uint32]*int{} // of the begins of loops
	for _, l := range p.loops {
		visits[l.head] = new(int)
	}
	ways := slices.Clone(p.entries)
	for _, at := range ways {
		b.at[at] = b.first()
	}
	for len(ways) > 0 {
		leader := ways[len(ways)-1]
		ways = ways[:len(ways)-1]
		if leader == uint32(len(p.ops)) {
			continue
		}
		now := slices.Clone(b.at[leader])
		last := next[leader] - 1
		for at := leader; at < last; at++ {
			b.pass(now, &p.ops[at])
		}
		o := &p.ops[last]
		b.pass(now, o)
		if o.waits() && p.all != p {
			continue
		}
		for _, to := range p.following(last) {
			there := now
			if o.C != last+1 {
				there = b.along(now, o, to == o.C)
			}
			if b.join(to, there, visits[to]) {
				ways = append(ways, to)
			}
		}
	}
	var now limits
	for at := range p.ops {
		if b.at[at] != nil {
			now = slices.Clone(b.at[at])
		}
		b.fits[at] = b.indexFits(now, &p.ops[at])
		b.pass(now, &p.ops[at])
	}
	return b
}

// indexFits reports whether an index is known to be within its array.
func (b *bounding) indexFits(l limits, o *op) bool {
	switch o.Op {
	case ir.OpIndex:
		return l[o.B] <= uint64(o.C)
	case ir.OpIndexBig:
		return l[o.B] <= uint64(b.program.BigIndexes[o.C].Limit)
	}
	return false
}

// first returns what is known where a run begins.
func (b *bounding) first() limits {
	l := make(limits, len(b.program.Initial))
	for slot := range l {
		l[slot] = anyWord
		if bits, ok := b.constant(uint32(slot)); ok {
			l[slot] = uint64(bits) + 1
		}
	}
	place := func(slot int, limit uint32) {
		if !b.inMemory[slot] {
			l[slot] = uint64(limit)
		}
	}
	for i, n := range b.program.Pipeline.WorkgroupSize {
		place(ir.LocalID+i, n)
	}
	place(ir.LocalIndex, b.invocations())
	return l
}

// join adds a way to an instruction, and reports whether less is known there than before. What
// grows from round to round of a loop soon counts as positive, then as any word.
func (b *bounding) join(at uint32, l limits, visits *int) (less bool) {
	known := b.at[at]
	if known == nil {
		b.at[at] = slices.Clone(l)
		return true
	}
	for slot, limit := range l {
		switch {
		case limit <= known[slot]:
			continue
		case visits != nil && *visits > 1 && limit <= positive:
			limit = positive
		case visits != nil && *visits > 1:
			limit = anyWord
		}
		known[slot], less = limit, true
	}
	if less && visits != nil {
		*visits++
	}
	return less
}

// neverWraps reports whether a computation with whole numbers can't wrap around.
func (b *bounding) neverWraps(l limits, o *op) bool {
	exact := b.result(l, o)
	switch o.Op {
	case ir.OpAddU, ir.OpMulU:
		return exact <= anyWord
	case ir.OpAddI, ir.OpMulI:
		return exact <= positive && l[o.B] <= positive && l[o.C] <= positive
	}
	return false
}

// pass changes the limits from before an instruction to after it.
func (b *bounding) pass(l limits, o *op) {
	limit := b.result(l, o)
	o.uses(func(uint32) {}, func(slot uint32) {
		if l[slot] = anyWord; slot == o.A && !b.inMemory[slot] {
			l[slot] = min(limit, anyWord)
		}
	})
}

// result returns the limit of the first slot that an instruction writes.
func (b *bounding) result(l limits, o *op) uint64 {
	of := func(slot uint32) uint64 { return l[slot] - 1 } // the largest number
	switch o.Op {
	case ir.OpMove:
		return l[o.B]
	case ir.OpMoveIf:
		return max(l[o.A], l[o.C])
	case ir.OpAddU, ir.OpAddI, ir.OpAddAddress:
		return of(o.B) + of(o.C) + 1
	case ir.OpAddOffset:
		return of(o.B) + uint64(o.C) + 1
	case ir.OpMulU, ir.OpMulI:
		return of(o.B)*of(o.C) + 1
	case ir.OpAnd, ir.OpMinU:
		return min(l[o.B], l[o.C])
	case ir.OpRemU:
		if by, ok := b.constant(o.C); ok && by > 0 {
			return min(l[o.B], uint64(by))
		}
	case ir.OpDivU:
		if by, ok := b.constant(o.C); ok && by > 0 {
			return of(o.B)/uint64(by) + 1
		}
	case ir.OpShrU, ir.OpShl:
		if by, ok := b.constant(o.C); ok && by < 32 {
			if o.Op == ir.OpShl {
				return of(o.B)<<by + 1
			}
			return of(o.B)>>by + 1
		}
	case ir.OpIndex:
		if l[o.B] <= uint64(o.C) {
			return of(o.B)*uint64(o.N) + 1
		}
	default:
		if o.Op.Info().Operands.A == ir.OperandWriteBool {
			return 2
		}
	}
	return anyWord
}

// along returns what is known after a jump's condition, if the run takes it or not.
func (b *bounding) along(l limits, o *op, taken bool) limits {
	x, y, or := o.A, o.B, uint64(0) // x < y, or equal
	signed := o.Op == ir.OpJumpLtI || o.Op == ir.OpJumpLeI
	switch o.Op {
	case ir.OpJumpLtU, ir.OpJumpLtI:
	case ir.OpJumpLeU, ir.OpJumpLeI:
		or = 1
	default:
		return l
	}
	if !taken {
		x, y, or = y, x, 1-or
	}
	to := slices.Clone(l)
	if !b.inMemory[x] && (!signed || l[x] <= positive && l[y] <= positive) {
		to[x] = min(l[x], max(l[y]-1+or, 1))
	}
	if !b.inMemory[y] && signed && l[x] <= positive {
		to[y] = min(l[y], positive)
	}
	return to
}
