package lesson

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
			// What is left in the output is larger than any element.
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
		Why:   "A workgroup has many invocations, and here all but one have nothing to do: a row of 1,000 takes 1,000 steps. Shared out among 64 it takes 16, and 6 halvings. For that they have to show each other what they found, in workgroup memory. softmax needs the same twice.",
		Ask:   "Where can an invocation put its own largest element, so that another one of its workgroup can read it?",
	},
	Misconceptions: rowMaxMisconceptions(),
	Hints: []string{
		"A workgroup takes a row: workgroup_id.x is the row, local_invocation_id.x says which of the workgroup's invocations this is.",
		"First each invocation works alone. It walks along the row in strides of the workgroup's size, from its own number on, and keeps the largest that it meets. It must start with a number that is smaller than any.",
		"A var<workgroup> array at module scope, as long as the workgroup is large, is seen by all of its invocations. Each puts what it found at its own place.",
		"Then half of them compare their place with the one half further on, and keep the larger. Then a quarter, and so on, until place 0 has seen all.",
		"Before each halving everybody must have finished the one before: a workgroupBarrier inside the loop, but outside of the if, because all must reach it. At the end one invocation writes out[row].",
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

// rowMaxOf is the output when each row's answer comes from its elements.
func rowMaxOf(answer func(row []float64) float64) func(Case, [3]uint32) Buffer {
	return rowMaxFrom(func(m matrix, r, _ int) float64 { return answer(m.row(r)) })
}

// rowMaxFrom is the output when row r's answer comes from the whole matrix, for
// a workgroup of n invocations.
func rowMaxFrom(answer func(m matrix, r, n int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		m := matrixOf(c)
		return each(m.rows, func(r int) float64 { return answer(m, r, invocations(size)) })
	}
}

// rowMaxAt searches rightly, in elements that are found wrongly.
func rowMaxAt(index func(m matrix, r, i int) int) func(Case, [3]uint32) Buffer {
	return rowMaxFrom(func(m matrix, r, _ int) float64 {
		return maximum(m.take(m.cols, func(i int) int { return index(m, r, i) }))
	})
}

// exactSum is how many elements a row may have so that the rounding of its sum
// does not matter: the exercise itself allows for none.
const exactSum = 16

func rowMaxMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:   "min",
			Title:  "The output holds the smallest element of each row.",
			Why:    "The comparison points the other way, or min stands where max is meant.",
			Ask:    "Of two candidates, which one should stay?",
			Output: rowMaxOf(func(row []float64) float64 { return slices.Min(row) }),
		},
		{
			Slug:  "abs",
			Title: "The output holds the largest magnitude of each row.",
			Why:   "-9 counts as larger than 7 only when its sign is dropped.",
			Ask:   "In a row with -9 and 7, which one is the largest?",
			Output: rowMaxOf(func(row []float64) float64 {
				return max(slices.Max(row), -slices.Min(row))
			}),
		},
		{
			Slug:   "starts-at-zero",
			Title:  "Rows of negative elements come out as 0.",
			Why:    "The search starts with 0. Nothing in a row of negative numbers is larger, so nothing ever replaces it.",
			Ask:    "Which number can a search start with, so that the row's own elements always win?",
			Output: rowMaxOf(func(row []float64) float64 { return max(0, slices.Max(row)) }),
		},
		{
			Slug:  "padded-with-zero",
			Title: "Short rows of negative elements come out as 0.",
			Why:   "A row shorter than the workgroup leaves some invocations without an element. Workgroup memory starts out as 0, so their places hold 0, and 0 is larger than any negative number.",
			Ask:   "What should stand in the place of an invocation that has no element?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				if m.cols < n {
					return max(0, maximum(m.row(r)))
				}
				return maximum(m.row(r))
			}),
		},
		{
			Slug:  "one-element-each",
			Title: "Only the first elements of each row took part, as many as the workgroup has invocations.",
			Why:   "Each invocation looked at one element. A row can be longer than the workgroup is large; then each has to look at several.",
			Ask:   "With 64 invocations and 1,000 columns: who looks at column 64?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(m.row(r)[:min(m.cols, n)])
			}),
		},
		{
			Slug:  "one-element-each-or-zero",
			Title: "Only the first elements of each row took part, as many as the workgroup has invocations.",
			Why:   "Each invocation looked at one element, and those without one put 0 in their place. A row can be longer than the workgroup is large, or shorter and negative.",
			Ask:   "With 64 invocations and 1,000 columns: who looks at column 64? With 10: what stands in the places of the others?",
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
			Title: "The output holds what invocation 0 found in its own elements.",
			Why:   "Each invocation found the largest of its own share, and nobody compared the shares.",
			Ask:   "Invocation 5 found something, too. Who looks at it?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(ofInvocations(m.row(r), n, func(i int) bool { return i == 0 }))
			}),
		},
		{
			Slug:   "first-element",
			Title:  "The output holds the first element of each row.",
			Why:    "Invocation 0 put its element in place 0, and nobody compared it with the others.",
			Ask:    "Invocation 5 has an element, too. Who looks at it?",
			Output: rowMaxOf(func(row []float64) float64 { return row[0] }),
		},
		{
			Slug:  "halves-once",
			Title: "Only two candidates were compared: place 0 and the one half the workgroup further on.",
			Why:   "One halving leaves half of the candidates. It takes as many halvings as the workgroup's size has factors of two until one is left.",
			Ask:   "With 64 candidates: how many are left after one halving, and after how many is it one?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(ofInvocations(m.row(r), n, func(i int) bool { return i == 0 || i == n/2 }))
			}),
		},
		{
			Slug:  "stops-early",
			Title: "The halvings end one step too early: the candidates with odd numbers are lost.",
			Why:   "When two candidates are left, place 0 and place 1 have still to be compared.",
			Ask:   "How large is a half when two candidates are left, and does your loop run for it?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(ofInvocations(m.row(r), n, func(i int) bool { return i%2 == 0 || n == 1 }))
			}),
		},
		{
			Slug:  "power-of-two",
			Title: "Some candidates never met place 0: the workgroup's size is no power of two.",
			Why:   "An odd number of candidates has no half. The one that is left over meets nobody, and is lost. The workgroup size is yours: a power of two has a half all the way down to 1; otherwise the odd one out needs an invocation that looks after it.",
			Ask:   "Halve your workgroup's size again and again: where does it leave a remainder?",
			Output: func(c Case, size [3]uint32) Buffer {
				reaches := halved(invocations(size))
				return rowMaxFrom(func(m matrix, r, n int) float64 {
					return maximum(ofInvocations(m.row(r), n, func(i int) bool { return reaches[i] }))
				})(c, size)
			},
		},
		{
			Slug:   "inclusive-loop",
			Title:  "The first element of the next row took part.",
			Why:    "With cols columns the last index is cols - 1. One further is the next row, and behind the last row somebody else's memory.",
			Ask:    "Which comparison ends your walk along the row?",
			Output: rowMaxFrom(func(m matrix, r, _ int) float64 { return maximum(m.past(r, m.cols+1)) }),
		},
		{
			Slug:  "reads-past-row",
			Title: "Elements of the next rows took part.",
			Why:   "A row can be shorter than the workgroup's invocations reach. Those without an element in their own row read on, in the next one.",
			Ask:   "With 10 columns and 64 invocations: which element does invocation 12 read?",
			Output: rowMaxFrom(func(m matrix, r, n int) float64 {
				return maximum(m.past(r, (m.cols+n-1)/n*n))
			}),
		},
		{
			Slug:   "skips-last",
			Title:  "The last element of each row was never looked at.",
			Why:    "The walk along the row ends one step early.",
			Ask:    "With 10 columns, which is the last index, and who reads it?",
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
			Why:    "The row takes no part in the index: all workgroups read the same elements.",
			Ask:    "Where in x does row r begin?",
			Output: rowMaxFrom(func(m matrix, _, _ int) float64 { return maximum(m.row(0)) }),
		},
		{
			Slug:   "wrong-stride",
			Title:  "The rows were read with the number of rows as their length.",
			Why:    "Row-major means row * cols + col: what separates two rows is the number of columns.",
			Ask:    "How many elements lie between x(r, c) and x(r + 1, c)?",
			Output: rowMaxAt(func(m matrix, r, i int) int { return r*m.rows + i }),
		},
		{
			Slug:   "row-as-offset",
			Title:  "Row r was taken to begin at element r.",
			Why:    "r counts rows, and each of them has cols elements.",
			Ask:    "With 10 columns: at which element does row 1 begin?",
			Output: rowMaxAt(func(_ matrix, r, i int) int { return r + i }),
		},
		{
			Slug:   "column-major",
			Title:  "The elements were read as if x lay column by column.",
			Why:    "Row-major means row * cols + col; the shader took col * rows + row.",
			Ask:    "Which two elements of x stand next to each other in memory?",
			Output: rowMaxAt(func(m matrix, r, i int) int { return i*m.rows + r }),
		},
		{
			Slug:  "columns",
			Title: "The shader searched down the columns instead of along the rows.",
			Why:   "out has an element for each row, and a row's elements stand next to each other.",
			Ask:   "From one step to the next: should the row change or the column?",
			Output: rowMaxFrom(func(m matrix, r, _ int) float64 {
				return maximum(m.take(m.rows, func(i int) int { return i*m.cols + r }))
			}),
		},
		{
			Slug:  "sum",
			Title: "The output holds the sum of each row.",
			Why:   "The candidates were added where they should be compared.",
			Ask:   "Of two candidates, which one should stay?",
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
			Title:  "The output holds where the largest element stands, not how large it is.",
			Why:    "That is argmax, of lesson 7. Here the value itself is wanted.",
			Ask:    "Which of your variables holds an element of x?",
			Output: rowMaxOf(func(row []float64) float64 { return float64(largest(row)) }),
		},
		{
			Slug:   "last-element",
			Title:  "The output holds the last element of each row.",
			Why:    "Each element replaced the one before, without a comparison.",
			Ask:    "When should a new element replace the largest so far?",
			Output: rowMaxOf(func(row []float64) float64 { return row[len(row)-1] }),
		},
		{
			Slug:  "starts-with-output",
			Title: "What was in the output before took part in the search.",
			Why:   "out[row] was read before anybody gave it a value. An output buffer holds whatever was in its memory; here that was larger than any element.",
			Ask:   "Which number can a search start with, so that the row's own elements always win?",
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
			Why:      "local_invocation_id is taken for the row. It starts again at 0 in every workgroup, so all of them worked on the same first rows.",
			Ask:      "A workgroup takes a row. Which builtin says which workgroup this is?",
			Output: func(c Case, size [3]uint32) Buffer {
				return onlyFirst(reach(size), rowMaxOf(maximum)(c, size), c.Buffers[rowMaxOut])
			},
		},
		firstOnly(rowMaxOut, func(c Case) Buffer { return rowMaxOf(maximum)(c, [3]uint32{}) }),
	}
}

// past reads n elements from the beginning of row r on, into the next rows.
func (m matrix) past(r, n int) []float64 {
	return m.take(n, func(i int) int { return r*m.cols + i })
}
