package course

import (
	"fmt"
	"math"
)

// This file holds what row-max and softmax share: a matrix x of rows × cols, with one workgroup
// per row.

// The first bindings of both exercises, and the members of their uniform.
const (
	rowsDims, rowsX            = 0, 1
	rowsRows, rowsCols         = 0, 1
	rowsDimsType               = "Dims{rows: u32, cols: u32}"
	rowMaxOut                  = 2
	softmaxData                = rowsX
	undefined          float64 = float64(Anything)
)

// A matrix is the x of a case in decoded form.
type matrix struct {
	rows, cols int
	x          []float32
}

func matrixOf(c Case) matrix {
	return matrix{uniformU32(c, rowsDims, rowsRows), uniformU32(c, rowsDims, rowsCols), c.Buffers[rowsX].Floats()}
}

// rowsColumns returns the columns of x, the only matrix, also in argmax.
func rowsColumns(c Case, binding int) int {
	if binding == rowsX {
		return uniformU32(c, rowsDims, rowsCols)
	}
	return 0
}

// row returns row r in float64.
func (m matrix) row(r int) []float64 {
	return m.take(m.cols, func(i int) int { return r*m.cols + i })
}

// take reads n elements by index; past the end it reads NaN.
func (m matrix) take(n int, index func(i int) int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = valueAt(m.x, index(i))
	}
	return values
}

func rowsName(rows, cols int, what string) string {
	return fmt.Sprintf("%d × %d%s", rows, cols, what)
}

// invocations returns the number of invocations in a workgroup.
func invocations(size [3]uint32) int { return int(size[0] * size[1] * size[2]) }

// maximum returns the largest value. With a NaN it is undefined, because WGSL's max of a NaN
// depends on the device.
func maximum(values []float64) float64 {
	largest := math.Inf(-1)
	for _, v := range values {
		if math.IsNaN(v) {
			return undefined
		}
		largest = max(largest, v)
	}
	return largest
}

// halved returns the places that reach place 0 when n candidates are halved repeatedly and n is
// not a power of two. In each step, place i meets place i + half, and an odd one out is lost.
func halved(n int) map[int]bool {
	reaches := make([]map[int]bool, n)
	for i := range reaches {
		reaches[i] = map[int]bool{i: true}
	}
	for half := n / 2; half > 0; half /= 2 {
		for i := range half {
			for place := range reaches[i+half] {
				reaches[i][place] = true
			}
		}
	}
	return reaches[0]
}

// ofInvocations returns the elements of a row that belong to the kept invocations of a workgroup,
// if invocation i takes every n-th element, starting at i.
func ofInvocations(row []float64, n int, kept func(invocation int) bool) []float64 {
	var values []float64
	for i, v := range row {
		if kept(i % n) {
			values = append(values, v)
		}
	}
	return values
}
