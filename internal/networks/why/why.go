// Package why answers why a network gave a digit its probability. It runs the network's passes in
// the simulator and follows the probability back to the pixels that counted.
package why

import (
	"context"
	"fmt"
	"strconv"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// A Traced network is a chain of passes for one image.
type Traced struct {
	Name    string
	sign    string // the name of an eleventh class; "" if there is none
	chain   Chain
	buffers map[*plan.Operand]*FloatBuffer
	prob    *FloatBuffer
	most    int // numbers followed in each pass
}

// An Explanation says why a digit has its probability.
type Explanation struct {
	*Way
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
	p, _ := w.Plan(1)
	return trace(&Traced{Name: "the plain network", sign: w.Sign, most: mostPlain}, p, w.Normalisation, sources, image)
}

// Filters returns the network of lesson 12 for an image.
func Filters(w *cnn.Weights, sources map[string]string, image []byte) (*Traced, error) {
	p, _, _ := cnn.NewPlan(w)
	return trace(&Traced{Name: "the network with filters", most: mostFilters}, p, mlp.MNIST, sources, image)
}

// trace gives n the passes of a plan after normalize. Their input is the image, and their empty
// input an empty sheet.
func trace(n *Traced, p plan.Plan, to mlp.Normalisation, sources map[string]string, image []byte) (*Traced, error) {
	x, empty := make([]float32, len(image)), make([]float32, len(image))
	for i, b := range image {
		x[i], empty[i] = (float32(b)/255-to.Mean)/to.Stddev, -to.Mean/to.Stddev
	}
	p.Input.Values = x
	n.buffers = map[*plan.Operand]*FloatBuffer{}
	n.chain.Input, n.chain.Empty, n.prob = n.buffer(p.Input), shader.FloatBuffer(empty).Bytes, n.buffer(p.Output)
	for _, o := range p.AfterNormalize() {
		if err := n.add(o, sources[o.Exercise]); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// add adds the pass of an operation.
func (n *Traced) add(o plan.Operation, source string) error {
	var buffers []*FloatBuffer
	if len(o.Uniform) > 0 {
		buffers = append(buffers, Uniform(o.Uniform...))
	}
	for _, a := range o.Operands {
		buffers = append(buffers, n.buffer(a))
	}
	if o.Workgroups > 0 {
		return n.chain.Groups(o.Exercise, source, o.Workgroups, buffers...)
	}
	return n.chain.Grid(o.Exercise, source, o.Columns, o.Rows, buffers...)
}

func (n *Traced) buffer(a *plan.Operand) *FloatBuffer {
	if n.buffers[a] == nil {
		values := a.Values
		if values == nil {
			values = make([]float32, a.Size)
		}
		n.buffers[a] = Floats(a.Name, values)
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
	way, err := n.chain.Follow(ctx, Address{Buffer: n.prob, Index: digit}, n.most)
	if err != nil {
		return nil, err
	}
	return &Explanation{way, n.Name, name}, nil
}
