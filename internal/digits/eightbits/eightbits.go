// Package eightbits runs the plain network with weights of eight bits. Shaders of the exercises
// make bytes of the weights once, and of what each layer reads for every image.
package eightbits

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/digits/mlp"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/passes"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/shader"
)

// Exercises lists the exercises whose shaders a Quantized network runs, in the order of their first
// pass.
var Exercises = []string{"normalize", "absmax", "quantize", "linear-int8", "relu", "softmax"}

// A Layer holds the weights of a layer: a row of bytes for each neuron, four to a word, with the
// row's scale.
type Layer struct {
	Words  []uint32
	Scales []float32
	Bias   []float32
}

// Bytes returns the size of a layer's numbers.
func (l Layer) Bytes() int { return 4 * (len(l.Words) + len(l.Scales) + len(l.Bias)) }

// A Quantized network is the plain network in bytes, on a device. Only one goroutine may use it at
// a time.
type Quantized struct {
	First, Second Layer

	weights *mlp.Weights
	sources map[string]string
	device  *gpu.Device
}

// New makes bytes of weights, with the shaders that sources holds by the exercise's id. If one does
// not compile, the error is a *shader.CompileError.
func New(device *gpu.Device, w *mlp.Weights, sources map[string]string) (*Quantized, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	n := &Quantized{weights: w, sources: sources, device: device}
	var err error
	if n.First, err = n.layer(w.W1, w.B1); err != nil {
		return nil, err
	}
	n.Second, err = n.layer(w.W2, w.B2)
	return n, err
}

// layer makes bytes of weights, which have a column for each neuron.
func (n *Quantized) layer(weights, bias []float32) (Layer, error) {
	r := n.recorder()
	defer r.Free()
	neurons, inputs := len(bias), len(weights)/len(bias)
	rows := make([]float32, len(weights))
	for i, w := range weights {
		rows[i%neurons*inputs+i/neurons] = w
	}
	scales, words := n.bytes(r, passes.Upload(r, rows), neurons, inputs)
	if r.Err != nil {
		return Layer{}, fmt.Errorf("preparing to make bytes of the weights: %w", r.Err)
	}
	if err := n.device.Submit(r.Passes...); err != nil {
		return Layer{}, err
	}
	l := Layer{Bias: bias}
	var err error
	if l.Scales, err = gpu.Read[float32](scales); err != nil {
		return Layer{}, err
	}
	l.Words, err = gpu.Read[uint32](words)
	return l, err
}

// recorder returns a recorder with the network's shaders.
func (n *Quantized) recorder() *passes.Recorder {
	r := passes.New(n.device)
	r.CompileAll(Exercises, n.sources)
	return r
}

// bytes records the passes that make bytes of a matrix, and returns their scales and words.
func (n *Quantized) bytes(r *passes.Recorder, x *gpu.Buffer, rows, cols int) (scales, words *gpu.Buffer) {
	dims := r.Uniform(uint32(rows), uint32(cols))
	scales, words = r.Floats(rows), passes.Upload(r, make([]uint32, rows*cols/4))
	r.Groups(r.Pipeline("absmax"), [3]uint32{uint32(rows), 1, 1}, dims, x, scales)
	r.Over(r.Pipeline("quantize"), rows*cols/4, dims, x, scales, words)
	return scales, words
}

// linear records a layer, and returns its output.
func (n *Quantized) linear(r *passes.Recorder, x *gpu.Buffer, rows int, l Layer) *gpu.Buffer {
	neurons := len(l.Bias)
	inputs := 4 * len(l.Words) / neurons
	scales, words := n.bytes(r, x, rows, inputs)
	out := r.Floats(rows * neurons)
	r.Grid(r.Pipeline("linear-int8"), neurons, rows, r.Uniform(uint32(rows), uint32(neurons), uint32(inputs)),
		words, scales, passes.Upload(r, l.Words), passes.Upload(r, l.Scales), passes.Upload(r, l.Bias), out)
	return out
}

const (
	maxBatch       = 1000 // images in one submission
	simulatedBatch = 100  // in the simulator, for which the device has a deadline as well
)

// Forward runs the network on images of 784 bytes each, and returns the probabilities of each.
func (n *Quantized) Forward(pixels []byte) ([]float32, error) {
	if len(pixels) == 0 || len(pixels)%network.Inputs != 0 {
		return nil, fmt.Errorf("%d values are not a whole number of images of %d values each", len(pixels), network.Inputs)
	}
	most := maxBatch * network.Inputs
	if n.device.Adapter().Kind == shader.Simulated {
		most = simulatedBatch * network.Inputs
	}
	var probabilities []float32
	for done := 0; done < len(pixels); done += most {
		some, err := n.batch(pixels[done:min(len(pixels), done+most)])
		if err != nil {
			return nil, err
		}
		probabilities = append(probabilities, some...)
	}
	return probabilities, nil
}

func (n *Quantized) batch(pixels []byte) ([]float32, error) {
	r := n.recorder()
	defer r.Free()
	rows := len(pixels) / network.Inputs
	x := r.Floats(len(pixels))
	r.Over(r.Pipeline("normalize"), len(pixels),
		r.Uniform(uint32(len(pixels)), n.weights.Normalisation.Mean, n.weights.Normalisation.Stddev), passes.Upload(r, network.Words(pixels)), x)
	hidden := n.linear(r, x, rows, n.First)
	r.Over(r.Pipeline("relu"), rows*len(n.First.Bias), hidden)
	out := n.linear(r, hidden, rows, n.Second)
	r.Groups(r.Pipeline("softmax"), [3]uint32{uint32(rows), 1, 1}, r.Uniform(uint32(rows), uint32(len(n.Second.Bias))), out)
	if r.Err != nil {
		return nil, fmt.Errorf("preparing the network in bytes: %w", r.Err)
	}
	if err := n.device.Submit(r.Passes...); err != nil {
		return nil, err
	}
	return gpu.Read[float32](out)
}
