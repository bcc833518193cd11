package cnn

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/passes"
	"github.com/wgslab/wgslab/internal/engine/gpu"
)

// Exercises lists the exercises whose shaders a Reader runs, in the order of their first pass.
var Exercises = []string{"normalize", "conv-2d", "relu", "max-pool", "linear", "softmax"}

// Hand holds four filters made by hand. They find the upper, lower, left and right edges of strokes.
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
	made                                         *passes.Recorder
	pixels, edges, first, second, prob           *gpu.Buffer
	normalize, conv, relu, pool, linear, softmax *gpu.Pipeline
}

// A Reading is what a Reader sees in an image.
type Reading struct {
	Probabilities []float32 // of the ten digits
	Edges         []float32 // a picture of 28 × 28 for each filter in Hand
	First         []float32 // First pictures of 28 × 28, after relu
	Second        []float32 // Second pictures of 14 × 14, after relu
}

// NewReader puts weights on the device and compiles the shaders, which are given by the exercise's id.
// If a shader does not compile, the error is a *shader.CompileError.
func NewReader(device *gpu.Device, w *Weights, sources map[string]string) (*Reader, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	r := &Reader{made: passes.New(device)}
	into := []**gpu.Pipeline{&r.normalize, &r.conv, &r.relu, &r.pool, &r.linear, &r.softmax}
	for i, id := range Exercises {
		*into[i] = r.made.Compile(id, sources[id])
	}
	r.record(w)
	if r.made.Err != nil {
		r.made.Free()
		return nil, fmt.Errorf("preparing the network with filters: %w", r.made.Err)
	}
	return r, nil
}

func (r *Reader) record(w *Weights) {
	m := r.made
	r.pixels = passes.Upload(m, make([]uint32, network.Inputs/4))
	x, plain := m.Floats(network.Inputs), m.Floats(network.Inputs)
	r.edges, r.first, r.second = m.Floats(hands*Side*Side), m.Floats(First*Side*Side), m.Floats(Second*Side*Side/4)
	pool1, pool2 := m.Floats(First*Side*Side/4), m.Floats(Features)
	r.prob = m.Floats(network.Outputs)

	m.Over(r.normalize, network.Inputs, m.Uniform(uint32(network.Inputs), float32(0), float32(1)), r.pixels, plain)
	r.filters(plain, Hand, make([]float32, hands), Side, r.edges)

	m.Over(r.normalize, network.Inputs, m.Uniform(uint32(network.Inputs), float32(network.Mean), float32(network.Stddev)), r.pixels, x)
	r.filters(x, w.W1, w.B1, Side, r.first)
	m.Over(r.relu, First*Side*Side, r.first)
	r.halve(r.first, First, Side, pool1)
	r.filters(pool1, w.W2, w.B2, Side/2, r.second)
	m.Over(r.relu, Second*Side*Side/4, r.second)
	r.halve(r.second, Second, Side/2, pool2)
	m.Grid(r.linear, network.Outputs, 1, m.Uniform(uint32(1), uint32(network.Outputs), uint32(Features)),
		pool2, passes.Upload(m, w.W3), passes.Upload(m, w.B3), r.prob)
	m.Groups(r.softmax, [3]uint32{1, 1, 1}, m.Uniform(uint32(1), uint32(network.Outputs)), r.prob)
}

// filters adds a pass of conv-2d, over pictures of side × side.
func (r *Reader) filters(x *gpu.Buffer, weights, bias []float32, side int, out *gpu.Buffer) {
	m, channels := r.made, len(weights)/len(bias)/taps
	sizes := m.Uniform(uint32(side), uint32(side), uint32(channels), uint32(len(bias)))
	m.Grid(r.conv, side*side, len(bias), sizes, x, passes.Upload(m, weights), passes.Upload(m, bias), out)
}

// halve adds a pass of max-pool.
func (r *Reader) halve(x *gpu.Buffer, channels, side int, out *gpu.Buffer) {
	r.made.Grid(r.pool, side*side/4, channels, r.made.Uniform(uint32(side), uint32(side), uint32(channels)), x, out)
}

// Read reads an image of 784 bytes, in one submission.
func (r *Reader) Read(pixels []byte) (reading Reading, err error) {
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
