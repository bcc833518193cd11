package writer

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/parameters"
)

func references(t *testing.T, ids []string) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, id := range ids {
		source, err := exercises.Reference(id)
		require.NoError(t, err)
		sources[id] = source
	}
	return sources
}

func simulated(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

// uneven returns weights of a small network, none of which is 0 or 1.
func uneven() *gpt.Weights {
	w := gpt.Initial(gpt.Dimensions{Letters: 13, Width: 12, Layers: 2, Heads: 3, Hidden: 20}, 3)
	for i, p := range w.Parameters() {
		for j := range *p.Values {
			(*p.Values)[j] += float32(0.3 * math.Sin(float64(3*j+i)))
		}
	}
	return w
}

// Both writers draw the same letters, and both have the scores of the float64 network.
func TestWithAndWithoutTheCache(t *testing.T) {
	device, w := simulated(t), uneven()
	cached, err := NewCached(device, w, Halves, references(t, ExercisesOfCached(Halves)))
	require.NoError(t, err)
	defer cached.Free()
	anew, err := NewAnew(device, w, references(t, ExercisesOfAnew))
	require.NoError(t, err)
	defer anew.Free()

	text := []uint32{3, 1, 4}
	for _, random := range []float32{0.1, 0.9, 0.5, 0.3, 0.7} {
		want := gpt.ScoresReference(w, text)[len(text)-1]
		next := uint32(chosen(want, 0.8, float64(random)))
		for name, by := range map[string]LetterWriter{"cached": cached, "anew": anew} {
			letter, err := by.Next(text, 0.8, random)
			require.NoError(t, err)
			require.Equal(t, next, letter, name)
			scores, err := by.Scores()
			require.NoError(t, err)
			for i := range want {
				require.InDelta(t, want[i], scores[i], 0.01, "%s, letter %d: gemv-half rounds the weights", name, i)
			}
		}
		text = append(text, next)
	}

	// Another text, and then the first again.
	for _, other := range [][]uint32{{5, 5}, text, text[:4]} {
		want := gpt.ScoresReference(w, other)[len(other)-1]
		_, err := cached.Next(other, 1, 0.5)
		require.NoError(t, err)
		scores, err := cached.Scores()
		require.NoError(t, err)
		require.InDelta(t, want[2], scores[2], 0.01)
	}
}

// chosen is what sample chooses.
func chosen(scores []float64, temperature, random float64) int {
	divided := make([]float64, len(scores))
	for i, score := range scores {
		divided[i] = score / temperature
	}
	sum := 0.0
	for i, p := range network.Softmax(divided) {
		if sum += p; sum > random {
			return i
		}
	}
	return len(scores) - 1
}

// The losses are those of the float64 network with the weights that the packed bits stand for, and
// they are what lesson 14 says that fewer bits cost.
func TestWeightsOfFewerBits(t *testing.T) {
	device := simulated(t)
	text, err := gpt.Letters(gpt.HeldOut)
	require.NoError(t, err)
	require.Len(t, text, 446+1, "lesson 14 says how many it reads")
	for _, want := range []struct {
		bits, size int
		loss       float64 // of the whole text
	}{{16, 899_136, 1.1626}, {8, 477_666, 1.1633}, {4, 252_882, 1.2112}} {
		w, err := gpt.Trained()
		require.NoError(t, err)
		f, err := WeightFormatOf(want.bits)
		require.NoError(t, err)
		require.Equal(t, want.size, f.Size(w.Matrices()))
		cached, err := NewCached(device, w, f, references(t, ExercisesOfCached(f)))
		require.NoError(t, err)
		const read = 2
		loss, _, err := Loss(t.Context(), cached, text[:read+1])
		require.NoError(t, err)
		rounded(f, w)
		require.InDelta(t, gpt.LossReference(w, text[:read+1]), loss, 1e-3, "%d bits", f.Bits)
		require.InDelta(t, want.loss, gpt.LossReference(w, text), 5e-4, "%d bits", f.Bits)
		cached.Free()
	}
	_, err = WeightFormatOf(5)
	require.ErrorContains(t, err, "use 16, 8 or 4")
	f, err := WeightFormatOf(4)
	require.NoError(t, err)
	_, err = NewCached(device, uneven(), f, references(t, ExercisesOfCached(f)))
	require.ErrorContains(t, err, "a row of 12 weights is not a number of groups of 32")
}

// rounded replaces the matrices of w by the numbers that they become in a format.
func rounded(f WeightFormat, w *gpt.Weights) {
	for i := range w.Layers {
		l := &w.Layers[i]
		for _, m := range []*parameters.Linear{&l.Q, &l.K, &l.V, &l.Out, &l.Up, &l.Down} {
			m.W = f.rounded(m.W, len(m.W)/len(m.B), len(m.B))
		}
	}
	w.Table = f.roundedTable(w)
}

func TestInsight(t *testing.T) {
	w := uneven()
	anew, err := NewAnew(simulated(t), w, references(t, ExercisesOfAnew))
	require.NoError(t, err)
	defer anew.Free()
	text := []uint32{3, 1, 4, 1, 5}
	seen, err := anew.Insight(text)
	require.NoError(t, err)
	for i, want := range gpt.ScoresReference(w, text) {
		for j := range want {
			require.InDelta(t, want[j], seen.Scores[i][j], 1e-4)
		}
	}
	require.Len(t, seen.Looks, w.Dimensions.Layers)
	for _, looks := range seen.Looks {
		require.Len(t, looks, w.Heads*len(text)*len(text))
		for row := range w.Heads * len(text) {
			sum := float32(0)
			for column, share := range looks[row*len(text) : (row+1)*len(text)] {
				sum += share
				require.True(t, column <= row%len(text) || share == 0, "a letter looks at a later one")
			}
			require.InDelta(t, 1, sum, 1e-5)
		}
	}
}

func TestTextsThatDoNotFit(t *testing.T) {
	anew, err := NewAnew(simulated(t), uneven(), references(t, ExercisesOfAnew))
	require.NoError(t, err)
	defer anew.Free()
	_, err = anew.Next(nil, 1, 0)
	require.ErrorContains(t, err, "the text is empty")
	_, err = anew.Next(make([]uint32, 1025), 1, 0)
	require.ErrorContains(t, err, "remembers at most 1024")
	_, err = anew.Next([]uint32{13}, 1, 0)
	require.ErrorContains(t, err, "not in an alphabet of 13")
}

// The pass that writes several letters draws those that the float64 network draws.
func TestFusedIsTheReference(t *testing.T) {
	w, err := gpt.Trained()
	require.NoError(t, err)
	f, err := NewFused(simulated(t), w)
	require.NoError(t, err)
	defer f.Free()
	text, err := gpt.Letters("Emma was")
	require.NoError(t, err)
	for range 2 { // the second time, most of the text is in the cache
		random := []float32{0.2, 0.99, 0.6}
		more, err := f.Extend(text, 0.8, random)
		require.NoError(t, err)
		for i, letter := range more {
			scores := gpt.ScoresReference(w, append(text[:len(text):len(text)], more[:i]...))
			require.Equal(t, uint32(chosen(scores[len(scores)-1], 0.8, float64(random[i]))), letter)
		}
		whole := append(text[:len(text):len(text)], more[:2]...)
		all := gpt.ScoresReference(w, whole)
		got, err := f.Scores()
		require.NoError(t, err)
		for i, want := range all[len(all)-1] {
			require.InDelta(t, want, got[i], 5e-3, "the cache holds halves")
		}
		text = append(text, more...)
	}
	next, err := f.Next(text[:4], 1, 0.5) // from the middle of what it knows
	require.NoError(t, err)
	scores := gpt.ScoresReference(w, text[:4])
	require.Equal(t, uint32(chosen(scores[3], 1, 0.5)), next)

	_, err = f.Extend(make([]uint32, 1000), 1, make([]float32, 26))
	require.ErrorContains(t, err, "would have 1026 letters")
	_, err = NewFused(simulated(t), uneven())
	require.ErrorContains(t, err, "sizes of the network that ships")
}
