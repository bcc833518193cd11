package lesson

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
	Output:         matmulOut,
	Columns:        productColumns,
	Small:          func(rng *rand.Rand) Case { return productCase(rng, 32, 32, 32, false, Unwritten) },
	Large:          func(rng *rand.Rand) Case { return productCase(rng, 192, 192, 192, false, Unwritten) },
	Past:           productPast(false),
	Cases:          productCases(false),
	Reference:      productReference,
	Tolerance:      productTolerance,
	Misconceptions: productMisconceptions("a", "b", matmulOut),
	Hints: []string{
		"One invocation makes one element of out. Which row of a and which column of b does it need? Take 2 × 3 times 3 × 2 and do one element on paper.",
		"The host covers the columns with x and the rows with y: id.x is the column, id.y the row. There are more invocations than elements in both directions.",
		"Row-major: element (row, column) of a matrix stands at row * columns + column. Each of the three matrices has its own number of columns: k for a, n for b, n for out.",
		"A variable of your own holds the sum. It starts at 0.0 before the loop, grows by one product in each of the k steps, and goes into out once, behind the loop.",
		"In step i the row of a moves on by 1 and the column of b by a whole row of b. Write both indices down with row, column and i, then put them into the loop.",
	},
}
