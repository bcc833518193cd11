package shader

import (
	"bytes"
	"math"
	"slices"
	"unsafe"
)

// Element is what a buffer's bytes are, WGSL's word for it.
type Element string

// The elements, 4 bytes each. A uniform's members differ: it has none.
const (
	F32   Element = "f32"
	U32   Element = "u32"
	I32   Element = "i32"
	Words Element = "" // the members of a uniform struct
)

// ElementBytes is the size of an element.
const ElementBytes = 4

// UniformRow is what the size of a uniform buffer is a multiple of: uniform
// structs are laid out in rows of 16 bytes.
const UniformRow = 16

// A Buffer is what the host binds: bytes, little-endian, and what they are. It
// is bound as a uniform if it has no one Element, and as storage otherwise.
type Buffer struct {
	Element Element
	Bytes   []byte
}

// FloatBuffer is a storage buffer of f32 that shares values' memory.
func FloatBuffer(values []float32) Buffer { return Buffer{F32, bytesOf(values)} }

// UintBuffer is a storage buffer of u32 that shares values' memory.
func UintBuffer(values []uint32) Buffer { return Buffer{U32, bytesOf(values)} }

// A Word is one member of a uniform struct.
type Word uint32

// Uint is a member of type u32.
func Uint[T int | uint32](value T) Word { return Word(value) }

// Float is a member of type f32.
func Float(value float32) Word { return Word(math.Float32bits(value)) }

// UniformBuffer is a uniform buffer of a struct's members, in order, padded to
// whole rows.
func UniformBuffer(members ...Word) Buffer {
	const perRow = UniformRow / ElementBytes
	words := make([]Word, (len(members)+perRow-1)/perRow*perRow)
	copy(words, members)
	return Buffer{Words, bytesOf(words)}
}

// bytesOf views values as bytes. All the machines that Go and WebGPU share are
// little-endian, as buffers are.
func bytesOf[T float32 | uint32 | Word](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*ElementBytes)
}

func viewOf[T float32 | uint32 | Word](raw []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/ElementBytes)
}

// Floats views a buffer of f32: what is written to the slice is written to the
// buffer.
func (b Buffer) Floats() []float32 { return viewOf[float32](b.Bytes) }

// Uints views a buffer of u32, as Floats does.
func (b Buffer) Uints() []uint32 { return viewOf[uint32](b.Bytes) }

// Members views the members of a uniform, its padding included.
func (b Buffer) Members() []Word { return viewOf[Word](b.Bytes) }

// IsUniform says whether the buffer is bound as a uniform.
func (b Buffer) IsUniform() bool { return b.Element == Words }

// Uint is the member as a u32.
func (w Word) Uint() uint32 { return uint32(w) }

// Float is the member as an f32.
func (w Word) Float() float32 { return math.Float32frombits(uint32(w)) }

// Len is the number of elements.
func (b Buffer) Len() int { return len(b.Bytes) / ElementBytes }

// At is element i as a number.
func (b Buffer) At(i int) float64 {
	switch b.Element {
	case F32:
		return float64(b.Floats()[i])
	case I32:
		return float64(int32(b.Uints()[i]))
	}
	return float64(b.Uints()[i])
}

// Clone copies the buffer.
func (b Buffer) Clone() Buffer { return Buffer{b.Element, slices.Clone(b.Bytes)} }

// Head is the first n elements, sharing memory.
func (b Buffer) Head(n int) Buffer { return Buffer{b.Element, b.Bytes[:n*ElementBytes]} }

// Append is a copy of the buffer with the elements of another behind its own.
func (b Buffer) Append(other Buffer) Buffer {
	return Buffer{b.Element, bytes.Join([][]byte{b.Bytes, other.Bytes}, nil)}
}

// Same says whether element i is the same in both; NaN is the same as NaN.
func (b Buffer) Same(i int, other Buffer) bool {
	x, y := b.At(i), other.At(i)
	return x == y || math.IsNaN(x) && math.IsNaN(y)
}
