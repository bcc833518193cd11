// This file compares values with expected ones, within a tolerance.

package course

import "math"

// A Tolerance says how far a value may be from the expected one: at most Absolute + Relative *
// |expected|, and for element i Margins[i] more.
type Tolerance struct {
	Absolute, Relative float64
	Margins            []float64 // nil means zeros
}

// At returns the tolerance for element i.
func (t Tolerance) At(i int) Tolerance {
	if t.Margins == nil {
		return t
	}
	return Tolerance{Absolute: t.Absolute + t.Margins[i], Relative: t.Relative}
}

// Allows reports whether got is close enough to want. Equal infinities are close; NaN is close
// only to NaN.
func (t Tolerance) Allows(got, want float64) bool {
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case math.IsInf(want, 0):
		return got == want
	}
	return math.Abs(got-want) <= t.Absolute+t.Relative*math.Abs(want)
}

// A Difference says where and how much two lists of values differ.
type Difference struct {
	Wrong  int     // the number of elements out of tolerance
	First  int     // index of the first of them; -1 if there is none
	MaxAbs float64 // largest |got-want| over all elements; +Inf if one of the two is NaN
}

// Compare compares got with want, element by element. If got is shorter, its missing elements are
// wrong.
func Compare[T float32 | uint32 | int32](got, want []T, tolerance Tolerance) Difference {
	d := Difference{First: -1}
	for i, w := range want {
		g := math.NaN()
		if i < len(got) {
			g = float64(got[i])
		}
		d.MaxAbs = max(d.MaxAbs, distance(g, float64(w)))
		if tolerance.At(i).Allows(g, float64(w)) {
			continue
		}
		if d.First < 0 {
			d.First = i
		}
		d.Wrong++
	}
	return d
}

func distance(got, want float64) float64 {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return 0
	}
	if d := math.Abs(got - want); !math.IsNaN(d) {
		return d
	}
	return math.Inf(1)
}
