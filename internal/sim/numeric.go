package sim

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/float16"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Slots hold 32 bits: i32 and u32 in two's complement, f32 in IEEE 754 binary32, an f16 as the f32
// of the same value, a bool as 0 or 1. Functions of floats are computed in 64 bits and rounded
// once, well within the accuracy that WGSL asks for (§ 15.7.4).

// A function1 is a function of one scalar. float reports whether its result is a float, which may
// not be finite.
type function1 struct {
	name  string
	float bool
	call  func(uint32) uint32
}

// A function2 is a function of two scalars.
type function2 struct {
	name  string
	float bool
	call  func(a, b uint32) uint32
}

// A function3 is a function of three scalars.
type function3 struct {
	name  string
	float bool
	call  func(a, b, c uint32) uint32
}

func f32(bits uint32) float32  { return math.Float32frombits(bits) }
func f64(bits uint32) float64  { return float64(math.Float32frombits(bits)) }
func bitsOf(f float32) uint32  { return math.Float32bits(f) }
func rounded(f float64) uint32 { return math.Float32bits(float32(f)) }
func finite(bits uint32) bool  { return bits&0x7f800000 != 0x7f800000 }
func subnormal(b uint32) bool  { return b&0x7f800000 == 0 && b&0x7fffff != 0 }
func notANumber(b uint32) bool { return b&0x7fffffff > 0x7f800000 }
func truth(condition bool) uint32 {
	if condition {
		return 1
	}
	return 0
}

// real1 and real2 are the functions of floats that are computed in 64 bits, by their names in WGSL.
var real1 = map[string]func(float64) float64{
	"acos": math.Acos, "acosh": math.Acosh, "asin": math.Asin, "asinh": math.Asinh, "atan": math.Atan, "atanh": math.Atanh,
	"ceil": math.Ceil, "cos": math.Cos, "cosh": math.Cosh, "exp": math.Exp, "exp2": math.Exp2, "floor": math.Floor,
	"log": math.Log, "log2": log2, "round": math.RoundToEven, "sin": math.Sin, "sinh": math.Sinh, "sqrt": math.Sqrt,
	"tan": math.Tan, "tanh": math.Tanh, "trunc": math.Trunc,
	"degrees":     func(x float64) float64 { return x * (180 / math.Pi) },
	"radians":     func(x float64) float64 { return x * (math.Pi / 180) },
	"inverseSqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
}

var real2 = map[string]func(a, b float64) float64{"atan2": math.Atan2, "pow": pow}

// roundedReal1 returns the functions that round those of real1, and roundedReal2 those of real2.
func roundedReal1() (all []function1) {
	for _, name := range slices.Sorted(maps.Keys(real1)) {
		f := real1[name]
		all = append(all, function1{name, true, func(a uint32) uint32 { return rounded(f(f64(a))) }})
	}
	return all
}

func roundedReal2() (all []function2) {
	for _, name := range slices.Sorted(maps.Keys(real2)) {
		f := real2[name]
		all = append(all, function2{name, true, func(a, b uint32) uint32 { return rounded(f(f64(a), f64(b))) }})
	}
	return all
}

// functions1 are the functions of one scalar. Functions of floats have WGSL's names, those of
// integers start with the type and a colon, and conversions look like "f32:i32". Some are helpers
// of other functions.
var functions1 = append(roundedReal1(), []function1{
	{"fract", true, fract},
	{"saturate", true, func(a uint32) uint32 { return bitsOf(min(max(f32(a), 0), 1)) }},
	{"sign", true, func(a uint32) uint32 { return bitsOf(float32(sign(f32(a)))) }},
	{quantize, true, roundF16},
	{"modf.fract", true, func(a uint32) uint32 { return rounded(f64(a) - math.Trunc(f64(a))) }},
	{"frexp.fract", true, func(a uint32) uint32 { m, _ := math.Frexp(f64(a)); return rounded(m) }},
	{"frexp.exp", false, func(a uint32) uint32 { _, e := math.Frexp(f64(a)); return uint32(int32(e)) }},

	{"i32:abs", false, func(a uint32) uint32 {
		if int32(a) < 0 {
			return -a
		}
		return a
	}},
	{"i32:sign", false, func(a uint32) uint32 { return uint32(int32(sign(int32(a)))) }},
	{"countLeadingZeros", false, func(a uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }},
	{"countTrailingZeros", false, func(a uint32) uint32 { return uint32(bits.TrailingZeros32(a)) }},
	{"countOneBits", false, func(a uint32) uint32 { return uint32(bits.OnesCount32(a)) }},
	{"reverseBits", false, bits.Reverse32},
	{"u32:firstLeadingBit", false, func(a uint32) uint32 { return uint32(31 - bits.LeadingZeros32(a)) }},
	{"i32:firstLeadingBit", false, func(a uint32) uint32 { return uint32(31 - bits.LeadingZeros32(a^uint32(int32(a)>>31))) }},
	{"firstTrailingBit", false, func(a uint32) uint32 {
		if a == 0 {
			return math.MaxUint32
		}
		return uint32(bits.TrailingZeros32(a))
	}},

	{"bitcast", true, func(a uint32) uint32 { return a }},
	{"f32:i32", false, func(a uint32) uint32 { return uint32(toI32(f64(a))) }},
	{"f32:u32", false, func(a uint32) uint32 { return toU32(f64(a)) }},
	{"i32:f32", true, func(a uint32) uint32 { return bitsOf(float32(int32(a))) }},
	{"u32:f32", true, func(a uint32) uint32 { return bitsOf(float32(a)) }},
	{"bool:f32", true, func(a uint32) uint32 { return bitsOf(float32(a)) }},
	{"f32:bool", false, func(a uint32) uint32 { return truth(f32(a) != 0) }},
	{"i32:bool", false, func(a uint32) uint32 { return truth(a != 0) }},

	{"pack8snorm", false, func(a uint32) uint32 { return uint32(int32(math.Floor(0.5+127*clamp64(f64(a), -1, 1)))) & 0xff }},
	{"pack8unorm", false, func(a uint32) uint32 { return uint32(math.Floor(0.5 + 255*clamp64(f64(a), 0, 1))) }},
	{"pack16snorm", false, func(a uint32) uint32 {
		return uint32(int32(math.Floor(0.5+32767*clamp64(f64(a), -1, 1)))) & 0xffff
	}},
	{"pack16unorm", false, func(a uint32) uint32 { return uint32(math.Floor(0.5 + 65535*clamp64(f64(a), 0, 1))) }},
	{"pack16float", false, func(a uint32) uint32 { return uint32(float16.Bits(f32(a))) }},
	{"unpack16float", true, func(a uint32) uint32 { return math.Float32bits(float16.FromBits(uint16(a))) }},
	{"unpack8snorm", true, func(a uint32) uint32 { return rounded(max(float64(int8(a))/127, -1)) }},
	{"unpack8unorm", true, func(a uint32) uint32 { return rounded(float64(uint8(a)) / 255) }},
	{"unpack16snorm", true, func(a uint32) uint32 { return rounded(max(float64(int16(a))/32767, -1)) }},
	{"unpack16unorm", true, func(a uint32) uint32 { return rounded(float64(uint16(a)) / 65535) }},
	{"clampI8", false, func(a uint32) uint32 { return uint32(min(max(int32(a), -128), 127)) & 0xff }},
	{"clampU8", false, func(a uint32) uint32 { return min(a, 255) }},
	{"extendI8", false, func(a uint32) uint32 { return uint32(int32(int8(a))) }},
}...)

var functions2 = append(roundedReal2(), []function2{
	{"ldexp", true, func(a, b uint32) uint32 { return rounded(math.Ldexp(f64(a), int(int32(b)))) }},
	{"step", true, func(edge, x uint32) uint32 { return bitsOf(float32(truth(f32(edge) <= f32(x)))) }},
	{"dot4U8Packed", false, func(a, b uint32) uint32 {
		var sum uint32
		for shift := 0; shift < 32; shift += 8 {
			sum += a >> shift & 0xff * (b >> shift & 0xff)
		}
		return sum
	}},
	{"dot4I8Packed", false, func(a, b uint32) uint32 {
		var sum int32
		for shift := 0; shift < 32; shift += 8 {
			sum += int32(int8(a>>shift)) * int32(int8(b>>shift))
		}
		return uint32(sum)
	}},
	{"bitRange", false, func(offset, count uint32) uint32 { // count bits are 1, from offset on
		o := min(offset, 32)
		return uint32((uint64(1)<<min(count, 32-o) - 1) << o)
	}},
}...)

var functions3 = []function3{
	{"fma", true, func(a, b, c uint32) uint32 { return rounded(math.FMA(f64(a), f64(b), f64(c))) }},
	{"clamp", true, func(e, low, high uint32) uint32 { return bitsOf(min(max(f32(e), f32(low)), f32(high))) }},
	{"i32:clamp", false, func(e, low, high uint32) uint32 { return uint32(min(max(int32(e), int32(low)), int32(high))) }},
	{"u32:clamp", false, func(e, low, high uint32) uint32 { return min(max(e, low), high) }},
	{"mix", true, func(a, b, t uint32) uint32 {
		x, y := f32(a)*(1-f32(t)), f32(b)*f32(t)
		return bitsOf(float32(x) + float32(y))
	}},
	{"smoothstep", true, func(low, high, x uint32) uint32 {
		t := clamp64((f64(x)-f64(low))/(f64(high)-f64(low)), 0, 1)
		return rounded(t * t * (3 - 2*t))
	}},
	{"i32:extractBits", false, func(e, offset, count uint32) uint32 {
		o := min(offset, 32)
		c := min(count, 32-o)
		if c == 0 {
			return 0
		}
		return uint32(int32(e<<(32-c-o)) >> (32 - c))
	}},
	{"u32:extractBits", false, func(e, offset, count uint32) uint32 {
		o := min(offset, 32)
		c := min(count, 32-o)
		if c == 0 {
			return 0
		}
		return e << (32 - c - o) >> (32 - c)
	}},
}

// resultKinds has the functions whose result is neither a float nor of their operand's kind.
var resultKinds = map[string]types.ScalarKind{
	"f32:i32": types.I32Kind, "f32:u32": types.U32Kind, "f32:bool": types.BoolKind, "i32:bool": types.BoolKind,
	"frexp.exp": types.I32Kind, "extendI8": types.I32Kind, "dot4I8Packed": types.I32Kind, "clampI8": types.U32Kind,
	"pack8snorm": types.U32Kind, "pack8unorm": types.U32Kind, "pack16snorm": types.U32Kind, "pack16unorm": types.U32Kind,
	"pack16float": types.U32Kind,
}

// resultKind returns the kind of an instruction's result, from the kind of its operands.
func resultKind(in instr, operands types.ScalarKind) types.ScalarKind {
	var name string
	var float bool
	switch in.op {
	case opApply1:
		name, float = functions1[in.n].name, functions1[in.n].float
	case opApply2:
		name, float = functions2[in.n].name, functions2[in.n].float
	case opApply3:
		name, float = functions3[in.n].name, functions3[in.n].float
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
	for i, f := range functions1 {
		a[f.name] = uint16(i)
	}
	for i, f := range functions2 {
		b[f.name] = uint16(i)
	}
	for i, f := range functions3 {
		c[f.name] = uint16(i)
	}
	return a, b, c
}()

func clamp64(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }

func sign[T float32 | int32](x T) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// fract computes e - floor(e) (§ 17.5.30), kept below 1.
func fract(a uint32) uint32 {
	x := f32(a)
	return bitsOf(x - float32(math.Floor(float64(x))))
}

// log2 returns the binary logarithm, exact for powers of two.
func log2(x float64) float64 {
	if x <= 0 {
		return math.Log(x)
	}
	return math.Log2(x)
}

// pow returns NaN for negative bases, because WGSL defines it by logarithms (§ 15.7.4).
func pow(x, y float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return math.Pow(x, y)
}

// The largest numbers that both f32 and i32, or both f32 and u32, can hold.
const (
	maxI32 = 1<<31 - 1<<7
	maxU32 = 1<<32 - 1<<8
)

// toI32 and toU32 truncate towards zero and clamp to the values that both types can hold
// (§ 15.7.6); NaN becomes 0.
func toI32(f float64) int32 {
	if f != f {
		return 0
	}
	return int32(min(max(f, math.MinInt32), maxI32))
}

func toU32(f float64) uint32 {
	if f != f {
		return 0
	}
	return uint32(min(max(f, 0), maxU32))
}

// divI and remI compute integer quotient and remainder (§ 8.7). Division by zero, and of the lowest
// number by -1, gives the dividend and a remainder of 0.
func divI(a, b uint32) uint32 {
	if b == 0 || a == 1<<31 && b == math.MaxUint32 {
		return a
	}
	return uint32(int32(a) / int32(b))
}

func remI(a, b uint32) uint32 {
	if b == 0 || b == math.MaxUint32 {
		return 0
	}
	return uint32(int32(a) % int32(b))
}

func divU(a, b uint32) uint32 {
	if b == 0 {
		return a
	}
	return a / b
}

func remU(a, b uint32) uint32 {
	if b == 0 {
		return 0
	}
	return a % b
}

// roundF16 rounds an f32 to the nearest f16 and returns it as an f32.
func roundF16(a uint32) uint32 { return math.Float32bits(float16.FromBits(float16.Bits(f32(a)))) }

// quantize is the function whose result is open for a number beyond f16, even for one that rounds
// to the largest f16 (§ 17.5.45).
const quantize = "quantizeToF16"

// beyondF16 reports whether a finite f32 is beyond the largest f16.
func beyondF16(a uint32) bool { return finite(a) && math.Abs(f64(a)) > float16.Largest }
