package types

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// pack returns a function that converts each component with part and joins the results into a word,
// the first one lowest.
func pack(width int, part func(v Value) (uint32, *fault)) constFunc {
	return func(args []Value, _ Type) (Value, *fault) {
		var word uint32
		for i := range args[0].Len() {
			bits, bad := part(args[0].At(i))
			if bad != nil {
				return Value{}, bad
			}
			word |= bits & (1<<width - 1) << (i * width)
		}
		return IntValue(U32, int64(word)), nil
	}
}

func packNorm(width int, part func(width int, x float64) uint32) constFunc {
	return pack(width, func(v Value) (uint32, *fault) { return part(width, v.Float()), nil })
}

func packFloat(v Value) (uint32, *fault) {
	if math.Abs(v.Float()) > maxF16 {
		return 0, faultf("const-range", "%s does not fit in an f16: the largest is 65504.", v)
	}
	return uint32(numeric.F16Bits(float32(v.Float()))), nil
}

func packInt(part func(n uint32) uint32) constFunc {
	return pack(8, func(v Value) (uint32, *fault) { return part(uint32(v.Int())), nil })
}

// unpack returns a function that splits a word into parts of the given width.
func unpack(width int, part func(bits uint32, s *Scalar) (Value, *fault)) constFunc {
	return func(args []Value, result Type) (Value, *fault) {
		word := uint32(args[0].Int())
		v := result.(*Vector)
		parts := make([]Value, v.Size)
		for i := range parts {
			value, bad := part(word>>(i*width)&(1<<width-1), v.Elem)
			if bad != nil {
				return Value{}, bad
			}
			parts[i] = value
		}
		return CompositeValue(result, parts), nil
	}
}

func unpackNorm(width int, part func(width int, bits uint32) float64) func(uint32, *Scalar) (Value, *fault) {
	return func(bits uint32, s *Scalar) (Value, *fault) { return FloatValue(s, round(part(width, bits), s)), nil }
}

func unpackFloat(bits uint32, s *Scalar) (Value, *fault) {
	return makeFloat(float64(numeric.FromF16Bits(uint16(bits))), s, "unpack2x16float", []Value{IntValue(U32, int64(bits))})
}

func unpackInt(part func(bits uint32) uint32) func(uint32, *Scalar) (Value, *fault) {
	return func(bits uint32, s *Scalar) (Value, *fault) { return makeInt(int64(part(bits)), s), nil }
}

func lowBits(bits uint32) uint32 { return bits }

// dotPacked returns a function that multiplies four bytes by four others.
func dotPacked(f func(a, b uint32) uint32) constFunc {
	return func(args []Value, result Type) (Value, *fault) {
		return makeInt(int64(f(uint32(args[0].Int()), uint32(args[1].Int()))), result.(*Scalar)), nil
	}
}
