package vit

import (
	"math"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/parameters"
)

// ForwardReference runs the network in float64 on images of 784 bytes each, and returns ten
// probabilities for each.
func ForwardReference(w *Weights, pixels []byte) []float64 {
	var out []float64
	for start := 0; start < len(pixels); start += network.Inputs {
		x := tokensReference(w, pixels[start:start+network.Inputs])
		for i := range w.Layers {
			l := &w.Layers[i]
			n := normReference(x, &l.Norm1)
			m := attentionReference(rowsReference(n, &l.Q), rowsReference(n, &l.K), rowsReference(n, &l.V))
			x = sumReference(x, rowsReference(m, &l.Out))
			hidden := rowsReference(normReference(x, &l.Norm2), &l.Up)
			for _, row := range hidden {
				for j, h := range row {
					row[j] = network.Gelu(h)
				}
			}
			x = sumReference(x, rowsReference(hidden, &l.Down))
		}
		var all []float64
		for _, row := range normReference(x, &w.Norm) {
			all = append(all, row...)
		}
		out = append(out, network.Softmax(network.Linear(all, w.Scores.W, w.Scores.B))...)
	}
	return out
}

// tokensReference cuts an image into patches, and makes a token of each.
func tokensReference(w *Weights, pixels []byte) [][]float64 {
	x := make([][]float64, Tokens)
	for t := range x {
		pixel := make([]float64, patch)
		for i := range pixel {
			at := (t/Across*Side+i/Side)*Side*Across + t%Across*Side + i%Side
			pixel[i] = (float64(pixels[at])/255 - network.Mean) / network.Stddev
		}
		x[t] = network.Linear(pixel, w.Tokens.W, w.Tokens.B)
		for j := range x[t] {
			x[t][j] += float64(w.Positions[t*Width+j])
		}
	}
	return x
}

func rowsReference(x [][]float64, l *parameters.Linear) [][]float64 {
	out := make([][]float64, len(x))
	for t, row := range x {
		out[t] = network.Linear(row, l.W, l.B)
	}
	return out
}

func sumReference(x, y [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for t := range x {
		for j := range x[t] {
			out[t] = append(out[t], x[t][j]+y[t][j])
		}
	}
	return out
}

func normReference(x [][]float64, n *parameters.Norm) [][]float64 {
	out := make([][]float64, len(x))
	for t, row := range x {
		out[t] = network.LayerNorm(row, n.Gain, n.Bias)
	}
	return out
}

// attentionReference returns what each token takes from the others, head by head.
func attentionReference(q, k, v [][]float64) [][]float64 {
	out := make([][]float64, Tokens)
	for t := range out {
		out[t] = make([]float64, Width)
		for head := range Heads {
			first := head * Depth
			scores := make([]float64, Tokens)
			for other := range scores {
				for i := first; i < first+Depth; i++ {
					scores[other] += q[t][i] * k[other][i] / math.Sqrt(Depth)
				}
			}
			for other, p := range network.Softmax(scores) {
				for i := first; i < first+Depth; i++ {
					out[t][i] += p * v[other][i]
				}
			}
		}
	}
	return out
}
