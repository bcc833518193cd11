package mlp

import (
	"context"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// DefaultTraining returns the settings that made the weights which ship with the course.
func DefaultTraining() descent.Settings {
	return descent.Settings{
		Epochs: 120, Batch: 250, Rate: 2e-3, HeldOut: 5000, Seed: 1,
		Distortion: descent.Distortion{Turn: 10, Size: 0.1, Slant: 0.15, Shift: 1, Rubber: 2},
	}
}

// Train trains a network from random weights on the device, as descent.Run does.
func Train(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, t descent.Settings, report func(descent.Progress)) (*descent.Trained[*Weights], error) {
	return descent.Train[*Weights](ctx, device, digits, t, newTrainer, report)
}

func newTrainer(device *gpu.Device, digits descent.LabelledImages, t descent.Settings) (*descent.Prepared[*Network], error) {
	together := 0
	if canFuse(device.Adapter()) {
		together = distortedTogether
	}
	return newTrainerFor(device, digits, t, together)
}

// newTrainerFor makes a trainer with fused steps, which distorts about together images in one pass.
// If together is 0, each step runs the passes of train/ one by one.
func newTrainerFor(device *gpu.Device, digits descent.LabelledImages, t descent.Settings, together int) (*descent.Prepared[*Network], error) {
	n, err := New(device, Initial(t.Seed))
	if err != nil {
		return nil, err
	}
	if together > 0 {
		return descent.Prepare(device, digits, t, n, func(tr *descent.Trainer, n *Network) { recordFused(tr, n, together) })
	}
	return descent.Prepare(device, digits, t, n, record)
}

// Initial returns random weights to train from.
func Initial(seed uint32) *Weights {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	return &Weights{
		W1: parameters.HeNormal(random, Inputs, Inputs*Hidden), B1: make([]float32, Hidden),
		W2: parameters.HeNormal(random, Hidden, Hidden*Outputs), B2: make([]float32, Outputs),
		Normalisation: MNIST,
	}
}

// record makes the buffers and the passes of one step: distort a batch, run it forward, compute the
// loss, run it backward, update the weights.
func record(tr *descent.Trainer, n *Network) {
	r, batch := tr.Made, tr.Batch
	r.Share(n.made)
	p, h := n.plan(batch)
	x, hidden, scores, dHidden := r.Buffer(p.Input), r.Buffer(h), r.Buffer(p.Output), r.Floats(batch*Hidden)

	m := uint32(batch)
	first := r.Uniform(m, uint32(Hidden), uint32(Inputs))
	second := r.Uniform(m, uint32(Outputs), uint32(Hidden))
	hiddenRows := r.Uniform(m, uint32(Hidden))
	outputRows := r.Uniform(m, uint32(Outputs))

	w1, b1 := tr.Learn(n.weights[0]), tr.Learn(n.weights[1])
	w2, b2 := tr.Learn(n.weights[2]), tr.Learn(n.weights[3])
	gradientWeights, gradientBias := r.Pipeline("train/gradient-weights"), r.Pipeline("train/gradient-bias")

	tr.Begin(n.normalisation.Mean, n.normalisation.Stddev, x)
	r.Add(p.Layers...)
	r.Over(r.Pipeline("train/loss"), batch, outputRows, tr.Clock, tr.Order, tr.Labels, scores, tr.Losses)
	dScores := scores // the loss has replaced them
	r.Groups(gradientWeights, plan.Blocks(Hidden, Outputs), second, hidden, dScores, w2.Gradient)
	r.Over(gradientBias, Outputs, outputRows, dScores, b2.Gradient)
	r.Grid(r.Pipeline("train/gradient-relu"), Hidden, batch, second, dScores, n.weights[2], hidden, dHidden)
	r.Groups(gradientWeights, plan.Blocks(Inputs, Hidden), first, x, dHidden, w1.Gradient)
	r.Over(gradientBias, Hidden, hiddenRows, dHidden, b1.Gradient)
	tr.End()
}
