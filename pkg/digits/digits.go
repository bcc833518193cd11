// Package digits is the network of the course at work in a notebook's cell: it reads
// handwritten digits, with the learner's shaders where they are right, and draws what
// came of it.
//
//	digits.Test().Mistakes(40)
//
// Its functions show what they find in the running cell, and end it with a drawn error
// where they cannot.
package digits

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/mlp"
	"github.com/wgslab/wgslab/pkg/mnist"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/shaders"
)

// A Reading is what the network makes of a set of digits.
type Reading struct {
	mnist.Set
	Probabilities []float32 // ten for each image
	Read          []uint32  // the most probable digit of each image

	rows [][2]string // for the card: whose shaders read, and how long it took
}

// Images shows the first of MNIST's test images, and what they are.
func Images(n int) {
	set := show.Must(mnist.Test())
	show.Display(show.Digits{
		Title: fmt.Sprintf("The first of %s images of MNIST, and what they are", show.Thousands(set.Len())), Source: set.Source,
		Images: set.Images[:n*mnist.Pixels], Labels: set.Labels[:n],
	})
}

// Test reads MNIST's 10,000 test images with the learner's normalize and argmax, or
// the reference for each that is not right. The four passes in between are the
// reference's.
func Test() Reading {
	normalize := show.Must(check.Own("normalize"))
	return test(normalize.Source, [2]string{"normalize", normalize.Whose()})
}

// TestWith is Test with the normalize shader in a file, right or not.
func TestWith(normalize string) Reading {
	return test(show.Must(learner.ReadShader(normalize)), [2]string{"normalize", normalize})
}

func test(normalize string, whose [2]string) Reading {
	set := show.Must(mnist.Test())
	if show.Must(gpu.Default()).Adapter().Kind == gpu.Simulated {
		set = set.First(1000) // all would take the simulator ten times as long
	}
	argmax := show.Must(check.Own("argmax"))
	started := time.Now()
	r := read(set, mlp.Kernels{Normalize: normalize}, argmax.Source)
	took := time.Since(started).Round(time.Millisecond)
	r.rows = [][2]string{whose, {"argmax", argmax.Whose()}, {"time for all of them", took.String()}}
	return r
}

// Drawn reads the 300 digits of this project's stroke generator that ship with the
// course, framed as MNIST's are.
func Drawn() Reading { return readBuiltIn(mnist.Drawn()) }

// The sheets that Sheets draws on, in pixels, and its pen, a share of their side.
const (
	sheetSide = 280
	sheetPen  = 0.04
)

// Sheets reads n drawings on large sheets, each made small in two ways: as it is, and
// framed as MNIST frames its digits. On its sheet a digit stands where the hand put it,
// and is from smallest to largest of the sheet high, both from 0 to 1. The drawings are
// the same every time.
func Sheets(n int, smallest, largest float64) (asItIs, framed Reading) {
	plain, inFrame := mnist.Set{Source: "drawn digits, as they are"}, mnist.Set{Source: "drawn digits, framed"}
	rng := rand.New(rand.NewPCG(2026, 8))
	for i := range n {
		digit := i % 10
		strokes := mnist.Strokes(rng, digit)
		size := smallest + (largest-smallest)*rng.Float64()
		right, down := (1-size)*rng.Float64(), (1-size)*rng.Float64()
		for _, stroke := range strokes {
			for p := range stroke {
				stroke[p].X, stroke[p].Y = right+size*stroke[p].X, down+size*stroke[p].Y
			}
		}
		sheet := mnist.Rasterise(strokes, sheetSide, sheetPen)
		small, frame := mnist.Shrink(sheet, sheetSide, sheetSide), mnist.Frame(sheet, sheetSide, sheetSide)
		plain.Images, inFrame.Images = append(plain.Images, small[:]...), append(inFrame.Images, frame[:]...)
		plain.Labels = append(plain.Labels, byte(digit))
	}
	inFrame.Labels = plain.Labels
	return readBuiltIn(plain), readBuiltIn(inFrame)
}

func readBuiltIn(set mnist.Set) Reading {
	return read(set, mlp.Kernels{}, show.Must(shaders.Source("argmax")))
}

// read runs the trained network over a set, and argmax over what it says.
func read(set mnist.Set, kernels mlp.Kernels, argmax string) Reading {
	device := show.Must(gpu.Default())
	net := show.Must(mlp.New(device, show.Must(mlp.Trained()), mlp.WithKernels(kernels)))
	defer net.Free()
	r := Reading{Set: set, Probabilities: show.Must(net.Forward(set.Images))}
	r.Read = show.Must(gpu.Compute[uint32](argmax,
		gpu.Elements(set.Len()), gpu.Members{set.Len(), mlp.Outputs}, r.Probabilities, gpu.Out(set.Len())))
	return r
}

// Sure is how probable the network finds what it read in image i, from 0 to 1.
func (r Reading) Sure(i int) float32 {
	return r.Probabilities[i*mlp.Outputs+min(int(r.Read[i]), mlp.Outputs-1)]
}

// Right is whether image i was read right.
func (r Reading) Right(i int) bool { return r.Read[i] == uint32(r.Labels[i]) }

// wrong are the images that were not.
func (r Reading) wrong() []int {
	var wrong []int
	for i := range r.Len() {
		if !r.Right(i) {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// percent is how many are right, of a hundred.
func (r Reading) percent() float64 { return 100 * (1 - float64(len(r.wrong()))/float64(r.Len())) }

// Score shows how many images were read right, and whose shaders read them.
func (r Reading) Score() {
	right := r.Len() - len(r.wrong())
	show.Display(show.Card{
		Title: fmt.Sprintf("%s of %s read right: %.2f %%", show.Thousands(right), show.Thousands(r.Len()), r.percent()),
		Rows:  append([][2]string{{"images", r.Source}}, r.rows...),
	})
}

// First shows the first n images, and below each what was read and how surely.
func (r Reading) First(n int) {
	first := make([]int, min(n, r.Len()))
	for i := range first {
		first[i] = i
	}
	show.Display(r.digits(fmt.Sprintf("%.1f %% of %s read right; the first %d of them", r.percent(), show.Thousands(r.Len()), len(first)), first))
}

// Mistakes shows up to n images that were read wrong, the surest first.
func (r Reading) Mistakes(n int) {
	wrong := r.wrong()
	slices.SortStableFunc(wrong, func(a, b int) int { return cmp.Compare(r.Sure(b), r.Sure(a)) })
	show.Display(r.digits(fmt.Sprintf("The surest of %d mistakes", len(wrong)), wrong[:min(n, len(wrong))]))
}

// digits are some of the images with what was read.
func (r Reading) digits(title string, which []int) show.Digits {
	d := show.Digits{Title: title, Source: r.Source}
	for _, i := range which {
		d.Images, d.Labels = append(d.Images, r.Image(i)...), append(d.Labels, r.Labels[i])
		d.Read, d.Confidence = append(d.Read, r.Read[i]), append(d.Confidence, r.Sure(i))
	}
	return d
}

// Confused shows how often each digit was read as each.
func (r Reading) Confused() {
	counts := make([][]uint32, mlp.Outputs)
	for digit := range counts {
		counts[digit] = make([]uint32, mlp.Outputs)
	}
	for i, label := range r.Labels {
		if read := r.Read[i]; read < mlp.Outputs {
			counts[label][read]++
		}
	}
	show.Display(show.Confusion{Source: r.Source, Counts: counts})
}

// Doubtful shows the image that the network was least sure of, and how probable each
// digit is to it.
func (r Reading) Doubtful() {
	i := 0
	for other := range r.Len() {
		if r.Sure(other) < r.Sure(i) {
			i = other
		}
	}
	show.Display(r.digits("", []int{i}), show.Bars{
		Title: fmt.Sprintf("Image %d: how probable each digit is", i), Source: r.Source, Percent: true,
		Values: r.Probabilities[i*mlp.Outputs : (i+1)*mlp.Outputs], Highlight: []int{int(r.Read[i])},
	})
}
