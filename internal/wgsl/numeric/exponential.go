package numeric

import "math"

// The exponential functions and logarithms are our own, so that they give the same bits on every
// processor, in the simulator's compiled code as well: each step is one operation in 64 bits, and
// none is fused with the next one. They are within two units in the last place of 64 bits.

// The parts of ln 2: the first has zeros at its end, so a whole number times it is exact.
const (
	Ln2High = 0x1.62e42fee00000p-1
	Ln2Low  = 0x1.a39ef35793c76p-33
)

// MostExponent is larger than any exponent that a float64 needs.
const MostExponent = 1100

// ExpTerms are the coefficients of e^r for small r, the highest power first.
var ExpTerms = []float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
	1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

// LogTerms are those of atanh(s)/s in powers of s², the highest first.
var LogTerms = []float64{1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1}

// polynomial evaluates terms at x.
func polynomial(terms []float64, x float64) float64 {
	sum := terms[0]
	for _, term := range terms[1:] {
		sum = float64(sum*x) + term
	}
	return sum
}

// Exp returns e to the power of x (§ 17.5.23).
func Exp(x float64) float64 {
	if x != x {
		return x
	}
	x = min(max(x, -MostExponent), MostExponent)
	k := math.RoundToEven(x * math.Log2E)
	r := x - float64(k*Ln2High)
	r -= float64(k * Ln2Low)
	return scaled(polynomial(ExpTerms, r), k)
}

// Exp2 returns 2 to the power of x (§ 17.5.24).
func Exp2(x float64) float64 {
	if x != x {
		return x
	}
	x = min(max(x, -MostExponent), MostExponent)
	k := math.RoundToEven(x)
	return scaled(polynomial(ExpTerms, float64((x-k)*math.Ln2)), k)
}

// scaled returns p times 2 to the power of k, in two steps that both have an exponent.
func scaled(p, k float64) float64 {
	n := int64(k)
	half := n >> 1
	return p * powerOf2(half) * powerOf2(n-half)
}

func powerOf2(n int64) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// split returns the exponent e of a positive float and s = (m - 1) / (m + 1), where x = m · 2^e and
// m is between √½ and √2.
func split(x float64) (e, s float64) {
	if x < 0x1p-1022 {
		x *= 0x1p54
		e = -54
	}
	// The bits of √½ begin the range of the next exponent.
	const root = 0x3fe6a09e667f3bcd
	n := int64(math.Float64bits(x)-root) >> 52
	m := math.Float64frombits(math.Float64bits(x) - uint64(n)<<52)
	return e + float64(n), (m - 1) / (m + 1)
}

// Log returns the natural logarithm (§ 17.5.39).
func Log(x float64) float64 {
	if result, ok := logOf(x); ok {
		return result
	}
	e, s := split(x)
	small := float64(float64(2*s) * polynomial(LogTerms, float64(s*s)))
	return float64(e*Ln2High) + (float64(e*Ln2Low) + small)
}

// Log2 returns the logarithm to the base of 2 (§ 17.5.40).
func Log2(x float64) float64 {
	if result, ok := logOf(x); ok {
		return result
	}
	e, s := split(x)
	small := float64(float64(2*s) * polynomial(LogTerms, float64(s*s)))
	return e + float64(small*math.Log2E)
}

// logOf returns the logarithm of what isn't a finite positive number.
func logOf(x float64) (result float64, ok bool) {
	switch {
	case x != x || x > math.MaxFloat64:
		return x, true
	case x < 0:
		return math.NaN(), true
	case x == 0:
		return math.Inf(-1), true
	}
	return 0, false
}

// TinyTangent is where tanh x begins to differ from x - x³/3.
const TinyTangent = 0x1p-12

// Tanh returns the hyperbolic tangent (§ 17.5.61), with more than enough bits for an f32.
func Tanh(x float64) float64 {
	if x != x {
		return x
	}
	if math.Abs(x) < TinyTangent {
		return x - float64(float64(float64(x*x)*x)/3)
	}
	return 1 - 2/(Exp(2*x)+1)
}
