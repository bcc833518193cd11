package cnn

import (
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// NewPlan returns the network with these weights for one image, each pass by the shader of an
// exercise. It also returns what the filters of each layer see, after relu.
func NewPlan(w *Weights) (p plan.Plan, first, second *plan.Operand) {
	weights := w.parameters().Operands()
	w1, b1, w2, b2, w3, b3 := weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]
	p = plan.New(1, network.Outputs, network.Mean, network.Stddev)
	first, second = plan.Zeros("first", First*Side*Side), plan.Zeros("second", Second*Side*Side/4)
	pool1, pool2 := plan.Zeros("pool1", First*Side*Side/4), plan.Zeros("pool2", Features)
	p.Layers = []plan.Operation{
		filters(p.Input, w1, b1, Side, first),
		plan.Relu(first),
		halve(first, Side, pool1),
		filters(pool1, w2, b2, Side/2, second),
		plan.Relu(second),
		halve(second, Side/2, pool2),
		plan.Linear(1, pool2, w3, b3, p.Output),
	}
	return p, first, second
}

// filters runs filters of 3 × 3 over the channels of x, pictures of side × side.
func filters(x, weights, bias *plan.Operand, side int, out *plan.Operand) plan.Operation {
	pixels := side * side
	return plan.Operation{
		Exercise: "conv-2d", Columns: pixels, Rows: bias.Size,
		Uniform: []uint32{uint32(side), uint32(side), uint32(x.Size / pixels), uint32(bias.Size)}, Operands: []*plan.Operand{x, weights, bias, out},
	}
}

// halve takes the largest of each square of four, in pictures of side × side.
func halve(x *plan.Operand, side int, out *plan.Operand) plan.Operation {
	channels := x.Size / (side * side)
	return plan.Operation{
		Exercise: "max-pool", Columns: side * side / 4, Rows: channels,
		Uniform: []uint32{uint32(side), uint32(side), uint32(channels)}, Operands: []*plan.Operand{x, out},
	}
}
