package enginetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/enginetest"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// gapsShown has the smallest shader for each of naga's gaps, and its result according to WGSL.
var gapsShown = []struct {
	gap    enginetest.Gap
	global string
	value  string // of a u32; x holds 6, 0, 2^31, 2^32 - 1, 20 and 1e20, none of which the compiler knows
	want   uint32
}{
	{enginetest.Overrides, "override c = 7u;", "x[0] + c", 13},
	{enginetest.AbstractCases, "fn f(u: u32) -> u32 { switch u { case 6: { return 1u; } default: { return 2u; } } }", "f(x[0])", 1},
	{enginetest.PackedIntegers, "", "dot4U8Packed(x[0], x[3])", 6 * 255},
	{enginetest.QuantizedToF16, "", "u32(quantizeToF16(f32(x[0])))", 6},
	{enginetest.ZeroVectors, "", "(x[0] + vec3<u32>(1u, vec2<u32>())).x", 7},
	{enginetest.DivisionByZero, "", "x[0] / x[1]", 6},                                 // § 8.7: the dividend
	{enginetest.DivisionByZero, "", "x[0] % x[1]", 0},                                 // § 8.7
	{enginetest.DivisionByZero, "", "u32(i32(x[0]) / i32(x[1]))", 6},                  // § 8.7
	{enginetest.BitsBeyond, "", "u32(extractBits(i32(x[3]), x[4], x[4]))", 1<<32 - 1}, // § 17.5.22: 12 bits, all ones
	{enginetest.BitsBeyond, "", "extractBits(x[3], x[4] + x[4], x[0])", 0},            // § 17.5.22: none
	{enginetest.LeadingBits, "", "u32(firstLeadingBit(i32(f32(x[0]) - 14.0)))", 2},    // § 17.5.28: of -8, the first bit that isn't 1
	{enginetest.FloatsBeyond, "", "u32(bitcast<f32>(x[5]))", 1<<32 - 1<<8},            // § 15.7.6: the largest that f32 holds as well
	{enginetest.FloatsBeyond, "", "u32(i32(bitcast<f32>(x[5])))", 1<<31 - 1<<7},       // § 15.7.6
}

// TestNagasGaps checks that the simulator follows WGSL and the driver does not yet. Once the driver
// does, remove the gap.
func TestNagasGaps(t *testing.T) {
	driver := openDriver(t)
	shown := map[enginetest.Gap]bool{}
	for _, g := range gapsShown {
		shown[g.gap] = true
		p := &enginetest.Workload{
			Source: "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n" + g.global +
				"\n@compute @workgroup_size(1) fn main() { x[6] = " + g.value + "; }",
			Workgroups: [3]uint32{1, 1, 1}, Buffers: []shader.Buffer{shader.UintBuffer([]uint32{6, 0, 1 << 31, 1<<32 - 1, 20, 0x60ad78ec, 0})},
		}
		got, _, err := p.Run(t.Context(), simulator.New(simulator.Options{}), false)
		require.NoError(t, err, g.value)
		assert.Equal(t, g.want, got.Uints()[6], g.value)
		got, _, err = p.Run(t.Context(), driver, false)
		assert.True(t, err != nil || got.Uints()[6] != g.want, "the driver does %s, %s", g.gap, g.value)
	}
	for _, g := range enginetest.Naga {
		assert.True(t, shown[g], "no shader shows %s", g)
	}
}
