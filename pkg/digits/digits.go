// Package digits runs the course's network in a notebook cell. The network reads handwritten
// digits, and digits draws the results. It uses your shaders if they are right.
//
//	digits.Test().Mistakes(40)
//
// The functions display their results in the running cell. A function that fails displays the error
// and ends the cell.
//
// The package is the face of the room internal/networks, which holds the networks and the images.
package digits

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// A Reading holds the network's answers for a set of digits.
type Reading struct {
	mnist.Set
	Probabilities []float32 // ten for each image
	Read          []uint32  // the most probable digit of each image

	rows  [][2]string // for the card: the shaders' authors, and the time taken
	yours bool        // your host read them: Score shows the first
}

// Images shows the first n of MNIST's test images with their labels.
func Images(n int) {
	set := show.Must(mnist.Test())
	show.Display(show.Digits{
		Title: fmt.Sprintf("The first of %s images of MNIST, and what they are", english.Thousands(set.Len())), Source: set.Source,
		Images: set.Images[:n*mnist.Pixels], Labels: set.Labels[:n],
	})
}

// Test reads MNIST's 10,000 test images with your normalize and argmax. A shader that isn't right
// is replaced by the reference. The four passes in between are always the reference's.
func Test() Reading {
	normalize := show.Must(check.Own("normalize"))
	return test(normalize.Source, [2]string{"normalize", normalize.Whose()})
}

// TestWith is Test with the normalize shader in a file, right or not.
func TestWith(normalize string) Reading {
	return test(show.Must(learner.ReadShader(normalize)), [2]string{"normalize", normalize})
}

func test(normalize string, whose [2]string) Reading {
	set := testImages()
	argmax := show.Must(check.Own("argmax"))
	started := time.Now()
	r := read(set, mlp.Shaders{Normalize: normalize}, argmax.Source)
	took := time.Since(started)
	r.rows = [][2]string{whose, {"argmax", argmax.Whose()}, {"time for all of them", fmt.Sprintf("%.2f s", took.Seconds())}}
	return r
}

// testImages returns MNIST's test images. In the simulator these are the first 1,000: all of them
// would take ten times as long.
func testImages() mnist.Set {
	set := allTestImages()
	if show.Must(gpu.Default()).Adapter().Kind == gpu.Simulated {
		return set.First(1000)
	}
	return set
}

func allTestImages() mnist.Set { return show.Must(mnist.Test()) }

// Drawn reads the 300 digits that ship with the course. This project's stroke generator drew them,
// and they are framed as MNIST's are.
func Drawn() Reading { return readBuiltIn(mnist.Drawn()) }

// The size of the sheets that Sheets draws on, in pixels, and the width of its pen, as a share of
// the sheet's side.
const (
	sheetSide = 280
	sheetPen  = 0.04
)

// Sheets reads n drawings on large sheets, each made small in two ways: as it is, and framed as
// MNIST frames its digits. A digit may be anywhere on its sheet. Its height, as a share of the
// sheet's, is between smallest and largest, both from 0 to 1. The drawings are the same every time.
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
	return read(set, mlp.Shaders{}, show.Must(exercises.Reference("argmax")))
}

// read runs the trained network over a set, and argmax over its probabilities.
func read(set mnist.Set, sources mlp.Shaders, argmax string) Reading {
	device := show.Must(gpu.Default())
	net := show.Must(mlp.New(device, show.Must(mlp.Trained()), mlp.WithShaders(sources)))
	defer net.Free()
	r := Reading{Set: set, Probabilities: show.Must(net.Forward(set.Images))}
	r.Read = show.Must(gpu.Compute[uint32](argmax,
		gpu.Elements(set.Len()), gpu.Members{set.Len(), mlp.Outputs}, r.Probabilities, gpu.Out(set.Len())))
	return r
}

// Sure returns the probability, from 0 to 1, that the network gives to its answer for image i.
func (r Reading) Sure(i int) float32 {
	return r.Probabilities[i*mlp.Outputs+min(int(r.Read[i]), mlp.Outputs-1)]
}

// Right reports whether the network read image i right.
func (r Reading) Right(i int) bool { return r.Read[i] == uint32(r.Labels[i]) }

// wrong returns the images that the network read wrong.
func (r Reading) wrong() []int {
	var wrong []int
	for i := range r.Len() {
		if !r.Right(i) {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// percent returns the percentage of images that the network read right.
func (r Reading) percent() float64 { return 100 * (1 - float64(len(r.wrong()))/float64(r.Len())) }

// Score shows how many images the network read right, and the authors of its shaders.
func (r Reading) Score() {
	if r.yours {
		show.Display(r.digits(fmt.Sprintf("Your host read a %d", r.Read[0]), []int{0}))
	}
	right := r.Len() - len(r.wrong())
	show.Display(show.Card{
		Title: fmt.Sprintf("%s of %s read right: %.2f %%", english.Thousands(right), english.Thousands(r.Len()), r.percent()),
		Rows:  append([][2]string{{"images", r.Source}}, r.rows...),
	})
}

// First shows the first n images. Below each are the network's answer and its probability.
func (r Reading) First(n int) {
	first := make([]int, min(n, r.Len()))
	for i := range first {
		first[i] = i
	}
	show.Display(r.digits(fmt.Sprintf("%.1f %% of %s read right; the first %d of them", r.percent(), english.Thousands(r.Len()), len(first)), first))
}

// Mistakes shows up to n images that the network read wrong, from the most to the least certain.
func (r Reading) Mistakes(n int) {
	wrong := r.wrong()
	slices.SortStableFunc(wrong, func(a, b int) int { return cmp.Compare(r.Sure(b), r.Sure(a)) })
	show.Display(r.digits(fmt.Sprintf("The surest of %d mistakes", len(wrong)), wrong[:min(n, len(wrong))]))
}

// digits shows some of the images with the network's answers.
func (r Reading) digits(title string, which []int) show.Digits {
	d := show.Digits{Title: title, Source: r.Source}
	for _, i := range which {
		d.Images, d.Labels = append(d.Images, r.Image(i)...), append(d.Labels, r.Labels[i])
		d.Read, d.Confidence = append(d.Read, r.Read[i]), append(d.Confidence, r.Sure(i))
	}
	return d
}

// Confused shows how often the network read each digit as each other digit.
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

// Doubtful shows the image that the network is least certain of, and the probability of each digit.
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
