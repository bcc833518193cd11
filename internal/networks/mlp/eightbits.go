// This file runs the plain network with weights of eight bits. Shaders of the exercises
// make bytes of the weights once, and of what each layer reads for every image.

package mlp

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
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

	weights *Weights
	sources map[string]string
	device  *gpu.Device
}

// New makes bytes of weights, with the shaders that sources holds by the exercise's id. If one does
// not compile, the error is a *shader.CompileError.
func NewQuantized(device *gpu.Device, w *Weights, sources map[string]string) (*Quantized, error) {
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
	scales, words, operations := inBytes(plan.Numbers("weights", rows), neurons)
	r.Add(operations...)
	if r.Err != nil {
		return Layer{}, fmt.Errorf("preparing to make bytes of the weights: %w", r.Err)
	}
	if err := n.device.Submit(r.Passes...); err != nil {
		return Layer{}, err
	}
	l := Layer{Bias: bias}
	var err error
	if l.Scales, err = gpu.Read[float32](r.Buffer(scales)); err != nil {
		return Layer{}, err
	}
	l.Words, err = gpu.Read[uint32](r.Buffer(words))
	return l, err
}

// recorder returns a recorder with the network's shaders.
func (n *Quantized) recorder() *plan.Recorder {
	r := plan.NewRecorder(n.device)
	r.CompileAll(Exercises, n.sources)
	return r
}

// inBytes returns the operations that make bytes of a matrix, and the scales and words they leave.
func inBytes(x *plan.Operand, rows int) (scales, words *plan.Operand, operations []plan.Operation) {
	dims := []uint32{uint32(rows), uint32(x.Size / rows)}
	scales, words = plan.Zeros(x.Name+" scales", rows), plan.Packed(x.Name+" bytes", make([]uint32, x.Size/4))
	return scales, words, []plan.Operation{
		{Exercise: "absmax", Workgroups: rows, Uniform: dims, Operands: []*plan.Operand{x, scales}},
		{Exercise: "quantize", Columns: words.Size, Rows: 1, Uniform: dims, Operands: []*plan.Operand{x, scales, words}},
	}
}

// instead returns the operations that run a layer in bytes instead of linear.
func (l Layer) instead(linear plan.Operation) []plan.Operation {
	x, bias, out := linear.Operands[0], linear.Operands[2], linear.Operands[3]
	scales, words, operations := inBytes(x, linear.Rows)
	linear.Exercise = "linear-int8"
	linear.Operands = []*plan.Operand{words, scales, plan.Packed("words", l.Words), plan.Numbers("scales", l.Scales), bias, out}
	return append(operations, linear)
}

// plan returns the plain network's plan with both layers in bytes.
func (n *Quantized) plan(images int) plan.Plan {
	p, _ := n.weights.Plan(images)
	first, relu, second := p.Layers[0], p.Layers[1], p.Layers[2]
	p.Layers = slices.Concat(n.First.instead(first), []plan.Operation{relu}, n.Second.instead(second))
	return p
}

var quantizedBatches = plan.BatchSizes{GPU: 1000, CPU: 1000, Simulated: 100}

// Forward runs the network on images of 784 bytes each, and returns the probabilities of each.
func (n *Quantized) Forward(pixels []byte) ([]float32, error) {
	var probabilities []float32
	err := plan.InBatches(pixels, quantizedBatches.On(n.device.Adapter()), func(from, to int) error {
		some, err := n.batch(pixels[from*network.Inputs : to*network.Inputs])
		probabilities = append(probabilities, some...)
		return err
	})
	return probabilities, err
}

func (n *Quantized) batch(pixels []byte) ([]float32, error) {
	r := n.recorder()
	defer r.Free()
	p := n.plan(len(pixels) / network.Inputs)
	p.Pixels.Words = network.Words(pixels)
	r.Add(p.Operations()...)
	out := r.Buffer(p.Output)
	if r.Err != nil {
		return nil, fmt.Errorf("preparing the network in bytes: %w", r.Err)
	}
	if err := n.device.Submit(r.Passes...); err != nil {
		return nil, err
	}
	return gpu.Read[float32](out)
}
