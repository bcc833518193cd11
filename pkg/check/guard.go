package check

import (
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

// A guardedProgram runs a shader in buffers that are longer than it is told,
// with poison behind their ends. A WebGPU device drops or clamps an index out of
// bounds without a word; here it lands in the poison and is seen. For that,
// every arrayLength(&x) in the shader is replaced by the length that the
// exercise means, which comes in one more uniform.
type guardedProgram struct {
	program  Program
	exercise *lesson.Exercise
	lengths  bool     // the shader asks for lengths: bind the extra uniform
	strides  []uint64 // bytes from one array element to the next, by binding
	padded   bool     // false where the shader's arrayLength could not be replaced
	owned    bool     // the program is not the plain one
}

const lengthsName = "wgslab_lengths"

// guard prepares a shader that has compiled as plain. Where it cannot be
// rewritten, the plain program serves, in buffers of the plain length.
func guard(backend Backend, exercise *lesson.Exercise, name, source string, module *wgsl.Module, plain Program) (*guardedProgram, error) {
	g := &guardedProgram{program: plain, exercise: exercise}
	index := map[string]int{}
	g.strides = make([]uint64, len(exercise.Bindings))
	for _, b := range module.Bindings {
		index[b.Name] = int(b.Number)
		g.strides[b.Number] = b.Type.Stride
	}
	rewritten, complete := wgsl.RewriteArrayLength(source, func(name string) (string, bool) {
		i, ok := index[name]
		if ok {
			g.lengths = true
		}
		return fmt.Sprintf("%s[%d][%d]", lengthsName, i/4, i%4), ok
	})
	if !complete {
		g.lengths = false
		return g, nil
	}
	g.padded = true
	if !g.lengths {
		return g, nil
	}
	rewritten += fmt.Sprintf("\n@group(0) @binding(%d) var<uniform> %s: array<vec4<u32>, %d>;\n", len(exercise.Bindings), lengthsName, (len(exercise.Bindings)+3)/4)
	program, err := backend.Compile(name, rewritten)
	var compile *gpu.CompileError
	if errors.As(err, &compile) {
		// The rewriting broke a shader that had compiled: judge it as it is.
		return &guardedProgram{program: plain, exercise: exercise}, nil
	}
	if err != nil {
		return nil, err
	}
	g.program, g.owned = program, true
	return g, nil
}

func (g *guardedProgram) free() {
	if g.owned {
		g.program.Free()
	}
}

// run runs a case and returns the output at its real length, and the indices
// behind its end that were written.
func (g *guardedProgram) run(workgroups [3]uint32, c lesson.Case) (lesson.Buffer, []int, error) {
	buffers := c.Buffers
	if g.padded {
		buffers = padded(c, g.exercise.Output, overshoot(workgroups, g.program.WorkgroupSize(), c))
	}
	if g.lengths {
		buffers = append(buffers, lesson.Buffer{Uniform: g.uniform(c)})
	}
	got, err := g.program.Run(workgroups, buffers, g.exercise.Output)
	if err != nil {
		return got, nil, err
	}
	n, before := c.Buffers[g.exercise.Output].Len(), buffers[g.exercise.Output]
	var beyond []int
	for i := n; i < got.Len(); i++ {
		if !got.Same(i, before) {
			beyond = append(beyond, i)
		}
	}
	return got.Head(n), beyond, nil
}

// uniform is the length of each binding's array in its own elements, padded to
// whole vec4s.
func (g *guardedProgram) uniform(c lesson.Case) []any {
	const scalarBytes = 4
	lengths := make([]any, (len(c.Buffers)+3)/4*4)
	for i := range lengths {
		lengths[i] = uint32(0)
		if i < len(c.Buffers) && g.strides[i] > 0 {
			lengths[i] = uint32(uint64(c.Buffers[i].Len()) * scalarBytes / g.strides[i])
		}
	}
	return lengths
}

// overshoot is how far behind the end the surplus invocations of a dispatch can
// reach: all of them in x, and in y as many rows more.
func overshoot(workgroups, size [3]uint32, c lesson.Case) int {
	x, y := int(workgroups[0]*size[0]), int(workgroups[1]*size[1])
	return x + y*max(c.Extent[0], 1) + 1
}

// padded copies the case's arrays with n poisoned elements behind each. The poison
// behind the output is a number and the one behind the inputs NaN, so that a
// write shows even when all it does is carry the inputs' poison over.
func padded(c lesson.Case, output, n int) []lesson.Buffer {
	longer := make([]lesson.Buffer, len(c.Buffers))
	for i, b := range c.Buffers {
		longer[i] = b.Clone()
		switch {
		case b.F32 != nil && i == output:
			longer[i].F32 = append(longer[i].F32, lesson.Stale(n).F32...)
		case b.F32 != nil:
			longer[i].F32 = append(longer[i].F32, lesson.Unwritten(n).F32...)
		case b.U32 != nil:
			longer[i].U32 = append(longer[i].U32, lesson.UnwrittenU32(n).U32...)
		}
	}
	return longer
}
