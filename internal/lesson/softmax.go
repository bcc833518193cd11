package lesson

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
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
	// What can go wrong in one row, such as overflow, has a case with a single row,
	// so that it can be told from what goes wrong between rows.
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
		"Three walks along a row: the largest element; the sum of all exp(x - largest); then the division. Each walk needs the result of the one before, and all of its invocations must have it.",
		"The first walk is row-max. The second has the same shape, with + in the place of max and 0 at the start.",
		"Why subtract the largest? exp(100) is more than an f32 can hold, and infinity / infinity is NaN. exp(x - largest) is never above 1, and the quotient is the same.",
		"Every invocation needs the result of a tree: place 0 of the array, behind a barrier. One more barrier has to follow before anybody uses the array for something else.",
		"In the third walk each invocation replaces only its own elements, those that it has walked along before. Nobody else reads them any more.",
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

// probabilities is exp(x - shift) / total, as float32 would overflow.
func probabilities(row []float64, shift float64) []float64 {
	exps := exponentials(row, shift)
	total := sumOfAll(exps)
	if total > divisible && !slices.ContainsFunc(exps, func(e float64) bool { return math.IsInf(e, 1) }) {
		return slices.Repeat([]float64{undefined}, len(row))
	}
	return dividedBy(exps, total)
}

// divisible is how large a divisor may be: above it WGSL leaves a quotient to the
// device.
const divisible = 0x1p126

// exponentials are exp(x - shift), 0 or infinite where a float32 has no such
// number.
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

// softmaxTolerance follows section "Accuracy of Expressions" of the WGSL
// specification: exp(t) is within 3 + 2|t| units in the last place, a division
// within 2.5; each addition of the total adds half a unit, and rounding t by
// half a unit changes exp(t) by |t| halves. Twice that allows for other ways to
// the same, such as pow or exp2, whose bounds are looser; who takes log(total) off
// x, instead of dividing, rounds at the size of x. What is too small for a float32
// may be 0.
func softmaxTolerance(c Case) tensor.Tolerance {
	const (
		smallest = 0x1p-126 // the smallest normal float32
		deepest  = 104      // below exp(-104) nothing is left of a float32
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

// softmaxOf is the output when each row becomes answer(row).
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

// ofEach applies f(x, largest) to every element of each row.
func ofEach(f func(x, largest float64) float64) func(Case, [3]uint32) Buffer {
	return softmaxOf(func(row []float64) []float64 {
		out, largest := make([]float64, len(row)), slices.Max(row)
		for i, x := range row {
			out[i] = f(x, largest)
		}
		return out
	})
}

// dividedByPart divides by the sum of a part of the row. Where that is next to
// nothing, or what is divided is, nobody knows how much of it a device keeps.
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
			Title:  "The largest element was not subtracted: it works for small numbers only.",
			Why:    "exp(x) / sum of exp(x) is the same on paper. But exp(89) is more than an f32 can hold: it becomes infinity, and infinity / infinity is NaN. Far below zero all exp(x) become 0, and 0 / 0 is NaN, too.",
			Ask:    "What changes in exp(x) / total when every x of the row becomes smaller by the same number?",
			Output: softmaxOf(func(row []float64) []float64 { return probabilities(row, 0) }),
		},
		{
			Slug:  "max-only-in-sum",
			Title: "The largest element was subtracted in the sum, but not in the quotient.",
			Why:   "exp(x) on top and exp(x - largest) below do not belong together: the row does not sum to 1.",
			Ask:   "Where does exp stand in your shader, and is its argument the same in all places?",
			Output: softmaxOf(func(row []float64) []float64 {
				return dividedBy(exponentials(row, 0), sumOfAll(exponentials(row, slices.Max(row))))
			}),
		},
		{
			Slug:  "max-only-in-quotient",
			Title: "The largest element was subtracted in the quotient, but not in the sum.",
			Why:   "exp(x - largest) on top and exp(x) below do not belong together: the row does not sum to 1.",
			Ask:   "Where does exp stand in your shader, and is its argument the same in all places?",
			Output: softmaxOf(func(row []float64) []float64 {
				return dividedBy(exponentials(row, slices.Max(row)), sumOfAll(exponentials(row, 0)))
			}),
		},
		{
			Slug:   "starts-at-zero",
			Title:  "Rows of large negative elements come out as NaN.",
			Why:    "The search for the largest starts with 0. Nothing in such a row is larger, so 0 is subtracted, every exp(x) becomes 0, and 0 / 0 is NaN.",
			Ask:    "Which number can a search start with, so that the row's own elements always win?",
			Output: softmaxOf(func(row []float64) []float64 { return probabilities(row, max(0, slices.Max(row))) }),
		},
		{
			Slug:  "padded-with-zero",
			Title: "Short rows of large negative elements come out as NaN.",
			Why:   "A row shorter than the workgroup leaves some invocations without an element. Workgroup memory starts out as 0, so their places hold 0 in the search for the largest.",
			Ask:   "What should stand in the place of an invocation that has no element?",
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
			Why:    "Then the argument of exp is never negative, and can be as large as before: it overflows where the row is wide.",
			Ask:    "Which element has to be subtracted so that no argument of exp is above 0?",
			Output: softmaxOf(func(row []float64) []float64 { return probabilities(row, slices.Min(row)) }),
		},
		{
			Slug:   "not-divided",
			Title:  "The elements are exp(x - largest), not divided by their sum.",
			Why:    "The largest of each row is 1, and so the row sums to more than 1. Probabilities sum to 1.",
			Ask:    "What makes numbers that sum to 7.3 sum to 1?",
			Output: ofEach(func(x, largest float64) float64 { return math.Exp(x - largest) }),
		},
		{
			Slug:   "only-exp",
			Title:  "The elements are exp(x): neither shifted nor divided by their sum.",
			Why:    "exp makes them positive. What makes them probabilities is that they sum to 1.",
			Ask:    "What makes numbers that sum to 7.3 sum to 1?",
			Output: ofEach(func(x, _ float64) float64 { return math.Exp(x) }),
		},
		{
			Slug:   "only-shifted",
			Title:  "The elements are x - largest, without exp.",
			Why:    "Subtracting the largest only prepares exp for its work.",
			Ask:    "Can a probability be negative?",
			Output: ofEach(func(x, largest float64) float64 { return x - largest }),
		},
		{
			Slug:   "no-exp",
			Title:  "The elements were divided by their sum, without exp.",
			Why:    "x / sum of x makes negative elements into negative probabilities, and nothing keeps the sum away from 0.",
			Ask:    "Which function makes every number positive and keeps their order?",
			Output: softmaxOf(func(row []float64) []float64 { return dividedBy(row, sumOfAll(row)) }),
		},
		{
			Slug:   "divided-by-count",
			Title:  "The elements were divided by their number, not by their sum.",
			Why:    "Dividing by cols makes an average. The row sums to 1 only when each is divided by the sum of all.",
			Ask:    "What has to stand below the line so that the row sums to 1?",
			Output: softmaxOf(func(row []float64) []float64 { return dividedBy(exponentials(row, slices.Max(row)), float64(len(row))) }),
		},
		{
			Slug:  "base-two",
			Title: "The elements are powers of 2, not of e.",
			Why:   "exp2(x) is 2 to the x. It makes probabilities as well, but flatter ones than the network was trained with.",
			Ask:   "Which function is e to the x in WGSL?",
			Output: softmaxOf(func(row []float64) []float64 {
				return probabilities(multiplied(row, math.Ln2), math.Ln2*slices.Max(row))
			}),
		},
		{
			Slug:  "logarithm",
			Title: "The elements are the logarithms of the probabilities.",
			Why:   "That is log-softmax, which training uses. Here the probabilities themselves are wanted.",
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
			Why:   "Each invocation looked after one element. A row can be longer than the workgroup is large; then each has several.",
			Ask:   "With 64 invocations and 1,000 columns: who looks after column 64?",
			Output: softmaxFrom(func(row []float64, n int) []float64 {
				first := row[:min(len(row), n)]
				return append(probabilities(first, slices.Max(first)), row[len(first):]...)
			}),
		},
		{
			Slug:  "one-written-each",
			Title: "Only the first elements of each row were replaced, as many as the workgroup has invocations.",
			Why:   "The sum is that of the whole row, but each invocation replaced one element only. A row can be longer than the workgroup is large; then each has several.",
			Ask:   "With 64 invocations and 1,000 columns: who replaces column 64?",
			Output: softmaxFrom(func(row []float64, n int) []float64 {
				first := min(len(row), n)
				return append(probabilities(row, slices.Max(row))[:first], row[first:]...)
			}),
		},
		{
			Slug:  "own-sum",
			Title: "Each invocation divided by the sum of its own elements.",
			Why:   "An invocation that has one element divides it by itself: 1. The sum of the row is the sum of what all of them found.",
			Ask:   "Invocation 5 found a sum, too. Who adds it up?",
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
			Title:  "All elements were divided by the sum that invocation 0 found in its own ones.",
			Why:    "Each invocation summed up its own share, and nobody added up the shares.",
			Ask:    "Invocation 5 found a sum, too. Who adds it up?",
			Output: totalOf(func(place, _ int) bool { return place == 0 }),
		},
		{
			Slug:   "halves-once",
			Title:  "The sum has only two of the workgroup's shares: place 0 and the one half the workgroup further on.",
			Why:    "One halving leaves half of the shares. It takes as many halvings as the workgroup's size has factors of two until one is left.",
			Ask:    "With 64 shares: how many are left after one halving, and after how many is it one?",
			Output: totalOf(func(place, n int) bool { return place == 0 || place == n/2 }),
		},
		{
			Slug:   "stops-early",
			Title:  "The halvings end one step too early: the shares with odd numbers are missing in the sum.",
			Why:    "When two are left, place 0 and place 1 have still to be added.",
			Ask:    "How large is a half when two shares are left, and does your loop run for it?",
			Output: totalOf(func(place, n int) bool { return place%2 == 0 || n == 1 }),
		},
		{
			Slug:  "power-of-two",
			Title: "Some shares are missing in the sum: the workgroup's size is no power of two.",
			Why:   "An odd number of shares has no half. The one that is left over meets nobody, and is lost. The workgroup size is yours: a power of two has a half all the way down to 1; otherwise the odd one out needs an invocation that looks after it.",
			Ask:   "Halve your workgroup's size again and again: where does it leave a remainder?",
			Output: func(c Case, size [3]uint32) Buffer {
				reaches := halved(invocations(size))
				return totalOf(func(place, _ int) bool { return reaches[place] })(c, size)
			},
		},
		{
			Slug:  "largest-of-all",
			Title: "The largest of the whole matrix was subtracted, not that of the row.",
			Why:   "In a row that lies far below the others every exp(x - largest) becomes 0, and 0 / 0 is NaN.",
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
			Why:   "The row takes no part in the index: all workgroups worked on the first row, again and again.",
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
			Why:      "local_invocation_id is taken for the row. It starts again at 0 in every workgroup, so all of them worked on the same first rows, again and again.",
			Ask:      "A workgroup takes a row. Which builtin says which workgroup this is?",
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
			Title: "A matrix of one row comes out right, but several rows disturb each other.",
			Why:   "Something reaches beyond its own row: a largest or a sum over the whole matrix or down the columns, a row that begins at the wrong place, or invocations that have no element of this row and read on in the next. What the other workgroups have already replaced by then is different each time.",
			Ask:   "Row r has cols elements and begins at r * cols. Which of your reads and writes can leave that stretch?",
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

// totalOf is the output when only the shares of some of a workgroup's
// invocations are in the sum.
func totalOf(kept func(place, n int) bool) func(Case, [3]uint32) Buffer {
	return softmaxFrom(func(row []float64, n int) []float64 {
		exps := exponentials(row, slices.Max(row))
		return dividedByPart(exps, sumOfAll(ofInvocations(exps, n, func(i int) bool { return kept(i, n) })))
	})
}
