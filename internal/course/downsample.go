package course

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/shader"
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
		// The sum of a block of values up to 1, and a division.
		block := pictureOf(c).block()
		return rounded(block*block+3, 1)
	},
	Misconceptions: downsampleMisconceptions(),
	Hints: []string{
		"Draw a picture of 4 × 4 pixels and the 2 × 2 picture made from it. Which four pixels make the one at the bottom right?",
		"One invocation makes one pixel of out. id.x is its column, id.y its row; both must be less than params.dst.",
		"A block is params.src / params.dst pixels wide and just as high. The block of pixel (x, y) begins x blocks from the left and y blocks from the top.",
		"Two nested loops walk through the block. A row is params.src pixels long in image, and params.dst in out.",
		"Add up the block in a variable of your own. After the loops, divide once by the number of pixels in a block. f32(…) converts a whole number to a float.",
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

// A picture is a case in decoded form.
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

// imageColumns returns the width of a picture; both pictures are square.
func imageColumns(c Case, binding int) int {
	p := pictureOf(c)
	return map[int]int{downsampleImage: p.src, downsampleOut: p.dst}[binding]
}

// block returns the side of the square that one pixel of the small picture covers.
func (p picture) block() int { return p.src / p.dst }

// at returns the pixel in column x and row y of the large picture.
func (p picture) at(x, y int) float64 { return valueAt(p.image, y*p.src+x) }

// sum adds width × height pixels, which pixel returns.
func sum(width, height int, pixel func(x, y int) float64) float64 {
	total := 0.0
	for y := range height {
		for x := range width {
			total += pixel(x, y)
		}
	}
	return total
}

// average returns the right answer for the pixel in column x and row y.
func (p picture) average(x, y int) float64 {
	b := p.block()
	return sum(b, b, func(dx, dy int) float64 { return p.at(x*b+dx, y*b+dy) }) / float64(b*b)
}

func averaged(c Case) Buffer { return pixels(picture.average)(c, [3]uint32{}) }

// pixels returns an Output function that gives every pixel (x, y) the value of value.
func pixels(value func(p picture, x, y int) float64) func(Case, [3]uint32) Buffer {
	return func(c Case, _ [3]uint32) Buffer {
		p := pictureOf(c)
		return eachCell(p.dst, p.dst, func(y, x int) float64 { return value(p, x, y) })
	}
}

// blocks returns an Output function that computes every pixel from the right sum of its block. The
// exercise's tolerance covers the rounding of an average. The rounding of a large sum has no such
// bound, so its pixels are undefined.
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

// taken returns an Output function that averages blocks whose pixels are at other indices of
// image.
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
			Why:    "Only the top left pixel of the block reached the output. A thin line that misses the corners disappears.",
			Ask:    "How many pixels of image should count towards one pixel of out?",
			Output: pixels(func(p picture, x, y int) float64 { return p.at(x*p.block(), y*p.block()) }),
		},
		{
			Slug:  "centre",
			Title: "Each pixel is the centre of its block, not the average.",
			Why:   "Only one pixel of the block reached the output. A thin line that misses the centres disappears.",
			Ask:   "How many pixels of image should count towards one pixel of out?",
			Output: pixels(func(p picture, x, y int) float64 {
				return p.at(x*p.block()+p.block()/2, y*p.block()+p.block()/2)
			}),
		},
		{
			Slug:  "last-of-block",
			Title: "Each pixel is the last one of its block, not the average.",
			Why:   "Each step of the loops overwrites the result of the steps before it.",
			Ask:   "What does your variable hold at the start of the second step?",
			Output: pixels(func(p picture, x, y int) float64 {
				return p.at(x*p.block()+p.block()-1, y*p.block()+p.block()-1)
			}),
		},
		{
			Slug:   "not-divided",
			Title:  "Each pixel is the sum of its block, not divided.",
			Why:    "White pixels have the value 1. The sum of a white block is its number of pixels, but the result should be 1 again.",
			Ask:    "What should a completely white picture become?",
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
			Why:    "A block has 4 pixels only if src is twice dst. The host chooses both and passes them in params.",
			Ask:    "How many pixels are there in a block of 5 × 5?",
			Output: blocks(func(_ picture, total float64) float64 { return total / 4 }),
		},
		{
			Slug:   "divided-by-picture",
			Title:  "The sum was divided by the number of pixels of the small picture.",
			Why:    "dst * dst is the number of blocks. You need the number of pixels in one block.",
			Ask:    "What should a completely white picture become?",
			Output: blocks(func(p picture, total float64) float64 { return total / float64(p.dst*p.dst) }),
		},
		{
			Slug:   "divided-by-image",
			Title:  "The sum was divided by the number of pixels of the large picture.",
			Why:    "That would be right for a single block that covers everything. You need the number of pixels in one block.",
			Ask:    "What should a completely white picture become?",
			Output: blocks(func(p picture, total float64) float64 { return total / float64(p.src*p.src) }),
		},
		{
			Slug:   "divided-twice",
			Title:  "The average was divided by the number of pixels once more.",
			Why:    "Divide only once: either each term or the sum.",
			Ask:    "What should a completely white picture become?",
			Output: blocks(func(p picture, total float64) float64 { return total / math.Pow(float64(p.block()), 4) }),
		},
		{
			Slug:  "transposed",
			Title: "The picture is mirrored along its diagonal: x and y are swapped.",
			Why:   "Row-major means row * width + column, that is, y * width + x. In one of the two pictures you have it the other way round.",
			Ask:   "In out and in image, which of y and x do you multiply by the width?",
			Output: pixels(func(p picture, x, y int) float64 {
				return p.average(y, x)
			}),
		},
		{
			Slug:   "wrong-stride",
			Title:  "Your shader assumes that the rows of image are dst pixels long.",
			Why:    "Each picture has its own row length: src in image, dst in out.",
			Ask:    "How far apart in memory are two pixels of image, one directly below the other?",
			Output: taken(func(p picture, x, y, dx, dy int) int { return (y*p.block()+dy)*p.dst + x*p.block() + dx }),
		},
		{
			Slug:   "blocks-overlap",
			Title:  "The blocks overlap: each begins one pixel after the previous one.",
			Why:    "Your shader lets the block of pixel (x, y) begin at (x, y) of image. But the next block begins a whole block further on.",
			Ask:    "With blocks of 5 × 5, where in image does the block of pixel (1, 0) begin?",
			Output: taken(func(p picture, x, y, dx, dy int) int { return (y+dy)*p.src + x + dx }),
		},
		{
			Slug:   "block-within-row",
			Title:  "The rows of each block were taken from the same row of image.",
			Why:    "Your index doesn't use the row inside the block, so each block's first row was counted again and again.",
			Ask:    "How far apart in memory are two rows of a block?",
			Output: taken(func(p picture, x, y, dx, _ int) int { return y*p.block()*p.src + x*p.block() + dx }),
		},
		{
			Slug:  "one-row-of-block",
			Title: "Only one row of each block was counted.",
			Why:   "There is only one loop, along the row. A block has as many rows as columns.",
			Ask:   "How many loops does it take to visit a square?",
			Output: pixels(func(p picture, x, y int) float64 {
				b := p.block()
				return sum(b, 1, func(dx, _ int) float64 { return p.at(x*b+dx, y*b) }) / float64(b*b)
			}),
		},
		{
			Slug:  "inclusive-loop",
			Title: "The blocks are one pixel too wide and too high.",
			Why:   "With a side of 5 the last index is 4. After that, the next block begins.",
			Ask:   "With blocks of 5 × 5, which values should the loop variables have?",
			Output: pixels(func(p picture, x, y int) float64 {
				b := p.block()
				return sum(b+1, b+1, func(dx, dy int) float64 { return p.at(x*b+dx, y*b+dy) }) / float64(b*b)
			}),
		},
		{
			Slug:  "two-by-two",
			Title: "Each pixel is the average of 2 × 2 pixels, whatever the block.",
			Why:   "A block has 4 pixels only if src is twice dst. The host chooses both and passes them in params.",
			Ask:   "How wide is a block if 140 pixels become 28?",
			Output: pixels(func(p picture, x, y int) float64 {
				return sum(2, 2, func(dx, dy int) float64 { return p.at(x*2+dx, y*2+dy) }) / 4
			}),
		},
		{
			Slug:  "factor-upside-down",
			Title: "The block's side came out as 0: it is src / dst, not dst / src.",
			Why:   "With whole numbers, 28 / 140 is 0. The loops never ran, and 0 / 0 is NaN.",
			Ask:   "How wide is a block if 140 pixels become 28?",
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
			Why:   "That makes lines fatter. The average keeps track of how much of a block is covered.",
			Ask:   "What should a block that is half white and half black become?",
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
			Title: "Your shader assumes that the rows of out are src pixels long.",
			Why:   "Each picture has its own row length: src in image, dst in out. Most of your pixels landed outside of out.",
			Ask:   "How far apart in memory are two pixels of out, one directly below the other?",
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
