package gpt

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// A kept layer holds what the forward half of a step leaves for the backward half.
type kept struct {
	name                             string
	in, n1, q, k, v, mixed, logs     *gpu.Buffer
	middle, n2, hidden, bent, result *gpu.Buffer
}

// record adds the passes of one step, and of the forward half over held-out samples.
func (tr *trainer) record(text *gpu.Buffer) {
	r, s := tr.Made, tr.shape
	tr.none = r.Floats(max(s.Letters, s.Hidden))
	tr.partial = r.Floats(parts * s.Width * max(s.Letters, s.Hidden))
	now, next := r.Floats(tr.rows*s.Letters), plan.Upload(r, make([]uint32, tr.rows))
	begin := func(clock, order *gpu.Buffer) {
		sizes := r.Uniform(uint32(tr.rows), uint32(s.Letters), uint32(tr.length), uint32(tr.StepsPerEpoch))
		r.Over(r.Pipeline("train/letters"), tr.rows, sizes, clock, order, text, now, next)
	}

	r.Over(r.Pipeline("train/clock"), 1, tr.Plan(), tr.Clock)
	begin(tr.Clock, tr.Order)
	forward := len(r.Passes)
	x := tr.linear(now, tr.buffers["table"], tr.none, s.Letters, s.Width)
	layers := make([]kept, s.Layers)
	for i := range layers {
		layers[i] = tr.layer(fmt.Sprintf("layer%d.", i+1), x)
		x = layers[i].result
	}
	last := tr.norm(x, "norm")
	scores := tr.linear(last, tr.transposed("table", s.Letters, s.Width), tr.none, s.Width, s.Letters)
	tr.Losses, tr.Measured = r.Floats(tr.rows), tr.rows
	rows := make([]uint32, tr.rows)
	for i := range rows {
		rows[i] = uint32(i)
	}
	first := plan.Upload(r, make([]uint32, 3)) // a clock at the first row
	r.Over(r.Pipeline("train/loss"), tr.rows, r.Uniform(uint32(tr.rows), uint32(s.Letters)), first, plan.Upload(r, rows), next, scores, tr.Losses)
	if r.Err != nil {
		return
	}
	step := r.Passes
	tr.held = plan.Upload(r, make([]uint32, tr.Batch))
	r.Passes = nil
	begin(first, tr.held)
	tr.forward = append(r.Passes, step[forward:]...)
	r.Passes = step

	d := tr.linear(scores, tr.buffers["table"], tr.none, s.Letters, s.Width) // of the last layer-norm
	written := tr.products(scores, last, s.Letters, s.Width, r.Floats(s.Letters*s.Width))
	d = tr.throughNorm(x, d, r.Floats(tr.rows*s.Width), "norm")
	for i := len(layers) - 1; i >= 0; i-- {
		d = tr.back(layers[i], d)
	}
	read := tr.products(now, d, s.Letters, s.Width, r.Floats(s.Letters*s.Width))
	r.Over(r.Pipeline("vector-add"), s.Letters*s.Width, written, read, tr.learned["table"].Gradient)
	tr.End()
}

// linear adds the pass of a layer over all rows, and returns what it leaves.
func (tr *trainer) linear(x, w, bias *gpu.Buffer, inputs, outputs int) *gpu.Buffer {
	r, out := tr.Made, tr.Made.Floats(tr.rows*outputs)
	r.Groups(r.Pipeline(plan.InBlocks), plan.Blocks(tr.rows, outputs), r.Uniform(uint32(tr.rows), uint32(outputs), uint32(inputs)), x, w, bias, out)
	return out
}

// named is linear with the weights of this name.
func (tr *trainer) named(x *gpu.Buffer, name string, inputs, outputs int) *gpu.Buffer {
	return tr.linear(x, tr.buffers[name+".w"], tr.buffers[name+".b"], inputs, outputs)
}

func (tr *trainer) norm(x *gpu.Buffer, name string) *gpu.Buffer {
	r, width := tr.Made, tr.shape.Width
	out := r.Floats(tr.rows * width)
	r.Groups(r.Pipeline("layer-norm"), [3]uint32{uint32(tr.rows), 1, 1}, r.Uniform(uint32(tr.rows), uint32(width)), x, tr.buffers[name+".gain"], tr.buffers[name+".bias"], out)
	return out
}

// sum adds two lists of a number for each row and column.
func (tr *trainer) sum(a, b *gpu.Buffer) *gpu.Buffer {
	r, n := tr.Made, tr.rows*tr.shape.Width
	out := r.Floats(n)
	r.Over(r.Pipeline("vector-add"), n, a, b, out)
	return out
}

// transposed adds the pass that transposes weights of rows × columns.
func (tr *trainer) transposed(name string, rows, columns int) *gpu.Buffer {
	r, out := tr.Made, tr.Made.Floats(rows*columns)
	r.Grid(r.Pipeline("transpose"), rows, columns, r.Uniform(uint32(rows), uint32(columns)), tr.buffers[name], out)
	return out
}

// heads adds a pass over the rows of each head.
func (tr *trainer) heads(name string, buffers ...*gpu.Buffer) {
	r := tr.Made
	k := r.Pipeline(name)
	if r.Err != nil {
		return
	}
	sizes := r.Uniform(uint32(tr.rows), uint32(tr.length))
	r.Groups(k, [3]uint32{gpu.Groups(tr.rows, k.WorkgroupSize()[0]), uint32(tr.shape.Heads), 1}, append([]*gpu.Buffer{sizes}, buffers...)...)
}

// layer adds the forward passes of a layer.
func (tr *trainer) layer(name string, x *gpu.Buffer) kept {
	r, width, hidden := tr.Made, tr.shape.Width, tr.shape.Hidden
	l := kept{name: name, in: x, n1: tr.norm(x, name+"norm1"), mixed: r.Floats(tr.rows * width), logs: r.Floats(tr.rows * tr.shape.Heads)}
	l.q, l.k, l.v = tr.named(l.n1, name+"q", width, width), tr.named(l.n1, name+"k", width, width), tr.named(l.n1, name+"v", width, width)
	tr.heads("train/attend", l.q, l.k, l.v, l.mixed, l.logs)
	l.middle = tr.sum(x, tr.named(l.mixed, name+"out", width, width))

	l.n2 = tr.norm(l.middle, name+"norm2")
	l.hidden, l.bent = tr.named(l.n2, name+"up", width, hidden), r.Floats(tr.rows*hidden)
	r.Over(r.Pipeline("gelu"), tr.rows*hidden, r.Uniform(uint32(tr.rows*hidden)), l.hidden, l.bent)
	l.result = tr.sum(l.middle, tr.named(l.bent, name+"down", hidden, width))
	return l
}

// back adds the backward passes of a layer. around says how the loss changes with what the layer
// leaves; back returns how it changes with what the layer gets.
func (tr *trainer) back(l kept, around *gpu.Buffer) *gpu.Buffer {
	r, width, hidden := tr.Made, tr.shape.Width, tr.shape.Hidden
	d := tr.through(l.bent, around, l.name+"down", hidden, width)
	r.Over(r.Pipeline("train/gradient-gelu"), tr.rows*hidden, r.Uniform(uint32(tr.rows*hidden)), l.hidden, d)
	around = tr.throughNorm(l.middle, tr.through(l.n2, d, l.name+"up", width, hidden), around, l.name+"norm2")

	d = tr.through(l.mixed, around, l.name+"out", width, width)
	sums := r.Floats(tr.rows * tr.shape.Heads)
	dq, dk, dv := r.Floats(tr.rows*width), r.Floats(tr.rows*width), r.Floats(tr.rows*width)
	tr.heads("train/gradient-query", l.q, l.k, l.v, l.mixed, l.logs, d, sums, dq)
	tr.heads("train/gradient-key", l.q, l.k, l.v, l.logs, sums, d, dk, dv)
	d = tr.sum(tr.through(l.n1, dq, l.name+"q", width, width), tr.through(l.n1, dk, l.name+"k", width, width))
	d = tr.sum(d, tr.through(l.n1, dv, l.name+"v", width, width))
	return tr.throughNorm(l.in, d, around, l.name+"norm1")
}

// through adds the backward passes of a linear layer: the gradients of its weights, and how the
// loss changes with its input x, which through returns.
func (tr *trainer) through(x, d *gpu.Buffer, name string, inputs, outputs int) *gpu.Buffer {
	tr.products(x, d, inputs, outputs, tr.learned[name+".w"].Gradient)
	tr.columns(d, outputs, name+".b")
	return tr.linear(d, tr.transposed(name+".w", inputs, outputs), tr.none, outputs, inputs)
}

// throughNorm adds the backward passes of a layer-norm of x: the gradients of gain and bias. It
// returns how the loss changes with x, which also goes around the layer.
func (tr *trainer) throughNorm(x, d, around *gpu.Buffer, name string) *gpu.Buffer {
	r, width := tr.Made, tr.shape.Width
	gains, dx := r.Floats(tr.rows*width), r.Floats(tr.rows*width)
	r.Groups(r.Pipeline("train/gradient-norm"), [3]uint32{uint32(tr.rows), 1, 1}, r.Uniform(uint32(tr.rows), uint32(width)), x, tr.buffers[name+".gain"], d, around, gains, dx)
	tr.columns(gains, width, name+".gain")
	tr.columns(d, width, name+".bias")
	return dx
}

// products adds up x[row] · d[row]ᵀ over all rows, in parts and then all.
func (tr *trainer) products(x, d *gpu.Buffer, inputs, outputs int, into *gpu.Buffer) *gpu.Buffer {
	r, groups := tr.Made, plan.Blocks(inputs, outputs)
	groups[2] = parts
	r.Groups(r.Pipeline("train/gradient-weights"), groups, r.Uniform(uint32(tr.rows), uint32(outputs), uint32(inputs)), x, d, tr.partial)
	tr.addUp(inputs*outputs, into)
	return into
}

// columns adds up the rows of d, in parts and then all: the gradient of the named tensor.
func (tr *trainer) columns(d *gpu.Buffer, n int, name string) {
	r := tr.Made
	k := r.Pipeline("train/gradient-bias")
	if r.Err != nil {
		return
	}
	r.Groups(k, [3]uint32{gpu.Groups(n, k.WorkgroupSize()[0]), 1, parts}, r.Uniform(uint32(tr.rows), uint32(n)), d, tr.partial)
	tr.addUp(n, tr.learned[name].Gradient)
}

// addUp adds up the parts of n sums.
func (tr *trainer) addUp(n int, into *gpu.Buffer) {
	r := tr.Made
	r.Over(r.Pipeline("train/gradient-bias"), n, r.Uniform(uint32(parts), uint32(n)), tr.partial, into)
}

// heldOutLoss is the mean loss over the held-out samples.
func (tr *trainer) heldOutLoss(ctx context.Context) (float64, error) {
	total, n, first := 0.0, 0, tr.Samples
	for ; first+tr.Batch <= tr.Samples+tr.HeldOut; first += tr.Batch {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		order := make([]uint32, tr.Batch)
		for i := range order {
			order[i] = uint32(first + i)
		}
		if err := gpu.Write(tr.held, order); err != nil {
			return 0, err
		}
		if err := tr.Made.Device.Submit(tr.forward...); err != nil {
			return 0, err
		}
		losses, err := gpu.Read[float32](tr.Losses)
		if err != nil {
			return 0, err
		}
		for _, loss := range losses {
			total += float64(loss)
			n++
		}
	}
	return total / float64(n), nil
}
