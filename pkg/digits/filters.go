package digits

import (
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
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
		byHand(),
		sideBySide("Upper, lower, left and right edges: orange where the filter fits, blue where its opposite does", found, mnist.Side, filters),
		patchOf(x, found[:mnist.Pixels]),
		check.Whose(conv),
	)
}

// byHand shows the weights of the filters made by hand, side by side with their names.
func byHand() show.HeatMap {
	names := []string{"upper", "lower", "left", "right"}
	cols := 4*len(names) - 1 // 3 for each, and one between two
	h := show.HeatMap{
		Title: "the four filters", Rows: 3, Cols: cols, RowLabels: []string{"above", "beside", "below"}, ColLabels: slices.Repeat([]string{" "}, cols),
		Values: make([]float32, 3*cols), Absent: make([]bool, 3*cols),
	}
	for i := range h.Values {
		row, f, col := i/cols, i%cols/4, i%cols%4
		if h.Absent[i] = col == 3; h.Absent[i] {
			h.Values[i] = float32(math.NaN())
			continue
		}
		h.Values[i] = cnn.Hand[9*f+3*row+col]
	}
	for f, name := range names {
		h.ColLabels[4*f+1] = name
	}
	return h
}

// patchOf shows the 3 × 3 pixels around the one at which a filter answers most.
func patchOf(x, found []float32) show.HeatMap {
	at := 0
	for i, v := range found {
		row, col := i/mnist.Side, i%mnist.Side
		if v > found[at] && min(row, col) > 0 && max(row, col) < mnist.Side-1 {
			at = i
		}
	}
	row, col := at/mnist.Side, at%mnist.Side
	h := show.HeatMap{
		Title: fmt.Sprintf("the patch at row %d, column %d: here the first filter gives its largest sum, %.2f", row, col, found[at]),
		Rows:  3, Cols: 3,
	}
	for d := -1; d <= 1; d++ {
		h.RowLabels = append(h.RowLabels, fmt.Sprint("row ", row+d))
		h.ColLabels = append(h.ColLabels, fmt.Sprint(col+d))
		h.Values = append(h.Values, x[(row+d)*mnist.Side+col-1:][:3]...)
	}
	return h
}

// sideBySide shows pictures of side × side, with so many across.
func sideBySide(title string, pictures []float32, side, across int) show.HeatMap {
	const gap = 2
	pitch := side + gap
	n := len(pictures) / (side * side)
	rows := (n + across - 1) / across
	h := show.HeatMap{Title: title, Rows: rows*pitch - gap, Cols: across*pitch - gap}
	// Between the pictures, the map is grey.
	h.Values = slices.Repeat([]float32{float32(math.NaN())}, h.Rows*h.Cols)
	h.Absent = slices.Repeat([]bool{true}, len(h.Values))
	for i, picture := range slices.Collect(slices.Chunk(pictures, side*side)) {
		for row := range side {
			at := (i/across*pitch+row)*h.Cols + i%across*pitch
			copy(h.Values[at:], picture[row*side:(row+1)*side])
			clear(h.Absent[at : at+side])
		}
	}
	return h
}

// Filters shows what the trained filters see in one of MNIST's test images, layer by layer, and
// what the network makes of it. It runs your kernels if they are right.
func Filters(image int) {
	sources, whose := ownOf(cnn.Exercises)
	reader := show.Must(cnn.NewReader(show.Must(gpu.Default()), show.Must(cnn.Trained()), sources))
	defer reader.Free()
	set := show.Must(mnist.Test())
	seen := show.Must(reader.Read(set.Image(image)))
	show.Display(
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		sideBySide(fmt.Sprintf("What the first %d filters see: 0 to 7 above, 8 to 15 below", cnn.First), seen.First, cnn.Side, 8),
		sideBySide(fmt.Sprintf("What the next %d filters see: 0 to 15 above, 16 to 31 below", cnn.Second), seen.Second, cnn.Side/2, 16),
		show.Bars{Title: "the ten probabilities", Source: set.Source, Values: seen.Probabilities, Percent: true},
		check.Whose(whose...),
	)
}

// A duel compares the two networks on one kind of drawings.
type duel struct {
	kind                         string
	plain, filters               int // read right
	onlyPlain, onlyFilters, both int // both: read wrong
}

// Duels reads n drawn digits of each of four kinds with the plain network and with the one that has
// filters, and shows who was right. The drawings are the same every time, and neither network has
// seen any of them in its training.
func Duels(n int) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		n = max(10, n/10) // the simulator is slow
	}
	table := show.Table{
		Caption: fmt.Sprintf("%d drawn digits of each kind: how many each network read right", n),
		Headers: []string{"the digits are", "plain", "with filters", "only plain right", "only filters right", "both wrong"},
	}
	for _, d := range duels(device, n) {
		table.Rows = append(table.Rows, []any{d.kind, d.plain, d.filters, d.onlyPlain, d.onlyFilters, d.both})
	}
	show.Display(table)
}

func duels(device *gpu.Device, n int) []duel {
	plain := show.Must(mlp.New(device, show.Must(mlp.Trained())))
	defer plain.Free()
	filters := show.Must(cnn.New(device, show.Must(cnn.Trained())))
	defer filters.Free()
	var all []duel
	for _, set := range mnist.Awkward(n) {
		p, f := show.Must(plain.Forward(set.Images)), show.Must(filters.Forward(set.Images))
		d := duel{kind: set.Source}
		for i, label := range set.Labels {
			rightPlain := network.MostProbable(p[i*network.Outputs:(i+1)*network.Outputs]) == int(label)
			rightFilters := network.MostProbable(f[i*network.Outputs:(i+1)*network.Outputs]) == int(label)
			for _, count := range []struct {
				into *int
				when bool
			}{
				{&d.plain, rightPlain}, {&d.filters, rightFilters},
				{&d.onlyPlain, rightPlain && !rightFilters}, {&d.onlyFilters, !rightPlain && rightFilters},
				{&d.both, !rightPlain && !rightFilters},
			} {
				if count.when {
					*count.into++
				}
			}
		}
		all = append(all, d)
	}
	return all
}
