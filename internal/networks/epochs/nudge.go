package epochs

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A Nudge compares what the shaders say about a weight with what the loss does when it moves.
type Nudge struct {
	Weight   string  // "W1[203, 17]"
	Down, Up float64 // the mean loss with the weight a little smaller, and a little larger
	Slope    float64 // from Down to Up
	Gradient float64 // by the shaders
}

// forward and backward are the places of these passes in a step.
const (
	forwardPasses  = 5 // with the loss
	backwardPasses = 10
)

// Nudges moves some weights of each layer by a little, one at a time, and runs the first batch
// forward. It takes those with the steepest gradients.
func (s *TrainingLoop) Nudges(each int, by float32) ([]Nudge, error) {
	images := make([]int, s.Batch)
	for i := range images {
		images[i] = i
	}
	if err := s.load(images); err != nil {
		return nil, err
	}
	if err := s.device.Submit(s.passes[:backwardPasses]...); err != nil {
		return nil, err
	}
	first, err := s.nudged("W1", s.buffers.W1, s.buffers.DW1, each, by)
	if err != nil {
		return nil, err
	}
	second, err := s.nudged("W2", s.buffers.W2, s.buffers.DW2, each, by)
	return append(first, second...), err
}

func (s *TrainingLoop) nudged(name string, weights, gradient *gpu.Buffer, each int, by float32) (all []Nudge, err error) {
	values, err := gpu.Read[float32](weights)
	if err != nil {
		return nil, err
	}
	slopes, err := gpu.Read[float32](gradient)
	if err != nil {
		return nil, err
	}
	columns := s.buffers.B1.Len()
	if name == "W2" {
		columns = s.buffers.B2.Len()
	}
	for range each {
		i := steepest(slopes)
		n := Nudge{Weight: fmt.Sprintf("%s[%d, %d]", name, i/columns, i%columns), Gradient: float64(slopes[i])}
		slopes[i] = 0 // the next one is another
		before := values[i]
		up, down := before+by, before-by
		for to, loss := range map[float32]*float64{up: &n.Up, down: &n.Down} {
			values[i] = to
			if *loss, err = s.lossWith(weights, values); err != nil {
				return nil, err
			}
		}
		n.Slope = (n.Up - n.Down) / (float64(up) - float64(down))
		values[i] = before
		all = append(all, n)
	}
	return all, gpu.Write(weights, values)
}

// lossWith runs the batch forward with other weights.
func (s *TrainingLoop) lossWith(weights *gpu.Buffer, values []float32) (float64, error) {
	if err := gpu.Write(weights, values); err != nil {
		return 0, err
	}
	if err := s.device.Submit(s.passes[:forwardPasses]...); err != nil {
		return 0, err
	}
	return s.loss()
}

// steepest returns the place of the value that is furthest from 0.
func steepest(values []float32) int {
	best := 0
	for i, value := range values {
		if math.Abs(float64(value)) > math.Abs(float64(values[best])) {
			best = i
		}
	}
	return best
}
