package course_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"pgregory.net/rapid"
)

func TestTolerance(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	half := course.Tolerance{Absolute: 0.5}
	tenth := course.Tolerance{Relative: 0.1}
	for _, c := range []struct {
		tolerance course.Tolerance
		got, want float64
		allowed   bool
	}{
		{course.Tolerance{}, 1, 1, true},
		{course.Tolerance{}, 1, 1.0000001, false},
		{half, 1.5, 1, true}, {half, 0.5, 1, true}, {half, 1.51, 1, false},
		{tenth, -110, -100, true}, {tenth, -110.1, -100, false}, {tenth, 0.001, 0, false},
		{half, nan, 1, false}, {half, 1, nan, false}, {half, nan, nan, true},
		{half, inf, inf, true}, {half, -inf, inf, false}, {half, inf, 1, false}, {tenth, 1, inf, false}, {half, nan, inf, false},
	} {
		require.Equal(t, c.allowed, c.tolerance.Allows(c.got, c.want), "%+v", c)
	}
}

func TestCompare(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	half := course.Tolerance{Absolute: 0.5}
	for name, c := range map[string]struct {
		got, want []float32
		found     course.Difference
	}{
		"equal":             {[]float32{1, 2}, []float32{1, 2}, course.Difference{Wrong: 0, First: -1, MaxAbs: 0}},
		"nothing":           {nil, nil, course.Difference{First: -1}},
		"close":             {[]float32{1.25, 2}, []float32{1, 2}, course.Difference{First: -1, MaxAbs: 0.25}},
		"two wrong":         {[]float32{1, 3, 7}, []float32{1, 2, 3}, course.Difference{Wrong: 2, First: 1, MaxAbs: 4}},
		"never written":     {[]float32{1, nan}, []float32{1, 2}, course.Difference{Wrong: 1, First: 1, MaxAbs: math.Inf(1)}},
		"NaN wanted":        {[]float32{nan}, []float32{nan}, course.Difference{First: -1}},
		"infinity":          {[]float32{inf, -inf}, []float32{inf, -inf}, course.Difference{First: -1}},
		"too short":         {[]float32{1}, []float32{1, 2, 3}, course.Difference{Wrong: 2, First: 1, MaxAbs: math.Inf(1)}},
		"minus zero equals": {[]float32{float32(math.Copysign(0, -1))}, []float32{0}, course.Difference{First: -1}},
	} {
		require.Equal(t, c.found, course.Compare(c.got, c.want, half), name)
	}
	// Integers are compared exactly, over their whole range.
	require.Equal(t, course.Difference{Wrong: 1, First: 1, MaxAbs: 1}, course.Compare([]uint32{7, 1<<32 - 2}, []uint32{7, 1<<32 - 1}, course.Tolerance{}))
	require.Equal(t, course.Difference{Wrong: 1, First: 0, MaxAbs: 1<<32 - 1}, course.Compare([]int32{-1 << 31}, []int32{1<<31 - 1}, course.Tolerance{}))
}

func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Float32Range(-1000, 1000)).Draw(t, "want")
		allowed := course.Tolerance{Absolute: rapid.Float64Range(0, 1).Draw(t, "absolute")}
		require.Equal(t, course.Difference{First: -1}, course.Compare(want, want, allowed))
		if len(want) == 0 {
			return
		}
		at := rapid.IntRange(0, len(want)-1).Draw(t, "at")
		got := append([]float32{}, want...)
		got[at] += 2
		d := course.Compare(got, want, allowed)
		require.Equal(t, []int{1, at}, []int{d.Wrong, d.First})
		require.InDelta(t, 2, d.MaxAbs, 1e-3)
	})
}
