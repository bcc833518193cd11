package numeric

import (
	"math"
	"math/bits"
)

// Bits1 holds functions of the bits of one i32 or u32 by their names in WGSL (§ 17.5).
var Bits1 = map[string]func(n uint32) uint32{
	"countLeadingZeros":  func(n uint32) uint32 { return uint32(bits.LeadingZeros32(n)) },  // § 17.5.13
	"countOneBits":       func(n uint32) uint32 { return uint32(bits.OnesCount32(n)) },     // § 17.5.14
	"countTrailingZeros": func(n uint32) uint32 { return uint32(bits.TrailingZeros32(n)) }, // § 17.5.15
	"firstTrailingBit":   firstTrailingBit,                                                 // § 17.5.30
	"reverseBits":        bits.Reverse32,                                                   // § 17.5.51
}

func firstTrailingBit(n uint32) uint32 {
	if n == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros32(n))
}

// FirstLeadingBitI returns the number of the highest bit of an i32 that differs from its sign, or
// -1 (§ 17.5.28).
func FirstLeadingBitI(n uint32) uint32 { return FirstLeadingBitU(n ^ uint32(int32(n)>>31)) }

// FirstLeadingBitU returns the number of the highest bit of a u32 that is 1, or all ones
// (§ 17.5.29).
func FirstLeadingBitU(n uint32) uint32 { return uint32(31 - bits.LeadingZeros32(n)) }

// ExtractBitsI returns some bits of an i32, and repeats the highest of them (§ 17.5.25).
func ExtractBitsI(e, offset, count uint32) uint32 {
	left, right := extracting(offset, count)
	return uint32(int32(e<<left) >> right)
}

// ExtractBitsU returns some bits of a u32 (§ 17.5.26).
func ExtractBitsU(e, offset, count uint32) uint32 {
	left, right := extracting(offset, count)
	return e << left >> right
}

// extracting returns how far to shift left and then right, to keep only count bits from offset on.
func extracting(offset, count uint32) (left, right uint32) {
	o := min(offset, 32)
	c := min(count, 32-o)
	if c == 0 {
		return 32, 32
	}
	return 32 - c - o, 32 - c
}

// BitRange returns a number whose bits are 1 where insertBits inserts: count of them, from offset
// on (§ 17.5.35).
func BitRange(offset, count uint32) uint32 {
	o := min(offset, 32)
	return uint32((uint64(1)<<min(count, 32-o) - 1) << o)
}

// Dot4U8 adds up the products of four unsigned bytes (§ 17.5.21).
func Dot4U8(a, b uint32) (sum uint32) {
	for shift := 0; shift < 32; shift += 8 {
		sum += a >> shift & 0xff * (b >> shift & 0xff)
	}
	return sum
}

// Dot4I8 adds up the products of four signed bytes (§ 17.5.22).
func Dot4I8(a, b uint32) uint32 {
	var sum int32
	for shift := 0; shift < 32; shift += 8 {
		sum += int32(int8(a>>shift)) * int32(int8(b>>shift))
	}
	return uint32(sum)
}

// DivI divides two i32 (§ 8.7). Division by zero, and of the lowest number by -1, gives the
// dividend.
func DivI(a, b uint32) uint32 {
	if b == 0 || a == 1<<31 && b == math.MaxUint32 {
		return a
	}
	return uint32(int32(a) / int32(b))
}

// RemI returns the remainder of DivI (§ 8.7).
func RemI(a, b uint32) uint32 {
	if b == 0 || b == math.MaxUint32 {
		return 0
	}
	return uint32(int32(a) % int32(b))
}

// DivU divides two u32 (§ 8.7). Division by zero gives the dividend.
func DivU(a, b uint32) uint32 {
	if b == 0 {
		return a
	}
	return a / b
}

// RemU returns the remainder of DivU (§ 8.7).
func RemU(a, b uint32) uint32 {
	if b == 0 {
		return 0
	}
	return a % b
}
