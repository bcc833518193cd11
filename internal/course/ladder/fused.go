package ladder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A Fusion compares linear and then relu, in two passes over the network's hidden layer, with
// linear-relu in one. Each array has linear, relu and linear-relu.
type Fusion struct {
	Rows    int // images
	Counts  [3]PassBytes
	Seconds [3]float64 // 0 if the device is the simulator
}

// PassBytes holds the bytes of storage buffers that the workgroups of a pass read and write, each
// workgroup its own once. The simulator counts them.
type PassBytes struct{ Inputs, HiddenRead, HiddenWritten float64 }

func (b PassBytes) total() float64 { return b.Inputs + b.HiddenRead + b.HiddenWritten }

// The passes of a Fusion.
const (
	linearPass = iota
	reluPass
	fusedPass
)

const rounds = 3 // of timing

// The sizes of the network's first layer.
const layerInputs, layerHidden = 784, 128

// Fuse counts and times the three shaders for a number of images. It calls step at the beginning of
// each part.
func Fuse(ctx context.Context, device *gpu.Device, rows int, linear, relu, fused string, step func(part string)) (*Fusion, error) {
	f := &Fusion{Rows: rows}
	rng := rand.New(rand.NewPCG(uint64(rows), 0))
	x, w, bias := numbers(rng, rows*layerInputs), numbers(rng, layerInputs*layerHidden), numbers(rng, layerHidden)
	layer := []shader.Buffer{
		shader.UniformBuffer(shader.Uint(rows), shader.Uint(layerHidden), shader.Uint(layerInputs)),
		shader.FloatBuffer(x), shader.FloatBuffer(w), shader.FloatBuffer(bias), shader.FloatBuffer(make([]float32, rows*layerHidden)),
	}
	var timed []func() (float64, error)
	var names []string
	onlyHidden := []shader.Buffer{shader.FloatBuffer(numbers(rng, rows*layerHidden))}
	for i, p := range []struct {
		id, source string
		cover      [2]int
		buffers    []shader.Buffer
	}{
		linearPass: {"linear", linear, [2]int{layerHidden, rows}, layer},
		reluPass:   {"relu", relu, [2]int{rows * layerHidden, 1}, onlyHidden},
		fusedPass:  {"linear-relu", fused, [2]int{layerHidden, rows}, layer},
	} {
		source := shader.Read(p.id, p.source)
		module, err := source.Module()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.id, err)
		}
		entry, ok := module.Entry(shader.EntryPoint)
		if !ok {
			return nil, fmt.Errorf("%s has no entry point %s", p.id, shader.EntryPoint)
		}
		size := entry.WorkgroupSize
		d := shader.Dispatch{
			Workgroups: [3]uint32{gpu.Groups(p.cover[0], size[0]), gpu.Groups(p.cover[1], size[1]), 1},
			Buffers:    p.buffers, Output: len(p.buffers) - 1,
		}
		step("counting " + p.id)
		if f.Counts[i], err = bytesOf(ctx, source, d); err != nil {
			return nil, fmt.Errorf("counting %s: %w", p.id, err)
		}
		if device.Adapter().Kind != shader.Simulated {
			timed = append(timed, func() (float64, error) { return secondsOf(device, source, d) })
			names = append(names, p.id)
		}
	}
	// In turns, so that other load on the machine doesn't hit one shader alone.
	for round := range rounds {
		for i, seconds := range timed {
			step(fmt.Sprintf("timing %s, round %d of %d", names[i], round+1, rounds))
			took, err := seconds()
			if err != nil {
				return nil, fmt.Errorf("timing the layer: %w", err)
			}
			if f.Seconds[i] == 0 || took < f.Seconds[i] {
				f.Seconds[i] = took
			}
		}
	}
	return f, nil
}

// bytesOf counts what the workgroups of a dispatch read and write. Only the output is written.
func bytesOf(ctx context.Context, source *shader.Source, d shader.Dispatch) (b PassBytes, err error) {
	counted, err := cost.Of(ctx, source, d, cost.Options{})
	if err != nil {
		return b, err
	}
	for _, v := range counted.Variables {
		if v.Written == 0 {
			b.Inputs += v.Read
			continue
		}
		b.HiddenRead, b.HiddenWritten = b.HiddenRead+v.Read, b.HiddenWritten+v.Written
	}
	return b, nil
}

// secondsOf times a dispatch by the device's clock, or by the host's.
func secondsOf(device *gpu.Device, source *shader.Source, d shader.Dispatch) (float64, error) {
	pipeline, err := device.Compile(source.Name, source.Text)
	if err != nil {
		return 0, err
	}
	defer pipeline.Free()
	buffers, free, err := gpu.UploadAll(device, d.Buffers)
	if err != nil {
		return 0, err
	}
	defer free()
	pass, err := pipeline.Pass(d.Workgroups, buffers...)
	if err != nil {
		return 0, err
	}
	defer pass.Free()
	return Fastest(device, pass)
}

// Views draws the bytes in a table, and the times if a device ran the passes.
func (f *Fusion) Views() []view.View {
	const kilo = 1000
	table := view.Table{
		Caption: fmt.Sprintf("Kilobytes that the workgroups of each pass move for %d images, each workgroup its own once", f.Rows),
		Headers: []string{"", "linear", "relu", "both passes", "linear-relu"},
	}
	row := func(name string, of func(PassBytes) float64) {
		linear, relu, fused := of(f.Counts[linearPass])/kilo, of(f.Counts[reluPass])/kilo, of(f.Counts[fusedPass])/kilo
		table.Add(name, kilobytes(linear), kilobytes(relu), kilobytes(linear+relu), kilobytes(fused))
	}
	row("reads x, w and bias", func(b PassBytes) float64 { return b.Inputs })
	row("reads the hidden values", func(b PassBytes) float64 { return b.HiddenRead })
	row("writes the hidden values", func(b PassBytes) float64 { return b.HiddenWritten })
	row("together", PassBytes.total)
	if f.Seconds[fusedPass] == 0 {
		return []view.View{table}
	}
	milliseconds := func(seconds float64) float32 { return float32(1000 * seconds) }
	linear, relu, fused := f.Seconds[linearPass], f.Seconds[reluPass], f.Seconds[fusedPass]
	return []view.View{table, view.Bars{
		Title:  fmt.Sprintf("%d images, in milliseconds", f.Rows),
		Source: fmt.Sprintf("two passes take %.2f× as long as one", (linear+relu)/fused),
		Labels: []string{"linear", "relu", "linear, then relu", "linear-relu"},
		Values: []float32{milliseconds(linear), milliseconds(relu), milliseconds(linear + relu), milliseconds(fused)},
	}}
}

func kilobytes(n float64) string { return english.Thousands(int(math.Round(n))) }
