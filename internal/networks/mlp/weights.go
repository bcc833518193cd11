package mlp

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// The sizes of the network's layers.
const (
	Inputs  = network.Inputs // pixels of an image, 28×28
	Hidden  = network.Hidden
	Outputs = network.Outputs // digits
)

// maxSign is the length of the longest name of a sign, in bytes: a letter of any script, or an
// emoji.
const maxSign = 16

// Weights holds the numbers of a trained network, row-major.
type Weights struct {
	W1 []float32 // Inputs × Hidden
	B1 []float32 // Hidden
	W2 []float32 // Hidden × Classes
	B2 []float32 // Classes

	Normalisation Normalisation // of the images in its training
	Sign          string        // the name of an eleventh class; "" if it reads only digits
	Epochs        float64       // of the training; 0 if a file doesn't say
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

func (w *Weights) parameters() parameters.List {
	return parameters.List{
		parameters.Of("w1", &w.W1, Inputs, Hidden),
		parameters.Of("b1", &w.B1, Hidden),
		parameters.Of("w2", &w.W2, Hidden, w.Classes()),
		parameters.Of("b2", &w.B2, w.Classes()),
	}
}

// Plan returns the network for a number of images, and what its hidden layer leaves.
func (w *Weights) Plan(images int) (p plan.Plan, hidden *plan.Operand) {
	return plan.Plain(images, w.parameters().Operands(), w.Normalisation.Mean, w.Normalisation.Stddev)
}

// Check returns an error if a tensor has the wrong size or a number is NaN or infinite.
func (w *Weights) Check() error {
	if err := w.parameters().Check(); err != nil {
		return err
	}
	if len(w.Sign) > maxSign || !utf8.ValidString(w.Sign) {
		return fmt.Errorf("the sign's name is %q; it may have %d bytes", w.Sign, maxSign)
	}
	n := w.Normalisation
	if parameters.Finite([]float32{n.Mean, n.Stddev}) != nil || n.Stddev <= 0 {
		return fmt.Errorf("the normalisation has mean %v and stddev %v; both must be finite, and stddev above 0", n.Mean, n.Stddev)
	}
	return nil
}

// Encode writes the weights as safetensors: w1, b1, w2 and b2 as in Weights. The metadata holds the
// normalisation as "mean" and "stddev", the name of an eleventh class as "sign", and the entries of
// about.
func (w *Weights) Encode(about map[string]string) ([]byte, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	metadata := map[string]string{}
	if w.Sign != "" {
		metadata["sign"] = w.Sign
	}
	maps.Copy(metadata, about)
	return w.parameters().Encode(w.Normalisation.Mean, w.Normalisation.Stddev, metadata)
}
