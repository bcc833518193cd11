// Package why answers why a network gave a digit its probability. It runs the network's passes in the
// simulator and follows the probability back to the pixels that counted.
package why

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/wgslab/wgslab/internal/debug/wayback"
	"github.com/wgslab/wgslab/internal/digits/cnn"
	"github.com/wgslab/wgslab/internal/digits/mlp"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/shader"
)

// A Network is a chain of passes for one image.
type Network struct {
	Name  string
	sign  string // the name of an eleventh class; "" if there is none
	chain wayback.Chain
	prob  *wayback.Buffer
	most  int // numbers followed in each pass
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
	n := start("the plain network", mostPlain, image, w.Normalisation)
	n.sign = w.Sign
	hidden, classes := floats("hidden", network.Hidden), w.Classes()
	n.prob = floats("out", classes)
	return n, errors.Join(
		n.chain.Grid("linear", sources["linear"], network.Hidden, 1,
			wayback.Uniform(1, network.Hidden, network.Inputs), n.chain.Input, wayback.Floats("w1", w.W1), wayback.Floats("b1", w.B1), hidden),
		n.chain.Grid("relu", sources["relu"], network.Hidden, 1, hidden),
		n.chain.Grid("linear", sources["linear"], classes, 1,
			wayback.Uniform(1, classes, network.Hidden), hidden, wayback.Floats("w2", w.W2), wayback.Floats("b2", w.B2), n.prob),
		n.chain.Groups("softmax", sources["softmax"], 1, wayback.Uniform(1, classes), n.prob),
	)
}

// Filters returns the network of lesson 12 for an image.
func Filters(w *cnn.Weights, sources map[string]string, image []byte) (*Network, error) {
	const side = cnn.Side
	n := start("the network with filters", mostFilters, image, mlp.MNIST)
	first, second := floats("first", cnn.First*side*side), floats("second", cnn.Second*side*side/4)
	pool1, pool2 := floats("pool1", cnn.First*side*side/4), floats("pool2", cnn.Features)
	n.prob = floats("out", network.Outputs)
	return n, errors.Join(
		n.chain.Grid("conv-2d", sources["conv-2d"], side*side, cnn.First,
			wayback.Uniform(side, side, 1, cnn.First), n.chain.Input, wayback.Floats("w1", w.W1), wayback.Floats("b1", w.B1), first),
		n.chain.Grid("relu", sources["relu"], cnn.First*side*side, 1, first),
		n.chain.Grid("max-pool", sources["max-pool"], side*side/4, cnn.First, wayback.Uniform(side, side, cnn.First), first, pool1),
		n.chain.Grid("conv-2d", sources["conv-2d"], side*side/4, cnn.Second,
			wayback.Uniform(side/2, side/2, cnn.First, cnn.Second), pool1, wayback.Floats("w2", w.W2), wayback.Floats("b2", w.B2), second),
		n.chain.Grid("relu", sources["relu"], cnn.Second*side*side/4, 1, second),
		n.chain.Grid("max-pool", sources["max-pool"], side*side/16, cnn.Second, wayback.Uniform(side/2, side/2, cnn.Second), second, pool2),
		n.chain.Grid("linear", sources["linear"], network.Outputs, 1,
			wayback.Uniform(1, network.Outputs, cnn.Features), pool2, wayback.Floats("w3", w.W3), wayback.Floats("b3", w.B3), n.prob),
		n.chain.Groups("softmax", sources["softmax"], 1, wayback.Uniform(1, network.Outputs), n.prob),
	)
}

// input names the image in the way back.
const input = "x"

// start returns a network without passes. Its input is the image, as it is after normalize, and its
// empty input an empty sheet.
func start(name string, most int, image []byte, to mlp.Normalisation) *Network {
	x, empty := make([]float32, len(image)), make([]float32, len(image))
	for i, b := range image {
		x[i], empty[i] = (float32(b)/255-to.Mean)/to.Stddev, -to.Mean/to.Stddev
	}
	n := &Network{Name: name, most: most}
	n.chain.Input, n.chain.Empty = wayback.Floats(input, x), shader.FloatBuffer(empty).Bytes
	return n
}

func floats(name string, n int) *wayback.Buffer { return wayback.Floats(name, make([]float32, n)) }

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
