package cnn

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

type part struct {
	name  string
	shape []int
	data  *[]float32
}

func (w *Weights) parts() []part {
	return []part{
		{"w1", []int{First, 1, 3, 3}, &w.W1},
		{"b1", []int{First}, &w.B1},
		{"w2", []int{Second, First, 3, 3}, &w.W2},
		{"b2", []int{Second}, &w.B2},
		{"w3", []int{Features, network.Outputs}, &w.W3},
		{"b3", []int{network.Outputs}, &w.B3},
	}
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

// Initial returns random weights to train from. Their scale keeps the signal's size through a layer
// with relu (He et al., "Delving Deep into Rectifiers", 2015).
func Initial(seed uint32) *Weights {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	normal := func(inputs, n int) []float32 {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(random.NormFloat64() * math.Sqrt(2/float64(inputs)))
		}
		return values
	}
	return &Weights{
		W1: normal(taps, First*taps), B1: make([]float32, First),
		W2: normal(First*taps, Second*First*taps), B2: make([]float32, Second),
		W3: normal(Features, Features*network.Outputs), B3: make([]float32, network.Outputs),
	}
}

// Encode writes the weights as safetensors: w1 to b3 as in Weights. The metadata holds the
// normalisation of the pixels as "mean" and "stddev", and the entries of about.
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
	data, err := weights.Conv()
	if err != nil {
		return nil, fmt.Errorf("reading the weights with filters that ship: %w", err)
	}
	w, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("reading the weights with filters that ship: %w", err)
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
