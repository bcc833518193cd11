package enginetest

import "math"

// An interval is the range of values that WGSL allows for a float; both ends are f32.
type interval struct{ low, high float64 }

// anything is the interval for results that WGSL does not restrict: outside a function's domain or
// the range of f32.
var anything = interval{math.Inf(-1), math.Inf(1)}

func point(x float64) interval { return between(x, x) }

func (x interval) isOpen() bool         { return math.IsInf(x.low, 0) || math.IsInf(x.high, 0) }
func (x interval) largest() float64     { return max(math.Abs(x.low), math.Abs(x.high)) }
func (x interval) holds(v float32) bool { return x.low <= float64(v) && float64(v) <= x.high }
func (x interval) within(low, high float64) bool {
	return low <= x.low && x.high <= high
}

// smallest is the smallest f32 that is not subnormal.
const smallest = 0x1p-126

// between returns the f32 interval for a real result between two numbers. Each end moves to the
// next f32 outwards, because a result may be either neighbour of the exact one. Subnormal values
// may become zero (§ 15.7.2).
func between(low, high float64) interval {
	if math.IsNaN(low) || math.IsNaN(high) || low < -math.MaxFloat32 || high > math.MaxFloat32 {
		return anything
	}
	down, up := float32(low), float32(high)
	if float64(down) > low {
		down = math.Nextafter32(down, float32(math.Inf(-1)))
	}
	if float64(up) < high {
		up = math.Nextafter32(up, float32(math.Inf(1)))
	}
	x := interval{float64(down), float64(up)}
	if 0 < x.low && x.low < smallest {
		x.low = 0
	}
	if -smallest < x.high && x.high < 0 {
		x.high = 0
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
func off(low, high, by float64) interval { return between(low-by, high+by) }

// ulps returns n ulps of the value with the largest size.
func ulps(n, low, high float64) float64 { return n * ulp(max(math.Abs(low), math.Abs(high))) }

// extremes returns the bounds of a function of several intervals. The function is monotonic in each
// argument, so its extremes are at the corners.
func extremes(f func(x ...float64) float64, of ...interval) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	x := make([]float64, len(of))
	for corner := range 1 << len(of) {
		for i, o := range of {
			x[i] = o.low
			if corner>>i&1 == 1 {
				x[i] = o.high
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

// The functions below follow the table of § 15.7.4 in the editors' draft of 19 August 2026. If a
// function inherits its accuracy from an expression, the code has that expression. A function of
// anything is anything.

func plus(a, b interval) interval { return between(sumDown(a.low, b.low), -sumDown(-a.high, -b.high)) }

// sumDown returns a + b, or slightly less if 64 bits cannot hold it.
func sumDown(a, b float64) float64 {
	sum := a + b
	part := sum - a
	if (a-(sum-part))+(b-part) != 0 {
		return math.Nextafter(sum, math.Inf(-1))
	}
	return sum
}

func negated(a interval) interval  { return interval{-a.high, -a.low} }
func minus(a, b interval) interval { return plus(a, negated(b)) }

func times(a, b interval) interval {
	return between(extremes(func(x ...float64) float64 { return x[0] * x[1] }, a, b))
}

func over(a, b interval) interval {
	if !awayFromZero(b) {
		return anything
	}
	low, high := extremes(func(x ...float64) float64 { return x[0] / x[1] }, a, b)
	return off(low, high, ulps(2.5, low, high))
}

// awayFromZero reports whether a number is a valid divisor: the whole interval has one sign and
// sizes between 2^-126 and 2^126.
func awayFromZero(b interval) bool {
	return b.within(smallest, 0x1p126) || b.within(-0x1p126, -smallest)
}

func absolute(a interval) interval {
	if a.low <= 0 && a.high >= 0 {
		return interval{0, a.largest()}
	}
	return interval{min(math.Abs(a.low), math.Abs(a.high)), a.largest()}
}

func smaller(a, b interval) interval { return interval{min(a.low, b.low), min(a.high, b.high)} }
func larger(a, b interval) interval  { return interval{max(a.low, b.low), max(a.high, b.high)} }

func exponential(f func(float64) float64) func(interval) interval {
	return func(a interval) interval {
		low, high := f(a.low), f(a.high)
		return off(low, high, ulps(3+2*a.largest(), low, high))
	}
}

func logarithm(f func(float64) float64) func(interval) interval {
	return func(a interval) interval {
		if a.low < smallest {
			return anything
		}
		low, high := f(a.low), f(a.high)
		switch by := ulps(3, low, high); {
		case a.within(0.5, 2):
			return off(low, high, 0x1p-21)
		case a.low > 2 || a.high < 0.5:
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
func wave(f func(float64) float64) func(interval) interval {
	return func(a interval) interval {
		if !a.within(-math.Pi, math.Pi) {
			return anything
		}
		y := f((a.low + a.high) / 2)
		return off(y, y, (a.high-a.low)/2+0x1p-11)
	}
}

var sin, cos = wave(math.Sin), wave(math.Cos)

func tan(a interval) interval { return over(sin(a), cos(a)) }

func inverseSqrt(a interval) interval {
	if a.low < smallest {
		return anything
	}
	low, high := 1/math.Sqrt(a.high), 1/math.Sqrt(a.low)
	return off(low, high, ulps(2, low, high))
}

func sqrt(a interval) interval { return over(point(1), inverseSqrt(a)) }

func pow(a, b interval) interval { return exp2(times(b, log2(a))) }

func atan(a interval) interval {
	low, high := math.Atan(a.low), math.Atan(a.high)
	return off(low, high, ulps(4096, low, high))
}

func atan2(y, x interval) interval {
	if !awayFromZero(x) || !awayFromZero(y) {
		return anything
	}
	low, high := extremes(func(at ...float64) float64 { return math.Atan2(at[0], at[1]) }, y, x)
	return off(low, high, ulps(4096, low, high))
}

// either returns the smallest interval around both, for the weaker of two bounds.
func either(a, b interval) interval { return interval{min(a.low, b.low), max(a.high, b.high)} }

// besideOne returns the square root of 1 - a².
func besideOne(a interval) interval { return sqrt(minus(point(1), times(a, a))) }

func asin(a interval) interval {
	return either(off(math.Asin(a.low), math.Asin(a.high), 6.81e-5), atan2(a, besideOne(a)))
}

func acos(a interval) interval {
	return either(off(math.Acos(a.high), math.Acos(a.low), 6.77e-5), atan2(besideOne(a), a))
}

func sinh(a interval) interval { return times(minus(exp(a), exp(negated(a))), point(0.5)) }
func cosh(a interval) interval { return times(plus(exp(a), exp(negated(a))), point(0.5)) }

func tanh(a interval) interval {
	return either(off(math.Tanh(a.low), math.Tanh(a.high), 1e-5), over(sinh(a), cosh(a)))
}

func asinh(a interval) interval { return log(plus(a, sqrt(plus(times(a, a), point(1))))) }
func acosh(a interval) interval { return log(plus(a, sqrt(minus(times(a, a), point(1))))) }
func atanh(a interval) interval {
	return times(log(over(plus(point(1), a), minus(point(1), a))), point(0.5))
}

func degrees(a interval) interval { return times(a, point(180/math.Pi)) }
func radians(a interval) interval { return times(a, point(math.Pi/180)) }

func fma(a, b, c interval) interval { return plus(times(a, b), c) }

// mix allows both common forms: the table's, and a + (b - a)·t, which is mathematically the same.
func mix(a, b, t interval) interval {
	return either(plus(times(a, minus(point(1), t)), times(b, t)), plus(a, times(minus(b, a), t)))
}

func smoothstep(from, to, x interval) interval {
	if from.high >= to.low {
		return anything
	}
	way := over(minus(x, from), minus(to, from))
	if way.isOpen() {
		return anything
	}
	t := smaller(larger(way, point(0)), point(1))
	return times(times(t, t), minus(point(3), times(point(2), t)))
}

// dot allows any order of addition: each sum rounds by less than an ulp of the sum of all sizes.
func dot(a, b []interval) interval {
	sum, size := point(0), 0.0
	for i := range a {
		product := times(a[i], b[i])
		sum = interval{sum.low + product.low, sum.high + product.high}
		size += product.largest()
	}
	return off(sum.low, sum.high, ulps(float64(len(a)-1), size, size))
}

func length(a []interval) interval { return sqrt(dot(a, a)) }
