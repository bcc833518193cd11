package lesson

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/pkg/tensor"
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
	Bindings: []Binding{
		{Name: "params", Access: Uniform, Type: "Params{alpha: f32, n: u32}"},
		{Name: "x", Access: ReadOnly, Type: "array<f32>"},
		{Name: "y", Access: ReadWrite, Type: "array<f32>"},
	},
	Output: saxpyY,
	Cases: func(rng *rand.Rand) []Case {
		var cases []Case
		for _, length := range lengths {
			n := 1 + rng.IntN(length)
			cases = append(cases, saxpyCase(rng, n, length))
		}
		return append(cases, saxpyCase(rng, 130, 130))
	},
	Reference: axpy(func(alpha, x, y float64) float64 { return alpha*x + y }),
	Tolerance: func(c Case) tensor.Tolerance {
		// Two operations, or one fused: |alpha|, |x|, |y| stay below 10.
		return rounded(2, 110)
	},
	Misconceptions: []Misconception{
		{
			Slug:   "ignores-n",
			Title:  "All of y was updated, not only the first n elements.",
			Why:    "The guard asks how long the array is. Here the host hands over a longer array than it wants changed, and says in params.n where to stop.",
			Ask:    "Which of the two numbers belongs into your guard?",
			Output: func(c Case, _ [3]uint32) Buffer { return saxpyUpTo(c, c.Buffers[saxpyY].Len()) },
		},
		{
			Slug:   "no-alpha",
			Title:  "The result is x + y; alpha was never used.",
			Why:    "The uniform is bound, but params.alpha takes no part in the sum.",
			Ask:    "What is alpha multiplied with?",
			Output: axpyOutput(func(_, x, y float64) float64 { return x + y }),
		},
		{
			Slug:   "no-y",
			Title:  "The result is alpha * x; the old y was lost.",
			Why:    "y is read and written in place. Assigning to it without reading it drops what was there.",
			Ask:    "Where does the old value of y come in?",
			Output: axpyOutput(func(alpha, x, _ float64) float64 { return alpha * x }),
		},
		{
			Slug:   "alpha-times-both",
			Title:  "The result is alpha * (x + y).",
			Why:    "alpha was multiplied with the sum; it belongs to x alone.",
			Ask:    "With alpha = 0, what should be left of y?",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return alpha * (x + y) }),
		},
		{
			Slug:   "alpha-times-y",
			Title:  "The result is x + alpha * y: x and y changed places.",
			Why:    "alpha scales x, the vector that is only read.",
			Ask:    "With alpha = 0, what should be left of y?",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return x + alpha*y }),
		},
		{
			Slug:   "adds-alpha",
			Title:  "The result is alpha + x + y.",
			Why:    "alpha was added, where it should scale.",
			Ask:    "What do the letters of saxpy stand for? a times x, plus y.",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return alpha + x + y }),
		},
		localIndexUpToN(),
	},
	Hints: []string{
		"Two limits are in play: how long y is, and how many elements the host wants changed. Only one of them is in params.",
		"A uniform is read like a struct: params.alpha, params.n. Every invocation sees the same values.",
		"y appears on both sides: its old value goes into the sum, its new value comes out.",
	},
}

func saxpyCase(rng *rand.Rand, n, length int) Case {
	alpha := floats(rng, 1, 10)[0]
	return Case{
		Name: fmt.Sprintf("n = %d of %d", n, length),
		Buffers: []Buffer{
			{Uniform: []any{alpha, uint32(n)}},
			{F32: floats(rng, length, 10)},
			{F32: floats(rng, length, 10)},
		},
		Extent: [2]int{length},
	}
}

// axpy applies f(alpha, x, y) to the first n elements.
func axpy(f func(alpha, x, y float64) float64) func(Case) Buffer {
	return func(c Case) Buffer {
		alpha, n := uniformF32(c, saxpyParams, saxpyAlpha), uniformU32(c, saxpyParams, saxpyN)
		y := c.Buffers[saxpyY]
		full := each(y.Len(), func(i int) float64 { return f(alpha, f32At(c, saxpyX, i), y.At(i)) })
		return onlyFirst(n, full, y)
	}
}

func axpyOutput(f func(alpha, x, y float64) float64) func(Case, [3]uint32) Buffer {
	compute := axpy(f)
	return func(c Case, _ [3]uint32) Buffer { return compute(c) }
}

// saxpyUpTo is the right update of the first n elements.
func saxpyUpTo(c Case, n int) Buffer {
	alpha, y := uniformF32(c, saxpyParams, saxpyAlpha), c.Buffers[saxpyY]
	full := each(y.Len(), func(i int) float64 { return alpha*f32At(c, saxpyX, i) + y.At(i) })
	return onlyFirst(n, full, y)
}

// localIndexUpToN: in place, every workgroup updates the same first elements
// again, and how often each update survives is not determined.
func localIndexUpToN() Misconception {
	m := localIndex(saxpyY, nil)
	m.Output = func(c Case, size [3]uint32) Buffer {
		out := c.Buffers[saxpyY].Clone()
		for i := range min(reach(size), uniformU32(c, saxpyParams, saxpyN)) {
			out.F32[i] = Anything
		}
		return out
	}
	return m
}
