// Package why answers why a network gave a digit its probability. It runs the network's passes in the
// simulator and follows the probability back to the pixels that counted.
package why

import (
	"context"
	"fmt"
	"strconv"

	"github.com/wgslab/wgslab/internal/debug/wayback"
	"github.com/wgslab/wgslab/internal/digits/cnn"
	"github.com/wgslab/wgslab/internal/digits/mlp"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/passes"
	"github.com/wgslab/wgslab/internal/shader"
)

// A Network is a chain of passes for one image.
type Network struct {
	Name    string
	sign    string // the name of an eleventh class; "" if there is none
	chain   wayback.Chain
	buffers map[*passes.Array]*wayback.Buffer
	prob    *wayback.Buffer
	most    int // numbers followed in each pass
}

// An Answer says why a digit has its probability.
type Answer struct {
	*wayback.Way
	Network string
	Read    string // the digit, or the sign
}

// Exercises lists the exercises whose shaders the plain network runs; those of the network with
// filters are cnn.Exercises.
var Exercises = []string{"linear", "relu", "softmax"}

// How many numbers of each pass are followed. More of them change the picture little. A number of the
// plain network's first pass has 784 pixels to ask about, one of a filter only nine.
const (
	mostPlain   = 32
	mostFilters = 192
)

// Plain returns the network of lessons 6 to 8 for an image. sources holds the shaders by the id of
// their exercise.
func Plain(w *mlp.Weights, sources map[string]string, image []byte) (*Network, error) {
	array := func(name string, values []float32) *passes.Array { return &passes.Array{Name: name, Values: values} }
	x, hidden, out := passes.Zeros(passes.Input, network.Inputs), passes.Zeros("hidden", network.Hidden), passes.Zeros("out", w.Classes())
	n := &Network{Name: "the plain network", sign: w.Sign, most: mostPlain}
	n.begin(x, image, w.Normalisation)
	return n, n.add([]passes.Step{
		passes.Linear(1, x, array("w1", w.W1), array("b1", w.B1), hidden),
		passes.Relu(hidden),
		passes.Linear(1, hidden, array("w2", w.W2), array("b2", w.B2), out),
		passes.Softmax(1, out),
	}, out, sources)
}

// Filters returns the network of lesson 12 for an image.
func Filters(w *cnn.Weights, sources map[string]string, image []byte) (*Network, error) {
	p := cnn.NewPlan(w)
	n := &Network{Name: "the network with filters", most: mostFilters}
	n.begin(p.Input, image, mlp.MNIST)
	return n, n.add(p.Steps, p.Output, sources)
}

// begin sets the network's input to the image, as it is after normalize, and its empty input to an
// empty sheet.
func (n *Network) begin(input *passes.Array, image []byte, to mlp.Normalisation) {
	empty := make([]float32, len(image))
	for i, b := range image {
		input.Values[i], empty[i] = (float32(b)/255-to.Mean)/to.Stddev, -to.Mean/to.Stddev
	}
	n.buffers = map[*passes.Array]*wayback.Buffer{}
	n.chain.Input, n.chain.Empty = n.buffer(input), shader.FloatBuffer(empty).Bytes
}

// add adds the passes of steps, of which the last leaves the probabilities in prob.
func (n *Network) add(steps []passes.Step, prob *passes.Array, sources map[string]string) error {
	for _, s := range steps {
		var buffers []*wayback.Buffer
		if len(s.Uniform) > 0 {
			buffers = append(buffers, wayback.Uniform(s.Uniform...))
		}
		for _, a := range s.Arrays {
			buffers = append(buffers, n.buffer(a))
		}
		var err error
		if source := sources[s.Exercise]; s.Workgroups > 0 {
			err = n.chain.Groups(s.Exercise, source, s.Workgroups, buffers...)
		} else {
			err = n.chain.Grid(s.Exercise, source, s.Columns, s.Rows, buffers...)
		}
		if err != nil {
			return err
		}
	}
	n.prob = n.buffer(prob)
	return nil
}

func (n *Network) buffer(a *passes.Array) *wayback.Buffer {
	if n.buffers[a] == nil {
		n.buffers[a] = wayback.Floats(a.Name, a.Values)
	}
	return n.buffers[a]
}

// Best returns the digit that the network finds most probable.
func (n *Network) Best(ctx context.Context) (int, error) {
	probabilities, err := n.chain.Read(ctx, n.prob)
	if err != nil {
		return 0, err
	}
	return network.MostProbable(probabilities), nil
}

// Ask returns why a digit has its probability; a network that learned a sign has it after the ten
// digits.
func (n *Network) Ask(ctx context.Context, digit int) (*Answer, error) {
	name := strconv.Itoa(digit)
	if digit == network.Outputs && n.sign != "" {
		name = n.sign
	} else if digit < 0 || digit >= network.Outputs {
		return nil, fmt.Errorf("%d is not a digit", digit)
	}
	way, err := n.chain.Follow(ctx, wayback.Element{Buffer: n.prob, Index: digit}, n.most)
	if err != nil {
		return nil, err
	}
	return &Answer{way, n.Name, name}, nil
}
