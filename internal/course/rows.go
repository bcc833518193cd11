package course

import (
	"fmt"
)

// This file holds what row-max and softmax share: a matrix x of rows × cols, with one workgroup
// per row.

// The first bindings of both exercises, and the members of their uniform.
const (
	rowsDims, rowsX    = 0, 1
	rowsRows, rowsCols = 0, 1
	rowsDimsType       = "Dims{rows: u32, cols: u32}"
	rowMaxOut          = 2
	softmaxData        = rowsX
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
	row := make([]float64, m.cols)
	for i := range row {
		row[i] = float64(m.x[r*m.cols+i])
	}
	return row
}

func rowsName(rows, cols int, what string) string {
	return fmt.Sprintf("%d × %d%s", rows, cols, what)
}
