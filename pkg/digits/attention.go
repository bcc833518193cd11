package digits

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/digits/mnist"
	"github.com/wgslab/wgslab/internal/digits/passes"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// An image is cut into across × across patches of patch × patch pixels.
const (
	patch  = 7
	across = mnist.Side / patch
	tokens = across * across
)

// ink returns the pixels of one of a set's images, from 0 to 1.
func ink(set mnist.Set, image int) []float32 {
	x := make([]float32, mnist.Pixels)
	for i, b := range set.Image(image) {
		x[i] = float32(b) / 255
	}
	return x
}

// Patches cuts one of MNIST's test images and shows the tokens. It runs your patches if it is right.
func Patches(image int) {
	set := show.Must(mnist.Test())
	own := show.Must(check.Own("patches"))
	cut := show.Must(gpu.Compute[float32](own.Source, gpu.Grid{tokens, patch * patch},
		gpu.Members{mnist.Side, patch}, ink(set, image), gpu.Out(mnist.Pixels)))
	show.Display(
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		show.HeatMap{Title: "tokens: a row for each patch", Values: cut, Rows: tokens, Cols: patch * patch},
		sideBySide(fmt.Sprintf("The same rows, each drawn as %d × %d, four beside each other", patch, patch), cut, patch, across),
		check.Whose(own),
	)
}

// Looks shows where each patch of one of MNIST's test images looks, before anything is learned: its
// pixels are its query, its key and its values. It runs your patches, scores, softmax and mix if they
// are right, in one submission.
func Looks(image int) {
	set := show.Must(mnist.Test())
	var whose []check.Shader
	for _, id := range []string{"patches", "scores", "softmax", "mix"} {
		whose = append(whose, show.Must(check.Own(id)))
	}
	shares, mixed, err := look(show.Must(gpu.Default()), whose, ink(set, image))
	shares = show.Must(shares, err)
	show.Display(
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		sideBySide("Where each patch looks: the square in row 2, column 3 belongs to the patch there", shares, across, across),
		sideBySide("What each patch takes: the patches that it looks at, mixed", mixed, patch, across),
		check.Whose(whose...),
	)
}

// look runs attention over the patches of an image, with one head as wide as a patch has pixels. The
// shaders are those of patches, scores, softmax and mix. It returns the share of each patch in each
// other one, and what they take.
func look(device *gpu.Device, by []check.Shader, image []float32) (shares, mixed []float32, err error) {
	m := passes.New(device)
	defer m.Free()
	kernels := make([]*gpu.Kernel, len(by))
	for i, own := range by {
		kernels[i] = m.Compile(own.ID, own.Source)
	}
	cut, out, s := m.Floats(mnist.Pixels), m.Floats(mnist.Pixels), m.Floats(tokens*tokens)
	size := m.Uniform(uint32(tokens), uint32(patch*patch))
	m.Grid(kernels[0], patch*patch, tokens, m.Uniform(uint32(mnist.Side), uint32(patch)), passes.Upload(m, image), cut)
	m.Grid(kernels[1], tokens, tokens, size, cut, cut, s)
	m.Groups(kernels[2], [3]uint32{tokens, 1, 1}, m.Uniform(uint32(tokens), uint32(tokens)), s)
	m.Grid(kernels[3], patch*patch, tokens, size, s, cut, out)
	if m.Err == nil {
		m.Err = device.Submit(m.Passes...)
	}
	if m.Err != nil {
		return nil, nil, fmt.Errorf("running attention: %w", m.Err)
	}
	if shares, err = gpu.Read[float32](s); err != nil {
		return nil, nil, err
	}
	mixed, err = gpu.Read[float32](out)
	return shares, mixed, err
}
