// Package cnn runs and trains the convolutional network: 16 filters of 3 × 3 with relu and
// max-pool, 32 filters with relu and max-pool, and a linear layer with softmax.
package cnn

import (
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// A Network is a set of weights on a device, with the pipelines that run batches through it. Only
// one goroutine may use it at a time.
type Network struct {
	made                   *plan.Recorder // shaders and weights
	w1, b1, w2, b2, w3, b3 *gpu.Buffer
	fused                  *fused // nil if the passes are apart
	trips                  *plan.Trips
}

// New puts weights on the device and compiles the shaders.
func New(device *gpu.Device, weights *Weights) (*Network, error) {
	return newNetwork(device, weights, runsInOnePass(device.Adapter()))
}

// newNetwork makes a network that is one pass, or several. One pass holds the filters in another
// order, so a training can't change its weights.
func newNetwork(device *gpu.Device, weights *Weights, inOnePass bool) (*Network, error) {
	if err := weights.Check(); err != nil {
		return nil, err
	}
	n := &Network{made: plan.NewRecorder(device)}
	into := []**gpu.Buffer{&n.w1, &n.b1, &n.w2, &n.b2, &n.w3, &n.b3}
	for i, p := range weights.parameters() {
		*into[i] = plan.Upload(n.made, *p.Values)
	}
	if inOnePass {
		n.fused = newFused(n.made, weights)
	}
	if n.made.Err != nil {
		n.made.Free()
		return nil, n.made.Err
	}
	most := batchSizes.On(device.Adapter())
	if inOnePass {
		most = fusedBatch
	}
	n.trips = plan.NewTrips(device, most, n.record)
	return n, nil
}

// Free releases the network's memory and shaders before the device is closed.
func (n *Network) Free() {
	n.trips.Free()
	n.made.Free()
}

// Weights reads the weights back from the device.
func (n *Network) Weights() (*Weights, error) {
	w := &Weights{}
	for i, b := range []*gpu.Buffer{n.w1, n.b1, n.w2, n.b2, n.w3, n.b3} {
		values, err := gpu.Read[float32](b)
		if err != nil {
			return nil, err
		}
		*w.parameters()[i].Values = values
	}
	return w, nil
}

// layers holds what the passes of a batch leave, from the images to the scores.
type layers struct {
	x                             *gpu.Buffer // normalised pixels
	conv1, pool1, conv2, pool2    *gpu.Buffer
	scores                        *gpu.Buffer
	first, second                 *gpu.Buffer // sizes of the convolutions
	afterFirst, afterSecond, last *gpu.Buffer // sizes of the pools, and of the linear layer
}

func (n *Network) layers(r *plan.Recorder, images int) layers {
	m := uint32(images)
	return layers{
		x:     r.Floats(images * network.Inputs),
		conv1: r.Floats(images * First * Side * Side), pool1: r.Floats(images * First * Side * Side / 4),
		conv2: r.Floats(images * Second * Side * Side / 4), pool2: r.Floats(images * Features),
		scores:      r.Floats(images * network.Outputs),
		first:       r.Uniform(m, uint32(Side), uint32(Side), uint32(1), uint32(First)),
		second:      r.Uniform(m, uint32(Side/2), uint32(Side/2), uint32(First), uint32(Second)),
		afterFirst:  r.Uniform(m*First, uint32(Side), uint32(Side)),
		afterSecond: r.Uniform(m*Second, uint32(Side/2), uint32(Side/2)),
		last:        r.Uniform(m, uint32(network.Outputs), uint32(Features)),
	}
}

// filtersAtOnce is how many filters an invocation of train/conv computes, and how many channels one
// of train/gradient-image.
const filtersAtOnce = 4

// forward adds the passes from the normalised images to the scores.
func (n *Network) forward(r *plan.Recorder, l layers, images int) {
	conv, pool := r.Pipeline("train/conv"), r.Pipeline("train/pool")
	r.Grid(conv, images*Side*Side, First/filtersAtOnce, l.first, l.x, n.w1, n.b1, l.conv1)
	r.Over(pool, images*First*Side*Side/4, l.afterFirst, l.conv1, l.pool1)
	r.Grid(conv, images*Side*Side/4, Second/filtersAtOnce, l.second, l.pool1, n.w2, n.b2, l.conv2)
	r.Over(pool, images*Features, l.afterSecond, l.conv2, l.pool2)
	r.Groups(r.Pipeline("train/linear"), plan.Blocks(images, network.Outputs), l.last, l.pool2, n.w3, n.b3, l.scores)
}

// batchSizes are those of the passes, which need 100 kB per image.
var batchSizes = plan.BatchSizes{GPU: 1000, CPU: 100, Simulated: 20}

// record adds the passes over a number of images: one, or one for each step of each layer.
func (n *Network) record(r *plan.Recorder, images int) (pixels, out *gpu.Buffer) {
	if n.fused != nil {
		return n.fused.record(n, r, images)
	}
	pixels = r.Shared(images * network.Inputs / 4)
	l := n.layers(r, images)
	r.Over(r.Pipeline("normalize"), images*network.Inputs, r.Uniform(uint32(images*network.Inputs), float32(network.Mean), float32(network.Stddev)), pixels, l.x)
	n.forward(r, l, images)
	r.Groups(r.Pipeline("softmax"), [3]uint32{uint32(images), 1, 1}, r.Uniform(uint32(images), uint32(network.Outputs)), l.scores)
	return pixels, l.scores
}

// Forward runs the network on images of 784 bytes each, 0 black to 255 white, and returns ten
// probabilities for each image. Many images go in several batches.
func (n *Network) Forward(pixels []byte) ([]float32, error) { return n.trips.Forward(pixels) }
