package digits

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/view/viewtest"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

func TestPatches(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, func() { Patches(0) })
	require.Contains(t, seen, "a row for each patch")
	require.Contains(t, seen, "the reference: yours is not written yet")
}

func TestGeluErrorIsThatOfTheFormula(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, GeluError)
	require.Regexp(t, `from -5 to 5 is 0\.0004\d, at x = -?2\.\d`, seen)
	require.Contains(t, seen, "0.84134", "the exact value at 1")
}

func TestLooks(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, func() { Looks(0) })
	require.Contains(t, seen, "Where each patch looks")
	require.Contains(t, seen, "scores")
}

// Each patch shares itself out whole. A black one finds all others alike, and takes a bit of each.
func TestLook(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	var kernels []check.Shader
	for _, id := range []string{"patches", "scores", "softmax", "mix"} {
		kernels = append(kernels, show.Must(check.Own(id)))
	}
	image := make([]float32, mnist.Pixels)
	for column := range vit.Side {
		image[column] = 1 // the first row of patch 0
	}
	shares, mixed, err := look(show.Must(gpu.Default()), kernels, image)
	require.NoError(t, err)
	for row := range vit.Tokens {
		sum := float32(0)
		for _, share := range shares[row*vit.Tokens : (row+1)*vit.Tokens] {
			sum += share
		}
		require.InDelta(t, 1, sum, 1e-5, "row %d", row)
	}
	// The score of patch 0 with itself is 7 / √49 = 1, and all others are 0.
	require.InDelta(t, 2.718282/17.718282, shares[0], 1e-5)
	require.InDelta(t, 1.0/16, shares[5*vit.Tokens], 1e-5)
	require.InDelta(t, 2.718282/17.718282, mixed[0], 1e-5)
	require.InDelta(t, 1.0/16, mixed[5*pixels], 1e-5)
}
