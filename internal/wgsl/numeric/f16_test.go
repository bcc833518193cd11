package numeric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// Every f16 survives the conversion from bits and back, and is its own nearest f16.
func TestEveryF16(t *testing.T) {
	for bits := range 1 << 16 {
		f := numeric.FromF16Bits(uint16(bits))
		if math.IsNaN(float64(f)) {
			continue
		}
		require.Equal(t, float64(f), numeric.RoundF16(float64(f)))
		require.Equal(t, uint16(bits), numeric.F16Bits(f), "%v", f)
	}
}

func TestRoundF16(t *testing.T) {
	for f, want := range map[float64]float64{
		2049: 2048, 2051: 2052, 65519: 65504, 65520: math.Inf(1), 1e-8: 0, 3e-8: 5.960464477539063e-08, -2049: -2048,
		1.00048828125: 1, 1.0014648437500002: 1.001953125,
	} {
		assert.Equal(t, want, numeric.RoundF16(f), f)
		if float64(float32(f)) == f { // F16Bits rounds as RoundF16 does
			assert.Equal(t, float32(want), numeric.FromF16Bits(numeric.F16Bits(float32(f))), f)
		}
	}
}
