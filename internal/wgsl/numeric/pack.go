package numeric

import "math"

// PackSnorm returns a number from -1 to 1 as a signed part of a word (§ 17.9.1, § 17.9.7).
func PackSnorm(width int, x float64) uint32 {
	return uint32(int32(math.Floor(0.5+mostSnorm(width)*clamp(x, -1, 1)))) & (1<<width - 1)
}

// PackUnorm returns a number from 0 to 1 as an unsigned part of a word (§ 17.9.2, § 17.9.8).
func PackUnorm(width int, x float64) uint32 {
	return uint32(int32(math.Floor(0.5+mostUnorm(width)*clamp(x, 0, 1)))) & (1<<width - 1)
}

// PackI8Clamp returns an i32 as a signed byte, the nearest if it does not fit (§ 17.9.5).
func PackI8Clamp(n uint32) uint32 { return uint32(min(max(int32(n), -128), 127)) & 0xff }

// PackU8Clamp returns a u32 as a byte, the nearest if it does not fit (§ 17.9.6).
func PackU8Clamp(n uint32) uint32 { return min(n, 255) }

// UnpackSnorm returns the number in a signed part of a word (§ 17.10.1, § 17.10.5).
func UnpackSnorm(width int, part uint32) float64 {
	return max(float64(int32(part<<(32-width))>>(32-width))/mostSnorm(width), -1)
}

// UnpackUnorm returns the number in an unsigned part of a word (§ 17.10.2, § 17.10.6).
func UnpackUnorm(width int, part uint32) float64 {
	return float64(part&(1<<width-1)) / mostUnorm(width)
}

// UnpackI8 returns the i32 in a signed byte of a word (§ 17.10.3).
func UnpackI8(part uint32) uint32 { return uint32(int32(int8(part))) }

// mostSnorm and mostUnorm return the numbers that stand for 1 in a part of a word.
func mostSnorm(width int) float64 { return float64(int64(1)<<(width-1) - 1) }
func mostUnorm(width int) float64 { return float64(int64(1)<<width - 1) }
