package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
)

var matmul = &Exercise{
	ID:      "matmul",
	Lesson:  3,
	Title:   "Multiply two matrices",
	Task:    "Write out = a · b: element (row, column) is the sum of a[row, i] * b[i, column] over all i < k.",
	Points:  3,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: dimsType},
		{Name: "a", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "b", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:    matmulOut,
	Columns:   productColumns,
	Small:     func(rng *rand.Rand) Case { return productCase(rng, 32, 32, 32, false, Unwritten) },
	Large:     func(rng *rand.Rand) Case { return productCase(rng, 192, 192, 192, false, Unwritten) },
	Past:      productPast(false),
	Cases:     productCases(false),
	Reference: productReference,
	Tolerance: productTolerance,
	Hints: []string{
		"One invocation computes one element of out. Which row of a and which column of b does it need? Take 2 × 3 times 3 × 2, and work out one element on paper.",
		"The host covers the columns with x and the rows with y: id.x is the column, id.y the row. There are more invocations than elements in both directions.",
		"Row-major: element (row, column) of a matrix is at index row * columns + column. Each of the three matrices has its own number of columns: k for a, n for b, n for out.",
		"Keep the sum in a variable of your own. It starts at 0.0 before the loop and grows by one product in each of the k steps. After the loop, write it to out once.",
		"In step i you move 1 along the row of a, and one whole row of b down its column. Write both indices down with row, column and i, then use them in the loop.",
	},
}
