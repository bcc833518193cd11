package digits

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/view/viewtest"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// made is a reading of four images; the last two are wrong.
func made() Reading {
	r := Reading{
		Set:           mnist.Set{Source: "made up", Images: make([]byte, 4*mnist.Pixels), Labels: []byte{3, 7, 7, 1}},
		Probabilities: make([]float32, 4*mlp.Outputs), Read: []uint32{3, 7, 9, 7},
	}
	for i, sure := range []float32{0.9, 0.4, 0.6, 0.8} {
		r.Probabilities[i*mlp.Outputs+int(r.Read[i])] = sure
	}
	return r
}

func TestReadingShowsItself(t *testing.T) {
	r := made()
	require.Contains(t, viewtest.Printed(t, r.Score), "2 of 4 read right: 50.00 %\n  images  made up")
	first := viewtest.Printed(t, func() { r.First(3) })
	require.Contains(t, first, "50.0 % of 4 read right; the first 3 of them · made up")
	require.Contains(t, first, "✓ 3 90.0 %")
	require.Contains(t, first, "✗ 9 60.0 % is 7")
	require.NotContains(t, first, "is 1")

	mistakes := viewtest.Printed(t, func() { r.Mistakes(40) })
	require.Contains(t, mistakes, "The surest of 2 mistakes")
	require.Less(t, strings.Index(mistakes, "is 1"), strings.Index(mistakes, "is 7"), "the surest comes first")
	require.NotContains(t, viewtest.Printed(t, func() { r.Mistakes(1) }), "is 7")
	require.Contains(t, viewtest.Printed(t, r.Confused), "2 of 4 right (50.00 %)")
	doubt := viewtest.Printed(t, r.Doubtful)
	require.Contains(t, doubt, "Image 1: how probable each digit is")
	require.Contains(t, doubt, "> 7 ████████████                   40.0 %")
}

// The learner's own argmax may return a number that is not a digit when TestWith reads with it.
func TestReadingOfNoDigit(t *testing.T) {
	r := made()
	r.Read[0] = 4_000_000_000
	require.Contains(t, viewtest.Printed(t, r.Score), "1 of 4 read right")
	require.NotEmpty(t, viewtest.Printed(t, r.Confused))
	require.NotEmpty(t, viewtest.Printed(t, func() { r.First(4) }))
}

// The model card gives the number of the test images.
func TestTestReadsAsTheModelCardSays(t *testing.T) {
	t.Chdir(t.TempDir())
	r := Test()
	require.Equal(t, 10_000, r.Len())
	score := viewtest.Printed(t, r.Score)
	require.Contains(t, score, "9,908 of 10,000 read right: 99.08 %")
	require.Contains(t, score, "the reference: yours is not written yet")

	// What predict-mixed says of pairs of digits.
	mixed := map[[2]int]int{}
	for i, label := range r.Labels {
		is, read := int(label), int(r.Read[i])
		mixed[[2]int{min(is, read), max(is, read)}]++
	}
	require.Equal(t, []int{13, 4, 2}, []int{mixed[[2]int{4, 9}], mixed[[2]int{3, 8}], mixed[[2]int{1, 7}]})

	// Without mean and stddev the network still answers, only worse.
	source, err := exercises.Reference("normalize")
	require.NoError(t, err)
	scaled := strings.Replace(source, "params.mean) / params.stddev", "0.0 * params.mean)", 1)
	require.NotEqual(t, source, scaled)
	file := filepath.Join(t.TempDir(), "scaled.wgsl")
	require.NoError(t, os.WriteFile(file, []byte(scaled), 0o644))
	worse := TestWith(file)
	require.Less(t, worse.percent(), r.percent()-1)
	require.Greater(t, worse.percent(), 20.0)
	require.Contains(t, viewtest.Printed(t, worse.Score), file)
}

// The network reads nearly all drawings that are framed as MNIST frames its digits, and few of the
// others.
func TestSheetsShowWhatFramingDoes(t *testing.T) {
	asItIs, framed := Sheets(60, 0.4, 0.8)
	require.Equal(t, 60, asItIs.Len())
	require.Equal(t, asItIs.Labels, framed.Labels)
	require.Greater(t, framed.percent(), 90.0)
	require.Less(t, asItIs.percent(), 60.0)
	large, _ := Sheets(60, 0.95, 1)
	require.Greater(t, large.percent(), asItIs.percent())
	require.Greater(t, Drawn().percent(), 90.0)
}

func TestLayersAndTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	relu, err := exercises.Reference("relu")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join("work", "relu.wgsl"), []byte(relu), 0o644))

	layers := viewtest.Printed(t, func() { Layers(0) })
	for _, part := range []string{"the 128 hidden values after relu", "the ten probabilities", "  7 ██████████████████████████████ 100.0 %", "relu     yours", "linear   the reference: yours is not written yet"} {
		require.Contains(t, layers, part)
	}
	times := viewtest.Printed(t, func() { Times(10) })
	for _, part := range []string{"10 images, milliseconds in each pass", "1  linear 784 → 128", "4  softmax"} {
		require.Contains(t, times, part)
	}
	require.Contains(t, viewtest.Printed(t, func() { Images(3) }), "The first of 10,000 images of MNIST")
}
