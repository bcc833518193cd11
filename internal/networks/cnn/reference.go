package cnn

import "github.com/wgslab/wgslab/internal/course/network"

// ForwardReference runs the network in float64 on images of 784 bytes each, and returns ten
// probabilities for each.
func ForwardReference(w *Weights, pixels []byte) []float64 {
	var out []float64
	for start := 0; start < len(pixels); start += network.Inputs {
		x := make([]float64, network.Inputs)
		for i, pixel := range pixels[start : start+network.Inputs] {
			x[i] = (float64(pixel)/255 - network.Mean) / network.Stddev
		}
		x = poolReference(convReference(x, w.W1, w.B1, Side), Side)
		x = poolReference(convReference(x, w.W2, w.B2, Side/2), Side/2)
		out = append(out, network.Softmax(network.Linear(x, w.W3, w.B3))...)
	}
	return out
}

// convReference runs filters of 3 × 3 over the channels of x, pictures of side × side.
func convReference(x []float64, weights, bias []float32, side int) []float64 {
	pixels := side * side
	channels := len(x) / pixels
	out := make([]float64, len(bias)*pixels)
	for i := range out {
		filter, row, column := i/pixels, i/side%side, i%side
		out[i] = float64(bias[filter])
		for c := range channels {
			for tap, weight := range weights[(filter*channels+c)*taps : (filter*channels+c+1)*taps] {
				y, at := row+tap/3-1, column+tap%3-1
				if y >= 0 && y < side && at >= 0 && at < side {
					out[i] += float64(weight) * x[c*pixels+y*side+at]
				}
			}
		}
	}
	return out
}

// poolReference takes the largest of each square of four, but at least 0.
func poolReference(x []float64, side int) []float64 {
	out := make([]float64, len(x)/4)
	for i := range out {
		at := i/(side/2)*2*side + i%(side/2)*2
		out[i] = max(0, x[at], x[at+1], x[at+side], x[at+side+1])
	}
	return out
}
