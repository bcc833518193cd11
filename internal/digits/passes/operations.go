package passes

import "github.com/wgslab/wgslab/internal/engine/gpu"

// Input names the operand of a network that holds the normalised pixels.
const Input = "x"

// An Operand is a list of numbers that operations read or write: weights, or what a layer leaves.
type Operand struct {
	Name   string
	Values []float32 // at the start
}

// Zeros returns an operand of n zeros.
func Zeros(name string, n int) *Operand { return &Operand{name, make([]float32, n)} }

// An Operation describes a pass of a network by the exercise whose shader runs it. A list of
// operations is a network: a device runs it, or the simulator, which records all values.
type Operation struct {
	Exercise      string
	Columns, Rows int // invocations
	Workgroups    int // instead of invocations, if it isn't 0
	Uniform       []int
	Operands      []*Operand
}

// Linear is out = x · w + bias for each of rows.
func Linear(rows int, x, w, bias, out *Operand) Operation {
	outputs := len(bias.Values)
	return Operation{
		Exercise: "linear", Columns: outputs, Rows: rows,
		Uniform: []int{rows, outputs, len(w.Values) / outputs}, Operands: []*Operand{x, w, bias, out},
	}
}

// Relu replaces negative numbers with 0.
func Relu(x *Operand) Operation {
	return Operation{Exercise: "relu", Columns: len(x.Values), Rows: 1, Operands: []*Operand{x}}
}

// Softmax makes probabilities of each of rows.
func Softmax(rows int, x *Operand) Operation {
	return Operation{Exercise: "softmax", Workgroups: rows, Uniform: []int{rows, len(x.Values) / rows}, Operands: []*Operand{x}}
}

// CompileAll compiles the shaders of exercises; sources holds them by the exercise's id. Pipeline
// then returns them.
func (r *Recorder) CompileAll(exercises []string, sources map[string]string) {
	for _, id := range exercises {
		r.Compile(id, sources[id])
	}
}

// Buffer returns the buffer of an operand. It makes the buffer at the first call.
func (r *Recorder) Buffer(a *Operand) *gpu.Buffer {
	if r.operands[a] == nil {
		r.operands[a] = Upload(r, a.Values)
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
		if o.Workgroups > 0 {
			r.Groups(r.Pipeline(o.Exercise), [3]uint32{uint32(o.Workgroups), 1, 1}, buffers...)
		} else {
			r.Grid(r.Pipeline(o.Exercise), o.Columns, o.Rows, buffers...)
		}
	}
}

func words(members []int) []any {
	all := make([]any, len(members))
	for i, m := range members {
		all[i] = uint32(m)
	}
	return all
}
