package mlp

import "math"

// ForwardReference is what Forward should give, computed on the host in float64.
func ForwardReference(w *Weights, pixels []byte) []float64 {
	probabilities := make([]float64, 0, len(pixels)/Inputs*Outputs)
	x := make([]float64, Inputs)
	for ; len(pixels) >= Inputs; pixels = pixels[Inputs:] {
		for i := range x {
			x[i] = (float64(pixels[i])/255 - float64(w.Normalisation.Mean)) / float64(w.Normalisation.Stddev)
		}
		hidden := linearReference(x, w.W1, w.B1)
		for i, h := range hidden {
			hidden[i] = max(h, 0)
		}
		probabilities = append(probabilities, softmaxReference(linearReference(hidden, w.W2, w.B2))...)
	}
	return probabilities
}

// linearReference is x * w + bias for one row x.
func linearReference(x []float64, w, bias []float32) []float64 {
	out := make([]float64, len(bias))
	for column := range out {
		out[column] = float64(bias[column])
	}
	for i, value := range x {
		for column, weight := range w[i*len(bias) : (i+1)*len(bias)] {
			out[column] += value * float64(weight)
		}
	}
	return out
}

func softmaxReference(row []float64) []float64 {
	largest := math.Inf(-1)
	for _, value := range row {
		largest = max(largest, value)
	}
	out, total := make([]float64, len(row)), 0.0
	for i, value := range row {
		out[i] = math.Exp(value - largest)
		total += out[i]
	}
	for i := range out {
		out[i] /= total
	}
	return out
}
