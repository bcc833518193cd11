package plot_test

import (
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/show/plot"
)

func ExampleLines() {
	show.Display(plot.Lines{
		Title: "Matrix product", X: "n", Y: "GFLOP/s", At: []float32{256, 512},
		Names: []string{"yours", "tiled"}, Values: [][]float32{{12, 20}, {30, 60}},
	})
	// Output:
	// Matrix product
	//     n  yours  tiled
	//   ───  ─────  ─────
	//   256     12     30
	//   512     20     60
}
