package numeric

import "math"

// LargestF16 is the largest finite f16 (§ 6.2.4).
const LargestF16 = 65504

// RoundF16 returns the f16 nearest to v, ties to even (§ 15.7.6), or an infinity if v is too large.
func RoundF16(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	_, exponent := math.Frexp(v) // v = m · 2^exponent, 0.5 ≤ |m| < 1
	quantum := math.Ldexp(1, max(exponent-11, -24))
	rounded := math.RoundToEven(v/quantum) * quantum
	if math.Abs(rounded) > LargestF16 {
		return math.Inf(int(math.Copysign(1, v)))
	}
	return rounded
}

// F16Bits returns the binary16 of the f16 nearest to f, ties to even (§ 14.4.4, § 15.7.6).
func F16Bits(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	size := b & 0x7fffffff
	switch {
	case size > 0x7f800000:
		return sign | 0x7e00
	case size >= 0x477ff000: // 65520, half a step above the largest
		return sign | 0x7c00
	case size >= 0x38800000: // normal: 2^-14 and more
		size += 0xfff + size>>13&1
		return sign | uint16((size-0x38000000)>>13)
	}
	return sign | uint16(math.RoundToEven(math.Abs(float64(f))*(1<<24)))
}

// FromF16Bits returns the number that a binary16 encodes (§ 14.4.4).
func FromF16Bits(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}
