package digits

import (
	"slices"

	"github.com/wgslab/wgslab/internal/digits/cnn"
	"github.com/wgslab/wgslab/internal/digits/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Edges shows what four filters made by hand find in one of MNIST's test images: upper, lower, left
// and right edges. It runs your conv-2d if it is right.
func Edges(image int) {
	set := show.Must(mnist.Test())
	x := make([]float32, mnist.Pixels)
	for i, b := range set.Image(image) {
		x[i] = float32(b) / 255
	}
	conv := show.Must(check.Own("conv-2d"))
	filters := len(cnn.Hand) / 9
	found := show.Must(gpu.Compute[float32](conv.Source, gpu.Grid{filters, mnist.Pixels},
		gpu.Members{mnist.Side, mnist.Side, 1, filters}, x, cnn.Hand, make([]float32, filters), gpu.Out(filters*mnist.Pixels)))
	show.Display(
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		sideBySide("Upper, lower, left and right edges: orange where the filter fits, blue where its opposite does", found, mnist.Side, filters),
		check.Whose(conv),
	)
}

// sideBySide shows pictures of side × side, with so many across.
func sideBySide(title string, pictures []float32, side, across int) show.HeatMap {
	const gap = 2
	pitch := side + gap
	n := len(pictures) / (side * side)
	rows := (n + across - 1) / across
	h := show.HeatMap{Title: title, Rows: rows*pitch - gap, Cols: across*pitch - gap}
	h.Values = make([]float32, h.Rows*h.Cols)
	for i, picture := range slices.Collect(slices.Chunk(pictures, side*side)) {
		for row := range side {
			copy(h.Values[(i/across*pitch+row)*h.Cols+i%across*pitch:], picture[row*side:(row+1)*side])
		}
	}
	return h
}
