// This file follows one number of a network back through all passes that led to it, down to
// the network's input. It asks of each number that an invocation read: what would the result be if
// this number were as it is for an empty input? The simulator answers by running that invocation
// again.

package why

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// A FloatBuffer holds f32 numbers. Several passes can share one.
type FloatBuffer struct {
	Name string
	Data []byte
}

// Floats returns a buffer of numbers.
func Floats(name string, values []float32) *FloatBuffer {
	return &FloatBuffer{name, shader.FloatBuffer(values).Bytes}
}

// Uniform returns a uniform buffer of whole numbers.
func Uniform(members ...uint32) *FloatBuffer {
	words := make([]shader.UniformWord, len(members))
	for i, m := range members {
		words[i] = shader.UniformWord(m)
	}
	return &FloatBuffer{"", shader.UniformBuffer(words...).Bytes}
}

// A TracedPass is one dispatch.
type TracedPass struct {
	Title      string // what the shader is called, such as linear
	Program    *sim.Program
	Workgroups [3]uint32
	Buffers    []*FloatBuffer // by the numbers of their bindings, in group 0

	lines []string // of the shader
}

// Line returns a line of the shader, counted from 1.
func (p TracedPass) Line(number int) string { return strings.TrimSpace(p.lines[number-1]) }

// A Chain is a list of passes, its input, and what the input holds if it is empty.
type Chain struct {
	Passes []TracedPass
	Input  *FloatBuffer
	Empty  []byte
}

// Grid adds a pass of a shader, with an invocation for each of columns × rows.
func (c *Chain) Grid(title, source string, columns, rows int, buffers ...*FloatBuffer) error {
	return c.add(title, source, func(size [3]uint32) [3]uint32 {
		return [3]uint32{groups(columns, size[0]), groups(rows, size[1]), 1}
	}, buffers)
}

// Groups adds a pass of so many workgroups.
func (c *Chain) Groups(title, source string, n int, buffers ...*FloatBuffer) error {
	return c.add(title, source, func([3]uint32) [3]uint32 { return [3]uint32{uint32(n), 1, 1} }, buffers)
}

func (c *Chain) add(title, source string, workgroups func(size [3]uint32) [3]uint32, buffers []*FloatBuffer) error {
	program, err := sim.CompileEntry(shader.Read(title, source), nil, false)
	if err != nil {
		return fmt.Errorf("compiling %s: %w", title, err)
	}
	c.Passes = append(c.Passes, TracedPass{
		Title: title, Program: program, Workgroups: workgroups(program.Pipeline.WorkgroupSize), Buffers: buffers, lines: strings.Split(source, "\n"),
	})
	return nil
}

// groups returns how many workgroups of a size cover n.
func groups(n int, size uint32) uint32 { return (uint32(n) + size - 1) / size }

// An Address is a number in a buffer.
type Address struct {
	Buffer *FloatBuffer
	Index  int
}

func (e Address) String() string { return fmt.Sprintf("%s[%d]", e.Buffer.Name, e.Index) }

// A Number is an element after a pass or before it.
type Number struct {
	Address
	Value, Empty float32 // for the input, and for an empty one
}

// A Way leads from a number back to the input.
type Way struct {
	From  Number
	Steps []PassStep // the passes on the way, the last pass first
	Input []float32  // how much each element of the input counted: above 0 if it made the number larger; about 1 together
}

// A PassStep is a pass, and the numbers of the way that it wrote.
type PassStep struct {
	TracedPass
	Followed []Followed // the strongest first
	Others   int        // those that were too weak to be followed
}

// Followed is a number that a pass wrote.
type Followed struct {
	Number
	Weight float32  // how much of the change of the way's first number came through it
	Made   sim.Site // the line that wrote it
	Reads  int      // how many numbers its invocation read
	Causes []Cause  // those that changed it, the strongest first
}

// A Cause is a number that an invocation read.
type Cause struct {
	Number
	Without float32  // what the followed number would be with this one as for an empty input
	Read    sim.Site // the line that read it
}

// Follow follows the numbers that count most, at most so many for each pass.
func (c *Chain) Follow(ctx context.Context, from Address, most int) (*Way, error) {
	full, err := c.states(ctx, c.Input.Data)
	if err != nil {
		return nil, err
	}
	empty, err := c.states(ctx, c.Empty)
	if err != nil {
		return nil, err
	}
	f := &following{Chain: c, full: full, empty: empty, most: most, open: map[Address]float32{}}
	way := &Way{From: f.number(len(c.Passes), from)}
	f.open[from] = way.From.direction()
	for number := len(c.Passes) - 1; number >= 0; number-- {
		step, err := f.through(ctx, number)
		if err != nil {
			return nil, fmt.Errorf("following %s back through %s: %w", from, c.Passes[number].Title, err)
		}
		if len(step.Followed) > 0 {
			way.Steps = append(way.Steps, step)
		}
	}
	way.Input = make([]float32, len(c.Input.Data)/4)
	for e, weight := range f.open {
		if e.Buffer == c.Input {
			way.Input[e.Index] = weight
		}
	}
	return way, nil
}

// Read runs the chain, and returns what it leaves in a buffer.
func (c *Chain) Read(ctx context.Context, b *FloatBuffer) ([]float32, error) {
	all, err := c.states(ctx, c.Input.Data)
	if err != nil {
		return nil, err
	}
	return shader.Buffer{Element: shader.F32, Bytes: all[len(all)-1][b]}.Floats(), nil
}

// A state holds the contents of all buffers at one time.
type state map[*FloatBuffer][]byte

// states runs the chain, and returns the buffers before each pass and after the last.
func (c *Chain) states(ctx context.Context, input []byte) (all []state, err error) {
	now := state{}
	for _, p := range c.Passes {
		for _, b := range p.Buffers {
			now[b] = b.Data
		}
	}
	now[c.Input] = input
	all = append(all, now)
	for _, p := range c.Passes {
		now = now.after(p)
		if _, err := p.Program.Run(ctx, p.Workgroups, p.bound(now), sim.Options{}); err != nil {
			return nil, fmt.Errorf("running %s: %w", p.Title, err)
		}
		all = append(all, now)
	}
	return all, nil
}

// after returns a state for what a pass leaves: it copies the buffers that the pass may write.
func (s state) after(p TracedPass) state {
	next := state{}
	for b, data := range s {
		next[b] = data
	}
	for _, b := range p.Program.Bindings {
		if written := p.Buffers[b.Number]; b.Writable {
			next[written] = slices.Clone(s[written])
		}
	}
	return next
}

// bound returns a pass's buffers for the simulator.
func (p TracedPass) bound(s state) (buffers []sim.BoundBuffer) {
	for number, b := range p.Buffers {
		buffers = append(buffers, sim.BoundBuffer{Binding: uint32(number), Data: s[b]})
	}
	return buffers
}

// float returns an element's value.
func (s state) float(e Address) float32 {
	return math.Float32frombits(s.word(e))
}

func (s state) word(e Address) uint32 { return binary.LittleEndian.Uint32(s[e.Buffer][4*e.Index:]) }

// A following is on its way back.
type following struct {
	*Chain
	full, empty []state // before each pass and after the last
	most        int
	open        map[Address]float32 // the weights of the numbers still to be explained
}

// number returns an element as it is before a pass.
func (f *following) number(pass int, e Address) Number {
	return Number{e, f.full[pass].float(e), f.empty[pass].float(e)}
}

// through follows what a pass wrote to what it read. It changes f.open.
func (f *following) through(ctx context.Context, number int) (step PassStep, err error) {
	p := f.Passes[number]
	step.TracedPass = p
	again, err := p.Program.Rerun(ctx, p.Workgroups, p.bound(f.full[number]))
	if err != nil {
		return step, err
	}
	for binding, b := range p.Program.Bindings {
		buffer := p.Buffers[b.Number]
		open := f.openIn(buffer)
		if !b.Writable || len(open) == 0 {
			continue
		}
		makers, err := again.Makers(binding)
		if err != nil {
			return step, err
		}
		open = slices.DeleteFunc(open, func(e Address) bool { return makers[e.Index] == nil })
		step.Others += max(0, len(open)-f.most)
		weights := map[Address]float32{}
		for _, e := range open {
			weights[e] = f.open[e]
			delete(f.open, e)
		}
		for _, e := range open[:min(f.most, len(open))] {
			made := Followed{Number: f.number(number+1, e), Weight: weights[e], Made: makers[e.Index].Site}
			if err := f.explain(again, number, sim.Spot{Binding: binding, Word: e.Index}, makers[e.Index], &made); err != nil {
				return step, err
			}
			step.Followed = append(step.Followed, made)
		}
	}
	return step, nil
}

// openIn returns the numbers in a buffer that are still to be explained, the strongest first.
func (f *following) openIn(b *FloatBuffer) (open []Address) {
	for e := range f.open {
		if e.Buffer == b {
			open = append(open, e)
		}
	}
	slices.SortFunc(open, func(a, b Address) int {
		return cmp.Or(cmp.Compare(size(f.open[b]), size(f.open[a])), cmp.Compare(a.Index, b.Index))
	})
	return open
}

// explain finds what made a number, and passes its weight on.
func (f *following) explain(again *sim.Rerun, number int, spot sim.Spot, by *sim.Maker, made *Followed) error {
	loads, err := again.Loads(by)
	if err != nil {
		return err
	}
	p := f.Passes[number]
	made.Reads = len(loads)
	var total, sizes float32
	for _, l := range loads {
		e := Address{p.Buffers[p.Program.Bindings[l.Binding].Number], l.Word}
		value := f.empty[number].word(e)
		if value == f.full[number].word(e) {
			continue // an empty input has the same number here
		}
		word, err := again.Without(by, spot, l.Spot, value)
		if err != nil {
			return err
		}
		c := Cause{Number: f.number(number, e), Without: math.Float32frombits(word), Read: l.Site}
		if change := size(made.Value - c.Without); change > 0 { // not NaN
			made.Causes = append(made.Causes, c)
			total += made.Value - c.Without
			sizes += change
		}
	}
	slices.SortStableFunc(made.Causes, func(a, b Cause) int {
		return cmp.Compare(size(made.Value-b.Without), size(made.Value-a.Without))
	})
	whole := made.direction() * max(size(total), sizes/mostAmplified)
	for _, c := range made.Causes {
		f.open[c.Address] += made.Weight * (made.Value - c.Without) / whole
	}
	return nil
}

// mostAmplified limits how much larger the shares of a number can be together than the number's own
// weight, where changes cancel.
const mostAmplified = 4

// direction returns 1 if the input made the number larger than an empty one does, and -1 otherwise.
func (n Number) direction() float32 {
	if n.Value < n.Empty {
		return -1
	}
	return 1
}

func size(x float32) float32 { return max(x, -x) }
