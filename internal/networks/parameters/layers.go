package parameters

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Linear holds the numbers of a linear layer: inputs × outputs, and a bias for each output.
type Linear struct{ W, B []float32 }

// List returns the tensors of a layer of this name.
func (l *Linear) List(name string, inputs, outputs int) List {
	return List{Of(name+".w", &l.W, inputs, outputs), Of(name+".b", &l.B, outputs)}
}

// Norm holds the numbers of a layer-norm.
type Norm struct{ Gain, Bias []float32 }

// List returns the tensors of a layer-norm of this name.
func (n *Norm) List(name string, width int) List {
	return List{Of(name+".gain", &n.Gain, width), Of(name+".bias", &n.Bias, width)}
}

// Block holds the numbers of one layer of a transformer: attention, and a hidden layer with gelu.
type Block struct {
	Norm1        Norm
	Q, K, V, Out Linear
	Norm2        Norm
	Up, Down     Linear
}

// List returns the tensors of a layer of this name.
func (b *Block) List(name string, width, hidden int) List {
	name += "."
	return slices.Concat(b.Norm1.List(name+"norm1", width),
		b.Q.List(name+"q", width, width), b.K.List(name+"k", width, width), b.V.List(name+"v", width, width), b.Out.List(name+"out", width, width),
		b.Norm2.List(name+"norm2", width), b.Up.List(name+"up", width, hidden), b.Down.List(name+"down", hidden, width))
}

// Draw fills the parameters with random weights to train from. The scale of a linear layer keeps
// the signal's size (LeCun et al., "Efficient BackProp", 1998). spread gives the standard
// deviations of other tensors, by name. Gains begin at 1, and biases at 0.
func (l List) Draw(random *rand.Rand, spread map[string]float64) {
	for _, p := range l {
		deviation, named := spread[p.Name]
		if !named && strings.HasSuffix(p.Name, ".w") {
			deviation = 1 / math.Sqrt(float64(p.Shape[0]))
		}
		values := make([]float32, Size(p.Shape))
		for i := range values {
			if deviation > 0 {
				values[i] = float32(random.NormFloat64() * deviation)
			} else if strings.HasSuffix(p.Name, ".gain") {
				values[i] = 1
			}
		}
		*p.Values = values
	}
}
