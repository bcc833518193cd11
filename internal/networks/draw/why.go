package draw

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/why"
)

// question is what the page asks about a probability.
type question struct {
	Digit   int  `json:"digit"`
	Filters bool `json:"beside"` // of the network beside the plain one
}

// reason is the answer: the pixels that counted, and the way to them.
type reason struct {
	Title string     `json:"title"`
	Heat  []byte     `json:"heat"` // as in pictures
	Steps []why.Told `json:"steps"`
}

// why follows a probability of an image of 28×28 bytes back to its pixels. It needs the simulator
// only, so drawings need not wait, except while a training replaces the weights.
func (r *reader) why(ctx context.Context, pixels []byte, q question) (*reason, error) {
	if len(pixels) != network.Inputs {
		return nil, fmt.Errorf("%d values are not one image: it has %d", len(pixels), network.Inputs)
	}
	n, err := r.explained(ctx, pixels, q.Filters)
	if err != nil {
		return nil, err
	}
	a, err := n.Ask(ctx, q.Digit)
	if err != nil {
		return nil, err
	}
	return &reason{a.Title(), shades(a.Input), a.Told()}, nil
}

// explained returns one of the networks for an image.
func (r *reader) explained(ctx context.Context, pixels []byte, filters bool) (*why.Traced, error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !filters {
		return why.Plain(r.weights, r.sources, pixels)
	}
	weights, err := cnn.Trained()
	if err != nil {
		return nil, err
	}
	return why.Filters(weights, r.sources, pixels)
}
