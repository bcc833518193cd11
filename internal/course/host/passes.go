package host

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A kernel is what a task knows of an exercise's shader, besides what it computes.
type kernel struct {
	numbers  int  // of its arguments are numbers in its uniform
	reads    int  // of its arrays; the others are written, and the last one always is
	uniform  bool // it has a uniform
	lengths  bool // binding an array that is too short is told
	leftOver bool // its elements may be fewer than those of its result

	due func(b []network.ValueMatrix) webgpu.DispatchWant
}

var kernels = map[string]kernel{
	"hello":      {due: func(b []network.ValueMatrix) webgpu.DispatchWant { return over(len(b[0].Values), 0) }},
	"vector-add": {reads: 2, due: func(b []network.ValueMatrix) webgpu.DispatchWant { return over(len(b[2].Values), 0) }},
	"saxpy": {numbers: 2, reads: 2, uniform: true, leftOver: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		n := int(b[1].Values[0])
		return over(n, 0, float32(b[0].Values[0]), webgpu.Share(n))
	}},
	"iota-2d": {uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(b[0].Columns, b[0].Rows(), webgpu.Share(b[0].Rows()), uint32(b[0].Columns))
	}},
	"row-max": {reads: 1, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return webgpu.DispatchWant{Words: []any{nil, uint32(b[0].Columns)}} // a dispatch may have a part of the rows
	}},
	"sum-fast": {reads: 1, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return webgpu.DispatchWant{Rows: uint64(b[0].Rows())}
	}},
	"normalize": {numbers: 2, reads: 1, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		n := len(b[3].Values)
		return over(n, 0, webgpu.Share(n), float32(b[0].Values[0]), float32(b[1].Values[0]))
	}},
	"linear": {reads: 3, uniform: true, lengths: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(b[3].Columns, b[3].Rows(), webgpu.Share(b[0].Rows()), uint32(b[3].Columns), uint32(b[0].Columns))
	}},
	"relu": {reads: 1, lengths: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant { return over(len(b[0].Values), 0) }},
	"softmax": {reads: 1, uniform: true, lengths: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return webgpu.DispatchWant{Rows: uint64(b[0].Rows()), Words: []any{webgpu.Share(b[0].Rows()), uint32(b[0].Columns)}}
	}},
	"argmax": {reads: 1, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(b[0].Rows(), 0, webgpu.Share(b[0].Rows()), uint32(b[0].Columns))
	}},
	"loss-grad": {reads: 2, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(b[0].Rows(), 0, uint32(b[0].Rows()), uint32(b[0].Columns))
	}},
	"grad-weights": {reads: 2, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(b[1].Columns, b[0].Columns, uint32(b[0].Rows()), uint32(b[1].Columns), uint32(b[0].Columns))
	}},
	"grad-bias": {reads: 1, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(b[0].Columns, 0, uint32(b[0].Rows()), uint32(b[0].Columns))
	}},
	"grad-hidden": {reads: 3, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant { return over(b[3].Columns, b[3].Rows()) }},
	"sgd": {numbers: 1, reads: 2, uniform: true, due: func(b []network.ValueMatrix) webgpu.DispatchWant {
		return over(len(b[2].Values), 0, uint32(len(b[2].Values)), float32(b[0].Values[0]))
	}},
}

// over wants invocations in x and y, and words in the uniform.
func over(x, y int, words ...any) webgpu.DispatchWant {
	return webgpu.DispatchWant{Elements: [3]uint64{uint64(x), uint64(y)}, Words: words}
}

// A memory holds a case's arrays, and its sizes as arrays of one number.
type memory map[string]network.ValueMatrix

// memoryOf returns what the host sends; the rest is 0.
func memoryOf(c course.HostCase) memory {
	m := memory{}
	for name, n := range c.Sizes {
		m[name] = network.ValueMatrix{Columns: 1, Values: []float64{float64(n)}}
	}
	for name, array := range c.Arrays {
		m[name] = network.ValueMatrix{Columns: array.Columns, Values: numbersIn(c.Batch(name, 0))}
	}
	return m
}

func numbersIn(b course.Buffer) []float64 {
	values := make([]float64, b.Len())
	for i := range values {
		values[i] = b.At(i)
	}
	return values
}

// step lets arrays with batches hold that of a step.
func (m memory) step(c course.HostCase, step int) {
	for name, array := range c.Arrays {
		if array.Batches {
			copy(m[name].Values, numbersIn(c.Batch(name, step)))
		}
	}
}

// arguments returns the arrays of a pass, without a uniform that has arguments of its own.
func (m memory) arguments(w *course.HostWork, p course.HostPass) (all []network.ValueMatrix) {
	for _, name := range p.Arguments {
		if a := w.Array(name); a == nil || a.Members == nil {
			all = append(all, m[name])
		}
	}
	return all
}

// run runs passes.
func (m memory) run(w *course.HostWork, passes []course.HostPass) {
	for _, p := range passes {
		network.Kernels[p.Shader](m.arguments(w, p))
	}
}

// exchange lets arrays hold the numbers of others.
func (m memory) exchange(instead map[string]string) {
	for name, other := range instead {
		clear(m[name].Values)
		copy(m[name].Values, m[other].Values)
	}
}

// passesOf returns the passes of a mistake.
func passesOf(w *course.HostWork, m course.HostMistake) []course.HostPass {
	switch {
	case m.Before:
		return nil
	case m.Passes != nil:
		return m.Passes
	case m.Order == nil:
		return w.Passes
	}
	var some []course.HostPass
	for _, number := range m.Order {
		some = append(some, w.Passes[number-1])
	}
	return some
}

// result returns what a function with a mistake returns; with none, it is right.
func result(w *course.HostWork, c course.HostCase, mistake course.HostMistake) (numbers []float64) {
	m := memoryOf(c)
	for step := range c.Steps {
		switch mistake.Batch {
		case "first":
			step = 0
		case "last":
			step = c.Steps - 1
		}
		m.step(c, step)
		m.exchange(mistake.Instead)
		m.run(w, passesOf(w, mistake))
	}
	for _, name := range w.Result {
		numbers = append(numbers, m[name].Values...)
	}
	return numbers
}

// mostDraws limits how often a case is drawn until the known mistakes all have other results.
const mostDraws = 100

// draw draws a case by its number. A late relu, for example, changes nothing if all scores are
// positive: then it is drawn again.
func draw(w *course.HostWork, number int, random *rand.Rand) (c Case, err error) {
	for range mostDraws {
		if c.HostCase, err = w.Draw(number, random); err != nil || w.Parts {
			return c, err
		}
		c.Want = result(w, c.HostCase, course.HostMistake{})
		results := [][]float64{c.Want}
		if n := len(w.Passes); n > 1 {
			results = append(results, result(w, c.HostCase, course.HostMistake{Order: []int{n}})) // of zeros
		}
		for _, m := range w.Mistakes {
			results = append(results, result(w, c.HostCase, m))
		}
		if toleranceOf(w).allDiffer(results) {
			break
		}
	}
	c.Due = webgpu.Want{Submissions: c.Submissions, Readbacks: c.Readbacks, Pipelines: c.Pipelines}
	c.stages, c.writers = stagesOf(w, c.HostCase)
	return c, nil
}

func (t tolerance) allDiffer(results [][]float64) bool {
	for i, r := range results {
		if slices.ContainsFunc(results[:i], func(other []float64) bool { return t.alike(r, other) }) {
			return false
		}
	}
	return true
}

// stagesOf returns what the passes of all steps should do, and the stages that write each array.
func stagesOf(w *course.HostWork, c course.HostCase) (all []stage, makers map[string][]int) {
	m := memoryOf(c)
	makers = map[string][]int{}
	for step := range c.Steps {
		m.step(c, step)
		for _, p := range w.Passes {
			k, b := kernels[p.Shader], m.arguments(w, p)
			s := stage{shader: slices.Index(w.Shaders, p.Shader), name: p.Name, want: k.due(b)}
			if c.Steps > 1 {
				s.name = strings.TrimSpace(fmt.Sprintf("%s in step %d", p.Name, step+1))
			}
			b, arrays := b[k.numbers:], p.Arguments[k.numbers:]
			if k.uniform {
				s.gets = []operand{{}}
			}
			s.out = len(s.gets) + len(b) - 1
			if n := len(b[len(b)-1].Values); k.leftOver {
				s.spare = n - int(s.want.Elements[0])
			}
			for _, name := range arrays[:k.reads] {
				s.gets = append(s.gets, due(c, name, step, makers))
			}
			if k.lengths {
				s.want.Bytes = make([]uint64, s.out+1)
				for i := range b {
					s.want.Bytes[s.out-len(b)+1+i] = 4 * uint64(len(b[i].Values))
				}
			}
			for _, name := range arrays[min(k.reads, len(arrays)-1):] {
				makers[name] = append(makers[name], len(all))
			}
			all = append(all, s)
		}
	}
	return all, makers
}

// due returns what a pass should read of an array: what the host sends, or what a stage makes.
func due(c course.HostCase, name string, step int, makers map[string][]int) operand {
	array, by := c.Arrays[name], makers[name]
	o := operand{name: name, array: name}
	if len(by) > 0 {
		o.from = by[len(by)-1]
		if n := len(array.Called); n > 0 {
			o.name = array.Called[(len(by)-1)%n]
		}
		return o
	}
	o.data, o.whole, o.batch = c.Batch(name, step).Bytes, array.Whole, c.Steps > 1
	if array.Batches {
		o.name = "the batch's " + name
	}
	return o
}
