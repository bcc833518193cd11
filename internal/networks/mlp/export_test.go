package mlp

import "github.com/wgslab/wgslab/internal/machine/engine/gpu"

// Decode is decode, for the tests outside the package.
var Decode = decode

// Apply normalises a pixel in 0..1.
func (n Normalisation) Apply(pixel float32) float32 { return (pixel - n.Mean) / n.Stddev }

// ForwardNormalised is Forward for images whose 784 values Normalisation.Apply has normalised.
func (n *Network) ForwardNormalised(x []float32) ([]float32, error) {
	probabilities := make([]float32, len(x)/Inputs*Outputs)
	err := inChunks(n, x, probabilities, func(some, probabilities []float32) error {
		b, err := n.batchOf(len(some) / Inputs)
		if err != nil {
			return err
		}
		if err := gpu.Write(b.x, some); err != nil {
			return err
		}
		if err := n.made.Device.Submit(b.made.Passes[1:]...); err != nil { // all but normalize
			return err
		}
		answer, err := gpu.Read[float32](b.out)
		copy(probabilities, answer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return probabilities, nil
}
