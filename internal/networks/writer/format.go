package writer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/plan"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A WeightFormat is how Cached keeps the matrices of the network on the device.
type WeightFormat struct {
	Bits    int    // of a weight, without its part of a scale
	product string // the shader that multiplies by them
}

// WeightFormats lists the formats. Halves are what the network ships in. Bytes and four bits are
// laid out as in GGUF's Q8_0 and Q4_0: 32 weights in a row share a scale, a half. Only the scales
// have a buffer of their own here.
var WeightFormats = []WeightFormat{{16, "gemv-half"}, {8, "grouped/gemv-int8"}, {4, "gemv-int4"}}

// Halves is the format in which the network ships.
var Halves = WeightFormats[0]

// group is how many weights share a scale in bytes and in four bits.
const group = 32

// WeightFormatOf returns the format with so many bits for a weight.
func WeightFormatOf(bits int) (WeightFormat, error) {
	i := slices.IndexFunc(WeightFormats, func(f WeightFormat) bool { return f.Bits == bits })
	if i < 0 {
		return WeightFormat{}, fmt.Errorf("there are no weights of %d bits: use 16, 8 or 4", bits)
	}
	return WeightFormats[i], nil
}

// Size is how many bytes so many weights take, with their scales.
func (f WeightFormat) Size(weights int) int {
	if f == Halves {
		return 2 * weights
	}
	return weights*f.Bits/8 + 2*weights/group
}

// check returns an error if the rows of a network aren't whole groups.
func (f WeightFormat) check(w *gpt.Weights) error {
	for _, inputs := range []int{w.Width, w.Hidden} {
		if f != Halves && inputs%group != 0 {
			return fmt.Errorf("a row of %d weights is not a number of groups of %d", inputs, group)
		}
	}
	return nil
}

// upload puts a matrix of inputs × outputs on the device: a row for each output, and then its
// scales, if there are any.
func (f WeightFormat) upload(r *plan.Recorder, w []float32, inputs, outputs int) []*gpu.Buffer {
	if f == Halves {
		return []*gpu.Buffer{plan.Upload(r, halves(w, inputs, outputs))}
	}
	words, scales := f.grouped(w, inputs, outputs)
	return []*gpu.Buffer{plan.Upload(r, words), plan.Upload(r, scales)}
}

// grouped packs a matrix of inputs × outputs in groups. The scales follow each other, two in a
// word.
func (f WeightFormat) grouped(w []float32, inputs, outputs int) (words, scales []uint32) {
	pack := packedBytes
	if f.Bits == 4 {
		pack = packedNibbles
	}
	groups := inputs / group
	scales = make([]uint32, (groups*outputs+1)/2)
	for at := range groups * outputs {
		var weights [group]float32
		for i := range weights {
			weights[i] = w[(at%groups*group+i)*outputs+at/groups]
		}
		packed, scale := pack(weights)
		words = append(words, packed...)
		scales[at/2] |= uint32(numeric.F16Bits(scale)) << (16 * (at % 2))
	}
	return words, scales
}

// rounded returns the numbers of a matrix of inputs × outputs as the format has them.
func (f WeightFormat) rounded(w []float32, inputs, outputs int) []float32 {
	if f == Halves {
		return w // it ships in halves
	}
	words, scales := f.grouped(w, inputs, outputs)
	out := make([]float32, len(w))
	for at := range w {
		first, place := at/group*group*f.Bits, at%group // a group's first bit, and a place in it
		bits := func(from int) uint32 { return words[from/32] >> (from % 32) & (1<<f.Bits - 1) }
		var steps float32
		if f.Bits == 4 {
			steps = float32(bits(first+8*(place%16)+4*(place/16))) - 8
		} else {
			steps = float32(int8(bits(first + 8*place)))
		}
		scale := numeric.FromF16Bits(uint16(scales[at/group/2] >> (at / group % 2 * 16)))
		out[at%inputs*outputs+at/inputs] = steps * scale
	}
	return out
}

// roundedTable returns the table that reads letters, as the format has the one that writes them.
func (f WeightFormat) roundedTable(w *gpt.Weights) []float32 {
	if f == Halves {
		return w.Table
	}
	return transposed(f.rounded(transposed(w.Table, w.Letters, w.Width), w.Width, w.Letters), w.Width, w.Letters)
}

// largest returns the weight of a group with the largest magnitude.
func largest(weights [group]float32) float32 {
	return slices.MaxFunc(weights[:], func(a, b float32) int {
		return cmp.Compare(math.Abs(float64(a)), math.Abs(float64(b)))
	})
}

// packedBytes packs a group in signed bytes: the largest magnitude becomes 127.
func packedBytes(weights [group]float32) (words []uint32, scale float32) {
	words, scale = make([]uint32, group/4), float32(math.Abs(float64(largest(weights)))/127)
	for i, w := range weights {
		words[i/4] |= uint32(uint8(int8(steps(w, scale)))) << (8 * (i % 4))
	}
	return words, scale
}

// packedNibbles packs a group in numbers from 0 to 15, which stand for -8 to 7 steps. The weight
// with the largest magnitude becomes -8 steps, so the scale is below 0 if that weight is above.
// The low halves of the bytes are the first 16 weights, and the high halves the others.
func packedNibbles(weights [group]float32) (words []uint32, scale float32) {
	words, scale = make([]uint32, group/8), largest(weights)/-8
	for i, w := range weights {
		q := uint32(min(15, steps(w, scale)+8))
		words[i%16/4] |= q << (8*(i%4) + i/16*4)
	}
	return words, scale
}

// steps returns how many steps of a scale a weight is, rounded.
func steps(w, scale float32) float64 {
	if scale == 0 {
		return 0
	}
	return math.Floor(float64(w/scale) + 0.5)
}

// Loss reads a text letter by letter. It returns the mean of -log of the chance that each letter
// after the first had, and how long a letter took, without the first.
func Loss(ctx context.Context, by LetterWriter, text []uint32) (loss float64, took time.Duration, err error) {
	after := len(text) - 1
	for i := range after {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		started := time.Now()
		if _, err := by.Next(text[:i+1], 1, 0.5); err != nil {
			return 0, 0, err
		}
		if i > 0 {
			took += time.Since(started) / time.Duration(after-1)
		}
		scores, err := by.Scores()
		if err != nil {
			return 0, 0, err
		}
		for _, c := range Chances(scores, 1) {
			if c.Letter == text[i+1] {
				loss -= math.Log(c.Chance) / float64(after)
			}
		}
	}
	return loss, took, nil
}
