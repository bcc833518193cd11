package mlp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/pkg/mlp"
	"github.com/wgslab/wgslab/pkg/mnist"
	"github.com/wgslab/wgslab/shaders"
)

// Looking at each pass does not change what the network says.
func TestForwardStepsSaysTheSame(t *testing.T) {
	device := open(t)
	linear, err := shaders.Source("linear")
	require.NoError(t, err)
	n, err := mlp.New(device, trained(t), mlp.WithKernels(mlp.Kernels{Linear: linear}))
	require.NoError(t, err)
	image := mnist.Drawn().Image(7)
	want, err := n.Forward(image)
	require.NoError(t, err)
	got, steps, err := n.ForwardSteps(image)
	require.NoError(t, err)
	require.Equal(t, want, got)
	var names []string
	for _, step := range steps {
		names = append(names, step.Kernel)
		require.Equal(t, device.Adapter().Timestamps, step.Took > 0, "%s took %s", step.Kernel, step.Took)
	}
	require.Equal(t, []string{"normalize", "linear", "relu", "linear", "softmax"}, names)

	_, _, err = n.ForwardSteps(make([]byte, 2*mlp.Inputs))
	require.ErrorContains(t, err, "1568 values are not one image")
}
