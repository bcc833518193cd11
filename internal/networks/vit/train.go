package vit

import (
	"context"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
)

// DefaultTraining returns the settings that made the weights which ship with the course. The images
// are distorted as for the other networks, so that all can be compared.
func DefaultTraining() descent.Settings {
	return descent.Settings{
		Epochs: 200, Batch: 100, Rate: 2e-3, HeldOut: 5000, Seed: 1,
		Distortion: descent.Distortion{Turn: 10, Size: 0.1, Slant: 0.15, Shift: 1, Rubber: 2},
	}
}

// Train trains a network from random weights on the device, as descent.Run does.
func Train(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, t descent.Settings, report func(descent.Progress)) (*descent.Trained[*Weights], error) {
	return descent.Train[*Weights](ctx, device, digits, t, newTrainer, report)
}

func newTrainer(device *gpu.Device, digits descent.LabelledImages, t descent.Settings) (*descent.Prepared[*Network], error) {
	n, err := New(device, Initial(t.Seed))
	if err != nil {
		return nil, err
	}
	return descent.Prepare(n.made.Device, digits, t, n, record)
}

// keptNumbers is how many numbers an image keeps from the forward half of a step for the backward
// half; KEPT in fused/attention-step is the same in vec4s.
const keptNumbers = 4 * 2944

// record makes the buffers and the passes of one step: distort a batch, run it forward and
// backward, add up the gradients of its images, update the weights.
func record(tr *descent.Trainer, n *Network) {
	r, batch := tr.Made, tr.Batch
	x := r.Floats(batch * network.Inputs)
	all := tr.Learn(n.weights)
	if r.Err != nil {
		return
	}
	numbers := n.weights.Len()
	kept, gradients := r.Floats(batch*keptNumbers), r.Floats(batch*numbers)
	tr.Begin(network.Mean, network.Stddev, x)
	r.Groups(r.Pipeline("fused/attention-step"), [3]uint32{uint32(batch), 1, 1}, r.Uniform(uint32(batch), uint32(Layers), uint32(Width/4)),
		tr.Clock, tr.Order, tr.Labels, x, n.weights, kept, gradients, tr.Losses)
	r.Over(r.Pipeline("train/gradient-bias"), numbers, r.Uniform(uint32(batch), uint32(numbers)), gradients, all.Gradient)
	tr.End()
}
