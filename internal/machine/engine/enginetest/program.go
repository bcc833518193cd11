// Package enginetest draws random compute shaders that are correct by construction, to compare
// engines: well-typed, without races, every index in bounds, every loop finite. Only tests use it.
//
// Every engine must write the same values, except for rounding. The specification defines integer
// results exactly. Floats are multiples of a power of two, small enough that no operation on them
// rounds: every expression carries the bound and the scale of its value (see fixed), and settle
// scales down large values. The comparison therefore needs no tolerance, and fused or reordered
// sums change nothing.
//
// Operations that round come last, where nothing depends on them. The shader also writes their
// operands, which are the same everywhere. The operands and the accuracies of § 15.7.4 give the
// interval that must contain each result (package accuracy). This holds for every engine, including
// the simulator.
package enginetest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A Workload is a shader and its buffers. Its String is the shader.
type Workload struct {
	Source     string
	Workgroups [3]uint32
	Buffers    []shader.Buffer
	Output     int // the buffer that the shader writes
	header     int // number of words in the output before the rows
	results    []func(operands []interval) interval
	asRead     *shader.Source
}

func (p *Workload) String() string { return p.Source }

// GoString formats the program for rapid's reports.
func (p *Workload) GoString() string {
	return fmt.Sprintf("%v workgroups of\n%s", p.Workgroups, p.Source)
}

// Programs draws programs without the gaps of the engine that will run them.
func Programs(without ...Gap) *rapid.Generator[*Workload] {
	return rapid.Custom(func(t *rapid.T) *Workload {
		d := &drawer{t: t, without: without, fuel: 45}
		return d.program()
	})
}

// read returns the program as read by the front end, once for all engines.
func (p *Workload) read() *shader.Source {
	if p.asRead == nil {
		p.asRead = shader.Read("random.wgsl", p.Source)
	}
	return p.asRead
}

// Run runs a program on an engine and returns the output's bytes and the engine's findings.
func (p *Workload) Run(ctx context.Context, on shader.Backend, watch bool) (shader.Buffer, []findings.Finding, error) {
	result, err := p.result(ctx, on, watch)
	return result.Output, result.Findings, err
}

func (p *Workload) result(ctx context.Context, on shader.Backend, watch bool) (shader.Result, error) {
	compiled, err := on.Compile(ctx, p.read())
	if err != nil {
		return shader.Result{}, fmt.Errorf("compiling: %w", err)
	}
	defer compiled.Free()
	result, err := compiled.Run(ctx, shader.Dispatch{Workgroups: p.Workgroups, Buffers: p.Buffers, Output: p.Output, Watch: watch})
	if err != nil {
		return shader.Result{}, fmt.Errorf("running: %w", err)
	}
	return result, nil
}

// withoutLine returns the program without one of the statements that are a line: a barrier, a
// store, a change of a variable.
func (p *Workload) withoutLine(which uint) *Workload {
	lines := strings.Split(p.Source, "\n")
	var removable []int
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if line != text && strings.HasSuffix(text, ";") && !strings.HasPrefix(text, "let ") && !strings.HasPrefix(text, "var ") {
			removable = append(removable, i)
		}
	}
	q := *p
	q.asRead = nil
	if len(removable) > 0 {
		at := removable[which%uint(len(removable))]
		q.Source = strings.Join(slices.Delete(lines, at, at+1), "\n")
	}
	return &q
}

// Each invocation has a row of the output, with this many words of each type, operands of
// operations that round, and results.
const (
	rowWords     = 4
	operandWords = 8
	resultWords  = 4
	firstOperand = 3 * rowWords
	firstResult  = firstOperand + operandWords
	rowLength    = firstResult + resultWords
)

// unwritten is the initial value of operands and results. It remains if the shader returns early.
// No operation makes this NaN.
const unwritten = 0x7fc0dead

// An OutputComparison is the result of comparing an engine's output with another output and with
// WGSL's limits.
type OutputComparison struct {
	Different string // a line for each wrong word; "" if all are right
	Held      int    // number of rounded results that WGSL limits
	Open      int    // number of those that it does not limit, such as log(-1)
}

// Compare compares an engine's output with another engine's. Zero equals -0, because an
// implementation may ignore the sign (§ 15.7.2).
func (p *Workload) Compare(got, want shader.Buffer) OutputComparison {
	var c OutputComparison
	var all strings.Builder
	a, b := got.Uints(), want.Uints()
	for i := range b {
		name, kind := p.word(i)
		x, y := math.Float32frombits(a[i]), math.Float32frombits(b[i])
		switch {
		case kind == 'r' && b[i] != unwritten:
			allowed := p.allowed(a, i)
			switch {
			case allowed.IsOpen():
				c.Open++
			case allowed.Holds(x):
				c.Held++
			default:
				fmt.Fprintf(&all, "%s: %v is not between %v and %v, of operands %v\n", name, x, allowed.Low, allowed.High, p.operands(a, i))
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

// allowed returns the interval that WGSL allows for the result in word i.
func (p *Workload) allowed(words []uint32, i int) interval {
	var operands []interval
	for _, x := range p.operands(words, i) {
		operands = append(operands, numeric.Point(float64(x)))
	}
	return p.results[(i-p.header)%rowLength-firstResult](operands)
}

// operands returns the operands in the row of word i.
func (p *Workload) operands(words []uint32, i int) []float32 {
	row := i - (i-p.header)%rowLength
	var all []float32
	for _, w := range words[row+firstOperand : row+firstResult] {
		all = append(all, math.Float32frombits(w))
	}
	return all
}

// word returns the name of word i of the output and its kind: i, u or f for its type, r for a
// result.
func (p *Workload) word(i int) (name string, kind byte) {
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
