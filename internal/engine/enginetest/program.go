// Package enginetest draws random compute shaders that are right by construction, for holding engines against each other:
// well-typed, without races, every index in bounds, every loop with an end. It is for tests alone.
//
// What such a shader writes is one sequence of words, whoever runs it. Integers are fixed by the specification. Floats
// are multiples of a power of two, so small that no operation on them rounds: every expression carries the bound and
// the scale of its value (see fixed), and settle brings back what grew too large. So no tolerance is needed, and fused
// or reordered sums change nothing. Operations that round are left out.
package enginetest

import (
	"context"
	"fmt"
	"math"
	"strings"

	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/shader"
)

// A Program is a shader and what to bind to it. Its String is the shader.
type Program struct {
	Source     string
	Workgroups [3]uint32
	Buffers    []shader.Buffer
	Output     int // the buffer that the shader writes
	header     int // how many of the output's words come before the rows
}

func (p *Program) String() string { return p.Source }

// GoString shows the program where rapid reports it.
func (p *Program) GoString() string {
	return fmt.Sprintf("%v workgroups of\n%s", p.Workgroups, p.Source)
}

// Programs draws programs, without the gaps of the engine that is to run them.
func Programs(without ...Gap) *rapid.Generator[*Program] {
	return rapid.Custom(func(t *rapid.T) *Program {
		d := &drawer{t: t, without: without, fuel: 45}
		return d.program()
	})
}

// Run runs a program on an engine and gives the output's bytes and what the engine saw.
func (p *Program) Run(ctx context.Context, on shader.Backend, watch bool) (shader.Buffer, []shader.Finding, error) {
	compiled, err := on.Compile(ctx, shader.Read("random.wgsl", p.Source))
	if err != nil {
		return shader.Buffer{}, nil, fmt.Errorf("compiling: %w", err)
	}
	defer compiled.Free()
	result, err := compiled.Run(ctx, shader.Dispatch{Workgroups: p.Workgroups, Buffers: p.Buffers, Output: p.Output, Watch: watch})
	if err != nil {
		return shader.Buffer{}, nil, fmt.Errorf("running: %w", err)
	}
	return result.Output, result.Findings, nil
}

// Differences are the words of two outputs that differ, a line each; "" where they are the same. Zero is the same as
// -0, whose sign an implementation may ignore (§ 15.7.2).
func (p *Program) Differences(got, want shader.Buffer) string {
	var all strings.Builder
	a, b := got.Uints(), want.Uints()
	for i := range b {
		name, float := p.word(i)
		x, y := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		switch {
		case a[i] == b[i] || float && x == y:
		case float:
			fmt.Fprintf(&all, "%s: %v and %v\n", name, x, y)
		default:
			fmt.Fprintf(&all, "%s: %#x and %#x\n", name, a[i], b[i])
		}
	}
	return all.String()
}

// Each invocation has a row of the output: so many words of each type.
const rowWords = 4

// word says what word i of the output is.
func (p *Program) word(i int) (name string, float bool) {
	if i < p.header {
		return fmt.Sprintf("word %d", i), false
	}
	row, at := (i-p.header)/(3*rowWords), (i-p.header)%(3*rowWords)
	member := at / rowWords
	return fmt.Sprintf("rows[%d].%c[%d]", row, "iuf"[member], at%rowWords), member == 2
}
