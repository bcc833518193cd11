package lesson

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
)

// This file holds what matmul, matmul-tiled and linear have in common: cases,
// reference and misconceptions of a matrix product.

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

// productShapes are m, n, k: all different, so that no two can be mistaken for
// each other unseen, with a single row, a single column, tall and wide ones, and
// some that fill whole workgroups and some that do not.
var productShapes = [][3]int{
	{1, 1, 1},
	{2, 4, 3},
	{65, 1, 7},
	{1, 65, 9},
	{17, 65, 33},
	{64, 16, 48},
	{9, 5, 130},
}

// productCases draws the shapes above, and one more that nobody can know
// beforehand and that finds old numbers in its output.
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

// productPast draws a product whose output has a size that is asked for.
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

// A product is a case, read.
type product struct {
	m, n, k int
	a, b    []float32
	bias    []float32 // nil where there is none
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

// productColumns: a is m × k, b is k × n, and so is what comes of them m × n.
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

// inRow and inColumn are the places of element i of a row of a and of a column
// of b.
func (p product) inRow(row int) func(int) int { return func(i int) int { return row*p.k + i } }
func (p product) inColumn(column int) func(int) int {
	return func(i int) int { return i*p.n + column }
}

// biased adds the bias of a column, where there is one.
func (p product) biased(column int, total float64) float64 {
	if p.bias == nil {
		return total
	}
	return total + float64(p.bias[column])
}

// element is the right answer for one element.
func (p product) element(row, column int) float64 {
	return p.biased(column, p.dot(p.k, p.inRow(row), p.inColumn(column)))
}

func productReference(c Case) Buffer {
	p := productOf(c)
	return eachCell(p.m, p.n, p.element)
}

// productTolerance allows for k products and their sum. No sum of magnitudes is
// larger than the largest one of a row of a, times the largest element of b.
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

// summed is the output when every element is a dot product of other elements, or
// of more or fewer.
func summed(element func(p product, row, column int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		p := productOf(c)
		return eachCell(p.m, p.n, func(row, column int) float64 {
			return p.biased(column, element(p, row, column))
		})
	}
}

// misread is the output when the elements of a and b are taken from other places.
func misread(aIndex, bIndex func(p product, row, column, i int) int) func(Case, [3]uint32) Buffer {
	return summed(func(p product, row, column int) float64 {
		return p.dot(p.k,
			func(i int) int { return aIndex(p, row, column, i) },
			func(i int) int { return bIndex(p, row, column, i) })
	})
}

func rightA(p product, row, _, i int) int    { return row*p.k + i }
func rightB(p product, _, column, i int) int { return i*p.n + column }

// steps is the output when the sum runs over other indices than 0 to k - 1.
func steps(from, to func(p product) int) func(Case, [3]uint32) Buffer {
	return summed(func(p product, row, column int) float64 {
		first := from(p)
		return p.dot(max(0, to(p)-first),
			func(i int) int { return row*p.k + first + i },
			func(i int) int { return (first+i)*p.n + column })
	})
}

func fromStart(product) int { return 0 }

const swappedGuardWhy = "The host covers the columns, n of them, with x, and the rows, m of them, with y. In one place the shader has it so, in the other the other way round: in a tall or a wide matrix invocations are kept away that have work to do."

// productMisconceptions are those of a product whose matrices are called a and b
// and whose output is binding output.
func productMisconceptions(a, b string, output int) []Misconception {
	return []Misconception{
		{
			Slug:   "transposed-b",
			Title:  fmt.Sprintf("%s was read as if it were transposed: along its rows instead of down its columns.", b),
			Why:    fmt.Sprintf("%s is k × n, and row-major: the next element down a column stands n places further on. The shader took the next place in memory, or counted rows of k elements.", b),
			Ask:    fmt.Sprintf("You stand on %s[row i, this column]. How many places further on is row i + 1 of the same column?", b),
			Output: misread(rightA, func(p product, _, column, i int) int { return column*p.k + i }),
		},
		{
			Slug:   "transposed-a",
			Title:  fmt.Sprintf("%s was read as if it were transposed: down its columns instead of along its rows.", a),
			Why:    fmt.Sprintf("%s is m × k, and row-major: a row's elements stand next to each other.", a),
			Ask:    fmt.Sprintf("Which index of %s changes from one step of the loop to the next, and by how much?", a),
			Output: misread(func(p product, row, _, i int) int { return i*p.m + row }, rightB),
		},
		{
			Slug:   "stride-b-k",
			Title:  fmt.Sprintf("The rows of %s were taken to be k elements long.", b),
			Why:    fmt.Sprintf("Each matrix has its own row length: that of %s is n, the number of its columns. k is how many rows it has.", b),
			Ask:    fmt.Sprintf("%s is k × n. How many elements does one of its rows have?", b),
			Output: misread(rightA, func(p product, _, column, i int) int { return i*p.k + column }),
		},
		{
			Slug:   "stride-b-m",
			Title:  fmt.Sprintf("The rows of %s were taken to be m elements long.", b),
			Why:    fmt.Sprintf("Each matrix has its own row length: that of %s is n, the number of its columns. m belongs to %s and the output.", b, a),
			Ask:    fmt.Sprintf("%s is k × n. How many elements does one of its rows have?", b),
			Output: misread(rightA, func(p product, _, column, i int) int { return i*p.m + column }),
		},
		{
			Slug:   "stride-a-n",
			Title:  fmt.Sprintf("The rows of %s were taken to be n elements long.", a),
			Why:    fmt.Sprintf("Each matrix has its own row length: that of %s is k. n is the row length of %s and of the output.", a, b),
			Ask:    fmt.Sprintf("%s is m × k. How many elements does one of its rows have?", a),
			Output: misread(func(p product, row, _, i int) int { return row*p.n + i }, rightB),
		},
		{
			Slug:   "stride-a-m",
			Title:  fmt.Sprintf("The rows of %s were taken to be m elements long.", a),
			Why:    fmt.Sprintf("Row-major means row * columns + column: what separates two rows is the number of columns. %s has m rows and k columns.", a),
			Ask:    fmt.Sprintf("%s is m × k. How many elements does one of its rows have?", a),
			Output: misread(func(p product, row, _, i int) int { return row*p.m + i }, rightB),
		},
		{
			Slug:   "inclusive-loop",
			Title:  "The loop takes one step too many.",
			Why:    fmt.Sprintf("With k terms the last index is k - 1. The step behind it reads the next row of %s, and for %s what stands behind its end.", a, b),
			Ask:    "With k = 3, which values should the loop variable take?",
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
			Why:    "The loop starts at 1. Indices on a GPU start at 0, as in Go.",
			Ask:    "With k = 1, does the loop run at all?",
			Output: steps(func(product) int { return 1 }, func(p product) int { return p.k }),
		},
		{
			Slug:   "only-first-term",
			Title:  "Only the first of the k products reached the output.",
			Why:    "Each element is a sum over a whole row and a whole column, and only their first elements were used: no loop, or one that ends after its first step.",
			Ask:    "How many products does one element of the output need?",
			Output: steps(fromStart, func(p product) int { return min(1, p.k) }),
		},
		{
			Slug:   "only-last-term",
			Title:  "Only the last of the k products reached the output.",
			Why:    "Each step of the loop replaces what the steps before it found: the sum is assigned to instead of added to, or declared inside the loop, so that it starts anew each time.",
			Ask:    "What does your variable hold at the beginning of the second step?",
			Output: steps(func(p product) int { return p.k - 1 }, func(p product) int { return p.k }),
		},
		{
			Slug:   "length-n",
			Title:  "Each sum runs over n terms instead of k.",
			Why:    fmt.Sprintf("k is what the two matrices have in common: the columns of %s and the rows of %s. n is how many columns the output has.", a, b),
			Ask:    fmt.Sprintf("How many elements does a row of %s have?", a),
			Output: steps(fromStart, func(p product) int { return p.n }),
		},
		{
			Slug:   "length-m",
			Title:  "Each sum runs over m terms instead of k.",
			Why:    fmt.Sprintf("k is what the two matrices have in common: the columns of %s and the rows of %s. m is how many rows the output has.", a, b),
			Ask:    fmt.Sprintf("How many elements does a row of %s have?", a),
			Output: steps(fromStart, func(p product) int { return p.m }),
		},
		{
			Slug:  "elementwise",
			Title: "The matrices were multiplied element by element.",
			Why:   "An element of a matrix product is no single product: it takes a whole row of the one and a whole column of the other.",
			Ask:   fmt.Sprintf("For out[0]: which elements of %s and of %s take part?", a, b),
			Output: summed(func(p product, row, column int) float64 {
				i := row*p.n + column
				return valueAt(p.a, i) * valueAt(p.b, i)
			}),
		},
		{
			Slug:  "adds-factors",
			Title: "The elements of each pair were added, not multiplied.",
			Why:   fmt.Sprintf("The result is the sum of %s + %s along the row and the column. A product of matrices sums products.", a, b),
			Ask:   "Two operators are in a dot product. Which one joins a pair, and which one the pairs?",
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
			Title: "Rows and columns of the dispatch changed places.",
			Why:   "The host covers the columns with x and the rows with y. A shader that takes id.x for the row is right only where the two happen to reach equally far; in a tall or a wide matrix elements stay unwritten.",
			Ask:   "A matrix with 1 row and 65 columns: in which direction are there more invocations?",
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
			Title: "m and n changed places.",
			Why:   fmt.Sprintf("m counts the rows of %s and of the output, n the columns of %s and of the output. The shader has them the other way round.", a, b),
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
			Title: "The guard and the lines behind it do not agree which of the two ids is the row.",
			Why:   swappedGuardWhy,
			Ask:   "A matrix with 1 row and 65 columns: what are m and n, and does the invocation of the last column get past your guard?",
			Output: either(
				guardedBy(output, func(p product, x, y int) bool { return x < p.m && y < p.n }),
				swappedBehindGuard(output)),
		},
		{
			Slug:   "guard-only-m",
			Title:  "The guard holds both the row and the column against the same number.",
			Why:    "Rows end at m and columns at n: two comparisons with two different numbers.",
			Ask:    "A matrix with 1 row and 65 columns: does the invocation of the last column get past your guard?",
			Output: guardedBy(output, func(p product, x, y int) bool { return x < p.m && y < p.m }),
		},
		{
			Slug:   "guard-only-n",
			Title:  "The guard holds both the row and the column against the same number.",
			Why:    "Rows end at m and columns at n: two comparisons with two different numbers.",
			Ask:    "A matrix with 65 rows and 1 column: does the invocation of the last row get past your guard?",
			Output: guardedBy(output, func(p product, x, y int) bool { return x < p.n && y < p.n }),
		},
		{
			Slug:   "transposed-out",
			Title:  "The right values stand in the wrong places: the output is transposed.",
			Why:    "The output is m × n, and row-major: row * n + column. The shader wrote to column * m + row.",
			Ask:    "Which two elements of the output stand next to each other in memory?",
			Output: writtenAt(output, func(p product, row, column int) int { return column*p.m + row }),
		},
		{
			Slug:   "stride-out-m",
			Title:  "The rows of the output were taken to be m elements long.",
			Why:    "Row-major means row * columns + column: what separates two rows of the output is its number of columns. With m instead, rows overwrite each other or leave gaps.",
			Ask:    "The output is m × n. How many elements does one of its rows have?",
			Output: writtenAt(output, func(p product, row, column int) int { return row*p.m + column }),
		},
		{
			Slug:   "stride-out-k",
			Title:  "The rows of the output were taken to be k elements long.",
			Why:    fmt.Sprintf("k is the row length of %s. What separates two rows of the output is its own number of columns.", a),
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

// guardedBy is the output when only some invocations get past the guard, and all
// is right behind it.
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

// writtenAt is the output when the right values go to other places.
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

// swappedBehindGuard is the output when the guard is right and the lines behind
// it take x for the row.
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

// either is what two ways to the same mistake have in common.
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
