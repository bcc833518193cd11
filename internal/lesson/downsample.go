package lesson

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
)

// The bindings of downsample, and the members of its uniform.
const (
	downsampleParams, downsampleImage, downsampleOut = 0, 1, 2
	downsampleSrc, downsampleDst                     = 0, 1
)

var downsample = &Exercise{
	ID:      "downsample",
	Lesson:  8,
	Title:   "A large drawing becomes a small one",
	Task:    "Make a dst × dst picture of a src × src one: each pixel of out is the average of the square block of image that it covers.",
	Points:  2,
	Partial: 1,
	Bindings: []Binding{
		{Name: "params", Access: shader.Uniform, Type: "Params{src: u32, dst: u32}"},
		{Name: "image", Access: shader.ReadOnly, Type: "array<f32>"},
		{Name: "out", Access: shader.ReadWrite, Type: "array<f32>"},
	},
	Output:  downsampleOut,
	Columns: imageColumns,
	Small:   func(rng *rand.Rand) Case { return downsampleCase(rng, 32, 8, Unwritten) },
	Large:   func(rng *rand.Rand) Case { return downsampleCase(rng, 840, 28, Unwritten) },
	Past: func(rng *rand.Rand, columns, rows int) Case {
		dst := max(columns, rows)
		return downsampleCase(rng, 2*dst, dst, Unwritten)
	},
	Cases: func(rng *rand.Rand) []Case {
		cases := []Case{
			downsampleCase(rng, 1, 1, Unwritten),
			downsampleCase(rng, 4, 2, Unwritten),
			downsampleCase(rng, 63, 1, Unwritten),
			downsampleCase(rng, 65, 65, Unwritten),
			downsampleCase(rng, 140, 28, Unwritten),
			downsampleCase(rng, 126, 63, Unwritten),
			downsampleCase(rng, 192, 64, Stale),
		}
		dst := 30 + rng.IntN(20)
		return append(cases, downsampleCase(rng, dst*(3+rng.IntN(3)), dst, Unwritten))
	},
	Reference: averaged,
	Tolerance: func(c Case) tensor.Tolerance {
		// A block's sum of values up to 1, and a division.
		block := pictureOf(c).block()
		return rounded(block*block+3, 1)
	},
	Misconceptions: downsampleMisconceptions(),
	Hints: []string{
		"Draw a picture of 4 × 4 pixels and the 2 × 2 one that comes of it. Which four pixels belong to the one at the bottom right?",
		"One invocation makes one pixel of out. id.x is its column, id.y its row; both end at params.dst.",
		"A block is params.src / params.dst pixels wide and as many high. The one for pixel (x, y) begins that many times further right and further down.",
		"Two loops, one in the other, walk through the block. In image a row is params.src pixels long, in out params.dst.",
		"Sum up the block in a variable of your own, and divide once, behind the loops: by how many pixels a block has. f32(…) makes a number with a point of a whole one.",
	},
}

func downsampleCase(rng *rand.Rand, src, dst int, output func(n int) Buffer) Case {
	image := make([]float32, src*src)
	for i := range image {
		image[i] = 0.05 + 0.95*rng.Float32()
	}
	return Case{
		Name:    fmt.Sprintf("%d × %d to %d × %d", src, src, dst, dst),
		Buffers: []Buffer{shader.UniformBuffer(shader.Uint(src), shader.Uint(dst)), shader.FloatBuffer(image), output(dst * dst)},
		Extent:  [2]int{dst, dst},
	}
}

// A picture is a case, read.
type picture struct {
	src, dst int
	image    []float32
}

func pictureOf(c Case) picture {
	return picture{
		src:   uniformU32(c, downsampleParams, downsampleSrc),
		dst:   uniformU32(c, downsampleParams, downsampleDst),
		image: c.Buffers[downsampleImage].Floats(),
	}
}

// imageColumns: both pictures are square.
func imageColumns(c Case, binding int) int {
	p := pictureOf(c)
	return map[int]int{downsampleImage: p.src, downsampleOut: p.dst}[binding]
}

// block is the side of the square that a pixel of the small picture covers.
func (p picture) block() int { return p.src / p.dst }

// at is the pixel in column x and row y of the large picture.
func (p picture) at(x, y int) float64 { return valueAt(p.image, y*p.src+x) }

// sum adds width × height pixels, found by pixel.
func sum(width, height int, pixel func(x, y int) float64) float64 {
	total := 0.0
	for y := range height {
		for x := range width {
			total += pixel(x, y)
		}
	}
	return total
}

// average is the right answer for the pixel in column x and row y.
func (p picture) average(x, y int) float64 {
	b := p.block()
	return sum(b, b, func(dx, dy int) float64 { return p.at(x*b+dx, y*b+dy) }) / float64(b*b)
}

func averaged(c Case) Buffer { return pixels(picture.average)(c, [3]uint32{}) }

// pixels is the output when every pixel (x, y) gets value.
func pixels(value func(p picture, x, y int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		p := pictureOf(c)
		return eachCell(p.dst, p.dst, func(y, x int) float64 { return value(p, x, y) })
	}
}

// blocks is the output when every pixel is made from the right sum of its block.
// The exercise allows for the rounding of an average; that of a large sum nobody
// knows.
func blocks(finish func(p picture, total float64) float64) func(Case, [3]uint32) Buffer {
	const large = 8
	return pixels(func(p picture, x, y int) float64 {
		if p.block() > large {
			return undefined
		}
		b := float64(p.block())
		return finish(p, p.average(x, y)*b*b)
	})
}

// taken is the average of a block whose pixels are found elsewhere in image.
func taken(index func(p picture, x, y, dx, dy int) int) func(Case, [3]uint32) Buffer {
	return pixels(func(p picture, x, y int) float64 {
		b := p.block()
		return sum(b, b, func(dx, dy int) float64 { return valueAt(p.image, index(p, x, y, dx, dy)) }) / float64(b*b)
	})
}

func downsampleMisconceptions() []Misconception {
	return []Misconception{
		{
			Slug:   "corner",
			Title:  "Each pixel is the corner of its block, not the average.",
			Why:    "Only the block's pixel at the top left reached the output. A thin line that runs beside the corners disappears.",
			Ask:    "How many pixels of image should have a say in one pixel of out?",
			Output: pixels(func(p picture, x, y int) float64 { return p.at(x*p.block(), y*p.block()) }),
		},
		{
			Slug:  "centre",
			Title: "Each pixel is the centre of its block, not the average.",
			Why:   "Only one of the block's pixels reached the output. A thin line that runs beside the centres disappears.",
			Ask:   "How many pixels of image should have a say in one pixel of out?",
			Output: pixels(func(p picture, x, y int) float64 {
				return p.at(x*p.block()+p.block()/2, y*p.block()+p.block()/2)
			}),
		},
		{
			Slug:  "last-of-block",
			Title: "Each pixel is the last one of its block, not the average.",
			Why:   "Each step of the loops replaces what the steps before it found.",
			Ask:   "What does your variable hold at the beginning of the second step?",
			Output: pixels(func(p picture, x, y int) float64 {
				return p.at(x*p.block()+p.block()-1, y*p.block()+p.block()-1)
			}),
		},
		{
			Slug:   "not-divided",
			Title:  "Each pixel is the sum of its block, not divided.",
			Why:    "White pixels have the value 1. The sum of a white block is as large as the block, and should be 1 again.",
			Ask:    "What should come out of a picture that is white all over?",
			Output: blocks(func(_ picture, total float64) float64 { return total }),
		},
		{
			Slug:   "divided-by-side",
			Title:  "The sum was divided by the block's side, not by its number of pixels.",
			Why:    "A block of 5 × 5 has 25 pixels.",
			Ask:    "How many pixels are there in a block?",
			Output: blocks(func(p picture, total float64) float64 { return total / float64(p.block()) }),
		},
		{
			Slug:   "divided-by-four",
			Title:  "The sum was divided by 4, whatever the block.",
			Why:    "A block has 4 pixels only when src is twice dst. The host decides, and says it in params.",
			Ask:    "How many pixels are there in a block of 5 × 5?",
			Output: blocks(func(_ picture, total float64) float64 { return total / 4 }),
		},
		{
			Slug:   "divided-by-picture",
			Title:  "The sum was divided by the number of pixels of the small picture.",
			Why:    "dst * dst counts the blocks. What is wanted is how many pixels one block has.",
			Ask:    "What should come out of a picture that is white all over?",
			Output: blocks(func(p picture, total float64) float64 { return total / float64(p.dst*p.dst) }),
		},
		{
			Slug:   "divided-by-image",
			Title:  "The sum was divided by the number of pixels of the large picture.",
			Why:    "That would be right for one block that covers all. What is wanted is how many pixels one block has.",
			Ask:    "What should come out of a picture that is white all over?",
			Output: blocks(func(p picture, total float64) float64 { return total / float64(p.src*p.src) }),
		},
		{
			Slug:   "divided-twice",
			Title:  "The average was divided by the number of pixels once more.",
			Why:    "One division is enough, either of each term or of the sum.",
			Ask:    "What should come out of a picture that is white all over?",
			Output: blocks(func(p picture, total float64) float64 { return total / math.Pow(float64(p.block()), 4) }),
		},
		{
			Slug:  "transposed",
			Title: "The picture came out mirrored at its diagonal: x and y changed places.",
			Why:   "Row-major means row * width + column, that is y * width + x. In one of the two pictures it is the other way round.",
			Ask:   "In out, and in image: does y or x have to be multiplied by the width?",
			Output: pixels(func(p picture, x, y int) float64 {
				return p.average(y, x)
			}),
		},
		{
			Slug:   "wrong-stride",
			Title:  "The rows of image were taken to be dst pixels long.",
			Why:    "Each picture has its own row length: src in image, dst in out.",
			Ask:    "Two pixels below each other in image: how far apart are they in memory?",
			Output: taken(func(p picture, x, y, dx, dy int) int { return (y*p.block()+dy)*p.dst + x*p.block() + dx }),
		},
		{
			Slug:   "blocks-overlap",
			Title:  "The blocks overlap: each begins one pixel further on than the one before.",
			Why:    "The block of pixel (x, y) was taken to begin at (x, y) of image. Between the beginnings of two blocks lies a whole block.",
			Ask:    "With blocks of 5 × 5: where in image does the block of pixel (1, 0) begin?",
			Output: taken(func(p picture, x, y, dx, dy int) int { return (y+dy)*p.src + x + dx }),
		},
		{
			Slug:   "block-within-row",
			Title:  "The rows of each block were taken from the same row of image.",
			Why:    "The inner row takes no part in the index, so each block's first row was counted again and again.",
			Ask:    "From one row of a block to the next: how far apart are they in memory?",
			Output: taken(func(p picture, x, y, dx, _ int) int { return y*p.block()*p.src + x*p.block() + dx }),
		},
		{
			Slug:  "one-row-of-block",
			Title: "Only one row of each block took part.",
			Why:   "There is one loop, along the row. A block has as many rows as columns.",
			Ask:   "How many loops does it take to visit a square?",
			Output: pixels(func(p picture, x, y int) float64 {
				b := p.block()
				return sum(b, 1, func(dx, _ int) float64 { return p.at(x*b+dx, y*b) }) / float64(b*b)
			}),
		},
		{
			Slug:  "inclusive-loop",
			Title: "The blocks are one pixel too wide and too high.",
			Why:   "With a side of 5 the last index is 4. One further begins the next block.",
			Ask:   "With blocks of 5 × 5: which values should the loop variables take?",
			Output: pixels(func(p picture, x, y int) float64 {
				b := p.block()
				return sum(b+1, b+1, func(dx, dy int) float64 { return p.at(x*b+dx, y*b+dy) }) / float64(b*b)
			}),
		},
		{
			Slug:  "two-by-two",
			Title: "Each pixel is the average of 2 × 2 pixels, whatever the block.",
			Why:   "A block has 4 pixels only when src is twice dst. The host decides, and says it in params.",
			Ask:   "How wide is a block when 140 pixels become 28?",
			Output: pixels(func(p picture, x, y int) float64 {
				return sum(2, 2, func(dx, dy int) float64 { return p.at(x*2+dx, y*2+dy) }) / 4
			}),
		},
		{
			Slug:  "factor-upside-down",
			Title: "The factor came out as 0: it is src / dst, and not dst / src.",
			Why:   "In whole numbers 28 / 140 is 0. The loops never ran, and 0 / 0 is NaN.",
			Ask:   "How wide is a block when 140 pixels become 28?",
			Output: pixels(func(p picture, x, y int) float64 {
				if p.block() > 1 {
					return math.NaN()
				}
				return p.at(x, y)
			}),
		},
		{
			Slug:  "largest",
			Title: "Each pixel is the brightest of its block, not the average.",
			Why:   "That makes lines fatter. The average keeps how much of a block is covered.",
			Ask:   "What should come out of a block that is half white and half black?",
			Output: pixels(func(p picture, x, y int) float64 {
				b, brightest := p.block(), 0.0
				sum(b, b, func(dx, dy int) float64 {
					brightest = max(brightest, p.at(x*b+dx, y*b+dy))
					return 0
				})
				return brightest
			}),
		},
		{
			Slug:  "wrong-stride-out",
			Title: "The rows of out were taken to be src pixels long.",
			Why:   "Each picture has its own row length: src in image, dst in out. Most of the pixels landed outside.",
			Ask:   "Two pixels below each other in out: how far apart are they in memory?",
			Output: func(c Case, size [3]uint32) Buffer {
				p := pictureOf(c)
				return dispatched(c, downsampleOut, size, func(x, y int) (int, float64) {
					if x >= p.dst || y >= p.dst {
						return nowhere, 0
					}
					return y*p.src + x, p.average(x, y)
				})
			},
		},
		accumulating(downsampleOut, averaged),
		localIndex2D(downsampleOut, averaged),
		flatIndex(downsampleOut, averaged),
		firstRowOnly(downsampleOut, averaged),
		firstColumnOnly(downsampleOut, averaged),
		zeroEverywhere(downsampleOut),
	}
}
