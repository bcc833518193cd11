// Package enginetest draws random compute shaders that are right by construction, for holding engines against each other:
// well-typed, without races, every index in bounds, every loop with an end. It is for tests alone.
//
// What such a shader writes is known but for roundings, whoever runs it. Integers are fixed by the specification. Floats
// are multiples of a power of two, so small that no operation on them rounds: every expression carries the bound and
// the scale of its value (see fixed), and settle brings back what grew too large. So no tolerance is needed, and fused
// or reordered sums change nothing.
//
// Operations that round stand at the end, where nothing depends on them. The shader writes their operands down, which
// are the same everywhere; from these follows, by the accuracies of § 15.7.4, between which two numbers a result must
// lie (see interval). Every engine is held to that, the simulator like the others.
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
	results    []func(operands []interval) interval
	asRead     *shader.Source
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

// read is the program as the front end reads it, once for all engines.
func (p *Program) read() *shader.Source {
	if p.asRead == nil {
		p.asRead = shader.Read("random.wgsl", p.Source)
	}
	return p.asRead
}

// Run runs a program on an engine and gives the output's bytes and what the engine saw.
func (p *Program) Run(ctx context.Context, on shader.Backend, watch bool) (shader.Buffer, []shader.Finding, error) {
	compiled, err := on.Compile(ctx, p.read())
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

// Each invocation has a row of the output: so many words of each type, operands of operations that round, and results.
const (
	rowWords     = 4
	operandWords = 8
	resultWords  = 4
	firstOperand = 3 * rowWords
	firstResult  = firstOperand + operandWords
	rowLength    = firstResult + resultWords
)

// unwritten is what operands and results are until the shader writes them, which it does not where it returns early.
// No operation makes this NaN.
const unwritten = 0x7fc0dead

// A Comparison is what came out of an engine, against another and against what WGSL allows.
type Comparison struct {
	Different string // a line for each word that must be another; "" where all is right
	Held      int    // results of roundings that WGSL bounds
	Open      int    // those of which it says nothing, as of log(-1)
}

// Compare holds an engine's output against the one that another left. Zero is the same as -0, whose sign an
// implementation may ignore (§ 15.7.2).
func (p *Program) Compare(got, want shader.Buffer) Comparison {
	var c Comparison
	var all strings.Builder
	a, b := got.Uints(), want.Uints()
	for i := range b {
		name, kind := p.word(i)
		x, y := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		switch {
		case kind == 'r' && b[i] != unwritten:
			allowed := p.allowed(a, i)
			switch {
			case allowed.isOpen():
				c.Open++
			case allowed.holds(x):
				c.Held++
			default:
				fmt.Fprintf(&all, "%s: %v is not between %v and %v, of operands %v\n", name, x, allowed.low, allowed.high, p.operands(a, i))
			}
		case a[i] == b[i] || kind == 'f' && x == y:
		case kind == 'f':
			fmt.Fprintf(&all, "%s: %v and %v\n", name, x, y)
		default:
			fmt.Fprintf(&all, "%s: %#x and %#x\n", name, a[i], b[i])
		}
	}
	c.Different = all.String()
	return c
}

// allowed is what WGSL allows the result in word i to be.
func (p *Program) allowed(words []uint32, i int) interval {
	var operands []interval
	for _, x := range p.operands(words, i) {
		operands = append(operands, point(float64(x)))
	}
	return p.results[(i-p.header)%rowLength-firstResult](operands)
}

// operands are those in the row of word i.
func (p *Program) operands(words []uint32, i int) []float32 {
	row := i - (i-p.header)%rowLength
	var all []float32
	for _, w := range words[row+firstOperand : row+firstResult] {
		all = append(all, math.Float32frombits(w))
	}
	return all
}

// word says what word i of the output is: its name, and i, u or f for its type, r for a result.
func (p *Program) word(i int) (name string, kind byte) {
	if i < p.header {
		return fmt.Sprintf("word %d", i), 'u'
	}
	row, at := (i-p.header)/rowLength, (i-p.header)%rowLength
	member, first := byte('r'), firstResult
	switch {
	case at < firstOperand:
		member, first = "iuf"[at/rowWords], at/rowWords*rowWords
	case at < firstResult:
		member, first = 'x', firstOperand
	}
	kind = member
	if kind == 'x' {
		kind = 'f'
	}
	return fmt.Sprintf("rows[%d].%c[%d]", row, member, at-first), kind
}
