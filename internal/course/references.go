package course

import (
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

// A reference computes the right output of a case, and how far the learner's may differ from it.
type reference struct {
	output    func(Case) Buffer
	tolerance func(Case) tensor.Tolerance // nil means not at all
}

// references are those of the exercises by id.
var references = map[string]reference{
	"hello":      {helloNumbers, nil},
	"add":        {sumOf, func(c Case) tensor.Tolerance { return rounded(1, sumScale(c)) }},
	"vector-add": {sumOf, func(c Case) tensor.Tolerance { return rounded(1, sumScale(c)) }},
	// Two operations, or one fused.
	"saxpy": {axpy, func(c Case) tensor.Tolerance {
		return rounded(2, abs(uniformF32(c, 0, 0))*magnitude(c.Buffers[1].Floats())+magnitude(c.Buffers[2].Floats()))
	}},
	"matmul":       {productReference, productTolerance},
	"matmul-tiled": {productReference, productTolerance},
	"relu":         {func(c Case) Buffer { return activated(c, func(x float64) float64 { return max(x, 0) }) }, nil},
	"leaky-relu":   {leakyReference, func(c Case) tensor.Tolerance { return rounded(1, magnitude(c.Buffers[1].Floats())) }},
	"row-max":      {largestOfRows, nil},
	"softmax":      {softmaxReference, softmaxTolerance},
	"linear":       {productReference, productTolerance},
	"normalize":    {normalized, func(Case) tensor.Tolerance { return rounded(4, 4) }},
	"argmax":       {rowIndices, nil},
	"downsample": {averaged, func(c Case) tensor.Tolerance {
		// The sum of a block, and a division.
		block := pictureOf(c).block()
		return rounded(block*block+3, magnitude(c.Buffers[1].Floats()))
	}},
}

// helloNumbers returns the right answer: each element holds its own index.
func helloNumbers(c Case) Buffer {
	return eachU32(c.Buffers[0].Len(), func(i int) uint32 { return uint32(i) })
}

func sumOf(c Case) Buffer {
	return each(c.Buffers[2].Len(), func(i int) float64 { return f32At(c, 0, i) + f32At(c, 1, i) })
}

// sumScale returns the largest sum of magnitudes, which rounding errors are relative to.
func sumScale(c Case) float64 {
	scale := 0.0
	for i := range c.Buffers[0].Floats() {
		scale = max(scale, abs(f32At(c, 0, i))+abs(f32At(c, 1, i)))
	}
	return scale
}

func abs(x float64) float64 { return max(x, -x) }

// axpy updates the first n elements.
func axpy(c Case) Buffer {
	alpha, y := uniformF32(c, 0, 0), c.Buffers[2]
	full := each(y.Len(), func(i int) float64 { return alpha*f32At(c, 1, i) + y.At(i) })
	return onlyFirst(uniformU32(c, 0, 1), full, y)
}

// A product is a case in decoded form.
type product struct {
	m, n, k int
	a, b    []float32
	bias    []float32 // nil if there is none
}

func productOf(c Case) product {
	p := product{
		m: uniformU32(c, 0, 0),
		n: uniformU32(c, 0, 1),
		k: uniformU32(c, 0, 2),
		a: c.Buffers[1].Floats(), b: c.Buffers[2].Floats(),
	}
	if len(c.Buffers) > 4 {
		p.bias = c.Buffers[3].Floats()
	}
	return p
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

// activated applies f to every element of the last binding.
func activated(c Case, f func(x float64) float64) Buffer {
	data := c.Buffers[len(c.Buffers)-1]
	return each(data.Len(), func(i int) float64 { return f(data.At(i)) })
}

func leakyReference(c Case) Buffer {
	slope := uniformF32(c, 0, 0)
	return activated(c, func(x float64) float64 {
		if x < 0 {
			return slope * x
		}
		return x
	})
}

// A matrix is the x of a case in decoded form.
type matrix struct {
	rows, cols int
	x          []float32
}

func matrixOf(c Case) matrix {
	return matrix{uniformU32(c, 0, 0), uniformU32(c, 0, 1), c.Buffers[1].Floats()}
}

// row returns row r in float64.
func (m matrix) row(r int) []float64 {
	row := make([]float64, m.cols)
	for i := range row {
		row[i] = float64(m.x[r*m.cols+i])
	}
	return row
}

// largestOfRows returns the largest element of each row.
func largestOfRows(c Case) Buffer {
	m := matrixOf(c)
	return each(m.rows, func(r int) float64 { return slices.Max(m.row(r)) })
}

// rowIndices returns the index of the largest element of each row.
func rowIndices(c Case) Buffer {
	m := matrixOf(c)
	return eachU32(m.rows, func(r int) uint32 {
		row := m.row(r)
		return uint32(slices.Index(row, slices.Max(row)))
	})
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

// normalized unpacks and normalises n pixels.
func normalized(c Case) Buffer {
	words := c.Buffers[1].Uints()
	mean, stddev := uniformF32(c, 0, 1), uniformF32(c, 0, 2)
	return each(uniformU32(c, 0, 0), func(i int) float64 {
		pixel := words[i/4] >> (8 * (i % 4)) & 0xff
		return (float64(pixel)/255 - mean) / stddev
	})
}

// A picture is a case in decoded form.
type picture struct {
	src, dst int
	image    []float32
}

func pictureOf(c Case) picture {
	return picture{
		src:   uniformU32(c, 0, 0),
		dst:   uniformU32(c, 0, 1),
		image: c.Buffers[1].Floats(),
	}
}

// block returns the side of the square that one pixel of the small picture covers.
func (p picture) block() int { return p.src / p.dst }

// averaged gives every pixel the average of its block.
func averaged(c Case) Buffer {
	p := pictureOf(c)
	block := p.block()
	return each(p.dst*p.dst, func(i int) float64 {
		left, top := i%p.dst*block, i/p.dst*block
		total := 0.0
		for y := range block {
			for x := range block {
				total += float64(p.image[(top+y)*p.src+left+x])
			}
		}
		return total / float64(block*block)
	})
}
