package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
)

var matmulTiled = &Exercise{
	ID:      "matmul-tiled",
	Lesson:  3,
	Title:   "Multiply two matrices, and fetch less",
	Task:    "Write out = a · b as in matmul, with tiles of a and b that a workgroup shares in workgroup memory.",
	Stretch: true,
	Points:  3,
	Partial: 1,
	Bindings: []Binding{
		{Name: "dims", Access: shader.Uniform, Type: dimsType},
		{Name: "a", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "b", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:                 matmulOut,
	Columns:                productColumns,
	Small:                  func(rng *rand.Rand) Case { return productCase(rng, 32, 32, 32, false, Unwritten) },
	Large:                  func(rng *rand.Rand) Case { return productCase(rng, 192, 192, 192, false, Unwritten) },
	Past:                   productPast(false),
	Cases:                  productCases(false),
	Reference:              productReference,
	Tolerance:              productTolerance,
	WrongAsIn:              "matmul",
	WithoutWorkgroupMemory: "no-workgroup-memory",
	Hints: []string{
		"A workgroup computes a tile of out, 16 × 16 elements. Its 256 invocations need 16 rows of a and 16 columns of b, and use each of those elements 16 times.",
		"Walk along k in steps of 16. In each step the workgroup fetches a tile of a and a tile of b into two var<workgroup> arrays. Each invocation fetches one element of each tile; then all of them use both tiles.",
		"No invocation may use the tiles before they are complete, or fetch the next ones before all are done with these. Each rule needs a barrier.",
		"Every invocation of the workgroup must reach every barrier, even one without an element of out. So don't return early: put the guard around the assignment to out alone.",
		"Tiles stick out over the edges of the matrices. Anything outside counts as 0.0: it adds nothing. Check both the row and the column before you fetch.",
		"Inside the loop over the tile, one index is made of your own row and i, the other of i and your own column. Draw both tiles and point at what invocation (3, 5) uses.",
	},
}
