package mlp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

func openDevice(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

// run runs the recorded passes.
func run(t *testing.T, r *plan.Recorder) {
	t.Helper()
	require.NoError(t, r.Err)
	require.NoError(t, r.Device.Run(r.Passes...))
}

func read[T gpu.Element](t *testing.T, b *gpu.Buffer) []T {
	t.Helper()
	values, err := gpu.Read[T](b)
	require.NoError(t, err)
	return values
}

// requireStored is requireClose for a result at the start of a longer buffer of zeros. It shows
// values that a shader stores past the end.
func requireStored(t *testing.T, want []float64, got []float32, tolerance float64) {
	t.Helper()
	requireClose(t, want, got[:len(want)], tolerance)
	for i, value := range got[len(want):] {
		require.Zero(t, value, "element %d, past the end", len(want)+i)
	}
}

// requireClose requires every element of got to be within tolerance.
func requireClose(t *testing.T, want []float64, got []float32, tolerance float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, want[i], float64(got[i]), tolerance, "element %d", i)
	}
}

func random(rng *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = 2*rng.Float32() - 1
	}
	return values
}

// sizes of a product (m × k) * (k × n): one of all, the blocks' own, one more
// and one less, and the network's.
var sizes = [][3]uint32{{1, 1, 1}, {4, 128, 8}, {5, 129, 7}, {3, 127, 9}, {9, 10, 128}, {250, 10, 128}, {17, 300, 31}}

func forSizes(t *testing.T, test func(t *testing.T, r *plan.Recorder, rng *rand.Rand, m, n, k int, dims *gpu.Buffer)) {
	device := openDevice(t)
	for i, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			r := plan.NewRecorder(device)
			defer r.Free()
			test(t, r, rand.New(rand.NewPCG(1, uint64(i))), int(size[0]), int(size[1]), int(size[2]), r.Uniform(size[0], size[1], size[2]))
		})
	}
}

func TestLinear(t *testing.T) {
	forSizes(t, func(t *testing.T, r *plan.Recorder, rng *rand.Rand, m, n, k int, dims *gpu.Buffer) {
		x, w, bias := random(rng, m*k), random(rng, k*n), random(rng, n)
		out := r.Floats((m + plan.BlockRows) * n)
		r.Groups(r.Pipeline("train/linear"), plan.Blocks(m, n), dims, plan.Upload(r, x), plan.Upload(r, w), plan.Upload(r, bias), out)
		run(t, r)
		var want []float64
		for row := range m {
			want = append(want, network.Linear(x[row*k:(row+1)*k], w, bias)...)
		}
		requireStored(t, want, read[float32](t, out), 1e-5)
	})
}

func widen(values []float32) []float64 {
	wide := make([]float64, len(values))
	for i, value := range values {
		wide[i] = float64(value)
	}
	return wide
}

func TestGradientWeights(t *testing.T) {
	forSizes(t, func(t *testing.T, r *plan.Recorder, rng *rand.Rand, m, n, k int, dims *gpu.Buffer) {
		x, dOut := random(rng, m*k), random(rng, m*n)
		dW := r.Floats((k + plan.BlockRows) * n)
		r.Groups(r.Pipeline("train/gradient-weights"), plan.Blocks(k, n), dims, plan.Upload(r, x), plan.Upload(r, dOut), dW)
		run(t, r)
		want := make([]float64, k*n)
		for sample := range m {
			for row := range k {
				for column := range n {
					want[row*n+column] += float64(x[sample*k+row]) * float64(dOut[sample*n+column])
				}
			}
		}
		requireStored(t, want, read[float32](t, dW), 2e-5)
	})
}

func TestGradientBias(t *testing.T) {
	forSizes(t, func(t *testing.T, r *plan.Recorder, rng *rand.Rand, m, n, _ int, _ *gpu.Buffer) {
		dOut := random(rng, m*n)
		dBias := r.Floats(n)
		r.Over(r.Pipeline("train/gradient-bias"), n, r.Uniform(uint32(m), uint32(n)), plan.Upload(r, dOut), dBias)
		run(t, r)
		want := make([]float64, n)
		for i, d := range dOut {
			want[i%n] += float64(d)
		}
		requireClose(t, want, read[float32](t, dBias), 2e-5)
	})
}

func TestGradientRelu(t *testing.T) {
	forSizes(t, func(t *testing.T, r *plan.Recorder, rng *rand.Rand, m, n, k int, dims *gpu.Buffer) {
		dOut, w, hidden := random(rng, m*n), random(rng, k*n), random(rng, m*k)
		for i, h := range hidden {
			hidden[i] = max(h, 0) // about half of them
		}
		dZ := r.Floats(m * k)
		r.Grid(r.Pipeline("train/gradient-relu"), k, m, dims, plan.Upload(r, dOut), plan.Upload(r, w), plan.Upload(r, hidden), dZ)
		run(t, r)
		want := make([]float64, m*k)
		for i := range want {
			if hidden[i] == 0 {
				continue
			}
			for column := range n {
				want[i] += float64(dOut[i/k*n+column]) * float64(w[i%k*n+column])
			}
		}
		requireClose(t, want, read[float32](t, dZ), 2e-5)
	})
}

// crossEntropy is the mean loss of rows of scores.
func crossEntropy(scores []float64, columns int, labels []uint32) float64 {
	total := 0.0
	for row, label := range labels {
		total -= math.Log(network.Softmax(scores[row*columns : (row+1)*columns])[label])
	}
	return total / float64(len(labels))
}

// The test compares the gradient with the slope of the loss itself.
func TestLoss(t *testing.T) {
	const rows, columns, first = 37, 10, 5
	rng := rand.New(rand.NewPCG(2, 0))
	scores := random(rng, rows*columns)
	for i := range scores {
		scores[i] *= 8
	}
	scores[0], scores[columns+1] = 300, -300 // their exp is infinite, or 0, in float32
	labels, order := make([]uint32, 50), make([]uint32, 50)
	for i, image := range rng.Perm(50) {
		order[i], labels[i] = uint32(image), uint32(rng.IntN(columns))
	}
	r := plan.NewRecorder(openDevice(t))
	gradient, losses := plan.Upload(r, scores), r.Floats(50)
	r.Over(r.Pipeline("train/loss"), rows, r.Uniform(uint32(rows), uint32(columns)), plan.Upload(r, []uint32{1, first, 0}),
		plan.Upload(r, order), plan.Upload(r, labels), gradient, losses)
	run(t, r)

	truth := make([]uint32, rows)
	for row := range truth {
		truth[row] = labels[order[first+row]]
	}
	at := widen(scores)
	slope := make([]float64, len(at))
	const step = 1e-4
	for i, score := range at {
		at[i] = score + step
		above := crossEntropy(at, columns, truth)
		at[i] = score - step
		slope[i] = (above - crossEntropy(at, columns, truth)) / (2 * step)
		at[i] = score
	}
	requireClose(t, slope, read[float32](t, gradient), 1e-6)

	noted := read[float32](t, losses)
	require.Zero(t, noted[first-1])
	require.Zero(t, noted[first+rows])
	for row := range rows {
		want := crossEntropy(at[row*columns:(row+1)*columns], columns, truth[row:row+1])
		require.InEpsilon(t, want, noted[first+row], 1e-4, "row %d", row)
	}
}

// This is Adam as its authors write it, with the averages corrected one by one.
func TestClockAndAdam(t *testing.T) {
	const n, steps, perEpoch, batch, rate = 130, 7, 3, 20, 0.01
	rng := rand.New(rand.NewPCG(3, 0))
	weights := random(rng, n)
	r := plan.NewRecorder(openDevice(t))
	clock, on, gradient := plan.Upload(r, make([]uint32, 3)), plan.Upload(r, weights), r.Floats(n)
	plan := r.Uniform(uint32(batch), uint32(perEpoch), uint32(steps), float32(rate), float32(descent.Beta1), float32(descent.Beta2))
	params := r.Uniform(uint32(n), float32(descent.Beta1), float32(descent.Beta2), float32(descent.Epsilon))
	r.Over(r.Pipeline("train/clock"), 1, plan, clock)
	r.Over(r.Pipeline("train/adam"), n, params, clock, gradient, r.Floats(n), r.Floats(n), on)
	require.NoError(t, r.Err)

	want, mean, square := widen(weights), make([]float64, n), make([]float64, n)
	for step := 1; step <= steps; step++ {
		g := random(rng, n)
		require.NoError(t, gpu.Write(gradient, g))
		run(t, r)
		require.Equal(t, []uint32{uint32(step), uint32((step - 1) % perEpoch * batch)}, read[uint32](t, clock)[:2])
		now := rate * (1 + math.Cos(math.Pi*float64(step-1)/steps)) / 2
		for i := range want {
			mean[i] = descent.Beta1*mean[i] + (1-descent.Beta1)*float64(g[i])
			square[i] = descent.Beta2*square[i] + (1-descent.Beta2)*float64(g[i])*float64(g[i])
			m := mean[i] / (1 - math.Pow(descent.Beta1, float64(step)))
			v := square[i] / (1 - math.Pow(descent.Beta2, float64(step)))
			want[i] -= now * m / (math.Sqrt(v) + descent.Epsilon)
		}
		requireClose(t, want, read[float32](t, on), 2e-6)
	}
}
