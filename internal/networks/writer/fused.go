package writer

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/plan"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// Fused writes several letters in one pass of shader fused/write, without the host between them.
type Fused struct {
	made *plan.Recorder
	w    *gpt.Weights

	scores *gpu.Buffer
	trip   *gpu.RoundTrip // takes what is asked, and brings the drawn letters
	seen   []uint32       // the letters whose keys and values are in the cache
}

// submissionTimeout is the deadline of a submission. A CPU adapter compiles the shader when it
// first runs.
const submissionTimeout = 3 * time.Minute

// NewFused puts weights of the shape that ships on the device, and compiles the shader.
func NewFused(device *gpu.Device, w *gpt.Weights) (*Fused, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	if w.Dimensions != gpt.Shipped {
		return nil, errors.New("shader fused/write has the sizes of the network that ships, and these weights have others")
	}
	f := &Fused{made: plan.NewRecorder(device.Within(submissionTimeout)), w: w}
	r := f.made
	matrices, vectors := packed(w)
	params := r.Uniform(uint32(w.Letters), uint32(w.Width), uint32(w.Hidden), uint32(len(w.Layers)), uint32(gpt.Most))
	asked, text := r.Shared(askedWords+gpt.Most+1), plan.Answer[uint32](r, gpt.Most)
	cache, shares := plan.Upload(r, make([]uint32, len(w.Layers)*gpt.Most*w.Width)), r.Floats(gpt.Most*w.Heads)
	f.scores = r.Floats(w.Letters)
	r.Groups(r.Pipeline("fused/write"), [3]uint32{1, 1, 1}, params, plan.Upload(r, matrices), plan.Upload(r, vectors), asked, cache, shares, text, f.scores)
	if r.Err == nil {
		f.trip, r.Err = r.Device.RoundTrip(asked, text, r.Passes...)
	}
	if r.Err != nil {
		r.Free()
		return nil, fmt.Errorf("preparing shader fused/write: %w", r.Err)
	}
	return f, nil
}

// Free releases the network's memory and its shader before the device is closed.
func (f *Fused) Free() {
	f.trip.Free()
	f.made.Free()
}

// Scores returns the score of each letter of the alphabet at the last call of Next or Extend.
func (f *Fused) Scores() ([]float32, error) { return gpu.Read[float32](f.scores) }

// Next draws the letter after a text.
func (f *Fused) Next(text []uint32, temperature, random float32) (uint32, error) {
	more, err := f.Extend(text, temperature, []float32{random})
	if err != nil {
		return 0, err
	}
	return more[0], nil
}

// Extend draws a letter for each random number, in one submission.
func (f *Fused) Extend(text []uint32, temperature float32, random []float32) ([]uint32, error) {
	if err := fits(f.w, text); err != nil {
		return nil, err
	}
	if end := len(text) + len(random) - 1; end > gpt.Most {
		return nil, fmt.Errorf("the text would have %d letters: the network remembers at most %d", end+1, gpt.Most)
	}
	first := min(prefix(f.seen, text), len(text)-1)
	asked := append([]uint32{uint32(first), uint32(len(text) - first), uint32(len(random)), math.Float32bits(temperature)}, text[first:]...)
	for _, r := range random {
		asked = append(asked, math.Float32bits(r))
	}
	drawn := make([]uint32, len(random))
	f.seen = f.seen[:first] // until the trip has ended
	if err := gpu.Run(f.trip, words(asked...), drawn); err != nil {
		return nil, err
	}
	f.seen = append(append(f.seen, text[first:]...), drawn[:len(drawn)-1]...)
	return drawn, nil
}

// askedWords is how many words of what is asked come before the letters and the random numbers.
const askedWords = 4

// packed returns the weights as fused/write has them: its matrices, and all other numbers.
func packed(w *gpt.Weights) (matrices []uint32, vectors []float32) {
	add := func(inputs int, parts ...[]float32) {
		for input := range inputs {
			var row []float32
			for _, part := range parts {
				outputs := len(part) / inputs
				row = append(row, part[input*outputs:(input+1)*outputs]...)
			}
			row = append(row, make([]float32, (8-len(row)%8)%8)...)
			for i := 0; i < len(row); i += 2 {
				matrices = append(matrices, uint32(numeric.F16Bits(row[i]))|uint32(numeric.F16Bits(row[i+1]))<<16)
			}
		}
	}
	add(w.Width, transposed(w.Table, w.Letters, w.Width))
	for i := range w.Layers {
		l := &w.Layers[i]
		add(w.Width, l.Q.W, l.K.W, l.V.W)
		add(w.Width, l.Out.W)
		add(w.Width, l.Up.W)
		add(w.Hidden, l.Down.W)
		for _, v := range [][]float32{l.Norm1.Gain, l.Norm1.Bias, l.Q.B, l.K.B, l.V.B, l.Out.B, l.Norm2.Gain, l.Norm2.Bias, l.Up.B, l.Down.B} {
			vectors = append(vectors, v...)
		}
	}
	return matrices, append(append(vectors, w.Norm.Gain...), w.Norm.Bias...)
}
