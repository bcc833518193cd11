package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

var vectorAdd = &Exercise{
	ID:      "vector-add",
	Lesson:  2,
	Title:   "Add two vectors",
	Task:    "Write out[i] = a[i] + b[i] for every element, whatever the length.",
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "a", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "b", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output: 2,
	Small: func(rng *rand.Rand) Case {
		n := smallLength
		return lengthCase(n, shader.FloatBuffer(floats(rng, n, 10)), shader.FloatBuffer(floats(rng, n, 10)), Unwritten(n))
	},
	Large: func(rng *rand.Rand) Case {
		n := largeLength
		return lengthCase(n, shader.FloatBuffer(floats(rng, n, 10)), shader.FloatBuffer(floats(rng, n, 10)), Unwritten(n))
	},
	Cases: func(rng *rand.Rand) []Case {
		cases := forLengths(rng, func(rng *rand.Rand, n int) []Buffer {
			return []Buffer{shader.FloatBuffer(floats(rng, n, 10)), shader.FloatBuffer(floats(rng, n, 10)), Unwritten(n)}
		})
		n := beyondOneWorkgroup(rng)
		return append(cases, Case{
			Name:    lengthName(n) + ", used memory",
			Buffers: []Buffer{shader.FloatBuffer(floats(rng, n, 10)), shader.FloatBuffer(floats(rng, n, 10)), Stale(n)},
			Extent:  [2]int{n},
		})
	},
	Reference: sumOf,
	Tolerance: func(c Case) tensor.Tolerance { return rounded(1, sumScale(c)) },
	Hints: []string{
		"Think of one invocation. Which element is its own, and which two numbers does it need?",
		"global_invocation_id.x numbers the invocations from 0. Use that number as the index into all three arrays.",
		"The host starts whole workgroups. 65 elements and a workgroup size of 64 give 128 invocations: 63 of them have no element. arrayLength(&out) tells you which.",
		"First a comparison that keeps the surplus invocations away. Then the assignment from `add`, with your index in place of the 0.",
	},
}
