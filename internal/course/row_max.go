package course

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

var rowMax = &Exercise{
	ID:      "row-max",
	Lesson:  5,
	Title:   "The largest of each row, together",
	Task:    "Write out[row] = the largest element of that row of x, found by a workgroup that shares its work in workgroup memory.",
	Points:  3,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: rowsDimsType},
		{Name: "x", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:   rowMaxOut,
	Dispatch: Each,
	Columns:  rowsColumns,
	Small:    func(rng *rand.Rand) Case { return rowMaxCase(rng, 3, 160, "", Unwritten) },
	Large:    func(rng *rand.Rand) Case { return rowMaxCase(rng, 256, 1024, "", Unwritten) },
	Cases: func(rng *rand.Rand) []Case {
		return []Case{
			rowMaxCase(rng, 1, 1, "", Unwritten),
			rowMaxCase(rng, 7, 1, "", Unwritten),
			rowMaxCase(rng, 5, 10, ", all negative", Unwritten),
			rowMaxCase(rng, 4, 63, "", Unwritten),
			rowMaxCase(rng, 12, 64, "", Stale),
			rowMaxCase(rng, 6, 65, ", all negative", Unwritten),
			// The old values in the output are larger than any element.
			rowMaxCase(rng, 9, 100+rng.IntN(100), ", far below zero", Stale),
			rowMaxCase(rng, 8, 1000, ", all negative", Unwritten),
			rowMaxCase(rng, 7, 1500+rng.IntN(500), "", Unwritten),
			rowMaxCase(rng, beyondOneWorkgroup(rng), 2, "", Unwritten),
		}
	},
	Reference: func(c Case) Buffer { return rowMaxOf(maximum)(c, [3]uint32{}) },
	WithoutWorkgroupMemory: &Misconception{
		Slug:  "serial-reduction",
		Title: "The values are right, but each row is searched by one invocation alone.",
		Why:   "A workgroup has many invocations, but here all but one are idle: a row of 1,000 takes 1,000 steps. Shared among 64 invocations it takes 16 steps and 6 halvings. For that, they have to share what they found in workgroup memory. softmax needs the same thing twice.",
		Ask:   "Where can an invocation put its largest element so that another one in its workgroup can read it?",
	},
	Misconceptions: rowMaxMisconceptions(),
	Hints: []string{
		"A workgroup takes a row: workgroup_id.x is the row, and local_invocation_id.x says which invocation of the workgroup this is.",
		"First each invocation works alone. Starting at its own number, it walks along the row in strides of the workgroup's size and keeps the largest value it meets. It must begin with a value that is smaller than any element.",
		"All invocations of a workgroup share a var<workgroup> array, declared at module scope. Give it one element per invocation. Each invocation stores what it found at its own index.",
		"Then half of the invocations compare their own element with the one half the array further on, and keep the larger. Then a quarter of them, and so on, until element 0 is the largest of all.",
		"Before each halving, all invocations must have finished the previous one. So put a workgroupBarrier inside the loop but outside the if, because all must reach it. At the end one invocation writes out[row].",
	},
}

func rowMaxCase(rng *rand.Rand, rows, cols int, what string, output func(n int) Buffer) Case {
	x := floats(rng, rows*cols, 10)
	for i := range x {
		switch what {
		case ", all negative":
			x[i] = float32(-math.Abs(float64(x[i])))
		case ", far below zero":
			x[i] += 2 * StaleF32
		}
	}
	return Case{
		Name:    rowsName(rows, cols, what),
		Buffers: []Buffer{shader.UniformBuffer(shader.Uint(rows), shader.Uint(cols)), shader.FloatBuffer(x), output(rows)},
		Extent:  [2]int{rows},
	}
}

// rowMaxOf returns an Output function that computes each row's answer from its elements.
func rowMaxOf(answer func(row []float64) float64) func(Case, [3]uint32) Buffer {
	return rowMaxFrom(func(m matrix, r, _ int) float64 { return answer(m.row(r)) })
}

// rowMaxFrom returns an Output function that computes row r's answer from the whole matrix, for a
// workgroup of n invocations.
func rowMaxFrom(answer func(m matrix, r, n int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		m := matrixOf(c)
		return each(m.rows, func(r int) float64 { return answer(m, r, invocations(size)) })
	}
}

// rowMaxAt returns an Output function that searches correctly, but among elements at wrong
// indices.
func rowMaxAt(index func(m matrix, r, i int) int) func(Case, [3]uint32) Buffer {
	return rowMaxFrom(func(m matrix, r, _ int) float64 {
		return maximum(m.take(m.cols, func(i int) int { return index(m, r, i) }))
	})
}

// exactSum is the maximum row length at which the rounding of a sum does not matter: the exercise
// itself allows no rounding.
const exactSum = 16

func rowMaxMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:   "min",
			Title:  "The output holds the smallest element of each row.",
			Why:    "Your comparison points the wrong way, or you used min instead of max.",
			Ask:    "Which of two candidates should stay?",
			Output: rowMaxOf(func(row []float64) float64 { return slices.Min(row) }),
		},
		{
			Slug:  "abs",
			Title: "The output holds the largest magnitude of each row.",
			Why:   "-9 is larger than 7 only if you drop its sign.",
			Ask:   "In a row with -9 and 7, which one is larger?",
			Output: rowMaxOf(func(row []float64) float64 {
				return max(slices.Max(row), -slices.Min(row))
			}),
		},
		{
			Slug:   "starts-at-zero",
			Title:  "Rows of negative elements come out as 0.",
			Why:    "The search starts with 0. In a row of negative numbers nothing is larger, so nothing ever replaces it.",
			Ask:    "Which number can the search start with so that the row's own elements always win?",
			Output: rowMaxOf(func(row []float64) float64 { return max(0, slices.Max(row)) }),
		},
		{
			Slug:  "padded-with-zero",
			Title: "Short rows of negative elements come out as 0.",
			Why:   "If a row is shorter than the workgroup, some invocations have no element. Workgroup memory starts out as 0, so their entries hold 0, and 0 is larger than any negative number.",
			Ask:   "What should an invocation without an element put into its entry?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				if m.cols < n {
					return max(0, maximum(m.row(r)))
				}
				return maximum(m.row(r))
			}),
		},
		{
			Slug:  "one-element-each",
			Title: "Only the first elements of each row were searched, as many as the workgroup has invocations.",
			Why:   "Each invocation looked at one element. If a row has more elements than the workgroup has invocations, each must look at several.",
			Ask:   "With 64 invocations and 1,000 columns, which invocation looks at column 64?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(m.row(r)[:min(m.cols, n)])
			}),
		},
		{
			Slug:  "one-element-each-or-zero",
			Title: "Only the first elements of each row were searched, as many as the workgroup has invocations.",
			Why:   "Each invocation looked at one element, and those without one stored 0. But a row can have more elements than the workgroup has invocations, or be short and negative.",
			Ask:   "With 64 invocations and 1,000 columns, which invocation looks at column 64? With 10 columns, what do the idle ones store?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				largest := maximum(m.row(r)[:min(m.cols, n)])
				if m.cols < n {
					return max(0, largest)
				}
				return largest
			}),
		},
		{
			Slug:  "no-reduction",
			Title: "The output holds only what invocation 0 found.",
			Why:   "Each invocation found the largest element of its share, but the results were never compared.",
			Ask:   "Invocation 5 found something as well. Which invocation looks at it?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(ofInvocations(m.row(r), n, func(i int) bool { return i == 0 }))
			}),
		},
		{
			Slug:   "first-element",
			Title:  "The output holds the first element of each row.",
			Why:    "Invocation 0 stored its element in entry 0, and it was never compared with the others.",
			Ask:    "Invocation 5 has an element as well. Which invocation looks at it?",
			Output: rowMaxOf(func(row []float64) float64 { return row[0] }),
		},
		{
			Slug:  "halves-once",
			Title: "Only two candidates were compared: entry 0 and the one half a workgroup further on.",
			Why:   "One halving leaves half of the candidates. Keep halving until only one is left: a workgroup of 8 needs 3 halvings.",
			Ask:   "With 64 candidates, how many are left after one halving? How many halvings leave one?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(ofInvocations(m.row(r), n, func(i int) bool { return i == 0 || i == n/2 }))
			}),
		},
		{
			Slug:  "stops-early",
			Title: "The halvings end one step too early: the candidates with odd numbers get lost.",
			Why:   "When two candidates are left, entries 0 and 1 still have to be compared.",
			Ask:   "When two candidates are left, how large is a half? Does your loop still run for it?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(ofInvocations(m.row(r), n, func(i int) bool { return i%2 == 0 || n == 1 }))
			}),
		},
		{
			Slug:  "power-of-two",
			Title: "Some candidates never reached entry 0: your workgroup size isn't a power of two.",
			Why:   "An odd number of candidates can't be halved: one is left over and gets lost. You choose the workgroup size. A power of two can be halved all the way down to 1; with any other size, some invocation must take care of the one left over.",
			Ask:   "Halve your workgroup size again and again. When is there a remainder?",
			Output: func(c Case, size [3]uint32) Buffer {
				reaches := halved(invocations(size))
				return rowMaxFrom(func(m matrix, r, n int) float64 {
					return maximum(ofInvocations(m.row(r), n, func(i int) bool { return reaches[i] }))
				})(c, size)
			},
		},
		{
			Slug:   "inclusive-loop",
			Title:  "The first element of the next row was searched as well.",
			Why:    "With cols columns the last index is cols - 1. The next element belongs to the next row, and after the last row the memory isn't yours.",
			Ask:    "Which comparison ends your loop along the row?",
			Output: rowMaxFrom(func(m matrix, r, _ int) float64 { return maximum(m.past(r, m.cols+1)) }),
		},
		{
			Slug:  "reads-past-row",
			Title: "Elements of the next rows were searched as well.",
			Why:   "A row can have fewer elements than the workgroup has invocations. The ones left over read on into the next row.",
			Ask:   "With 10 columns and 64 invocations, which element does invocation 12 read?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(m.past(r, (m.cols+n-1)/n*n))
			}),
		},
		{
			Slug:   "skips-last",
			Title:  "The last element of each row was never read.",
			Why:    "The loop along the row ends one step early.",
			Ask:    "With 10 columns, what is the last index, and which invocation reads it?",
			Output: rowMaxOf(func(row []float64) float64 { return maximum(row[:max(1, len(row)-1)]) }),
		},
		{
			Slug:   "whole-matrix",
			Title:  "Every row got the largest element of the whole matrix.",
			Why:    "The search ran over all of x. A row begins at row * cols and has cols elements.",
			Ask:    "Which part of x belongs to this workgroup?",
			Output: rowMaxFrom(func(m matrix, _, _ int) float64 { return maximum(m.take(len(m.x), func(i int) int { return i })) }),
		},
		{
			Slug:   "first-row-everywhere",
			Title:  "Every row got the answer of the first row.",
			Why:    "Your index doesn't use the row, so all workgroups read the same elements.",
			Ask:    "Where in x does row r begin?",
			Output: rowMaxFrom(func(m matrix, _, _ int) float64 { return maximum(m.row(0)) }),
		},
		{
			Slug:   "wrong-stride",
			Title:  "Your shader assumes that a row has as many elements as there are rows.",
			Why:    "Row-major means row * cols + col: two rows are as many elements apart as there are columns.",
			Ask:    "How many elements apart are x(r, c) and x(r + 1, c)?",
			Output: rowMaxAt(func(m matrix, r, i int) int { return r*m.rows + i }),
		},
		{
			Slug:   "row-as-offset",
			Title:  "Your shader lets row r begin at element r.",
			Why:    "r counts rows, and each row has cols elements.",
			Ask:    "With 10 columns, at which element does row 1 begin?",
			Output: rowMaxAt(func(_ matrix, r, i int) int { return r + i }),
		},
		{
			Slug:   "column-major",
			Title:  "The elements were read as if x were stored column by column.",
			Why:    "Row-major means row * cols + col. Your shader used col * rows + row.",
			Ask:    "Which two elements of x are next to each other in memory?",
			Output: rowMaxAt(func(m matrix, r, i int) int { return i*m.rows + r }),
		},
		{
			Slug:  "columns",
			Title: "The shader searched down the columns instead of along the rows.",
			Why:   "out has one element per row, and the elements of a row are next to each other.",
			Ask:   "From one step to the next, should the row change or the column?",
			Output: rowMaxFrom(func(m matrix, r, _ int) float64 {
				return maximum(m.take(m.rows, func(i int) int { return i*m.cols + r }))
			}),
		},
		{
			Slug:  "sum",
			Title: "The output holds the sum of each row.",
			Why:   "The candidates were added, but they should be compared.",
			Ask:   "Which of two candidates should stay?",
			Output: rowMaxOf(func(row []float64) float64 {
				if len(row) > exactSum {
					return undefined
				}
				total := 0.0
				for _, v := range row {
					total += v
				}
				return total
			}),
		},
		{
			Slug:   "index-not-value",
			Title:  "The output holds the position of the largest element, not its value.",
			Why:    "That is argmax, from lesson 7. Here you need the value itself.",
			Ask:    "Which of your variables holds an element of x?",
			Output: rowMaxOf(func(row []float64) float64 { return float64(largest(row)) }),
		},
		{
			Slug:   "last-element",
			Title:  "The output holds the last element of each row.",
			Why:    "Each element replaced the previous one without a comparison.",
			Ask:    "When should a new element replace the largest so far?",
			Output: rowMaxOf(func(row []float64) float64 { return row[len(row)-1] }),
		},
		{
			Slug:  "starts-with-output",
			Title: "The old contents of the output were part of the search.",
			Why:   "You read out[row] before giving it a value. An output buffer holds whatever was left in its memory, and here that was larger than any element.",
			Ask:   "Which number can the search start with so that the row's own elements always win?",
			Output: func(c Case, _ [3]uint32) Buffer {
				m, old := matrixOf(c), c.Buffers[rowMaxOut]
				return each(m.rows, func(r int) float64 {
					if math.IsNaN(old.At(r)) {
						return undefined
					}
					return max(old.At(r), maximum(m.row(r)))
				})
			},
		},
		{
			Slug:     "local-id",
			Builtins: localBuiltins,
			Title:    "Only the first rows were written, as many as a workgroup has invocations.",
			Why:      "You use local_invocation_id as the row. It starts again at 0 in every workgroup, so all of them worked on the same first rows.",
			Ask:      "Each workgroup takes one row. Which builtin is the number of the workgroup?",
			Output: func(c Case, size [3]uint32) Buffer {
				return onlyFirst(reach(size), rowMaxOf(maximum)(c, size), c.Buffers[rowMaxOut])
			},
		},
		firstOnly(rowMaxOut, func(c Case) Buffer { return rowMaxOf(maximum)(c, [3]uint32{}) }),
	}
}

// past reads n elements from the start of row r, continuing into the next rows.
func (m matrix) past(r, n int) []float64 {
	return m.take(n, func(i int) int { return r*m.cols + i })
}
