package vit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/parameters"
	"github.com/wgslab/wgslab/internal/digits/tensor"
	"github.com/wgslab/wgslab/weights"
)

// The shape: an image becomes a token for each of its patches.
const (
	Side    = 7 // of a patch, in pixels
	Across  = 4 // patches side by side in an image
	Tokens  = Across * Across
	Width   = 32 // numbers in a token
	Layers  = 2
	Heads   = 4
	Depth   = Width / Heads // numbers in a head's part of a token
	Hidden  = 96
	patch   = Side * Side
	flat    = Tokens * Width
	epsilon = 1e-5 // of layer-norm
)

// WeightsFile is the name of the file with the weights that ship.
const WeightsFile = weights.AttentionName

// Weights holds the numbers of a trained network, row-major.
type Weights struct {
	Tokens    Linear // patch × Width
	Positions []float32
	Layers    [Layers]Block
	Norm      Norm
	Scores    Linear // all tokens in a row × 10
}

// Linear holds the numbers of a linear layer: inputs × outputs, and a bias for each output.
type Linear struct{ W, B []float32 }

// Norm holds the numbers of a layer-norm.
type Norm struct{ Gain, Bias []float32 }

// Block holds the numbers of one layer: attention, and a hidden layer with gelu.
type Block struct {
	Norm1        Norm
	Q, K, V, Out Linear
	Norm2        Norm
	Up, Down     Linear
}

// parameters lists the tensors in the order in which the device holds them.
func (w *Weights) parameters() parameters.List {
	all := append(w.Tokens.parameters("tokens", patch, Width), parameters.Of("positions", &w.Positions, Tokens, Width))
	for i := range w.Layers {
		l, name := &w.Layers[i], func(of string) string { return fmt.Sprintf("layer%d.%s", i+1, of) }
		all = slices.Concat(all, l.Norm1.parameters(name("norm1")),
			l.Q.parameters(name("q"), Width, Width), l.K.parameters(name("k"), Width, Width), l.V.parameters(name("v"), Width, Width),
			l.Out.parameters(name("out"), Width, Width),
			l.Norm2.parameters(name("norm2")), l.Up.parameters(name("up"), Width, Hidden), l.Down.parameters(name("down"), Hidden, Width))
	}
	return slices.Concat(all, w.Norm.parameters("norm"), w.Scores.parameters("scores", flat, network.Outputs))
}

func (l *Linear) parameters(name string, inputs, outputs int) parameters.List {
	return parameters.List{parameters.Of(name+".w", &l.W, inputs, outputs), parameters.Of(name+".b", &l.B, outputs)}
}

func (n *Norm) parameters(name string) parameters.List {
	return parameters.List{parameters.Of(name+".gain", &n.Gain, Width), parameters.Of(name+".bias", &n.Bias, Width)}
}

// Numbers is how many weights and biases a network has.
func (w *Weights) Numbers() int { return w.parameters().Count() }

// Check returns an error if a tensor has the wrong size or a number is NaN or infinite.
func (w *Weights) Check() error { return w.parameters().Check() }

// inOneRow returns all numbers as the fused shaders hold them: one part after the other, and zeros
// up to a whole vec4.
func (w *Weights) inOneRow() []float32 {
	var all []float32
	for _, p := range w.parameters() {
		all = append(all, *p.Values...)
	}
	return append(all, make([]float32, (4-len(all)%4)%4)...)
}

// fromOneRow is the reverse of inOneRow.
func fromOneRow(row []float32) *Weights {
	w := &Weights{}
	for _, p := range w.parameters() {
		n := tensor.Size(p.Shape)
		*p.Values, row = row[:n:n], row[n:]
	}
	return w
}

// Initial returns random weights to train from. Their scale keeps the signal's size through a
// linear layer (LeCun et al., "Efficient BackProp", 1998).
func Initial(seed uint32) *Weights {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	w := &Weights{}
	for _, p := range w.parameters() {
		values := make([]float32, tensor.Size(p.Shape))
		for i := range values {
			switch {
			case strings.HasSuffix(p.Name, ".w"):
				values[i] = float32(random.NormFloat64() / math.Sqrt(float64(p.Shape[0])))
			case strings.HasSuffix(p.Name, ".gain"):
				values[i] = 1
			case p.Name == "positions":
				values[i] = float32(random.NormFloat64() * 0.1)
			}
		}
		*p.Values = values
	}
	return w
}

// Encode writes the weights as safetensors: the tensors of parameters, the normalisation of the
// pixels, and the entries of about.
func (w *Weights) Encode(about map[string]string) ([]byte, error) {
	return w.parameters().Encode(network.Mean, network.Stddev, about)
}

// Trained returns the weights that ship with the course.
func Trained() (*Weights, error) {
	w := &Weights{}
	return w, w.parameters().ReadShipped(weights.Attention, "attention")
}

// Decode reads weights from the bytes that Encode wrote.
func Decode(data []byte) (*Weights, error) {
	w := &Weights{}
	return w, w.parameters().Decode(data)
}
