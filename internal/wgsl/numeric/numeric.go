// Package numeric computes WGSL's functions of scalars: for constants, and for the simulator's
// machine. Functions of floats work in 64 bits, and the caller rounds their result once. That is
// well within the accuracy that WGSL asks for (§ 15.7.4). Functions of integers work on their 32
// bits; those of an i32 are in two's complement.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package numeric

import "math"

// Float1 holds functions of one float by their names in WGSL (§ 17.5).
var Float1 = map[string]func(x float64) float64{
	"acos":        math.Acos,                                            // § 17.5.2
	"acosh":       math.Acosh,                                           // § 17.5.3
	"asin":        math.Asin,                                            // § 17.5.4
	"asinh":       math.Asinh,                                           // § 17.5.5
	"atan":        math.Atan,                                            // § 17.5.6
	"atanh":       math.Atanh,                                           // § 17.5.7
	"ceil":        math.Ceil,                                            // § 17.5.9
	"cos":         math.Cos,                                             // § 17.5.11
	"cosh":        math.Cosh,                                            // § 17.5.12
	"degrees":     func(x float64) float64 { return x * 180 / math.Pi }, // § 17.5.17
	"exp":         Exp,                                                  // § 17.5.23
	"exp2":        Exp2,                                                 // § 17.5.24
	"floor":       math.Floor,                                           // § 17.5.31
	"fract":       func(x float64) float64 { return x - math.Floor(x) }, // § 17.5.33
	"inverseSqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },  // § 17.5.36
	"log":         Log,                                                  // § 17.5.39
	"log2":        Log2,                                                 // § 17.5.40
	"radians":     func(x float64) float64 { return x * math.Pi / 180 }, // § 17.5.48
	"round":       math.RoundToEven,                                     // § 17.5.52
	"sin":         math.Sin,                                             // § 17.5.55
	"sinh":        math.Sinh,                                            // § 17.5.56
	"sqrt":        math.Sqrt,                                            // § 17.5.58
	"tan":         math.Tan,                                             // § 17.5.60
	"tanh":        Tanh,                                                 // § 17.5.61
	"trunc":       math.Trunc,                                           // § 17.5.63
}

// Float2 holds functions of two floats by their names in WGSL (§ 17.5).
var Float2 = map[string]func(x, y float64) float64{
	"atan2": math.Atan2, // § 17.5.8
	"pow":   Pow,        // § 17.5.46
}

// Pow returns x to the power of y (§ 17.5.46). It is NaN for negative bases, because WGSL defines
// it by logarithms (§ 15.7.4).
func Pow(x, y float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return math.Pow(x, y)
}

// Saturate clamps a float to the range from 0 to 1 (§ 17.5.53).
func Saturate[F float32 | float64](x F) F { return min(max(x, 0), 1) }

// Sign returns -1, 0 or 1 (§ 17.5.54).
func Sign[N int32 | int64 | float32 | float64](x N) N {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Step returns 1 from the edge on, and 0 below it (§ 17.5.59).
func Step[F float32 | float64](edge, x F) F {
	if edge <= x {
		return 1
	}
	return 0
}

// Smooth returns the value of smoothstep for a number's place between the edges, which is 0 at the
// lower one and 1 at the upper one (§ 17.5.57).
func Smooth(place float64) float64 {
	t := clamp(place, 0, 1)
	return t * t * (3 - 2*t)
}

// clamp keeps x between low and high; NaN stays NaN.
func clamp(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }

// Modf splits a float into its fraction and its whole part (§ 17.5.44).
func Modf(x float64) (fraction, whole float64) {
	whole = math.Trunc(x)
	return x - whole, whole
}

// Frexp splits a float into a fraction and an exponent of 2 (§ 17.5.34).
func Frexp(x float64) (fraction float64, exponent int32) {
	fraction, e := math.Frexp(x)
	return fraction, int32(e)
}

// The largest numbers that both f32 and i32, or both f32 and u32, can hold.
const (
	mostI32 = 1<<31 - 1<<7
	mostU32 = 1<<32 - 1<<8
)

// Truncate rounds a float towards zero and clamps it (§ 15.7.6); NaN becomes 0.
func Truncate(f, low, high float64) int64 {
	if f != f {
		return 0
	}
	return int64(min(max(f, low), high))
}

// ToI32 converts an f32 to the nearest i32 that an f32 can hold, towards zero (§ 15.7.6).
func ToI32(f float64) int32 { return int32(Truncate(f, math.MinInt32, mostI32)) }

// ToU32 truncates an f32 towards zero, and clamps it to the u32 that an f32 can hold (§ 15.7.6).
func ToU32(f float64) uint32 { return uint32(Truncate(f, 0, mostU32)) }
