package cnn

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Exercises lists the exercises whose shaders a Reader runs, in the order of their first pass.
var Exercises = []string{"normalize", "conv-2d", "relu", "max-pool", "linear", "softmax"}

// Hand holds four filters made by hand. They find the upper, lower, left and right edges of
// strokes.
var Hand = []float32{
	-1, -1, -1, 0, 0, 0, 1, 1, 1,
	1, 1, 1, 0, 0, 0, -1, -1, -1,
	-1, 0, 1, -1, 0, 1, -1, 0, 1,
	1, 0, -1, 1, 0, -1, 1, 0, -1,
}

const hands = 4 // filters in Hand

// A Reader reads one image at a time with shaders of the exercises, such as a learner's. Only one
// goroutine may use it at a time.
type Reader struct {
	made                               *plan.Recorder
	pixels, edges, first, second, prob *gpu.Buffer
}

// FeatureMaps holds what a Reader sees in an image.
type FeatureMaps struct {
	Probabilities []float32 // of the ten digits
	Edges         []float32 // a picture of 28 × 28 for each filter in Hand
	First         []float32 // First pictures of 28 × 28, after relu
	Second        []float32 // Second pictures of 14 × 14, after relu
}

// NewReader puts weights on the device and compiles the shaders, which are given by the exercise's
// id. If a shader does not compile, the error is a *shader.CompileError.
func NewReader(device *gpu.Device, w *Weights, sources map[string]string) (*Reader, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	r := &Reader{made: plan.NewRecorder(device)}
	r.made.CompileAll(Exercises, sources)
	r.record(w)
	if r.made.Err != nil {
		r.made.Free()
		return nil, fmt.Errorf("preparing the network with filters: %w", r.made.Err)
	}
	return r, nil
}

func (r *Reader) record(w *Weights) {
	m := r.made
	p, first, second := NewPlan(w)
	plain, edges := plan.Zeros("plain", network.Inputs), plan.Zeros("edges", hands*Side*Side)
	m.Add(plan.Normalize(p.Pixels, plain, 0, 1), filters(plain, plan.Numbers("hand", Hand), plan.Zeros("bias", hands), Side, edges))
	m.Add(p.Operations()...)
	r.pixels, r.edges, r.first, r.second, r.prob = m.Buffer(p.Pixels), m.Buffer(edges), m.Buffer(first), m.Buffer(second), m.Buffer(p.Output)
}

// Read reads an image of 784 bytes, in one submission.
func (r *Reader) Read(pixels []byte) (reading FeatureMaps, err error) {
	if len(pixels) != network.Inputs {
		return reading, fmt.Errorf("%d values are not one image: it has %d", len(pixels), network.Inputs)
	}
	if err := gpu.Write(r.pixels, network.Words(pixels)); err != nil {
		return reading, err
	}
	if err := r.made.Device.Submit(r.made.Passes...); err != nil {
		return reading, err
	}
	for b, into := range map[*gpu.Buffer]*[]float32{
		r.prob: &reading.Probabilities, r.edges: &reading.Edges, r.first: &reading.First, r.second: &reading.Second,
	} {
		if *into, err = gpu.Read[float32](b); err != nil {
			return reading, err
		}
	}
	return reading, nil
}

// Free releases the reader's memory and shaders before the device is closed.
func (r *Reader) Free() { r.made.Free() }
