// Package mlp runs and trains the network of the course on a device: 784 pixels, 128 hidden neurons
// with relu, 10 outputs with softmax. A network that learned a sign has an eleventh.
//
//	weights, err := mlp.Trained() // or mlp.Load(path)
//	network, err := mlp.New(device, weights)
//	probabilities, err := network.Forward(pixels) // 784 bytes an image
package mlp

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Shaders holds WGSL sources for the passes of a Network. Each has the bindings and the dispatch of
// the exercise with its name; "" means the built-in one.
type Shaders struct {
	Normalize string // params{n, mean, stddev}, pixels, out
	Linear    string // dims{m, n, k}, x, w, bias, out; for both layers
	Relu      string // data
	Softmax   string // dims{rows, cols}, data
}

// A Network is a set of weights on a device, with the pipelines that run it. Only one goroutine may
// use it at a time.
type Network struct {
	normalisation Normalisation
	sign          string
	classes       int
	made          *plan.Recorder // shaders and weights

	operands []*plan.Operand // w1, b1, w2, b2
	weights  []*gpu.Buffer   // of operands

	fused bool   // Forward uses the shaders in fused/ of package shaders
	chunk int    // the images per dispatch, limited by the shaders' workgroup sizes
	batch *batch // for the number of images of the last call
	trip  *trip  // likewise
}

// An Option changes how New makes a network.
type Option func(*Shaders)

// WithShaders runs a network with other shaders, such as a learner's.
func WithShaders(sources Shaders) Option { return func(k *Shaders) { *k = sources } }

// New puts weights on the device and compiles the shaders. If a shader does not compile, the error
// is a *shader.CompileError.
func New(device *gpu.Device, weights *Weights, options ...Option) (*Network, error) {
	if err := weights.Check(); err != nil {
		return nil, err
	}
	var sources Shaders
	for _, option := range options {
		option(&sources)
	}
	fused := device.Adapter().Kind == shader.GPU && sources == Shaders{} && weights.Sign == ""
	return newNetwork(device, weights, sources, fused)
}

func newNetwork(device *gpu.Device, weights *Weights, sources Shaders, fused bool) (*Network, error) {
	n := &Network{normalisation: weights.Normalisation, sign: weights.Sign, classes: weights.Classes(), made: plan.NewRecorder(device), fused: fused, operands: weights.parameters().Operands()}
	n.compile(sources)
	for _, o := range n.operands {
		n.weights = append(n.weights, n.made.Buffer(o))
	}
	if n.made.Err != nil {
		n.made.Free()
		return nil, n.made.Err
	}
	n.chunk = n.largestChunk()
	return n, nil
}

func (n *Network) compile(sources Shaders) {
	for _, one := range []struct{ id, source, usual string }{
		{"normalize", sources.Normalize, "normalize"},
		{"relu", sources.Relu, "relu"},
		{"softmax", sources.Softmax, "softmax"},
		{"linear", sources.Linear, plan.InBlocks},
	} {
		if one.source == "" {
			n.made.Use(one.id, one.usual)
		} else {
			n.made.Compile(one.id, one.source)
		}
	}
}

// batchSizes limit a batch to 45 MB, and to one second in the simulator on two busy cores.
var batchSizes = plan.BatchSizes{GPU: 10_000, CPU: 10_000, Simulated: 1000}

// largestChunk returns how many images the shaders can process in one dispatch. A device limits the
// number of workgroups along each axis.
func (n *Network) largestChunk() int {
	adapter := n.made.Device.Adapter()
	most := int(adapter.Limits.WorkgroupsPerDimension)
	reach := func(exercise string, axis int) int {
		return most * int(n.made.Pipeline(exercise).WorkgroupSize()[axis])
	}
	return min(batchSizes.On(adapter),
		reach("normalize", 0)/Inputs,
		reach("linear", 1),
		reach("relu", 0)/Hidden,
		most) // softmax: one workgroup per row
}

// Weights reads the weights back from the device.
func (n *Network) Weights() (*Weights, error) {
	w := &Weights{Normalisation: n.normalisation, Sign: n.sign}
	for i, b := range n.weights {
		values, err := gpu.Read[float32](b)
		if err != nil {
			return nil, err
		}
		*w.parameters()[i].Values = values
	}
	return w, nil
}

// Free releases the network's memory and shaders before the device is closed.
func (n *Network) Free() {
	if n.trip != nil {
		n.trip.free()
	}
	if n.batch != nil {
		n.batch.made.Free()
	}
	n.made.Free()
}

// Forward runs the network on images of 784 bytes each, 0 black to 255 white, and returns a
// probability of each class for each image. One submission uploads the pixels, runs all passes and
// reads the result back; nothing is read back in between. Many images go in chunks of up to 10,000.
func (n *Network) Forward(pixels []byte) ([]float32, error) {
	probabilities := make([]float32, len(pixels)/Inputs*n.classes)
	if err := n.ForwardInto(probabilities, pixels); err != nil {
		return nil, err
	}
	return probabilities, nil
}

// ForwardInto is Forward with memory for the result, a number of each class for each image. Reuse
// that memory in a loop: allocating it for each call would take longer than the GPU's work.
func (n *Network) ForwardInto(probabilities []float32, pixels []byte) error {
	return inChunks(n, pixels, probabilities, func(some []byte, probabilities []float32) error {
		inPlace := n.inPlace(some)
		if inPlace && len(some) != n.trip.images*Inputs {
			some, inPlace = slices.Clone(some), false // another trip needs other memory
		}
		t, err := n.tripOf(len(some) / Inputs)
		if err != nil {
			return err
		}
		if inPlace {
			some = nil // the pixels are already in place
		}
		return gpu.Run(t.round, some, probabilities)
	})
}

// inPlace reports whether the pixels are in memory that Pixels returned.
func (n *Network) inPlace(pixels []byte) bool {
	if n.trip == nil {
		return false
	}
	memory := n.trip.round.Memory()
	start, at := uintptr(unsafe.Pointer(unsafe.SliceData(memory))), uintptr(unsafe.Pointer(unsafe.SliceData(pixels)))
	return at >= start && at < start+uintptr(len(memory))
}

// inChunks runs the images in chunks that fit in one dispatch, and fills in their probabilities.
func inChunks[T byte | float32](n *Network, images []T, probabilities []float32, run func(some []T, probabilities []float32) error) error {
	return plan.InBatches(images, n.chunk, func(from, to int) error {
		if want := len(images) / Inputs * n.classes; len(probabilities) != want {
			return fmt.Errorf("%d probabilities for %d images do not fit: there is room for %d", want, len(images)/Inputs, len(probabilities))
		}
		return run(images[from*Inputs:to*Inputs], probabilities[from*n.classes:to*n.classes])
	})
}

// A batch holds the buffers for a number of images, and the passes over them:
// normalize, linear, relu, linear, softmax.
type batch struct {
	images         int
	made           *plan.Recorder
	pixels, x, out *gpu.Buffer // as bytes; normalised; probabilities
	hidden         *gpu.Buffer // the output of relu
}

func (n *Network) batchOf(images int) (*batch, error) {
	if n.batch != nil && n.batch.images == images {
		return n.batch, nil
	}
	if n.batch != nil {
		n.dropBatch()
	}
	n.batch = n.newBatch(images)
	if err := n.batch.made.Err; err != nil {
		n.batch.made.Free()
		n.batch = nil
		return nil, fmt.Errorf("preparing a batch of %d images: %w", images, err)
	}
	return n.batch, nil
}

// dropBatch frees the batch, and the trip that uses its passes.
func (n *Network) dropBatch() {
	if n.trip != nil && n.trip.made == nil {
		n.trip.free()
		n.trip = nil
	}
	n.batch.made.Free()
	n.batch = nil
}

func (n *Network) newBatch(images int) *batch {
	r := plan.NewRecorder(n.made.Device)
	r.Share(n.made)
	p, hidden := n.plan(images)
	r.Add(p.Operations()...)
	return &batch{images, r, r.Buffer(p.Pixels), r.Buffer(p.Input), r.Buffer(p.Output), r.Buffer(hidden)}
}

func (n *Network) plan(images int) (p plan.Plan, hidden *plan.Operand) {
	return plan.Plain(images, n.operands, n.normalisation.Mean, n.normalisation.Stddev)
}
