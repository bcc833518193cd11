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
	Past:           productPast(true),
	Cases:          productCases(true),
	Reference:      productReference,
	Tolerance:      productTolerance,
	Misconceptions: append(biasMisconceptions(), productMisconceptions("x", "w", linearOut)...),
	Hints: []string{
		"This is your matmul plus one thing: each neuron, which is a column of w, has its own bias.",
		"x is m × k, with a sample in each row. w is k × n, with a neuron in each column. bias has n numbers. id.x is the column, id.y the row.",
		"Add the bias once per element, not once per product. Before the loop or after it: either works.",
		"The element in (row, column) gets the bias of its column, whatever the row. All samples go through the same neurons.",
	},
}

// biasMisconceptions returns the misconceptions about the bias, which matmul does not have.
func biasMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:   "no-bias",
			Title:  "The bias is missing.",
			Why:    "The result is x · w. bias is bound, but none of it reached the output, or a later assignment overwrote it.",
			Ask:    "What should the output be if all of x is 0?",
			Output: withBias(func(_ product, total float64, _, _ int) float64 { return total }),
		},
		{
			Slug:  "bias-each-step",
			Title: "The bias was added in each of the k steps.",
			Why:   "Whatever is inside the loop happens k times. The sum has k products, but only one bias.",
			Ask:   "How often does your line with the bias run for one element?",
			Output: withBias(func(p product, total float64, _, column int) float64 {
				return total + float64(p.k)*float64(p.bias[column])
			}),
		},
		{
			Slug:  "bias-by-row",
			Title: "The bias was taken by row, not by column.",
			Why:   "A bias belongs to a neuron, and a neuron is a column of w. A row is a sample; there are m of them and only n biases.",
			Ask:   "bias has n elements. Which of row and column ends at n?",
			Output: withBias(func(p product, total float64, row, _ int) float64 {
				return total + valueAt(p.bias, row)
			}),
		},
		{
			Slug:  "first-bias-everywhere",
			Title: "Every element got the first bias.",
			Why:   "The index of the bias is the same in all invocations.",
			Ask:   "Which neuron does this element belong to?",
			Output: withBias(func(p product, total float64, _, _ int) float64 {
				return total + float64(p.bias[0])
			}),
		},
		{
			Slug:  "bias-by-step",
			Title: "The biases were summed up along with the products.",
			Why:   "bias[i] inside the loop adds a bias for each of the k inputs. But a bias belongs to an output, that is, to a column.",
			Ask:   "bias has n elements. Does i end at n?",
			Output: withBias(func(p product, total float64, _, _ int) float64 {
				for i := range p.k {
					total += valueAt(p.bias, i)
				}
				return total
			}),
		},
		{
			Slug:  "bias-by-element",
			Title: "The bias was indexed with the element's index in the output.",
			Why:   "The output has m × n elements, but bias has only n: one per column, whatever the row.",
			Ask:   "Which bias do all the elements of one column share?",
			Output: withBias(func(p product, total float64, row, column int) float64 {
				return total + valueAt(p.bias, row*p.n+column)
			}),
		},
		{
			Slug:  "subtracts-bias",
			Title: "The bias was subtracted.",
			Why:   "A bias is added, whatever its sign.",
			Ask:   "Which operator joins the product and the bias?",
			Output: withBias(func(p product, total float64, _, column int) float64 {
				return total - float64(p.bias[column])
			}),
		},
		{
			Slug:  "multiplies-bias",
			Title: "The sum was multiplied by the bias.",
			Why:   "A weight scales; a bias shifts.",
			Ask:   "What should the output be if all of x is 0?",
			Output: withBias(func(p product, total float64, _, column int) float64 {
				return total * float64(p.bias[column])
			}),
		},
		{
			Slug:  "only-bias",
			Title: "The output is the bias alone.",
			Why:   "No product of x and w reached the output. Either the sum stayed in a variable that you never wrote, or the loop never ran.",
			Ask:   "What do you have to do with the bias and the sum?",
			Output: withBias(func(p product, _ float64, _, column int) float64 {
				return float64(p.bias[column])
			}),
		},
	}
}

// withBias returns an Output function that computes each element from the right product with
// finish.
func withBias(finish func(p product, total float64, row, column int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		p := productOf(c)
		return eachCell(p.m, p.n, func(row, column int) float64 {
			return finish(p, p.dot(p.k, p.inRow(row), p.inColumn(column)), row, column)
		})
	}
}
