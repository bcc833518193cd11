package digits

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/digits/cnn"
	"github.com/wgslab/wgslab/internal/digits/mlp"
	"github.com/wgslab/wgslab/internal/digits/mnist"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/vit"
	"github.com/wgslab/wgslab/internal/english"
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
	views := []show.View{show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]}}
	for layer := range vit.Layers {
		var pictures []float32
		for head := range vit.Heads {
			pictures = append(pictures, reading.Look(layer, head, patch)...)
		}
		views = append(views, sideBySide(fmt.Sprintf("Layer %d: where patch %d looks, in heads 1 to %d", layer+1, patch, vit.Heads), pictures, vit.Across, vit.Heads))
	}
	show.Display(append(views, whose)...)
}

// attend reads one of MNIST's test images with the learner's kernels.
func attend(image int) (mnist.Set, vit.AttentionMaps, show.View) {
	sources, whose := ownOf(vit.Exercises)
	reader := show.Must(vit.NewReader(show.Must(gpu.Default()), show.Must(vit.Trained()), sources))
	defer reader.Free()
	set := show.Must(mnist.Test())
	return set, show.Must(reader.Read(set.Image(image), vit.Off{})), check.Whose(whose...)
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
	return right(show.Must(n.Forward(set.Images)), set)
}

// right returns how many images a network reads right.
func right(probabilities []float32, set mnist.Set) int {
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
			right(show.Must(plain.Forward(set.Images)), set),
			right(show.Must(filters.Forward(set.Images)), set),
			right(show.Must(attention.Forward(set.Images)), set),
		})
	}
	return all
}
