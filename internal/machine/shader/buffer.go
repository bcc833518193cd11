package shader

import (
	"bytes"
	"math"
	"slices"
	"unsafe"
)

// An Element is the type of a buffer's elements, as WGSL writes it.
type Element string

// The element types, 4 bytes each. The members of a uniform can differ in type, so a uniform has
// none of these.
const (
	F32   Element = "f32"
	U32   Element = "u32"
	I32   Element = "i32"
	Words Element = "" // the members of a uniform struct
)

// IsWhole reports whether the elements are whole numbers.
func (e Element) IsWhole() bool { return e == U32 || e == I32 }

// ElementBytes is the size of an element.
const ElementBytes = 4

// UniformRow is 16 bytes: uniform structs are laid out in rows of that size, so the size of a
// uniform buffer is a multiple of it.
const UniformRow = 16

// A Buffer is what the host binds: little-endian bytes and the type of their elements. A buffer
// without an Element is bound as a uniform, any other as storage.
type Buffer struct {
	Element Element
	Bytes   []byte
}

// FloatBuffer returns a storage buffer of f32 that shares memory with values.
func FloatBuffer(values []float32) Buffer { return Buffer{F32, bytesOf(values)} }

// UintBuffer returns a storage buffer of u32 that shares memory with values.
func UintBuffer(values []uint32) Buffer { return Buffer{U32, bytesOf(values)} }

// A UniformWord is one member of a uniform struct.
type UniformWord uint32

// Uint returns a member of type u32.
func Uint[T int | uint32](value T) UniformWord { return UniformWord(value) }

// Float returns a member of type f32.
func Float(value float32) UniformWord { return UniformWord(math.Float32bits(value)) }

// UniformBuffer returns a uniform buffer with the members of a struct in order, padded to whole
// rows.
func UniformBuffer(members ...UniformWord) Buffer {
	const perRow = UniformRow / ElementBytes
	words := make([]UniformWord, (len(members)+perRow-1)/perRow*perRow)
	copy(words, members)
	return Buffer{Words, bytesOf(words)}
}

// bytesOf views values as bytes. Every machine that both Go and WebGPU support is little-endian, as
// buffers are.
func bytesOf[T float32 | uint32 | int32 | UniformWord](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*ElementBytes)
}

func viewOf[T float32 | uint32 | int32 | UniformWord](raw []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/ElementBytes)
}

// Floats views a buffer of f32 as a slice. Writes to the slice change the buffer.
func (b Buffer) Floats() []float32 { return viewOf[float32](b.Bytes) }

// Uints views a buffer of u32 as a slice, as Floats does for f32.
func (b Buffer) Uints() []uint32 { return viewOf[uint32](b.Bytes) }

// Ints views a buffer of i32 as a slice, as Floats does for f32.
func (b Buffer) Ints() []int32 { return viewOf[int32](b.Bytes) }

// Members views the members of a uniform buffer, padding included.
func (b Buffer) Members() []UniformWord { return viewOf[UniformWord](b.Bytes) }

// IsUniform reports whether the buffer is bound as a uniform.
func (b Buffer) IsUniform() bool { return b.Element == Words }

// Uint returns the member as a u32.
func (w UniformWord) Uint() uint32 { return uint32(w) }

// Float returns the member as an f32.
func (w UniformWord) Float() float32 { return math.Float32frombits(uint32(w)) }

// Len returns the number of elements.
func (b Buffer) Len() int { return len(b.Bytes) / ElementBytes }

// At returns element i as a number.
func (b Buffer) At(i int) float64 {
	switch b.Element {
	case F32:
		return float64(b.Floats()[i])
	case I32:
		return float64(b.Ints()[i])
	}
	return float64(b.Uints()[i])
}

// Clone copies the buffer.
func (b Buffer) Clone() Buffer { return Buffer{b.Element, slices.Clone(b.Bytes)} }

// Head returns the first n elements; they share memory with the buffer.
func (b Buffer) Head(n int) Buffer { return Buffer{b.Element, b.Bytes[:n*ElementBytes]} }

// Append returns a copy of the buffer, followed by the elements of other.
func (b Buffer) Append(other Buffer) Buffer {
	return Buffer{b.Element, bytes.Join([][]byte{b.Bytes, other.Bytes}, nil)}
}

// Same reports whether element i is equal in both buffers. NaN equals NaN here.
func (b Buffer) Same(i int, other Buffer) bool {
	x, y := b.At(i), other.At(i)
	return x == y || math.IsNaN(x) && math.IsNaN(y)
}
