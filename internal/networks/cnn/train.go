package cnn

import (
	"context"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// DefaultTraining returns the settings that made the weights which ship with the course. The images
// are distorted as for the plain network, so that the two can be compared.
func DefaultTraining() descent.Settings {
	return descent.Settings{
		Epochs: 60, Batch: 100, Rate: 2e-3, HeldOut: 5000, Seed: 1,
		Distortion: descent.Distortion{Turn: 10, Size: 0.1, Slant: 0.15, Shift: 1, Rubber: 2},
	}
}

// Train trains a network from random weights on the device, as descent.Run does.
func Train(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, t descent.Settings, report func(descent.Progress)) (*descent.Trained[*Weights], error) {
	return descent.Train[*Weights](ctx, device, digits, t, newTrainer, report)
}

func newTrainer(device *gpu.Device, digits descent.LabelledImages, t descent.Settings) (*descent.Prepared[*Network], error) {
	n, err := newNetwork(device, Initial(t.Seed), false)
	if err != nil {
		return nil, err
	}
	return descent.Prepare(device, digits, t, n, record)
}

// record makes the buffers and the passes of one step: distort a batch, run it forward, compute the
// loss, run it backward, update the weights.
func record(tr *descent.Trainer, n *Network) {
	r, batch := tr.Made, tr.Batch
	l := n.layers(r, batch)
	dPool2, dConv2 := r.Floats(batch*Features), r.Floats(batch*Second*Side*Side/4)
	dPool1, dConv1 := r.Floats(batch*First*Side*Side/4), r.Floats(batch*First*Side*Side)
	outputRows := r.Uniform(uint32(batch), uint32(network.Outputs))
	w1, b1 := tr.Learn(n.w1), tr.Learn(n.b1)
	w2, b2 := tr.Learn(n.w2), tr.Learn(n.b2)
	w3, b3 := tr.Learn(n.w3), tr.Learn(n.b3)

	tr.Begin(network.Mean, network.Stddev, l.x)
	n.forward(r, l, batch)
	r.Over(r.Pipeline("train/loss"), batch, outputRows, tr.Clock, tr.Order, tr.Labels, l.scores, tr.Losses)
	dScores := l.scores // the loss has replaced them

	r.Groups(r.Pipeline("train/gradient-weights"), plan.Blocks(Features, network.Outputs), l.last, l.pool2, dScores, w3.Gradient)
	r.Over(r.Pipeline("train/gradient-bias"), network.Outputs, outputRows, dScores, b3.Gradient)
	r.Grid(r.Pipeline("train/gradient-relu"), Features, batch, l.last, dScores, n.w3, l.pool2, dPool2)

	pool, filters := r.Pipeline("train/gradient-pool"), r.Pipeline("train/gradient-kernels")
	r.Over(pool, batch*Features, l.afterSecond, l.conv2, dPool2, dConv2)
	r.Groups(filters, [3]uint32{First, Second, 1}, l.second, l.pool1, dConv2, w2.Gradient, b2.Gradient)
	r.Grid(r.Pipeline("train/gradient-image"), batch*Side*Side/4, First/filtersAtOnce, l.second, dConv2, n.w2, dPool1)
	r.Over(pool, batch*First*Side*Side/4, l.afterFirst, l.conv1, dPool1, dConv1)
	r.Groups(filters, [3]uint32{1, First, 1}, l.first, l.x, dConv1, w1.Gradient, b1.Gradient)
	tr.End()
}
