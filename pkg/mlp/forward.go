// Package mlp is the network of the course: 784 pixels, 128 hidden neurons with
// relu, 10 outputs with softmax. It loads weights, runs the network on the GPU,
// and trains it there.
//
//	weights, err := mlp.Trained() // or mlp.Load(path)
//	network, err := mlp.New(device, weights)
//	probabilities, err := network.Forward(pixels) // 784 bytes an image
package mlp

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/wgslab/wgslab/pkg/gpu"
)

// Kernels are WGSL sources for the passes of a Network. Each has the bindings
// and the dispatch of the exercise of its name; "" stands for the built-in one.
type Kernels struct {
	Normalize string // params{n, mean, stddev}, pixels, out
	Linear    string // dims{m, n, k}, x, w, bias, out; for both layers
	Relu      string // data
	Softmax   string // dims{rows, cols}, data
}

// A workgroup of train/linear and of train/gradient-weights makes a block of
// its result.
const (
	blockRows    = 4
	blockColumns = 128
)

// blocks is how many workgroups cover a result of rows × columns.
func blocks(rows, columns int) [3]uint32 {
	return [3]uint32{gpu.Groups(columns, blockColumns), gpu.Groups(rows, blockRows), 1}
}

// A Network is a set of weights on a device, with the kernels that run it. It
// is for one goroutine at a time.
type Network struct {
	normalisation Normalisation
	made          *recorder // kernels and weights

	normalize, linear, relu, softmax *gpu.Kernel
	blocked                          bool // linear is train/linear, which works in blocks

	w1, b1, w2, b2 *gpu.Buffer
	fused          bool   // Forward takes the kernels of package shaders' fused/
	chunk          int    // images at once, which the kernels' workgroup sizes bound
	batch          *batch // for the number of images seen last
	trip           *trip  // likewise
}

// An Option changes how New makes a network.
type Option func(*Kernels)

// WithKernels runs a network with other kernels, such as a learner's.
func WithKernels(kernels Kernels) Option { return func(k *Kernels) { *k = kernels } }

// New puts weights on the device and compiles the kernels. A kernel that does
// not compile comes back as a *gpu.CompileError.
func New(device *gpu.Device, weights *Weights, options ...Option) (*Network, error) {
	if err := weights.Check(); err != nil {
		return nil, err
	}
	var kernels Kernels
	for _, option := range options {
		option(&kernels)
	}
	return newNetwork(device, weights, kernels, device.Adapter().Kind == gpu.GPU && kernels == Kernels{})
}

func newNetwork(device *gpu.Device, weights *Weights, kernels Kernels, fused bool) (*Network, error) {
	n := &Network{normalisation: weights.Normalisation, made: newRecorder(device), fused: fused}
	n.compile(kernels)
	n.w1, n.b1 = upload(n.made, weights.W1), upload(n.made, weights.B1)
	n.w2, n.b2 = upload(n.made, weights.W2), upload(n.made, weights.B2)
	if n.made.err != nil {
		n.made.free()
		return nil, n.made.err
	}
	n.chunk = n.largestChunk()
	return n, nil
}

func (n *Network) compile(kernels Kernels) {
	n.normalize = n.choose("normalize", kernels.Normalize)
	n.relu = n.choose("relu", kernels.Relu)
	n.softmax = n.choose("softmax", kernels.Softmax)
	if kernels.Linear == "" {
		n.linear, n.blocked = n.made.kernel("train/linear"), true
	} else {
		n.linear = n.made.compile("linear", kernels.Linear)
	}
}

func (n *Network) choose(name, source string) *gpu.Kernel {
	if source == "" {
		return n.made.kernel(name)
	}
	return n.made.compile(name, source)
}

const (
	// maxChunk bounds the memory that a batch takes: 4.5 kB an image.
	maxChunk = 10_000
	// simulatedChunk bounds the time that a submission takes the simulator: a second
	// on two busy cores. The device's deadline is for one submission.
	simulatedChunk = 1000
)

// largestChunk is how many images the kernels can do in one dispatch: a device
// runs a limited number of workgroups along each axis.
func (n *Network) largestChunk() int {
	adapter := n.made.device.Adapter()
	most := int(adapter.Limits.WorkgroupsPerDimension)
	reach := func(k *gpu.Kernel, axis int) int { return most * int(k.WorkgroupSize()[axis]) }
	bound := maxChunk
	if adapter.Kind == gpu.Simulated {
		bound = simulatedChunk
	}
	return min(bound,
		reach(n.normalize, 0)/Inputs,
		reach(n.linear, 1),
		reach(n.relu, 0)/Hidden,
		most) // softmax: one workgroup a row
}

// Weights reads the weights back from the device.
func (n *Network) Weights() (*Weights, error) {
	w := &Weights{Normalisation: n.normalisation}
	for i, b := range []*gpu.Buffer{n.w1, n.b1, n.w2, n.b2} {
		values, err := gpu.Read[float32](b)
		if err != nil {
			return nil, err
		}
		*w.parts()[i].data = values
	}
	return w, nil
}

// Accuracy is the share of images, from 0 to 1, whose most probable digit is
// their label; of equally probable ones the lowest counts, as in argmax.
// probabilities are Forward's.
func Accuracy(probabilities []float32, labels []byte) float64 {
	right := 0
	for i, label := range labels {
		if mostProbable(probabilities[i*Outputs:(i+1)*Outputs]) == int(label) {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}

func mostProbable(row []float32) int {
	best := 0
	for digit, p := range row {
		if p > row[best] {
			best = digit
		}
	}
	return best
}

// Free gives the network's memory and kernels back ahead of the device's Close.
func (n *Network) Free() {
	if n.trip != nil {
		n.trip.free()
	}
	if n.batch != nil {
		n.batch.made.free()
	}
	n.made.free()
}

// Forward runs the network on images of 784 bytes each, 0 black to 255 white,
// and returns 10 probabilities an image. The pixels, all passes and the way back
// are one submission; nothing is read back in between. Many images go in chunks
// of up to 10,000.
func (n *Network) Forward(pixels []byte) ([]float32, error) {
	probabilities := make([]float32, len(pixels)/Inputs*Outputs)
	if err := n.ForwardInto(probabilities, pixels); err != nil {
		return nil, err
	}
	return probabilities, nil
}

// ForwardInto is Forward with a place for the result, 10 numbers an image: where it
// is called again and again, fresh memory each time takes longer than a GPU does.
func (n *Network) ForwardInto(probabilities []float32, pixels []byte) error {
	return inChunks(n, pixels, probabilities, func(some []byte, probabilities []float32) error {
		inPlace := n.inPlace(some)
		if inPlace && len(some) != n.trip.images*Inputs {
			some, inPlace = slices.Clone(some), false // another trip needs another memory
		}
		t, err := n.tripOf(len(some) / Inputs)
		if err != nil {
			return err
		}
		if inPlace {
			some = nil // the pixels are where they have to be already
		}
		return gpu.Run(t.round, some, probabilities)
	})
}

// inPlace is whether the pixels lie in memory that Pixels gave.
func (n *Network) inPlace(pixels []byte) bool {
	if n.trip == nil {
		return false
	}
	memory := n.trip.round.Memory()
	start, at := uintptr(unsafe.Pointer(unsafe.SliceData(memory))), uintptr(unsafe.Pointer(unsafe.SliceData(pixels)))
	return at >= start && at < start+uintptr(len(memory))
}

// ForwardNormalised is Forward for images whose 784 values are normalised
// already, as Normalisation.Apply does it.
func (n *Network) ForwardNormalised(x []float32) ([]float32, error) {
	probabilities := make([]float32, len(x)/Inputs*Outputs)
	err := inChunks(n, x, probabilities, func(some, probabilities []float32) error {
		b, err := n.batchOf(len(some) / Inputs)
		if err != nil {
			return err
		}
		if err := gpu.Write(b.x, some); err != nil {
			return err
		}
		if err := n.made.device.Submit(b.made.passes[1:]...); err != nil { // all but normalize
			return err
		}
		answer, err := gpu.Read[float32](b.out)
		copy(probabilities, answer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return probabilities, nil
}

// inChunks runs the images one chunk after the other, as many as fit in one
// dispatch, and fills in their probabilities.
func inChunks[T byte | float32](n *Network, images []T, probabilities []float32, run func(some []T, probabilities []float32) error) error {
	if len(images) == 0 || len(images)%Inputs != 0 {
		return fmt.Errorf("%d values are no whole number of images: each has %d", len(images), Inputs)
	}
	if want := len(images) / Inputs * Outputs; len(probabilities) != want {
		return fmt.Errorf("%d probabilities come of %d images, and there is room for %d", want, len(images)/Inputs, len(probabilities))
	}
	for done := 0; done < len(images); {
		end := min(len(images), done+n.chunk*Inputs)
		if err := run(images[done:end], probabilities[done/Inputs*Outputs:end/Inputs*Outputs]); err != nil {
			return err
		}
		done = end
	}
	return nil
}

// words packs bytes as the normalize kernel reads them, the first lowest.
func words(pixels []byte) []uint32 {
	packed := make([]uint32, len(pixels)/4)
	for i := range packed {
		packed[i] = binary.LittleEndian.Uint32(pixels[4*i:])
	}
	return packed
}

// A batch holds the buffers for a number of images, and the passes over them:
// normalize, linear, relu, linear, softmax.
type batch struct {
	images         int
	made           *recorder
	pixels, x, out *gpu.Buffer // as bytes; normalised; probabilities
	hidden         *gpu.Buffer // what relu leaves
}

func (n *Network) batchOf(images int) (*batch, error) {
	if n.batch != nil && n.batch.images == images {
		return n.batch, nil
	}
	if n.batch != nil {
		n.dropBatch()
	}
	n.batch = n.newBatch(images)
	if err := n.batch.made.err; err != nil {
		n.batch.made.free()
		n.batch = nil
		return nil, fmt.Errorf("preparing a batch of %d images: %w", images, err)
	}
	return n.batch, nil
}

// dropBatch frees the batch, and the trip that takes its passes.
func (n *Network) dropBatch() {
	if n.trip != nil && n.trip.made == nil {
		n.trip.free()
		n.trip = nil
	}
	n.batch.made.free()
	n.batch = nil
}

func (n *Network) newBatch(images int) *batch {
	r := newRecorder(n.made.device)
	b := &batch{images: images, made: r}
	b.pixels = upload(r, make([]uint32, images*Inputs/4))
	b.x = r.floats(images * Inputs)
	b.hidden = r.floats(images * Hidden)
	b.out = r.floats(images * Outputs)

	m := uint32(images)
	pixels := r.uniform(uint32(images*Inputs), n.normalisation.Mean, n.normalisation.Stddev)
	first := r.uniform(m, uint32(Hidden), uint32(Inputs))
	second := r.uniform(m, uint32(Outputs), uint32(Hidden))
	rows := r.uniform(m, uint32(Outputs))

	r.over(n.normalize, images*Inputs, pixels, b.pixels, b.x)
	n.layer(r, images, Hidden, first, b.x, n.w1, n.b1, b.hidden)
	r.over(n.relu, images*Hidden, b.hidden)
	n.layer(r, images, Outputs, second, b.hidden, n.w2, n.b2, b.out)
	r.groups(n.softmax, [3]uint32{m, 1, 1}, rows, b.out)
	return b
}

// layer adds the pass of one linear layer, whose result is rows × columns.
func (n *Network) layer(r *recorder, rows, columns int, buffers ...*gpu.Buffer) {
	if n.blocked {
		r.groups(n.linear, blocks(rows, columns), buffers...)
	} else {
		r.grid(n.linear, columns, rows, buffers...)
	}
}
