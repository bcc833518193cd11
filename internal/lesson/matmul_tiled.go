package lesson

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
	Output:    matmulOut,
	Columns:   productColumns,
	Small:     func(rng *rand.Rand) Case { return productCase(rng, 32, 32, 32, false, Unwritten) },
	Large:     func(rng *rand.Rand) Case { return productCase(rng, 192, 192, 192, false, Unwritten) },
	Past:      productPast(false),
	Cases:     productCases(false),
	Reference: productReference,
	Tolerance: productTolerance,
	WithoutWorkgroupMemory: &Misconception{
		Slug:  "no-workgroup-memory",
		Title: "The values are right, but nothing is shared in workgroup memory.",
		Why:   "Each invocation fetches all of its numbers itself, from the slow storage buffer. The 16 invocations of one row need the very same row of a: one of them could fetch an element, and all could use it.",
		Ask:   "Which variable can all invocations of a workgroup see, and nobody outside of it?",
	},
	Misconceptions: append(tileMisconceptions(), productMisconceptions("a", "b", matmulOut)...),
	Hints: []string{
		"A workgroup makes a tile of out, 16 × 16 elements. Its 256 invocations need 16 rows of a and 16 columns of b, and each element of them 16 times.",
		"Walk along k in steps of 16. In each step the workgroup fetches a tile of a and a tile of b into two var<workgroup> arrays, one element of each an invocation, and then all of them use all of it.",
		"Nobody may use the tiles before they are complete, and nobody may fetch the next ones before all have used these: a barrier for each.",
		"Every invocation of the workgroup must reach every barrier, also one that has no element of out. So there is no early return: the guard stands around the assignment to out alone.",
		"Tiles stick out over the edges of the matrices. What lies outside counts as 0.0: it adds nothing. Ask before you fetch, for the row and for the column.",
		"Inside the loop over the tile the index of one array is made of your own row and i, that of the other of i and your own column. Draw both tiles and point at what invocation (3, 5) uses.",
	},
}

// tileMisconceptions are about tiles; a tile is as wide as the workgroup.
func tileMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:  "last-tile-missing",
			Title: "Only whole tiles took part: the last terms of each sum are missing.",
			Why:   "k divided by the tile's width is rounded down, and what does not fill a tile is left out.",
			Ask:   "With k = 33 and tiles of 16: how many tiles does it take?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				return p.dot(p.k/tile*tile, p.inRow(row), p.inColumn(column))
			}),
		},
		{
			Slug:  "edge-not-zero",
			Title: "What lies outside of the matrices took part in the sums.",
			Why:   "The last tile sticks out over the end of the row of a and of the column of b. There the next row of a begins, and behind b somebody else's memory.",
			Ask:   "With k = 33 and tiles of 16: what should stand in the second column of the last tile?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				return p.dot((p.k+tile-1)/tile*tile, p.inRow(row), p.inColumn(column))
			}),
		},
		{
			Slug:  "last-tile-only",
			Title: "Only the last tile reached the output.",
			Why:   "The sum starts anew with each tile: it is declared or set to 0 inside the loop over the tiles.",
			Ask:   "What does your sum hold at the beginning of the second tile?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				first := (p.k - 1) / tile * tile
				return p.dot(p.k-first,
					func(i int) int { return p.inRow(row)(first + i) },
					func(i int) int { return p.inColumn(column)(first + i) })
			}),
		},
		{
			Slug:  "first-tile-only",
			Title: "Only the first tile reached the output.",
			Why:   "The sums end after as many terms as a tile is wide. Longer rows need more tiles.",
			Ask:   "With k = 33 and tiles of 16: how many tiles does it take, and where is your loop over them?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				return p.dot(min(p.k, tile), p.inRow(row), p.inColumn(column))
			}),
		},
		{
			Slug:  "same-tile-again",
			Title: "The first tile was fetched again and again.",
			Why:   "Where the tile begins takes no part in the index: each step of the loop fetches the same elements.",
			Ask:   "Which of your indices changes from one tile to the next?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				tiles := float64((p.k + tile - 1) / tile)
				return tiles * p.dot(min(p.k, tile), p.inRow(row), p.inColumn(column))
			}),
		},
	}
}

// tiled is the output when every element is made from tiles as wide as the
// workgroup.
func tiled(element func(p product, row, column, tile int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		p := productOf(c)
		return eachCell(p.m, p.n, func(row, column int) float64 { return element(p, row, column, reach(size)) })
	}
}
