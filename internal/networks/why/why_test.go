package why_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/why"
)

// references returns the reference shaders of exercises.
func references(t *testing.T, ids []string) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, id := range ids {
		text, err := exercises.Reference(id)
		require.NoError(t, err)
		sources[id] = text
	}
	return sources
}

// networks returns both networks for an image.
func networks(t *testing.T, image []byte) []*why.Traced {
	t.Helper()
	plainWeights, err := mlp.Trained()
	require.NoError(t, err)
	plain, err := why.Plain(plainWeights, references(t, why.Exercises), image)
	require.NoError(t, err)
	filterWeights, err := cnn.Trained()
	require.NoError(t, err)
	filters, err := why.Filters(filterWeights, references(t, cnn.Exercises), image)
	require.NoError(t, err)
	return []*why.Traced{plain, filters}
}

// The way begins with the network's probability, goes through every pass, and ends only at pixels
// with ink.
func TestWay(t *testing.T) {
	set := mnist.Drawn()
	for _, i := range []int{0, 4, 7} {
		image := set.Image(i)
		digit := int(set.Labels[i])
		for _, n := range networks(t, image) {
			began := time.Now()
			a, err := n.Ask(t.Context(), digit)
			require.NoError(t, err)
			t.Logf("%d, %s: %v, %s", digit, n.Name, time.Since(began), a.Title())
			require.Greater(t, a.From.Value, float32(0.5))
			var total float32
			for p, weight := range a.Input {
				if image[p] == 0 {
					require.Zero(t, weight, "pixel %d has no ink", p)
				}
				total += weight
			}
			require.InDelta(t, 0.8, total, 0.3, "nearly the whole weight arrives, and it speaks for the digit")
			require.Equal(t, "softmax", a.Steps[0].Title)
			require.Contains(t, a.Told()[0].Title, "softmax wrote out[")
		}
	}
}

// The plain network's probability, and a number on its way, are those of the reference in Go.
func TestWayHasTheNetworksNumbers(t *testing.T) {
	set := mnist.Drawn()
	image := set.Image(3)
	w, err := mlp.Trained()
	require.NoError(t, err)
	a, err := networks(t, image)[0].Ask(t.Context(), 3)
	require.NoError(t, err)
	x := make([]float32, network.Inputs)
	for i, b := range image {
		x[i] = (float32(b)/255 - network.Mean) / network.Stddev
	}
	hidden := network.Linear(x, w.W1, w.B1)
	network.Relu(hidden)
	scores := network.Linear(hidden, w.W2, w.B2)
	require.InDelta(t, network.Softmax(scores)[3], a.From.Value, 1e-4)

	second := a.Steps[1]
	require.Equal(t, "linear", second.Title)
	strongest := second.Followed[0]
	require.InDelta(t, scores[strongest.Index], strongest.Value, 1e-3)
	cause := strongest.Causes[0]
	require.Equal(t, "hidden", cause.Buffer.Name)
	change := (float64(cause.Value) - float64(cause.Empty)) * float64(w.W2[cause.Index*network.Outputs+strongest.Index])
	require.InDelta(t, change, float64(strongest.Value)-float64(cause.Without), 1e-3)
	require.Positive(t, cause.Read.Span.Line)
	require.Contains(t, cause.Read.Text, "x[")
}
