package mlp_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

func open(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

func trained(t *testing.T) *mlp.Weights {
	t.Helper()
	w, err := mlp.Trained()
	require.NoError(t, err)
	return w
}

// This tests the accuracy that the README and the model card state. It also compares the first
// 3,000 of the 10,000 results with the float64 network.
func TestTrainedNetworkReadsMNIST(t *testing.T) {
	test, err := mnist.Test()
	require.NoError(t, err)
	w := trained(t)
	n, err := mlp.New(open(t), w)
	require.NoError(t, err)
	got, err := n.Forward(test.Images)
	require.NoError(t, err)
	require.Len(t, got, 10_000*mlp.Outputs)

	accuracy := network.Accuracy(got, test.Labels)
	t.Logf("%.2f %% of MNIST's test images", 100*accuracy)
	require.GreaterOrEqual(t, accuracy, 0.988)

	furthest := 0.0
	for i, want := range mlp.ForwardReference(w, test.Images[:3000*mlp.Inputs]) {
		furthest = max(furthest, math.Abs(want-float64(got[i])))
	}
	t.Logf("probabilities differ from the float64 network's by at most %.1e", furthest)
	require.Less(t, furthest, 1e-4)
}

func TestForwardIsOneSubmissionAndOneReadback(t *testing.T) {
	device := open(t)
	n, err := mlp.New(device, trained(t))
	require.NoError(t, err)
	before := device.Counts()
	_, err = n.Forward(mnist.Drawn().Images)
	require.NoError(t, err)
	after := device.Counts()
	require.Equal(t, 1, after.Submissions-before.Submissions)
	require.Equal(t, 1, after.Readbacks-before.Readbacks)
}

// referenceShaders returns the shaders that a learner has written by lesson 7.
func referenceShaders(t *testing.T) mlp.Shaders {
	t.Helper()
	return mlp.Shaders{
		Normalize: source(t, "normalize"), Linear: source(t, "linear"),
		Relu: source(t, "relu"), Softmax: source(t, "softmax"),
	}
}

func source(t *testing.T, name string) string {
	t.Helper()
	s, err := exercises.Reference(name)
	require.NoError(t, err)
	return s
}

func TestLearnersShaders(t *testing.T) {
	device, w, digits := open(t), trained(t), mnist.Drawn()
	n, err := mlp.New(device, w, mlp.WithShaders(referenceShaders(t)))
	require.NoError(t, err)
	got, err := n.Forward(digits.Images)
	require.NoError(t, err)
	requireProbabilities(t, mlp.ForwardReference(w, digits.Images), got)
}

func requireProbabilities(t *testing.T, want []float64, got []float32) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, want[i], got[i], 1e-4, "image %d, digit %d", i/mlp.Outputs, i%mlp.Outputs)
	}
}

// A small workgroup covers few images in one dispatch: the others follow in more dispatches.
func TestSmallWorkgroupsWorkInChunks(t *testing.T) {
	sources := referenceShaders(t)
	sources.Normalize = strings.Replace(sources.Normalize, "@workgroup_size(256)", "@workgroup_size(1)", 1)
	require.NotEqual(t, sources.Normalize, referenceShaders(t).Normalize)
	device, w, digits := open(t), trained(t), mnist.Drawn()
	n, err := mlp.New(device, w, mlp.WithShaders(sources))
	require.NoError(t, err)
	before := device.Counts()
	got, err := n.Forward(digits.Images)
	require.NoError(t, err)
	require.Greater(t, device.Counts().Submissions-before.Submissions, 1)
	requireProbabilities(t, mlp.ForwardReference(w, digits.Images), got)
}

func TestWrongShadersAreNamed(t *testing.T) {
	device, w := open(t), trained(t)
	_, err := mlp.New(device, w, mlp.WithShaders(mlp.Shaders{Relu: "fn main() { let x = ; }"}))
	var compile *shader.CompileError
	require.ErrorAs(t, err, &compile)
	require.Equal(t, "relu", compile.Shader)

	n, err := mlp.New(device, w, mlp.WithShaders(mlp.Shaders{Linear: source(t, "matmul")}))
	require.NoError(t, err)
	_, err = n.Forward(make([]byte, mlp.Inputs))
	var bind *shader.BindError
	require.ErrorAs(t, err, &bind)
	require.Equal(t, "linear", bind.Shader)
	require.ErrorContains(t, err, "preparing a batch of 1 images")
}

// The number of images may change from call to call.
func TestBatchesOfAnySize(t *testing.T) {
	w, digits := trained(t), mnist.Drawn()
	n, err := mlp.New(open(t), w)
	require.NoError(t, err)
	for _, images := range []int{1, 7, 64, 1, 3} {
		some := digits.Images[:images*mlp.Inputs]
		got, err := n.Forward(some)
		require.NoError(t, err)
		requireProbabilities(t, mlp.ForwardReference(w, some), got)
	}
}

func TestNormalisedImagesGiveTheSame(t *testing.T) {
	w, digits := trained(t), mnist.Drawn()
	n, err := mlp.New(open(t), w)
	require.NoError(t, err)
	x := make([]float32, len(digits.Images))
	for i, pixel := range digits.Images {
		x[i] = w.Normalisation.Apply(float32(pixel) / 255)
	}
	got, err := n.ForwardNormalised(x)
	require.NoError(t, err)
	requireProbabilities(t, mlp.ForwardReference(w, digits.Images), got)
}

func TestForwardRefusesPartsOfImages(t *testing.T) {
	n, err := mlp.New(open(t), trained(t))
	require.NoError(t, err)
	for _, pixels := range []int{0, 1, mlp.Inputs - 1, mlp.Inputs + 1} {
		_, err := n.Forward(make([]byte, pixels))
		require.ErrorContains(t, err, "not a whole number of images")
	}
}

func TestWeightsComeBack(t *testing.T) {
	w := trained(t)
	n, err := mlp.New(open(t), w)
	require.NoError(t, err)
	back, err := n.Weights()
	require.NoError(t, err)
	require.Equal(t, w, back)
	n.Free()
}
