package digits

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEdges(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	edges := shown(t, func() { Edges(0) })
	require.Contains(t, edges, "Upper, lower, left and right edges")
	require.Contains(t, edges, "the reference: yours is not written yet")
}

func TestSideBySide(t *testing.T) {
	h := sideBySide("three", []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 2)
	require.Equal(t, 6, h.Rows)
	require.Equal(t, 6, h.Cols)
	require.Equal(t, []float32{
		1, 2, 0, 0, 5, 6,
		3, 4, 0, 0, 7, 8,
		0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0,
		9, 10, 0, 0, 0, 0,
		11, 12, 0, 0, 0, 0,
	}, h.Values)
}
