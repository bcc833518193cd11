package passes

import "github.com/wgslab/wgslab/internal/engine/gpu"

// Input names the array of a network that holds the normalised pixels.
const Input = "x"

// An Array is a list of numbers that steps read or write: weights, or what a layer leaves.
type Array struct {
	Name   string
	Values []float32 // at the start
}

// Zeros returns an array of n zeros.
func Zeros(name string, n int) *Array { return &Array{name, make([]float32, n)} }

// A Step describes a pass of a network by the exercise whose shader runs it. A list of steps is a
// network that runs on a device, or in the simulator with all its values recorded.
type Step struct {
	Exercise      string
	Columns, Rows int // invocations
	Workgroups    int // instead of invocations, if it isn't 0
	Uniform       []int
	Arrays        []*Array
}

// Linear is out = x · w + bias for each of rows.
func Linear(rows int, x, w, bias, out *Array) Step {
	outputs := len(bias.Values)
	return Step{
		Exercise: "linear", Columns: outputs, Rows: rows,
		Uniform: []int{rows, outputs, len(w.Values) / outputs}, Arrays: []*Array{x, w, bias, out},
	}
}

// Relu replaces negative numbers with 0.
func Relu(x *Array) Step {
	return Step{Exercise: "relu", Columns: len(x.Values), Rows: 1, Arrays: []*Array{x}}
}

// Softmax makes probabilities of each of rows.
func Softmax(rows int, x *Array) Step {
	return Step{Exercise: "softmax", Workgroups: rows, Uniform: []int{rows, len(x.Values) / rows}, Arrays: []*Array{x}}
}

// CompileAll compiles the shaders of exercises; sources holds them by the exercise's id. Pipeline then
// returns them.
func (r *Recorder) CompileAll(exercises []string, sources map[string]string) {
	for _, id := range exercises {
		r.Compile(id, sources[id])
	}
}

// Buffer returns the buffer of an array. It makes the buffer at the first call.
func (r *Recorder) Buffer(a *Array) *gpu.Buffer {
	if r.arrays[a] == nil {
		r.arrays[a] = Upload(r, a.Values)
	}
	return r.arrays[a]
}

// Add adds the passes of steps.
func (r *Recorder) Add(steps ...Step) {
	for _, s := range steps {
		var buffers []*gpu.Buffer
		if len(s.Uniform) > 0 {
			buffers = append(buffers, r.Uniform(words(s.Uniform)...))
		}
		for _, a := range s.Arrays {
			buffers = append(buffers, r.Buffer(a))
		}
		if s.Workgroups > 0 {
			r.Groups(r.Pipeline(s.Exercise), [3]uint32{uint32(s.Workgroups), 1, 1}, buffers...)
		} else {
			r.Grid(r.Pipeline(s.Exercise), s.Columns, s.Rows, buffers...)
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
