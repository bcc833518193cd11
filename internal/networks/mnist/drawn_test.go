package mnist

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"pgregory.net/rapid"
)

// judge returns the network that ships. It was trained only on MNIST's digits, so it can judge
// whether drawn digits look like digits.
func judge(t *testing.T) *mlp.Weights {
	t.Helper()
	weights, err := mlp.Trained()
	require.NoError(t, err)
	return weights
}

// accuracy returns the share of the digits that the judge reads right.
func accuracy(judge *mlp.Weights, set Set) float64 {
	var probabilities []float32
	for _, p := range mlp.ForwardReference(judge, set.Images) {
		probabilities = append(probabilities, float32(p))
	}
	return network.Accuracy(probabilities, set.Labels)
}

func TestTheJudgeReadsMNIST(t *testing.T) {
	set, err := Test()
	require.NoError(t, err)
	// It reads 99.08 % of all; a tenth of them is enough to know it is whole.
	set.Images, set.Labels = set.Images[:1000*Pixels], set.Labels[:1000]
	require.Greater(t, accuracy(judge(t), set), 0.98)
}

func TestANetworkReadsTheDrawnDigits(t *testing.T) {
	require.GreaterOrEqual(t, accuracy(judge(t), Drawn()), 0.97)
}

// The shipped digits must not be a lucky draw: the network reads other seeds just as well.
func TestANetworkReadsDigitsOfOtherSeeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2024, 11))
	for digit := range 10 {
		var set Set
		for range 100 {
			image := drawDigit(rng, digit)
			set.Images, set.Labels = append(set.Images, image[:]...), append(set.Labels, byte(digit))
		}
		require.GreaterOrEqual(t, accuracy(judge(t), set), 0.9, "of 100 drawn %ds", digit)
	}
}

func TestDrawnIsTheSameEachTimeAndHoldsEveryDigit(t *testing.T) {
	set := Drawn()
	require.Equal(t, set, Drawn())
	require.Equal(t, 300, set.Len())
	require.Len(t, set.Images, 300*Pixels)
	seen := map[string]bool{}
	count := [10]int{}
	for i := range set.Len() {
		seen[string(set.Image(i))] = true
		count[set.Labels[i]]++
	}
	require.Len(t, seen, 300, "no two are alike")
	require.Equal(t, [10]int{30, 30, 30, 30, 30, 30, 30, 30, 30, 30}, count)
}

func TestStrokesStayInTheSquareAndComeAsAPenMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digit := rapid.IntRange(0, 9).Draw(t, "digit")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for _, stroke := range Strokes(rng, digit) {
			require.GreaterOrEqual(t, len(stroke), 2)
			for i, p := range stroke {
				require.True(t, p.X >= 0.09 && p.X <= 0.91 && p.Y >= 0.09 && p.Y <= 0.91, "%v", p)
				if i > 0 {
					require.Less(t, math.Hypot(p.X-stroke[i-1].X, p.Y-stroke[i-1].Y), 0.12)
				}
			}
		}
	})
}

func TestStrokesRefusesWhatIsNoDigit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	require.Panics(t, func() { Strokes(rng, 10) })
	require.Panics(t, func() { Strokes(rng, -1) })
}
