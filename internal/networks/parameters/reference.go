package parameters

import (
	"math"

	"github.com/wgslab/wgslab/internal/course/network"
)

// Reference runs the layer in float64 on a row for each token. bias is what a head adds to the
// score of a key for a query: minus infinity where it doesn't look.
func (b *Block) Reference(x [][]float64, heads int, bias func(head, query, key int) float64) [][]float64 {
	n := b.Norm1.Reference(x)
	x = sums(x, b.Out.reference(attention(b.Q.reference(n), b.K.reference(n), b.V.reference(n), heads, bias)))
	hidden := b.Up.reference(b.Norm2.Reference(x))
	for _, row := range hidden {
		for j, h := range row {
			row[j] = network.Gelu(h)
		}
	}
	return sums(x, b.Down.reference(hidden))
}

// Reference computes layer-norm in float64 for each row.
func (n *Norm) Reference(x [][]float64) [][]float64 {
	return eachRow(x, func(row []float64) []float64 { return network.LayerNorm(row, n.Gain, n.Bias) })
}

func (l *Linear) reference(x [][]float64) [][]float64 {
	return eachRow(x, func(row []float64) []float64 { return network.Linear(row, l.W, l.B) })
}

func eachRow(x [][]float64, layer func(row []float64) []float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = layer(row)
	}
	return out
}

func sums(x, y [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		for j, value := range row {
			out[i] = append(out[i], value+y[i][j])
		}
	}
	return out
}

// attention returns what each token takes from the others, head by head.
func attention(q, k, v [][]float64, heads int, bias func(head, query, key int) float64) [][]float64 {
	out, width := make([][]float64, len(q)), len(q[0])
	depth := width / heads
	for t := range out {
		out[t] = make([]float64, width)
		for head := range heads {
			first, scores := head*depth, make([]float64, len(k))
			for other := range scores {
				if scores[other] = bias(head, t, other); math.IsInf(scores[other], -1) {
					continue
				}
				for i := first; i < first+depth; i++ {
					scores[other] += q[t][i] * k[other][i] / math.Sqrt(float64(depth))
				}
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
