package vit

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Exercises lists the exercises whose shaders a Reader runs, in the order of their first pass.
var Exercises = []string{"normalize", "patches", "linear", "vector-add", "layer-norm", "scores", "softmax", "mix", "gelu"}

// OneWalk is the exercise whose shader does the work of scores, softmax and mix in one pass.
const OneWalk = "attention-online"

// ExercisesOfOneWalk lists the exercises whose shaders a Reader from NewOneWalkReader runs, in the
// order of their first pass.
var ExercisesOfOneWalk = []string{"normalize", "patches", "linear", "vector-add", "layer-norm", OneWalk, "gelu", "softmax"}

// Off says which heads are switched off, by layer and head.
type Off [Layers][Heads]bool

// Without returns weights with some heads switched off: nothing of what they make goes on.
func (w *Weights) Without(off Off) *Weights {
	less := *w
	for layer, heads := range off {
		out := slices.Clone(w.Layers[layer].Out.W)
		for head, is := range heads {
			if is {
				clear(out[head*Depth*Width : (head+1)*Depth*Width])
			}
		}
		less.Layers[layer].Out.W = out
	}
	return &less
}

// A Reader reads one image at a time with shaders of the exercises, such as a learner's. Only one
// goroutine may use it at a time.
type Reader struct {
	made         *plan.Recorder
	weights      *Weights
	pixels, prob *gpu.Buffer
	out          [Layers]*gpu.Buffer // weights, which Off changes
	looks        [Layers]*gpu.Buffer // nil with oneWalk
	off          Off
	oneWalk      bool
}

// AttentionMaps holds what a Reader sees in an image.
type AttentionMaps struct {
	Probabilities []float32         // of the ten digits
	Looks         [Layers][]float32 // Heads × Tokens × Tokens: how much each token looks at each
}

// Look returns how much a patch looks at each of the 16, in a head of a layer. They add up to 1.
func (r AttentionMaps) Look(layer, head, patch int) []float32 {
	start := (head*Tokens + patch) * Tokens
	return r.Looks[layer][start : start+Tokens]
}

// NewReader puts weights on the device and compiles the shaders, which are given by the exercise's
// id. If a shader does not compile, the error is a *shader.CompileError.
func NewReader(device *gpu.Device, w *Weights, sources map[string]string) (*Reader, error) {
	return newReader(device, w, sources, Exercises, false)
}

// NewOneWalkReader is NewReader with the pass of OneWalk in place of scores, softmax and mix. No
// score is ever stored, so its readings have no Looks.
func NewOneWalkReader(device *gpu.Device, w *Weights, sources map[string]string) (*Reader, error) {
	return newReader(device, w, sources, ExercisesOfOneWalk, true)
}

func newReader(device *gpu.Device, w *Weights, sources map[string]string, exercises []string, oneWalk bool) (*Reader, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	r := &Reader{made: plan.NewRecorder(device), weights: w, oneWalk: oneWalk}
	r.made.CompileAll(exercises, sources)
	r.record()
	if r.made.Err != nil {
		r.made.Free()
		return nil, fmt.Errorf("preparing the network with attention: %w", r.made.Err)
	}
	return r, nil
}

func (r *Reader) record() {
	m, w := r.made, r.weights
	r.pixels = plan.Upload(m, make([]uint32, network.Inputs/4))
	image, cut := m.Floats(network.Inputs), m.Floats(network.Inputs)
	m.Over(m.Pipeline("normalize"), network.Inputs, m.Uniform(uint32(network.Inputs), float32(network.Mean), float32(network.Stddev)), r.pixels, image)
	m.Grid(m.Pipeline("patches"), patch, Tokens, m.Uniform(uint32(Side*Across), uint32(Side)), image, cut)
	x := r.sum(r.rows(cut, Tokens, &w.Tokens), plan.Upload(m, w.Positions))
	for i := range w.Layers {
		x = r.layer(i, x)
	}
	r.prob = r.rows(r.norm(x, &w.Norm), 1, &w.Scores)
	m.Groups(m.Pipeline("softmax"), [3]uint32{1, 1, 1}, m.Uniform(uint32(1), uint32(network.Outputs)), r.prob)
}

// layer adds the passes of one layer.
func (r *Reader) layer(i int, x *gpu.Buffer) *gpu.Buffer {
	m, l := r.made, &r.weights.Layers[i]
	n := r.norm(x, &l.Norm1)
	q, k, v := r.rows(n, Tokens, &l.Q), r.rows(n, Tokens, &l.K), r.rows(n, Tokens, &l.V)

	mixed := r.attend(i, q, k, v)
	r.out[i] = plan.Upload(m, l.Out.W)
	x = r.sum(x, r.linear(mixed, Tokens, Width, Width, r.out[i], plan.Upload(m, l.Out.B)))

	hidden, bent := r.rows(r.norm(x, &l.Norm2), Tokens, &l.Up), m.Floats(Tokens*Hidden)
	m.Over(m.Pipeline("gelu"), Tokens*Hidden, m.Uniform(uint32(Tokens*Hidden)), hidden, bent)
	return r.sum(x, r.rows(bent, Tokens, &l.Down))
}

// attend adds the passes of a layer's attention, and returns what each token takes.
func (r *Reader) attend(i int, q, k, v *gpu.Buffer) *gpu.Buffer {
	m := r.made
	sizes, mixed := m.Uniform(uint32(Tokens), uint32(Depth)), m.Floats(flat)
	if r.oneWalk {
		m.Deep(m.Pipeline(OneWalk), Tokens, 1, Heads, sizes, q, k, v, mixed)
		return mixed
	}
	r.looks[i] = m.Floats(Heads * Tokens * Tokens)
	m.Deep(m.Pipeline("scores"), Tokens, Tokens, Heads, sizes, q, k, r.looks[i])
	m.Groups(m.Pipeline("softmax"), [3]uint32{Heads * Tokens, 1, 1}, m.Uniform(uint32(Heads*Tokens), uint32(Tokens)), r.looks[i])
	m.Deep(m.Pipeline("mix"), Depth, Tokens, Heads, sizes, r.looks[i], v, mixed)
	return mixed
}

// Passes returns how many passes read an image.
func (r *Reader) Passes() int { return len(r.made.Passes) }

// rows adds a pass of linear with weights of its own, over a number of rows.
func (r *Reader) rows(x *gpu.Buffer, rows int, l *parameters.Linear) *gpu.Buffer {
	return r.linear(x, rows, len(l.W)/len(l.B), len(l.B), plan.Upload(r.made, l.W), plan.Upload(r.made, l.B))
}

func (r *Reader) linear(x *gpu.Buffer, rows, inputs, outputs int, w, bias *gpu.Buffer) *gpu.Buffer {
	m, out := r.made, r.made.Floats(rows*outputs)
	m.Grid(m.Pipeline("linear"), outputs, rows, m.Uniform(uint32(rows), uint32(outputs), uint32(inputs)), x, w, bias, out)
	return out
}

func (r *Reader) norm(x *gpu.Buffer, n *parameters.Norm) *gpu.Buffer {
	m, out := r.made, r.made.Floats(flat)
	m.Groups(m.Pipeline("layer-norm"), [3]uint32{Tokens, 1, 1}, m.Uniform(uint32(Tokens), uint32(Width)), x, plan.Upload(m, n.Gain), plan.Upload(m, n.Bias), out)
	return out
}

func (r *Reader) sum(a, b *gpu.Buffer) *gpu.Buffer {
	out := r.made.Floats(flat)
	r.made.Over(r.made.Pipeline("vector-add"), flat, a, b, out)
	return out
}

// Read reads an image of 784 bytes with some heads switched off, in one submission.
func (r *Reader) Read(pixels []byte, off Off) (reading AttentionMaps, err error) {
	if len(pixels) != network.Inputs {
		return reading, fmt.Errorf("%d values are not one image: it has %d", len(pixels), network.Inputs)
	}
	if err := r.turn(off); err != nil {
		return reading, err
	}
	if err := gpu.Write(r.pixels, network.Words(pixels)); err != nil {
		return reading, err
	}
	if err := r.made.Device.Submit(r.made.Passes...); err != nil {
		return reading, err
	}
	for i, b := range r.looks {
		if b == nil {
			continue
		}
		if reading.Looks[i], err = gpu.Read[float32](b); err != nil {
			return reading, err
		}
	}
	reading.Probabilities, err = gpu.Read[float32](r.prob)
	return reading, err
}

// turn switches heads on and off.
func (r *Reader) turn(off Off) error {
	less := r.weights.Without(off)
	for i := range off {
		if off[i] == r.off[i] {
			continue
		}
		if err := gpu.Write(r.out[i], less.Layers[i].Out.W); err != nil {
			return err
		}
	}
	r.off = off
	return nil
}

// Free releases the reader's memory and shaders before the device is closed.
func (r *Reader) Free() { r.made.Free() }
