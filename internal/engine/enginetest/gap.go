package enginetest

import "slices"

// A Gap is a part of WGSL that some engine lacks or gets wrong. Programs for it are drawn without.
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

// Naga are the gaps of pkg/gpu's compiler, naga 22, on Mesa's CPU driver.
var Naga = []Gap{
	Overrides, AbstractCases, PackedIntegers, QuantizedToF16, ZeroVectors, DivisionByZero, BitsBeyond, LeadingBits, FloatsBeyond,
}

// Tint are the gaps of Chromium's compiler on SwiftShader.
var Tint = []Gap{}

// has says whether programs may use what is a gap elsewhere.
func (d *drawer) has(g Gap) bool { return !slices.Contains(d.without, g) }
