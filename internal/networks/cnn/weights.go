package cnn

import (
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/weights"
)

// The shape: two layers of filters of 3 × 3, each with relu and max-pool, and a linear layer.
const (
	Side     = 28 // of an image
	First    = 16 // filters
	Second   = 32
	taps     = 9
	Features = Second * (Side / 4) * (Side / 4)
)

// WeightsFile is the name of the file with the weights that ship.
const WeightsFile = weights.ConvName

// Weights holds the numbers of a trained network, row-major.
type Weights struct {
	W1 []float32 // First × 1 × 3 × 3
	B1 []float32
	W2 []float32 // Second × First × 3 × 3
	B2 []float32
	W3 []float32 // Features × 10
	B3 []float32
}

func (w *Weights) parameters() parameters.List {
	return parameters.List{
		parameters.Of("w1", &w.W1, First, 1, 3, 3),
		parameters.Of("b1", &w.B1, First),
		parameters.Of("w2", &w.W2, Second, First, 3, 3),
		parameters.Of("b2", &w.B2, Second),
		parameters.Of("w3", &w.W3, Features, network.Outputs),
		parameters.Of("b3", &w.B3, network.Outputs),
	}
}

// Numbers is how many weights and biases a network has.
func (w *Weights) Numbers() int { return w.parameters().Count() }

// Check returns an error if a tensor has the wrong size or a number is NaN or infinite.
func (w *Weights) Check() error { return w.parameters().Check() }

// Initial returns random weights to train from.
func Initial(seed uint32) *Weights {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	return &Weights{
		W1: parameters.HeNormal(random, taps, First*taps), B1: make([]float32, First),
		W2: parameters.HeNormal(random, First*taps, Second*First*taps), B2: make([]float32, Second),
		W3: parameters.HeNormal(random, Features, Features*network.Outputs), B3: make([]float32, network.Outputs),
	}
}

// Encode writes the weights as safetensors: w1 to b3 as in Weights, the normalisation of the
// pixels, and the entries of about.
func (w *Weights) Encode(about map[string]string) ([]byte, error) {
	return w.parameters().Encode(network.Mean, network.Stddev, about)
}

// Trained returns the weights that ship with the course.
func Trained() (*Weights, error) {
	w := &Weights{}
	return w, w.parameters().ReadShipped(weights.Conv, "filters")
}

// Decode reads weights from the bytes that Encode wrote.
func Decode(data []byte) (*Weights, error) {
	w := &Weights{}
	return w, w.parameters().Decode(data)
}
