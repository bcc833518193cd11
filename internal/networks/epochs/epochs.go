// Package epochs trains the course's network with the learner's shaders, epoch by epoch.
package epochs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// DefaultRate is a learning rate that suits the batches.
const DefaultRate = 0.1

// batchOn returns how many images a step has. A step of 20 takes the simulator half a second on two
// cores.
func batchOn(kind shader.AdapterKind) int {
	if kind == shader.Simulated {
		return 20
	}
	return 50
}

// deadline is how long the device may take for a step. On a busy machine the simulator needs it.
const deadline = 2 * time.Minute

// Initial returns random weights to train from. Those of the first layer are small, so that one can
// see what the images make of them.
func Initial(seed uint32) *mlp.Weights {
	w := mlp.Initial(seed)
	for i := range w.W1 {
		w.W1[i] *= 0.1
	}
	return w
}

// A TrainingLoop trains the course's network with the learner's shaders, epoch by epoch.
type TrainingLoop struct {
	Learn, Test mnist.Set
	Batch       int                       // images in a step
	Shaders     []ownshaders.LessonShader // that run
	Epochs      int                       // done so far
	Seed        uint64                    // of the order of the images
	Trained     float64                   // epochs that the weights have behind them, earlier trainings included

	device  *gpu.Device
	start   *mlp.Weights
	buffers training.Buffers
	passes  []gpu.Pass
	read    mlp.Shaders // for reading the test images
}

// Open prepares a training on a device, from the given weights. work is the folder of the learner's
// shaders.
func Open(ctx context.Context, device *gpu.Device, work string, start *mlp.Weights, learn, test mnist.Set, rate float32) (*TrainingLoop, error) {
	device = device.Within(deadline)
	s := &TrainingLoop{Learn: learn, Test: test, Batch: batchOn(device.Adapter().Kind), device: device, start: start, Trained: start.Epochs}
	pipelines, shaders, err := ownshaders.Pipelines(ctx, device, work, training.Exercises...)
	if err != nil {
		return nil, err
	}
	s.Shaders = shaders
	for _, own := range shaders {
		switch own.ID {
		case "linear":
			s.read.Linear = own.Source
		case "relu":
			s.read.Relu = own.Source
		case "softmax":
			s.read.Softmax = own.Source
		}
	}
	n := training.LayerSizes{Inputs: mlp.Inputs, Hidden: mlp.Hidden, Outputs: start.Classes()}
	if s.buffers, err = training.NewBuffers(device, n, s.Batch, training.Weights{W1: start.W1, B1: start.B1, W2: start.W2, B2: start.B2}); err != nil {
		return nil, err
	}
	passes := training.NewPasses(device, pipelines, s.Batch, rate)
	s.passes = training.Step(passes, s.buffers)
	return s, passes.Err()
}

// Adapter returns what runs the training.
func (s *TrainingLoop) Adapter() shader.Adapter { return s.device.Adapter() }

// Steps returns the number of steps in an epoch. Images that don't fill a batch are left out.
func (s *TrainingLoop) Steps() int { return s.Learn.Len() / s.Batch }

// between returns how many steps pass between two looks at the loss, which make the host wait. The
// device's deadline applies to each wait, so the simulator has one for each step.
func (s *TrainingLoop) between() int {
	if s.Adapter().Kind == shader.Simulated {
		return 1
	}
	return 10
}

// Epoch trains on each image once, in a new order. Every few steps it reports the number of steps
// done, and the mean loss of the latest batch.
func (s *TrainingLoop) Epoch(ctx context.Context, report func(done int, loss float64)) error {
	order := rand.New(rand.NewPCG(s.Seed, uint64(s.Epochs))).Perm(s.Learn.Len())
	for done := range s.Steps() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.step(order[done*s.Batch : (done+1)*s.Batch]); err != nil {
			return fmt.Errorf("step %d of the training: %w", done+1, err)
		}
		s.Trained = s.start.Epochs + float64(s.Epochs) + float64(done+1)/float64(s.Steps())
		if (done+1)%s.between() == 0 || done == s.Steps()-1 {
			loss, err := s.loss()
			if err != nil {
				return err
			}
			report(done+1, loss)
		}
	}
	s.Epochs++
	return nil
}

func (s *TrainingLoop) step(images []int) error {
	if err := s.load(images); err != nil {
		return err
	}
	return s.device.Submit(s.passes...)
}

// load uploads some of the images as the batch.
func (s *TrainingLoop) load(images []int) error {
	x, label, n := make([]float32, 0, len(images)*mlp.Inputs), make([]uint32, 0, len(images)), s.start.Normalisation
	for _, i := range images {
		for _, pixel := range s.Learn.Image(i) {
			x = append(x, (float32(pixel)/255-n.Mean)/n.Stddev)
		}
		label = append(label, uint32(s.Learn.Labels[i]))
	}
	return errors.Join(gpu.Write(s.buffers.X, x), gpu.Write(s.buffers.Label, label))
}

func (s *TrainingLoop) loss() (float64, error) {
	losses, err := gpu.Read[float32](s.buffers.Loss)
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, loss := range losses {
		total += float64(loss)
	}
	return total / float64(len(losses)), nil
}

// Weights reads the weights back from the device.
func (s *TrainingLoop) Weights() (*mlp.Weights, error) {
	w := &mlp.Weights{Normalisation: s.start.Normalisation, Sign: s.start.Sign, Epochs: s.Trained}
	var failed error
	for part, buffer := range map[*[]float32]*gpu.Buffer{&w.W1: s.buffers.W1, &w.B1: s.buffers.B1, &w.W2: s.buffers.W2, &w.B2: s.buffers.B2} {
		values, err := gpu.Read[float32](buffer)
		*part, failed = values, errors.Join(failed, err)
	}
	return w, failed
}

// Read returns the network's probabilities for the test images, one of each class, and the share of
// them that it reads right. It runs the learner's shaders.
func (s *TrainingLoop) Read() (probabilities []float32, right float64, err error) {
	w, err := s.Weights()
	if err != nil {
		return nil, 0, err
	}
	n, err := mlp.New(s.device, w, mlp.WithShaders(s.read))
	if err != nil {
		return nil, 0, err
	}
	defer n.Free()
	if probabilities, err = n.Forward(s.Test.Images); err != nil {
		return nil, 0, err
	}
	return probabilities, network.Accuracy(probabilities, s.Test.Labels), nil
}
