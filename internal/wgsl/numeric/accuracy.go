// This file knows which values WGSL allows for the result of a float operation: the table
// "Accuracy of expressions" (§ 15.7.4) as arithmetic with intervals.

package numeric

import "math"

// An Interval is the range of values that WGSL allows for a float; both ends are f32.
type Interval struct{ Low, High float64 }

// Anything is the interval for results that WGSL does not restrict: outside a function's domain or
// the range of f32.
var Anything = Interval{math.Inf(-1), math.Inf(1)}

// Point returns the interval of a number, or of its two neighbours if no f32 is equal to it.
func Point(x float64) Interval { return between(x, x) }

// IsOpen reports whether an end is infinite: WGSL does not restrict the value.
func (x Interval) IsOpen() bool { return math.IsInf(x.Low, 0) || math.IsInf(x.High, 0) }

// Holds reports whether a value is in the interval.
func (x Interval) Holds(v float32) bool { return x.Low <= float64(v) && float64(v) <= x.High }
func (x Interval) largest() float64     { return max(math.Abs(x.Low), math.Abs(x.High)) }

func (x Interval) within(low, high float64) bool {
	return low <= x.Low && x.High <= high
}

// smallest is the smallest f32 that is not subnormal.
const smallest = 0x1p-126

// between returns the f32 interval for a real result between two numbers. Each end moves to the
// next f32 outwards, because a result may be either neighbour of the exact one. Subnormal values
// may become zero (§ 15.7.2).
func between(low, high float64) Interval {
	if math.IsNaN(low) || math.IsNaN(high) || low < -math.MaxFloat32 || high > math.MaxFloat32 {
		return Anything
	}
	down, up := float32(low), float32(high)
	if float64(down) > low {
		down = math.Nextafter32(down, float32(math.Inf(-1)))
	}
	if float64(up) < high {
		up = math.Nextafter32(up, float32(math.Inf(1)))
	}
	x := Interval{float64(down), float64(up)}
	if 0 < x.Low && x.Low < smallest {
		x.Low = 0
	}
	if -smallest < x.High && x.High < 0 {
		x.High = 0
	}
	return x
}

// ulp returns the distance between the f32 around x. At a power of two, it is the distance above x,
// which is the larger one.
func ulp(x float64) float64 {
	_, exponent := math.Frexp(max(math.Abs(x), smallest))
	return math.Ldexp(1, exponent-24)
}

// off returns an interval whose ends may be off by this amount.
func off(low, high, by float64) Interval { return between(low-by, high+by) }

// ulps returns n ulps of the value with the largest size.
func ulps(n, low, high float64) float64 { return n * ulp(max(math.Abs(low), math.Abs(high))) }

// extremes returns the bounds of a function of several intervals. The function is monotonic in each
// argument, so its extremes are at the corners.
func extremes(f func(x ...float64) float64, of ...Interval) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	x := make([]float64, len(of))
	for corner := range 1 << len(of) {
		for i, o := range of {
			x[i] = o.Low
			if corner>>i&1 == 1 {
				x[i] = o.High
			}
		}
		y := f(x...)
		if math.IsNaN(y) {
			return math.NaN(), math.NaN()
		}
		low, high = min(low, y), max(high, y)
	}
	return low, high
}

// Functions are the builtin functions whose result rounds, by name. They work on each component.
var Functions = map[string]func(x ...Interval) Interval{
	"exp": unary(exp), "exp2": unary(exp2), "log": unary(log), "log2": unary(log2), "sqrt": unary(sqrt), "inverseSqrt": unary(inverseSqrt),
	"sin": unary(sin), "cos": unary(cos), "tan": unary(tan), "asin": unary(asin), "acos": unary(acos), "atan": unary(atan),
	"sinh": unary(sinh), "cosh": unary(cosh), "tanh": unary(tanh), "asinh": unary(asinh), "acosh": unary(acosh), "atanh": unary(atanh),
	"degrees": unary(degrees), "radians": unary(radians), "pow": binary(pow), "atan2": binary(atan2),
	"fma": ternary(fma), "mix": ternary(mix), "smoothstep": ternary(smoothstep),
}

func unary(f func(a Interval) Interval) func(x ...Interval) Interval {
	return func(x ...Interval) Interval { return known(x, func() Interval { return f(x[0]) }) }
}

func binary(f func(a, b Interval) Interval) func(x ...Interval) Interval {
	return func(x ...Interval) Interval { return known(x, func() Interval { return f(x[0], x[1]) }) }
}

func ternary(f func(a, b, c Interval) Interval) func(x ...Interval) Interval {
	return func(x ...Interval) Interval { return known(x, func() Interval { return f(x[0], x[1], x[2]) }) }
}

// known returns a result, or Anything if an operand is unknown.
func known(x []Interval, result func() Interval) Interval {
	for _, i := range x {
		if i.IsOpen() {
			return Anything
		}
	}
	return result()
}

// The functions below follow the table of § 15.7.4 in the editors' draft of 19 August 2026. If a
// function inherits its accuracy from an expression, the code has that expression. A function of
// anything is anything.

// Plus returns a + b.
func Plus(a, b Interval) Interval { return between(sumDown(a.Low, b.Low), -sumDown(-a.High, -b.High)) }

// sumDown returns a + b, or slightly less if 64 bits cannot hold it.
func sumDown(a, b float64) float64 {
	sum := a + b
	part := sum - a
	if (a-(sum-part))+(b-part) != 0 {
		return math.Nextafter(sum, math.Inf(-1))
	}
	return sum
}

func negated(a Interval) Interval { return Interval{-a.High, -a.Low} }

// Minus returns a - b.
func Minus(a, b Interval) Interval { return Plus(a, negated(b)) }

// Times returns a * b.
func Times(a, b Interval) Interval {
	return between(extremes(func(x ...float64) float64 { return x[0] * x[1] }, a, b))
}

// Over returns a / b.
func Over(a, b Interval) Interval {
	if !awayFromZero(b) {
		return Anything
	}
	low, high := extremes(func(x ...float64) float64 { return x[0] / x[1] }, a, b)
	return off(low, high, ulps(2.5, low, high))
}

// awayFromZero reports whether a number is a valid divisor: the whole interval has one sign and
// sizes between 2^-126 and 2^126.
func awayFromZero(b Interval) bool {
	return b.within(smallest, 0x1p126) || b.within(-0x1p126, -smallest)
}

// Absolute returns abs(a).
func Absolute(a Interval) Interval {
	if a.Low <= 0 && a.High >= 0 {
		return Interval{0, a.largest()}
	}
	return Interval{min(math.Abs(a.Low), math.Abs(a.High)), a.largest()}
}

// Smaller returns min(a, b).
func Smaller(a, b Interval) Interval { return Interval{min(a.Low, b.Low), min(a.High, b.High)} }

// Larger returns max(a, b).
func Larger(a, b Interval) Interval { return Interval{max(a.Low, b.Low), max(a.High, b.High)} }

func exponential(f func(float64) float64) func(Interval) Interval {
	return func(a Interval) Interval {
		low, high := f(a.Low), f(a.High)
		return off(low, high, ulps(3+2*a.largest(), low, high))
	}
}

func logarithm(f func(float64) float64) func(Interval) Interval {
	return func(a Interval) Interval {
		if a.Low < smallest {
			return Anything
		}
		low, high := f(a.Low), f(a.High)
		switch by := ulps(3, low, high); {
		case a.within(0.5, 2):
			return off(low, high, 0x1p-21)
		case a.Low > 2 || a.High < 0.5:
			return off(low, high, by)
		default:
			return off(low, high, max(by, 0x1p-21))
		}
	}
}

var (
	exp, exp2 = exponential(math.Exp), exponential(math.Exp2)
	log, log2 = logarithm(math.Log), logarithm(math.Log2)
)

// wave returns sin or cos of an interval: between two angles, the function changes by no more than
// their difference.
func wave(f func(float64) float64) func(Interval) Interval {
	return func(a Interval) Interval {
		if !a.within(-math.Pi, math.Pi) {
			return Anything
		}
		y := f((a.Low + a.High) / 2)
		return off(y, y, (a.High-a.Low)/2+0x1p-11)
	}
}

var sin, cos = wave(math.Sin), wave(math.Cos)

func tan(a Interval) Interval { return Over(sin(a), cos(a)) }

func inverseSqrt(a Interval) Interval {
	if a.Low < smallest {
		return Anything
	}
	low, high := 1/math.Sqrt(a.High), 1/math.Sqrt(a.Low)
	return off(low, high, ulps(2, low, high))
}

func sqrt(a Interval) Interval { return Over(Point(1), inverseSqrt(a)) }

func pow(a, b Interval) Interval { return exp2(Times(b, log2(a))) }

func atan(a Interval) Interval {
	low, high := math.Atan(a.Low), math.Atan(a.High)
	return off(low, high, ulps(4096, low, high))
}

func atan2(y, x Interval) Interval {
	if !awayFromZero(x) || !awayFromZero(y) {
		return Anything
	}
	low, high := extremes(func(at ...float64) float64 { return math.Atan2(at[0], at[1]) }, y, x)
	return off(low, high, ulps(4096, low, high))
}

// either returns the smallest interval around both, for the weaker of two bounds.
func either(a, b Interval) Interval { return Interval{min(a.Low, b.Low), max(a.High, b.High)} }

// besideOne returns the square root of 1 - a².
func besideOne(a Interval) Interval { return sqrt(Minus(Point(1), Times(a, a))) }

func asin(a Interval) Interval {
	return either(off(math.Asin(a.Low), math.Asin(a.High), 6.81e-5), atan2(a, besideOne(a)))
}

func acos(a Interval) Interval {
	return either(off(math.Acos(a.High), math.Acos(a.Low), 6.77e-5), atan2(besideOne(a), a))
}

func sinh(a Interval) Interval { return Times(Minus(exp(a), exp(negated(a))), Point(0.5)) }
func cosh(a Interval) Interval { return Times(Plus(exp(a), exp(negated(a))), Point(0.5)) }

func tanh(a Interval) Interval {
	return either(off(math.Tanh(a.Low), math.Tanh(a.High), 1e-5), Over(sinh(a), cosh(a)))
}

func asinh(a Interval) Interval { return log(Plus(a, sqrt(Plus(Times(a, a), Point(1))))) }
func acosh(a Interval) Interval { return log(Plus(a, sqrt(Minus(Times(a, a), Point(1))))) }
func atanh(a Interval) Interval {
	return Times(log(Over(Plus(Point(1), a), Minus(Point(1), a))), Point(0.5))
}

func degrees(a Interval) Interval { return Times(a, Point(180/math.Pi)) }
func radians(a Interval) Interval { return Times(a, Point(math.Pi/180)) }

func fma(a, b, c Interval) Interval { return Plus(Times(a, b), c) }

// mix allows both common forms: the table's, and a + (b - a)·t, which is mathematically the same.
func mix(a, b, t Interval) Interval {
	return either(Plus(Times(a, Minus(Point(1), t)), Times(b, t)), Plus(a, Times(Minus(b, a), t)))
}

func smoothstep(from, to, x Interval) Interval {
	if from.High >= to.Low {
		return Anything
	}
	way := Over(Minus(x, from), Minus(to, from))
	if way.IsOpen() {
		return Anything
	}
	t := Smaller(Larger(way, Point(0)), Point(1))
	return Times(Times(t, t), Minus(Point(3), Times(Point(2), t)))
}

// Dot allows any order of addition: each sum rounds by less than an ulp of the sum of all sizes.
func Dot(a, b []Interval) Interval {
	sum, size := Point(0), 0.0
	for i := range a {
		product := Times(a[i], b[i])
		sum = Interval{sum.Low + product.Low, sum.High + product.High}
		size += product.largest()
	}
	return off(sum.Low, sum.High, ulps(float64(len(a)-1), size, size))
}

// Length returns the length of a vector.
func Length(a []Interval) Interval { return sqrt(Dot(a, a)) }
