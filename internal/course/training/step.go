// Package training has the passes of a training step, each by a shader of the learner. It links
// neither the network nor the images.
package training

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// Exercises lists the exercises whose shaders train the network, in the order of their first pass.
var Exercises = []string{"linear", "relu", "softmax", "loss-grad", "grad-weights", "grad-bias", "grad-hidden", "sgd"}

// Buffers holds everything that a training needs on the device. Each matrix has a row for each
// sample of the batch, except the weights.
type Buffers struct {
	X, Label       *gpu.Buffer // the batch: images and digits
	W1, B1, W2, B2 *gpu.Buffer // the weights that the training changes

	Hidden, Prob *gpu.Buffer // the forward pass leaves these
	Loss, D      *gpu.Buffer // each sample's loss; the gradient of their mean by the scores
	DHidden      *gpu.Buffer // the gradient by what goes into relu

	DW1, DB1, DW2, DB2 *gpu.Buffer // the gradient by each weight
}

// Passes makes the passes of a training step. Each method is the pass of the exercise with its
// name, and takes its buffers in the order of its bindings, without the uniform. The sizes follow
// from the buffers. Passes keeps the first failure, and Run returns it.
type Passes struct {
	device    *gpu.Device
	pipelines map[string]*gpu.Pipeline
	rows      int // samples in the batch
	rate      float32

	uniforms map[[3]any]*gpu.Buffer
	err      error
}

// NewPasses returns a maker of passes for batches of so many rows, and steps of a rate.
func NewPasses(device *gpu.Device, pipelines map[string]*gpu.Pipeline, rows int, rate float32) *Passes {
	return &Passes{device: device, pipelines: pipelines, rows: rows, rate: rate, uniforms: map[[3]any]*gpu.Buffer{}}
}

// Err returns the first failure.
func (p *Passes) Err() error { return p.err }

// Linear is out = x · w + bias.
func (p *Passes) Linear(x, w, bias, out *gpu.Buffer) gpu.Pass {
	return p.over("linear", bias.Len(), p.rows, p.dims(bias.Len(), x.Len()/p.rows), x, w, bias, out)
}

// Relu bends data in place.
func (p *Passes) Relu(data *gpu.Buffer) gpu.Pass { return p.over("relu", data.Len(), 1, data) }

// Softmax turns each row of data into probabilities, in place.
func (p *Passes) Softmax(data *gpu.Buffer) gpu.Pass {
	return p.groups("softmax", [3]uint32{uint32(p.rows), 1, 1}, p.shape(data), data)
}

// LossGrad computes each sample's loss, and the gradient of their mean.
func (p *Passes) LossGrad(prob, label, loss, d *gpu.Buffer) gpu.Pass {
	return p.over("loss-grad", p.rows, 1, p.shape(prob), prob, label, loss, d)
}

// GradWeights is dw = xᵀ · d.
func (p *Passes) GradWeights(x, d, dw *gpu.Buffer) gpu.Pass {
	inputs, outputs := x.Len()/p.rows, d.Len()/p.rows
	return p.over("grad-weights", outputs, inputs, p.dims(outputs, inputs), x, d, dw)
}

// GradHidden is dh = d · wᵀ, and 0 where hidden is 0.
func (p *Passes) GradHidden(d, w, hidden, dh *gpu.Buffer) gpu.Pass {
	inputs := hidden.Len() / p.rows
	return p.over("grad-hidden", inputs, p.rows, p.dims(d.Len()/p.rows, inputs), d, w, hidden, dh)
}

// GradBias sums the columns of d.
func (p *Passes) GradBias(d, db *gpu.Buffer) gpu.Pass {
	return p.over("grad-bias", db.Len(), 1, p.shape(d), d, db)
}

// SGD moves w a step downhill.
func (p *Passes) SGD(g, w *gpu.Buffer) gpu.Pass {
	return p.over("sgd", w.Len(), 1, p.uniform(uint32(w.Len()), p.rate, nil), g, w)
}

// An AdamMemory holds what Adam remembers about the weights in a buffer.
type AdamMemory struct{ Mean, Square *gpu.Buffer }

// AdamRates holds the numbers that Adam's step takes, besides the number of weights.
type AdamRates struct{ Rate, Beta1, Beta2, Epsilon float32 }

// Adam moves w a step that suits each weight. It belongs to the exercise adam, whose pipeline isn't
// among those of Exercises.
func (p *Passes) Adam(rates AdamRates, g *gpu.Buffer, memory AdamMemory, w *gpu.Buffer) gpu.Pass {
	if p.err != nil {
		return gpu.Pass{}
	}
	params, err := gpu.Uniform(p.device, uint32(w.Len()), rates.Rate, rates.Beta1, rates.Beta2, rates.Epsilon)
	if err != nil {
		p.err = err
		return gpu.Pass{}
	}
	return p.over("adam", w.Len(), 1, params, g, memory.Mean, memory.Square, w)
}

// dims is the uniform of a matrix product: m, n, k.
func (p *Passes) dims(n, k int) *gpu.Buffer {
	return p.uniform(uint32(p.rows), uint32(n), uint32(k))
}

// shape is the uniform of a matrix with a row for each sample: rows, cols.
func (p *Passes) shape(of *gpu.Buffer) *gpu.Buffer {
	return p.uniform(uint32(p.rows), uint32(of.Len()/p.rows), nil)
}

// uniform makes a uniform buffer once; the third member may be nil.
func (p *Passes) uniform(members ...any) *gpu.Buffer {
	key := [3]any(members)
	if members[2] == nil {
		members = members[:2]
	}
	if p.err == nil && p.uniforms[key] == nil {
		p.uniforms[key], p.err = gpu.Uniform(p.device, members...)
	}
	return p.uniforms[key]
}

// over makes a pass with one invocation for each of columns × rows.
func (p *Passes) over(id string, columns, rows int, buffers ...*gpu.Buffer) gpu.Pass {
	size := p.pipelines[id].WorkgroupSize()
	return p.groups(id, [3]uint32{gpu.Groups(columns, size[0]), gpu.Groups(rows, size[1]), 1}, buffers...)
}

func (p *Passes) groups(id string, n [3]uint32, buffers ...*gpu.Buffer) (pass gpu.Pass) {
	if p.err != nil {
		return pass
	}
	if pass, p.err = p.pipelines[id].Pass(n, buffers...); p.err != nil {
		p.err = fmt.Errorf("the pass %s: %w", id, p.err)
	}
	return pass
}

// Step returns the passes of a training step: forward, backward, and downhill.
func Step(p *Passes, b Buffers) []gpu.Pass {
	return []gpu.Pass{
		p.Linear(b.X, b.W1, b.B1, b.Hidden), p.Relu(b.Hidden),
		p.Linear(b.Hidden, b.W2, b.B2, b.Prob), p.Softmax(b.Prob),
		p.LossGrad(b.Prob, b.Label, b.Loss, b.D),
		p.GradWeights(b.Hidden, b.D, b.DW2), p.GradBias(b.D, b.DB2),
		p.GradHidden(b.D, b.W2, b.Hidden, b.DHidden),
		p.GradWeights(b.X, b.DHidden, b.DW1), p.GradBias(b.DHidden, b.DB1),
		p.SGD(b.DW1, b.W1), p.SGD(b.DB1, b.B1), p.SGD(b.DW2, b.W2), p.SGD(b.DB2, b.B2),
	}
}

// LayerSizes holds the number of values in each layer.
type LayerSizes struct{ Inputs, Hidden, Outputs int }

// Weights holds the values of a network's weights.
type Weights struct{ W1, B1, W2, B2 []float32 }

// NewBuffers makes the buffers for batches of so many rows. What the passes have to write is NaN.
func NewBuffers(device *gpu.Device, n LayerSizes, rows int, start Weights) (Buffers, error) {
	var failed error
	upload := func(values []float32) *gpu.Buffer {
		buffer, err := gpu.Upload(device, values)
		if failed == nil {
			failed = err
		}
		return buffer
	}
	empty := func(columns, rows int) *gpu.Buffer { return upload(course.Unwritten(columns * rows).Floats()) }
	b := Buffers{
		X: empty(n.Inputs, rows), W1: upload(start.W1), B1: upload(start.B1), W2: upload(start.W2), B2: upload(start.B2),
		Hidden: empty(n.Hidden, rows), Prob: empty(n.Outputs, rows), Loss: empty(1, rows), D: empty(n.Outputs, rows), DHidden: empty(n.Hidden, rows),
		DW1: empty(n.Hidden, n.Inputs), DB1: empty(n.Hidden, 1), DW2: empty(n.Outputs, n.Hidden), DB2: empty(n.Outputs, 1),
	}
	var err error
	b.Label, err = gpu.Alloc[uint32](device, rows)
	if failed == nil {
		failed = err
	}
	return b, failed
}
