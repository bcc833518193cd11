package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

// epsilon is the spacing of float32 at 1: 2^-23 (IEEE 754 binary32).
const epsilon = 1.0 / (1 << 23)

// rounded returns the tolerance for n correctly rounded float32 operations in any order. Each adds
// an error of at most half an epsilon relative to its operands. scale is the magnitude of the
// largest intermediate value.
func rounded(n int, scale float64) tensor.Tolerance {
	return tensor.Tolerance{Absolute: float64(n) * epsilon * scale}
}

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

// each computes an output of n float32 elements, one by one, in float64.
func each(n int, at func(i int) float64) Buffer {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(at(i))
	}
	return shader.FloatBuffer(out)
}

// eachU32 computes an output of n uint32 elements, one by one.
func eachU32(n int, at func(i int) uint32) Buffer {
	out := make([]uint32, n)
	for i := range out {
		out[i] = at(i)
	}
	return shader.UintBuffer(out)
}

// onlyFirst returns the first n elements of full, followed by the rest of old. A shader leaves
// this if its invocations reach only n elements.
func onlyFirst(n int, full, old Buffer) Buffer {
	out := old.Clone()
	if n = min(n, full.Len()); full.Element == shader.F32 {
		copy(out.Floats(), full.Floats()[:n])
	} else {
		copy(out.Uints(), full.Uints()[:n])
	}
	return out
}

func f32At(c Case, binding, i int) float64 { return float64(c.Buffers[binding].Floats()[i]) }

func uniformF32(c Case, binding, member int) float64 {
	return float64(c.Buffers[binding].Members()[member].Float())
}

func uniformU32(c Case, binding, member int) int {
	return int(c.Buffers[binding].Members()[member].Uint())
}
