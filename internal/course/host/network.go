package host

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A shape is that of a network with two layers.
type shape struct{ rows, inputs, hidden, classes int }

// network is the host of linear, relu and softmax: the forward pass.
var network = &HostTask{ID: "host-forward", Shaders: []string{"linear", "relu", "softmax"}, Cases: func(random *rand.Rand) (cases []Case) {
	for _, c := range []struct {
		shape
		linear [3]uint32
		relu   uint32
	}{
		{shape{1, 12, 9, 5}, [3]uint32{8, 8, 1}, 64},
		{shape{20, 12, 9, 5}, [3]uint32{8, 8, 1}, 64},
		{shape{17, 33, 20, 10}, [3]uint32{16, 4, 1}, 32},
		{shape{65, 7, 40, 3}, [3]uint32{4, 16, 1}, 128},
	} {
		s := c.shape
		drawn := Case{
			Name: fmt.Sprintf("%d × %d, %d hidden, %d classes", s.rows, s.inputs, s.hidden, s.classes), Counts: []int{s.rows},
			Sizes: [][3]uint32{c.linear, {c.relu, 1, 1}, {}},
			Due:   webgpu.Want{Submissions: 1, Readbacks: 1, Pipelines: 3},
		}
		for {
			drawn.Floats = nil
			for _, n := range []int{s.rows * s.inputs, s.inputs * s.hidden, s.hidden, s.hidden * s.classes, s.classes} {
				drawn.Floats = append(drawn.Floats, drawEighths(random, n))
			}
			if showsRelu(drawn) {
				break
			}
		}
		drawn.stages = s.stages(drawn.Floats)
		drawn.Want = passes{}.run(drawn)
		cases = append(cases, drawn)
	}
	return cases
}, Known: []WrongBytes{
	{
		"relu-missing", "The result is that of a network without relu.",
		"Either relu doesn't run, or it runs before the hidden values are there, or when they were read already.",
		"In which order do the passes run, and which buffer does relu get?",
		passes{without: "relu"}.run,
	},
	{
		"softmax-missing", "The result is the second layer's scores, without softmax.",
		"Either softmax doesn't run, or a later pass overwrites what it wrote.",
		"Which pass comes last, and which buffer does it change?",
		passes{without: "softmax"}.run,
	},
	{
		"relu-late", "relu changed the second layer's output, and not the first's.",
		"Without relu between them, the two layers are only one.",
		"Which of the passes makes the numbers that relu needs?",
		passes{late: true}.run,
	},
	{
		"hidden-empty", "The second layer read zeros in place of the hidden values.",
		"A new buffer holds zeros. The first layer wrote to another buffer, or ran later.",
		"Into which buffer does the first layer write, and from which does the second read?",
		passes{without: "linear"}.run,
	},
	{
		"bias-of-the-first", "The second layer adds the first layer's bias.",
		"The shader reads as many numbers of the bias as there are columns, and b1 has enough.",
		"Which buffer is at binding 3 of the second layer?",
		passes{bias: true}.run,
	},
	{
		"weights-of-the-first", "The second layer uses the first layer's weights.",
		"The shader reads as many numbers as it needs, and w1 has enough.",
		"Which buffer is at binding 2 of the second layer?",
		passes{weights: true}.run,
	},
}}

// stages are the four passes of a network with these numbers.
func (s shape) stages(f [][]float32) []stage {
	rows, inputs, hidden, classes := uint32(s.rows), uint32(s.inputs), uint32(s.hidden), uint32(s.classes)
	return []stage{
		{
			name: "of the first layer", want: needs(with(elements(s.hidden, s.rows), webgpu.Share(rows), hidden, inputs), 0, rows*inputs, inputs*hidden, hidden, rows*hidden),
			gets: []operand{{}, sent("x", f[0]), sent("w1", f[1]), sent("b1", f[2])}, out: 4,
		},
		{shader: 1, want: needs(elements(s.rows*s.hidden, 0), rows*hidden), gets: []operand{made("hidden values", 0)}},
		{
			name: "of the second layer", want: needs(with(elements(s.classes, s.rows), webgpu.Share(rows), classes, hidden), 0, rows*hidden, hidden*classes, classes, rows*classes),
			gets: []operand{{}, made("hidden values", 1), sent("w2", f[3]), sent("b2", f[4])}, out: 4,
		},
		{
			shader: 2, want: needs(with(webgpu.DispatchWant{Rows: uint64(s.rows)}, webgpu.Share(rows), classes), 0, rows*classes),
			gets: []operand{{}, made("scores", 2)}, out: 1,
		},
	}
}

// drawEighths returns n numbers between -1 and 1. Their sums of products are exact in an f32.
func drawEighths(random *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.IntN(17)-8) / 8
	}
	return values
}

// passes compute a network, right or with a mistake.
type passes struct {
	without       string // the pass that is missing
	late          bool   // relu comes after the second layer
	bias, weights bool   // the second layer uses the first one's
}

func (p passes) run(c Case) []float64 {
	x, w1, b1, w2, b2 := c.Floats[0], c.Floats[1], c.Floats[2], c.Floats[3], c.Floats[4]
	hidden := make([]float64, c.Counts[0]*len(b1))
	if p.without != "linear" {
		hidden = layer(converted(x), w1, b1)
	}
	if !p.late && p.without != "relu" {
		relu(hidden)
	}
	if p.bias {
		b2 = b1[:len(b2)]
	}
	if p.weights {
		w2 = w1[:len(w2)]
	}
	scores := layer(hidden, w2, b2)
	if p.late {
		relu(scores)
	}
	if p.without != "softmax" {
		softmax(scores, len(b2))
	}
	return scores
}

// showsRelu reports whether relu where it belongs, a late relu and no relu all leave other results.
// A late one changes nothing if all scores are positive.
func showsRelu(c Case) bool {
	right, late, missing := passes{}.run(c), passes{late: true}.run(c), passes{without: "relu"}.run(c)
	return !alike(right, late) && !alike(right, missing) && !alike(late, missing)
}

// layer returns x · w + bias.
func layer(x []float64, w, bias []float32) []float64 {
	n := len(bias)
	k := len(w) / n
	out := make([]float64, len(x)/k*n)
	for i := range out {
		out[i] = float64(bias[i%n])
		for j := range k {
			out[i] += x[i/n*k+j] * float64(w[j*n+i%n])
		}
	}
	return out
}

func relu(values []float64) {
	for i, v := range values {
		values[i] = max(v, 0)
	}
}

// softmax turns each row of scores into shares.
func softmax(scores []float64, cols int) {
	for row := 0; row < len(scores); row += cols {
		total := 0.0
		for i := range cols {
			scores[row+i] = math.Exp(scores[row+i])
			total += scores[row+i]
		}
		for i := range cols {
			scores[row+i] /= total
		}
	}
}
