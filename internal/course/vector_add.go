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
	Misconceptions: []Misconception{
		firstOnly(2, sumOf),
		localIndex(2, sumOf),
		{
			Slug:   "first-element-everywhere",
			Title:  "Every element of out is a[0] + b[0].",
			Why:    "Each invocation writes to an index of its own, but all of them read the inputs at index 0.",
			Ask:    "Which element of a does invocation 5 need?",
			Output: vectorAddAt(func(int) (int, int) { return 0, 0 }),
		},
		{
			Slug:   "a-at-zero",
			Title:  "Every element is a[0] + b[i].",
			Why:    "Each invocation reads b at its own index, but a at index 0.",
			Ask:    "Which element of a does invocation 5 need?",
			Output: vectorAddAt(func(i int) (int, int) { return 0, i }),
		},
		{
			Slug:   "b-at-zero",
			Title:  "Every element is a[i] + b[0].",
			Why:    "Each invocation reads a at its own index, but b at index 0.",
			Ask:    "Which element of b does invocation 5 need?",
			Output: vectorAddAt(func(i int) (int, int) { return i, 0 }),
		},
		workgroupIndex(2, sumOf),
		workgroupStart(2, sumOf),
		{
			Slug:   "subtract",
			Title:  "Every element is a[i] - b[i].",
			Why:    "The second number was subtracted.",
			Ask:    "With a = 2 and b = 3, what do you want to see?",
			Output: pairwise(func(a, b float64) float64 { return a - b }),
		},
		{
			Slug:   "multiply",
			Title:  "Every element is a[i] * b[i].",
			Why:    "Each pair of elements was multiplied.",
			Ask:    "Which operator stands between the two?",
			Output: pairwise(func(a, b float64) float64 { return a * b }),
		},
		{
			Slug:   "copy-a",
			Title:  "The output is a copy of a.",
			Why:    "Only the first buffer reached the output. b is bound, but never used.",
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
			Title: "Each element holds its right-hand neighbour's sum.",
			Why:   "You read the inputs one element further on than you write the output.",
			Ask:   "Do indices start at 0 or at 1?",
			Output: func(c Case, _ [3]uint32) Buffer {
				n := c.Buffers[2].Len()
				return each(n, func(i int) float64 {
					if i+1 == n {
						return outside
					}
					return f32At(c, 0, i+1) + f32At(c, 1, i+1)
				})
			},
		},
		{
			Slug:   "index-added",
			Title:  "Every element is a[i] + b[i] + i.",
			Why:    "The index was added as well. It says where to read and write, but it isn't part of the vectors.",
			Ask:    "Which numbers should go into out[5]?",
			Output: indexAdded,
		},
		bytesNotElements(2, sumOf),
		firstMissing(2, sumOf),
		lastMissing(2, sumOf),
		accumulating(2, sumOf),
		localPlace(2),
	},
	Hints: []string{
		"Think of one invocation. Which element is its own, and which two numbers does it need?",
		"global_invocation_id.x numbers the invocations from 0. Use that number as the index into all three arrays.",
		"The host starts whole workgroups. 65 elements and a workgroup size of 64 give 128 invocations: 63 of them have no element. arrayLength(&out) tells you which.",
		"First a comparison that keeps the surplus invocations away. Then the assignment from `add`, with your index in place of the 0.",
	},
}

// vectorAddAt returns an Output function that adds the elements of a and b at the indices that
// index returns for element i.
func vectorAddAt(index func(i int) (inA, inB int)) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		return each(c.Buffers[2].Len(), func(i int) float64 {
			inA, inB := index(i)
			return f32At(c, 0, inA) + f32At(c, 1, inB)
		})
	}
}

func indexAdded(c Case, _ [3]uint32) Buffer {
	return each(c.Buffers[2].Len(), func(i int) float64 { return f32At(c, 0, i) + f32At(c, 1, i) + float64(i) })
}
