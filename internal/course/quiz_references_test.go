package course_test

import (
	"math"

	"github.com/wgslab/wgslab/internal/course"
)

// flipped turns the elements back to front.
func flipped(c course.Case) course.Buffer {
	n := c.Buffers[0].Len()
	return each(n, func(i int) float64 { return c.Buffers[0].At(n - 1 - i) })
}

// chessboard writes 0 and 1 in turn along rows and columns.
func chessboard(c course.Case) course.Buffer {
	rows, cols := uniformU32(c, 0, 0), uniformU32(c, 0, 1)
	return eachU32(rows*cols, func(i int) uint32 { return uint32(i/cols+i%cols) % 2 })
}

// contrasted multiplies by the gain, adds the shift and keeps the values between 0 and 1.
func contrasted(c course.Case) course.Buffer {
	gain, shift := uniformF32(c, 0, 0), uniformF32(c, 0, 1)
	return each(c.Buffers[1].Len(), func(i int) float64 { return min(1, max(0, gain*c.Buffers[1].At(i)+shift)) })
}

// climbed adds up the ascents of each row.
func climbed(c course.Case) course.Buffer {
	m := matrixOf(c)
	return each(m.rows, func(r int) float64 {
		row, sum := m.row(r), 0.0
		for i := 1; i < m.cols; i++ {
			sum += max(row[i]-row[i-1], 0)
		}
		return sum
	})
}

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

// rowsInFavour counts the rows of signed bytes that add up to more than 0.
func rowsInFavour(c course.Case) course.Buffer {
	rows, bytes, count := uniformU32(c, 0, 0), 4*uniformU32(c, 0, 1), uint32(0)
	for row := range rows {
		sum := 0
		for i := range bytes {
			sum += int(int8(c.Buffers[1].Bytes[row*bytes+i]))
		}
		if sum > 0 {
			count++
		}
	}
	return eachU32(1, func(int) uint32 { return count })
}

// ridges keeps each number that no neighbour in its row is above.
func ridges(c course.Case) course.Buffer {
	w, h, x := uniformU32(c, 0, 0), uniformU32(c, 0, 1), c.Buffers[1]
	return each(w*h, func(i int) float64 {
		if i%w > 0 && x.At(i-1) > x.At(i) || i%w < w-1 && x.At(i+1) > x.At(i) {
			return 0
		}
		return x.At(i)
	})
}

// logSums returns the logarithm of the sum of exp of each row.
func logSums(c course.Case) course.Buffer {
	m := matrixOf(c)
	return each(m.rows, func(r int) float64 {
		largest, sum := math.Inf(-1), 0.0
		for _, x := range m.row(r) {
			largest = max(largest, x)
		}
		for _, x := range m.row(r) {
			sum += math.Exp(x - largest)
		}
		return largest + math.Log(sum)
	})
}
