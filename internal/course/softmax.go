package course

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

var softmax = &Exercise{
	ID:      "softmax",
	Lesson:  5,
	Title:   "From scores to probabilities",
	Task:    "Replace every element x of a row by exp(x - largest) / total, in place, where total is the sum of all exp(x - largest) of its row.",
	Points:  3,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: rowsDimsType},
		{Name: "data", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:   softmaxData,
	InPlace:  true,
	Dispatch: Each,
	// Mistakes inside one row, such as overflow, get a case with a single row. This separates them
	// from mistakes between rows.
	Columns: rowsColumns,
	Small:   func(rng *rand.Rand) Case { return softmaxCase(rng, 3, 96, ", values about 1", 1, 0) },
	Large:   func(rng *rand.Rand) Case { return softmaxCase(rng, 256, 1024, "", 1, 0) },
	Cases: func(rng *rand.Rand) []Case {
		return []Case{
			softmaxCase(rng, 1, 1, ", values about 1", 1, 0),
			softmaxCase(rng, 7, 1, ", values about 1", 1, 0),
			softmaxCase(rng, 1, 65, ", values about 1", 2, 0),
			softmaxCase(rng, 5, 10, ", values about 1", 1, 0),
			softmaxCase(rng, 1, 63, ", values up to 100", 100, 0),
			softmaxCase(rng, 4, 33, ", values up to 100", 100, 0),
			softmaxCase(rng, 1, 10, ", values about 10,000", 3, 10_000),
			softmaxCase(rng, 3, 64, ", values about 10,000", 3, 10_000),
			softmaxCase(rng, 1, 20, ", values about -10,000", 3, -10_000),
			softmaxCase(rng, 6, 65, ", values about -10,000", 3, -10_000),
			softmaxCase(rng, 6, 10, ", rows far apart", 3, 0, 10_000, 100, -10_000),
			softmaxCase(rng, 1, 1000, ", values about 1", 2, 0),
			softmaxCase(rng, 3, 1100+rng.IntN(400), ", values about 100", 3, 100),
			softmaxCase(rng, beyondOneWorkgroup(rng), 2, ", values about 1", 1, 0),
		}
	},
	Reference: softmaxReference,
	Tolerance: softmaxTolerance,
	Hints: []string{
		"Walk along a row three times: for the largest element, for the sum of all exp(x - largest), and for the division. Each walk needs the result of the one before, and every invocation must have it.",
		"The first walk is row-max. The second has the same shape, with + in place of max, and it starts from 0.",
		"Why subtract the largest? exp(100) is more than an f32 can hold, and infinity / infinity is NaN. exp(x - largest) is never above 1, and the quotient is the same.",
		"Every invocation needs the result of a tree: element 0 of the array, read after a barrier. Another barrier must follow before any invocation uses the array for something else.",
		"In the third walk each invocation replaces only its own elements, the ones it visited before. No other invocation reads them any more.",
	},
}

// softmaxCase draws values around the centres, which the rows take in turn.
func softmaxCase(rng *rand.Rand, rows, cols int, what string, spread float32, centres ...float32) Case {
	data := floats(rng, rows*cols, spread)
	for i := range data {
		data[i] += centres[i/cols%len(centres)]
	}
	return Case{
		Name:    rowsName(rows, cols, what),
		Buffers: []Buffer{shader.UniformBuffer(shader.Uint(rows), shader.Uint(cols)), shader.FloatBuffer(data)},
		Extent:  [2]int{rows},
	}
}

func softmaxReference(c Case) Buffer {
	m := matrixOf(c)
	var out []float32
	for r := range m.rows {
		row := m.row(r)
		largest, total := slices.Max(row), 0.0
		for _, x := range row {
			total += math.Exp(x - largest)
		}
		for _, x := range row {
			out = append(out, float32(math.Exp(x-largest)/total))
		}
	}
	return shader.FloatBuffer(out)
}

// softmaxTolerance follows the section "Accuracy of Expressions" of the WGSL specification. There
// exp(t) is within 3 + 2|t| units in the last place, and a division within 2.5. Each addition of
// the total adds half a unit. Rounding t by half a unit changes exp(t) by |t| halves. Twice that
// allows for other ways, such as pow or exp2, whose bounds are looser. Subtracting log(total) from
// x, instead of dividing, rounds at the size of x. Values too small for a float32 may be 0.
func softmaxTolerance(c Case) tensor.Tolerance {
	const (
		smallest = 0x1p-126 // the smallest normal float32
		deepest  = 104      // exp(-104) and below are 0 in float32
	)
	m := matrixOf(c)
	depth := 0.0
	for r := range m.rows {
		row := m.row(r)
		depth = max(depth, slices.Max(row)-slices.Min(row))
	}
	units := 2*(3+2.5*min(depth, deepest)) + float64(m.cols)/2 + 2.5 + magnitude(m.x)/2
	return tensor.Tolerance{Absolute: 2 * smallest, Relative: 2 * units * epsilon}
}
