package course_test

import (
	"math"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// crossEntropies returns the loss of each row.
func crossEntropies(c course.Case) course.Buffer {
	m, labels := matrixOf(c), c.Buffers[2].Uints()
	return each(m.rows, func(r int) float64 { return -math.Log(m.row(r)[labels[r]]) })
}

// gradientOfWeights returns the product whose first factor is x transposed.
func gradientOfWeights(c course.Case) course.Buffer {
	p := productOf(c)
	return each(p.k*p.n, func(i int) float64 {
		total := 0.0
		for s := range p.m {
			total += float64(p.a[s*p.k+i/p.n]) * float64(p.b[s*p.n+i%p.n])
		}
		return total
	})
}

// gradientOfWeightsTolerance returns the tolerance for m products and their sum.
func gradientOfWeightsTolerance(c course.Case) course.Tolerance {
	p := productOf(c)
	return rounded(p.m+1, float64(p.m)*magnitude(p.a)*magnitude(p.b))
}

// throughTransposed returns the product of d and w transposed, as a case of matmul.
func throughTransposed(c course.Case) course.Case {
	m, n, k := uniformU32(c, 0, 0), uniformU32(c, 0, 1), uniformU32(c, 0, 2)
	w := c.Buffers[2].Floats()
	transposed := each(n*k, func(i int) float64 { return float64(w[i%k*n+i/k]) })
	sizes := shader.UniformBuffer(shader.Uint(uint32(m)), shader.Uint(uint32(k)), shader.Uint(uint32(n)))
	return course.Case{Buffers: []course.Buffer{sizes, c.Buffers[1], transposed, course.Unwritten(m * k)}}
}

// gradientOfHidden is that product, and 0 where relu was at 0.
func gradientOfHidden(c course.Case) course.Buffer {
	out, hidden := productReference(throughTransposed(c)), c.Buffers[3]
	return each(out.Len(), func(i int) float64 {
		if hidden.At(i) > 0 {
			return out.At(i)
		}
		return 0
	})
}

// columnsOf returns the columns of a case's matrix as rows.
func columnsOf(c course.Case) matrix {
	m := matrixOf(c)
	return matrix{m.cols, m.rows, each(len(m.x), func(i int) float64 { return float64(m.x[i%m.rows*m.cols+i/m.rows]) }).Floats()}
}

func sumsOfColumns(c course.Case) course.Buffer { return columnsOf(c).sums() }

// stepDownhill moves the first n weights against their gradients.
func stepDownhill(c course.Case) course.Buffer {
	rate, w := uniformF32(c, 0, 1), c.Buffers[2]
	full := each(w.Len(), func(i int) float64 { return w.At(i) - rate*f32At(c, 1, i) })
	return onlyFirst(uniformU32(c, 0, 0), full, w)
}

// stepOfAdam moves the first n weights by their averages.
func stepOfAdam(c course.Case) course.Buffer {
	rate, beta1, beta2, least := uniformF32(c, 0, 1), uniformF32(c, 0, 2), uniformF32(c, 0, 3), uniformF32(c, 0, 4)
	w := c.Buffers[4]
	full := each(w.Len(), func(i int) float64 {
		g := f32At(c, 1, i)
		mean := beta1*f32At(c, 2, i) + (1-beta1)*g
		square := beta2*f32At(c, 3, i) + (1-beta2)*g*g
		return w.At(i) - rate*mean/(math.Sqrt(square)+least)
	})
	return onlyFirst(uniformU32(c, 0, 0), full, w)
}

// stepWithMomentum moves the first n weights by their velocities.
func stepWithMomentum(c course.Case) course.Buffer {
	rate, keep, w := uniformF32(c, 0, 1), uniformF32(c, 0, 2), c.Buffers[3]
	full := each(w.Len(), func(i int) float64 { return w.At(i) - rate*(keep*f32At(c, 2, i)+f32At(c, 1, i)) })
	return onlyFirst(uniformU32(c, 0, 0), full, w)
}
