package types

import (
	"math"
	"strconv"
	"strings"
)

// A Value is a constant of a constructible type: a scalar, or vector components, matrix columns,
// array elements or structure members in order. The zero Value has no type and means "not known".
type Value struct {
	Type Type
	num  uint64  // scalars: integers and bools as int64, all floats as the bits of a float64
	list []Value // the parts of a composite; nil if all of them are zero
}

// IntValue returns an integer or bool scalar; n must fit the type.
func IntValue(t *Scalar, n int64) Value { return Value{Type: t, num: uint64(n)} }

// FloatValue returns a floating-point scalar; f must already be a value of the type.
func FloatValue(t *Scalar, f float64) Value { return Value{Type: t, num: math.Float64bits(f)} }

// BoolValue returns a bool.
func BoolValue(b bool) Value {
	if b {
		return Value{Type: Bool, num: 1}
	}
	return Value{Type: Bool}
}

// CompositeValue returns a vector, matrix, array or structure with the given parts.
func CompositeValue(t Type, parts []Value) Value { return Value{Type: t, list: parts} }

// ZeroValue returns the zero value of the type (§ 17.1.1). Its parts use no memory.
func ZeroValue(t Type) Value { return Value{Type: t} }

// Valid reports whether there is a value.
func (v Value) Valid() bool { return v.Type != nil }

// Int returns the integer of an i32, u32 or abstract-int, or 0 or 1 for a bool.
func (v Value) Int() int64 { return int64(v.num) }

// Float returns the number of an f32, f16 or abstract-float.
func (v Value) Float() float64 { return math.Float64frombits(v.num) }

// Bool returns the value of a bool.
func (v Value) Bool() bool { return v.num != 0 }

// Bits returns the bits of a concrete scalar in memory: two's complement, IEEE 754 binary32 or
// binary16, 0 or 1 (§ 14.4.4).
func (v Value) Bits() uint32 {
	switch v.Type {
	case F32:
		return math.Float32bits(float32(v.Float()))
	case F16:
		return uint32(F16Bits(v.Float()))
	}
	return uint32(v.num)
}

// Len returns the number of parts: components, columns, elements or members; 0 for scalars.
func (v Value) Len() int {
	switch t := v.Type.(type) {
	case *Vector:
		return t.Size
	case *Matrix:
		return t.Columns
	case *Array:
		return int(t.Count)
	case *Struct:
		return len(t.Members)
	}
	return 0
}

// At returns part i: a component, column, element or member.
func (v Value) At(i int) Value {
	if v.list != nil {
		return v.list[i]
	}
	switch t := v.Type.(type) {
	case *Vector:
		return Value{Type: t.Elem}
	case *Matrix:
		return Value{Type: t.Column()}
	case *Array:
		return Value{Type: t.Elem}
	case *Struct:
		return Value{Type: t.Members[i].Type}
	}
	return Value{}
}

// maxConstant is the maximum number of scalars in a constant: arrays of arrays of constants grow
// fast.
const maxConstant = 1 << 16

// weight returns the number of scalars in a value. It stops counting soon after maxConstant.
func (v Value) weight() int {
	n := 1
	for _, part := range v.list {
		if n += part.weight(); n > maxConstant {
			return n
		}
	}
	return n
}

// String returns the value as WGSL would write it, without its type; it shortens long arrays.
func (v Value) String() string {
	s, ok := v.Type.(*Scalar)
	if !ok {
		return v.compositeString()
	}
	switch {
	case s == Bool:
		return strconv.FormatBool(v.Bool())
	case s == U32:
		return strconv.FormatInt(v.Int(), 10) + "u"
	case s.Integer():
		return strconv.FormatInt(v.Int(), 10)
	}
	return formatFloat(v.Float(), s)
}

func formatFloat(f float64, s *Scalar) string {
	bits := 64
	if s != AbstractFloat {
		bits = 32
	}
	text := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(text, ".eIN") {
		text += ".0"
	}
	return text
}

func (v Value) compositeString() string {
	if v.Type == nil {
		return "unknown"
	}
	var text strings.Builder
	left := 16 // scalars to show
	v.write(&text, &left)
	return text.String()
}

func (v Value) write(text *strings.Builder, left *int) {
	if v.Len() == 0 {
		*left--
		text.WriteString(v.String())
		return
	}
	text.WriteString(v.Type.String() + "(")
	for i := range v.Len() {
		if i > 0 {
			text.WriteString(", ")
		}
		if *left <= 0 {
			text.WriteString("…")
			break
		}
		v.At(i).write(text, left)
	}
	text.WriteString(")")
}

// The largest finite numbers of the types (§ 6.2.4), and the smallest positive ones of binary16.
const (
	maxF32 = math.MaxFloat32
	maxF16 = 65504

	smallestNormalF16 = 1.0 / (1 << 14)
	smallestF16       = 1.0 / (1 << 24)
)

// RoundF32 returns the f32 nearest to f, ties to even (§ 15.7.6), or an infinity if f is too large.
func RoundF32(f float64) float64 { return float64(float32(f)) }

// RoundF16 returns the f16 nearest to f, ties to even (§ 15.7.6), or an infinity if f is too large.
func RoundF16(f float64) float64 {
	size := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0) || f == 0:
		return f
	case size >= maxF16+16: // half a step above the largest f16 rounds up, to infinity
		return math.Copysign(math.Inf(1), f)
	case size < smallestNormalF16:
		return math.Copysign(math.RoundToEven(size/smallestF16)*smallestF16, f)
	}
	_, exponent := math.Frexp(size) // size = fraction · 2^exponent, fraction in [0.5, 1)
	step := math.Ldexp(1, exponent-11)
	return math.Copysign(math.RoundToEven(size/step)*step, f)
}

// F16Bits returns the IEEE 754 binary16 representation of the f16 nearest to f.
func F16Bits(f float64) uint16 {
	f = RoundF16(f)
	var sign uint16
	if math.Signbit(f) {
		sign = 1 << 15
	}
	size := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return sign | 0x7e00
	case math.IsInf(f, 0):
		return sign | 0x7c00
	case size < smallestNormalF16:
		return sign | uint16(size/smallestF16)
	}
	fraction, exponent := math.Frexp(size)
	return sign | uint16(exponent+14)<<10 | uint16(fraction*2048)&0x3ff
}

// F16FromBits returns the number that an IEEE 754 binary16 representation encodes.
func F16FromBits(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	var size float64
	switch exponent {
	case 0:
		size = fraction * smallestF16
	case 0x1f:
		size = math.Inf(1)
		if fraction != 0 {
			size = math.NaN()
		}
	default:
		size = math.Ldexp(1+fraction/1024, exponent-15)
	}
	if bits>>15 != 0 {
		return -size
	}
	return size
}

// round returns f as a value of the float type s.
func round(f float64, s *Scalar) float64 {
	switch s {
	case F32:
		return RoundF32(f)
	case F16:
		return RoundF16(f)
	}
	return f
}
