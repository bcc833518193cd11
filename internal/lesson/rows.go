package lesson

import (
	"fmt"
	"math"
)

// This file holds what row-max and softmax have in common: a matrix x of rows ×
// cols, with one workgroup for each row.

// The first bindings of both, and the members of their uniform.
const (
	rowsDims, rowsX            = 0, 1
	rowsRows, rowsCols         = 0, 1
	rowsDimsType               = "Dims{rows: u32, cols: u32}"
	rowMaxOut                  = 2
	softmaxData                = rowsX
	undefined          float64 = float64(Anything)
)

// A matrix is x of a case, read.
type matrix struct {
	rows, cols int
	x          []float32
}

func matrixOf(c Case) matrix {
	return matrix{uniformU32(c, rowsDims, rowsRows), uniformU32(c, rowsDims, rowsCols), c.Buffers[rowsX].Floats()}
}

// rowsColumns: x is the only matrix, in argmax too.
func rowsColumns(c Case, binding int) int {
	if binding == rowsX {
		return uniformU32(c, rowsDims, rowsCols)
	}
	return 0
}

// row is row r, in float64.
func (m matrix) row(r int) []float64 {
	return m.take(m.cols, func(i int) int { return r*m.cols + i })
}

// take reads n elements, NaN where one lies behind the end.
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

// invocations is how many a workgroup has.
func invocations(size [3]uint32) int { return int(size[0] * size[1] * size[2]) }

// maximum of values. What max makes of a NaN is the device's affair.
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

// halved are the places that reach place 0 when n candidates are halved again
// and again and n is no power of two: in each step place i meets place i + half,
// and an odd one out is lost.
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

// ofInvocations keeps the elements of a row that belong to some of a workgroup's
// invocations, when each takes every n-th, from its own number on.
func ofInvocations(row []float64, n int, kept func(invocation int) bool) []float64 {
	var values []float64
	for i, v := range row {
		if kept(i % n) {
			values = append(values, v)
		}
	}
	return values
}
