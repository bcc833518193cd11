// Package gpt defines the course's language model, and trains it: a transformer that sees the
// letters so far, and gives each letter of the alphabet a probability to be the next (Radford et
// al., "Improving Language Understanding by Generative Pre-Training", 2018). It knows how far back
// a letter is from a penalty on its score (Press, Smith and Lewis, "Train Short, Test Long", 2021).
package gpt

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/networks/parameters"
	"github.com/wgslab/wgslab/weights"
)

// A Dimensions holds the sizes of a network. A head has Width / Heads numbers.
type Dimensions struct {
	Letters int // of the alphabet
	Width   int // numbers of a letter between the layers
	Layers  int
	Heads   int // of each layer
	Hidden  int // numbers between the two halves of a layer
}

// Shipped is the shape of the network that ships.
var Shipped = Dimensions{Letters: len(Alphabet), Width: 96, Layers: 4, Heads: 4, Hidden: 384}

// Depth is how many numbers a head has.
func (s Dimensions) Depth() int { return s.Width / s.Heads }

// Most is how many letters a text may have, with those that the network adds: exercise attend
// keeps a score for each of them in workgroup memory.
const Most = 1024

// WeightsFile is the name of the file with the weights that ship.
const WeightsFile = weights.LettersName

// Weights holds the numbers of a network, row-major. The table holds a row for each letter. The
// network begins with a letter's row, and ends with the products of its last row and all of them.
type Weights struct {
	Dimensions
	Table  []float32
	Layers []parameters.Block
	Norm   parameters.Norm
}

// Parameters lists the tensors.
func (w *Weights) Parameters() parameters.List {
	all := parameters.List{parameters.Of("table", &w.Table, w.Letters, w.Width)}
	for i := range w.Layers {
		all = append(all, w.Layers[i].List(fmt.Sprintf("layer%d", i+1), w.Width, w.Hidden)...)
	}
	return append(all, w.Norm.List("norm", w.Width)...)
}

// Matrices is how many numbers are in matrices that a letter is multiplied by: all but gains and
// biases.
func (s Dimensions) Matrices() int {
	return s.Letters*s.Width + s.Layers*(4*s.Width*s.Width+2*s.Width*s.Hidden)
}

func empty(s Dimensions) *Weights {
	return &Weights{Dimensions: s, Layers: make([]parameters.Block, s.Layers)}
}

// Initial returns random weights to train from. What each layer adds begins small, so that the
// sum over the layers keeps its size.
func Initial(s Dimensions, seed uint32) *Weights {
	w := empty(s)
	spread := map[string]float64{"table": 0.02}
	for i := range s.Layers {
		added := 1 / math.Sqrt(2*float64(s.Layers))
		spread[fmt.Sprintf("layer%d.out.w", i+1)] = added / math.Sqrt(float64(s.Width))
		spread[fmt.Sprintf("layer%d.down.w", i+1)] = added / math.Sqrt(float64(s.Hidden))
	}
	w.Parameters().Draw(rand.New(rand.NewPCG(uint64(seed), 0)), spread)
	return w
}

// Check returns an error if a tensor has the wrong size or a number is NaN or infinite.
func (w *Weights) Check() error { return w.Parameters().Check() }

// Encode writes the weights as safetensors of 16-bit floats, with the entries of about.
func (w *Weights) Encode(about map[string]string) ([]byte, error) {
	metadata := map[string]string{"alphabet": Alphabet}
	maps.Copy(metadata, about)
	return w.Parameters().EncodeHalves(metadata)
}

// Trained returns the weights that ship with the course.
func Trained() (*Weights, error) {
	w := empty(Shipped)
	return w, w.Parameters().ReadShipped(weights.Letters, "letters")
}
