package mnist

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAwkward(t *testing.T) {
	sets := Awkward(20)
	require.Len(t, sets, 4)
	ink := make([]float64, len(sets))
	for i, set := range sets {
		require.Equal(t, 20, set.Len())
		require.Equal(t, byte(7), set.Labels[17])
		for _, b := range set.Images {
			ink[i] += float64(b)
		}
		require.NotEmpty(t, set.Source)
	}
	require.Less(t, ink[2], 0.75*ink[0], "small digits have less ink")
	require.False(t, slices.Equal(sets[0].Images, sets[1].Images))
	require.Equal(t, sets, Awkward(20), "the same every time")
}
