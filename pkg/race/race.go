// Package race times shaders in a notebook cell. It runs the ladder of shaders/fast: shaders that
// all multiply two matrices. Each rung adds one idea to the one before.
//
// The package is the face of internal/course/ladder. A race means the ladder only here and in the
// command wgslab race; everywhere else it is a data race.
package race

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/show/plot"
)

// Count counts in the simulator what two rungs of the ladder cost on a laptop's GPU, and shows both
// side by side.
func Count(before, after string) { CountOn(cost.Usual, before, after) }

// CountOn is Count for another device: laptop, macbook, gaming, radeon, h100 or h200.
func CountOn(device, before, after string) {
	show.Display(ladder.Count(context.Background(), device, before, after)...)
}

// Ladder times all rungs and your own shaders: matmul of lesson 3, and work/fast-block.wgsl and its
// like, if you wrote a rung yourself.
func Ladder() {
	show.While("Timing the ladder", func(step func(string)) ([]show.View, error) {
		table, err := ladder.Ladder(context.Background(), step)
		if err != nil {
			return nil, fmt.Errorf("running the ladder: %w", err)
		}
		return []show.View{table.Bars(), show.Note{Title: "What these times mean", Body: table.Note()}}, nil
	})
}

// Growth plots the speed of three matmul shaders as their matrices grow: yours, the reference and
// matmul-tiled, for n = 32, 64 and so on, until one product of n × n matrices takes 50 ms or n is
// 2,048. If yours isn't right yet, the reference takes its place.
func Growth() {
	show.While("Timing matmul", func(step func(string)) ([]show.View, error) {
		mine, device, err := own("matmul", step)
		if err != nil {
			return nil, err
		}
		g, err := ladder.Grow(device, mine.Source, step)
		if err != nil {
			return nil, err
		}
		return []show.View{plot.Lines{
			Title: "matmul on " + g.Adapter, X: "n, for n × n matrices", Y: "GFLOP/s", At: g.N,
			Names: []string{"yours", "reference", "tiled"}, Values: [][]float32{g.Yours, g.Reference, g.Tiled},
		}, check.Whose(mine)}, nil
	})
}

// own checks the learner's shader of an exercise, and returns what runs it.
func own(id string, step func(part string)) (check.Shader, *gpu.Device, error) {
	step("checking your " + id)
	device, err := gpu.Default()
	if err != nil {
		return check.Shader{}, nil, err
	}
	mine, err := check.Own(id)
	return mine, device, err
}

// Readbacks shows the cost of reading values back between passes. It runs relu several
// times, once in one submission with one readback, and once with a submission, a readback
// and an upload per pass.
func Readbacks(passes int) {
	device := show.Must(gpu.Default())
	kernel := show.Must(device.Compile("relu", show.Must(exercises.Reference("relu"))))
	data := show.Must(gpu.Alloc[float32](device, network.Hidden))
	groups := gpu.Groups(network.Hidden, kernel.WorkgroupSize()[0])
	pass := show.Must(kernel.Pass([3]uint32{groups, 1, 1}, data))

	together := show.Must(ladder.Median(func() error {
		if err := device.Run(slices.Repeat([]gpu.Pass{pass}, passes)...); err != nil {
			return err
		}
		_, err := gpu.Read[float32](data)
		return err
	}))
	apart := show.Must(ladder.Median(func() error {
		for range passes {
			if err := device.Run(pass); err != nil {
				return err
			}
			values, err := gpu.Read[float32](data)
			if err != nil {
				return err
			}
			if err := gpu.Write(data, values); err != nil {
				return err
			}
		}
		return nil
	}))
	show.Display(show.Bars{
		Title:  fmt.Sprintf("%d passes, in milliseconds", passes),
		Source: fmt.Sprintf("reading back between passes takes %.1f× as long", float64(apart)/float64(together)),
		Labels: []string{"one submission, one readback", fmt.Sprintf("%d submissions, %d readbacks", passes, passes)},
		Values: []float32{view.Milliseconds(together), view.Milliseconds(apart)},
	})
}

// Fused compares your linear and relu, in two passes, with your linear-relu in one, over the hidden
// layer of a number of images. The simulator counts the bytes that they move; a device also times
// them. A shader that isn't right is replaced by the reference.
func Fused(images int) {
	show.While("Comparing two passes with one", func(step func(string)) ([]show.View, error) {
		var shaders [3]check.Shader
		var device *gpu.Device
		for i, id := range []string{"linear", "relu", "linear-relu"} {
			var err error
			if shaders[i], device, err = own(id, step); err != nil {
				return nil, err
			}
		}
		f, err := ladder.Fuse(context.Background(), device, images, shaders[0].Source, shaders[1].Source, shaders[2].Source, step)
		if err != nil {
			return nil, err
		}
		return append(f.Views(), check.Whose(shaders[:]...)), nil
	})
}

// Argmax times your argmax and your argmax-shared on a matrix of random numbers. In the simulator,
// it counts them instead, and shows how long a laptop's GPU takes at least. A shader that isn't
// right is replaced by the reference.
func Argmax(rows, cols int) {
	show.While("Comparing argmax and argmax-shared", func(step func(string)) ([]show.View, error) {
		alone, device, err := own("argmax", step)
		if err != nil {
			return nil, err
		}
		shared, _, err := own("argmax-shared", step)
		if err != nil {
			return nil, err
		}
		times, err := ladder.TimeArgmax(context.Background(), device, alone.Source, shared.Source, []ladder.Shape{{Rows: rows, Cols: cols}}, step)
		if err != nil {
			return nil, err
		}
		return append(times.Views(), check.Whose(alone, shared)), nil
	})
}
