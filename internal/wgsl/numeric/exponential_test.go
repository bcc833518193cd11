package numeric_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// Our exponential functions are those of package math, but for the last bits.
func TestExponentialFunctions(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 88.7, -103.9, 709.7, -745.1, 1e9, -1e9, 8, 0x1p-149, 1e-5, 0x1p-12}
	rng := rand.New(rand.NewPCG(1, 2))
	for name, f := range map[string]struct{ ours, theirs func(float64) float64 }{
		"exp": {numeric.Exp, math.Exp}, "exp2": {numeric.Exp2, math.Exp2}, "log": {numeric.Log, math.Log}, "log2": {numeric.Log2, math.Log2}, "tanh": {numeric.Tanh, math.Tanh},
	} {
		check := func(x float64) {
			ours, theirs := f.ours(x), f.theirs(x)
			if math.IsNaN(theirs) {
				require.True(t, math.IsNaN(ours), "%s(%v) is %v", name, x, ours)
				return
			}
			allowed := math.Abs(theirs) * 0x1p-50
			switch name {
			case "tanh":
				allowed = math.Abs(theirs) * 0x1p-38
			case "log2":
				allowed = max(allowed, 0x1p-52) // near 1, theirs takes a large number from another one
			}
			require.True(t, ours == theirs || math.Abs(ours-theirs) <= max(allowed, 0x1p-1074), "%s(%v) is %v, not %v", name, x, ours, theirs)
		}
		for _, x := range special {
			check(x)
		}
		for range 20000 {
			x := math.Ldexp(rng.Float64()*2-1, rng.IntN(24)-12)
			check(x)
			check(math.Abs(x))
		}
	}
	for n := -1000; n <= 1000; n++ { // powers of 2 are exact
		require.Equal(t, float64(n), numeric.Log2(math.Ldexp(1, n)))
		require.Equal(t, math.Ldexp(1, n), numeric.Exp2(float64(n)))
	}
}
