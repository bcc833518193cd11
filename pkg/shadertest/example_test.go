package shadertest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/wgslab/wgslab/pkg/shadertest"
)

func ExampleSame() {
	var t *testing.T // that of a test function
	shadertest.Same(t, "double.wgsl", func(x, out []float32) {
		for i := range out {
			out[i] = 2 * x[i]
		}
	})
}

func ExampleSetup_Same() {
	var t *testing.T // that of a test function
	type size struct{ N uint32 }
	shadertest.Setup{
		File: "matmul.wgsl", To: 40,
		Inputs: func(n int, random *rand.Rand) []any {
			return []any{size{uint32(n)}, shadertest.Floats(random, n*n), shadertest.Floats(random, n*n), make([]float32, n*n)}
		},
		Workgroups: func(n int) [3]uint32 { return [3]uint32{uint32(n+7) / 8, uint32(n+7) / 8, 1} },
	}.Same(t, func(s size, a, b, out []float32) {
		n := int(s.N)
		for i := range out {
			out[i] = 0
			for k := range n {
				out[i] += a[i/n*n+k] * b[k*n+i%n]
			}
		}
	})
}

func ExampleFloats() {
	var t *testing.T // that of a test function
	shadertest.Setup{
		File:   "sum.wgsl",
		Inputs: func(n int, random *rand.Rand) []any { return []any{shadertest.Floats(random, n), []float32{0}} },
	}.Same(t, func(x, sum []float32) {
		for _, v := range x {
			sum[0] += v
		}
	})
}
