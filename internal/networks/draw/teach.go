package draw

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/networks/epochs"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// shippedToLearn is how many of the digits that ship a training learns from. The rest are lesson
// 10's test.
const shippedToLearn = 9000

// progress is what the page hears while the network learns a sign.
type progress struct {
	Done    int     `json:"done,omitempty"`
	Steps   int     `json:"steps,omitempty"`
	Loss    float64 `json:"loss,omitempty"`
	Learned string  `json:"learned,omitempty"` // the sign, at the end
}

// teach trains the network on until it reads a sign, keeps the weights, and reads with them from
// now on. Drawings wait until then.
func (r *reader) teach(ctx context.Context, sign epochs.Sign, report func(progress)) error {
	if r.keep == "" {
		return errors.New("this sheet only reads")
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	digits, err := mnist.Test()
	if err != nil {
		return err
	}
	taught, err := epochs.Teach(ctx, r.device, r.work, r.weights, sign, digits.First(shippedToLearn), rand.Uint64(), func(done, steps int, loss float64) {
		report(progress{Done: done, Steps: steps, Loss: loss})
	})
	if err != nil {
		return fmt.Errorf("learning %s: %w", sign.Name, err)
	}
	if err := epochs.Keep(r.keep, taught); err != nil {
		return err
	}
	if err := r.readWith(taught); err != nil {
		return err
	}
	report(progress{Learned: sign.Name})
	return nil
}

// readWith makes the network of these weights the one that reads.
func (r *reader) readWith(weights *mlp.Weights) error {
	made, err := mlp.New(r.device, weights, mlp.WithShaders(r.shaders))
	if err != nil {
		return err
	}
	if r.network != nil {
		r.network.Free()
	}
	r.network, r.weights = made, weights
	return nil
}
