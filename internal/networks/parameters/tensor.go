// This file provides tensors of float32 values.

package parameters

// A Tensor is Data in the given Shape, row-major: the last dimension varies fastest, so element
// (r, c) of a matrix is Data[r*columns+c].
type Tensor struct {
	Shape []int
	Data  []float32
}

// New returns a tensor of zeros.
func NewTensor(shape ...int) *Tensor {
	return &Tensor{Shape: shape, Data: make([]float32, Size(shape))}
}

// Size returns the number of elements of a shape.
func Size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Transpose returns a transposed copy of a matrix [rows, columns].
func (t *Tensor) Transpose() *Tensor {
	rows, columns := t.Shape[0], t.Shape[1]
	out := NewTensor(columns, rows)
	for r := range rows {
		for c := range columns {
			out.Data[c*rows+r] = t.Data[r*columns+c]
		}
	}
	return out
}
