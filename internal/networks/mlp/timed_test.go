package mlp_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// Timing each pass does not change the network's answer.
func TestForwardStepsSaysTheSame(t *testing.T) {
	device := open(t)
	linear, err := exercises.Reference("linear")
	require.NoError(t, err)
	n, err := mlp.New(device, trained(t), mlp.WithShaders(mlp.Shaders{Linear: linear}))
	require.NoError(t, err)
	image := mnist.Drawn().Image(7)
	want, err := n.Forward(image)
	require.NoError(t, err)
	got, steps, err := n.ForwardSteps(image)
	require.NoError(t, err)
	require.Equal(t, want, got)
	var names []string
	for _, step := range steps {
		names = append(names, step.Shader)
		require.Equal(t, device.Adapter().Timestamps, step.Took > 0, "%s took %s", step.Shader, step.Took)
	}
	require.Equal(t, []string{"normalize", "linear", "relu", "linear", "softmax"}, names)

	_, _, err = n.ForwardSteps(make([]byte, 2*mlp.Inputs))
	require.ErrorContains(t, err, "1568 values are not one image")
}

// Hidden returns the output of relu, from which the second layer makes the answer.
func TestHidden(t *testing.T) {
	n, err := mlp.New(open(t), trained(t))
	require.NoError(t, err)
	image := mnist.Drawn().Image(7)
	want, _, err := n.ForwardSteps(image)
	require.NoError(t, err)
	hidden, err := n.Hidden()
	require.NoError(t, err)
	require.Len(t, hidden, mlp.Hidden)

	weights := trained(t)
	scores, total := make([]float64, mlp.Outputs), 0.0
	for digit := range scores {
		scores[digit] = float64(weights.B2[digit])
		for i, h := range hidden {
			require.GreaterOrEqual(t, h, float32(0))
			scores[digit] += float64(h) * float64(weights.W2[i*mlp.Outputs+digit])
		}
		scores[digit] = math.Exp(scores[digit])
		total += scores[digit]
	}
	for digit, score := range scores {
		require.InDelta(t, score/total, want[digit], 1e-4)
	}
}

func TestPasses(t *testing.T) {
	device := open(t)
	n, err := mlp.New(device, trained(t))
	require.NoError(t, err)
	passes, err := n.Passes(3)
	require.NoError(t, err)
	require.NoError(t, device.Run(passes...))
	var names []string
	for _, pass := range passes {
		names = append(names, pass.Pipeline().Name)
	}
	require.Equal(t, []string{"normalize", "train/linear", "relu", "train/linear", "softmax"}, names)
}
