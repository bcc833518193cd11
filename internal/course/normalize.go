package course

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
)

// MNIST's mean and standard deviation over the training pixels, scaled to 0..1. The original
// network was trained with these.
const (
	mnistMean   float32 = 0.1307
	mnistStddev float32 = 0.3081
)

// The bindings of normalize, and the members of its uniform.
const (
	normalizeParams, normalizePixels, normalizeOut = 0, 1, 2
	normalizeN, normalizeMean, normalizeStddev     = 0, 1, 2
)

var normalize = &Exercise{
	ID:      "normalize",
	Lesson:  7,
	Title:   "From bytes to what the network was trained on",
	Task:    "Unpack n pixels, four bytes a word with the lowest byte first, and write (byte/255 - mean) / stddev.",
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "params", Access: shader.Uniform, Type: "Params{n: u32, mean: f32, stddev: f32}"},
		{Name: "pixels", Access: shader.ReadOnly, Type: "array<u32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output: normalizeOut,
	Small: func(rng *rand.Rand) Case {
		n := smallLength
		return lengthCase(n, shader.UniformBuffer(shader.Uint(n), shader.Float(mnistMean), shader.Float(mnistStddev)), shader.UintBuffer(packedBytes(rng, n)), Unwritten(n))
	},
	Large: func(rng *rand.Rand) Case {
		n := largeLength
		return lengthCase(n, shader.UniformBuffer(shader.Uint(n), shader.Float(mnistMean), shader.Float(mnistStddev)), shader.UintBuffer(packedBytes(rng, n)), Unwritten(n))
	},
	Cases: func(rng *rand.Rand) []Case {
		cases := forLengths(rng, func(rng *rand.Rand, n int) []Buffer {
			return []Buffer{shader.UniformBuffer(shader.Uint(n), shader.Float(mnistMean), shader.Float(mnistStddev)), shader.UintBuffer(packedBytes(rng, n)), Unwritten(n)}
		})
		// Other constants than MNIST's, so that a shader with hard-coded ones fails.
		n := beyondOneWorkgroup(rng)
		return append(cases, Case{
			Name: lengthName(n) + ", another mean",
			Buffers: []Buffer{
				shader.UniformBuffer(shader.Uint(n), shader.Float(0.3+0.4*rng.Float32()), shader.Float(0.4+0.4*rng.Float32())),
				shader.UintBuffer(packedBytes(rng, n)), Stale(n),
			},
			Extent: [2]int{n},
		})
	},
	Reference: normalized,
	Tolerance: func(Case) tensor.Tolerance { return rounded(4, 4) },
	Hints: []string{
		"Each invocation takes one pixel. Pixel i is in word i / 4, as byte i % 4 of it.",
		"A byte is 8 bits. `>>` shifts a word to the right, `& 0xffu` keeps its lowest byte.",
		"WGSL doesn't convert a u32 to an f32 by itself. f32(x) does.",
		"Divide by 255.0 first, then subtract the mean, then divide the difference by stddev. The guard compares with params.n.",
	},
}

// packedBytes draws n pixels and packs them. It also draws the bytes after the last pixel.
func packedBytes(rng *rand.Rand, n int) []uint32 {
	words := make([]uint32, (n+3)/4)
	for i := range words {
		words[i] = rng.Uint32()
	}
	return words
}

// normalized unpacks and normalises n pixels.
func normalized(c Case) Buffer {
	words := c.Buffers[normalizePixels].Uints()
	mean, stddev := uniformF32(c, normalizeParams, normalizeMean), uniformF32(c, normalizeParams, normalizeStddev)
	return each(uniformU32(c, normalizeParams, normalizeN), func(i int) float64 {
		pixel := words[i/4] >> (8 * (i % 4)) & 0xff
		return (float64(pixel)/255 - mean) / stddev
	})
}
