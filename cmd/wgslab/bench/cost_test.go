package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// shadersOf returns shaders with a bound and a time each.
func shadersOf(pairs ...[2]float64) (shaders []CostedShader) {
	for _, p := range pairs {
		shaders = append(shaders, CostedShader{Bound: &cost.LowerBound{Seconds: p[0], Serial: p[0]}, Measured: p[1]})
	}
	return shaders
}

func TestAgreement(t *testing.T) {
	same := agreement(shadersOf([2]float64{1, 10}, [2]float64{2, 11}, [2]float64{5, 12}))
	require.InDelta(t, 1, same.Spearman, 1e-9)
	require.Equal(t, []int{3, 3, 3}, []int{same.Shaders, same.Pairs, same.Agree})

	opposite := agreement(shadersOf([2]float64{1, 12}, [2]float64{2, 11}, [2]float64{5, 10}))
	require.InDelta(t, -1, opposite.Spearman, 1e-9)
	require.Zero(t, opposite.Agree)

	// Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: their deviations from the mean multiply to 4.5, and the
	// squares add up to 4.5 and 5.
	ties := agreement(shadersOf([2]float64{1, 1}, [2]float64{1.5, 2}, [2]float64{1.5, 3}, [2]float64{1.9, 4}))
	require.InDelta(t, 0.9486832981, ties.Spearman, 1e-9)
	require.Zero(t, ties.Pairs, "no bound is twice another")
}
