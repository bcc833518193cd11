package mlp

import "github.com/wgslab/wgslab/internal/course/network"

// ForwardReference computes on the host, in float64, what Forward should return.
func ForwardReference(w *Weights, pixels []byte) []float64 {
	probabilities := make([]float64, 0, len(pixels)/Inputs*Outputs)
	x := make([]float64, Inputs)
	for ; len(pixels) >= Inputs; pixels = pixels[Inputs:] {
		for i := range x {
			x[i] = (float64(pixels[i])/255 - float64(w.Normalisation.Mean)) / float64(w.Normalisation.Stddev)
		}
		hidden := network.Linear(x, w.W1, w.B1)
		network.Relu(hidden)
		probabilities = append(probabilities, network.Softmax(network.Linear(hidden, w.W2, w.B2))...)
	}
	return probabilities
}
