// Package plan describes a network as data: the passes from an image to its probabilities, by the
// exercise whose shader runs each, with what they read and write.
package plan

import (
	"math"

	"github.com/wgslab/wgslab/internal/course/network"
)

// Input names the operand of a network that holds the normalised pixels.
const Input = "x"

// An Operand is a list of numbers that operations read or write: weights, or what a layer leaves.
type Operand struct {
	Name   string
	Size   int       // words
	Values []float32 // at the start; without them it holds zeros
	Words  []uint32  // instead, if it holds no floats
}

// Zeros returns an operand of n zeros.
func Zeros(name string, n int) *Operand { return &Operand{Name: name, Size: n} }

// Numbers returns an operand that holds values.
func Numbers(name string, values []float32) *Operand {
	return &Operand{Name: name, Size: len(values), Values: values}
}

// Packed returns an operand that holds words of four bytes each.
func Packed(name string, words []uint32) *Operand {
	return &Operand{Name: name, Size: len(words), Words: words}
}

// An Operation describes a pass of a network by the exercise whose shader runs it.
type Operation struct {
	Exercise   string
	Columns    int // with Rows: invocations
	Rows       int
	Workgroups int // instead of invocations, if it isn't 0
	Uniform    []uint32
	Operands   []*Operand // by binding, after the uniform
}

// Normalize is out = (pixel - mean) / stddev, for pixels in 0..1.
func Normalize(pixels, out *Operand, mean, stddev float32) Operation {
	return Operation{
		Exercise: "normalize", Columns: out.Size, Rows: 1,
		Uniform: []uint32{uint32(out.Size), math.Float32bits(mean), math.Float32bits(stddev)}, Operands: []*Operand{pixels, out},
	}
}

// Linear is out = x · w + bias for each of rows.
func Linear(rows int, x, w, bias, out *Operand) Operation {
	return Operation{
		Exercise: "linear", Columns: bias.Size, Rows: rows,
		Uniform: []uint32{uint32(rows), uint32(bias.Size), uint32(w.Size / bias.Size)}, Operands: []*Operand{x, w, bias, out},
	}
}

// Relu replaces negative numbers with 0.
func Relu(x *Operand) Operation {
	return Operation{Exercise: "relu", Columns: x.Size, Rows: 1, Operands: []*Operand{x}}
}

// Softmax makes probabilities of each of rows.
func Softmax(rows int, x *Operand) Operation {
	return Operation{Exercise: "softmax", Workgroups: rows, Uniform: []uint32{uint32(rows), uint32(x.Size / rows)}, Operands: []*Operand{x}}
}

// A Plan is a network over a number of images, as data. A device runs it, a training runs its
// layers, and the simulator runs it and records all values.
type Plan struct {
	Pixels, Input, Output *Operand // bytes, four a word; normalised; probabilities

	Normalize Operation   // from Pixels to Input
	Layers    []Operation // from Input to the scores, which are in Output
	Softmax   Operation   // of Output
}

// New returns a plan without layers for images whose probabilities have so many classes.
func New(images, classes int, mean, stddev float32) Plan {
	p := Plan{
		Pixels: Packed("pixels", make([]uint32, images*network.Inputs/4)), Input: Zeros(Input, images*network.Inputs), Output: Zeros("out", images*classes),
	}
	p.Normalize, p.Softmax = Normalize(p.Pixels, p.Input, mean, stddev), Softmax(images, p.Output)
	return p
}

// AfterNormalize returns the operations from Input to Output.
func (p Plan) AfterNormalize() []Operation {
	return append(p.Layers[:len(p.Layers):len(p.Layers)], p.Softmax)
}

// Operations returns all operations, from Pixels to Output.
func (p Plan) Operations() []Operation {
	return append([]Operation{p.Normalize}, p.AfterNormalize()...)
}

// Plain returns the plan of the course's network, and what its first layer leaves. The weights are
// w1, b1, w2 and b2.
func Plain(images int, weights []*Operand, mean, stddev float32) (p Plan, hidden *Operand) {
	w1, b1, w2, b2 := weights[0], weights[1], weights[2], weights[3]
	p, hidden = New(images, b2.Size, mean, stddev), Zeros("hidden", images*b1.Size)
	p.Layers = []Operation{Linear(images, p.Input, w1, b1, hidden), Relu(hidden), Linear(images, hidden, w2, b2, p.Output)}
	return p, hidden
}
