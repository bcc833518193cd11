package epochs

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/handwriting"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// letter is the form of an A.
var letter = []handwriting.Stroke{{{X: .12, Y: .98}, {X: .50, Y: .02}, {X: .50, Y: .02}, {X: .88, Y: .98}}, {{X: .26, Y: .64}, {X: .74, Y: .64}}}

// drawings returns drawings of the letter, each in another hand, as the network sees them.
func drawings(n int, seed uint64) (all [][]byte) {
	const canvas = 140
	random := rand.New(rand.NewPCG(seed, 0))
	for range n {
		image := mnist.Frame(mnist.Rasterise(handwriting.Written(random, letter), canvas, 0.08), canvas, canvas)
		all = append(all, image[:])
	}
	return all
}

// After ten examples of a sign, the network reads ten fresh drawings of it, and digits as before.
// It survives its file.
func TestTeachASign(t *testing.T) {
	coursetest.NeedsChange(t, "internal/networks/", "internal/machine/engine/", "shaders/", "weights/")
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	start, err := mlp.Trained()
	require.NoError(t, err)
	test := part(t, 9000, 10000)
	before := read(t, device, start, test.Images)

	reported := 0
	taught, err := Teach(t.Context(), device, "work", start, Sign{"A", drawings(Examples, 1)}, part(t, 0, 9000), 1, func(done, steps int, loss float64) {
		reported = done
		require.LessOrEqual(t, done, steps)
	})
	require.NoError(t, err)
	require.Equal(t, stepsOn(device.Adapter().Kind), reported)

	require.NoError(t, Keep("sign.safetensors", taught))
	kept, err := Kept("sign.safetensors")
	require.NoError(t, err)
	require.Equal(t, taught, kept)
	require.Equal(t, "A", kept.Sign)

	right := 0
	for _, image := range drawings(10, 2) {
		if network.MostProbable(read(t, device, kept, image)) == mlp.Outputs {
			right++
		}
	}
	after := network.Accuracy(read(t, device, kept, test.Images), test.Labels)
	t.Logf("%d of 10 fresh drawings read right; digits %.3f before, %.3f after", right, network.Accuracy(before, test.Labels), after)
	require.Equal(t, 10, right)
	require.Greater(t, after, 0.97)
}

// read returns what a network of these weights reads.
func read(t *testing.T, device *gpu.Device, w *mlp.Weights, images []byte) []float32 {
	n, err := mlp.New(device, w)
	require.NoError(t, err)
	defer n.Free()
	probabilities, err := n.Forward(images)
	require.NoError(t, err)
	return probabilities
}

func TestSignCheck(t *testing.T) {
	whole := Sign{"A", drawings(Examples, 1)}
	require.NoError(t, whole.Check())
	require.ErrorContains(t, Sign{"", whole.Images}.Check(), "no name")
	require.ErrorContains(t, Sign{"A", whole.Images[1:]}.Check(), "9 drawings")
	require.ErrorContains(t, Sign{"A", append(whole.Images[1:], []byte{1})}.Check(), "drawing 10 of the sign has 1 pixels")
}
