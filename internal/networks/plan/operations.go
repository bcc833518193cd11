package plan

import (
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// CompileAll compiles the shaders of exercises; sources holds them by the exercise's id. Pipeline
// then returns them.
func (r *Recorder) CompileAll(exercises []string, sources map[string]string) {
	for _, id := range exercises {
		r.Compile(id, sources[id])
	}
}

// Buffer returns the buffer of an operand. It makes the buffer at the first call.
func (r *Recorder) Buffer(a *Operand) *gpu.Buffer {
	for from := r; from != nil; from = from.shared {
		if b := from.operands[a]; b != nil {
			return b
		}
	}
	switch {
	case a.Words != nil:
		r.operands[a] = Upload(r, a.Words)
	case a.Values != nil:
		r.operands[a] = Upload(r, a.Values)
	default:
		r.operands[a] = r.Floats(a.Size)
	}
	return r.operands[a]
}

// Add adds the passes of operations.
func (r *Recorder) Add(operations ...Operation) {
	for _, o := range operations {
		var buffers []*gpu.Buffer
		if len(o.Uniform) > 0 {
			buffers = append(buffers, r.Uniform(words(o.Uniform)...))
		}
		for _, a := range o.Operands {
			buffers = append(buffers, r.Buffer(a))
		}
		switch k := r.Pipeline(o.Exercise); {
		case r.Err != nil:
			return
		case o.Workgroups > 0:
			r.Groups(k, [3]uint32{uint32(o.Workgroups), 1, 1}, buffers...)
		case k.Name == InBlocks:
			r.Groups(k, Blocks(o.Rows, o.Columns), buffers...)
		default:
			r.Grid(k, o.Columns, o.Rows, buffers...)
		}
	}
}

func words(members []uint32) []any {
	all := make([]any, len(members))
	for i, m := range members {
		all[i] = m
	}
	return all
}
