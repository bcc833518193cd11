// Package handwriting writes digits as strokes of a pen, each time in a different hand.
package handwriting

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A Point is a point of the unit square; x grows to the right, y downwards.
type Point struct{ X, Y float64 }

// A Stroke is the line that a pen draws before it leaves the paper, with its points in drawing
// order.
type Stroke []Point

// Strokes writes one digit, 0 to 9, in a random hand: it picks one of the digit's styles,
// shakes its points, slants, stretches, turns and bends it, and places it in the unit square
// with a margin for the pen. The points are close enough together to replay as moves of a
// pointer. The same rng state gives the same strokes. It panics if there is no such digit.
func Strokes(rng *rand.Rand, digit int) []Stroke {
	if digit < 0 || digit >= len(styles) {
		panic(fmt.Sprintf("handwriting: there is no digit %d", digit))
	}
	forms := styles[digit]
	return Written(rng, forms[rng.IntN(len(forms))])
}

// Written writes any sign in a random hand. Its form is like a digit's in styles: strokes of knots,
// about one unit high.
func Written(rng *rand.Rand, form []Stroke) []Stroke {
	strokes := make([]Stroke, len(form))
	for i, knots := range form {
		strokes[i] = smooth(shake(rng, knots))
	}
	hand := newHand(rng)
	for _, stroke := range strokes {
		for i, p := range stroke {
			stroke[i] = hand.bend(p)
		}
	}
	place(rng, strokes)
	return strokes
}

// styles holds the ways to write each digit. A way is a list of strokes, and a stroke is a list of
// knots on a smooth curve. A repeated knot is a corner. Digits are about one unit high.
var styles = [10][][]Stroke{
	0: {
		{{{.60, .05}, {.35, .03}, {.14, .25}, {.10, .55}, {.22, .88}, {.46, .97}, {.72, .82}, {.80, .50}, {.74, .20}, {.56, .04}}},
		{{{.50, .02}, {.26, .16}, {.18, .50}, {.26, .84}, {.46, .98}, {.66, .86}, {.74, .50}, {.66, .16}, {.48, .02}}},
		{{{.66, .14}, {.46, .04}, {.22, .20}, {.14, .52}, {.26, .86}, {.52, .95}, {.76, .76}, {.80, .44}, {.68, .14}, {.52, .07}}},
	},
	1: {
		{{{.50, .02}, {.49, .35}, {.50, .70}, {.49, .98}}},
		{{{.54, .03}, {.50, .50}, {.47, .97}}},
		{{{.32, .24}, {.44, .14}, {.53, .02}, {.53, .02}, {.52, .50}, {.52, .98}}},
		{{{.34, .22}, {.45, .13}, {.53, .02}, {.53, .02}, {.52, .50}, {.52, .96}}, {{.30, .97}, {.52, .96}, {.74, .97}}},
	},
	2: {
		{{{.16, .24}, {.30, .06}, {.54, .03}, {.72, .18}, {.68, .42}, {.46, .68}, {.18, .95}, {.18, .95}, {.48, .94}, {.82, .95}}},
		{{{.18, .22}, {.34, .05}, {.58, .05}, {.70, .24}, {.62, .48}, {.42, .76}, {.22, .94}, {.12, .88}, {.22, .78}, {.42, .86}, {.62, .95}, {.86, .88}}},
		{{{.20, .18}, {.40, .03}, {.64, .10}, {.70, .30}, {.56, .56}, {.32, .82}, {.18, .96}, {.18, .96}, {.40, .90}, {.62, .95}, {.84, .92}}},
	},
	3: {
		{{{.20, .14}, {.42, .02}, {.68, .10}, {.68, .32}, {.50, .45}, {.38, .47}, {.38, .47}, {.58, .49}, {.76, .64}, {.70, .86}, {.46, .97}, {.18, .88}}},
		{{{.22, .10}, {.48, .02}, {.70, .14}, {.64, .36}, {.42, .46}, {.42, .46}, {.66, .52}, {.76, .72}, {.60, .93}, {.36, .97}, {.16, .84}}},
		{{{.20, .05}, {.46, .05}, {.72, .05}, {.72, .05}, {.56, .24}, {.42, .42}, {.42, .42}, {.64, .48}, {.76, .68}, {.64, .90}, {.40, .97}, {.18, .86}}},
	},
	4: {
		{{{.24, .04}, {.21, .28}, {.16, .52}, {.16, .52}, {.44, .54}, {.80, .50}}, {{.66, .06}, {.63, .50}, {.60, .98}}},
		{{{.20, .06}, {.18, .30}, {.24, .50}, {.46, .54}, {.68, .44}}, {{.72, .04}, {.68, .46}, {.65, .98}}},
		{{{.60, .02}, {.38, .32}, {.14, .64}, {.14, .64}, {.46, .65}, {.84, .64}}, {{.62, .04}, {.61, .50}, {.60, .98}}},
		{{{.58, .99}, {.60, .50}, {.62, .03}, {.62, .03}, {.38, .34}, {.16, .62}, {.16, .62}, {.46, .64}, {.84, .62}}},
	},
	5: {
		{{{.28, .05}, {.25, .24}, {.22, .44}, {.22, .44}, {.44, .38}, {.68, .46}, {.74, .68}, {.60, .90}, {.36, .97}, {.14, .88}}, {{.28, .05}, {.52, .05}, {.78, .03}}},
		{{{.76, .04}, {.52, .05}, {.30, .06}, {.30, .06}, {.27, .24}, {.24, .43}, {.24, .43}, {.48, .40}, {.70, .52}, {.70, .76}, {.52, .94}, {.28, .96}, {.12, .86}}},
		{{{.80, .06}, {.54, .04}, {.32, .10}, {.26, .32}, {.44, .44}, {.64, .56}, {.68, .76}, {.50, .94}, {.26, .95}, {.12, .84}}},
	},
	6: {
		{{{.64, .03}, {.42, .18}, {.26, .42}, {.20, .68}, {.30, .92}, {.52, .97}, {.70, .82}, {.66, .60}, {.46, .54}, {.28, .66}, {.22, .76}}},
		{{{.50, .02}, {.34, .26}, {.22, .54}, {.22, .80}, {.38, .96}, {.60, .92}, {.70, .74}, {.58, .56}, {.38, .58}, {.24, .74}}},
		{{{.72, .10}, {.52, .04}, {.32, .20}, {.20, .50}, {.22, .80}, {.42, .97}, {.66, .88}, {.72, .68}, {.54, .52}, {.32, .60}, {.22, .72}}},
	},
	7: {
		{{{.16, .08}, {.46, .07}, {.78, .06}, {.78, .06}, {.62, .34}, {.50, .64}, {.42, .98}}},
		{{{.14, .12}, {.42, .10}, {.76, .05}, {.76, .05}, {.58, .36}, {.46, .66}, {.40, .98}}, {{.30, .50}, {.52, .49}, {.74, .48}}},
		{{{.16, .24}, {.18, .08}, {.18, .08}, {.46, .10}, {.76, .06}, {.76, .06}, {.66, .34}, {.58, .64}, {.54, .98}}},
		{{{.14, .16}, {.30, .06}, {.50, .10}, {.74, .08}, {.72, .24}, {.58, .52}, {.46, .97}}},
	},
	8: {
		{{{.70, .16}, {.50, .03}, {.28, .12}, {.28, .32}, {.48, .46}, {.68, .60}, {.74, .80}, {.54, .97}, {.28, .92}, {.22, .72}, {.40, .54}, {.60, .40}, {.72, .22}, {.62, .07}}},
		{{{.48, .03}, {.30, .12}, {.30, .34}, {.50, .46}, {.70, .60}, {.72, .84}, {.50, .97}, {.28, .86}, {.28, .62}, {.48, .46}, {.68, .32}, {.66, .10}, {.46, .03}}},
		{{{.52, .46}, {.32, .36}, {.30, .14}, {.50, .03}, {.70, .14}, {.68, .36}, {.50, .46}, {.30, .60}, {.24, .80}, {.46, .97}, {.70, .88}, {.72, .64}, {.52, .46}}},
	},
	9: {
		{{{.70, .18}, {.52, .04}, {.30, .12}, {.24, .34}, {.40, .50}, {.60, .44}, {.70, .22}, {.70, .22}, {.68, .58}, {.64, .98}}},
		{{{.68, .14}, {.46, .04}, {.26, .20}, {.28, .42}, {.48, .48}, {.66, .34}, {.70, .16}, {.72, .50}, {.62, .82}, {.42, .97}, {.24, .90}}},
		{{{.72, .26}, {.62, .06}, {.40, .06}, {.26, .26}, {.36, .46}, {.58, .44}, {.72, .24}, {.70, .48}, {.60, .74}, {.46, .98}}},
	},
}

// shake moves each knot a little, and keeps corners corners.
func shake(rng *rand.Rand, knots Stroke) Stroke {
	const amount = 0.018
	shaken := make(Stroke, len(knots))
	for i, knot := range knots {
		if i > 0 && knot == knots[i-1] {
			shaken[i] = shaken[i-1]
			continue
		}
		shaken[i] = Point{knot.X + amount*rng.NormFloat64(), knot.Y + amount*rng.NormFloat64()}
	}
	return shaken
}

// smooth runs a Catmull-Rom spline through the knots, broken at corners.
// See E. Catmull and R. Rom, "A class of local interpolating splines", 1974.
func smooth(knots Stroke) Stroke {
	const pieces = 6 // straight pieces between two knots
	curve := Stroke{knots[0]}
	for i := 1; i < len(knots); i++ {
		from, to := knots[i-1], knots[i]
		if from == to {
			continue
		}
		before, after := knots[max(i-2, 0)], knots[min(i+1, len(knots)-1)]
		for piece := 1; piece <= pieces; piece++ {
			t := float64(piece) / pieces
			curve = append(curve, Point{
				spline(before.X, from.X, to.X, after.X, t),
				spline(before.Y, from.Y, to.Y, after.Y, t),
			})
		}
	}
	return curve
}

// spline is the Catmull-Rom cubic from b (t = 0) to c (t = 1). If a equals b, or d equals c, the
// curve starts or ends there without a bend.
func spline(a, b, c, d, t float64) float64 {
	return b + 0.5*t*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
}

// A hand is the way in which one writer's digits differ from the pattern.
type hand struct {
	slant, turn, stretch float64
	waveX, waveY         float64 // the size of a slow wave that bends the digit
	phaseX, phaseY       float64
}

func newHand(rng *rand.Rand) hand {
	return hand{
		slant:   0.10 + 0.16*rng.NormFloat64(),
		turn:    0.05 * rng.NormFloat64(),
		stretch: math.Exp(0.14 * rng.NormFloat64()),
		waveX:   0.03 * rng.NormFloat64(),
		waveY:   0.03 * rng.NormFloat64(),
		phaseX:  2 * math.Pi * rng.Float64(),
		phaseY:  2 * math.Pi * rng.Float64(),
	}
}

// bend returns where this hand puts the pattern's point p.
func (h hand) bend(p Point) Point {
	x, y := p.X-0.5, p.Y-0.5
	x, y = x+h.waveX*math.Sin(5*y+h.phaseX), y+h.waveY*math.Sin(5*x+h.phaseY)
	x = x*h.stretch - h.slant*y
	sin, cos := math.Sincos(h.turn)
	return Point{x*cos - y*sin, x*sin + y*cos}
}

// place scales the strokes to a random size and moves them to a random place in the unit square.
// It leaves a margin for the pen.
func place(rng *rand.Rand, strokes []Stroke) {
	const margin = 0.1
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, stroke := range strokes {
		for _, p := range stroke {
			low = Point{min(low.X, p.X), min(low.Y, p.Y)}
			high = Point{max(high.X, p.X), max(high.Y, p.Y)}
		}
	}
	w, h := high.X-low.X, high.Y-low.Y
	scale := (0.6 + 0.2*rng.Float64()) / max(w, h)
	left := margin + rng.Float64()*(1-2*margin-w*scale)
	top := margin + rng.Float64()*(1-2*margin-h*scale)
	for _, stroke := range strokes {
		for i, p := range stroke {
			stroke[i] = Point{left + (p.X-low.X)*scale, top + (p.Y-low.Y)*scale}
		}
	}
}
