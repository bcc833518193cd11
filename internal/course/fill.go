package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
)

// floats draws n values from [-scale, scale), none of them near zero or one, so that a sum, a
// product and a copy all look different.
func floats(rng *rand.Rand, n int, scale float32) []float32 {
	values := make([]float32, n)
	for i := range values {
		v := (0.1 + 0.85*rng.Float32()) * scale
		if rng.IntN(2) == 0 {
			v = -v
		}
		values[i] = v
	}
	return values
}

// different draws n whole numbers with different magnitudes from 2 to n + 5, so that a learner can
// work out by hand what a shader should have left. With signs, about half of them are negative.
func different(rng *rand.Rand, n int, signs bool) []float32 {
	values := make([]float32, n)
	for i, magnitude := range rng.Perm(n + 4)[:n] {
		values[i] = float32(2 + magnitude)
		if signs && rng.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return values
}

// eachU32 computes an output of n uint32 elements, one by one.
func eachU32(n int, at func(i int) uint32) Buffer {
	out := make([]uint32, n)
	for i := range out {
		out[i] = at(i)
	}
	return shader.UintBuffer(out)
}
