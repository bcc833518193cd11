package gpt

import (
	"context"
	"fmt"
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Schedule holds the settings of a training. Its samples are pieces of the text.
type Schedule struct {
	descent.Settings     // HeldOut counts samples at the end
	Length           int // letters of a sample
}

// DefaultTraining returns the settings that made the weights which ship with the course.
func DefaultTraining() Schedule {
	return Schedule{descent.Settings{Epochs: 60, Batch: 32, Rate: 3e-3, HeldOut: 256, Seed: 1}, 256}
}

// samples is how many samples a text has. Each epoch moves their beginnings by up to a length.
func (t Schedule) samples(letters []uint32) int { return len(letters)/t.Length - 1 }

// Check returns an error if a setting is wrong, or does not go with a text.
func (t Schedule) Check(letters []uint32) error {
	if err := t.Settings.Check(); err != nil {
		return err
	}
	if t.Length < 1 {
		return fmt.Errorf("samples of %d letters: they need at least one", t.Length)
	}
	if n := t.samples(letters); n-t.HeldOut-1 < t.Batch {
		return fmt.Errorf("a text of %d letters has %d samples of %d: the training holds out %d, and the others don't fill a batch of %d", len(letters), n, t.Length, t.HeldOut, t.Batch)
	}
	return nil
}

// Progress reports how far a training has come.
type Progress struct {
	descent.Progress         // its Loss is the mean of the epoch's last step
	HeldOutLoss      float64 // mean over the held-out samples, after the last epoch
}

// TrainedModel is the network of the epoch with the lowest loss on the held-out samples.
type TrainedModel struct {
	Weights     *Weights
	Epoch       int     // counted from 1
	Loss        float64 // of the epoch's last step
	HeldOutLoss float64 // natural logarithm, per letter
}

// submissionTimeout is the deadline of a submission. A CPU adapter compiles a shader when it first
// runs.
const submissionTimeout = 3 * time.Minute

// Train trains a network from random weights on the device, and keeps the one of the best epoch.
// When ctx ends, Train returns its error.
func Train(ctx context.Context, device *gpu.Device, s Dimensions, letters []uint32, t Schedule, report func(Progress)) (*TrainedModel, error) {
	if err := t.Check(letters); err != nil {
		return nil, err
	}
	tr, err := newTrainer(device, Initial(s, t.Seed), letters, t)
	if err != nil {
		return nil, fmt.Errorf("preparing the training: %w", err)
	}
	defer tr.free()
	var best *TrainedModel
	progress := Progress{Progress: descent.Progress{Steps: t.Epochs * tr.StepsPerEpoch}}
	for progress.Epoch < t.Epochs {
		err := tr.Epoch(ctx, &progress.Progress, func(p descent.Progress) { progress.Progress = p; report(progress) })
		if err != nil {
			return nil, err
		}
		if progress.HeldOutLoss, err = tr.heldOutLoss(ctx); err != nil {
			return nil, err
		}
		if best == nil || progress.HeldOutLoss < best.HeldOutLoss {
			w, err := tr.weights()
			if err != nil {
				return nil, err
			}
			best = &TrainedModel{w, progress.Epoch, progress.Loss, progress.HeldOutLoss}
		}
		report(progress)
	}
	return best, nil
}

// parts is how many workgroups share the sum over the rows of a step.
const parts = 32

// A trainer holds the passes of a step, and the forward half of them once more for the samples
// that are held out.
type trainer struct {
	*descent.Trainer
	length int // of a sample
	shape  Dimensions

	parameters parameters.List // of the network on the device
	held       *gpu.Buffer     // the order of the held-out samples
	forward    []gpu.Pass      // over the samples in Order, from the first

	rows    int
	buffers map[string]*gpu.Buffer // of the weights, by name
	learned map[string]descent.Learned
	partial *gpu.Buffer
	none    *gpu.Buffer // zeros: a bias that adds nothing
}

func newTrainer(device *gpu.Device, w *Weights, letters []uint32, t Schedule) (*trainer, error) {
	samples := t.samples(letters) - 1
	tr := &trainer{
		Trainer: descent.NewSamples(device.Within(submissionTimeout), samples-t.HeldOut, t.Settings), length: t.Length, shape: w.Dimensions,
		parameters: w.Parameters(), rows: t.Batch * t.Length, buffers: map[string]*gpu.Buffer{}, learned: map[string]descent.Learned{},
	}
	r := tr.Made
	for _, p := range tr.parameters {
		tr.buffers[p.Name] = plan.Upload(r, *p.Values)
		tr.learned[p.Name] = tr.Learn(tr.buffers[p.Name])
	}
	tr.record(plan.Upload(r, letters))
	if r.Err != nil {
		tr.free()
		return nil, r.Err
	}
	return tr, nil
}

func (tr *trainer) free() { tr.Made.Free() }

// weights reads the weights back from the device.
func (tr *trainer) weights() (*Weights, error) {
	w := empty(tr.shape)
	for _, p := range w.Parameters() {
		values, err := gpu.Read[float32](tr.buffers[p.Name])
		if err != nil {
			return nil, err
		}
		*p.Values = values
	}
	return w, nil
}
