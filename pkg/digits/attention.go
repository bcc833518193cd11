package digits

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/plan"
	"github.com/wgslab/wgslab/internal/networks/vit"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// pixels is the number of pixels of a patch.
const pixels = vit.Side * vit.Side

// ink returns the pixels of one of a set's images, from 0 to 1.
func ink(set mnist.Set, image int) []float32 {
	x := make([]float32, mnist.Pixels)
	for i, b := range set.Image(image) {
		x[i] = float32(b) / 255
	}
	return x
}

// Patches cuts one of MNIST's test images and shows the tokens. It runs your patches if it is
// right.
func Patches(image int) {
	set := show.Must(mnist.Test())
	own := show.Must(check.Own("patches"))
	cut := show.Must(gpu.Compute[float32](own.Source, gpu.Grid{vit.Tokens, pixels},
		gpu.Members{mnist.Side, vit.Side}, ink(set, image), gpu.Out(mnist.Pixels)))
	show.Display(
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		show.HeatMap{Title: "tokens: a row for each patch", Values: cut, Rows: vit.Tokens, Cols: pixels},
		sideBySide(fmt.Sprintf("The same rows, each drawn as %d × %d, four beside each other", vit.Side, vit.Side), cut, vit.Side, vit.Across),
		check.Whose(own),
	)
}

// Looks shows where each patch of one of MNIST's test images looks, before anything is learned: its
// pixels are its query, its key and its values. It runs your patches, scores, softmax and mix if
// they are right, in one submission.
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
		sideBySide("Where each patch looks: the square in row 2, column 3 belongs to the patch there", shares, vit.Across, vit.Across),
		sideBySide("What each patch takes: the patches that it looks at, mixed", mixed, vit.Side, vit.Across),
		check.Whose(whose...),
	)
}

// look runs attention over the patches of an image, with one head as wide as a patch has pixels.
// The shaders are those of patches, scores, softmax and mix. It returns the share of each patch in
// each other one, and what they take.
func look(device *gpu.Device, by []check.Shader, image []float32) (shares, mixed []float32, err error) {
	m := plan.NewRecorder(device)
	defer m.Free()
	kernels := make([]*gpu.Kernel, len(by))
	for i, own := range by {
		kernels[i] = m.Compile(own.ID, own.Source)
	}
	cut, out, s := m.Floats(mnist.Pixels), m.Floats(mnist.Pixels), m.Floats(vit.Tokens*vit.Tokens)
	size := m.Uniform(uint32(vit.Tokens), uint32(pixels))
	m.Grid(kernels[0], pixels, vit.Tokens, m.Uniform(uint32(mnist.Side), uint32(vit.Side)), plan.Upload(m, image), cut)
	m.Grid(kernels[1], vit.Tokens, vit.Tokens, size, cut, cut, s)
	m.Groups(kernels[2], [3]uint32{vit.Tokens, 1, 1}, m.Uniform(uint32(vit.Tokens), uint32(vit.Tokens)), s)
	m.Grid(kernels[3], pixels, vit.Tokens, size, s, cut, out)
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

// GeluError runs your gelu from -5 to 5 if it is right, and shows how far its formula is from the
// exact one: x times the share of a normal distribution below x.
func GeluError() {
	const steps = 2000
	own := show.Must(check.Own("gelu"))
	x := make([]float32, steps+1)
	for i := range x {
		x[i] = float32(i-steps/2) / 200
	}
	y := show.Must(gpu.Compute[float32](own.Source, gpu.Elements(len(x)), gpu.Members{len(x)}, x, gpu.Out(len(x))))
	table := show.Table{Headers: []string{"x", "gelu", "exact", "difference"}}
	most, at := 0.0, float32(0)
	for i := range x {
		exact := float64(x[i]) * math.Erfc(-float64(x[i])/math.Sqrt2) / 2
		off := float64(y[i]) - exact
		if math.Abs(off) > most {
			most, at = math.Abs(off), x[i]
		}
		if i%100 == 0 && math.Abs(float64(x[i])) <= 3 {
			table.Add(fmt.Sprintf("%.1f", x[i]), fmt.Sprintf("%.5f", y[i]), fmt.Sprintf("%.5f", exact), fmt.Sprintf("%+.5f", off))
		}
	}
	table.Caption = fmt.Sprintf("the largest difference of %s numbers from -5 to 5 is %.5f, at x = %.2f", english.Thousands(len(x)), most, at)
	show.Display(table, check.Whose(own))
}
