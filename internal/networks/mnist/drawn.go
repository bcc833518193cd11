package mnist

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/networks/handwriting"
)

// Point is a point of the unit square; x grows to the right, y downwards.
type Point = handwriting.Point

// Stroke is the line that a pen draws before it leaves the paper.
type Stroke = handwriting.Stroke

// Strokes writes one digit, 0 to 9, in a random hand. The same rng state gives the same
// strokes. It panics if there is no such digit.
func Strokes(rng *rand.Rand, digit int) []Stroke { return handwriting.Strokes(rng, digit) }

const (
	drawnCount = 300
	drawnSeed  = 0x6469676974 // "digit"

	// canvas is the side, in pixels, of the drawing that Draw frames: enough
	// for smooth edges after scaling to the 20-pixel box.
	canvas = 64
)

// Drawn returns 300 digits, 30 of each, in the repeating order 0 to 9. This project's stroke
// generator draws them from a fixed seed, so they are the same every time.
func Drawn() Set {
	rng := rand.New(rand.NewPCG(drawnSeed, 0))
	set := Set{Source: DrawnSource}
	for i := range drawnCount {
		image := drawDigit(rng, i%10)
		set.Images = append(set.Images, image[:]...)
		set.Labels = append(set.Labels, byte(i%10))
	}
	return set
}

// drawDigit draws one digit, 0 to 9, in a random hand and with a random pen. It frames the digit as
// MNIST does (see Frame).
func drawDigit(rng *rand.Rand, digit int) [Pixels]byte {
	strokes := Strokes(rng, digit)
	width := 0.065 + 0.05*rng.Float64()
	return Frame(Rasterise(strokes, canvas, width), canvas, canvas)
}

// Drawing returns a digit, 0 to 9, in a random hand on a sheet of side × side values, row by row,
// from 0 for paper to 1 for ink. The same seed gives the same drawing.
func Drawing(seed uint64, digit, side int) []float32 {
	const width = 0.06 // of the pen, as a share of the sheet's side
	ink := Rasterise(Strokes(rand.New(rand.NewPCG(seed, 8)), digit), side, width)
	values := make([]float32, len(ink))
	for i, b := range ink {
		values[i] = float32(b) / 255
	}
	return values
}
