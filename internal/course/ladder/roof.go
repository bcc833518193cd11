package ladder

import (
	"errors"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/shaders"
)

// A Roof is the measured maximum speed of an adapter.
type Roof struct {
	CopyGBs float64 `json:"copy_gb_per_second"` // read and written, memory to memory
	GFLOPS  float64 `json:"gflops"`             // by fused multiply-adds without dependencies
}

// Of returns the roof over a product of n × n matrices, in GFLOP/s. The limit is the arithmetic,
// or the memory if each number is read and written only once (Williams, Waterman and Patterson,
// "Roofline", 2009).
func (r Roof) Of(n int) float64 {
	const bytes = 3 * 4 // of each element: of a, of b, and of out
	return min(r.GFLOPS, r.CopyGBs*operations(n, n, n)/(bytes*float64(n)*float64(n)))
}

// MeasureRoof runs roof/copy and roof/fma.
func MeasureRoof(device *gpu.Device) (Roof, error) {
	copied, errCopy := measureCopy(device)
	computed, errCompute := measureArithmetic(device)
	return Roof{copied, computed}, errors.Join(errCopy, errCompute)
}

// The amounts to copy and compute: enough for a fast GPU, and not too much for a CPU or the
// simulator.
var amount = map[shader.AdapterKind]struct{ copied, invocations int }{
	shader.GPU:       {256 << 20, 1 << 21},
	shader.CPU:       {16 << 20, 1 << 12},
	shader.Simulated: {1 << 20, 1 << 9},
}

const invocationsPerWorkgroup = 256 // of both shaders

func measureCopy(device *gpu.Device) (gigabytes float64, err error) {
	limits := device.Adapter().Limits
	bytes := min(amount[device.Adapter().Kind].copied, int(limits.StorageBindingBytes),
		int(limits.WorkgroupsPerDimension)*invocationsPerWorkgroup*16) / 16 * 16
	from, err := gpu.Alloc[float32](device, bytes/4)
	if err != nil {
		return 0, err
	}
	defer from.Free()
	to, err := gpu.Alloc[float32](device, bytes/4)
	if err != nil {
		return 0, err
	}
	defer to.Free()
	seconds, err := timeRoof(device, "copy", bytes/16, from, to)
	return 2 * float64(bytes) / seconds / 1e9, err
}

func measureArithmetic(device *gpu.Device) (gigaflops float64, err error) {
	const each = 8 * 4 * 512 * 2 // vec4s, their numbers, STEPS, and two operations
	invocations := amount[device.Adapter().Kind].invocations
	seed, err := gpu.Uniform(device, float32(0.5), float32(0.25), float32(0.125), float32(0.375))
	if err != nil {
		return 0, err
	}
	defer seed.Free()
	out, err := gpu.Alloc[float32](device, invocations)
	if err != nil {
		return 0, err
	}
	defer out.Free()
	seconds, err := timeRoof(device, "fma", invocations, seed, out)
	return float64(invocations) * each / seconds / 1e9, err
}

func timeRoof(device *gpu.Device, name string, invocations int, buffers ...*gpu.Buffer) (seconds float64, err error) {
	source, err := shaders.Source("roof/" + name)
	if err != nil {
		return 0, err
	}
	pipeline, err := device.Compile("roof/"+name, source)
	if err != nil {
		return 0, err
	}
	defer pipeline.Free()
	pass, err := pipeline.Pass([3]uint32{gpu.Groups(invocations, invocationsPerWorkgroup), 1, 1}, buffers...)
	if err != nil {
		return 0, err
	}
	defer pass.Free()
	return Fastest(device, pass)
}
