// Package task checks the exercises in which learners write the host's calls. It runs their
// function on several cases, on the watched WebGPU, and judges the result and the record of calls:
//
//  1. A call that breaks a rule of WebGPU is the mistake, whatever came after it.
//  2. If the result is wrong, the habit that explains it is the mistake: no submission, no copy, too
//     few workgroups.
//  3. If no habit does, the verdict compares the result with the right one.
//  4. A right result still fails if the calls waste what the task asks for: objects that are never
//     released, a workgroup for each element, a submission for each pass.
//
// The layer above, package check in pkg, opens the device and calls the learner's function.
package task

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/host/webgpu"
	"github.com/wgslab/wgslab/internal/shader"
)

// A HostTask is an exercise of kind Host.
type HostTask struct {
	ID     string
	Shader string // the exercise whose shader the host runs

	Cases func(random *rand.Rand) []Case
	Known []WrongBytes
}

// A WrongBytes is a mistake in the bytes that the host sends. It shows only in the result.
type WrongBytes struct {
	Slug    string
	Message string // what happened, in one sentence
	Why     string
	Ask     string

	result func(Case) []float64 // what a function with this mistake returns
}

// A Case is what the learner's function gets, and what it should return.
type Case struct {
	Name   string
	WGSL   string    // the shader, with workgroups of Size
	Size   [3]uint32 // the invocations in a workgroup, in x, y and z
	Floats [][]float32
	Counts []int
	Alpha  float32

	Want []float64
	Due  webgpu.Want // what the calls should do
}

// All are the tasks.
var All = []*HostTask{add, saxpy, grid}

// Find returns the task of an exercise.
func Find(id string) (*HostTask, error) {
	for _, t := range All {
		if t.ID == id {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no exercise of the host's calls is called %q", id)
}

// drawn returns the cases of a task with its shader, in their workgroup sizes. A shader that can't
// be resized keeps its size, which the learner's function gets.
func (t *HostTask) drawn(source string, seed uint64) ([]Case, error) {
	cases := t.Cases(rand.New(rand.NewPCG(seed, 51)))
	for i := range cases {
		c := &cases[i]
		if resized, ok := shader.Resized(t.Shader, source, c.Size); ok {
			c.WGSL = resized.Text
			continue
		}
		module, err := shader.Read(t.Shader, source).Module()
		if err != nil {
			return nil, err
		}
		entry, _ := module.Entry(shader.EntryPoint)
		c.WGSL, c.Size = source, entry.WorkgroupSize
	}
	return cases, nil
}

// drawFloats returns n numbers that are easy to read.
func drawFloats(random *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.IntN(2000)-1000) / 8
	}
	return values
}

// row is the size of workgroups in one dimension.
func row(size uint32) [3]uint32 { return [3]uint32{size, 1, 1} }

// add is the host of vector-add.
var add = &HostTask{ID: "host-add", Shader: "vector-add", Cases: func(random *rand.Rand) (cases []Case) {
	for _, c := range []struct {
		n    int
		size uint32
	}{{1, 64}, {63, 64}, {64, 64}, {65, 64}, {1000, 64}, {1000, 32}, {777, 128}} {
		a, b := drawFloats(random, c.n), drawFloats(random, c.n)
		want := make([]float64, c.n)
		for i := range want {
			want[i] = float64(a[i] + b[i])
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("n = %d, workgroups of %d", c.n, c.size), Size: row(c.size), Floats: [][]float32{a, b}, Want: want,
			Due: webgpu.Want{Elements: [3]uint64{uint64(c.n)}, Submissions: 1, Readbacks: 1},
		})
	}
	return cases
}}

// saxpy is the host of saxpy: y = alpha · x + y for the first n elements.
var saxpy = &HostTask{ID: "host-saxpy", Shader: "saxpy", Cases: func(random *rand.Rand) (cases []Case) {
	for _, c := range []struct {
		length, n int
		size      uint32
	}{{1, 1, 64}, {64, 40, 64}, {65, 65, 64}, {1000, 900, 64}, {1000, 999, 32}} {
		alpha, x, y := float32(random.IntN(40)+1)/8, drawFloats(random, c.length), drawFloats(random, c.length)
		want := make([]float64, c.length)
		for i := range want {
			want[i] = float64(y[i])
			if i < c.n {
				want[i] = float64(alpha)*float64(x[i]) + float64(y[i])
			}
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("n = %d of %d, workgroups of %d", c.n, c.length, c.size), Size: row(c.size),
			Floats: [][]float32{x, y}, Counts: []int{c.n}, Alpha: alpha, Want: want,
			Due: webgpu.Want{Elements: [3]uint64{uint64(c.length)}, Submissions: 1, Readbacks: 1},
		})
	}
	return cases
}, Known: []WrongBytes{
	{
		"alpha-lost", "y stayed as it was: your shader read an alpha of almost 0, or an n of 0.",
		"The shader reads bytes 0 to 3 of its uniform as an f32, and bytes 4 to 7 as a u32, when the submission runs. The bits of a small whole number are those of an f32 near 0.",
		"Which bytes does the shader read as alpha and n, and what did you write there, and when?",
		func(c Case) []float64 { return converted(c.Floats[1]) },
	},
	{
		"y-not-sent", "The result is alpha * x: y was 0 when your shader began.",
		"A new buffer holds zeros. The shader adds to what is there.",
		"How do the old numbers of y come into its buffer?",
		func(c Case) []float64 {
			result := make([]float64, len(c.Want))
			for i := range c.Counts[0] {
				result[i] = float64(c.Alpha) * float64(c.Floats[0][i])
			}
			return result
		},
	},
}}

func converted(values []float32) []float64 {
	result := make([]float64, len(values))
	for i, v := range values {
		result[i] = float64(v)
	}
	return result
}

// grid is the host of iota-2d: out[row][col] = 1000 · row + col.
var grid = &HostTask{ID: "host-grid", Shader: "iota-2d", Cases: func(*rand.Rand) (cases []Case) {
	for _, c := range []struct {
		rows, cols int
		size       [3]uint32
	}{{1, 1, [3]uint32{8, 8, 1}}, {3, 20, [3]uint32{8, 8, 1}}, {20, 3, [3]uint32{8, 8, 1}}, {17, 40, [3]uint32{16, 4, 1}}, {33, 9, [3]uint32{4, 16, 1}}} {
		want := make([]float64, c.rows*c.cols)
		for i := range want {
			want[i] = float64(1000*(i/c.cols) + i%c.cols)
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("%d × %d, workgroups of %d × %d", c.rows, c.cols, c.size[0], c.size[1]), Size: c.size, Counts: []int{c.rows, c.cols}, Want: want,
			Due: webgpu.Want{Elements: [3]uint64{uint64(c.cols), uint64(c.rows)}, Submissions: 1, Readbacks: 1},
		})
	}
	return cases
}, Known: []WrongBytes{{
	"members-exchanged", "Your shader took the rows for the columns.",
	"It reads the uniform's bytes in the order of its struct: rows first, and then cols.",
	"In which order does your program write the two numbers?",
	func(c Case) []float64 {
		rows, cols := c.Counts[0], c.Counts[1]
		result := make([]float64, rows*cols)
		for row := range min(cols, cover(rows, c.Size[1])) {
			for col := range min(rows, cover(cols, c.Size[0])) {
				if at := row*rows + col; at < len(result) {
					result[at] = float64(1000*row + col)
				}
			}
		}
		return result
	},
}}}

// cover returns how many invocations cover n elements in workgroups of a size.
func cover(n int, size uint32) int { return (n + int(size) - 1) / int(size) * int(size) }
