package course

import (
	"math"
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
	Reference: activated(reluOf),
	Misconceptions: append(reluMisconceptions(0, reluOf),
		localIndex(0, activated(reluOf)),
		Misconception{
			Slug:   "leaky",
			Title:  "Negative elements became smaller, but not 0.",
			Why:    "A fraction of a negative number is still negative. That is leaky relu, the next exercise. Plain relu makes them 0.",
			Ask:    "What should -5 become?",
			Output: activatedOutput(0, func(x float64) float64 { return max(x, 0.01*x) }),
		},
	),
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

func reluOf(x float64) float64 { return max(x, 0) }

// activated returns a function that applies f to every element of an in-place output, the last
// binding.
func activated(f func(x float64) float64) func(Case) Buffer {
	return func(c Case) Buffer { return activatedOutput(len(c.Buffers)-1, f)(c, [3]uint32{}) }
}

func activatedOutput(data int, f func(x float64) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		before := c.Buffers[data]
		return each(before.Len(), func(i int) float64 { return f(before.At(i)) })
	}
}

// reluMisconceptions returns the misconceptions of relu on an in-place binding data. Applying f
// twice is harmless only for plain relu, so each exercise adds its own misconceptions with
// undetermined values after a race.
func reluMisconceptions(data int, right func(float64) float64) []Misconception {
	reference := func(c Case) Buffer { return activatedOutput(data, right)(c, [3]uint32{}) }
	return []Misconception{
		{
			Slug:   "min",
			Title:  "The positive elements became 0 and the negative ones stayed.",
			Why:    "Your comparison points the wrong way, or you used min instead of max. min picks the smaller of the two.",
			Ask:    "Of -5 and 0, which one do you want to keep?",
			Output: activatedOutput(data, func(x float64) float64 { return min(x, 0) }),
		},
		{
			Slug:   "abs",
			Title:  "Negative elements became positive.",
			Why:    "The sign was dropped: -5 became 5, but it should become 0.",
			Ask:    "What should -5 become?",
			Output: activatedOutput(data, abs),
		},
		{
			Slug:   "sign",
			Title:  "Every element became 1 or -1.",
			Why:    "sign tells only on which side of 0 a number is, not how large it is.",
			Ask:    "What should 7.5 become?",
			Output: activatedOutput(data, func(x float64) float64 { return math.Copysign(1, x) }),
		},
		{
			Slug:   "step",
			Title:  "Positive elements became 1, negative ones 0.",
			Why:    "That is a step function: it says whether an element is positive, not how large it is. Positive elements should keep their value.",
			Ask:    "What should 7.5 become?",
			Output: activatedOutput(data, func(x float64) float64 { return float64(boolAsInt(x > 0)) }),
		},
		{
			Slug:   "negated",
			Title:  "Negative elements became 0, but the positive ones became negative.",
			Why:    "The result is -max(x, 0), or min(-x, 0).",
			Ask:    "What should 7.5 become?",
			Output: activatedOutput(data, func(x float64) float64 { return -max(x, 0) }),
		},
		{
			Slug:   "flipped",
			Title:  "Negative elements became positive, and positive ones became 0.",
			Why:    "The result is max(-x, 0): the sign was flipped before the comparison.",
			Ask:    "What should 7.5 become, and what should -5 become?",
			Output: activatedOutput(data, func(x float64) float64 { return max(-x, 0) }),
		},
		{
			Slug:   "clamped",
			Title:  "Elements above 1 became 1.",
			Why:    "Relu has a floor but no ceiling. A positive element stays as it is, however large.",
			Ask:    "What should 7.5 become?",
			Output: activatedOutput(data, func(x float64) float64 { return min(max(x, 0), 1) }),
		},
		{
			Slug:   "wrong-threshold",
			Title:  "Elements between 0 and 1 became 0 as well.",
			Why:    "The threshold should be 0, but your shader uses 1.",
			Ask:    "What should 0.5 become?",
			Output: activatedOutput(data, func(x float64) float64 { return x * float64(boolAsInt(x >= 1)) }),
		},
		{
			Slug:   "truncated",
			Title:  "The fractions were lost.",
			Why:    "The value became a whole number on the way. i32(x) drops the fraction, and you don't need it: max works on floats.",
			Ask:    "What type is your zero?",
			Output: activatedOutput(data, func(x float64) float64 { return math.Trunc(max(x, 0)) }),
		},
		{
			Slug:   "zero",
			Title:  "Every element became 0.",
			Why:    "The positive elements should keep their value.",
			Ask:    "What should 7.5 become?",
			Output: activatedOutput(data, func(float64) float64 { return 0 }),
		},
		workgroupStart(data, reference),
		workgroupIndex(data, reference),
		firstOnly(data, reference),
		firstMissing(data, reference),
		lastMissing(data, reference),
	}
}

func boolAsInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
