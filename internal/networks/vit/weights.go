package vit

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/weights"
)

// The shape: an image becomes a token for each of its patches.
const (
	Side   = 7 // of a patch, in pixels
	Across = 4 // patches side by side in an image
	Tokens = Across * Across
	Width  = 32 // numbers in a token
	Layers = 2
	Heads  = 4
	Depth  = Width / Heads // numbers in a head's part of a token
	Hidden = 96
	patch  = Side * Side
	flat   = Tokens * Width
)

// WeightsFile is the name of the file with the weights that ship.
const WeightsFile = weights.AttentionName

// Weights holds the numbers of a trained network, row-major.
type Weights struct {
	Tokens    parameters.Linear // patch × Width
	Positions []float32
	Layers    [Layers]parameters.Block
	Norm      parameters.Norm
	Scores    parameters.Linear // all tokens in a row × 10
}

// parameters lists the tensors in the order in which the device holds them.
func (w *Weights) parameters() parameters.List {
	all := append(w.Tokens.List("tokens", patch, Width), parameters.Of("positions", &w.Positions, Tokens, Width))
	for i := range w.Layers {
		all = append(all, w.Layers[i].List(fmt.Sprintf("layer%d", i+1), Width, Hidden)...)
	}
	return slices.Concat(all, w.Norm.List("norm", Width), w.Scores.List("scores", flat, network.Outputs))
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
		n := parameters.Size(p.Shape)
		*p.Values, row = row[:n:n], row[n:]
	}
	return w
}

// Initial returns random weights to train from.
func Initial(seed uint32) *Weights {
	w := &Weights{}
	w.parameters().Draw(rand.New(rand.NewPCG(uint64(seed), 0)), map[string]float64{"positions": 0.1})
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
