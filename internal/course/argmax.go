package course

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

// The bindings of argmax, and the members of its uniform.
const (
	argmaxDims, argmaxX, argmaxOut = 0, 1, 2
	argmaxRows, argmaxCols         = 0, 1
)

var argmax = &Exercise{
	ID:      "argmax",
	Lesson:  7,
	Title:   "Which digit is it?",
	Task:    "For each row of x write the index of its largest value; of equal ones the lowest index wins.",
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: "Dims{rows: u32, cols: u32}"},
		{Name: "x", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<u32>"},
	},
	Output:  argmaxOut,
	Columns: rowsColumns,
	Small:   func(rng *rand.Rand) Case { return argmaxCase(rng, "small", 80, 10, -10, 10) },
	Large:   func(rng *rand.Rand) Case { return argmaxCase(rng, "large", 20_000, 10, -10, 10) },
	Cases: func(rng *rand.Rand) []Case {
		return []Case{
			argmaxCase(rng, "one row of 10", 1, 10, -10, 10),
			argmaxCase(rng, "one column", 7, 1, -10, 10),
			argmaxCase(rng, "63 rows of 10", 63, 10, -10, 10),
			argmaxCase(rng, "65 rows of 7, all negative", 65, 7, -10, -1),
			tied(argmaxCase(rng, "130 rows of 12, with ties", 130, 12, -10, 10), rng),
			argmaxCase(rng, "many rows of 5", beyondOneWorkgroup(rng), 5, -10, 10),
			argmaxCase(rng, "20 rows of 33, small values", 20, 33, 0, 0.5),
		}
	},
	Reference: rowIndex(func(best, x float64) bool { return x > best }),
	Misconceptions: []Misconception{
		{
			Slug:   "last-tie",
			Title:  "Among equal values, the last one won.",
			Why:    "Your comparison lets an equal value replace the best so far.",
			Ask:    "If the next value is exactly as large as the best, should anything change?",
			Output: rowIndexOutput(func(best, x float64) bool { return x >= best }),
		},
		{
			Slug:   "argmin",
			Title:  "The index belongs to the smallest value.",
			Why:    "Your comparison points the wrong way.",
			Ask:    "Read your comparison aloud. Which of the two values replaces the other?",
			Output: rowIndexOutput(func(best, x float64) bool { return x < best }),
		},
		{
			Slug:  "starts-at-zero",
			Title: "Rows of negative values come out as index 0.",
			Why:   "The best value so far starts at 0. In a row of negative numbers nothing is larger, so nothing ever replaces it.",
			Ask:   "Which number can the best so far start with so that it always comes from the row?",
			Output: argmaxRowsOf(func(row []float64) uint32 {
				index, best := 0, 0.0
				for i, x := range row {
					if x > best {
						index, best = i, x
					}
				}
				return uint32(index)
			}),
		},
		{
			Slug:  "value-not-index",
			Title: "The largest value itself was written, as a whole number.",
			Why:   "The search has to remember two things: the best value, for comparing, and its index. The output needs the index.",
			Ask:   "Which of your two variables goes into out?",
			Output: argmaxRowsOf(func(row []float64) uint32 {
				best := math.Inf(-1)
				for _, x := range row {
					best = max(best, x)
				}
				return uint32(max(0, best))
			}),
		},
		{
			Slug:  "flat-index",
			Title: "The index counts from the start of the whole array, not of the row.",
			Why:   "Element col of a row is at row * cols + col. The output needs col.",
			Ask:   "In the second row of 10, should the answer be 13 or 3?",
			Output: func(c Case, size [3]uint32) Buffer {
				right, cols := c.rowIndices(), uniformU32(c, argmaxDims, argmaxCols)
				return eachU32(right.Len(), func(r int) uint32 { return uint32(r*cols) + right.Uints()[r] })
			},
		},
		{
			Slug:  "first-row-everywhere",
			Title: "Every row got the answer of the first row.",
			Why:   "Your index doesn't use the row, so all invocations read the same cols values.",
			Ask:   "Where in the array does row r begin?",
			Output: func(c Case, _ [3]uint32) Buffer {
				first := c.rowIndices().Uints()[0]
				return eachU32(c.Buffers[argmaxOut].Len(), func(int) uint32 { return first })
			},
		},
		{
			Slug:   "wrong-stride",
			Title:  "Your shader assumes that a row has as many elements as there are rows.",
			Why:    "Row-major means row * cols + col: two rows are as many elements apart as there are columns.",
			Ask:    "How many elements apart are x(r, c) and x(r + 1, c)?",
			Output: argmaxFrom(largest, 0, func(r, col, rows, _ int) int { return r*rows + col }),
		},
		{
			Slug:   "column-major",
			Title:  "The array was read column by column.",
			Why:    "Row-major means row * cols + col. Your shader used col * rows + row.",
			Ask:    "Which two elements of x are next to each other in memory?",
			Output: argmaxFrom(largest, 0, func(r, col, rows, _ int) int { return col*rows + r }),
		},
		{
			Slug:   "skips-last",
			Title:  "The last column was never read.",
			Why:    "The loop ends one step early.",
			Ask:    "With 10 columns, what is the last index, and does your loop reach it?",
			Output: argmaxRowsOf(func(row []float64) uint32 { return largest(row[:max(1, len(row)-1)]) }),
		},
		{
			Slug:  "skips-first",
			Title: "The first column never wins.",
			Why:   "The search starts at index 1, but the best so far doesn't hold element 0.",
			Ask:   "What do your two variables hold before the loop begins?",
			Output: argmaxRowsOf(func(row []float64) uint32 {
				if len(row) == 1 {
					return 0
				}
				return 1 + largest(row[1:])
			}),
		},
		{
			Slug:   "runs-into-next-row",
			Title:  "The search ran one element too far, into the next row.",
			Why:    "With cols columns the last index is cols - 1. The next element is the first one of the next row.",
			Ask:    "Does your loop use < or <=?",
			Output: argmaxFrom(largest, 1, func(r, col, _, cols int) int { return r*cols + col }),
		},
		{
			Slug:  "best-not-kept",
			Title: "Every value was compared with the first one, not with the best so far.",
			Why:   "When you find a larger value, two variables have to change: the index, and the value that you compare the next ones with.",
			Ask:   "After you find a larger value, what do you compare the next one with?",
			Output: argmaxRowsOf(func(row []float64) uint32 {
				index := 0
				for i, x := range row {
					if x > row[0] {
						index = i
					}
				}
				return uint32(index)
			}),
		},
		{
			Slug:   "largest-magnitude",
			Title:  "The index belongs to the value farthest from zero.",
			Why:    "The values were compared without their signs: -9 counted as more than 5.",
			Ask:    "Which is larger, -9 or 5?",
			Output: rowIndexOutput(func(best, x float64) bool { return abs(x) > abs(best) }),
		},
		{
			Slug:  "counts-from-one",
			Title: "Every index is one too large.",
			Why:   "Indices start at 0: the first column is column 0.",
			Ask:   "What is the index of the first element of a row?",
			Output: func(c Case, _ [3]uint32) Buffer {
				right := c.rowIndices()
				return eachU32(right.Len(), func(r int) uint32 { return right.Uints()[r] + 1 })
			},
		},
		{
			Slug:  "whole-array",
			Title: "Every row got the index of the largest value of all rows.",
			Why:   "The search went through the whole array. Each invocation has one row, cols values long.",
			Ask:   "Where does this invocation's row begin, and how many values does it have?",
			Output: func(c Case, _ [3]uint32) Buffer {
				all := make([]float64, c.Buffers[argmaxX].Len())
				for i := range all {
					all[i] = f32At(c, argmaxX, i)
				}
				best := largest(all)
				return eachU32(c.Buffers[argmaxOut].Len(), func(int) uint32 { return best })
			},
		},
		{
			Slug:  "guard-by-columns",
			Title: "Only as many rows were written as there are columns.",
			Why:   "Each invocation takes one row, so you need as many invocations as rows. Your guard checks the number of columns.",
			Ask:   "What does id.x count here: rows or columns?",
			Output: func(c Case, _ [3]uint32) Buffer {
				return onlyFirst(uniformU32(c, argmaxDims, argmaxCols), c.rowIndices(), c.Buffers[argmaxOut])
			},
		},
		{
			Slug:  "rows-and-columns-swapped",
			Title: "rows and cols are swapped.",
			Why:   "Your shader uses the number of rows as the length of a row, and the number of columns as the number of rows.",
			Ask:   "Which member of dims comes first, and what does it count?",
			Output: func(c Case, size [3]uint32) Buffer {
				swapped := c
				swapped.Buffers = slices.Clone(c.Buffers)
				dims := c.Buffers[argmaxDims].Members()
				swapped.Buffers[argmaxDims] = shader.UniformBuffer(dims[argmaxCols], dims[argmaxRows])
				return onlyFirst(uniformU32(c, argmaxDims, argmaxCols), swapped.rowIndices(), c.Buffers[argmaxOut])
			},
		},
		localIndex(argmaxOut, Case.rowIndices),
		workgroupIndex(argmaxOut, Case.rowIndices),
		firstOnly(argmaxOut, Case.rowIndices),
		lastMissing(argmaxOut, Case.rowIndices),
		localPlace(argmaxOut),
	},
	Hints: []string{
		"One invocation takes one row and walks along it.",
		"Keep two variables: the best value so far and its index. Both start with the row's first element.",
		"Replace the best only by a larger value, never by an equal one. That way the lowest index wins.",
		"Row r begins at r * dims.cols. The guard compares with dims.rows: there are more invocations than rows.",
	},
}

func argmaxCase(rng *rand.Rand, name string, rows, cols int, low, high float32) Case {
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = low + (high-low)*rng.Float32()
	}
	return Case{
		Name:    fmt.Sprintf("%s (%d × %d)", name, rows, cols),
		Buffers: []Buffer{shader.UniformBuffer(shader.Uint(rows), shader.Uint(cols)), shader.FloatBuffer(x), UnwrittenU32(rows)},
		Extent:  [2]int{rows},
	}
}

// tied copies the largest value of every row to a second place in the row.
func tied(c Case, rng *rand.Rand) Case {
	cols := uniformU32(c, argmaxDims, argmaxCols)
	for r, best := range c.rowIndices().Uints() {
		row := c.Buffers[argmaxX].Floats()[r*cols : (r+1)*cols]
		other := (int(best) + 1 + rng.IntN(cols-1)) % cols
		row[other] = row[best]
	}
	return c
}

// rowIndices returns the right answer.
func (c Case) rowIndices() Buffer {
	return rowIndex(func(best, x float64) bool { return x > best })(c)
}

func largest(row []float64) uint32 {
	return search(row, func(best, x float64) bool { return x > best })
}

// search walks along a row, starting at its first element.
func search(row []float64, replaces func(best, x float64) bool) uint32 {
	index := 0
	for i, x := range row {
		if i > 0 && replaces(row[index], x) {
			index = i
		}
	}
	return uint32(index)
}

func rowIndex(replaces func(best, x float64) bool) func(Case) Buffer {
	of := argmaxRowsOf(func(row []float64) uint32 { return search(row, replaces) })
	return func(c Case) Buffer { return of(c, [3]uint32{}) }
}

func rowIndexOutput(replaces func(best, x float64) bool) func(Case, [3]uint32) Buffer {
	return argmaxRowsOf(func(row []float64) uint32 { return search(row, replaces) })
}

// argmaxRowsOf applies answer to every row.
func argmaxRowsOf(answer func(row []float64) uint32) func(Case, [3]uint32) Buffer {
	return argmaxFrom(answer, 0, func(r, col, _, cols int) int { return r*cols + col })
}

// argmaxFrom collects each row by index, with more extra elements, and answers it. If a row
// reaches past the end, its answer is undetermined.
func argmaxFrom(answer func(row []float64) uint32, more int, index func(r, col, rows, cols int) int) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		rows, cols := uniformU32(c, argmaxDims, argmaxRows), uniformU32(c, argmaxDims, argmaxCols)
		x := c.Buffers[argmaxX].Floats()
		row := make([]float64, cols+more)
		return eachU32(c.Buffers[argmaxOut].Len(), func(r int) uint32 {
			for col := range row {
				i := index(r, col, rows, cols)
				if i >= len(x) {
					return AnythingU32
				}
				row[col] = float64(x[i])
			}
			return answer(row)
		})
	}
}
