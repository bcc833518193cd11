package course_test

import (
	"math"

	"github.com/wgslab/wgslab/internal/course"
)

// bitsAbove packs 32 comparisons with the threshold into each word.
func bitsAbove(c course.Case) course.Buffer {
	n, threshold, x := uniformU32(c, 0, 0), uniformF32(c, 0, 1), c.Buffers[1]
	words := make([]uint32, c.Buffers[2].Len())
	for i := range n {
		if x.At(i) > threshold {
			words[i/32] |= 1 << (i % 32)
		}
	}
	return eachU32(len(words), func(i int) uint32 { return words[i] })
}

// rescaledRows divides each row by its largest magnitude. Rows of zeros stay.
func rescaledRows(c course.Case) course.Buffer {
	m := matrixOf(c)
	return each(m.rows*m.cols, func(i int) float64 {
		row := m.row(i / m.cols)
		largest := 0.0
		for _, x := range row {
			largest = max(largest, math.Abs(x))
		}
		if largest == 0 {
			return 0
		}
		return row[i%m.cols] / largest
	})
}

// nearestExamples returns for each row of x the example with the smallest sum of squared
// differences.
func nearestExamples(c course.Case) course.Buffer {
	m, n, k := uniformU32(c, 0, 0), uniformU32(c, 0, 1), uniformU32(c, 0, 2)
	return eachU32(m, func(row int) uint32 {
		nearest, best := 0, math.Inf(1)
		for e := range n {
			distance := 0.0
			for i := range k {
				off := c.Buffers[1].At(row*k+i) - c.Buffers[2].At(e*k+i)
				distance += off * off
			}
			if distance < best {
				nearest, best = e, distance
			}
		}
		return uint32(nearest)
	})
}
