package course

import (
	"math"
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
	Reference: normalized(scaled),
	Tolerance: func(Case) tensor.Tolerance { return rounded(4, 4) },
	Misconceptions: []Misconception{
		{
			Slug:   "byte-order",
			Title:  "The four pixels of each word come out in reverse order.",
			Why:    "The lowest byte of a word is the first pixel. Your shader took the highest one first.",
			Ask:    "In the word 0x04030201, which pixel comes first?",
			Output: unpacked(func(words Buffer, i int) float64 { return byteAt(words, i/4*4+3-i%4) }),
		},
		{
			Slug:   "lowest-byte-only",
			Title:  "All four pixels of a word have the value of its lowest byte.",
			Why:    "The shift is missing or the same for all four pixels, so only the lowest byte was unpacked.",
			Ask:    "How many bits above pixel 0 does pixel 2 of a word begin?",
			Output: unpacked(func(words Buffer, i int) float64 { return byteAt(words, i/4*4) }),
		},
		{
			Slug:   "no-mask",
			Title:  "The upper bytes of the word are still in the value.",
			Why:    "Shifting right moves your byte to the bottom, but the bytes above it come along.",
			Ask:    "How do you keep the lowest 8 bits of a number and drop all the others?",
			Output: unpacked(func(words Buffer, i int) float64 { return float64(words.Uints()[i/4] >> (8 * (i % 4))) }),
		},
		{
			Slug:  "word-as-pixel",
			Title: "Each whole word was treated as one pixel.",
			Why:   "Four pixels share a word: pixel i is in word i/4.",
			Ask:   "How many words are there for 8 pixels?",
			Output: unpacked(func(words Buffer, i int) float64 {
				return inWord(words, i, func(word uint32) uint32 { return word })
			}),
		},
		{
			Slug:   "no-255",
			Title:  "The bytes were not divided by 255.",
			Why:    "mean and stddev are for pixels from 0 to 1. A byte goes from 0 to 255.",
			Ask:    "What value does a white pixel have before you subtract the mean?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b - mean) / stddev }),
		},
		{
			Slug:   "divides-by-256",
			Title:  "The bytes were divided by 256.",
			Why:    "A byte has 256 values, but the largest is 255. Divided by 256, white never becomes 1.",
			Ask:    "Which divisor turns 255 into 1.0?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/256 - mean) / stddev }),
		},
		{
			Slug:   "only-scaled",
			Title:  "The pixels were scaled to 0..1, but the mean was not subtracted and stddev not applied.",
			Why:    "The network was trained on normalised pixels. Without that it still answers, only worse, so this mistake is easy to miss.",
			Ask:    "Where do params.mean and params.stddev come in?",
			Output: normalizedOutput(func(b, _, _ float64) float64 { return b / 255 }),
		},
		{
			Slug:   "no-mean",
			Title:  "The mean was not subtracted.",
			Why:    "The result is byte/255 / stddev: scaled, but not centred.",
			Ask:    "Which pixel value should become 0?",
			Output: normalizedOutput(func(b, _, stddev float64) float64 { return b / 255 / stddev }),
		},
		{
			Slug:   "no-stddev",
			Title:  "The result was not divided by stddev.",
			Why:    "The pixels are centred, but not scaled to the spread that the network was trained on.",
			Ask:    "What is left to do after you subtract the mean?",
			Output: normalizedOutput(func(b, mean, _ float64) float64 { return b/255 - mean }),
		},
		{
			Slug:   "order-of-operations",
			Title:  "The result is byte/255 - mean / stddev.",
			Why:    "Division comes before subtraction. Without parentheses, only the second part is divided.",
			Ask:    "What should be divided by stddev: one number, or the difference of two?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return b/255 - mean/stddev }),
		},
		{
			Slug:   "divides-before-mean",
			Title:  "The result is byte/255 / stddev - mean.",
			Why:    "The mean was subtracted after the division. You need both steps, but the subtraction comes first.",
			Ask:    "What should be divided by stddev: the pixel, or its distance from the mean?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return b/255/stddev - mean }),
		},
		{
			Slug:   "mean-and-stddev-swapped",
			Title:  "mean and stddev are swapped.",
			Why:    "You divided by the mean and subtracted stddev. In the uniform, mean comes before stddev.",
			Ask:    "Which of the two numbers makes an average pixel 0?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/255 - stddev) / mean }),
		},
		{
			Slug:   "times-stddev",
			Title:  "The difference was multiplied by stddev.",
			Why:    "Dividing by stddev stretches the pixels to the spread that the network was trained on. Multiplying narrows them.",
			Ask:    "stddev is smaller than 1. Should the values become larger or smaller?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/255 - mean) * stddev }),
		},
		{
			Slug:   "plus-mean",
			Title:  "The mean was added.",
			Why:    "A pixel as bright as the average should come out as 0.",
			Ask:    "What does your formula give for a pixel that equals the mean?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/255 + mean) / stddev }),
		},
		{
			Slug:   "only-unpacked",
			Title:  "The output holds the bytes themselves.",
			Why:    "The unpacking is right. Scaling, mean and stddev are still missing.",
			Ask:    "What does the task do with a byte after unpacking it?",
			Output: normalizedOutput(func(b, _, _ float64) float64 { return b }),
		},
		{
			Slug:   "integer-division",
			Title:  "byte / 255 was computed with whole numbers, so only white is left.",
			Why:    "A u32 divided by a u32 is a u32: the fraction is dropped, and all bytes below 255 become 0.",
			Ask:    "When does the byte become an f32: before or after the division?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (math.Trunc(b/255) - mean) / stddev }),
		},
		{
			Slug:  "fixed-mean",
			Title: "MNIST's mean and stddev are written into the shader.",
			Why:   "0.1307 and 0.3081 are right for MNIST. Other images need other numbers, and the host passes them in params.",
			Ask:   "Where do params.mean and params.stddev come in?",
			Output: normalizedOutput(func(b, _, _ float64) float64 {
				return (b/255 - float64(mnistMean)) / float64(mnistStddev)
			}),
		},
		{
			Slug:   "shift-too-small",
			Title:  "The word was shifted by a number of bytes, not of bits.",
			Why:    "A shift counts bits, and a byte has 8 of them. Shifted by only 1, 2 and 3 bits, all four pixels come from nearly the same byte.",
			Ask:    "How many bits above pixel 0 does pixel 2 of a word begin?",
			Output: unpacked(func(words Buffer, i int) float64 { return float64(words.Uints()[i/4] >> (i % 4) & 0xff) }),
		},
		{
			Slug:  "wrong-word",
			Title: "Pixel i was read from word i.",
			Why:   "Four pixels share a word. Your byte inside the word is right, but the word isn't.",
			Ask:   "Which word holds the pixels 4 to 7?",
			Output: unpacked(func(words Buffer, i int) float64 {
				return inWord(words, i, func(word uint32) uint32 { return word >> (8 * (i % 4)) & 0xff })
			}),
		},
		{
			Slug:  "one-pixel-a-word",
			Title: "Only the first quarter was written.",
			Why:   "Your guard counts words, and there are n/4 of them, but each invocation writes a single pixel.",
			Ask:   "How many pixels does one invocation write, and how many invocations get past the guard?",
			Output: func(c Case, _ [3]uint32) Buffer {
				return onlyFirst(uniformU32(c, normalizeParams, normalizeN)/4, normalized(scaled)(c), c.Buffers[normalizeOut])
			},
		},
		localIndex(normalizeOut, normalized(scaled)),
		workgroupIndex(normalizeOut, normalized(scaled)),
		firstOnly(normalizeOut, normalized(scaled)),
		bytesNotElements(normalizeOut, normalized(scaled)),
		lastMissing(normalizeOut, normalized(scaled)),
		accumulating(normalizeOut, normalized(scaled)),
		localPlace(normalizeOut),
	},
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

// inWord returns f of word i.
func inWord(words Buffer, i int, f func(word uint32) uint32) float64 {
	if i >= words.Len() {
		return outside
	}
	return float64(f(words.Uints()[i]))
}

func byteAt(words Buffer, i int) float64 { return float64(words.Uints()[i/4] >> (8 * (i % 4)) & 0xff) }

// scaled returns the normalised value of a byte.
func scaled(b, mean, stddev float64) float64 { return (b/255 - mean) / stddev }

// normalized returns a function that applies f(byte, mean, stddev) to every pixel.
func normalized(f func(b, mean, stddev float64) float64) func(Case) Buffer {
	return func(c Case) Buffer {
		words := c.Buffers[normalizePixels]
		return normalizedFrom(c, f, func(i int) float64 { return byteAt(words, i) })
	}
}

func normalizedFrom(c Case, f func(b, mean, stddev float64) float64, pixel func(i int) float64) Buffer {
	mean, stddev := uniformF32(c, normalizeParams, normalizeMean), uniformF32(c, normalizeParams, normalizeStddev)
	full := each(c.Buffers[normalizeOut].Len(), func(i int) float64 { return f(pixel(i), mean, stddev) })
	return onlyFirst(uniformU32(c, normalizeParams, normalizeN), full, c.Buffers[normalizeOut])
}

func normalizedOutput(f func(b, mean, stddev float64) float64) func(Case, [3]uint32) Buffer {
	compute := normalized(f)
	return func(c Case, _ [3]uint32) Buffer { return compute(c) }
}

// unpacked returns an Output function that normalises correctly, but takes pixel i from elsewhere.
func unpacked(pixel func(words Buffer, i int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		words := c.Buffers[normalizePixels]
		return normalizedFrom(c, scaled, func(i int) float64 {
			return pixel(words, i)
		})
	}
}
