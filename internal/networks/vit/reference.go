package vit

import "github.com/wgslab/wgslab/internal/course/network"

// ForwardReference runs the network in float64 on images of 784 bytes each, and returns ten
// probabilities for each.
func ForwardReference(w *Weights, pixels []byte) []float64 {
	var out []float64
	for start := 0; start < len(pixels); start += network.Inputs {
		x := tokensReference(w, pixels[start:start+network.Inputs])
		for i := range w.Layers {
			x = w.Layers[i].Reference(x, Heads, func(_, _, _ int) float64 { return 0 })
		}
		var all []float64
		for _, row := range w.Norm.Reference(x) {
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
