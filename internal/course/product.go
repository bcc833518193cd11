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

// productReference sums a row of a times a column of b, plus the column's bias if there is one.
func productReference(c Case) Buffer {
	p := productOf(c)
	return each(p.m*p.n, func(i int) float64 {
		row, column := i/p.n, i%p.n
		total := 0.0
		for step := range p.k {
			total += float64(p.a[row*p.k+step]) * float64(p.b[step*p.n+column])
		}
		if p.bias != nil {
			total += float64(p.bias[column])
		}
		return total
	})
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
