package vit

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course/tensor"
	"github.com/wgslab/wgslab/internal/digits/network"
	"github.com/wgslab/wgslab/internal/digits/safetensors"
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
	Layers    [Layers]Layer
	Norm      Norm
	Scores    Linear // all tokens in a row × 10
}

// Linear holds the numbers of a linear layer: inputs × outputs, and a bias for each output.
type Linear struct{ W, B []float32 }

// Norm holds the numbers of a layer-norm.
type Norm struct{ Gain, Bias []float32 }

// Layer holds the numbers of one layer: attention, and a hidden layer with gelu.
type Layer struct {
	Norm1        Norm
	Q, K, V, Out Linear
	Norm2        Norm
	Up, Down     Linear
}

type part struct {
	name  string
	shape []int
	data  *[]float32
}

// parts lists the tensors in the order in which the device holds them.
func (w *Weights) parts() []part {
	all := append(w.Tokens.parts("tokens", patch, Width), part{"positions", []int{Tokens, Width}, &w.Positions})
	for i := range w.Layers {
		l, name := &w.Layers[i], func(of string) string { return fmt.Sprintf("layer%d.%s", i+1, of) }
		all = slices.Concat(all, l.Norm1.parts(name("norm1")),
			l.Q.parts(name("q"), Width, Width), l.K.parts(name("k"), Width, Width), l.V.parts(name("v"), Width, Width),
			l.Out.parts(name("out"), Width, Width),
			l.Norm2.parts(name("norm2")), l.Up.parts(name("up"), Width, Hidden), l.Down.parts(name("down"), Hidden, Width))
	}
	return slices.Concat(all, w.Norm.parts("norm"), w.Scores.parts("scores", flat, network.Outputs))
}

func (l *Linear) parts(name string, inputs, outputs int) []part {
	return []part{{name + ".w", []int{inputs, outputs}, &l.W}, {name + ".b", []int{outputs}, &l.B}}
}

func (n *Norm) parts(name string) []part {
	return []part{{name + ".gain", []int{Width}, &n.Gain}, {name + ".bias", []int{Width}, &n.Bias}}
}

// Numbers is how many weights and biases a network has.
func (w *Weights) Numbers() int {
	n := 0
	for _, p := range w.parts() {
		n += tensor.Size(p.shape)
	}
	return n
}

// Check returns an error if a tensor has the wrong size or a number is NaN or infinite.
func (w *Weights) Check() error {
	for _, p := range w.parts() {
		if want := tensor.Size(p.shape); len(*p.data) != want {
			return fmt.Errorf("%s has %d values; the network needs %v, that is %d", p.name, len(*p.data), p.shape, want)
		}
		for i, value := range *p.data {
			if v := float64(value); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: value %d is %v; every value must be a finite number", p.name, i, value)
			}
		}
	}
	return nil
}

// inOneRow returns all numbers as the fused shaders hold them: one part after the other, and zeros
// up to a whole vec4.
func (w *Weights) inOneRow() []float32 {
	var all []float32
	for _, p := range w.parts() {
		all = append(all, *p.data...)
	}
	return append(all, make([]float32, (4-len(all)%4)%4)...)
}

// fromOneRow is the reverse of inOneRow.
func fromOneRow(row []float32) *Weights {
	w := &Weights{}
	for _, p := range w.parts() {
		n := tensor.Size(p.shape)
		*p.data, row = row[:n:n], row[n:]
	}
	return w
}

// Initial returns random weights to train from. Their scale keeps the signal's size through a linear
// layer (LeCun et al., "Efficient BackProp", 1998).
func Initial(seed uint32) *Weights {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	w := &Weights{}
	for _, p := range w.parts() {
		values := make([]float32, tensor.Size(p.shape))
		for i := range values {
			switch {
			case strings.HasSuffix(p.name, ".w"):
				values[i] = float32(random.NormFloat64() / math.Sqrt(float64(p.shape[0])))
			case strings.HasSuffix(p.name, ".gain"):
				values[i] = 1
			case p.name == "positions":
				values[i] = float32(random.NormFloat64() * 0.1)
			}
		}
		*p.data = values
	}
	return w
}

// Encode writes the weights as safetensors, named as in parts. The metadata holds the normalisation of
// the pixels as "mean" and "stddev", and the entries of about.
func (w *Weights) Encode(about map[string]string) ([]byte, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	file := &safetensors.File{Tensors: map[string]*tensor.Tensor{}, Metadata: map[string]string{
		"mean":   strconv.FormatFloat(network.Mean, 'g', -1, 32),
		"stddev": strconv.FormatFloat(network.Stddev, 'g', -1, 32),
	}}
	maps.Copy(file.Metadata, about)
	for _, p := range w.parts() {
		file.Tensors[p.name] = &tensor.Tensor{Shape: p.shape, Data: *p.data}
	}
	return safetensors.Encode(file)
}

// Trained returns the weights that ship with the course.
func Trained() (*Weights, error) {
	data, err := weights.Attention()
	if err != nil {
		return nil, fmt.Errorf("reading the weights with attention that ship: %w", err)
	}
	w, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("reading the weights with attention that ship: %w", err)
	}
	return w, nil
}

// Decode reads weights from the bytes that Encode wrote.
func Decode(data []byte) (*Weights, error) {
	file, err := safetensors.Decode(data)
	if err != nil {
		return nil, err
	}
	w := &Weights{}
	for _, p := range w.parts() {
		t := file.Tensors[p.name]
		if t == nil {
			return nil, fmt.Errorf("there is no tensor %s: the file has %s", p.name, strings.Join(slices.Sorted(maps.Keys(file.Tensors)), ", "))
		}
		if !slices.Equal(t.Shape, p.shape) {
			return nil, fmt.Errorf("%s has shape %v; the network needs %v", p.name, t.Shape, p.shape)
		}
		*p.data = t.Data
	}
	return w, w.Check()
}
