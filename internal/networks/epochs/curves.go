package epochs

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// Curves holds the mean loss of each batch in two trainings. Both begin with the same weights and
// get the same batches in the same order.
type Curves struct {
	Batch     int // images in a step
	SGD, Adam []float32
	Shaders   []ownshaders.LessonShader // that ran
}

// curveStepsOn returns the number of steps in each of the two trainings. On two quiet cores, the
// simulator takes some seconds for both.
func curveStepsOn(kind shader.AdapterKind) int {
	if kind == shader.Simulated {
		return 40
	}
	return 60
}

// Descend trains a network twice for a few dozen steps with the learner's shaders: once with sgd,
// once with adam. The seed chooses the images. It reports the losses so far after each step.
func Descend(ctx context.Context, device *gpu.Device, work string, start *mlp.Weights, learn mnist.Set, sgdRate, adamRate float32, seed uint64, report func(*Curves)) (*Curves, error) {
	s, err := Open(ctx, device, work, start, learn, learn.First(1), sgdRate)
	if err != nil {
		return nil, err
	}
	pipelines, own, err := ownshaders.Pipelines(ctx, s.device, work, "adam")
	if err != nil {
		return nil, err
	}
	c := &Curves{Batch: s.Batch, Shaders: append(s.Shaders, own...)}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(learn.Len())
	steps := min(curveStepsOn(s.Adapter().Kind), len(order)/s.Batch)
	train := func(losses *[]float32) error {
		for step := range steps {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.step(order[step*s.Batch : (step+1)*s.Batch]); err != nil {
				return fmt.Errorf("step %d of the training: %w", step+1, err)
			}
			loss, err := s.loss()
			if err != nil {
				return err
			}
			*losses = append(*losses, float32(loss))
			report(c)
		}
		return nil
	}
	if err := train(&c.SGD); err != nil {
		return nil, err
	}
	if err := s.restart(); err != nil {
		return nil, err
	}
	if err := s.stepByAdam(pipelines, adamRate); err != nil {
		return nil, err
	}
	return c, train(&c.Adam)
}

// weightBuffers returns each buffer of weights with its values at the start.
func (s *TrainingLoop) weightBuffers() map[*gpu.Buffer][]float32 {
	return map[*gpu.Buffer][]float32{s.buffers.W1: s.start.W1, s.buffers.B1: s.start.B1, s.buffers.W2: s.start.W2, s.buffers.B2: s.start.B2}
}

// restart puts the weights back to those that the training began with.
func (s *TrainingLoop) restart() error {
	for buffer, values := range s.weightBuffers() {
		if err := gpu.Write(buffer, values); err != nil {
			return err
		}
	}
	return nil
}

// stepByAdam replaces the passes of sgd by those of adam, whose averages begin at 0.
func (s *TrainingLoop) stepByAdam(pipelines map[string]*gpu.Pipeline, rate float32) error {
	passes := training.NewPasses(s.device, pipelines, s.Batch, rate)
	rates := training.AdamRates{Rate: rate, Beta1: descent.Beta1, Beta2: descent.Beta2, Epsilon: descent.Epsilon}
	downhill := s.passes[:backwardPasses:backwardPasses]
	for _, of := range [][2]*gpu.Buffer{{s.buffers.DW1, s.buffers.W1}, {s.buffers.DB1, s.buffers.B1}, {s.buffers.DW2, s.buffers.W2}, {s.buffers.DB2, s.buffers.B2}} {
		gradient, weights := of[0], of[1]
		mean, err := gpu.Upload(s.device, make([]float32, weights.Len()))
		if err != nil {
			return err
		}
		square, err := gpu.Upload(s.device, make([]float32, weights.Len()))
		if err != nil {
			return err
		}
		downhill = append(downhill, passes.Adam(rates, gradient, training.AdamMemory{Mean: mean, Square: square}, weights))
	}
	s.passes = downhill
	return passes.Err()
}
