package course

import (
	"fmt"
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

// averaged gives every pixel the average of its block.
func averaged(c Case) Buffer {
	p := pictureOf(c)
	block := p.block()
	return each(p.dst*p.dst, func(i int) float64 {
		left, top := i%p.dst*block, i/p.dst*block
		total := 0.0
		for y := range block {
			for x := range block {
				total += float64(p.image[(top+y)*p.src+left+x])
			}
		}
		return total / float64(block*block)
	})
}
