package mnist

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// reader is a 784-128-10 network that somebody else trained on MNIST: the judge
// of whether the drawn digits look like digits.
type reader struct{ w1, b1, w2, b2 []float32 }

func newReader(t *testing.T) reader {
	t.Helper()
	dir := shared(t, "vibe-infer-weights")
	load := func(name string, count int) []float32 {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Len(t, raw, 4*count)
		values := make([]float32, count)
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		return values
	}
	return reader{load("w1.bin", Pixels*128), load("b1.bin", 128), load("w2.bin", 128*10), load("b2.bin", 10)}
}

func (r reader) read(image []byte) int {
	hidden := append([]float32(nil), r.b1...)
	for i, pixel := range image {
		x := (float32(pixel)/255 - 0.1307) / 0.3081
		for j, w := range r.w1[i*128 : (i+1)*128] {
			hidden[j] += x * w
		}
	}
	scores := append([]float32(nil), r.b2...)
	for j, h := range hidden {
		for k, w := range r.w2[j*10 : (j+1)*10] {
			scores[k] += max(h, 0) * w
		}
	}
	best := 0
	for k, score := range scores {
		if score > scores[best] {
			best = k
		}
	}
	return best
}

func (r reader) accuracy(set Set) float64 {
	right := 0
	for i := range set.Len() {
		if r.read(set.Image(i)) == int(set.Labels[i]) {
			right++
		}
	}
	return float64(right) / float64(set.Len())
}

func TestTheJudgeReadsMNIST(t *testing.T) {
	useMNIST(t)
	set, err := Test(t.Context(), Options{})
	require.NoError(t, err)
	// It reads 97.02 % of all; a tenth of them is enough to know it is whole.
	set.Images, set.Labels = set.Images[:1000*Pixels], set.Labels[:1000]
	require.Greater(t, newReader(t).accuracy(set), 0.96)
}

func TestANetworkReadsTheDrawnDigits(t *testing.T) {
	set := Drawn()
	require.GreaterOrEqual(t, newReader(t).accuracy(set), 0.97)
}

// The shipped digits must be no lucky draw: other seeds read as well.
func TestANetworkReadsDigitsOfOtherSeeds(t *testing.T) {
	judge := newReader(t)
	rng := rand.New(rand.NewPCG(2024, 11))
	for digit := range 10 {
		right := 0
		for range 100 {
			if image := Draw(rng, digit); judge.read(image[:]) == digit {
				right++
			}
		}
		require.GreaterOrEqual(t, right, 90, "of 100 drawn %ds", digit)
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
