package types

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/float16"
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

func packNorm(width int, lowest float64) constFunc {
	most := float64(int64(1)<<width - 1)
	if lowest < 0 {
		most = float64(int64(1)<<(width-1) - 1)
	}
	return pack(width, func(v Value) (uint32, *fault) {
		return uint32(int32(math.Floor(0.5 + most*min(1, max(lowest, v.Float()))))), nil
	})
}

func packFloat(v Value) (uint32, *fault) {
	if math.Abs(v.Float()) > maxF16 {
		return 0, faultf("const-range", "%s does not fit in an f16: the largest is 65504.", v)
	}
	return uint32(float16.Bits(float32(v.Float()))), nil
}

func packClamped(low, high int64) constFunc {
	return pack(8, func(v Value) (uint32, *fault) { return uint32(min(max(v.Int(), low), high)), nil })
}

// unpack returns a function that splits a word into parts of the given width; signed extends the
// sign.
func unpack(width int, signed bool, part func(n int32, s *Scalar) (Value, *fault)) constFunc {
	return func(args []Value, result Type) (Value, *fault) {
		word := uint32(args[0].Int())
		v := result.(*Vector)
		parts := make([]Value, v.Size)
		for i := range parts {
			n := int32(word >> (i * width) & (1<<width - 1))
			if signed {
				n = n << (32 - width) >> (32 - width)
			}
			value, bad := part(n, v.Elem)
			if bad != nil {
				return Value{}, bad
			}
			parts[i] = value
		}
		return CompositeValue(result, parts), nil
	}
}

func unpackNorm(most float64) func(int32, *Scalar) (Value, *fault) {
	return func(n int32, s *Scalar) (Value, *fault) {
		return FloatValue(s, round(max(float64(n)/most, -1), s)), nil
	}
}

func unpackFloat(n int32, s *Scalar) (Value, *fault) {
	return makeFloat(float64(float16.FromBits(uint16(n))), s, "unpack2x16float", []Value{IntValue(U32, int64(n))})
}

func unpackInt(n int32, s *Scalar) (Value, *fault) { return makeInt(int64(n), s), nil }

// dotPacked returns a function that multiplies four bytes by four others.
func dotPacked(signed bool) constFunc {
	return func(args []Value, result Type) (Value, *fault) {
		var sum int64
		for shift := 0; shift < 32; shift += 8 {
			x, y := byte(args[0].Int()>>shift), byte(args[1].Int()>>shift)
			if signed {
				sum += int64(int8(x)) * int64(int8(y))
			} else {
				sum += int64(x) * int64(y)
			}
		}
		return makeInt(sum, result.(*Scalar)), nil
	}
}

func lowBits(v Value) (uint32, *fault) { return uint32(v.Int()), nil }
