package types

import (
	"math"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// float1 returns a function of one float; where f returns NaN or infinity, the function has a
// fault.
func float1(name string, f func(float64) float64) constFunc {
	return componentWise(func(args []Value, s *Scalar) (Value, *fault) {
		x := args[0].Float()
		if y := f(x); !math.IsNaN(y) {
			return makeFloat(y, s, name, args)
		}
		return Value{}, faultf("const-domain", "%s(%s) is not defined.", name, args[0])
	})
}

// int1 returns a function of the 32 bits of an i32 or u32.
func int1(f func(uint32) uint32) constFunc {
	return componentWise(func(args []Value, s *Scalar) (Value, *fault) {
		return makeInt(int64(f(uint32(args[0].Int()))), s), nil
	})
}

func minimum(args []Value, _ *Scalar) (Value, *fault) {
	if order(args[1], args[0]) < 0 {
		return args[1], nil
	}
	return args[0], nil
}

func maximum(args []Value, _ *Scalar) (Value, *fault) {
	if order(args[0], args[1]) < 0 {
		return args[1], nil
	}
	return args[0], nil
}

func clamp(args []Value, s *Scalar) (Value, *fault) {
	if order(args[1], args[2]) > 0 {
		return Value{}, faultf("const-domain", "clamp needs low ≤ high, but %s is larger than %s.", args[1], args[2])
	}
	low, _ := maximum(args[:2], s)
	return minimum([]Value{low, args[2]}, s)
}

func absolute(args []Value, s *Scalar) (Value, *fault) {
	if s.Float() {
		return FloatValue(s, math.Abs(args[0].Float())), nil
	}
	if n := args[0].Int(); n < 0 {
		return makeInt(-n, s), nil
	}
	return args[0], nil
}

func signOf(args []Value, s *Scalar) (Value, *fault) {
	if s.Float() {
		return FloatValue(s, numeric.Sign(args[0].Float())), nil
	}
	return IntValue(s, numeric.Sign(args[0].Int())), nil
}

func selectValue(args []Value, result Type) (Value, *fault) {
	if _, vector := args[2].Type.(*Vector); !vector {
		if args[2].Bool() {
			return args[1], nil
		}
		return args[0], nil
	}
	return components(func(args []Value, _ *Scalar) (Value, *fault) {
		if args[2].Bool() {
			return args[1], nil
		}
		return args[0], nil
	}, args, result)
}

func allTrue(args []Value, _ Type) (Value, *fault) {
	for i := range args[0].Len() {
		if !args[0].At(i).Bool() {
			return BoolValue(false), nil
		}
	}
	return BoolValue(args[0].Len() > 0 || args[0].Bool()), nil
}

func anyTrue(args []Value, _ Type) (Value, *fault) {
	for i := range args[0].Len() {
		if args[0].At(i).Bool() {
			return BoolValue(true), nil
		}
	}
	return BoolValue(args[0].Len() == 0 && args[0].Bool()), nil
}

func dot(args []Value, result Type) (Value, *fault) {
	return dotProduct(args[0], args[1], result.(*Scalar))
}

func length(args []Value, result Type) (Value, *fault) {
	s := result.(*Scalar)
	v := args[0]
	if v.Len() == 0 {
		return FloatValue(s, math.Abs(v.Float())), nil
	}
	squares, bad := dotProduct(v, v, s)
	if bad != nil {
		return Value{}, bad
	}
	return makeFloat(math.Sqrt(squares.Float()), s, "length", args)
}

func distance(args []Value, result Type) (Value, *fault) {
	difference, bad := components(subtraction.scalar, args, args[0].Type)
	if bad != nil {
		return Value{}, bad
	}
	return length([]Value{difference}, result)
}

func normalize(args []Value, result Type) (Value, *fault) {
	size, bad := length(args, ElemOf(result))
	if bad != nil {
		return Value{}, bad
	}
	if size.Float() == 0 {
		return Value{}, faultf("const-domain", "normalize needs a vector that is not zero, but this is %s.", args[0])
	}
	return components(divide, []Value{args[0], size}, result)
}

func cross(args []Value, result Type) (Value, *fault) {
	s := ElemOf(result)
	x, y := args[0], args[1]
	parts := make([]Value, 3)
	for i := range parts {
		j, k := (i+1)%3, (i+2)%3
		part, bad := difference2(x.At(j), y.At(k), x.At(k), y.At(j), s)
		if bad != nil {
			return Value{}, bad
		}
		parts[i] = part
	}
	return CompositeValue(result, parts), nil
}

// difference2 computes a·b - c·d. It rounds and checks each step.
func difference2(a, b, c, d Value, s *Scalar) (Value, *fault) {
	left, bad := multiplication.scalar([]Value{a, b}, s)
	if bad != nil {
		return Value{}, bad
	}
	right, bad := multiplication.scalar([]Value{c, d}, s)
	if bad != nil {
		return Value{}, bad
	}
	return subtraction.scalar([]Value{left, right}, s)
}

func determinant(args []Value, result Type) (Value, *fault) {
	m := args[0].Type.(*Matrix)
	rows := make([]int, m.Rows)
	for i := range rows {
		rows[i] = i
	}
	return minor(args[0], m.Elem, 0, rows)
}

// minor computes the determinant of the given rows and of the columns from column on, by Laplace
// expansion.
func minor(m Value, s *Scalar, column int, rows []int) (Value, *fault) {
	if len(rows) == 1 {
		return m.At(column).At(rows[0]), nil
	}
	sum := ZeroValue(s)
	for i, row := range rows {
		rest := append(append([]int{}, rows[:i]...), rows[i+1:]...)
		sub, bad := minor(m, s, column+1, rest)
		if bad != nil {
			return Value{}, bad
		}
		product, bad := multiplication.scalar([]Value{m.At(column).At(row), sub}, s)
		if bad != nil {
			return Value{}, bad
		}
		step := addition
		if i%2 == 1 {
			step = subtraction
		}
		if sum, bad = step.scalar([]Value{sum, product}, s); bad != nil {
			return Value{}, bad
		}
	}
	return sum, nil
}

func transpose(args []Value, result Type) (Value, *fault) {
	t, m := result.(*Matrix), args[0].Type.(*Matrix)
	columns := make([]Value, t.Columns)
	for c := range columns {
		columns[c] = rowOf(m, args[0], c)
	}
	return CompositeValue(result, columns), nil
}

func faceForward(args []Value, result Type) (Value, *fault) {
	along, bad := dotProduct(args[1], args[2], ElemOf(result))
	if bad != nil {
		return Value{}, bad
	}
	if along.Float() < 0 {
		return args[0], nil
	}
	return components(negate, args[:1], result)
}

// reflect computes e1 - 2·dot(e2, e1)·e2 (§ 17.5.49).
func reflect(args []Value, result Type) (Value, *fault) {
	s := ElemOf(result)
	along, bad := dotProduct(args[1], args[0], s)
	if bad != nil {
		return Value{}, bad
	}
	twice, bad := multiplication.scalar([]Value{FloatValue(s, 2), along}, s)
	if bad != nil {
		return Value{}, bad
	}
	scaled, bad := components(multiplication.scalar, []Value{twice, args[1]}, result)
	if bad != nil {
		return Value{}, bad
	}
	return components(subtraction.scalar, []Value{args[0], scaled}, result)
}

// refract computes the formula of § 17.5.50.
func refract(args []Value, result Type) (Value, *fault) {
	s := ElemOf(result)
	along, bad := dotProduct(args[1], args[0], s)
	if bad != nil {
		return Value{}, bad
	}
	eta, d := args[2].Float(), along.Float()
	for _, step := range []float64{d * d, eta * eta, eta * eta * (1 - d*d)} {
		if _, bad := makeFloat(step, s, "refract", args); bad != nil {
			return Value{}, bad
		}
	}
	k := 1 - eta*eta*(1-d*d)
	if k < 0 {
		return ZeroValue(result), nil
	}
	scale, bad := makeFloat(eta*d+math.Sqrt(k), s, "refract", args)
	if bad != nil {
		return Value{}, bad
	}
	return components(func(args []Value, s *Scalar) (Value, *fault) {
		return makeFloat(args[1].Float()*args[0].Float()-args[2].Float()*args[3].Float(), s, "refract", args)
	}, []Value{args[0], args[2], scale, args[1]}, result)
}

func power(args []Value, s *Scalar) (Value, *fault) {
	x, y := args[0].Float(), args[1].Float()
	if x < 0 || x == 0 && y <= 0 {
		return Value{}, faultf("const-domain", "pow(%s, %s) is not defined: the base must be above 0.", args[0], args[1]).
			try("For a whole exponent, multiply: x * x.")
	}
	return makeFloat(numeric.Pow(x, y), s, "pow", args)
}

func arcTangent2(args []Value, s *Scalar) (Value, *fault) {
	y, x := args[0].Float(), args[1].Float()
	if y == 0 && x == 0 {
		return Value{}, faultf("const-domain", "atan2(0, 0) is not defined.")
	}
	return makeFloat(math.Atan2(y, x), s, "atan2", args)
}

func fusedMultiplyAdd(args []Value, s *Scalar) (Value, *fault) {
	return makeFloat(math.FMA(args[0].Float(), args[1].Float(), args[2].Float()), s, "fma", args)
}

// mix computes e1·(1-e3) + e2·e3. It rounds and checks each step (§ 17.5.43).
func mix(args []Value, s *Scalar) (Value, *fault) {
	rest, bad := subtraction.scalar([]Value{FloatValue(s, 1), args[2]}, s)
	if bad != nil {
		return Value{}, bad
	}
	left, bad := multiplication.scalar([]Value{args[0], rest}, s)
	if bad != nil {
		return Value{}, bad
	}
	right, bad := multiplication.scalar([]Value{args[1], args[2]}, s)
	if bad != nil {
		return Value{}, bad
	}
	return addition.scalar([]Value{left, right}, s)
}

// smoothStep computes the formula of § 17.5.57. It rounds and checks each step.
func smoothStep(args []Value, s *Scalar) (Value, *fault) {
	low, high, x := args[0], args[1], args[2]
	if low.Float() == high.Float() {
		return Value{}, faultf("const-domain", "smoothstep needs two different edges, but both are %s.", low)
	}
	above, bad := subtraction.scalar([]Value{x, low}, s)
	if bad != nil {
		return Value{}, bad
	}
	width, bad := subtraction.scalar([]Value{high, low}, s)
	if bad != nil {
		return Value{}, bad
	}
	ratio, bad := divide([]Value{above, width}, s)
	if bad != nil {
		return Value{}, bad
	}
	return makeFloat(numeric.Smooth(ratio.Float()), s, "smoothstep", args)
}

func stepAt(args []Value, s *Scalar) (Value, *fault) {
	return FloatValue(s, numeric.Step(args[0].Float(), args[1].Float())), nil
}

func saturate(args []Value, s *Scalar) (Value, *fault) {
	return FloatValue(s, numeric.Saturate(args[0].Float())), nil
}

func quantize(args []Value, s *Scalar) (Value, *fault) {
	f := args[0].Float()
	if math.Abs(f) > maxF16 {
		return Value{}, faultf("const-range", "%s does not fit in an f16: the largest is 65504.", args[0])
	}
	return FloatValue(s, numeric.RoundF16(f)), nil
}

// bias returns the bias of a float type's exponent (§ 15.7.1).
func bias(s *Scalar) int64 {
	switch s {
	case F16:
		return 15
	case F32:
		return 127
	}
	return 1023
}

func loadExponent(args []Value, s *Scalar) (Value, *fault) {
	if bad := exponentFault(args[1], s); bad != nil {
		return Value{}, bad
	}
	exponent := max(args[1].Int(), -5000)
	return makeFloat(math.Ldexp(args[0].Float(), int(exponent)), s, "ldexp", args)
}

func exponentFault(exponent Value, s *Scalar) *fault {
	if exponent.Int() > bias(s)+1 {
		return faultf("const-range", "The exponent %s is too large: for %s it is at most %d.", exponent, article(s), bias(s)+1)
	}
	return nil
}

func frexp(args []Value, result Type) (Value, *fault) {
	return splitFloat(args[0], result.(*Struct), func(f float64) (float64, float64) {
		fraction, exponent := numeric.Frexp(f)
		return fraction, float64(exponent)
	})
}

func modf(args []Value, result Type) (Value, *fault) {
	return splitFloat(args[0], result.(*Struct), numeric.Modf)
}

// splitFloat returns a structure with two members, both computed component-wise.
func splitFloat(v Value, result *Struct, f func(float64) (float64, float64)) (Value, *fault) {
	members := make([]Value, 2)
	for i := range members {
		member, bad := components(func(args []Value, s *Scalar) (Value, *fault) {
			first, second := f(args[0].Float())
			part := [2]float64{first, second}[i]
			if s.Integer() {
				return IntValue(s, int64(part)), nil
			}
			return makeFloat(part, s, "the fraction of ", args)
		}, []Value{v}, result.Members[i].Type)
		if bad != nil {
			return Value{}, bad
		}
		members[i] = member
	}
	return CompositeValue(result, members), nil
}

func firstLeadingBit(args []Value, s *Scalar) (Value, *fault) {
	if s == I32 {
		return makeInt(int64(numeric.FirstLeadingBitI(uint32(args[0].Int()))), s), nil
	}
	return makeInt(int64(numeric.FirstLeadingBitU(uint32(args[0].Int()))), s), nil
}

func extractBits(args []Value, s *Scalar) (Value, *fault) {
	if bad := bitRangeFault(args[1], args[2]); bad != nil {
		return Value{}, bad
	}
	n, offset, count := uint32(args[0].Int()), uint32(args[1].Int()), uint32(args[2].Int())
	if s == I32 {
		return makeInt(int64(numeric.ExtractBitsI(n, offset, count)), s), nil
	}
	return makeInt(int64(numeric.ExtractBitsU(n, offset, count)), s), nil
}

func insertBits(args []Value, s *Scalar) (Value, *fault) {
	if bad := bitRangeFault(args[2], args[3]); bad != nil {
		return Value{}, bad
	}
	offset, count := uint32(args[2].Int()), uint32(args[3].Int())
	mask := int64(numeric.BitRange(offset, count))
	return makeInt(args[0].Int()&^mask|args[1].Int()<<offset&mask, s), nil
}

func bitRangeFault(offset, count Value) *fault {
	if offset.Int()+count.Int() > 32 {
		return faultf("const-range", "%d bits from bit %d on go past the last of the 32.", count.Int(), offset.Int())
	}
	return nil
}

// bitcast reinterprets the bits of a value as another type (§ 17.2.1).
func bitcast(args []Value, result Type) (Value, *fault) {
	v := args[0]
	if ElemOf(v.Type) == AbstractInt {
		return convert(v, result)
	}
	if ElemOf(v.Type) == ElemOf(result) {
		return v, nil
	}
	return fromWords(toWords(v), result)
}

// toWords returns a numeric value as 32-bit words. A word holds two f16, the first in the low half
// (§ 14.4.4).
func toWords(v Value) []uint32 {
	if v.Len() == 0 {
		return []uint32{v.Bits()}
	}
	words := make([]uint32, 0, 4)
	for i := range v.Len() {
		part := v.At(i).Bits()
		if ElemOf(v.Type) == F16 && i%2 == 1 {
			words[i/2] |= part << 16
			continue
		}
		words = append(words, part)
	}
	return words
}

func fromWords(words []uint32, result Type) (Value, *fault) {
	v, vector := result.(*Vector)
	if !vector {
		return scalarFromBits(words[0], result.(*Scalar))
	}
	parts := make([]Value, v.Size)
	for i := range parts {
		var bits uint32
		if v.Elem == F16 {
			bits = words[i/2] >> (16 * (i % 2)) & 0xffff
		} else {
			bits = words[i]
		}
		part, bad := scalarFromBits(bits, v.Elem)
		if bad != nil {
			return Value{}, bad
		}
		parts[i] = part
	}
	return CompositeValue(result, parts), nil
}

func scalarFromBits(bits uint32, s *Scalar) (Value, *fault) {
	f := float64(math.Float32frombits(bits))
	if s == F16 {
		f = float64(numeric.FromF16Bits(uint16(bits)))
	}
	if !s.Float() {
		return makeInt(int64(bits), s), nil
	}
	return makeFloat(f, s, "bitcast", []Value{IntValue(U32, int64(bits))})
}
