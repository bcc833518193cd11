package host

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// training is the host of a layer that learns: linear, softmax, loss-grad, grad-weights, grad-bias
// and sgd, for each batch. The result is w, and after it b.
var training = &HostTask{ID: "host-train", Shaders: []string{"linear", "softmax", "loss-grad", "grad-weights", "grad-bias", "sgd"}, Cases: func(random *rand.Rand) (cases []Case) {
	for _, c := range []struct {
		rows, inputs, classes int
		size                  uint32
	}{{4, 5, 3, 64}, {70, 20, 9, 32}, {1, 17, 20, 64}} {
		drawn := Case{
			Name: fmt.Sprintf("%d batches of %d, %d inputs, %d classes", batches, c.rows, c.inputs, c.classes), Counts: []int{c.rows, batches}, Alpha: rate,
			Sizes: [][3]uint32{{8, 8, 1}, {}, {c.size, 1, 1}, {8, 8, 1}, {c.size, 1, 1}, {c.size, 1, 1}},
			Due:   webgpu.Want{Submissions: batches, Readbacks: 2, Pipelines: 6},
		}
		for _, n := range []int{batches * c.rows * c.inputs, c.inputs * c.classes, c.classes} {
			drawn.Floats = append(drawn.Floats, drawEighths(random, n))
		}
		for range batches * c.rows {
			drawn.Labels = append(drawn.Labels, uint32(random.IntN(c.classes)))
		}
		drawn.stages = stepsOf(drawn, c.rows, c.inputs, c.classes)
		drawn.Want = descent{}.run(drawn)
		cases = append(cases, drawn)
	}
	return cases
}, Known: []WrongBytes{
	{
		"first-batch-again", "The result is that of the first batch, in every step.",
		"The buffers of x and label still hold what was written before the first step.",
		"When does the next batch come into its buffers?",
		descent{batch: func(int) int { return 0 }}.run,
	},
	{
		"last-batch", "The result is that of the last batch, in every step.",
		"A write to a buffer happens before the submissions that follow it. All batches were written before the first one.",
		"What lies between the write of one batch and that of the next?",
		descent{batch: func(int) int { return batches - 1 }}.run,
	},
	{
		"labels-zero", "The result is that of a training in which every label is 0.",
		"A new buffer holds zeros. The labels never came.",
		"How do the labels come into their buffer?",
		descent{zeros: true}.run,
	},
	{
		"bias-not-moved", "The weights are right, and the bias is what it was.",
		"Each buffer of weights needs a pass of sgd, with its own gradient.",
		"Which passes change b?",
		descent{keepsBias: true}.run,
	},
	{
		"weights-not-moved", "Only the bias has moved.",
		"Each buffer of weights needs a pass of sgd, with its own gradient.",
		"Which passes change w?",
		descent{keepsWeights: true}.run,
	},
	{
		"softmax-missing", "The result is that of a training without softmax.",
		"loss-grad reads probabilities, and got scores.",
		"Which pass runs between linear and loss-grad?",
		descent{scores: true}.run,
	},
	{
		"gradient-late", "Each step went down the gradient of the batch before.",
		"The gradients of w and b need d, which loss-grad writes. They were computed before it ran.",
		"Which pass makes d, and which read it?",
		descent{late: true}.run,
	},
}}

// A training has some batches, and steps of a rate.
const (
	batches = 3
	rate    = 0.5
)

// stepsOf are what the passes of all steps should do.
func stepsOf(c Case, rows, inputs, classes int) (all []stage) {
	m, n, k := uint32(rows), uint32(classes), uint32(inputs)
	w, b := sent("w", c.Floats[1]), sent("b", c.Floats[2])
	for step := range batches {
		first, in := len(all), fmt.Sprintf("in step %d", step+1)
		x := sent("the batch's x", c.Floats[0][step*rows*inputs:(step+1)*rows*inputs])
		label := sent("the batch's label", c.Labels[step*rows:(step+1)*rows])
		x.batch, label.batch = true, true
		w.batch, b.batch = true, true
		all = append(all,
			stage{name: in, want: with(elements(classes, rows), m, n, k), gets: []operand{{}, x, w, b}, out: 4},
			stage{shader: 1, name: in, want: with(webgpu.DispatchWant{Rows: uint64(rows)}, m, n), gets: []operand{{}, made("scores", first)}, out: 1},
			stage{shader: 2, name: in, want: with(elements(rows, 0), m, n), gets: []operand{{}, made("probabilities", first+1), label}, out: 4},
			stage{shader: 3, name: in, want: with(elements(classes, inputs), m, n, k), gets: []operand{{}, x, made("d", first+2)}, out: 3},
			stage{shader: 4, name: in, want: with(elements(classes, 0), m, n), gets: []operand{{}, made("d", first+2)}, out: 2},
			stage{shader: 5, name: "for w " + in, want: with(elements(inputs*classes, 0), k*n, float32(rate)), gets: []operand{{}, made("the gradient of w", first+3), w}, out: 2},
			stage{shader: 5, name: "for b " + in, want: with(elements(classes, 0), n, float32(rate)), gets: []operand{{}, made("the gradient of b", first+4), b}, out: 2},
		)
		w, b = made("w", first+5), made("b", first+6)
	}
	return all
}

// descent trains the layer, right or with a mistake.
type descent struct {
	batch                   func(step int) int // nil for a batch for each step
	zeros                   bool               // all labels are 0
	keepsBias, keepsWeights bool
	scores                  bool // softmax is missing
	late                    bool // the gradients are those of the d before
}

func (o descent) run(c Case) []float64 {
	rows, classes := c.Counts[0], len(c.Floats[2])
	inputs := len(c.Floats[1]) / classes
	w, b := converted(c.Floats[1]), converted(c.Floats[2])
	before := make([]float64, rows*classes)
	for step := range c.Counts[1] {
		batch := step
		if o.batch != nil {
			batch = o.batch(step)
		}
		x := converted(c.Floats[0][batch*rows*inputs : (batch+1)*rows*inputs])
		d := o.gradient(x, w, b, c.Labels[batch*rows:(batch+1)*rows])
		used := d
		if o.late {
			used, before = before, d
		}
		for i, g := range used {
			row, class := i/classes, i%classes
			for k := range inputs {
				if !o.keepsWeights {
					w[k*classes+class] -= float64(c.Alpha) * x[row*inputs+k] * g
				}
			}
			if !o.keepsBias {
				b[class] -= float64(c.Alpha) * g
			}
		}
	}
	return append(w, b...)
}

// gradient returns d, the gradient of the mean loss by the scores.
func (o descent) gradient(x, w, b []float64, labels []uint32) []float64 {
	rows, classes := len(labels), len(b)
	inputs := len(x) / rows
	d := make([]float64, rows*classes)
	for i := range d {
		d[i] = b[i%classes]
		for k := range inputs {
			d[i] += x[i/classes*inputs+k] * w[k*classes+i%classes]
		}
	}
	if !o.scores {
		softmax(d, classes)
	}
	for row, label := range labels {
		if o.zeros {
			label = 0
		}
		d[row*classes+int(label)]--
		for class := range classes {
			d[row*classes+class] /= float64(rows)
		}
	}
	return d
}
