package lesson

import (
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
)

// MNIST's mean and standard deviation over the training pixels, scaled to 0..1;
// the origin's network was trained with these.
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
		// Other constants, so that MNIST's cannot be written into the shader.
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
			Why:    "The lowest byte of a word is the first pixel. The shader took the highest one first.",
			Ask:    "For the word 0x04030201: which pixel comes first?",
			Output: unpacked(func(words Buffer, i int) float64 { return byteAt(words, i/4*4+3-i%4) }),
		},
		{
			Slug:   "lowest-byte-only",
			Title:  "All four pixels of a word have the value of its lowest byte.",
			Why:    "The shift is missing, or it is the same for all four: only the lowest byte was unpacked.",
			Ask:    "By how many bits does pixel 2 of a word stand higher than pixel 0?",
			Output: unpacked(func(words Buffer, i int) float64 { return byteAt(words, i/4*4) }),
		},
		{
			Slug:   "no-mask",
			Title:  "The upper bytes of the word are still in the value.",
			Why:    "Shifting right moves the wanted byte to the bottom, but what stood above it comes along.",
			Ask:    "How do you keep the lowest 8 bits of a number and drop all others?",
			Output: unpacked(func(words Buffer, i int) float64 { return float64(words.Uints()[i/4] >> (8 * (i % 4))) }),
		},
		{
			Slug:  "word-as-pixel",
			Title: "Each whole word was taken for one pixel.",
			Why:   "Four pixels share a word: pixel i lives in word i/4.",
			Ask:   "How many words are there for 8 pixels?",
			Output: unpacked(func(words Buffer, i int) float64 {
				return inWord(words, i, func(word uint32) uint32 { return word })
			}),
		},
		{
			Slug:   "no-255",
			Title:  "The bytes were not divided by 255.",
			Why:    "mean and stddev belong to pixels from 0 to 1. A byte goes from 0 to 255.",
			Ask:    "Which value does a white pixel have before the mean is taken off?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b - mean) / stddev }),
		},
		{
			Slug:   "divides-by-256",
			Title:  "The bytes were divided by 256.",
			Why:    "A byte has 256 values, but the largest one is 255; divided by 256 white never becomes 1.",
			Ask:    "Which divisor makes 255 into 1.0?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/256 - mean) / stddev }),
		},
		{
			Slug:   "only-scaled",
			Title:  "The pixels were scaled to 0..1, but neither shifted by the mean nor divided by stddev.",
			Why:    "The network was trained on normalised pixels. It still answers without, only worse, which is why nobody notices.",
			Ask:    "Where do params.mean and params.stddev come in?",
			Output: normalizedOutput(func(b, _, _ float64) float64 { return b / 255 }),
		},
		{
			Slug:   "no-mean",
			Title:  "The mean was not taken off.",
			Why:    "The result is byte/255 / stddev: scaled, not centred.",
			Ask:    "Which pixel value should become 0?",
			Output: normalizedOutput(func(b, _, stddev float64) float64 { return b / 255 / stddev }),
		},
		{
			Slug:   "no-stddev",
			Title:  "The result was not divided by stddev.",
			Why:    "The pixels are centred, but not scaled to the spread that the network knows.",
			Ask:    "What is left to do after the mean is off?",
			Output: normalizedOutput(func(b, mean, _ float64) float64 { return b/255 - mean }),
		},
		{
			Slug:   "order-of-operations",
			Title:  "The result is byte/255 - mean / stddev.",
			Why:    "Division binds tighter than subtraction. Without brackets only a part of it is divided.",
			Ask:    "What is divided by stddev: one number, or the difference of two?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return b/255 - mean/stddev }),
		},
		{
			Slug:   "divides-before-mean",
			Title:  "The result is byte/255 / stddev - mean.",
			Why:    "The mean was taken off after the division. Both belong to the pixels, but the mean comes off first.",
			Ask:    "What is divided by stddev: the pixel, or its distance from the mean?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return b/255/stddev - mean }),
		},
		{
			Slug:   "mean-and-stddev-swapped",
			Title:  "mean and stddev changed places.",
			Why:    "What should be taken off was used as the divisor, and the other way round. In the uniform mean comes before stddev.",
			Ask:    "Which of the two numbers makes an average pixel 0?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/255 - stddev) / mean }),
		},
		{
			Slug:   "times-stddev",
			Title:  "The difference was multiplied by stddev.",
			Why:    "Dividing by stddev stretches the pixels to the spread that the network knows; multiplying narrows them.",
			Ask:    "stddev is smaller than 1. Should the values become larger or smaller?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/255 - mean) * stddev }),
		},
		{
			Slug:   "plus-mean",
			Title:  "The mean was added.",
			Why:    "A pixel as bright as the average should come out as 0.",
			Ask:    "For a pixel that equals the mean: what does your formula give?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (b/255 + mean) / stddev }),
		},
		{
			Slug:   "only-unpacked",
			Title:  "The output holds the bytes themselves.",
			Why:    "Unpacking is right. The scaling, the mean and stddev are still missing.",
			Ask:    "What does the task do with a byte, once it is unpacked?",
			Output: normalizedOutput(func(b, _, _ float64) float64 { return b }),
		},
		{
			Slug:   "integer-division",
			Title:  "byte / 255 was computed among whole numbers, so that only white is left.",
			Why:    "A u32 divided by a u32 is a u32: everything behind the point is dropped, and all bytes below 255 become 0.",
			Ask:    "At which step does the byte turn into an f32: before or after the division?",
			Output: normalizedOutput(func(b, mean, stddev float64) float64 { return (math.Trunc(b/255) - mean) / stddev }),
		},
		{
			Slug:  "fixed-mean",
			Title: "MNIST's mean and stddev stand fixed in the shader.",
			Why:   "0.1307 and 0.3081 are right for MNIST. Other images have others; the host says which, in params.",
			Ask:   "Where do params.mean and params.stddev come in?",
			Output: normalizedOutput(func(b, _, _ float64) float64 {
				return (b/255 - float64(mnistMean)) / float64(mnistStddev)
			}),
		},
		{
			Slug:   "shift-too-small",
			Title:  "The word was shifted by the number of bytes, not of bits.",
			Why:    "A shift counts bits, and a byte has 8 of them. Shifted by 1, 2 and 3, the four pixels are nearly the same byte.",
			Ask:    "By how many bits does pixel 2 of a word stand higher than pixel 0?",
			Output: unpacked(func(words Buffer, i int) float64 { return float64(words.Uints()[i/4] >> (i % 4) & 0xff) }),
		},
		{
			Slug:  "wrong-word",
			Title: "Pixel i was looked for in word i.",
			Why:   "Four pixels share a word. The byte inside the word is the right one, the word is not.",
			Ask:   "In which word do the pixels 4 to 7 stand?",
			Output: unpacked(func(words Buffer, i int) float64 {
				return inWord(words, i, func(word uint32) uint32 { return word >> (8 * (i % 4)) & 0xff })
			}),
		},
		{
			Slug:  "one-pixel-a-word",
			Title: "Only the first quarter was written.",
			Why:   "The guard counts words, of which there are n/4, but each invocation writes a single pixel.",
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
		"One invocation for one pixel: pixel i stands in word i / 4, and is byte i % 4 of it.",
		"A byte is 8 bits. `>>` shifts a word to the right, `& 0xffu` keeps its lowest byte.",
		"WGSL does not turn a u32 into an f32 by itself. f32(x) does.",
		"Divide by 255.0 first, then take the mean off, then divide the difference by stddev. The guard is params.n.",
	},
}

// packedBytes draws n pixels, and packs them; the bytes behind the last pixel
// are drawn too.
func packedBytes(rng *rand.Rand, n int) []uint32 {
	words := make([]uint32, (n+3)/4)
	for i := range words {
		words[i] = rng.Uint32()
	}
	return words
}

// inWord is f of word i.
func inWord(words Buffer, i int, f func(word uint32) uint32) float64 {
	if i >= words.Len() {
		return outside
	}
	return float64(f(words.Uints()[i]))
}

func byteAt(words Buffer, i int) float64 { return float64(words.Uints()[i/4] >> (8 * (i % 4)) & 0xff) }

// scaled is what becomes of a byte.
func scaled(b, mean, stddev float64) float64 { return (b/255 - mean) / stddev }

// normalized applies f(byte, mean, stddev) to every pixel.
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

// unpacked normalises rightly, but takes pixel i from elsewhere.
func unpacked(pixel func(words Buffer, i int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		words := c.Buffers[normalizePixels]
		return normalizedFrom(c, scaled, func(i int) float64 {
			return pixel(words, i)
		})
	}
}
