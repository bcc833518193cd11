package host

import (
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// drawFloats returns n numbers that are easy to read.
func drawFloats(random *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.IntN(2000)-1000) / 8
	}
	return values
}

// row is the size of the workgroups of one shader, in one dimension.
func row(size uint32) [][3]uint32 { return [][3]uint32{{size, 1, 1}} }

// elements wants invocations in x and y.
func elements(x, y int) webgpu.DispatchWant {
	return webgpu.DispatchWant{Elements: [3]uint64{uint64(x), uint64(y)}}
}

// with wants words in the uniform as well.
func with(want webgpu.DispatchWant, words ...any) webgpu.DispatchWant {
	want.Words = words
	return want
}

// needs wants bytes at each binding as well: so many numbers, by the binding's number.
func needs(want webgpu.DispatchWant, numbers ...uint32) webgpu.DispatchWant {
	for _, n := range numbers {
		want.Bytes = append(want.Bytes, 4*uint64(n))
	}
	return want
}

// bitsOf returns the 32 bits of a number.
func bitsOf[T float32 | uint32](number T) uint32 {
	if f, ok := any(number).(float32); ok {
		return math.Float32bits(f)
	}
	return uint32(number)
}

func converted(values []float32) []float64 {
	result := make([]float64, len(values))
	for i, v := range values {
		result[i] = float64(v)
	}
	return result
}
