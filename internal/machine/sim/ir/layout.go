package ir

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// FlatWords returns the number of slots that a value of the type takes, without padding.
func (p *Program) FlatWords(t types.Type) uint32 {
	n := p.words64(t)
	if n > maxSlots {
		tooLarge()
	}
	return uint32(n)
}

func (p *Program) words64(t types.Type) uint64 {
	switch t := t.(type) {
	case *types.Vector:
		return uint64(t.Size)
	case *types.Matrix:
		return uint64(t.Columns * t.Rows)
	case *types.Atomic:
		return p.words64(t.Elem)
	case *types.Array:
		count := p.Pipeline.Count(t)
		if count > maxSlots {
			return math.MaxUint32
		}
		return min(count*p.words64(t.Elem), math.MaxUint32)
	case *types.Struct:
		var n uint64
		for _, m := range t.Members {
			n = min(n+p.words64(m.Type), math.MaxUint32)
		}
		return n
	case *types.Buffer:
		return (p.Pipeline.SizeOf(t) + 3) / 4
	case *types.Pointer:
		if p.sized(t.Elem) {
			return 2
		}
	}
	return 1
}

func (p *Program) memberWord(s *types.Struct, index int) (offset uint32) {
	for _, m := range s.Members[:index] {
		offset += p.FlatWords(m.Type)
	}
	return offset
}

// bytewise reports whether a memory has the layout of buffers (§ 14.4).
func (p *Program) bytewise(where MemoryKind) bool {
	return where == InBuffers || where == InShared && p.SharedBytes
}

// scale returns how many bytes of the layout of buffers an address of a memory stands for.
func (where MemoryKind) scale() uint32 {
	if where == InBuffers {
		return 1
	}
	return 4
}

// sharedWords returns the number of words that a value takes in workgroup memory.
func (p *Program) sharedWords(t types.Type) uint64 {
	if p.SharedBytes {
		return (p.Pipeline.SizeOf(t) + 3) / 4
	}
	return p.words64(t)
}

// DecodeShared returns the words of a value in workgroup memory from a word on, without padding.
func (p *Program) DecodeShared(t types.Type, shared []uint32) []uint32 {
	if !p.SharedBytes {
		return shared
	}
	var slot uint32
	pieces := p.Pieces(nil, t, 0, &slot)
	words := make([]uint32, slot)
	for _, piece := range pieces {
		copy(words[piece.Slot:][:piece.N], shared[piece.Offset/4:])
	}
	return words
}

// Stride returns the distance between the parts of a vector, matrix or array.
func (p *Program) Stride(where MemoryKind, t types.Type) uint32 {
	switch t := t.(type) {
	case *types.Vector:
		if p.bytewise(where) {
			return uint32(types.SizeOf(t.Elem)) / where.scale()
		}
		return 1
	case *types.Matrix:
		if p.bytewise(where) {
			return uint32(t.Stride()) / where.scale()
		}
		return uint32(t.Rows)
	case *types.Array:
		if p.bytewise(where) {
			return uint32(min(t.Stride(), 1<<31)) / where.scale()
		}
		return p.FlatWords(t.Elem)
	case *types.Buffer:
		return 4 / where.scale()
	}
	return 0
}

// Parts returns the element type of a vector, matrix or array and the number of elements, which is
// 0 for a runtime-sized array.
func (p *Program) Parts(t types.Type) (elem types.Type, count uint64) {
	switch t := t.(type) {
	case *types.Vector:
		return t.Elem, uint64(t.Size)
	case *types.Matrix:
		return t.Column(), uint64(t.Columns)
	case *types.Array:
		return t.Elem, p.Pipeline.Count(t)
	}
	return nil, 0
}

// A piece is a run of words that are consecutive both in slots and in a buffer, or a single f16.
type piece struct {
	Offset, Slot, N uint32
	Half            bool
}

// Pieces splits a value in a buffer into pieces. It numbers the slots from the value's first.
func (p *Program) Pieces(list []piece, t types.Type, offset uint32, slot *uint32) []piece {
	if len(list) > maxSlots {
		tooLarge()
	}
	switch t := t.(type) {
	case *types.Scalar:
		half := t == types.F16
		last := len(list) - 1
		if !half && last >= 0 && !list[last].Half && list[last].Offset+4*list[last].N == offset && list[last].N < 0xffff {
			list[last].N++
		} else {
			list = append(list, piece{offset, *slot, 1, half})
		}
		*slot++
		return list
	case *types.Atomic:
		return p.Pieces(list, t.Elem, offset, slot)
	case *types.Struct:
		for _, m := range t.Members {
			list = p.Pieces(list, m.Type, offset+uint32(m.Offset), slot)
		}
		return list
	}
	elem, count := p.Parts(t)
	stride := p.Stride(InBuffers, t)
	for i := range uint32(count) {
		list = p.Pieces(list, elem, offset+i*stride, slot)
	}
	return list
}
