// Package why answers why a network gave a digit its probability. It runs the network's passes in
// the simulator and follows the probability back to the pixels that counted.
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

// A Traced network is a chain of passes for one image.
type Traced struct {
	Name    string
	sign    string // the name of an eleventh class; "" if there is none
	chain   wayback.Chain
	buffers map[*passes.Operand]*wayback.FloatBuffer
	prob    *wayback.FloatBuffer
	most    int // numbers followed in each pass
}

// An Explanation says why a digit has its probability.
type Explanation struct {
	*wayback.Way
	Network string
	Read    string // the digit, or the sign
}

// Exercises lists the exercises whose shaders the plain network runs; those of the network with
// filters are cnn.Exercises.
var Exercises = []string{"linear", "relu", "softmax"}

// How many numbers of each pass are followed. More of them change the picture little. A number of
// the plain network's first pass has 784 pixels to ask about, one of a filter only nine.
const (
	mostPlain   = 32
	mostFilters = 192
)

// Plain returns the network of lessons 6 to 8 for an image. sources holds the shaders by the id of
// their exercise.
func Plain(w *mlp.Weights, sources map[string]string, image []byte) (*Traced, error) {
	array := func(name string, values []float32) *passes.Operand {
		return &passes.Operand{Name: name, Values: values}
	}
	x, hidden, out := passes.Zeros(passes.Input, network.Inputs), passes.Zeros("hidden", network.Hidden), passes.Zeros("out", w.Classes())
	n := &Traced{Name: "the plain network", sign: w.Sign, most: mostPlain}
	n.begin(x, image, w.Normalisation)
	return n, n.add([]passes.Operation{
		passes.Linear(1, x, array("w1", w.W1), array("b1", w.B1), hidden),
		passes.Relu(hidden),
		passes.Linear(1, hidden, array("w2", w.W2), array("b2", w.B2), out),
		passes.Softmax(1, out),
	}, out, sources)
}

// Filters returns the network of lesson 12 for an image.
func Filters(w *cnn.Weights, sources map[string]string, image []byte) (*Traced, error) {
	p := cnn.NewPlan(w)
	n := &Traced{Name: "the network with filters", most: mostFilters}
	n.begin(p.Input, image, mlp.MNIST)
	return n, n.add(p.Operations, p.Output, sources)
}

// begin sets the network's input to the image, as it is after normalize, and its empty input to an
// empty sheet.
func (n *Traced) begin(input *passes.Operand, image []byte, to mlp.Normalisation) {
	empty := make([]float32, len(image))
	for i, b := range image {
		input.Values[i], empty[i] = (float32(b)/255-to.Mean)/to.Stddev, -to.Mean/to.Stddev
	}
	n.buffers = map[*passes.Operand]*wayback.FloatBuffer{}
	n.chain.Input, n.chain.Empty = n.buffer(input), shader.FloatBuffer(empty).Bytes
}

// add adds the passes of operations, of which the last leaves the probabilities in prob.
func (n *Traced) add(operations []passes.Operation, prob *passes.Operand, sources map[string]string) error {
	for _, o := range operations {
		var buffers []*wayback.FloatBuffer
		if len(o.Uniform) > 0 {
			buffers = append(buffers, wayback.Uniform(o.Uniform...))
		}
		for _, a := range o.Operands {
			buffers = append(buffers, n.buffer(a))
		}
		var err error
		if source := sources[o.Exercise]; o.Workgroups > 0 {
			err = n.chain.Groups(o.Exercise, source, o.Workgroups, buffers...)
		} else {
			err = n.chain.Grid(o.Exercise, source, o.Columns, o.Rows, buffers...)
		}
		if err != nil {
			return err
		}
	}
	n.prob = n.buffer(prob)
	return nil
}

func (n *Traced) buffer(a *passes.Operand) *wayback.FloatBuffer {
	if n.buffers[a] == nil {
		n.buffers[a] = wayback.Floats(a.Name, a.Values)
	}
	return n.buffers[a]
}

// Best returns the digit that the network finds most probable.
func (n *Traced) Best(ctx context.Context) (int, error) {
	probabilities, err := n.chain.Read(ctx, n.prob)
	if err != nil {
		return 0, err
	}
	return network.MostProbable(probabilities), nil
}

// Ask returns why a digit has its probability; a network that learned a sign has it after the ten
// digits.
func (n *Traced) Ask(ctx context.Context, digit int) (*Explanation, error) {
	name := strconv.Itoa(digit)
	if digit == network.Outputs && n.sign != "" {
		name = n.sign
	} else if digit < 0 || digit >= network.Outputs {
		return nil, fmt.Errorf("%d is not a digit", digit)
	}
	way, err := n.chain.Follow(ctx, wayback.Address{Buffer: n.prob, Index: digit}, n.most)
	if err != nil {
		return nil, err
	}
	return &Explanation{way, n.Name, name}, nil
}
