package mlp

import (
	"fmt"
	"time"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A TimedPass is one pass of the network over an image.
type TimedPass struct {
	Shader string
	Took   time.Duration // on the device; 0 if the adapter has no timestamps
}

// ForwardSteps is Forward for a single image. It also returns which passes ran and how long each
// took.
func (n *Network) ForwardSteps(pixels []byte) (probabilities []float32, steps []TimedPass, err error) {
	if len(pixels) != Inputs {
		return nil, nil, fmt.Errorf("%d values are not one image: it has %d", len(pixels), Inputs)
	}
	b, err := n.batchOf(1)
	if err != nil {
		return nil, nil, err
	}
	if err := gpu.Write(b.pixels, network.Words(pixels)); err != nil {
		return nil, nil, err
	}
	if steps, err = n.timed(b.made.Passes); err != nil {
		return nil, nil, err
	}
	probabilities, err = gpu.Read[float32](b.out)
	return probabilities, steps, err
}

// Hidden returns the 128 numbers after relu for the image that ForwardSteps ran last.
func (n *Network) Hidden() ([]float32, error) {
	b, err := n.batchOf(1)
	if err != nil {
		return nil, err
	}
	return gpu.Read[float32](b.hidden)
}

// Passes returns the passes over a number of images, in order: normalize, linear, relu, linear,
// softmax. They are valid until the network runs a different number of images.
func (n *Network) Passes(images int) ([]gpu.Pass, error) {
	b, err := n.batchOf(images)
	if err != nil {
		return nil, err
	}
	return b.made.Passes, nil
}

func (n *Network) timed(passes []gpu.Pass) ([]TimedPass, error) {
	device, times := n.made.Device, make([]time.Duration, len(passes))
	var err error
	if device.Adapter().Timestamps {
		times, err = device.Time(passes...)
	} else {
		err = device.Submit(passes...)
	}
	if err != nil {
		return nil, err
	}
	var steps []TimedPass
	for i, p := range passes {
		steps = append(steps, TimedPass{p.Pipeline().Name, times[i]})
	}
	return steps, nil
}
