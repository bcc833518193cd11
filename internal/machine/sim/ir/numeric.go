package ir

import (
	"maps"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Slots hold 32 bits: i32 and u32 in two's complement, f32 in IEEE 754 binary32, an f16 as the f32
// of the same value, a bool as 0 or 1. Package numeric has the arithmetic; here it gets slots.

// A function1 is a function of one scalar. float reports whether its result is a float, which may
// not be finite.
type function1 struct {
	Name  string
	Float bool
	Call  func(uint32) uint32
}

// A function2 is a function of two scalars.
type function2 struct {
	Name  string
	Float bool
	Call  func(a, b uint32) uint32
}

// A function3 is a function of three scalars.
type function3 struct {
	Name  string
	Float bool
	Call  func(a, b, c uint32) uint32
}

func F32(bits uint32) float32  { return math.Float32frombits(bits) }
func F64(bits uint32) float64  { return float64(math.Float32frombits(bits)) }
func BitsOf(f float32) uint32  { return math.Float32bits(f) }
func Rounded(f float64) uint32 { return math.Float32bits(float32(f)) }
func Finite(bits uint32) bool  { return bits&0x7f800000 != 0x7f800000 }
func Subnormal(b uint32) bool  { return b&0x7f800000 == 0 && b&0x7fffff != 0 }
func NotANumber(b uint32) bool { return b&0x7fffffff > 0x7f800000 }
func Truth(condition bool) uint32 {
	if condition {
		return 1
	}
	return 0
}

// rounded1 and rounded2 return the functions of floats that numeric computes in 64 bits, rounded to
// f32. bits1 returns those of the bits of integers.
func rounded1() (all []function1) {
	for _, name := range slices.Sorted(maps.Keys(numeric.Float1)) {
		f := numeric.Float1[name]
		all = append(all, function1{name, true, func(a uint32) uint32 { return Rounded(f(F64(a))) }})
	}
	return all
}

func rounded2() (all []function2) {
	for _, name := range slices.Sorted(maps.Keys(numeric.Float2)) {
		f := numeric.Float2[name]
		all = append(all, function2{name, true, func(a, b uint32) uint32 { return Rounded(f(F64(a), F64(b))) }})
	}
	return all
}

func bits1() (all []function1) {
	for _, name := range slices.Sorted(maps.Keys(numeric.Bits1)) {
		all = append(all, function1{name, false, numeric.Bits1[name]})
	}
	return all
}

// Functions1 are the functions of one scalar. Functions of floats have WGSL's names, those of
// integers start with the type and a colon, and conversions look like "f32:i32". Some are helpers
// of other functions.
var Functions1 = slices.Concat(rounded1(), bits1(), []function1{
	{"saturate", true, func(a uint32) uint32 { return BitsOf(numeric.Saturate(F32(a))) }},
	{"sign", true, func(a uint32) uint32 { return BitsOf(numeric.Sign(F32(a))) }},
	{Quantize, true, RoundF16},
	{"modf.fract", true, func(a uint32) uint32 { fraction, _ := numeric.Modf(F64(a)); return Rounded(fraction) }},
	{"frexp.fract", true, func(a uint32) uint32 { fraction, _ := numeric.Frexp(F64(a)); return Rounded(fraction) }},
	{"frexp.exp", false, func(a uint32) uint32 { _, e := numeric.Frexp(F64(a)); return uint32(e) }},

	{"i32:abs", false, func(a uint32) uint32 {
		if int32(a) < 0 {
			return -a
		}
		return a
	}},
	{"i32:sign", false, func(a uint32) uint32 { return uint32(numeric.Sign(int32(a))) }},
	{"u32:firstLeadingBit", false, numeric.FirstLeadingBitU},
	{"i32:firstLeadingBit", false, numeric.FirstLeadingBitI},

	{"bitcast", true, func(a uint32) uint32 { return a }},
	{"f32:i32", false, func(a uint32) uint32 { return uint32(numeric.ToI32(F64(a))) }},
	{"f32:u32", false, func(a uint32) uint32 { return numeric.ToU32(F64(a)) }},
	{"i32:f32", true, func(a uint32) uint32 { return BitsOf(float32(int32(a))) }},
	{"u32:f32", true, func(a uint32) uint32 { return BitsOf(float32(a)) }},
	{"bool:f32", true, func(a uint32) uint32 { return BitsOf(float32(a)) }},
	{"f32:bool", false, func(a uint32) uint32 { return Truth(F32(a) != 0) }},
	{"i32:bool", false, func(a uint32) uint32 { return Truth(a != 0) }},

	{"pack8snorm", false, func(a uint32) uint32 { return numeric.PackSnorm(8, F64(a)) }},
	{"pack8unorm", false, func(a uint32) uint32 { return numeric.PackUnorm(8, F64(a)) }},
	{"pack16snorm", false, func(a uint32) uint32 { return numeric.PackSnorm(16, F64(a)) }},
	{"pack16unorm", false, func(a uint32) uint32 { return numeric.PackUnorm(16, F64(a)) }},
	{"pack16float", false, func(a uint32) uint32 { return uint32(numeric.F16Bits(F32(a))) }},
	{"unpack16float", true, func(a uint32) uint32 { return math.Float32bits(numeric.FromF16Bits(uint16(a))) }},
	{"unpack8snorm", true, func(a uint32) uint32 { return Rounded(numeric.UnpackSnorm(8, a)) }},
	{"unpack8unorm", true, func(a uint32) uint32 { return Rounded(numeric.UnpackUnorm(8, a)) }},
	{"unpack16snorm", true, func(a uint32) uint32 { return Rounded(numeric.UnpackSnorm(16, a)) }},
	{"unpack16unorm", true, func(a uint32) uint32 { return Rounded(numeric.UnpackUnorm(16, a)) }},
	{"clampI8", false, numeric.PackI8Clamp},
	{"clampU8", false, numeric.PackU8Clamp},
	{"extendI8", false, numeric.UnpackI8},
})

var Functions2 = append(rounded2(), []function2{
	{"ldexp", true, func(a, b uint32) uint32 { return Rounded(math.Ldexp(F64(a), int(int32(b)))) }},
	{"step", true, func(edge, x uint32) uint32 { return BitsOf(numeric.Step(F32(edge), F32(x))) }},
	{"dot4U8Packed", false, numeric.Dot4U8},
	{"dot4I8Packed", false, numeric.Dot4I8},
	{"bitRange", false, numeric.BitRange},
}...)

var Functions3 = []function3{
	{"fma", true, func(a, b, c uint32) uint32 { return Rounded(math.FMA(F64(a), F64(b), F64(c))) }},
	{"clamp", true, func(e, low, high uint32) uint32 { return BitsOf(min(max(F32(e), F32(low)), F32(high))) }},
	{"i32:clamp", false, func(e, low, high uint32) uint32 { return uint32(min(max(int32(e), int32(low)), int32(high))) }},
	{"u32:clamp", false, func(e, low, high uint32) uint32 { return min(max(e, low), high) }},
	{"mix", true, func(a, b, t uint32) uint32 {
		x, y := F32(a)*(1-F32(t)), F32(b)*F32(t)
		return BitsOf(float32(x) + float32(y))
	}},
	{"smoothstep", true, func(low, high, x uint32) uint32 {
		return Rounded(numeric.Smooth((F64(x) - F64(low)) / (F64(high) - F64(low))))
	}},
	{"i32:extractBits", false, numeric.ExtractBitsI},
	{"u32:extractBits", false, numeric.ExtractBitsU},
}

// resultKinds has the functions whose result is neither a float nor of their operand's kind.
var resultKinds = map[string]types.ScalarKind{
	"f32:i32": types.I32Kind, "f32:u32": types.U32Kind, "f32:bool": types.BoolKind, "i32:bool": types.BoolKind,
	"frexp.exp": types.I32Kind, "extendI8": types.I32Kind, "dot4I8Packed": types.I32Kind, "clampI8": types.U32Kind,
	"pack8snorm": types.U32Kind, "pack8unorm": types.U32Kind, "pack16snorm": types.U32Kind, "pack16unorm": types.U32Kind,
	"pack16float": types.U32Kind,
}

// ResultKind returns the kind of an instruction's result, from the kind of its operands.
func ResultKind(in Instr, operands types.ScalarKind) types.ScalarKind {
	var name string
	var float bool
	switch in.Op {
	case OpApply1:
		name, float = Functions1[in.N].Name, Functions1[in.N].Float
	case OpApply2:
		name, float = Functions2[in.N].Name, Functions2[in.N].Float
	case OpApply3:
		name, float = Functions3[in.N].Name, Functions3[in.N].Float
	}
	if kind, ok := resultKinds[name]; ok {
		return kind
	}
	if float {
		return types.F32Kind
	}
	return operands
}

// named1, named2 and named3 map each function's name to its index in its table.
var named1, named2, named3 = func() (a, b, c map[string]uint16) {
	a, b, c = map[string]uint16{}, map[string]uint16{}, map[string]uint16{}
	for i, f := range Functions1 {
		a[f.Name] = uint16(i)
	}
	for i, f := range Functions2 {
		b[f.Name] = uint16(i)
	}
	for i, f := range Functions3 {
		c[f.Name] = uint16(i)
	}
	return a, b, c
}()

// RoundF16 rounds an f32 to the nearest f16 and returns it as an f32.
func RoundF16(a uint32) uint32 { return math.Float32bits(numeric.FromF16Bits(numeric.F16Bits(F32(a)))) }

// Remainder returns the remainder of a division of two f32 (§ 8.7).
func Remainder(a, b uint32) uint32 { return Rounded(math.Mod(F64(a), F64(b))) }

// quantize is the function whose result is open for a number beyond f16, even for one that rounds
// to the largest f16 (§ 17.5.47).
const Quantize = "quantizeToF16"

// BeyondF16 reports whether a finite f32 is beyond the largest f16.
func BeyondF16(a uint32) bool { return Finite(a) && math.Abs(F64(a)) > numeric.LargestF16 }
