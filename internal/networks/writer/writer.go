// Package writer lets the language model write with shaders of the exercises, such as a learner's.
// Anew runs the network over the whole text for each letter. Cached keeps the keys and values of
// the letters so far, and runs it over the newest letter alone.
package writer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// ExercisesOfCached lists the exercises whose shaders Cached runs, in the order of their first
// pass.
func ExercisesOfCached(f WeightFormat) []string {
	all := []string{"embed", "layer-norm", "append", "attend", "vector-add", "gelu", "sample"}
	if strings.Contains(f.product, "/") { // the course's own
		return all
	}
	return slices.Insert(all, 2, f.product)
}

// ExercisesOfAnew lists those of Anew.
var ExercisesOfAnew = []string{"embed", "layer-norm", "linear", "causal-scores", "softmax", "mix", "vector-add", "gelu", "sample"}

// A LetterWriter draws the letter after a text. random is from 0 to 1, without 1. Only one
// goroutine may use it at a time.
type LetterWriter interface {
	Next(text []uint32, temperature, random float32) (uint32, error)
	// Scores returns the score of each letter of the alphabet at the last call of Next.
	Scores() ([]float32, error)
	Free()
}

// fits returns an error if the network can't go on with a text.
func fits(w *gpt.Weights, text []uint32) error {
	if len(text) == 0 {
		return errors.New("the text is empty: give it a beginning of at least one letter")
	}
	if len(text) > gpt.Most {
		return fmt.Errorf("the text has %d letters: the network remembers at most %d", len(text), gpt.Most)
	}
	for _, letter := range text {
		if int(letter) >= w.Letters {
			return fmt.Errorf("letter %d is not in an alphabet of %d", letter, w.Letters)
		}
	}
	return nil
}

// compile makes a recorder with the shaders of exercises. If one doesn't compile, its Err is a
// *shader.CompileError.
func compile(device *gpu.Device, exercises []string, sources map[string]string) *plan.Recorder {
	r := plan.NewRecorder(device)
	r.CompileAll(exercises, sources)
	return r
}

// A layer holds the weights of one layer on the device.
type layer struct {
	norm1, norm2           [2]*gpu.Buffer // gain and bias
	q, k, v, out, up, down []*gpu.Buffer  // weights, their scales if there are any, and bias
}

func norm(r *plan.Recorder, n *parameters.Norm) [2]*gpu.Buffer {
	return [2]*gpu.Buffer{plan.Upload(r, n.Gain), plan.Upload(r, n.Bias)}
}

// layersOf uploads the weights of all layers. weights uploads those of a linear layer.
func layersOf(r *plan.Recorder, w *gpt.Weights, weights func(l *parameters.Linear) []*gpu.Buffer) []layer {
	var all []layer
	linear := func(l *parameters.Linear) []*gpu.Buffer { return append(weights(l), plan.Upload(r, l.B)) }
	for i := range w.Layers {
		l := &w.Layers[i]
		all = append(all, layer{
			norm1: norm(r, &l.Norm1), norm2: norm(r, &l.Norm2),
			q: linear(&l.Q), k: linear(&l.K), v: linear(&l.V), out: linear(&l.Out), up: linear(&l.Up), down: linear(&l.Down),
		})
	}
	return all
}

// halves packs a matrix of inputs × outputs for gemv-half: a row for each output, two halves in a
// word.
func halves(w []float32, inputs, outputs int) []uint32 {
	words := make([]uint32, inputs*outputs/2)
	for output := range outputs {
		for input := range inputs {
			at := output*inputs + input
			words[at/2] |= uint32(numeric.F16Bits(w[input*outputs+output])) << (16 * (at % 2))
		}
	}
	return words
}

// transposed returns the transpose of a matrix.
func transposed(w []float32, rows, columns int) []float32 {
	out := make([]float32, len(w))
	for row := range rows {
		for column := range columns {
			out[column*rows+row] = w[row*columns+column]
		}
	}
	return out
}

// prefix returns how many letters two texts have in common, from the first on.
func prefix(a, b []uint32) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// words returns the bytes of members of a uniform.
func words(members ...uint32) []byte {
	var raw []byte
	for _, m := range members {
		raw = binary.LittleEndian.AppendUint32(raw, m)
	}
	return raw
}

// drawn reads the letter that sample chose.
func drawn(b *gpu.Buffer, letters int) (uint32, error) {
	read, err := gpu.Read[uint32](b)
	if err != nil {
		return 0, err
	}
	if int(read[0]) >= letters {
		return 0, fmt.Errorf("sample chose letter %d of %d", read[0], letters)
	}
	return read[0], nil
}
