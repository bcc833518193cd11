package writer

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Cached runs the network over one letter at a time. It keeps the keys and values of all letters
// so far in caches.
type Cached struct {
	made   *plan.Recorder
	w      *gpt.Weights
	format WeightFormat

	letter         *gpu.Buffer // the newest one, and then the one after it
	at, look, draw *gpu.Buffer // parameters of append, attend and sample, which change with each letter
	scores         *gpu.Buffer
	seen           []uint32 // the letters whose keys and values are in the caches
}

// NewCached puts weights on the device, the matrices in a format, and compiles the shaders, which
// are given by the exercise's id. If a shader does not compile, the error is a
// *shader.CompileError.
func NewCached(device *gpu.Device, w *gpt.Weights, f WeightFormat, sources map[string]string) (*Cached, error) {
	if err := errors.Join(w.Check(), f.check(w)); err != nil {
		return nil, err
	}
	c := &Cached{made: compile(device, ExercisesOfCached(f), sources), w: w, format: f}
	c.record()
	if c.made.Err != nil {
		c.made.Free()
		return nil, fmt.Errorf("preparing the network with its cache: %w", c.made.Err)
	}
	return c, nil
}

// Free releases the network's memory and shaders before the device is closed.
func (c *Cached) Free() { c.made.Free() }

// Passes is how many passes write a letter.
func (c *Cached) Passes() int { return len(c.made.Passes) }

// Next draws the letter after a text. If the text goes on from that of the last call, only its new
// letters go through the network.
func (c *Cached) Next(text []uint32, temperature, random float32) (uint32, error) {
	if err := fits(c.w, text); err != nil {
		return 0, err
	}
	known := min(prefix(c.seen, text), len(text)-1)
	c.seen = c.seen[:known]
	for _, letter := range text[known : len(text)-1] {
		if err := c.run(letter, c.made.Passes[:len(c.made.Passes)-1]); err != nil {
			return 0, err
		}
	}
	if err := c.draw.WriteAt(words(math.Float32bits(temperature), math.Float32bits(random)), 4); err != nil {
		return 0, err
	}
	if err := c.run(text[len(text)-1], c.made.Passes); err != nil {
		return 0, err
	}
	return drawn(c.letter, c.w.Letters)
}

// run submits passes for the next letter.
func (c *Cached) run(letter uint32, submitted []gpu.Pass) error {
	row := uint32(len(c.seen))
	for _, err := range []error{c.letter.WriteAt(words(letter), 0), c.at.WriteAt(words(row), 4), c.look.WriteAt(words(row+1), 0)} {
		if err != nil {
			return err
		}
	}
	c.seen = append(c.seen, letter)
	return c.made.Device.Submit(submitted...)
}

// Scores returns the score of each letter of the alphabet at the last call of Next.
func (c *Cached) Scores() ([]float32, error) { return gpu.Read[float32](c.scores) }

func (c *Cached) record() {
	r, w := c.made, c.w
	width, depth := uint32(w.Width), uint32(w.Depth())
	layers := layersOf(r, w, func(l *parameters.Linear) []*gpu.Buffer {
		return c.format.upload(r, l.W, len(l.W)/len(l.B), len(l.B))
	})
	c.letter = plan.Upload(r, []uint32{0})
	c.at, c.look, c.draw = r.Uniform(width, uint32(0)), r.Uniform(uint32(1), depth), r.Uniform(uint32(w.Letters), float32(1), float32(0))

	x := r.Floats(w.Width)
	r.Grid(r.Pipeline("embed"), w.Width, 1, r.Uniform(uint32(1), width), c.letter, plan.Upload(r, c.format.roundedTable(w)), x)
	for _, l := range layers {
		x = c.layer(l, x)
	}
	n := c.norm(x, norm(r, &w.Norm))
	table := c.format.upload(r, transposed(w.Table, w.Letters, w.Width), w.Width, w.Letters)
	c.scores = c.product(n, w.Width, w.Letters, append(table, r.Floats(w.Letters)))
	r.Groups(r.Pipeline("sample"), [3]uint32{1, 1, 1}, c.draw, c.scores, c.letter)
}

// layer adds the passes of one layer.
func (c *Cached) layer(l layer, x *gpu.Buffer) *gpu.Buffer {
	r, w := c.made, c.w
	keys, values := r.Floats(gpt.Most*w.Width), r.Floats(gpt.Most*w.Width)
	n := c.norm(x, l.norm1)
	r.Over(r.Pipeline("append"), w.Width, c.at, c.product(n, w.Width, w.Width, l.k), keys)
	r.Over(r.Pipeline("append"), w.Width, c.at, c.product(n, w.Width, w.Width, l.v), values)
	mixed := r.Floats(w.Width)
	r.Groups(r.Pipeline("attend"), [3]uint32{uint32(w.Heads), 1, 1}, c.look, c.product(n, w.Width, w.Width, l.q), keys, values, mixed)
	x = c.sum(x, c.product(mixed, w.Width, w.Width, l.out))

	hidden, bent := c.product(c.norm(x, l.norm2), w.Width, w.Hidden, l.up), r.Floats(w.Hidden)
	r.Over(r.Pipeline("gelu"), w.Hidden, r.Uniform(uint32(w.Hidden)), hidden, bent)
	return c.sum(x, c.product(bent, w.Hidden, w.Width, l.down))
}

func (c *Cached) norm(x *gpu.Buffer, n [2]*gpu.Buffer) *gpu.Buffer {
	r, out := c.made, c.made.Floats(c.w.Width)
	r.Groups(r.Pipeline("layer-norm"), [3]uint32{1, 1, 1}, r.Uniform(uint32(1), uint32(c.w.Width)), x, n[0], n[1], out)
	return out
}

// product adds the pass of a linear layer.
func (c *Cached) product(x *gpu.Buffer, inputs, outputs int, l []*gpu.Buffer) *gpu.Buffer {
	r, out := c.made, c.made.Floats(outputs)
	bound := slices.Concat([]*gpu.Buffer{r.Uniform(uint32(outputs), uint32(inputs)), x}, l, []*gpu.Buffer{out})
	r.Groups(r.Pipeline(c.format.product), [3]uint32{uint32(outputs), 1, 1}, bound...)
	return out
}

func (c *Cached) sum(a, b *gpu.Buffer) *gpu.Buffer {
	r, out := c.made, c.made.Floats(c.w.Width)
	r.Over(r.Pipeline("vector-add"), c.w.Width, a, b, out)
	return out
}
