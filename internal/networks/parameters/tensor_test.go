package parameters_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"pgregory.net/rapid"
)

func TestShape(t *testing.T) {
	require.Equal(t, 1, parameters.Size(nil))
	require.Equal(t, 24, parameters.Size([]int{2, 3, 4}))
	require.Equal(t, 0, parameters.Size([]int{2, 0}))
	require.Equal(t, make([]float32, 6), parameters.NewTensor(2, 3).Data)
}

func TestTranspose(t *testing.T) {
	m := &parameters.Tensor{Shape: []int{2, 3}, Data: []float32{1, 2, 3, 4, 5, 6}}
	require.Equal(t, &parameters.Tensor{Shape: []int{3, 2}, Data: []float32{1, 4, 2, 5, 3, 6}}, m.Transpose())

	rapid.Check(t, func(t *rapid.T) {
		m := parameters.NewTensor(rapid.IntRange(0, 9).Draw(t, "rows"), rapid.IntRange(0, 9).Draw(t, "columns"))
		for i := range m.Data {
			m.Data[i] = float32(i)
		}
		require.Equal(t, m, m.Transpose().Transpose())
	})
}
