package gpt

import (
	"math"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/parameters"
)

// ScoresReference runs the network in float64 on some letters, and returns the scores of all
// letters to be the next, after each of them.
func ScoresReference(w *Weights, letters []uint32) [][]float64 {
	x := make([][]float64, len(letters))
	for i, letter := range letters {
		for _, value := range w.Table[int(letter)*w.Width : (int(letter)+1)*w.Width] {
			x[i] = append(x[i], float64(value))
		}
	}
	for i := range w.Layers {
		l := &w.Layers[i]
		n := normReference(x, &l.Norm1)
		mixed := attendReference(w.Dimensions, rowsReference(n, &l.Q), rowsReference(n, &l.K), rowsReference(n, &l.V))
		add(x, rowsReference(mixed, &l.Out))
		hidden := rowsReference(normReference(x, &l.Norm2), &l.Up)
		for _, row := range hidden {
			for j, h := range row {
				row[j] = network.Gelu(h)
			}
		}
		add(x, rowsReference(hidden, &l.Down))
	}
	scores := make([][]float64, len(letters))
	for i, row := range normReference(x, &w.Norm) {
		scores[i] = make([]float64, w.Letters)
		for letter := range scores[i] {
			for j, value := range row {
				scores[i][letter] += value * float64(w.Table[letter*w.Width+j])
			}
		}
	}
	return scores
}

// LossReference is the mean of -log of the probability of each letter after the first.
func LossReference(w *Weights, letters []uint32) float64 {
	last, total := len(letters)-1, 0.0
	for i, scores := range ScoresReference(w, letters[:last]) {
		total -= math.Log(network.Softmax(scores)[letters[i+1]])
	}
	return total / float64(last)
}

func normReference(x [][]float64, n *parameters.Norm) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = network.LayerNorm(row, n.Gain, n.Bias)
	}
	return out
}

func rowsReference(x [][]float64, l *parameters.Linear) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = network.Linear(row, l.W, l.B)
	}
	return out
}

func add(x, y [][]float64) {
	for i, row := range y {
		for j, value := range row {
			x[i][j] += value
		}
	}
}

// Slope is how much a head takes off a score for each letter that a key is farther back.
func (s Dimensions) Slope(head int) float64 {
	return math.Exp2(-8 * float64(head+1) / float64(s.Heads))
}

// attendReference returns what each letter takes from itself and those before it, head by head.
func attendReference(s Dimensions, q, k, v [][]float64) [][]float64 {
	out, depth := make([][]float64, len(q)), s.Depth()
	for t := range out {
		out[t] = make([]float64, s.Width)
		for head := range s.Heads {
			first, scores := head*depth, make([]float64, t+1)
			for other := range scores {
				for i := first; i < first+depth; i++ {
					scores[other] += q[t][i] * k[other][i] / math.Sqrt(float64(depth))
				}
				scores[other] -= s.Slope(head) * float64(t-other)
			}
			for other, share := range network.Softmax(scores) {
				for i := first; i < first+depth; i++ {
					out[t][i] += share * v[other][i]
				}
			}
		}
	}
	return out
}
