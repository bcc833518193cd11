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
		Why:   "Each invocation fetches all of its numbers itself, from the slow storage buffer. The 16 invocations of one row need the same row of a: one of them could fetch an element, and all could use it.",
		Ask:   "Which kind of variable can all invocations of a workgroup see, but none outside of it?",
	},
	Misconceptions: append(tileMisconceptions(), productMisconceptions("a", "b", matmulOut)...),
	Hints: []string{
		"A workgroup computes a tile of out, 16 × 16 elements. Its 256 invocations need 16 rows of a and 16 columns of b, and use each of those elements 16 times.",
		"Walk along k in steps of 16. In each step the workgroup fetches a tile of a and a tile of b into two var<workgroup> arrays. Each invocation fetches one element of each tile; then all of them use both tiles.",
		"No invocation may use the tiles before they are complete, or fetch the next ones before all are done with these. Each rule needs a barrier.",
		"Every invocation of the workgroup must reach every barrier, even one without an element of out. So don't return early: put the guard around the assignment to out alone.",
		"Tiles stick out over the edges of the matrices. Anything outside counts as 0.0: it adds nothing. Check both the row and the column before you fetch.",
		"Inside the loop over the tile, one index is made of your own row and i, the other of i and your own column. Draw both tiles and point at what invocation (3, 5) uses.",
	},
}

// tileMisconceptions returns the misconceptions about tiles; a tile is as wide as the workgroup.
func tileMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:  "last-tile-missing",
			Title: "Only whole tiles were used: the last terms of each sum are missing.",
			Why:   "k divided by the tile's width is rounded down, so the terms that don't fill a tile are left out.",
			Ask:   "With k = 33 and tiles of 16, how many tiles do you need?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				return p.dot(p.k/tile*tile, p.inRow(row), p.inColumn(column))
			}),
		},
		{
			Slug:  "edge-not-zero",
			Title: "Elements outside the matrices were added to the sums.",
			Why:   "The last tile sticks out past the end of the row of a and of the column of b. There the next row of a begins, and the memory after b isn't yours.",
			Ask:   "With k = 33 and tiles of 16, what should the second column of the last tile hold?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				return p.dot((p.k+tile-1)/tile*tile, p.inRow(row), p.inColumn(column))
			}),
		},
		{
			Slug:  "last-tile-only",
			Title: "Only the last tile reached the output.",
			Why:   "The sum starts over with each tile, because it is declared or set to 0 inside the loop over the tiles.",
			Ask:   "What does your sum hold at the start of the second tile?",
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
			Why:   "Each sum ends after the terms of one tile. Longer rows need more tiles.",
			Ask:   "With k = 33 and tiles of 16, how many tiles do you need, and where is your loop over them?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				return p.dot(min(p.k, tile), p.inRow(row), p.inColumn(column))
			}),
		},
		{
			Slug:  "same-tile-again",
			Title: "The first tile was fetched again and again.",
			Why:   "Your index doesn't use the start of the tile, so each step of the loop fetches the same elements.",
			Ask:   "Which of your indices changes from one tile to the next?",
			Output: tiled(func(p product, row, column, tile int) float64 {
				tiles := float64((p.k + tile - 1) / tile)
				return tiles * p.dot(min(p.k, tile), p.inRow(row), p.inColumn(column))
			}),
		},
	}
}

// tiled returns an Output function that computes every element from tiles as wide as the
// workgroup.
func tiled(element func(p product, row, column, tile int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, size [3]uint32) Buffer {
		p := productOf(c)
		return eachCell(p.m, p.n, func(row, column int) float64 { return element(p, row, column, reach(size)) })
	}
}
