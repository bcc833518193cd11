package training

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// onEachBatch is the learner's loop around the passes of one step.
func onEachBatch(passes func(*Training) []gpu.Pass) func(*Training) error {
	return func(t *Training) error {
		for t.Next() {
			if err := t.Run(passes(t)...); err != nil {
				return err
			}
		}
		return nil
	}
}

// only makes some of the right passes, in an order.
func only(which ...int) func(*Training) []gpu.Pass {
	return func(t *Training) (some []gpu.Pass) {
		all := Step(&t.Passes, t.Buffers)
		for _, i := range which {
			some = append(some, all[i])
		}
		return some
	}
}

func TestTrainIsJudged(t *testing.T) {
	t.Chdir(t.TempDir())
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	for name, one := range map[string]struct {
		train func(*Training) error
		want  string // the diagnosis
		says  string // the message
	}{
		"right":         {onEachBatch(func(t *Training) []gpu.Pass { return Step(&t.Passes, t.Buffers) }), "", ""},
		"another order": {onEachBatch(only(0, 1, 2, 3, 4, 6, 7, 5, 9, 8, 13, 12, 11, 10)), "", ""},
		"nothing":       {func(*Training) error { return nil }, verdict.Stub, "Nothing is written yet: train asked for no batch."},
		"no passes":     {func(t *Training) error { t.Next(); t.Next(); return nil }, "no-step", "Nothing was submitted for a batch."},
		"one batch": {func(t *Training) error { t.Next(); return t.Run(Step(&t.Passes, t.Buffers)...) },
			"stopped-early", "train took 1 of 3 batches."},
		"only forward":   {onEachBatch(only(0, 1, 2, 3)), "no-loss", "Loss and D hold no numbers."},
		"no relu":        {onEachBatch(only(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)), "no-relu", "ReLU did not run on it."},
		"no softmax":     {onEachBatch(only(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)), "no-softmax", "softmax did not run on them."},
		"updated first":  {onEachBatch(only(0, 1, 2, 3, 4, 5, 6, 12, 13, 7, 8, 9, 10, 11)), "updated-first", "W2 was updated before DHidden was computed."},
		"no bias":        {onEachBatch(only(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13)), "no-update", "B1 did not move."},
		"twice":          {onEachBatch(only(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13)), "", "B2 took a wrong step."},
		"no gradient":    {onEachBatch(only(0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13)), "no-gradient", "DW1 holds no numbers."},
		"backward first": {onEachBatch(only(4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)), "no-loss", "Loss and D hold no numbers."},
		"reads back": {onEachBatch(func(t *Training) []gpu.Pass {
			_, _ = gpu.Read[float32](t.W1)
			return Step(&t.Passes, t.Buffers)
		}), "readback", "Your function read values back 1 time."},
		"one by one": {func(t *Training) error {
			for t.Next() {
				for _, pass := range Step(&t.Passes, t.Buffers) {
					if err := t.Run(pass); err != nil {
						return err
					}
				}
			}
			return nil
		}, "many-submissions", "There were 14 submissions for one batch; one is enough."},
		"wrong buffer": {onEachBatch(func(t *Training) []gpu.Pass { return []gpu.Pass{t.Relu(t.Label)} }), "", "Train returned an error"},
	} {
		t.Run(name, func(t *testing.T) {
			v, whose, err := check(device, one.train, 1)
			require.NoError(t, err)
			require.Contains(t, whose.Text(), "grad-hidden")
			require.Equal(t, one.says == "", v.Passed(), "%s", v.Message)
			require.Equal(t, one.want, v.Slug)
			require.Contains(t, v.Message, one.says)
		})
	}
}

// The gradients are those of the forward pass: what the reference shaders leave in the simulator,
// with floats of 64 bits, agrees with nudging each number and looking at the loss.
func TestGradientsAgreeWithNudging(t *testing.T) {
	const rows, inputs, hidden, outputs = 5, 7, 6, 4
	random := rand.New(rand.NewPCG(1, 10))
	x, w, bias := normal(random, rows*inputs, 1), normal(random, inputs*outputs, 1), normal(random, outputs, 1)
	label := make([]uint32, rows)
	for i := range label {
		label[i] = uint32(random.IntN(outputs))
	}

	t.Run("loss-grad", func(t *testing.T) {
		scores := normal(random, rows*outputs, 1)
		forward := func(scores []float32) []course.Buffer {
			prob := left(t, "softmax", [3]int{rows}, sizes(rows, outputs), shader.FloatBuffer(scores))[0]
			return left(t, "loss-grad", [3]int{rows}, sizes(rows, outputs), prob, shader.UintBuffer(label), course.Unwritten(rows), course.Unwritten(rows*outputs))
		}
		mean := func(scores []float32) float64 { return total(forward(scores)[0]) / rows }
		compare(t, forward(scores)[1], scores, 0x1p-6, mean)
	})

	d := normal(random, rows*outputs, 1)
	// Any loss whose gradient by the outputs is d will do: here the sum of d times the output.
	weighed := func(out course.Buffer) float64 {
		sum := 0.0
		for i := range d {
			sum += float64(d[i]) * out.At(i)
		}
		return sum
	}
	linear := func(x, w, bias []float32) course.Buffer {
		k := len(x) / rows
		return left(t, "linear", [3]int{outputs, rows}, sizes(rows, outputs, k),
			shader.FloatBuffer(x), shader.FloatBuffer(w), shader.FloatBuffer(bias), course.Unwritten(rows*outputs))[0]
	}
	t.Run("grad-weights", func(t *testing.T) {
		dw := left(t, "grad-weights", [3]int{outputs, inputs}, sizes(rows, outputs, inputs), shader.FloatBuffer(x), shader.FloatBuffer(d), course.Unwritten(inputs*outputs))[0]
		compare(t, dw, w, 1, func(w []float32) float64 { return weighed(linear(x, w, bias)) })
	})
	t.Run("grad-bias", func(t *testing.T) {
		db := left(t, "grad-bias", [3]int{outputs}, sizes(rows, outputs), shader.FloatBuffer(d), course.Unwritten(outputs))[0]
		compare(t, db, bias, 1, func(bias []float32) float64 { return weighed(linear(x, w, bias)) })
	})
	t.Run("grad-hidden", func(t *testing.T) {
		z, w := awayFromZero(normal(random, rows*hidden, 1)), normal(random, hidden*outputs, 1)
		relu := func(z []float32) course.Buffer { return left(t, "relu", [3]int{len(z)}, shader.FloatBuffer(z))[0] }
		dh := left(t, "grad-hidden", [3]int{hidden, rows}, sizes(rows, outputs, hidden), shader.FloatBuffer(d), shader.FloatBuffer(w), relu(z), course.Unwritten(rows*hidden))[0]
		compare(t, dh, z, 0x1p-4, func(z []float32) float64 { return weighed(linear(relu(z).Floats(), w, bias)) })
	})
}

// awayFromZero keeps a nudge from crossing the bend of relu, where there is no gradient.
func awayFromZero(z []float32) []float32 {
	for i, value := range z {
		z[i] = value + float32(math.Copysign(0.1, float64(value)))
	}
	return z
}

// left returns what the reference of an exercise leaves in its outputs.
func left(t *testing.T, id string, extent [3]int, buffers ...course.Buffer) (outputs []course.Buffer) {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	x, err := evidence.In(t.Context(), e, course.Case{Name: "gradient", Buffers: buffers, Extent: extent})
	require.NoError(t, err)
	for _, right := range x.All() {
		outputs = append(outputs, right.Output)
	}
	return outputs
}

func sizes(members ...int) course.Buffer {
	var words []shader.UniformWord
	for _, n := range members {
		words = append(words, shader.Uint(uint32(n)))
	}
	return shader.UniformBuffer(words...)
}

func total(b course.Buffer) float64 {
	sum := 0.0
	for i := range b.Len() {
		sum += b.At(i)
	}
	return sum
}

// compare nudges each value up and down, by a step and by half of it, and compares the slopes of
// the loss with the gradient. The two slopes together cancel the largest part of the steps' error.
func compare(t *testing.T, gradient course.Buffer, at []float32, step float64, loss func([]float32) float64) {
	t.Helper()
	largest := 0.0
	for i := range at {
		slope := func(step float64) float64 {
			up, down := append([]float32{}, at...), append([]float32{}, at...)
			up[i], down[i] = float32(float64(at[i])+step), float32(float64(at[i])-step)
			return (loss(up) - loss(down)) / (float64(up[i]) - float64(down[i]))
		}
		numeric := (4*slope(step/2) - slope(step)) / 3
		largest = max(largest, math.Abs(numeric-gradient.At(i)))
	}
	t.Logf("%d gradients: the largest difference from the numeric one is %.2g", len(at), largest)
	require.Less(t, largest, 1e-5)
}
