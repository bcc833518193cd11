// Package vit runs and trains a small vision transformer: an image becomes
// 16 tokens, one for each patch of 7 × 7. In each of two layers every token looks at all of them,
// by four heads.
package vit

import (
	"time"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// A Network is a set of weights on a device, with the pipeline that runs batches through it. Only
// one goroutine may use it at a time.
type Network struct {
	made    *plan.Recorder // shader and weights
	forward *gpu.Pipeline
	weights *gpu.Buffer
	trips   *plan.Trips
}

// submissionTimeout is the deadline of a submission. A CPU adapter compiles a shader when it first
// runs: seconds for fused/attention, half a minute for fused/attention-step.
const submissionTimeout = 3 * time.Minute

// New puts weights on the device and compiles the shader.
func New(device *gpu.Device, weights *Weights) (*Network, error) {
	if err := weights.Check(); err != nil {
		return nil, err
	}
	n := &Network{made: plan.NewRecorder(device.Within(submissionTimeout))}
	n.forward = n.made.Pipeline("fused/attention")
	n.weights = plan.Upload(n.made, weights.inOneRow())
	if n.made.Err != nil {
		n.made.Free()
		return nil, n.made.Err
	}
	n.trips = plan.NewTrips(n.made.Device, batchSizes.On(device.Adapter()), n.record)
	return n, nil
}

// Free releases the network's memory and shaders before the device is closed.
func (n *Network) Free() {
	n.trips.Free()
	n.made.Free()
}

// Weights reads the weights back from the device.
func (n *Network) Weights() (*Weights, error) {
	row, err := gpu.Read[float32](n.weights)
	if err != nil {
		return nil, err
	}
	return fromOneRow(row), nil
}

var batchSizes = plan.BatchSizes{GPU: 10_000, CPU: 500, Simulated: 20}

// record adds the pass over a number of images.
func (n *Network) record(r *plan.Recorder, images int) (pixels, out *gpu.Buffer) {
	pixels, out = r.Shared(images*network.Inputs/4), plan.Answer[float32](r, images*network.Outputs)
	params := r.Uniform(float32(network.Mean), float32(network.Stddev), uint32(Layers), uint32(Width/4))
	r.Groups(n.forward, [3]uint32{uint32(images), 1, 1}, params, pixels, n.weights, out)
	return pixels, out
}

// Forward runs the network on images of 784 bytes each, 0 black to 255 white, and returns ten
// probabilities for each image. Many images go in several batches.
func (n *Network) Forward(pixels []byte) ([]float32, error) { return n.trips.Forward(pixels) }
