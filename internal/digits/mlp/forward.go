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

	"github.com/wgslab/wgslab/internal/digits/passes"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/shader"
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
	made          *passes.Recorder // shaders and weights

	normalize, linear, relu, softmax *gpu.Pipeline
	blocked                          bool // linear is train/linear, which works in blocks

	w1, b1, w2, b2 *gpu.Buffer
	fused          bool   // Forward uses the shaders in fused/ of package shaders
	chunk          int    // the images per dispatch, limited by the shaders' workgroup sizes
	batch          *batch // for the number of images of the last call
	trip           *trip  // likewise
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
	n := &Network{normalisation: weights.Normalisation, sign: weights.Sign, classes: weights.Classes(), made: passes.New(device), fused: fused}
	n.compile(sources)
	n.w1, n.b1 = passes.Upload(n.made, weights.W1), passes.Upload(n.made, weights.B1)
	n.w2, n.b2 = passes.Upload(n.made, weights.W2), passes.Upload(n.made, weights.B2)
	if n.made.Err != nil {
		n.made.Free()
		return nil, n.made.Err
	}
	n.chunk = n.largestChunk()
	return n, nil
}

func (n *Network) compile(sources Shaders) {
	n.normalize = n.choose("normalize", sources.Normalize)
	n.relu = n.choose("relu", sources.Relu)
	n.softmax = n.choose("softmax", sources.Softmax)
	if sources.Linear == "" {
		n.linear, n.blocked = n.made.Pipeline("train/linear"), true
	} else {
		n.linear = n.made.Compile("linear", sources.Linear)
	}
}

func (n *Network) choose(name, source string) *gpu.Pipeline {
	if source == "" {
		return n.made.Pipeline(name)
	}
	return n.made.Compile(name, source)
}

const (
	// maxChunk limits the memory of a batch: 4.5 kB per image.
	maxChunk = 10_000
	// simulatedChunk limits the time of a submission in the simulator: one second on two busy
	// cores. The device's deadline applies to one submission.
	simulatedChunk = 1000
)

// largestChunk returns how many images the shaders can process in one dispatch. A device limits the
// number of workgroups along each axis.
func (n *Network) largestChunk() int {
	adapter := n.made.Device.Adapter()
	most := int(adapter.Limits.WorkgroupsPerDimension)
	reach := func(k *gpu.Pipeline, axis int) int { return most * int(k.WorkgroupSize()[axis]) }
	bound := maxChunk
	if adapter.Kind == shader.Simulated {
		bound = simulatedChunk
	}
	return min(bound,
		reach(n.normalize, 0)/Inputs,
		reach(n.linear, 1),
		reach(n.relu, 0)/Hidden,
		most) // softmax: one workgroup per row
}

// Weights reads the weights back from the device.
func (n *Network) Weights() (*Weights, error) {
	w := &Weights{Normalisation: n.normalisation, Sign: n.sign}
	for i, b := range []*gpu.Buffer{n.w1, n.b1, n.w2, n.b2} {
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
	if len(images) == 0 || len(images)%Inputs != 0 {
		return fmt.Errorf("%d values are not a whole number of images of %d values each", len(images), Inputs)
	}
	if want := len(images) / Inputs * n.classes; len(probabilities) != want {
		return fmt.Errorf("%d probabilities for %d images do not fit: there is room for %d", want, len(images)/Inputs, len(probabilities))
	}
	for done := 0; done < len(images); {
		end := min(len(images), done+n.chunk*Inputs)
		if err := run(images[done:end], probabilities[done/Inputs*n.classes:end/Inputs*n.classes]); err != nil {
			return err
		}
		done = end
	}
	return nil
}

// A batch holds the buffers for a number of images, and the passes over them:
// normalize, linear, relu, linear, softmax.
type batch struct {
	images         int
	made           *passes.Recorder
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
	r := passes.New(n.made.Device)
	b := &batch{images: images, made: r}
	b.pixels = passes.Upload(r, make([]uint32, images*Inputs/4))
	b.x = r.Floats(images * Inputs)
	b.hidden = r.Floats(images * Hidden)
	b.out = r.Floats(images * n.classes)

	m := uint32(images)
	pixels := r.Uniform(uint32(images*Inputs), n.normalisation.Mean, n.normalisation.Stddev)
	first := r.Uniform(m, uint32(Hidden), uint32(Inputs))
	second := r.Uniform(m, uint32(n.classes), uint32(Hidden))
	rows := r.Uniform(m, uint32(n.classes))

	r.Over(n.normalize, images*Inputs, pixels, b.pixels, b.x)
	n.layer(r, images, Hidden, first, b.x, n.w1, n.b1, b.hidden)
	r.Over(n.relu, images*Hidden, b.hidden)
	n.layer(r, images, n.classes, second, b.hidden, n.w2, n.b2, b.out)
	r.Groups(n.softmax, [3]uint32{m, 1, 1}, rows, b.out)
	return b
}

// layer adds the pass of one linear layer, which computes rows × columns values.
func (n *Network) layer(r *passes.Recorder, rows, columns int, buffers ...*gpu.Buffer) {
	if n.blocked {
		r.Groups(n.linear, passes.Blocks(rows, columns), buffers...)
	} else {
		r.Grid(n.linear, columns, rows, buffers...)
	}
}
