package enginetest

import "slices"

// A Gap is a part of WGSL that some engine lacks or gets wrong. Programs for that engine avoid it.
type Gap string

// The gaps. TestNagasGaps shows each with a shader.
const (
	Overrides      Gap = "override declarations"
	AbstractCases  Gap = "case selectors without a suffix"
	PackedIntegers Gap = "dot4I8Packed, pack4xU8 and the like"
	QuantizedToF16 Gap = "quantizeToF16"
	ZeroVectors    Gap = "a vector's zero value, vec2<u32>(), as a part of another"
	DivisionByZero Gap = "division of integers by zero"
	BitsBeyond     Gap = "extractBits and insertBits beyond the last bit"
	LeadingBits    Gap = "firstLeadingBit of what may be negative"
	FloatsBeyond   Gap = "floats that become an integer which cannot hold them"
)

// Naga lists the gaps of naga 22, the compiler of internal/machine/engine/gpu, on Mesa's CPU
// driver.
var Naga = []Gap{
	Overrides, AbstractCases, PackedIntegers, QuantizedToF16, ZeroVectors, DivisionByZero, BitsBeyond, LeadingBits, FloatsBeyond,
}

// Tint lists the gaps of Chromium's compiler on SwiftShader.
var Tint = []Gap{}

// has reports whether programs may use a feature.
func (d *drawer) has(g Gap) bool { return !slices.Contains(d.without, g) }
