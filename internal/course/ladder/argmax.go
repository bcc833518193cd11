package ladder

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A Shape is the size of a matrix.
type Shape struct{ Rows, Cols int }

func (s Shape) String() string {
	return english.Thousands(s.Rows) + " rows of " + english.Thousands(s.Cols)
}

// ArgmaxTimes compares two ways to find the largest value of each row of a matrix: argmax, with an
// invocation for each row, and argmax-shared, with a workgroup for each.
type ArgmaxTimes struct {
	Shapes    []Shape
	Seconds   [][2]float64 // for each shape, argmax and argmax-shared
	Estimated bool         // the simulator counted, for the usual laptop
}

// TimeArgmax times both shaders on matrices of several shapes. If the device is the simulator, it
// counts what they cost instead, and says how long a laptop's GPU takes at least. It calls step at
// the beginning of each part.
func TimeArgmax(ctx context.Context, device *gpu.Device, argmax, shared string, shapes []Shape, step func(part string)) (*ArgmaxTimes, error) {
	a := &ArgmaxTimes{Shapes: shapes, Estimated: device.Adapter().Kind == shader.Simulated}
	laptop, err := cost.FindDevice(cost.Usual)
	if err != nil {
		return nil, err
	}
	for _, s := range shapes {
		x := shader.FloatBuffer(numbers(rand.New(rand.NewPCG(uint64(s.Rows), uint64(s.Cols))), s.Rows*s.Cols))
		var seconds [2]float64
		for i, text := range []string{argmax, shared} {
			source := shader.Read([]string{"argmax", "argmax-shared"}[i], text)
			step(source.Name + ", " + s.String())
			entry, err := source.Entry(device.Adapter())
			if err != nil {
				return nil, err
			}
			groups := uint32(s.Rows)
			if i == 0 {
				groups = gpu.Groups(s.Rows, entry.WorkgroupSize[0])
			}
			d := shader.Dispatch{
				Workgroups: [3]uint32{groups, 1, 1},
				Buffers:    []shader.Buffer{shader.UniformBuffer(shader.Uint(s.Rows), shader.Uint(s.Cols)), x, shader.UintBuffer(make([]uint32, s.Rows))},
				Output:     2,
			}
			if !a.Estimated {
				seconds[i], err = secondsOf(device, source, d)
			} else if counted, failed := cost.Of(ctx, source, d, cost.Options{}); failed != nil {
				err = failed
			} else {
				seconds[i] = counted.On(laptop).Seconds
			}
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", source.Name, s, err)
			}
		}
		a.Seconds = append(a.Seconds, seconds)
	}
	return a, nil
}

// Views draws the times of each shape side by side.
func (a *ArgmaxTimes) Views() []view.View {
	var views []view.View
	for i, s := range a.Shapes {
		b := view.Bars{Title: s.String() + ", in milliseconds", Labels: []string{"argmax", "argmax-shared"}}
		if a.Estimated {
			b.Title += ", at least, on a laptop's GPU"
			b.Source = "counted in the simulator"
		}
		for _, seconds := range a.Seconds[i] {
			b.Values = append(b.Values, float32(1000*seconds))
		}
		views = append(views, b)
	}
	return views
}
