package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

// The bindings of leaky-relu.
const leakyParams, leakyData = 0, 1

var leakyRelu = &Exercise{
	ID:      "leaky-relu",
	Lesson:  4,
	Title:   "Negative leaves a trace",
	Task:    "Multiply every negative element of data by params.slope, in place, and leave the others as they are.",
	Stretch: true,
	Points:  1,
	Bindings: []Binding{
		{Name: "params", Access: shader.Uniform, Type: "Params{slope: f32}"},
		{Name: "data", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:  leakyData,
	InPlace: true,
	Small:   func(rng *rand.Rand) Case { return lengthCase(smallLength, leakyBuffers(rng, smallLength, 10)...) },
	Large:   func(rng *rand.Rand) Case { return lengthCase(largeLength, leakyBuffers(rng, largeLength, 10)...) },
	Cases: func(rng *rand.Rand) []Case {
		cases := forLengths(rng, func(rng *rand.Rand, n int) []Buffer { return leakyBuffers(rng, n, 10) })
		n := beyondOneWorkgroup(rng)
		return append(cases,
			Case{Name: lengthName(n), Buffers: leakyBuffers(rng, n, 10), Extent: [2]int{n}},
			Case{Name: lengthName(77) + ", between -1 and 1", Buffers: leakyBuffers(rng, 77, 1), Extent: [2]int{77}})
	},
	Reference: leakyReference,
	Tolerance: func(Case) tensor.Tolerance { return rounded(1, 10) },
	Hints: []string{
		"As in relu, every element is alone. Only the negative ones are treated differently.",
		"The slope is the same for all invocations: a uniform, read as params.slope.",
		"An if will do. So will select: it takes the value for false, the value for true and the condition, in that order.",
		"First name the old value with let. Then there are two cases: below 0.0, write slope times the value; otherwise there is nothing to do.",
	},
}

func leakyBuffers(rng *rand.Rand, n int, scale float32) []Buffer {
	return []Buffer{shader.UniformBuffer(shader.Float(0.15 + 0.7*rng.Float32())), shader.FloatBuffer(startingNegative(floats(rng, n, scale)))}
}

func leakyReference(c Case) Buffer {
	slope := uniformF32(c, leakyParams, 0)
	return activated(c, func(x float64) float64 {
		if x < 0 {
			return slope * x
		}
		return x
	})
}
