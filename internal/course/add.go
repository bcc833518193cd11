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
	Misconceptions: []Misconception{
		{
			Slug:   "subtract",
			Title:  "The result is a[0] - b[0].",
			Why:    "The second number was subtracted.",
			Ask:    "With a = 2 and b = 3, what do you want to see?",
			Output: pairwise(func(a, b float64) float64 { return a - b }),
		},
		{
			Slug:   "multiply",
			Title:  "The result is a[0] * b[0].",
			Why:    "The two numbers were multiplied. With 2 and 2 you would not notice. That is why the check draws new numbers every time.",
			Ask:    "Which operator stands between the two?",
			Output: pairwise(func(a, b float64) float64 { return a * b }),
		},
		{
			Slug:   "copy-a",
			Title:  "The result is a[0] alone.",
			Why:    "Only the first buffer reached the output. b is bound, but never used.",
			Ask:    "Where does b[0] come in?",
			Output: pairwise(func(a, _ float64) float64 { return a }),
		},
		{
			Slug:   "copy-b",
			Title:  "The result is b[0] alone.",
			Why:    "Only the second buffer reached the output. A second assignment to out[0] replaces what the first one wrote.",
			Ask:    "What happened to a[0]?",
			Output: pairwise(func(_, b float64) float64 { return b }),
		},
		{
			Slug:   "twice-a",
			Title:  "The result is a[0] + a[0].",
			Why:    "The same buffer was read twice.",
			Ask:    "Which two buffers are on the right-hand side?",
			Output: pairwise(func(a, _ float64) float64 { return a + a }),
		},
		{
			Slug:   "zero",
			Title:  "The result is 0.",
			Why:    "Something was written, but it depends on neither input.",
			Ask:    "Which values should go into out[0]?",
			Output: pairwise(func(_, _ float64) float64 { return 0 }),
		},
		{
			Slug:   "twice-b",
			Title:  "The result is b[0] + b[0].",
			Why:    "The same buffer was read twice.",
			Ask:    "Which two buffers are on the right-hand side?",
			Output: pairwise(func(_, b float64) float64 { return b + b }),
		},
		{
			Slug:   "divide",
			Title:  "The result is a[0] / b[0].",
			Why:    "The two numbers were divided.",
			Ask:    "Which operator stands between the two?",
			Output: pairwise(func(a, b float64) float64 { return a / b }),
		},
		{
			Slug:   "swapped-subtract",
			Title:  "The result is b[0] - a[0].",
			Why:    "The first number was subtracted from the second.",
			Ask:    "With a = 2 and b = 3, what do you want to see?",
			Output: pairwise(func(a, b float64) float64 { return b - a }),
		},
		{
			Slug:   "index-from-one",
			Title:  "out[0] was never written: the shader wrote past the end.",
			Why:    "A buffer with one number has one element, and its index is 0. The memory after it isn't yours.",
			Ask:    "What is the first index of an array?",
			Output: func(c Case, _ [3]uint32) Buffer { return c.Buffers[2] },
		},
		accumulating(2, sumOf),
	},
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

// pairwise returns an Output function that applies op to each pair of elements of a and b.
func pairwise(op func(a, b float64) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		return each(c.Buffers[2].Len(), func(i int) float64 { return op(f32At(c, 0, i), f32At(c, 1, i)) })
	}
}
