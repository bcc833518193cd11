package training

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

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

func normal(random *rand.Rand, n int, spread float64) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * spread)
	}
	return values
}
