package mnist

import (
	"math"
	"math/rand/v2"
)

// Awkward returns n drawn digits of each kind that is harder to read: as usual for comparison,
// crooked, small, and off-centre. Source names the kind. The drawings are the same every time.
func Awkward(n int) []Set {
	const sheet, pen, degree = 280, 0.06, math.Pi / 180
	kinds := []struct {
		source              string
		turn                float64 // at most, in either direction
		smallest, largest   float64 // height, as a share of the sheet's
		framed, inTheMiddle bool
	}{
		{"framed as MNIST’s", 0, 0.7, 0.7, true, true},
		{"crooked, then framed", 35 * degree, 0.7, 0.7, true, true},
		{"small, in the middle", 0, 0.35, 0.55, false, true},
		{"off-centre", 0, 0.6, 0.75, false, false},
	}
	var sets []Set
	for i, kind := range kinds {
		set, rng := Set{Source: kind.source}, rand.New(rand.NewPCG(2026, uint64(12+i)))
		for k := range n {
			digit := k % 10
			strokes := Strokes(rng, digit)
			turn := kind.turn * (2*rng.Float64() - 1)
			size := kind.smallest + (kind.largest-kind.smallest)*rng.Float64()
			right, down := (1-size)/2, (1-size)/2
			if !kind.inTheMiddle {
				right, down = (1-size)*rng.Float64(), (1-size)*rng.Float64()
			}
			sin, cos := math.Sincos(turn)
			for _, stroke := range strokes {
				for p, at := range stroke {
					x, y := at.X-0.5, at.Y-0.5
					stroke[p] = Point{X: right + size*(0.5+cos*x-sin*y), Y: down + size*(0.5+sin*x+cos*y)}
				}
			}
			ink := Rasterise(strokes, sheet, pen)
			image := Shrink(ink, sheet, sheet)
			if kind.framed {
				image = Frame(ink, sheet, sheet)
			}
			set.Images, set.Labels = append(set.Images, image[:]...), append(set.Labels, byte(digit))
		}
		sets = append(sets, set)
	}
	return sets
}
