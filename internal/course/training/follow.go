package training

import (
	"math"

	definition "github.com/wgslab/wgslab/internal/course/network"
)

// A state is what a training step leaves.
type state struct {
	hidden, prob, loss, d, dHidden []float32
	sums, scores                   []float32 // what relu and softmax get; they replace it
	gradient, after                Weights
}

// follow computes a training step in float64.
func follow(n LayerSizes, w Weights, x []float32, label []uint32, rate float64) state {
	var s state
	rows := len(label)
	for row := range rows {
		hidden := definition.Linear(x[row*n.Inputs:(row+1)*n.Inputs], w.W1, w.B1)
		s.sums = appended(s.sums, hidden)
		definition.Relu(hidden)
		scores := definition.Linear(hidden, w.W2, w.B2)
		s.scores = appended(s.scores, scores)
		prob := definition.Softmax(scores)
		s.loss = append(s.loss, float32(-math.Log(prob[label[row]])))
		s.hidden, s.prob = appended(s.hidden, hidden), appended(s.prob, prob)
		prob[label[row]]--
		for _, p := range prob {
			s.d = append(s.d, float32(p/float64(rows)))
		}
	}
	s.dHidden = n.gradientOfHidden(s.d, w.W2, s.hidden)
	s.gradient = Weights{
		W1: gradientOfWeights(x, s.dHidden, rows), B1: sumOfRows(s.dHidden, n.Hidden),
		W2: gradientOfWeights(s.hidden, s.d, rows), B2: sumOfRows(s.d, n.Outputs),
	}
	s.after = Weights{
		W1: downhill(w.W1, s.gradient.W1, rate), B1: downhill(w.B1, s.gradient.B1, rate),
		W2: downhill(w.W2, s.gradient.W2, rate), B2: downhill(w.B2, s.gradient.B2, rate),
	}
	return s
}

func appended(all []float32, row []float64) []float32 {
	for _, value := range row {
		all = append(all, float32(value))
	}
	return all
}

// gradientOfHidden takes d back through w, and through relu.
func (n LayerSizes) gradientOfHidden(d, w, hidden []float32) []float32 {
	out := make([]float32, len(hidden))
	for i, value := range hidden {
		row, column := i/n.Hidden, i%n.Hidden
		if value <= 0 {
			continue
		}
		total := 0.0
		for o := range n.Outputs {
			total += float64(d[row*n.Outputs+o]) * float64(w[column*n.Outputs+o])
		}
		out[i] = float32(total)
	}
	return out
}

// gradientOfWeights computes xᵀ · d.
func gradientOfWeights(x, d []float32, rows int) []float32 {
	inputs, outputs := len(x)/rows, len(d)/rows
	out := make([]float32, inputs*outputs)
	for i := range out {
		total := 0.0
		for row := range rows {
			total += float64(x[row*inputs+i/outputs]) * float64(d[row*outputs+i%outputs])
		}
		out[i] = float32(total)
	}
	return out
}

func sumOfRows(d []float32, columns int) []float32 {
	totals := make([]float64, columns)
	for i, value := range d {
		totals[i%columns] += float64(value)
	}
	return appended(nil, totals)
}

func downhill(w, gradient []float32, rate float64) []float32 {
	out := make([]float32, len(w))
	for i := range w {
		out[i] = float32(float64(w[i]) - rate*float64(gradient[i]))
	}
	return out
}
