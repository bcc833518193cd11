package course

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

var add = &Exercise{
	ID:     "add",
	Lesson: 2,
	Title:  "Add two numbers",
	Task:   "Write out[0] = a[0] + b[0].",
	Points: 1,
	Bindings: []Binding{
		{Name: "a", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "b", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:   2,
	Dispatch: Each,
	Small: func(rng *rand.Rand) Case {
		return lengthCase(1, shader.FloatBuffer(floats(rng, 1, 1)), shader.FloatBuffer(floats(rng, 1, 1)), Unwritten(1))
	},
	Cases: func(rng *rand.Rand) []Case {
		var cases []Case
		for i, out := range []Buffer{Unwritten(1), Stale(1), Unwritten(1)} {
			scale := float32(math.Pow(30, float64(i)))
			cases = append(cases, Case{
				Name:    fmt.Sprintf("pair %d", i+1),
				Buffers: []Buffer{shader.FloatBuffer(floats(rng, 1, scale)), shader.FloatBuffer(floats(rng, 1, scale)), out},
				Extent:  [2]int{1},
			})
		}
		return cases
	},
	Reference: sumOf,
	Tolerance: func(c Case) tensor.Tolerance { return rounded(1, sumScale(c)) },
	Hints: []string{
		"A buffer is an array, even when it has one element: the number is a[0].",
		"The shader runs once here, as one workgroup. The host reads back whatever you assign to out[0].",
		"One assignment is enough: the output on the left, the two inputs and an operator on the right.",
	},
}

func sumOf(c Case) Buffer {
	return each(c.Buffers[2].Len(), func(i int) float64 { return f32At(c, 0, i) + f32At(c, 1, i) })
}

// sumScale returns the largest sum of magnitudes, which rounding errors are relative to.
func sumScale(c Case) float64 {
	scale := 0.0
	for i := range c.Buffers[0].Floats() {
		scale = max(scale, abs(f32At(c, 0, i))+abs(f32At(c, 1, i)))
	}
	return scale
}

func abs(x float64) float64 { return max(x, -x) }
