package mlp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/safetensors"
)

// The sizes of the network's layers.
const (
	Inputs  = network.Inputs // pixels of an image, 28×28
	Hidden  = network.Hidden
	Outputs = network.Outputs // digits
)

// maxSign is the length of the longest name of a sign, in bytes: a letter of any script, or an emoji.
const maxSign = 16

// Weights holds the numbers of a trained network, row-major.
type Weights struct {
	W1 []float32 // Inputs × Hidden
	B1 []float32 // Hidden
	W2 []float32 // Hidden × Classes
	B2 []float32 // Classes

	Normalisation Normalisation // of the images in its training
	Sign          string        // the name of an eleventh class; "" if it reads only digits
}

// Classes returns the number of outputs: the digits, and the sign if it has one.
func (w *Weights) Classes() int {
	if w.Sign == "" {
		return Outputs
	}
	return Outputs + 1
}

// WithSign returns a copy whose eleventh class has this name. Its weights are 0, and its bias makes
// it improbable, so at first the network reads digits as before.
func (w *Weights) WithSign(name string) *Weights {
	const improbable = -5
	grown := &Weights{W1: slices.Clone(w.W1), B1: slices.Clone(w.B1), Normalisation: w.Normalisation, Sign: name}
	for row := range slices.Chunk(w.W2, w.Classes()) {
		grown.W2 = append(append(grown.W2, row[:Outputs]...), 0)
	}
	grown.B2 = append(slices.Clone(w.B2[:Outputs]), improbable)
	return grown
}

// Normalisation turns a pixel p in 0..1 into the input (p - Mean) / Stddev.
type Normalisation struct{ Mean, Stddev float32 }

var (
	// MNIST is the mean and standard deviation of MNIST's training images.
	MNIST = Normalisation{network.Mean, network.Stddev}
	// None leaves pixels in 0..1.
	None = Normalisation{0, 1}
)

// part is one tensor of the network.
type part struct {
	name  string
	shape []int
	data  *[]float32
}

func (w *Weights) parts() []part {
	return []part{
		{"w1", []int{Inputs, Hidden}, &w.W1},
		{"b1", []int{Hidden}, &w.B1},
		{"w2", []int{Hidden, w.Classes()}, &w.W2},
		{"b2", []int{w.Classes()}, &w.B2},
	}
}

// Check returns an error if a tensor has the wrong size or a number is NaN or infinite.
func (w *Weights) Check() error {
	for _, p := range w.parts() {
		if want := tensor.Size(p.shape); len(*p.data) != want {
			return fmt.Errorf("%s has %d values; the network needs %v, that is %d", p.name, len(*p.data), p.shape, want)
		}
		if err := checkFinite(*p.data); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if len(w.Sign) > maxSign || !utf8.ValidString(w.Sign) {
		return fmt.Errorf("the sign's name is %q; it may have %d bytes", w.Sign, maxSign)
	}
	n := w.Normalisation
	if !isFinite(n.Mean) || !isFinite(n.Stddev) || n.Stddev <= 0 {
		return fmt.Errorf("the normalisation has mean %v and stddev %v; both must be finite, and stddev above 0", n.Mean, n.Stddev)
	}
	return nil
}

func checkFinite(values []float32) error {
	for i, value := range values {
		if !isFinite(value) {
			return fmt.Errorf("value %d is %v; every value must be a finite number", i, value)
		}
	}
	return nil
}

func isFinite(value float32) bool {
	return !math.IsNaN(float64(value)) && !math.IsInf(float64(value), 0)
}

// Encode writes the weights as safetensors: w1, b1, w2 and b2 as in Weights. The metadata holds the
// normalisation as "mean" and "stddev", the name of an eleventh class as "sign", and the entries of
// about.
func (w *Weights) Encode(about map[string]string) ([]byte, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	file := &safetensors.File{Tensors: map[string]*tensor.Tensor{}, Metadata: map[string]string{
		"mean":   strconv.FormatFloat(float64(w.Normalisation.Mean), 'g', -1, 32),
		"stddev": strconv.FormatFloat(float64(w.Normalisation.Stddev), 'g', -1, 32),
	}}
	if w.Sign != "" {
		file.Metadata["sign"] = w.Sign
	}
	for key, value := range about {
		file.Metadata[key] = value
	}
	for _, p := range w.parts() {
		file.Tensors[p.name] = &tensor.Tensor{Shape: p.shape, Data: *p.data}
	}
	return safetensors.Encode(file)
}
