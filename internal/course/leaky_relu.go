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
	Misconceptions: append([]Misconception{
		{
			Slug:   "no-slope",
			Title:  "Negative elements became 0: the slope was never used.",
			Why:    "That is plain relu. Here a negative element keeps a trace of itself: params.slope times its value.",
			Ask:    "Where does params.slope come in?",
			Output: leakyOutput(func(_, x float64) float64 { return max(x, 0) }),
		},
		{
			Slug:   "slope-on-positives",
			Title:  "The positive elements were multiplied by the slope, not the negative ones.",
			Why:    "The two sides are swapped. Either the comparison points the wrong way, max and min are mixed up, or select has its two values in the wrong order: the value for false comes first.",
			Ask:    "Of -5 and 7.5, which one should change?",
			Output: leakyOutput(func(slope, x float64) float64 { return min(x, slope*x) }),
		},
		{
			Slug:   "slope-on-all",
			Title:  "All elements were multiplied by the slope.",
			Why:    "The positive elements should keep their value. Nothing in your shader tells positive from negative.",
			Ask:    "What should 7.5 become?",
			Output: leakyOutput(func(slope, x float64) float64 { return slope * x }),
		},
		{
			Slug:   "slope-itself",
			Title:  "Negative elements became the slope itself.",
			Why:    "They all got the same value. The slope scales the element, so -5 and -1 should still differ.",
			Ask:    "What should the slope multiply?",
			Output: leakyOutput(negativeSide(func(slope, _ float64) float64 { return slope })),
		},
		{
			Slug:   "adds-slope",
			Title:  "The slope was added to the negative elements.",
			Why:    "A slope scales. A sum shifts.",
			Ask:    "With a slope of 0, what should -5 become?",
			Output: leakyOutput(negativeSide(func(slope, x float64) float64 { return x + slope })),
		},
		{
			Slug:   "divides-by-slope",
			Title:  "Negative elements were divided by the slope.",
			Why:    "They became larger, but they should become smaller.",
			Ask:    "With a slope of 0.1, what should -5 become?",
			Output: leakyOutput(negativeSide(func(slope, x float64) float64 { return x / slope })),
		},
		{
			Slug:   "negated-slope",
			Title:  "Negative elements became positive.",
			Why:    "They were scaled, but their sign was flipped as well: -slope * x, or slope * abs(x).",
			Ask:    "With a slope of 0.1, what should -5 become?",
			Output: leakyOutput(negativeSide(func(slope, x float64) float64 { return -slope * x })),
		},
		{
			Slug:   "fixed-slope",
			Title:  "Negative elements were multiplied by 0.01, whatever the slope.",
			Why:    "The usual slope is written into your shader. The host passes a different one each time, in params.",
			Ask:    "Where can your shader read the slope?",
			Output: leakyOutput(negativeSide(func(_, x float64) float64 { return 0.01 * x })),
		},
		{
			Slug:   "fixed-slope-tenth",
			Title:  "Negative elements were multiplied by 0.1, whatever the slope.",
			Why:    "A slope is written into your shader. The host passes a different one each time, in params.",
			Ask:    "Where can your shader read the slope?",
			Output: leakyOutput(negativeSide(func(_, x float64) float64 { return 0.1 * x })),
		},
		{
			Slug:   "one-minus-slope",
			Title:  "Negative elements were multiplied by 1 - slope.",
			Why:    "x - slope * x removes the very part that should be left.",
			Ask:    "With a slope of 0.1, what should -5 become?",
			Output: leakyOutput(negativeSide(func(slope, x float64) float64 { return x - slope*x })),
		},
		{
			Slug:   "sum-of-both",
			Title:  "slope * x was added to the positive elements as well.",
			Why:    "max(x, 0) + slope * x is right for the negative elements, but the positive ones get slope * x on top.",
			Ask:    "What should 7.5 become?",
			Output: leakyOutput(func(slope, x float64) float64 { return max(x, 0) + slope*x }),
		},
	}, leakyCounterparts()...),
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
	return leakyOutput(negativeSide(func(slope, x float64) float64 { return slope * x }))(c, [3]uint32{})
}

// leakyOutput returns an Output function that applies f(slope, x) to every element.
func leakyOutput(f func(slope, x float64) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		slope := uniformF32(c, leakyParams, 0)
		return activatedOutput(leakyData, func(x float64) float64 { return f(slope, x) })(c, size)
	}
}

// negativeSide applies f if x is negative and otherwise returns x.
func negativeSide(f func(slope, x float64) float64) func(slope, x float64) float64 {
	return func(slope, x float64) float64 {
		if x < 0 {
			return f(slope, x)
		}
		return x
	}
}

// leakyLocalIndex is localIndex in place: every workgroup scales the same first elements again, an
// undetermined number of times.
func leakyLocalIndex() Misconception {
	m := localIndex(leakyData, nil)
	m.Output = func(c Case, size [3]uint32) Buffer {
		out := c.Buffers[leakyData].Clone()
		for i := range min(reach(size), out.Len()) {
			if out.Floats()[i] < 0 {
				out.Floats()[i] = Anything
			}
		}
		return out
	}
	return m
}

// leakyCounterparts returns the mistakes of relu that also show here.
func leakyCounterparts() []Misconception {
	return []Misconception{
		{
			Slug:   "abs",
			Title:  "Negative elements lost their sign.",
			Why:    "-5 became 5. It should stay negative and move closer to 0.",
			Ask:    "With a slope of 0.1, what should -5 become?",
			Output: leakyOutput(func(_, x float64) float64 { return abs(x) }),
		},
		{
			Slug:   "min",
			Title:  "The positive elements became 0 and the negative ones stayed.",
			Why:    "Your comparison points the wrong way, and the slope is not used.",
			Ask:    "Of -5 and 7.5, which one should change?",
			Output: leakyOutput(func(_, x float64) float64 { return min(x, 0) }),
		},
		firstOnly(leakyData, leakyReference),
		firstMissing(leakyData, leakyReference),
		lastMissing(leakyData, leakyReference),
		leakyLocalIndex(),
	}
}
