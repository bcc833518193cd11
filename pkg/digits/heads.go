package digits

import (
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Attention shows how much each of the 16 patches of one of MNIST's test images looks at each other
// one, by layer and head, and what the transformer makes of the image. It runs your kernels
// if they are right.
func Attention(image int) {
	set, reading, whose := attend(image)
	views := []show.View{show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]}}
	for i, looks := range reading.Looks {
		views = append(views, sideBySide(
			fmt.Sprintf("Layer %d, heads 1 to %d: a row for each patch, a column for each patch that it looks at", i+1, vit.Heads), looks, vit.Tokens, vit.Heads))
	}
	show.Display(append(views, show.Bars{Title: "the ten probabilities", Source: set.Source, Values: reading.Probabilities, Percent: true}, whose)...)
}

// LooksFrom shows where one patch of one of MNIST's test images looks, by layer and head. The
// patches are counted from 0, in rows of four. It runs your kernels if they are right.
func LooksFrom(image, patch int) {
	set, reading, whose := attend(image)
	views := []show.View{
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		lit(ink(set, image), patch),
	}
	for layer := range vit.Layers {
		for head := 0; head < vit.Heads; head += 2 {
			h := shares(reading.Look(layer, head, patch), reading.Look(layer, head+1, patch))
			h.Title = fmt.Sprintf("Layer %d, heads %d and %d: how much of its attention patch %d gives to each patch, in %%", layer+1, head+1, head+2, patch)
			h.ColLabels[1], h.ColLabels[vit.Across+2] = fmt.Sprint("head ", head+1), fmt.Sprint("head ", head+2)
			views = append(views, h)
		}
	}
	show.Display(append(views, whose)...)
}

// lit shows an image in its patches, one of them brighter than the others.
func lit(image []float32, patch int) show.HeatMap {
	var pictures []float32
	for i := range vit.Tokens {
		for at := range pixels {
			x := image[(i/vit.Across*vit.Side+at/vit.Side)*mnist.Side+i%vit.Across*vit.Side+at%vit.Side]
			if i == patch {
				x = 0.25 + 0.75*x
			} else {
				x *= 0.6
			}
			pictures = append(pictures, x)
		}
	}
	return sideBySide(fmt.Sprintf("The 16 patches, counted row by row; patch %d is lit", patch), pictures, vit.Side, vit.Across)
}

// shares shows two heads' shares of the patches as percentages, in the places of the patches.
func shares(left, right []float32) show.HeatMap {
	cols := 2*vit.Across + 1 // one between the two
	h := show.HeatMap{Rows: vit.Across, Cols: cols}
	for row := range vit.Across {
		h.RowLabels = append(h.RowLabels, fmt.Sprintf("patches %d to %d", row*vit.Across, (row+1)*vit.Across-1))
		for col := range cols {
			gap, of := col == vit.Across, left
			if col > vit.Across {
				of = right
			}
			h.Absent = append(h.Absent, gap)
			if gap {
				h.Values = append(h.Values, float32(math.NaN()))
				continue
			}
			h.Values = append(h.Values, float32(math.Round(100*float64(of[row*vit.Across+col%(vit.Across+1)]))))
		}
	}
	h.ColLabels = slices.Repeat([]string{" "}, cols)
	return h
}

// attend reads one of MNIST's test images with the learner's kernels.
func attend(image int) (mnist.Set, vit.AttentionMaps, show.View) {
	sources, whose := ownOf(vit.Exercises)
	reader := show.Must(vit.NewReader(show.Must(gpu.Default()), show.Must(vit.Trained()), sources))
	defer reader.Free()
	set := show.Must(mnist.Test())
	return set, show.Must(reader.Read(set.Image(image), vit.Off{})), check.Whose(whose...)
}

// OneWalk reads MNIST's first n test images twice, with your kernels if they are right: with
// scores, softmax and mix, and with attention-online in their place. It shows what each needs, and
// how far their probabilities are apart.
func OneWalk(n int) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		n = min(n, 3) // the simulator is slow
	}
	sources, whose := ownOf(append(slices.Clone(vit.Exercises), vit.OneWalk))
	set, weights := show.Must(mnist.Test()).First(n), show.Must(vit.Trained())
	three := show.Must(vit.NewReader(device, weights, sources))
	defer three.Free()
	one := show.Must(vit.NewOneWalkReader(device, weights, sources))
	defer one.Free()
	left, right := readAll(three, set), readAll(one, set)
	apart := 0.0
	for i := range left {
		apart = max(apart, math.Abs(float64(left[i]-right[i])))
	}
	table := show.Table{
		Caption: fmt.Sprintf("%s test images; their probabilities differ by %.1g at most", english.Thousands(n), apart),
		Headers: []string{"", "scores, softmax, mix", vit.OneWalk},
	}
	table.Add("passes for an image", three.Passes(), one.Passes())
	table.Add("scores in memory", english.Thousands(vit.Layers*vit.Heads*vit.Tokens*vit.Tokens), 0)
	table.Add("read right", rightOf(left, set), rightOf(right, set))
	show.Display(table, check.Whose(whose...))
}

// readAll returns the probabilities of each image of a set.
func readAll(r *vit.Reader, set mnist.Set) (all []float32) {
	for i := range set.Len() {
		all = append(all, show.Must(r.Read(set.Image(i), vit.Off{})).Probabilities...)
	}
	return all
}

// WithoutHeads switches off one head after the other, and shows how many of MNIST's first n test
// images the transformer still reads right.
func WithoutHeads(n int) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		n = max(10, n/20) // the simulator is slow
	}
	set := show.Must(mnist.Test()).First(n)
	all := show.Must(vit.Trained())
	table := show.Table{
		Caption: fmt.Sprintf("%s test images: how many it reads right without one head", english.Thousands(n)),
		Headers: []string{"switched off", "read right"},
		Rows:    [][]any{{"nothing", rightWith(device, all, set)}},
	}
	for layer := range vit.Layers {
		for head := range vit.Heads {
			var off vit.Off
			off[layer][head] = true
			table.Rows = append(table.Rows, []any{fmt.Sprintf("layer %d, head %d", layer+1, head+1), rightWith(device, all.Without(off), set)})
		}
	}
	show.Display(table)
}

func rightWith(device *gpu.Device, w *vit.Weights, set mnist.Set) int {
	n := show.Must(vit.New(device, w))
	defer n.Free()
	return rightOf(show.Must(n.Forward(set.Images)), set)
}

// rightOf returns how many images a network reads right.
func rightOf(probabilities []float32, set mnist.Set) int {
	return int(network.Accuracy(probabilities, set.Labels)*float64(set.Len()) + 0.5)
}

// Contest reads n drawn digits of each of four kinds, as Duels does, with all three networks, and
// shows how many each reads right. No network has seen any of them in its training.
func Contest(n int) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		n = max(10, n/10) // the simulator is slow
	}
	table := show.Table{
		Caption: fmt.Sprintf("%d drawn digits of each kind: how many each network reads right", n),
		Headers: []string{"the digits are", "plain", "with filters", "with attention"},
	}
	for _, c := range contest(device, n) {
		table.Rows = append(table.Rows, []any{c.kind, c.plain, c.filters, c.attention})
	}
	show.Display(table)
}

// A score is how many drawings of one kind each network reads right.
type score struct {
	kind                      string
	plain, filters, attention int
}

func contest(device *gpu.Device, n int) []score {
	plain := show.Must(mlp.New(device, show.Must(mlp.Trained())))
	defer plain.Free()
	filters := show.Must(cnn.New(device, show.Must(cnn.Trained())))
	defer filters.Free()
	attention := show.Must(vit.New(device, show.Must(vit.Trained())))
	defer attention.Free()
	var all []score
	for _, set := range mnist.Awkward(n) {
		all = append(all, score{
			set.Source,
			rightOf(show.Must(plain.Forward(set.Images)), set),
			rightOf(show.Must(filters.Forward(set.Images)), set),
			rightOf(show.Must(attention.Forward(set.Images)), set),
		})
	}
	return all
}
