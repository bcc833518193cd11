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
	Reference: axpy(func(alpha, x, y float64) float64 { return alpha*x + y }),
	Tolerance: func(c Case) tensor.Tolerance {
		// Two operations, or one fused: |alpha|, |x|, |y| stay below 10.
		return rounded(2, 110)
	},
	Misconceptions: []Misconception{
		{
			Slug:   "ignores-n",
			Title:  "All of y was updated, not only the first n elements.",
			Why:    "Nothing stops the invocations, or only the end of the array does. Here the host passes a longer array than it wants changed, and params.n says where to stop.",
			Ask:    "Which number should your guard check?",
			Output: func(c Case, _ [3]uint32) Buffer { return saxpyUpTo(c, c.Buffers[saxpyY].Len()) },
		},
		{
			Slug:   "guard-off-by-one",
			Title:  "One element too many was updated: y[n].",
			Why:    "The first n elements have the indices 0 to n - 1. Element n is the first one that should stay untouched.",
			Ask:    "Which of <, <=, > and >= does your guard use?",
			Output: func(c Case, _ [3]uint32) Buffer { return saxpyUpTo(c, 1+saxpyCount(c)) },
		},
		{
			Slug:   "last-missing",
			Title:  "The last of the n elements was not updated.",
			Why:    "Your guard holds back one invocation too many. The last index is n - 1, and that invocation still has work to do.",
			Ask:    "For n = 1: does invocation 0 get past your guard?",
			Output: func(c Case, _ [3]uint32) Buffer { return saxpyUpTo(c, saxpyCount(c)-1) },
		},
		{
			Slug:   "y-twice",
			Title:  "The result is alpha * x + 2 * y.",
			Why:    "`+=` adds to the old value of y. With the y on the right, it counts twice.",
			Ask:    "How many times does the old y count in your sum?",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return alpha*x + 2*y }),
		},
		{
			Slug:   "subtract",
			Title:  "The result is alpha * x - y.",
			Why:    "The old value of y was subtracted instead of added.",
			Ask:    "Which operator stands between the two?",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return alpha*x - y }),
		},
		{
			Slug:   "no-alpha",
			Title:  "The result is x + y; alpha was never used.",
			Why:    "The uniform is bound, but your sum doesn't use params.alpha.",
			Ask:    "What should alpha multiply?",
			Output: axpyOutput(func(_, x, y float64) float64 { return x + y }),
		},
		{
			Slug:   "no-y",
			Title:  "The result is alpha * x; the old y was lost.",
			Why:    "y is updated in place. If you assign to it without reading it first, the old value is gone.",
			Ask:    "Where does the old value of y come in?",
			Output: axpyOutput(func(alpha, x, _ float64) float64 { return alpha * x }),
		},
		{
			Slug:   "alpha-times-both",
			Title:  "The result is alpha * (x + y).",
			Why:    "alpha multiplied the whole sum. It belongs to x alone.",
			Ask:    "With alpha = 0, what should be left of y?",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return alpha * (x + y) }),
		},
		{
			Slug:   "alpha-times-y",
			Title:  "The result is x + alpha * y: x and y are swapped.",
			Why:    "alpha scales x, the vector that you only read.",
			Ask:    "With alpha = 0, what should be left of y?",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return x + alpha*y }),
		},
		{
			Slug:   "adds-alpha",
			Title:  "The result is alpha + x + y.",
			Why:    "alpha was added, but it should scale.",
			Ask:    "What do the letters of saxpy stand for? a times x, plus y.",
			Output: axpyOutput(func(alpha, x, y float64) float64 { return alpha + x + y }),
		},
		{
			Slug:   "copy-x",
			Title:  "The first n elements of y are a copy of x.",
			Why:    "The result uses neither alpha nor the old value of y.",
			Ask:    "Which three numbers does each element need?",
			Output: axpyOutput(func(_, x, _ float64) float64 { return x }),
		},
		{
			Slug:   "x-at-zero",
			Title:  "The result is alpha * x[0] + y[i].",
			Why:    "Each invocation reads y at its own index, but x at index 0.",
			Ask:    "Which element of x does invocation 5 need?",
			Output: saxpyWithFirstX,
		},
		updatedOften(firstOnly(saxpyY, nil), func(int) int { return 1 }),
		updatedOften(localIndex(saxpyY, nil), func(reach int) int { return reach }),
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

// axpy returns a function that applies f(alpha, x, y) to the first n elements.
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

func saxpyCount(c Case) int { return uniformU32(c, saxpyParams, saxpyN) }

// saxpyUpTo returns the right update of the first n elements.
func saxpyUpTo(c Case, n int) Buffer {
	alpha, y := uniformF32(c, saxpyParams, saxpyAlpha), c.Buffers[saxpyY]
	full := each(y.Len(), func(i int) float64 { return alpha*f32At(c, saxpyX, i) + y.At(i) })
	return onlyFirst(n, full, y)
}

func saxpyWithFirstX(c Case, _ [3]uint32) Buffer {
	first := f32At(c, saxpyX, 0)
	return axpy(func(alpha, _, y float64) float64 { return alpha*first + y })(c)
}

// updatedOften changes a misconception for an exercise in place: many invocations update the same
// first elements again, and it is undetermined how many updates survive.
func updatedOften(m Misconception, first func(reach int) int) Misconception {
	m.Output = func(c Case, size [3]uint32) Buffer {
		return undetermined(min(first(reach(size)), saxpyCount(c)), c.Buffers[saxpyY])
	}
	return m
}
