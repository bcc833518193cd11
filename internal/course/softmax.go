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
	Reference:      softmaxReference,
	Tolerance:      softmaxTolerance,
	Misconceptions: softmaxMisconceptions(),
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
	return softmaxOf(func(row []float64) []float64 { return probabilities(row, slices.Max(row)) })(c, [3]uint32{})
}

// probabilities returns exp(x - shift) / total, with overflow as in float32.
func probabilities(row []float64, shift float64) []float64 {
	exps := exponentials(row, shift)
	total := sumOfAll(exps)
	if total > divisible && !slices.ContainsFunc(exps, func(e float64) bool { return math.IsInf(e, 1) }) {
		return slices.Repeat([]float64{undefined}, len(row))
	}
	return dividedBy(exps, total)
}

// divisible is the largest divisor for which WGSL defines the accuracy of a quotient; above it,
// the result depends on the device.
const divisible = 0x1p126

// exponentials returns exp(x - shift), or 0 or infinity outside the range of float32.
func exponentials(row []float64, shift float64) []float64 {
	exps := make([]float64, len(row))
	for i, x := range row {
		exps[i] = math.Exp(x - shift)
		if float32(exps[i]) == 0 || math.IsInf(float64(float32(exps[i])), 0) {
			exps[i] = float64(float32(exps[i]))
		}
	}
	return exps
}

func sumOfAll(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	if total > math.MaxFloat32 {
		return math.Inf(1)
	}
	return total
}

func dividedBy(values []float64, total float64) []float64 {
	quotients := make([]float64, len(values))
	for i, v := range values {
		quotients[i] = v / total
	}
	return quotients
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

// softmaxOf returns an Output function that replaces each row with answer(row).
func softmaxOf(answer func(row []float64) []float64) func(Case, [3]uint32) Buffer {
	return softmaxFrom(func(row []float64, _ int) []float64 { return answer(row) })
}

// softmaxFrom does the same for a workgroup of n invocations.
func softmaxFrom(answer func(row []float64, n int) []float64) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		m := matrixOf(c)
		var out []float32
		for r := range m.rows {
			for _, v := range answer(m.row(r), invocations(size)) {
				out = append(out, float32(v))
			}
		}
		return shader.FloatBuffer(out)
	}
}

// ofEach returns an Output function that applies f(x, largest) to every element of each row.
func ofEach(f func(x, largest float64) float64) func(Case, [3]uint32) Buffer {
	return softmaxOf(func(row []float64) []float64 {
		out, largest := make([]float64, len(row)), slices.Max(row)
		for i, x := range row {
			out[i] = f(x, largest)
		}
		return out
	})
}

// dividedByPart divides by the sum of a part of the row. If the divisor or the dividend is close
// to 0, the result depends on the device, so it is undefined.
func dividedByPart(exps []float64, part float64) []float64 {
	const little = 1e-30
	quotients := dividedBy(exps, part)
	for i, e := range exps {
		if part < little || e < little {
			quotients[i] = undefined
		}
	}
	return quotients
}

func softmaxMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:   "no-max-subtraction",
			Title:  "The largest element was not subtracted, which works only for small numbers.",
			Why:    "On paper, exp(x) / sum of exp(x) is the same. But exp(89) is more than an f32 can hold: it becomes infinity, and infinity / infinity is NaN. Far below zero every exp(x) becomes 0, and 0 / 0 is NaN as well.",
			Ask:    "What happens to exp(x) / total if you subtract the same number from every x of the row?",
			Output: softmaxOf(func(row []float64) []float64 { return probabilities(row, 0) }),
		},
		{
			Slug:  "max-only-in-sum",
			Title: "The largest element was subtracted in the sum, but not in the quotient.",
			Why:   "exp(x) in the numerator doesn't match exp(x - largest) in the denominator, so the row doesn't sum to 1.",
			Ask:   "Where does your shader call exp, and is the argument the same everywhere?",
			Output: softmaxOf(func(row []float64) []float64 {
				return dividedBy(exponentials(row, 0), sumOfAll(exponentials(row, slices.Max(row))))
			}),
		},
		{
			Slug:  "max-only-in-quotient",
			Title: "The largest element was subtracted in the quotient, but not in the sum.",
			Why:   "exp(x - largest) in the numerator doesn't match exp(x) in the denominator, so the row doesn't sum to 1.",
			Ask:   "Where does your shader call exp, and is the argument the same everywhere?",
			Output: softmaxOf(func(row []float64) []float64 {
				return dividedBy(exponentials(row, slices.Max(row)), sumOfAll(exponentials(row, 0)))
			}),
		},
		{
			Slug:   "starts-at-zero",
			Title:  "Rows of large negative elements come out as NaN.",
			Why:    "The search for the largest starts with 0. In such a row nothing is larger, so 0 is subtracted, every exp(x) becomes 0, and 0 / 0 is NaN.",
			Ask:    "Which number can the search start with so that the row's own elements always win?",
			Output: softmaxOf(func(row []float64) []float64 { return probabilities(row, max(0, slices.Max(row))) }),
		},
		{
			Slug:  "padded-with-zero",
			Title: "Short rows of large negative elements come out as NaN.",
			Why:   "If a row is shorter than the workgroup, some invocations have no element. Workgroup memory starts out as 0, so their entries hold 0 in the search for the largest.",
			Ask:   "What should an invocation without an element put into its entry?",
			Output: softmaxFrom(func(row []float64, n int) []float64 {
				if len(row) < n {
					return probabilities(row, max(0, slices.Max(row)))
				}
				return probabilities(row, slices.Max(row))
			}),
		},
		{
			Slug:   "min",
			Title:  "The smallest element was subtracted instead of the largest.",
			Why:    "Then the argument of exp is never negative and can get large: exp overflows if the smallest and the largest are far apart.",
			Ask:    "Which element do you have to subtract so that no argument of exp is above 0?",
			Output: softmaxOf(func(row []float64) []float64 { return probabilities(row, slices.Min(row)) }),
		},
		{
			Slug:   "not-divided",
			Title:  "The elements are exp(x - largest), not divided by their sum.",
			Why:    "The largest element of each row becomes 1, so the row sums to more than 1. Probabilities sum to 1.",
			Ask:    "How do you make numbers that sum to 7.3 sum to 1?",
			Output: ofEach(func(x, largest float64) float64 { return math.Exp(x - largest) }),
		},
		{
			Slug:   "only-exp",
			Title:  "The elements are exp(x): neither shifted nor divided by their sum.",
			Why:    "exp makes them positive. To be probabilities, they also have to sum to 1.",
			Ask:    "How do you make numbers that sum to 7.3 sum to 1?",
			Output: ofEach(func(x, _ float64) float64 { return math.Exp(x) }),
		},
		{
			Slug:   "only-shifted",
			Title:  "The elements are x - largest, without exp.",
			Why:    "Subtracting the largest is only the preparation for exp.",
			Ask:    "Can a probability be negative?",
			Output: ofEach(func(x, largest float64) float64 { return x - largest }),
		},
		{
			Slug:   "no-exp",
			Title:  "The elements were divided by their sum, without exp.",
			Why:    "x / sum of x turns negative elements into negative probabilities, and the sum can be 0.",
			Ask:    "Which function makes every number positive and keeps their order?",
			Output: softmaxOf(func(row []float64) []float64 { return dividedBy(row, sumOfAll(row)) }),
		},
		{
			Slug:   "divided-by-count",
			Title:  "The elements were divided by their number, not by their sum.",
			Why:    "Dividing by cols gives an average. The row sums to 1 only if each element is divided by the sum of all.",
			Ask:    "What do you have to divide by so that the row sums to 1?",
			Output: softmaxOf(func(row []float64) []float64 { return dividedBy(exponentials(row, slices.Max(row)), float64(len(row))) }),
		},
		{
			Slug:  "base-two",
			Title: "The elements are powers of 2, not of e.",
			Why:   "exp2(x) is 2 to the power of x. It gives probabilities as well, but flatter ones than the network was trained with.",
			Ask:   "Which WGSL function is e to the power of x?",
			Output: softmaxOf(func(row []float64) []float64 {
				return probabilities(multiplied(row, math.Ln2), math.Ln2*slices.Max(row))
			}),
		},
		{
			Slug:  "logarithm",
			Title: "The elements are the logarithms of the probabilities.",
			Why:   "That is log-softmax, which training uses. Here you need the probabilities themselves.",
			Ask:   "Can a probability be negative?",
			Output: softmaxOf(func(row []float64) []float64 {
				out, largest := make([]float64, len(row)), slices.Max(row)
				total := math.Log(sumOfAll(exponentials(row, largest)))
				for i, x := range row {
					if out[i] = x - largest - total; abs(out[i]) < 0.1 {
						out[i] = undefined // next to 0 there are too few digits to compare
					}
				}
				return out
			}),
		},
		{
			Slug:  "one-element-each",
			Title: "Only the first elements of each row were replaced, as many as the workgroup has invocations.",
			Why:   "Each invocation handled one element. If a row has more elements than the workgroup has invocations, each must handle several.",
			Ask:   "With 64 invocations and 1,000 columns, which invocation handles column 64?",
			Output: softmaxFrom(func(row []float64, n int) []float64 {
				first := row[:min(len(row), n)]
				return append(probabilities(first, slices.Max(first)), row[len(first):]...)
			}),
		},
		{
			Slug:  "one-written-each",
			Title: "Only the first elements of each row were replaced, as many as the workgroup has invocations.",
			Why:   "The sum is the sum of the whole row, but each invocation replaced only one element. If a row has more elements than the workgroup has invocations, each must replace several.",
			Ask:   "With 64 invocations and 1,000 columns, which invocation replaces column 64?",
			Output: softmaxFrom(func(row []float64, n int) []float64 {
				first := min(len(row), n)
				return append(probabilities(row, slices.Max(row))[:first], row[first:]...)
			}),
		},
		{
			Slug:  "own-sum",
			Title: "Each invocation divided by the sum of its own elements.",
			Why:   "An invocation with a single element divides it by itself and gets 1. The row's sum is the sum of what all invocations found.",
			Ask:   "Invocation 5 found a sum as well. Which invocation adds it?",
			Output: softmaxFrom(func(row []float64, n int) []float64 {
				exps := exponentials(row, slices.Max(row))
				out := slices.Clone(row)
				for me := range min(n, len(row)) {
					own := ofInvocations(exps, n, func(i int) bool { return i == me })
					for i, p := range dividedByPart(own, sumOfAll(own)) {
						out[me+i*n] = p
					}
				}
				return out
			}),
		},
		{
			Slug:   "no-reduction",
			Title:  "All elements were divided by the sum of invocation 0's share.",
			Why:    "Each invocation summed up its own share, but the shares were never added up.",
			Ask:    "Invocation 5 found a sum as well. Which invocation adds it?",
			Output: totalOf(func(place, _ int) bool { return place == 0 }),
		},
		{
			Slug:   "halves-once",
			Title:  "The sum has only two of the workgroup's shares: entry 0 and the one half a workgroup further on.",
			Why:    "One halving leaves half of the shares. Keep halving until only one is left: a workgroup of 8 needs 3 halvings.",
			Ask:    "With 64 shares, how many are left after one halving? How many halvings leave one?",
			Output: totalOf(func(place, n int) bool { return place == 0 || place == n/2 }),
		},
		{
			Slug:   "stops-early",
			Title:  "The halvings end one step too early: the shares with odd numbers are missing from the sum.",
			Why:    "When two shares are left, entries 0 and 1 still have to be added.",
			Ask:    "When two shares are left, how large is a half? Does your loop still run for it?",
			Output: totalOf(func(place, n int) bool { return place%2 == 0 || n == 1 }),
		},
		{
			Slug:  "power-of-two",
			Title: "Some shares are missing from the sum: your workgroup size isn't a power of two.",
			Why:   "An odd number of shares can't be halved: one is left over and gets lost. You choose the workgroup size. A power of two can be halved all the way down to 1; with any other size, some invocation must take care of the one left over.",
			Ask:   "Halve your workgroup size again and again. When is there a remainder?",
			Output: func(c Case, size [3]uint32) Buffer {
				reaches := halved(invocations(size))
				return totalOf(func(place, _ int) bool { return reaches[place] })(c, size)
			},
		},
		{
			Slug:  "largest-of-all",
			Title: "The largest element of the whole matrix was subtracted, not the row's own.",
			Why:   "If a row is far below the others, every exp(x - largest) becomes 0, and 0 / 0 is NaN.",
			Ask:   "Which part of data belongs to this workgroup?",
			Output: func(c Case, size [3]uint32) Buffer {
				m := matrixOf(c)
				all := maximum(m.take(len(m.x), func(i int) int { return i }))
				return softmaxOf(func(row []float64) []float64 { return probabilities(row, all) })(c, size)
			},
		},
		{
			Slug:  "first-row-only",
			Title: "Only the first row was replaced.",
			Why:   "Your index doesn't use the row, so all workgroups worked on the first row, again and again.",
			Ask:   "Where in data does row r begin?",
			Output: func(c Case, _ [3]uint32) Buffer {
				m := matrixOf(c)
				if m.rows == 1 {
					return softmaxReference(c)
				}
				return undetermined(m.cols, c.Buffers[softmaxData])
			},
		},
		{
			Slug:     "local-id",
			Builtins: localBuiltins,
			Title:    "Only the first rows were replaced, as many as a workgroup has invocations.",
			Why:      "You use local_invocation_id as the row. It starts again at 0 in every workgroup, so all of them worked on the same first rows, again and again.",
			Ask:      "Each workgroup takes one row. Which builtin is the number of the workgroup?",
			Output: func(c Case, size [3]uint32) Buffer {
				m := matrixOf(c)
				if m.rows == 1 {
					return softmaxReference(c)
				}
				return undetermined(reach(size)*m.cols, c.Buffers[softmaxData])
			},
		},
		{
			Slug:  "rows-mixed",
			Title: "A matrix with one row comes out right, but several rows disturb each other.",
			Why:   "Some invocation leaves its own row. The largest or the sum may run over the whole matrix or down the columns, a row may begin at the wrong index, or invocations without an element may read on into the next row. How much other workgroups have replaced by then is different each time.",
			Ask:   "Row r has cols elements and begins at r * cols. Which of your reads and writes can leave that range?",
			Output: func(c Case, _ [3]uint32) Buffer {
				m := matrixOf(c)
				if m.rows == 1 {
					return softmaxReference(c)
				}
				return undetermined(len(m.x), c.Buffers[softmaxData])
			},
		},
	}
}

func multiplied(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

// totalOf returns an Output function whose sums contain only the shares of some of a workgroup's
// invocations.
func totalOf(kept func(place, n int) bool) func(Case, [3]uint32) Buffer {
	return softmaxFrom(func(row []float64, n int) []float64 {
		exps := exponentials(row, slices.Max(row))
		return dividedByPart(exps, sumOfAll(ofInvocations(exps, n, func(i int) bool { return kept(i, n) })))
	})
}
