package lesson

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/pkg/tensor"
)

var vectorAdd = &Exercise{
	ID:     "vector-add",
	Lesson: 2,
	Title:  "Add two vectors",
	Task:   "Write out[i] = a[i] + b[i] for every element, whatever the length.",
	Points: 2,
	Bindings: []Binding{
		{Name: "a", Access: ReadOnly, Type: "array<f32>"},
		{Name: "b", Access: ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: ReadWrite, Type: "array<f32>"},
	},
	Output: 2,
	Cases: func(rng *rand.Rand) []Case {
		cases := forLengths(rng, func(rng *rand.Rand, n int) []Buffer {
			return []Buffer{{F32: floats(rng, n, 10)}, {F32: floats(rng, n, 10)}, Unwritten(n)}
		})
		n := 100 + rng.IntN(100)
		return append(cases, Case{
			Name:    lengthName(n) + ", used memory",
			Buffers: []Buffer{{F32: floats(rng, n, 10)}, {F32: floats(rng, n, 10)}, Stale(n)},
			Extent:  [2]int{n},
		})
	},
	Reference: sumOf,
	Tolerance: func(c Case) tensor.Tolerance { return rounded(1, sumScale(c)) },
	Misconceptions: []Misconception{
		firstOnly(2, sumOf),
		localIndex(2, sumOf),
		{
			Slug:  "first-element-everywhere",
			Title: "Every element of out is a[0] + b[0].",
			Why:   "The output index differs from invocation to invocation, but the inputs are read at index 0 by all of them.",
			Ask:   "Which element of a does invocation 5 need?",
			Output: func(c Case, _ [3]uint32) Buffer {
				return each(c.Buffers[2].Len(), func(int) float64 { return f32At(c, 0, 0) + f32At(c, 1, 0) })
			},
		},
		{
			Slug:  "workgroup-index",
			Title: "Only one element is written for each workgroup.",
			Why:   "workgroup_id counts workgroups, not invocations: all invocations of a workgroup used the same index.",
			Ask:   "Which builtin is different in every invocation?",
			Output: func(c Case, size [3]uint32) Buffer {
				n := c.Buffers[2].Len()
				return onlyFirst((n+reach(size)-1)/reach(size), sumOf(c), c.Buffers[2])
			},
		},
		{
			Slug:   "subtract",
			Title:  "Every element is a[i] - b[i].",
			Why:    "The sign of the second number came out the other way round.",
			Ask:    "With a = 2 and b = 3, what do you want to see?",
			Output: pairwise(func(a, b float64) float64 { return a - b }),
		},
		{
			Slug:   "multiply",
			Title:  "Every element is a[i] * b[i].",
			Why:    "The elements were multiplied pair by pair.",
			Ask:    "Which operator joins the two?",
			Output: pairwise(func(a, b float64) float64 { return a * b }),
		},
		{
			Slug:   "copy-a",
			Title:  "The output is a copy of a.",
			Why:    "Only the first buffer reached the output; b was bound and never used.",
			Ask:    "Where does b[i] come in?",
			Output: pairwise(func(a, _ float64) float64 { return a }),
		},
		{
			Slug:   "copy-b",
			Title:  "The output is a copy of b.",
			Why:    "Only the second buffer reached the output. A second assignment to out[i] replaces what the first one wrote.",
			Ask:    "What happened to a[i]?",
			Output: pairwise(func(_, b float64) float64 { return b }),
		},
		{
			Slug:  "shifted",
			Title: "Each element holds the sum of its right-hand neighbours.",
			Why:   "The inputs were read one place further on than the output was written.",
			Ask:   "Do GPU indices start at 0 or at 1?",
			Output: func(c Case, _ [3]uint32) Buffer {
				n := c.Buffers[2].Len()
				return each(n, func(i int) float64 {
					if i+1 == n {
						return float64(PoisonF32)
					}
					return f32At(c, 0, i+1) + f32At(c, 1, i+1)
				})
			},
		},
		lastMissing(2, sumOf),
		accumulating(2, sumOf),
	},
	Hints: []string{
		"Think of one invocation. Which element is its own, and which two numbers does it need?",
		"global_invocation_id.x numbers the invocations from 0. Let that number be the index of all three arrays.",
		"The host starts whole workgroups. 65 elements with a workgroup of 64 make 128 invocations: 63 of them have no element. arrayLength(&out) tells them so.",
		"A comparison that keeps the surplus invocations away, then the same assignment as in `add`, with your index where the 0 was.",
	},
}

// localIndex is the misconception that the index inside the workgroup is the
// index in the array.
func localIndex(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "local-id",
		Title: "Only the elements of the first workgroup are written.",
		Why:   "local_invocation_id starts again at 0 in every workgroup. All workgroups worked on the same first elements, and nobody on the rest.",
		Ask:   "Which builtin goes on counting from one workgroup to the next?",
		Output: func(c Case, size [3]uint32) Buffer {
			return onlyFirst(reach(size), right(c), c.Buffers[output])
		},
	}
}

// firstOnly is the misconception of a fixed index.
func firstOnly(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "first-only",
		Title: "Only element 0 is right; the others were never written.",
		Why:   "Every invocation runs the same code. With the fixed index 0, all of them write to the same element.",
		Ask:   "How can one line of code write to another element in each invocation?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyFirst(1, right(c), c.Buffers[output])
		},
	}
}

// lastMissing is the misconception that the last index is the length.
func lastMissing(output int, right func(Case) Buffer) Misconception {
	return Misconception{
		Slug:  "last-missing",
		Title: "The last element was never written.",
		Why:   "The guard keeps one invocation too many away. With n elements the last index is n - 1, and that one still has work to do.",
		Ask:   "For n = 1: does invocation 0 get past your guard?",
		Output: func(c Case, _ [3]uint32) Buffer {
			return onlyFirst(c.Buffers[output].Len()-1, right(c), c.Buffers[output])
		},
	}
}
