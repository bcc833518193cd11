package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/shader"
)

var linear = &Exercise{
	ID:      "linear",
	Lesson:  6,
	Title:   "One layer of a network",
	Task:    "Write out = x · w + bias: a matrix product, with bias[column] added to every element of a column.",
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: dimsType},
		{Name: "x", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "w", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "bias", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:  linearOut,
	Columns: productColumns,
	Small:   func(rng *rand.Rand) Case { return productCase(rng, 32, 32, 32, true, Unwritten) },
	Large: func(rng *rand.Rand) Case {
		return productCase(rng, 64, network.Hidden, network.Inputs, true, Unwritten)
	},
	Past:      productPast(true),
	Cases:     productCases(true),
	Reference: productReference,
	Tolerance: productTolerance,
	Hints: []string{
		"This is your matmul plus one thing: each neuron, which is a column of w, has its own bias.",
		"x is m × k, with a sample in each row. w is k × n, with a neuron in each column. bias has n numbers. id.x is the column, id.y the row.",
		"Add the bias once per element, not once per product. Before the loop or after it: either works.",
		"The element in (row, column) gets the bias of its column, whatever the row. All samples go through the same neurons.",
	},
}
