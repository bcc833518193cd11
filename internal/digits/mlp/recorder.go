package mlp

import (
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/shaders"
)

// A recorder makes buffers and passes one after the other. It keeps the first failure in err, and
// the calls after it do nothing. A list of passes therefore needs no `if` after each call.
type recorder struct {
	device    *gpu.Device
	err       error
	pipelines map[string]*gpu.Pipeline // compiled from package shaders, by name
	buffers   []*gpu.Buffer
	passes    []gpu.Pass
}

func newRecorder(device *gpu.Device) *recorder {
	return &recorder{device: device, pipelines: map[string]*gpu.Pipeline{}}
}

// free frees everything that the recorder made.
func (r *recorder) free() {
	for _, p := range r.passes {
		p.Free()
	}
	for _, b := range r.buffers {
		b.Free()
	}
	for _, k := range r.pipelines {
		k.Free()
	}
}

// pipeline compiles a reference shader, once.
func (r *recorder) pipeline(name string) *gpu.Pipeline {
	if k := r.pipelines[name]; k != nil || r.err != nil {
		return k
	}
	var source string
	if source, r.err = shaders.Source(name); r.err != nil {
		return nil
	}
	return r.compile(name, source)
}

func (r *recorder) compile(name, source string) *gpu.Pipeline {
	if r.err != nil {
		return nil
	}
	var k *gpu.Pipeline
	if k, r.err = r.device.Compile(name, source); r.err == nil {
		r.pipelines[name] = k
	}
	return k
}

func (r *recorder) keep(b *gpu.Buffer, err error) *gpu.Buffer {
	if r.err = err; err == nil {
		r.buffers = append(r.buffers, b)
	}
	return b
}

// floats makes a buffer of n zeros.
func (r *recorder) floats(n int) *gpu.Buffer {
	if r.err != nil {
		return nil
	}
	return r.keep(gpu.Alloc[float32](r.device, n))
}

// shared makes a buffer of n words that the host fills for each trip.
func (r *recorder) shared(n int) *gpu.Buffer {
	if r.err != nil {
		return nil
	}
	return r.keep(gpu.AllocShared[uint32](r.device, n))
}

// upload makes a buffer that holds data.
func upload[T gpu.Element](r *recorder, data []T) *gpu.Buffer {
	if r.err != nil {
		return nil
	}
	return r.keep(gpu.Upload(r.device, data))
}

func (r *recorder) uniform(members ...any) *gpu.Buffer {
	if r.err != nil {
		return nil
	}
	return r.keep(gpu.Uniform(r.device, members...))
}

// over adds a pass with one invocation for each of n elements.
func (r *recorder) over(k *gpu.Pipeline, n int, buffers ...*gpu.Buffer) {
	r.grid(k, n, 1, buffers...)
}

// grid adds a pass with one invocation for each of columns × rows.
func (r *recorder) grid(k *gpu.Pipeline, columns, rows int, buffers ...*gpu.Buffer) {
	if r.err != nil {
		return
	}
	size := k.WorkgroupSize()
	r.groups(k, [3]uint32{gpu.Groups(columns, size[0]), gpu.Groups(rows, size[1]), 1}, buffers...)
}

// groups adds a pass of n workgroups.
func (r *recorder) groups(k *gpu.Pipeline, n [3]uint32, buffers ...*gpu.Buffer) {
	if r.err != nil {
		return
	}
	var p gpu.Pass
	if p, r.err = k.Pass(n, buffers...); r.err == nil {
		r.passes = append(r.passes, p)
	}
}
