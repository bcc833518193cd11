package cnn

import (
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/passes"
)

// A Plan is the network for one image: the steps from the normalised pixels to the probabilities, each
// by the shader of an exercise.
type Plan struct {
	Steps         []passes.Step
	Input, Output *passes.Array
	First, Second *passes.Array // what the filters of each layer see, after relu
}

// NewPlan returns the network with these weights.
func NewPlan(w *Weights) Plan {
	array := func(name string, values []float32) *passes.Array { return &passes.Array{Name: name, Values: values} }
	p := Plan{
		Input: passes.Zeros(passes.Input, network.Inputs), Output: passes.Zeros("out", network.Outputs),
		First: passes.Zeros("first", First*Side*Side), Second: passes.Zeros("second", Second*Side*Side/4),
	}
	pool1, pool2 := passes.Zeros("pool1", First*Side*Side/4), passes.Zeros("pool2", Features)
	p.Steps = []passes.Step{
		filters(p.Input, array("w1", w.W1), array("b1", w.B1), Side, p.First),
		passes.Relu(p.First),
		halve(p.First, Side, pool1),
		filters(pool1, array("w2", w.W2), array("b2", w.B2), Side/2, p.Second),
		passes.Relu(p.Second),
		halve(p.Second, Side/2, pool2),
		passes.Linear(1, pool2, array("w3", w.W3), array("b3", w.B3), p.Output),
		passes.Softmax(1, p.Output),
	}
	return p
}

// filters runs filters of 3 × 3 over the channels of x, pictures of side × side.
func filters(x, weights, bias *passes.Array, side int, out *passes.Array) passes.Step {
	pixels, n := side*side, len(bias.Values)
	return passes.Step{
		Exercise: "conv-2d", Columns: pixels, Rows: n,
		Uniform: []int{side, side, len(x.Values) / pixels, n}, Arrays: []*passes.Array{x, weights, bias, out},
	}
}

// halve takes the largest of each square of four, in pictures of side × side.
func halve(x *passes.Array, side int, out *passes.Array) passes.Step {
	channels := len(x.Values) / (side * side)
	return passes.Step{
		Exercise: "max-pool", Columns: side * side / 4, Rows: channels,
		Uniform: []int{side, side, channels}, Arrays: []*passes.Array{x, out},
	}
}
