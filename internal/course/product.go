package course

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

// This file holds what matmul, matmul-tiled and linear share: the cases, reference and
// misconceptions of a matrix product.

// The first bindings of a product, and the members of its uniform.
const (
	productDims, productA, productB         = 0, 1, 2
	productM, productN, productK            = 0, 1, 2
	linearBias                              = 3
	matmulOut                               = 3
	linearOut                               = 4
	dimsType                                = "Dims{m: u32, n: u32, k: u32}"
	productScale                    float32 = 10
)

// productShapes lists m, n and k. All three differ, so that a shader cannot confuse two of them
// unnoticed. There are single rows and columns, tall and wide shapes, and shapes with and without
// full workgroups.
var productShapes = [][3]int{
	{1, 1, 1},
	{2, 4, 3},
	{65, 1, 7},
	{1, 65, 9},
	{17, 65, 33},
	{64, 16, 48},
	{9, 5, 130},
}

// productCases draws the shapes above, and an unpredictable one with old numbers in its output.
func productCases(bias bool) func(rng *rand.Rand) []Case {
	return func(rng *rand.Rand) []Case {
		var cases []Case
		for _, s := range productShapes {
			cases = append(cases, productCase(rng, s[0], s[1], s[2], bias, Unwritten))
		}
		m := 18 + rng.IntN(14)
		return append(cases, productCase(rng, m, m+5+rng.IntN(30), 2+rng.IntN(14), bias, Stale))
	}
}

// productPast draws a product whose output has the given size.
func productPast(bias bool) func(rng *rand.Rand, columns, rows int) Case {
	return func(rng *rand.Rand, columns, rows int) Case {
		return productCase(rng, rows, columns, 5, bias, Unwritten)
	}
}

func productCase(rng *rand.Rand, m, n, k int, bias bool, output func(n int) Buffer) Case {
	buffers := []Buffer{
		shader.UniformBuffer(shader.Uint(m), shader.Uint(n), shader.Uint(k)),
		shader.FloatBuffer(floats(rng, m*k, productScale)),
		shader.FloatBuffer(floats(rng, k*n, productScale)),
	}
	if bias {
		buffers = append(buffers, shader.FloatBuffer(floats(rng, n, productScale*10)))
	}
	return Case{
		Name:    fmt.Sprintf("%d × %d times %d × %d", m, k, k, n),
		Buffers: append(buffers, output(m*n)),
		Extent:  [2]int{n, m},
	}
}

// A product is a case in decoded form.
type product struct {
	m, n, k int
	a, b    []float32
	bias    []float32 // nil if there is none
}

func productOf(c Case) product {
	p := product{
		m: uniformU32(c, productDims, productM),
		n: uniformU32(c, productDims, productN),
		k: uniformU32(c, productDims, productK),
		a: c.Buffers[productA].Floats(), b: c.Buffers[productB].Floats(),
	}
	if len(c.Buffers) > linearOut {
		p.bias = c.Buffers[linearBias].Floats()
	}
	return p
}

// productColumns returns the columns of a matrix: a is m × k, b is k × n, and the output m × n.
func productColumns(c Case, binding int) int {
	p := productOf(c)
	switch {
	case binding == productA:
		return p.k
	case binding == productB, binding == len(c.Buffers)-1:
		return p.n
	}
	return 0
}

// dot sums steps terms a[aIndex(i)] * b[bIndex(i)].
func (p product) dot(steps int, aIndex, bIndex func(i int) int) float64 {
	total := 0.0
	for i := range steps {
		total += valueAt(p.a, aIndex(i)) * valueAt(p.b, bIndex(i))
	}
	return total
}

// inRow and inColumn return the index of element i in a row of a and in a column of b.
func (p product) inRow(row int) func(int) int { return func(i int) int { return row*p.k + i } }
func (p product) inColumn(column int) func(int) int {
	return func(i int) int { return i*p.n + column }
}

// biased adds the bias of a column, if there is one.
func (p product) biased(column int, total float64) float64 {
	if p.bias == nil {
		return total
	}
	return total + float64(p.bias[column])
}

// element returns the right answer for one element.
func (p product) element(row, column int) float64 {
	return p.biased(column, p.dot(p.k, p.inRow(row), p.inColumn(column)))
}

func productReference(c Case) Buffer {
	p := productOf(c)
	return eachCell(p.m, p.n, p.element)
}

// productTolerance returns the tolerance for k products and their sum. The largest sum of
// magnitudes in a row of a, times the largest element of b, is an upper bound for every sum of
// magnitudes.
func productTolerance(c Case) tensor.Tolerance {
	p := productOf(c)
	rowSum := 0.0
	for row := range p.m {
		sum := 0.0
		for _, v := range p.a[row*p.k : (row+1)*p.k] {
			sum += abs(float64(v))
		}
		rowSum = max(rowSum, sum)
	}
	return rounded(p.k+1, rowSum*magnitude(p.b)+magnitude(p.bias))
}

func magnitude(values []float32) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, abs(float64(v)))
	}
	return largest
}

// summed returns an Output function that computes every element with other operands, or with more
// or fewer of them.
func summed(element func(p product, row, column int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		p := productOf(c)
		return eachCell(p.m, p.n, func(row, column int) float64 {
			return p.biased(column, element(p, row, column))
		})
	}
}

// misread returns an Output function that reads the elements of a and b from other places.
func misread(aIndex, bIndex func(p product, row, column, i int) int) func(Case, [3]uint32) Buffer {
	return summed(func(p product, row, column int) float64 {
		return p.dot(p.k,
			func(i int) int { return aIndex(p, row, column, i) },
			func(i int) int { return bIndex(p, row, column, i) })
	})
}

func rightA(p product, row, _, i int) int    { return row*p.k + i }
func rightB(p product, _, column, i int) int { return i*p.n + column }

// steps returns an Output function whose sums run over other indices than 0 to k - 1.
func steps(from, to func(p product) int) func(Case, [3]uint32) Buffer {
	return summed(func(p product, row, column int) float64 {
		first := from(p)
		return p.dot(max(0, to(p)-first),
			func(i int) int { return row*p.k + first + i },
			func(i int) int { return (first+i)*p.n + column })
	})
}

func fromStart(product) int { return 0 }

const swappedGuardWhy = "The host covers the n columns with x and the m rows with y. Your guard and the code after it disagree about that, so in a tall or wide matrix the guard holds back invocations that have work to do."

// productMisconceptions returns the misconceptions of a product with matrices called a and b and
// with binding output as its output.
func productMisconceptions(a, b string, output int) []Misconception {
	return []Misconception{
		{
			Slug:   "transposed-b",
			Title:  fmt.Sprintf("%s was read as if it were transposed: along its rows instead of down its columns.", b),
			Why:    fmt.Sprintf("%s is k × n and row-major: the next element down a column is n elements further on. Your shader took the next element in memory, or assumed rows of k elements.", b),
			Ask:    fmt.Sprintf("You are at %s[row i, this column]. How many elements further on is row i + 1 of the same column?", b),
			Output: misread(rightA, func(p product, _, column, i int) int { return column*p.k + i }),
		},
		{
			Slug:   "transposed-a",
			Title:  fmt.Sprintf("%s was read as if it were transposed: down its columns instead of along its rows.", a),
			Why:    fmt.Sprintf("%s is m × k and row-major: the elements of a row are next to each other.", a),
			Ask:    fmt.Sprintf("Which index of %s changes from one step of the loop to the next, and by how much?", a),
			Output: misread(func(p product, row, _, i int) int { return i*p.m + row }, rightB),
		},
		{
			Slug:   "stride-b-k",
			Title:  fmt.Sprintf("Your shader assumes that the rows of %s are k elements long.", b),
			Why:    fmt.Sprintf("Each matrix has its own row length. For %s it is n, its number of columns; k is its number of rows.", b),
			Ask:    fmt.Sprintf("%s is k × n. How many elements does one of its rows have?", b),
			Output: misread(rightA, func(p product, _, column, i int) int { return i*p.k + column }),
		},
		{
			Slug:   "stride-b-m",
			Title:  fmt.Sprintf("Your shader assumes that the rows of %s are m elements long.", b),
			Why:    fmt.Sprintf("Each matrix has its own row length. For %s it is n, its number of columns; m belongs to %s and the output.", b, a),
			Ask:    fmt.Sprintf("%s is k × n. How many elements does one of its rows have?", b),
			Output: misread(rightA, func(p product, _, column, i int) int { return i*p.m + column }),
		},
		{
			Slug:   "stride-a-n",
			Title:  fmt.Sprintf("Your shader assumes that the rows of %s are n elements long.", a),
			Why:    fmt.Sprintf("Each matrix has its own row length. For %s it is k; n is the row length of %s and of the output.", a, b),
			Ask:    fmt.Sprintf("%s is m × k. How many elements does one of its rows have?", a),
			Output: misread(func(p product, row, _, i int) int { return row*p.n + i }, rightB),
		},
		{
			Slug:   "stride-a-m",
			Title:  fmt.Sprintf("Your shader assumes that the rows of %s are m elements long.", a),
			Why:    fmt.Sprintf("Row-major means row * columns + column: two rows are as many elements apart as there are columns. %s has m rows and k columns.", a),
			Ask:    fmt.Sprintf("%s is m × k. How many elements does one of its rows have?", a),
			Output: misread(func(p product, row, _, i int) int { return row*p.m + i }, rightB),
		},
		{
			Slug:   "inclusive-loop",
			Title:  "The loop takes one step too many.",
			Why:    fmt.Sprintf("With k terms the last index is k - 1. One step more reads into the next row of %s and past the end of %s.", a, b),
			Ask:    "With k = 3, which values should the loop variable have?",
			Output: steps(fromStart, func(p product) int { return p.k + 1 }),
		},
		{
			Slug:   "skips-last",
			Title:  "The last term of each sum is missing.",
			Why:    "The loop ends one step early.",
			Ask:    "With k = 1, does the loop run at all?",
			Output: steps(fromStart, func(p product) int { return p.k - 1 }),
		},
		{
			Slug:   "skips-first",
			Title:  "The first term of each sum is missing.",
			Why:    "The loop starts at 1. Indices start at 0, as in Go.",
			Ask:    "With k = 1, does the loop run at all?",
			Output: steps(func(product) int { return 1 }, func(p product) int { return p.k }),
		},
		{
			Slug:   "only-first-term",
			Title:  "Only the first of the k products reached the output.",
			Why:    "Each element is a sum over a whole row and a whole column, but you used only their first elements. Either there is no loop, or it ends after its first step.",
			Ask:    "How many products does one element of the output need?",
			Output: steps(fromStart, func(p product) int { return min(1, p.k) }),
		},
		{
			Slug:   "only-last-term",
			Title:  "Only the last of the k products reached the output.",
			Why:    "Each step of the loop overwrites the result of the steps before it. Either you assign to the sum instead of adding to it, or you declare it inside the loop, so that it starts over each time.",
			Ask:    "What does your variable hold at the start of the second step?",
			Output: steps(func(p product) int { return p.k - 1 }, func(p product) int { return p.k }),
		},
		{
			Slug:   "length-n",
			Title:  "Each sum runs over n terms instead of k.",
			Why:    fmt.Sprintf("k is the size that the two matrices share: the columns of %s and the rows of %s. n is the number of columns of the output.", a, b),
			Ask:    fmt.Sprintf("How many elements does a row of %s have?", a),
			Output: steps(fromStart, func(p product) int { return p.n }),
		},
		{
			Slug:   "length-m",
			Title:  "Each sum runs over m terms instead of k.",
			Why:    fmt.Sprintf("k is the size that the two matrices share: the columns of %s and the rows of %s. m is the number of rows of the output.", a, b),
			Ask:    fmt.Sprintf("How many elements does a row of %s have?", a),
			Output: steps(fromStart, func(p product) int { return p.m }),
		},
		{
			Slug:  "elementwise",
			Title: "The matrices were multiplied element by element.",
			Why:   "An element of a matrix product isn't a single product. It takes a whole row of one matrix and a whole column of the other.",
			Ask:   fmt.Sprintf("Which elements of %s and of %s go into out[0]?", a, b),
			Output: summed(func(p product, row, column int) float64 {
				i := row*p.n + column
				return valueAt(p.a, i) * valueAt(p.b, i)
			}),
		},
		{
			Slug:  "adds-factors",
			Title: "The elements of each pair were added, not multiplied.",
			Why:   fmt.Sprintf("The result is the sum of %s + %s along the row and the column. A matrix product is a sum of products.", a, b),
			Ask:   "A dot product has two operators. Which one goes inside a pair, and which one between the pairs?",
			Output: summed(func(p product, row, column int) float64 {
				total := 0.0
				for i := range p.k {
					total += valueAt(p.a, rightA(p, row, column, i)) + valueAt(p.b, rightB(p, row, column, i))
				}
				return total
			}),
		},
		{
			Slug:  "swapped-ids",
			Title: "Rows and columns are swapped in the dispatch.",
			Why:   "The host covers the columns with x and the rows with y. If you use id.x as the row, that works only for a square matrix. In a tall or wide one, some elements stay unwritten.",
			Ask:   "For a matrix with 1 row and 65 columns, are there more invocations in x or in y?",
			Output: func(c Case, size [3]uint32) Buffer {
				p := productOf(c)
				return dispatched(c, output, size, func(x, y int) (int, float64) {
					row, column := x, y
					if row >= p.m || column >= p.n {
						return nowhere, 0
					}
					return row*p.n + column, p.element(row, column)
				})
			},
		},
		{
			Slug:  "swapped-m-n",
			Title: "m and n are swapped.",
			Why:   fmt.Sprintf("m counts the rows of %s and of the output, and n the columns of %s and of the output. Your shader has them the other way round.", a, b),
			Ask:   fmt.Sprintf("%s is m × k. Is m its number of rows or of columns?", a),
			Output: func(c Case, size [3]uint32) Buffer {
				p := productOf(c)
				return dispatched(c, output, size, func(x, y int) (int, float64) {
					if x >= p.m || y >= p.n {
						return nowhere, 0
					}
					total := p.dot(p.k, p.inRow(y), func(i int) int { return i*p.m + x })
					if p.bias != nil {
						total += valueAt(p.bias, x)
					}
					return y*p.m + x, total
				})
			},
		},
		{
			Slug:  "swapped-guard",
			Title: "Your guard and the code after it disagree about which id is the row.",
			Why:   swappedGuardWhy,
			Ask:   "For a matrix with 1 row and 65 columns, what are m and n? Does the invocation for the last column get past your guard?",
			Output: either(
				guardedBy(output, func(p product, x, y int) bool { return x < p.m && y < p.n }),
				swappedBehindGuard(output)),
		},
		{
			Slug:   "guard-only-m",
			Title:  "Your guard compares both the row and the column with the same number.",
			Why:    "Rows end at m and columns at n. You need two comparisons with two different numbers.",
			Ask:    "For a matrix with 1 row and 65 columns, does the invocation for the last column get past your guard?",
			Output: guardedBy(output, func(p product, x, y int) bool { return x < p.m && y < p.m }),
		},
		{
			Slug:   "guard-only-n",
			Title:  "Your guard compares both the row and the column with the same number.",
			Why:    "Rows end at m and columns at n. You need two comparisons with two different numbers.",
			Ask:    "For a matrix with 65 rows and 1 column, does the invocation for the last row get past your guard?",
			Output: guardedBy(output, func(p product, x, y int) bool { return x < p.n && y < p.n }),
		},
		{
			Slug:   "transposed-out",
			Title:  "The values are right but in the wrong places: the output is transposed.",
			Why:    "The output is m × n and row-major: row * n + column. Your shader wrote to column * m + row.",
			Ask:    "Which two elements of the output are next to each other in memory?",
			Output: writtenAt(output, func(p product, row, column int) int { return column*p.m + row }),
		},
		{
			Slug:   "stride-out-m",
			Title:  "Your shader assumes that the rows of the output are m elements long.",
			Why:    "Row-major means row * columns + column: two rows of the output are as many elements apart as it has columns. With m instead, rows overwrite each other or leave gaps.",
			Ask:    "The output is m × n. How many elements does one of its rows have?",
			Output: writtenAt(output, func(p product, row, column int) int { return row*p.m + column }),
		},
		{
			Slug:   "stride-out-k",
			Title:  "Your shader assumes that the rows of the output are k elements long.",
			Why:    fmt.Sprintf("k is the row length of %s. Two rows of the output are as many elements apart as the output has columns.", a),
			Ask:    "The output is m × n. How many elements does one of its rows have?",
			Output: writtenAt(output, func(p product, row, column int) int { return row*p.k + column }),
		},
		accumulating(output, productReference),
		localIndex2D(output, productReference),
		flatIndex(output, productReference),
		firstRowOnly(output, productReference),
		firstColumnOnly(output, productReference),
		zeroEverywhere(output),
	}
}

// guardedBy returns an Output function in which only some invocations pass the guard, and the rest
// of the shader is right.
func guardedBy(output int, passes func(p product, x, y int) bool) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		p := productOf(c)
		return dispatched(c, output, size, func(x, y int) (int, float64) {
			if !passes(p, x, y) {
				return nowhere, 0
			}
			total := p.dot(p.k, p.inRow(y), p.inColumn(x))
			if p.bias != nil {
				total += valueAt(p.bias, x)
			}
			return y*p.n + x, total
		})
	}
}

// writtenAt returns an Output function that writes the right values to other places.
func writtenAt(output int, index func(p product, row, column int) int) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		p := productOf(c)
		return dispatched(c, output, size, func(x, y int) (int, float64) {
			if x >= p.n || y >= p.m {
				return nowhere, 0
			}
			return index(p, y, x), p.element(y, x)
		})
	}
}

// swappedBehindGuard returns an Output function with a right guard, after which x is used as the
// row.
func swappedBehindGuard(output int) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		p := productOf(c)
		return dispatched(c, output, size, func(x, y int) (int, float64) {
			if x >= p.n || y >= p.m {
				return nowhere, 0
			}
			total := p.dot(p.k, p.inRow(x), p.inColumn(y))
			if p.bias != nil {
				total += valueAt(p.bias, y)
			}
			return x*p.n + y, total
		})
	}
}

// either returns what two ways to make the same mistake have in common; elements that differ are
// Anything.
func either(one, other func(Case, [3]uint32) Buffer) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		a, b := one(c, size), other(c, size)
		for i := range a.Floats() {
			if !a.Same(i, b) {
				a.Floats()[i] = Anything
			}
		}
		return a
	}
}
