package writer

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Anew runs the network over the whole text for each letter.
type Anew struct {
	made   *plan.Recorder // shaders and weights
	w      *gpt.Weights
	layers []layer

	table, written *gpu.Buffer // a row for each letter, and a column for each
	none           *gpu.Buffer // zeros
	norm           [2]*gpu.Buffer
	scores         []float32 // at the last call of Next
}

// NewAnew puts weights on the device and compiles the shaders, which are given by the exercise's
// id. If a shader does not compile, the error is a *shader.CompileError.
func NewAnew(device *gpu.Device, w *gpt.Weights, sources map[string]string) (*Anew, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	r := compile(device, ExercisesOfAnew, sources)
	a := &Anew{
		made: r, w: w, layers: layersOf(r, w, func(l *parameters.Linear) []*gpu.Buffer { return []*gpu.Buffer{plan.Upload(r, l.W)} }), norm: norm(r, &w.Norm),
		table: plan.Upload(r, w.Table), written: plan.Upload(r, transposed(w.Table, w.Letters, w.Width)), none: r.Floats(w.Letters),
	}
	if r.Err != nil {
		r.Free()
		return nil, fmt.Errorf("preparing the network: %w", r.Err)
	}
	return a, nil
}

// Free releases the network's memory and shaders before the device is closed.
func (a *Anew) Free() { a.made.Free() }

// Scores returns the score of each letter of the alphabet at the last call of Next.
func (a *Anew) Scores() ([]float32, error) { return a.scores, nil }

// Next draws the letter after a text.
func (a *Anew) Next(text []uint32, temperature, random float32) (uint32, error) {
	run, err := a.run(text)
	if err != nil {
		return 0, err
	}
	defer run.Free()
	r, letters := run.Recorder, uint32(a.w.Letters)
	last, letter := r.Floats(a.w.Letters), plan.Upload(r, []uint32{0})
	r.Grid(r.Pipeline("embed"), a.w.Letters, 1, r.Uniform(uint32(1), letters), plan.Upload(r, []uint32{uint32(len(text)) - 1}), run.scores, last) // its last row
	r.Groups(r.Pipeline("sample"), [3]uint32{1, 1, 1}, r.Uniform(letters, temperature, random), last, letter)
	if r.Err == nil {
		r.Err = r.Device.Submit(r.Passes...)
	}
	if r.Err != nil {
		return 0, fmt.Errorf("running the network over %d letters: %w", len(text), r.Err)
	}
	if a.scores, err = gpu.Read[float32](last); err != nil {
		return 0, err
	}
	return drawn(letter, a.w.Letters)
}

// Insight holds what the network makes of a text.
type Insight struct {
	Scores [][]float32 // after each letter of the text, for each letter of the alphabet
	Looks  [][]float32 // of each layer: heads × t × t, how much each letter looks at each
}

// Insight runs the network over a text, and returns what it makes of each letter.
func (a *Anew) Insight(text []uint32) (Insight, error) {
	run, err := a.run(text)
	if err != nil {
		return Insight{}, err
	}
	defer run.Free()
	if err := run.Device.Submit(run.Passes...); err != nil {
		return Insight{}, fmt.Errorf("running the network over %d letters: %w", len(text), err)
	}
	scores, err := gpu.Read[float32](run.scores)
	if err != nil {
		return Insight{}, err
	}
	var seen Insight
	for i := range text {
		seen.Scores = append(seen.Scores, scores[i*a.w.Letters:(i+1)*a.w.Letters])
	}
	for _, look := range run.looks {
		shares, err := gpu.Read[float32](look)
		if err != nil {
			return Insight{}, err
		}
		seen.Looks = append(seen.Looks, shares)
	}
	return seen, nil
}

// A textRun holds the passes over one text.
type textRun struct {
	*plan.Recorder
	a      *Anew
	t      int           // letters
	looks  []*gpu.Buffer // of each layer
	scores *gpu.Buffer   // after each letter
}

func (a *Anew) run(text []uint32) (*textRun, error) {
	if err := fits(a.w, text); err != nil {
		return nil, err
	}
	w := a.w
	r := &textRun{Recorder: plan.NewRecorder(a.made.Device), a: a, t: len(text)}
	r.Share(a.made)
	x := r.Floats(r.t * w.Width)
	r.Grid(r.Pipeline("embed"), w.Width, r.t, r.Uniform(uint32(r.t), uint32(w.Width)), plan.Upload(r.Recorder, text), a.table, x)
	for _, l := range a.layers {
		x = r.layer(l, x)
	}
	r.scores = r.linear(r.norm(x, a.norm), w.Width, w.Letters, []*gpu.Buffer{a.written, a.none})
	if r.Err != nil {
		defer r.Free()
		return nil, fmt.Errorf("preparing the network for %d letters: %w", len(text), r.Err)
	}
	return r, nil
}

// layer adds the passes of one layer.
func (r *textRun) layer(l layer, x *gpu.Buffer) *gpu.Buffer {
	w, n := r.a.w, r.norm(x, l.norm1)
	q, k, v := r.linear(n, w.Width, w.Width, l.q), r.linear(n, w.Width, w.Width, l.k), r.linear(n, w.Width, w.Width, l.v)
	sizes, looks, mixed := r.Uniform(uint32(r.t), uint32(w.Depth())), r.Floats(w.Heads*r.t*r.t), r.Floats(r.t*w.Width)
	r.Deep(r.Pipeline("causal-scores"), r.t, r.t, w.Heads, sizes, q, k, looks)
	r.Groups(r.Pipeline("softmax"), [3]uint32{uint32(w.Heads * r.t), 1, 1}, r.Uniform(uint32(w.Heads*r.t), uint32(r.t)), looks)
	r.Deep(r.Pipeline("mix"), w.Depth(), r.t, w.Heads, sizes, looks, v, mixed)
	r.looks = append(r.looks, looks)
	x = r.sum(x, r.linear(mixed, w.Width, w.Width, l.out))

	hidden, bent := r.linear(r.norm(x, l.norm2), w.Width, w.Hidden, l.up), r.Floats(r.t*w.Hidden)
	r.Over(r.Pipeline("gelu"), r.t*w.Hidden, r.Uniform(uint32(r.t*w.Hidden)), hidden, bent)
	return r.sum(x, r.linear(bent, w.Hidden, w.Width, l.down))
}

func (r *textRun) norm(x *gpu.Buffer, n [2]*gpu.Buffer) *gpu.Buffer {
	width := r.a.w.Width
	out := r.Floats(r.t * width)
	r.Groups(r.Pipeline("layer-norm"), [3]uint32{uint32(r.t), 1, 1}, r.Uniform(uint32(r.t), uint32(width)), x, n[0], n[1], out)
	return out
}

func (r *textRun) linear(x *gpu.Buffer, inputs, outputs int, l []*gpu.Buffer) *gpu.Buffer {
	out := r.Floats(r.t * outputs)
	r.Grid(r.Pipeline("linear"), outputs, r.t, r.Uniform(uint32(r.t), uint32(outputs), uint32(inputs)), x, l[0], l[1], out)
	return out
}

func (r *textRun) sum(a, b *gpu.Buffer) *gpu.Buffer {
	n := r.t * r.a.w.Width
	out := r.Floats(n)
	r.Over(r.Pipeline("vector-add"), n, a, b, out)
	return out
}
