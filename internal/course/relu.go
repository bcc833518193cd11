package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
)

var relu = &Exercise{
	ID:     "relu",
	Lesson: 4,
	Title:  "Negative becomes zero",
	Task:   "Replace every element x of data by max(x, 0), in place, whatever the length.",
	Points: 1,
	Bindings: []Binding{
		{Name: "data", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:  0,
	InPlace: true,
	Small: func(rng *rand.Rand) Case {
		return lengthCase(smallLength, shader.FloatBuffer(floats(rng, smallLength, 10)))
	},
	Large: func(rng *rand.Rand) Case {
		return lengthCase(largeLength, shader.FloatBuffer(floats(rng, largeLength, 10)))
	},
	Cases: func(rng *rand.Rand) []Case {
		cases := forLengths(rng, func(rng *rand.Rand, n int) []Buffer {
			return []Buffer{shader.FloatBuffer(startingNegative(floats(rng, n, 10)))}
		})
		n := beyondOneWorkgroup(rng)
		return append(cases,
			Case{Name: lengthName(n), Buffers: []Buffer{shader.FloatBuffer(floats(rng, n, 10))}, Extent: [2]int{n}},
			smallNegatives(rng))
	},
	Reference: func(c Case) Buffer { return activated(c, func(x float64) float64 { return max(x, 0) }) },
	Hints: []string{
		"Every element is alone here: its new value depends on its old value and nothing else. One invocation takes one element.",
		"In place means that there is only one buffer: you read data[i] and you write data[i].",
		"WGSL has max(x, y), just like Go. 0.0 is a float, 0u isn't.",
		"Use the guard from vector-add, with data. After it, a single assignment to data[i] is enough; an if around another assignment works as well.",
	},
}

// smallNegatives draws values between -1 and 1, most of them negative.
func smallNegatives(rng *rand.Rand) Case {
	const n = 77
	values := floats(rng, n, 1)
	for i := range values {
		if i%4 > 0 {
			values[i] = -float32(abs(float64(values[i])))
		}
	}
	return Case{Name: lengthName(n) + ", between -1 and 1", Buffers: []Buffer{shader.FloatBuffer(values)}, Extent: [2]int{n}}
}

// startingNegative makes the first value negative, so that even a single value has to change.
func startingNegative(values []float32) []float32 {
	values[0] = -float32(abs(float64(values[0])))
	return values
}

// activated applies f to every element of the last binding.
func activated(c Case, f func(x float64) float64) Buffer {
	data := c.Buffers[len(c.Buffers)-1]
	return each(data.Len(), func(i int) float64 { return f(data.At(i)) })
}
