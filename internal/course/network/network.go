// Package network defines the course's network: its shape, and each layer's computation in
// float64. All other implementations are checked against this one, so it can be slow.
package network

import (
	"encoding/binary"
	"math"
)

// The shape: 28 × 28 pixels, one hidden layer, and a probability for each digit.
const (
	Inputs  = 784
	Hidden  = 128
	Outputs = 10
)

// The mean and standard deviation of MNIST's training images, with pixels in 0..1.
const (
	Mean   = 0.1307
	Stddev = 0.3081
)

// Linear computes x · w + bias for one row x of k values; w is k × len(bias), row-major.
func Linear[T, W float32 | float64](x []T, w, bias []W) []float64 {
	out := make([]float64, len(bias))
	for column := range out {
		out[column] = float64(bias[column])
	}
	for i, value := range x {
		for column, weight := range w[i*len(bias) : (i+1)*len(bias)] {
			out[column] += float64(value) * float64(weight)
		}
	}
	return out
}

// Relu computes max(x, 0) in place.
func Relu(row []float64) {
	for i, value := range row {
		row[i] = max(value, 0)
	}
}

// epsilon keeps the root of layer-norm from being 0.
const epsilon = 1e-5

// LayerNorm gives a row the mean 0 and the variance 1, then a gain and a bias for each column.
func LayerNorm(row []float64, gain, bias []float32) []float64 {
	n, mean, variance := float64(len(row)), 0.0, 0.0
	for _, value := range row {
		mean += value / n
	}
	for _, value := range row {
		variance += (value - mean) * (value - mean) / n
	}
	out := make([]float64, len(row))
	for i, value := range row {
		out[i] = (value-mean)/math.Sqrt(variance+epsilon)*float64(gain[i]) + float64(bias[i])
	}
	return out
}

// Gelu is gelu by its formula with tanh (Hendrycks and Gimpel, "Gaussian Error Linear Units",
// 2016).
func Gelu(x float64) float64 {
	return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

// Softmax computes exp(x) divided by the sum of all exp(x), for one row.
func Softmax(row []float64) []float64 {
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

// Accuracy returns the share of images, from 0 to 1, whose most probable class is their label. The
// lowest wins a tie, as in argmax. Forward returns the probabilities.
func Accuracy(probabilities []float32, labels []byte) float64 {
	right, classes := 0, len(probabilities)/len(labels)
	for i, label := range labels {
		if MostProbable(probabilities[i*classes:(i+1)*classes]) == int(label) {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}

// MostProbable returns the most probable class of one image.
func MostProbable(row []float32) int {
	best := 0
	for class, p := range row {
		if p > row[best] {
			best = class
		}
	}
	return best
}

// Words packs bytes as the shaders read them, lowest byte first.
func Words(pixels []byte) []uint32 {
	packed := make([]uint32, len(pixels)/4)
	for i := range packed {
		packed[i] = binary.LittleEndian.Uint32(pixels[4*i:])
	}
	return packed
}
