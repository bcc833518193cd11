package sim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// exactly runs a body that sets out[0] from x, and returns the value, its margin and the lines
// where rounding decides what happens next.
func exactly(t *testing.T, body string, x ...float32) (value float32, margin float64, undecided []int) {
	t.Helper()
	p := mustBuild(t, fmt.Sprintf(`@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> shared_sum: array<f32, 4>;
@compute @workgroup_size(1) fn main() {
  %s
}`, body))
	out := shader.FloatBuffer(make([]float32, 1))
	result := run(t, p, [3]uint32{1, 1, 1}, sim.Options{Exact: true}, shader.FloatBuffer(x).Bytes, out.Bytes)
	for _, place := range result.Undecided(p) {
		undecided = append(undecided, place.Line)
	}
	return out.Floats()[0], result.Margins(p, 0, 1)[0], undecided
}

const half = 0x1p-24 // of the distance between 1 and the next f32

// The values are those of 64 bits, where f32 would have lost the small terms.
func TestExactKeepsSmallTerms(t *testing.T) {
	value, margin, _ := exactly(t, `var sum = x[0];
  for (var i = 0; i < 1000; i++) { sum += x[1]; }
  shared_sum[1] = sum;
  out[0] = shared_sum[1] - x[0];`, 1, 0x1p-26)
	require.InDelta(t, 1000*0x1p-26, value, 1e-12)
	// 1,002 terms of together 2 + 1000·2^-26, added in any order.
	require.InEpsilon(t, 1001*half*(2+1000*0x1p-26)+half*1000*0x1p-26, margin, 1e-9)
}

func TestMargins(t *testing.T) {
	for body, c := range map[string]struct {
		want   float32
		margin float64
	}{
		"out[0] = max(x[0], -x[1]);":                                     {0.3, 0},                                      // nothing rounds
		"out[0] = x[0] * 2.0;":                                           {0.6, 0},                                      // nor here
		"out[0] = abs(floor(x[1] * 4.0));":                               {2, 0},                                        // 0.7 * 4 has no error
		"out[0] = x[0] * x[1];":                                          {0.21, 2 * half * 0.21},                       // a product, and the rounding of the value itself
		"out[0] = x[0] + x[1];":                                          {1, 2 * half * 1.0},                           //
		"out[0] = x[0] - x[1] + x[1];":                                   {0.3, half * (2*1.7 + 0.3)},                   // three terms
		"out[0] = fma(x[0], x[1], x[1]);":                                {0.91, half * (0.21 + 0.91 + 0.91)},           //
		"out[0] = (x[0] + x[1]) * x[1];":                                 {0.7, half * (0.7*1 + 0.7 + 0.7)},             // distributed or not
		"out[0] = x[0] / x[1];":                                          {0.3 / 0.7, half * 0.3 / 0.7 * (2*2*2.5 + 1)}, // 2.5 ulp, twice
		"var v = vec2(x[0], x[1]); out[0] = dot(v, v);":                  {0.58, half * (0.58 + 0.58 + 0.58)},
		"out[0] = f32(u32(x[1] * 4.0));":                                 {2, 0},
		"var a = array(x[0], x[1]); a[u32(x[0])] *= 2.0; out[0] = a[0];": {0.6, 0},
	} {
		value, margin, undecided := exactly(t, body, 0.3, 0.7)
		require.InDelta(t, c.want, value, 1e-7, body)
		require.InDelta(t, c.margin, margin, 0.02*c.margin, body)
		require.Empty(t, undecided, body)
	}
}

// The accuracy of a function is that of § 15.7.4: 3 + 2|x| ulp for exp.
func TestMarginsOfFunctions(t *testing.T) {
	value, margin, _ := exactly(t, "out[0] = exp(x[0]);", -3)
	require.InDelta(t, math.Exp(-3), value, 1e-8)
	ulp := 0x1p-28 // of 0.0498
	require.InDelta(t, 2*(3+2*3)*ulp, margin, 2*ulp)

	_, margin, _ = exactly(t, "out[0] = sin(x[0]);", 100)
	require.True(t, math.IsInf(margin, 1), "beyond π WGSL allows any value")

	_, margin, _ = exactly(t, "out[0] = exp(x[0]) / x[1];", -95, 0)
	require.True(t, math.IsInf(margin, 1), "the dividend may be flushed to 0, and 0 / 0 is no infinity")
	_, margin, _ = exactly(t, "out[0] = exp(x[0]) / x[1];", 1, 0)
	require.Zero(t, margin, "this dividend cannot be 0")
}

// Rounding decides if 0.1 + 0.2 is more than 0.3, but not if it is more than 0.2.
// A value whose error has no bound is a number still, also after a function: exp of the difference
// of two lowest floats may be anything in another order, and is 1.
func TestAMarginWithoutBound(t *testing.T) {
	for body, want := range map[string]float32{
		"out[0] = exp(x[0] - x[0]);":                       1,
		"out[0] = log(exp(x[0] - x[0]));":                  0,
		"out[0] = max(exp(x[0] - x[0]), 2.0);":             2,
		"out[0] = sqrt(exp(x[0] - x[0]) + 3.0);":           2,
		"out[0] = f32(u32(exp(x[0] - x[0])));":             1,
		"out[0] = select(1.0, 5.0, exp(x[0]) < x[1]);":     5,
		"out[0] = pow(exp(x[0] - x[0]) + 1.0, x[1]);":      8,
		"out[0] = clamp(exp(x[0] - x[0]), 0.0, x[1]);":     1,
		"out[0] = x[1] / exp(x[0] - x[0]);":                3,
		"out[0] = log(2.0 * exp(x[0] - x[0])) / log(2.0);": 1,
	} {
		value, _, _ := exactly(t, body, -math.MaxFloat32, 3)
		require.InDelta(t, want, value, 1e-6, body)
	}
}

func TestUndecided(t *testing.T) {
	for body, want := range map[string][]int{
		"if (x[0] + x[1] > x[2]) {\n out[0] = 1.0; }":          {5},
		"out[0] = 1.0;\n out[0] = f32(x[0] + x[1] == x[2]);":   {6},
		"out[0] = 1.0;\n out[0] = f32(i32((x[0]+x[1])*10.0));": {6},
		"if (x[0] + x[1] > x[1]) { out[0] = 1.0; }":            nil,
		"if (x[0] < x[0]) { out[0] = 1.0; }":                   nil,
	} {
		_, _, undecided := exactly(t, body, 0.1, 0.2, 0.3)
		require.Equal(t, want, undecided, body)
	}
}

// Whole numbers have no margin, even in a slot that held a float.
func TestWholeNumbersHaveNoMargin(t *testing.T) {
	p := mustBuild(t, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  let f = f32(i) / 3.0;
  out[i] = u32(f * 30.0 + 0.5) * i;
}`)
	result := run(t, p, [3]uint32{1, 1, 1}, sim.Options{Exact: true}, make([]byte, 16))
	require.Equal(t, []float64{0, 0, 0, 0}, result.Margins(p, 0, 0))
}

func TestHalvesInBuffersHaveNoBounds(t *testing.T) {
	p := mustBuild(t, `enable f16;
@group(0) @binding(0) var<storage, read_write> out: array<f16>;
@compute @workgroup_size(1) fn main() { out[0] = out[1]; }`)
	_, err := p.Run(t.Context(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Data: make([]byte, 4)}}, sim.Options{Exact: true})
	require.ErrorIs(t, err, sim.ErrNotExact)
}

// Whole numbers that are read together, as a vector, stay whole: their functions don't make floats
// of them.
func TestExactLeavesWholeNumbers(t *testing.T) {
	for body, want := range map[string][4]int32{
		"abs(x)": {7, 0, 1 << 30, 3}, "sign(x)": {-1, 0, 1, -1}, "firstLeadingBit(x)": {2, -1, 30, 1}, "-x": {7, 0, -1 << 30, 3},
		"vec4i(countOneBits(vec4u(x)))": {30, 0, 1, 31}, "clamp(x, vec4(-4), vec4(2))": {-4, 0, 2, -3}, "vec4i(vec4<bool>(x))": {1, 0, 1, 1},
	} {
		p := mustBuild(t, fmt.Sprintf(`@group(0) @binding(0) var<storage, read> in: vec4i;
@group(0) @binding(1) var<storage, read_write> out: vec4i;
@compute @workgroup_size(1) fn main() { let x = in; out = %s; }`, body))
		in := shader.Buffer{Element: shader.I32, Bytes: make([]byte, 16)}
		copy(in.Ints(), []int32{-7, 0, 1 << 30, -3})
		out := shader.Buffer{Element: shader.I32, Bytes: make([]byte, 16)}
		run(t, p, [3]uint32{1, 1, 1}, sim.Options{Exact: true}, in.Bytes, out.Bytes)
		require.Equal(t, want[:], out.Ints(), body)
	}
}
