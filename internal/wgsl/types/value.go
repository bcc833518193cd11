package types

import (
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
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

// ScalarValue returns the scalar of 32 bits that memory holds as a word.
func ScalarValue(t *Scalar, word uint32) Value {
	switch {
	case t.Float():
		return FloatValue(t, float64(math.Float32frombits(word)))
	case t == I32:
		return IntValue(t, int64(int32(word)))
	}
	return IntValue(t, int64(word))
}

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
		return uint32(numeric.F16Bits(float32(v.Float())))
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

// ShownScalars is how many scalars of a value String writes.
const ShownScalars = 16

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
	left := ShownScalars
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

// The largest finite numbers of the types (§ 6.2.4).
const (
	maxF32 = math.MaxFloat32
	maxF16 = numeric.LargestF16
)

// RoundF32 returns the f32 nearest to f, ties to even (§ 15.7.6), or an infinity if f is too large.
func RoundF32(f float64) float64 { return float64(float32(f)) }

// round returns f as a value of the float type s.
func round(f float64, s *Scalar) float64 {
	switch s {
	case F32:
		return RoundF32(f)
	case F16:
		return numeric.RoundF16(f)
	}
	return f
}
