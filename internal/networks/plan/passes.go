// This file records the passes of a network or of a training step, with the buffers and
// shaders that they need.

package plan

import (
	"strings"

	"github.com/wgslab/wgslab/exercises"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/shaders"
)

// A Recorder makes buffers and passes one after the other. It keeps the first failure in Err, and
// the calls after it do nothing. A list of passes therefore needs no `if` after each call.
type Recorder struct {
	Device *gpu.Device
	Passes []gpu.Pass
	Err    error

	shared    *Recorder                // whose shaders and operands it uses; nil if it has its own
	pipelines map[string]*gpu.Pipeline // by the names of their shaders
	compiled  []*gpu.Pipeline
	operands  map[*Operand]*gpu.Buffer
	buffers   []*gpu.Buffer
}

// New returns a recorder without passes.
func NewRecorder(device *gpu.Device) *Recorder {
	return &Recorder{Device: device, pipelines: map[string]*gpu.Pipeline{}, operands: map[*Operand]*gpu.Buffer{}}
}

// Share makes r use the shaders and the operands of another recorder, which outlives it.
func (r *Recorder) Share(of *Recorder) { r.shared = of }

// Free frees everything that the recorder made.
func (r *Recorder) Free() {
	for _, p := range r.Passes {
		p.Free()
	}
	for _, b := range r.buffers {
		b.Free()
	}
	for _, k := range r.compiled {
		k.Free()
	}
}

// Pipeline compiles a shader of package shaders, such as "train/adam", or the reference of an
// exercise, such as "softmax", once.
func (r *Recorder) Pipeline(name string) *gpu.Pipeline {
	if k := r.pipelines[name]; k != nil || r.Err != nil {
		return k
	}
	if r.shared != nil {
		k := r.shared.Pipeline(name)
		r.Err = r.shared.Err
		return k
	}
	read := exercises.Reference
	if strings.Contains(name, "/") {
		read = shaders.Source
	}
	var source string
	if source, r.Err = read(name); r.Err != nil {
		return nil
	}
	return r.Compile(name, source)
}

// Use makes Pipeline return another shader for a name, such as "train/linear" for "linear".
func (r *Recorder) Use(name, other string) { r.pipelines[name] = r.Pipeline(other) }

// Compile compiles a source. The name is for messages.
func (r *Recorder) Compile(name, source string) *gpu.Pipeline {
	if r.Err != nil {
		return nil
	}
	var k *gpu.Pipeline
	if k, r.Err = r.Device.Compile(name, source); r.Err == nil {
		r.pipelines[name], r.compiled = k, append(r.compiled, k)
	}
	return k
}

func (r *Recorder) keep(b *gpu.Buffer, err error) *gpu.Buffer {
	if r.Err = err; err == nil {
		r.buffers = append(r.buffers, b)
	}
	return b
}

// Floats makes a buffer of n zeros.
func (r *Recorder) Floats(n int) *gpu.Buffer {
	if r.Err != nil {
		return nil
	}
	return r.keep(gpu.Alloc[float32](r.Device, n))
}

// Shared makes a buffer of n words that the host fills for each trip.
func (r *Recorder) Shared(n int) *gpu.Buffer {
	if r.Err != nil {
		return nil
	}
	return r.keep(gpu.AllocShared[uint32](r.Device, n))
}

// Answer makes a buffer of n words that the device fills for the host at the end of each trip.
func Answer[T gpu.Element](r *Recorder, n int) *gpu.Buffer {
	if r.Err != nil {
		return nil
	}
	return r.keep(gpu.AllocAnswer[T](r.Device, n))
}

// Upload makes a buffer that holds data.
func Upload[T gpu.Element](r *Recorder, data []T) *gpu.Buffer {
	if r.Err != nil {
		return nil
	}
	return r.keep(gpu.Upload(r.Device, data))
}

// Uniform makes a uniform buffer of members, in order.
func (r *Recorder) Uniform(members ...any) *gpu.Buffer {
	if r.Err != nil {
		return nil
	}
	return r.keep(gpu.Uniform(r.Device, members...))
}

// Over adds a pass with one invocation for each of n elements.
func (r *Recorder) Over(k *gpu.Pipeline, n int, buffers ...*gpu.Buffer) {
	r.Grid(k, n, 1, buffers...)
}

// Grid adds a pass with one invocation for each of columns × rows.
func (r *Recorder) Grid(k *gpu.Pipeline, columns, rows int, buffers ...*gpu.Buffer) {
	r.Deep(k, columns, rows, 1, buffers...)
}

// Deep adds a pass with one invocation for each of columns × rows, in workgroups that are one deep,
// and as many of these grids as depth.
func (r *Recorder) Deep(k *gpu.Pipeline, columns, rows, depth int, buffers ...*gpu.Buffer) {
	if r.Err != nil {
		return
	}
	size := k.WorkgroupSize()
	r.Groups(k, [3]uint32{gpu.Groups(columns, size[0]), gpu.Groups(rows, size[1]), uint32(depth)}, buffers...)
}

// Groups adds a pass of n workgroups.
func (r *Recorder) Groups(k *gpu.Pipeline, n [3]uint32, buffers ...*gpu.Buffer) {
	if r.Err != nil {
		return
	}
	var p gpu.Pass
	if p, r.Err = k.Pass(n, buffers...); r.Err == nil {
		r.Passes = append(r.Passes, p)
	}
}
