package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
)

// A guardedProgram runs a shader in buffers that are longer than it is told,
// with poison behind their ends. A WebGPU device drops or clamps an index out of
// bounds without a word; here it lands in the poison and is seen. For that,
// every arrayLength(&x) in the shader is replaced by the length that the
// exercise means, which comes in one more uniform.
type guardedProgram struct {
	program shader.Program
	size    [3]uint32 // of a workgroup
	lengths bool      // the shader asks for lengths: bind the extra uniform
	strides []uint64  // bytes from one array element to the next, by binding
	padded  bool      // false where the shader's arrayLength could not be replaced
	owned   bool      // the program is not the plain one
}

const lengthsName = "wgslab_lengths"

// guard prepares a shader that has compiled as plain. Where it cannot be
// rewritten, the plain program serves, in buffers of the plain length.
func (r *run) guard(ctx context.Context, source *shader.Source, plain shader.Program) (*guardedProgram, error) {
	bindings := len(r.exercise.Bindings)
	g := &guardedProgram{program: plain, size: r.size, strides: make([]uint64, bindings)}
	index := map[string]int{}
	for _, b := range r.module.Bindings {
		index[b.Name] = int(b.Number)
		g.strides[b.Number] = b.Type.Stride
	}
	rewritten, complete := source.Shader().RewriteArrayLength(func(name string) (string, bool) {
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
	rewritten += fmt.Sprintf("\n@group(0) @binding(%d) var<uniform> %s: array<vec4<u32>, %d>;\n", bindings, lengthsName, (bindings+3)/4)
	program, err := r.backend.Compile(ctx, shader.Read(source.Name, rewritten))
	var compile *shader.CompileError
	if errors.As(err, &compile) {
		// The rewriting broke a shader that had compiled: judge it as it is.
		return &guardedProgram{program: plain, size: r.size}, nil
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

// run runs a case: the output at its real length, and the indices behind its end
// that were written.
func (g *guardedProgram) run(ctx context.Context, d shader.Dispatch, c lesson.Case) (outcome, error) {
	if g.padded {
		d.Buffers = padded(c, d.Output, overshoot(d.Workgroups, g.size, c))
	}
	if g.lengths {
		d.Buffers = append(d.Buffers, g.uniform(c))
	}
	result, err := g.program.Run(ctx, d)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{Case: c, findings: result.Findings}
	n, before := c.Buffers[d.Output].Len(), d.Buffers[d.Output]
	for i := n; i < result.Output.Len(); i++ {
		if !result.Output.Same(i, before) {
			o.beyond = append(o.beyond, i)
		}
	}
	o.got = result.Output.Head(n)
	return o, nil
}

// uniform is the length of each binding's array in its own elements.
func (g *guardedProgram) uniform(c lesson.Case) lesson.Buffer {
	lengths := make([]shader.Word, len(c.Buffers))
	for i, stride := range g.strides {
		if stride > 0 {
			lengths[i] = shader.Uint(uint32(uint64(len(c.Buffers[i].Bytes)) / stride))
		}
	}
	return shader.UniformBuffer(lengths...)
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
		switch {
		case b.Element == shader.F32 && i == output:
			longer[i] = b.Append(lesson.Stale(n))
		case b.Element == shader.F32:
			longer[i] = b.Append(lesson.Unwritten(n))
		case b.Element == shader.U32:
			longer[i] = b.Append(lesson.UnwrittenU32(n))
		default:
			longer[i] = b
		}
	}
	return longer
}
