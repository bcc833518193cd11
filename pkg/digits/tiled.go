package digits

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Tiled runs the same filter with conv-2d and with conv-tiled over a drawn digit. It shows both
// results, and what each costs on a laptop's GPU, as the simulator counts it. It runs your shaders
// if they are right. The same seed gives the same drawing.
func Tiled(seed uint64, digit int) {
	const side = 224
	plain, tiled := show.Must(check.Own("conv-2d")), show.Must(check.Own("conv-tiled"))
	image, filter := mnist.Drawing(seed, digit, side), cnn.Hand[:9]
	left := show.Must(gpu.Compute[float32](plain.Source, gpu.Grid{1, side * side},
		gpu.Members{side, side, 1, 1}, image, filter, []float32{0}, gpu.Out(side*side)))
	right := show.Must(gpu.Compute[float32](tiled.Source, gpu.Grid{side, side},
		gpu.Members{side, side, 1}, image, filter, gpu.Out(side*side)))
	show.Display(
		sideBySide("upper edges: by conv-2d on the left, by conv-tiled on the right", slices.Concat(left, right), side, 2),
		show.Must(costsOf(image, filter, side, plain, tiled)),
		check.Whose(plain, tiled),
	)
}

// costsOf counts conv-2d and conv-tiled with one filter over one picture.
func costsOf(image, filter []float32, side int, plain, tiled check.Shader) (table show.Table, err error) {
	w, x, weights := shader.Uint(uint32(side)), shader.FloatBuffer(image), shader.FloatBuffer(filter)
	bias, out := shader.FloatBuffer([]float32{0}), shader.FloatBuffer(make([]float32, len(image)))
	left, err := costOf(plain, len(image), 1, shader.UniformBuffer(w, w, shader.Uint(1), shader.Uint(1)), x, weights, bias, out)
	if err != nil {
		return table, err
	}
	right, err := costOf(tiled, side, side, shader.UniformBuffer(w, w, shader.Uint(1)), x, weights, out)
	if err != nil {
		return table, err
	}
	on, err := cost.FindDevice(cost.Usual)
	if err != nil {
		return table, err
	}
	table.Caption = "one filter over 224 × 224 pixels, counted for a laptop's GPU"
	table.Headers = []string{"", plain.ID, tiled.ID}
	table.Add("reads of each pixel of x, on average", timesRead(left, "x"), timesRead(right, "x"))
	for _, row := range cost.CompareTotals(on, left, right) {
		if slices.Contains([]string{"fetched by workgroups", "turns of banks", "  without conflicts", "barriers", "limited by", "at least"}, row[0]) {
			table.Add(row[0], row[1], row[2])
		}
	}
	return table, nil
}

func costOf(s check.Shader, columns, rows int, buffers ...shader.Buffer) (*cost.DispatchCost, error) {
	size, err := gpu.WorkgroupSize(s.Source)
	if err != nil {
		return nil, err
	}
	return cost.Of(context.Background(), shader.Read(s.ID, s.Source), shader.Dispatch{
		Workgroups: [3]uint32{gpu.Groups(columns, uint32(size[0])), gpu.Groups(rows, uint32(size[1])), 1},
		Buffers:    buffers, Output: len(buffers) - 1,
	}, cost.Options{})
}

func timesRead(c *cost.DispatchCost, name string) string {
	for _, v := range c.Variables {
		if v.Name == name {
			return fmt.Sprintf("%.1f", v.Times)
		}
	}
	return ""
}
