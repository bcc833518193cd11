package cnn

import (
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/passes"
)

// A Plan is the network for one image: the operations from the normalised pixels to the
// probabilities, each by the shader of an exercise.
type Plan struct {
	Operations    []passes.Operation
	Input, Output *passes.Operand
	First, Second *passes.Operand // what the filters of each layer see, after relu
}

// NewPlan returns the network with these weights.
func NewPlan(w *Weights) Plan {
	array := func(name string, values []float32) *passes.Operand {
		return &passes.Operand{Name: name, Values: values}
	}
	p := Plan{
		Input: passes.Zeros(passes.Input, network.Inputs), Output: passes.Zeros("out", network.Outputs),
		First: passes.Zeros("first", First*Side*Side), Second: passes.Zeros("second", Second*Side*Side/4),
	}
	pool1, pool2 := passes.Zeros("pool1", First*Side*Side/4), passes.Zeros("pool2", Features)
	p.Operations = []passes.Operation{
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
func filters(x, weights, bias *passes.Operand, side int, out *passes.Operand) passes.Operation {
	pixels, n := side*side, len(bias.Values)
	return passes.Operation{
		Exercise: "conv-2d", Columns: pixels, Rows: n,
		Uniform: []int{side, side, len(x.Values) / pixels, n}, Operands: []*passes.Operand{x, weights, bias, out},
	}
}

// halve takes the largest of each square of four, in pictures of side × side.
func halve(x *passes.Operand, side int, out *passes.Operand) passes.Operation {
	channels := len(x.Values) / (side * side)
	return passes.Operation{
		Exercise: "max-pool", Columns: side * side / 4, Rows: channels,
		Uniform: []int{side, side, channels}, Operands: []*passes.Operand{x, out},
	}
}
