package course

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

// The bindings of saxpy, and the members of its uniform.
const (
	saxpyParams, saxpyX, saxpyY = 0, 1, 2
	saxpyAlpha, saxpyN          = 0, 1
)

var saxpy = &Exercise{
	ID:      "saxpy",
	Lesson:  2,
	Title:   "A scalar, two vectors, a uniform",
	Task:    "Update y = alpha * x + y for the first n elements and leave the rest of y untouched.",
	Stretch: true,
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "params", Access: shader.Uniform, Type: "Params{alpha: f32, n: u32}"},
		{Name: "x", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "y", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:  saxpyY,
	InPlace: true,
	Small:   func(rng *rand.Rand) Case { return saxpyCase(rng, smallLength-50, smallLength) },
	Large:   func(rng *rand.Rand) Case { return saxpyCase(rng, largeLength, largeLength) },
	Cases: func(rng *rand.Rand) []Case {
		var cases []Case
		for _, length := range lengths {
			n := 1 + rng.IntN(max(1, length-1))
			cases = append(cases, saxpyCase(rng, n, length))
		}
		length := beyondOneWorkgroup(rng)
		return append(cases, saxpyCase(rng, 130, 130), saxpyCase(rng, length-7, length))
	},
	Reference: axpy,
	Tolerance: func(c Case) tensor.Tolerance {
		// Two operations, or one fused: |alpha|, |x|, |y| stay below 10.
		return rounded(2, 110)
	},
	Hints: []string{
		"Two limits are in play: how long y is, and how many elements the host wants changed. Only one of them is in params.",
		"You read a uniform like a struct: params.alpha, params.n. Every invocation sees the same values.",
		"y is on both sides of the assignment: its old value goes into the sum, its new value comes out.",
	},
}

func saxpyCase(rng *rand.Rand, n, length int) Case {
	alpha := floats(rng, 1, 10)[0]
	return Case{
		Name: fmt.Sprintf("n = %d of %d", n, length),
		Buffers: []Buffer{
			shader.UniformBuffer(shader.Float(alpha), shader.Uint(n)),
			shader.FloatBuffer(floats(rng, length, 10)),
			shader.FloatBuffer(floats(rng, length, 10)),
		},
		Extent: [2]int{length},
	}
}

// axpy updates the first n elements.
func axpy(c Case) Buffer {
	alpha, y := uniformF32(c, saxpyParams, saxpyAlpha), c.Buffers[saxpyY]
	full := each(y.Len(), func(i int) float64 { return alpha*f32At(c, saxpyX, i) + y.At(i) })
	return onlyFirst(uniformU32(c, saxpyParams, saxpyN), full, y)
}
