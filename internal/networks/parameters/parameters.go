// Package parameters names the tensors of a network's weights, checks them, and reads and writes
// them as safetensors.
package parameters

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/networks/plan"
)

// A Parameter is one tensor of a network's weights, row-major.
type Parameter struct {
	Name   string
	Shape  []int
	Values *[]float32
}

// Of returns a parameter.
func Of(name string, values *[]float32, shape ...int) Parameter {
	return Parameter{name, shape, values}
}

// A List holds all parameters of a network.
type List []Parameter

// Operands returns the parameters as operands of a network's operations.
func (l List) Operands() []*plan.Operand {
	var all []*plan.Operand
	for _, p := range l {
		all = append(all, plan.Numbers(p.Name, *p.Values))
	}
	return all
}

// Count returns how many weights and biases a network has.
func (l List) Count() int {
	n := 0
	for _, p := range l {
		n += Size(p.Shape)
	}
	return n
}

// Check returns an error if a parameter has the wrong size or a number is NaN or infinite.
func (l List) Check() error {
	for _, p := range l {
		if want := Size(p.Shape); len(*p.Values) != want {
			return fmt.Errorf("%s has %d values; the network needs %v, that is %d", p.Name, len(*p.Values), p.Shape, want)
		}
		if err := Finite(*p.Values); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

// Finite returns an error if a number is NaN or infinite.
func Finite(values []float32) error {
	for i, value := range values {
		if v := float64(value); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d is %v; every value must be a finite number", i, value)
		}
	}
	return nil
}

// Encode writes the parameters as safetensors. The metadata holds the normalisation of the pixels
// as "mean" and "stddev", and the entries of about.
func (l List) Encode(mean, stddev float32, about map[string]string) ([]byte, error) {
	metadata := map[string]string{
		"mean":   strconv.FormatFloat(float64(mean), 'g', -1, 32),
		"stddev": strconv.FormatFloat(float64(stddev), 'g', -1, 32),
	}
	maps.Copy(metadata, about)
	return l.encode(metadata, false)
}

// EncodeHalves writes the parameters as safetensors of 16-bit floats, which round them.
func (l List) EncodeHalves(metadata map[string]string) ([]byte, error) {
	return l.encode(metadata, true)
}

func (l List) encode(metadata map[string]string, halves bool) ([]byte, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	file := &File{Tensors: map[string]*Tensor{}, Metadata: metadata, Halves: halves}
	for _, p := range l {
		file.Tensors[p.Name] = &Tensor{Shape: p.Shape, Data: *p.Values}
	}
	return Encode(file)
}

// Decode fills the parameters from the bytes that Encode wrote.
func (l List) Decode(data []byte) error {
	file, err := Decode(data)
	if err != nil {
		return err
	}
	var names []string
	for _, p := range l {
		if file.Tensors[p.Name] == nil {
			return fmt.Errorf("there is no tensor %s: the file has %s", p.Name, strings.Join(slices.Sorted(maps.Keys(file.Tensors)), ", "))
		}
		names = append(names, p.Name)
	}
	return l.Take(file.Tensors, names, false)
}

// Take fills the parameters from the tensors with these names, in order. If they are transposed, a
// matrix is outputs × inputs.
func (l List) Take(tensors map[string]*Tensor, names []string, transposed bool) error {
	for i, p := range l {
		t, want := tensors[names[i]], slices.Clone(p.Shape)
		if transposed {
			slices.Reverse(want)
		}
		if !slices.Equal(t.Shape, want) {
			return fmt.Errorf("%s has shape %v; the network needs %v", names[i], t.Shape, want)
		}
		if err := Finite(t.Data); err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		if transposed && len(want) == 2 {
			t = t.Transpose()
		}
		*p.Values = t.Data
	}
	return nil
}

// ReadShipped fills the parameters from a file that ships with the course. which says of which
// network the weights are.
func (l List) ReadShipped(read func() ([]byte, error), which string) error {
	data, err := read()
	if err == nil {
		err = l.Decode(data)
	}
	if err != nil {
		return fmt.Errorf("reading the weights with %s that ship: %w", which, err)
	}
	return nil
}

// HeNormal returns n random weights of a layer with so many inputs. Their scale keeps the signal's
// size through a layer with relu (He et al., "Delving Deep into Rectifiers", 2015).
func HeNormal(random *rand.Rand, inputs, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * math.Sqrt(2/float64(inputs)))
	}
	return values
}
