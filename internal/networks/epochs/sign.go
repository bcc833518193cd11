package epochs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// Examples is how many drawings of a sign Teach needs.
const Examples = 10

// A Sign is an eleventh class: its name, and drawings of it as the network sees them, 784 bytes
// each.
type Sign struct {
	Name   string   `json:"name"`
	Images [][]byte `json:"images"`
}

// Check returns an error if the sign can't be taught.
func (s Sign) Check() error {
	switch {
	case s.Name == "":
		return errors.New("the sign has no name")
	case len(s.Images) != Examples:
		return fmt.Errorf("there are %d drawings of the sign; it takes %d", len(s.Images), Examples)
	}
	for i, image := range s.Images {
		if len(image) != mnist.Pixels {
			return fmt.Errorf("drawing %d of the sign has %d pixels; it needs %d", i+1, len(image), mnist.Pixels)
		}
	}
	return nil
}

// A batch has a sign among every signEvery images. stepsOn steps are enough for it, and few enough
// that the digits stay what they are.
const (
	signEvery = 5
	signRate  = 0.05 / 50 // for each image of a batch
)

func stepsOn(kind shader.AdapterKind) int {
	if kind == shader.Simulated {
		return 60
	}
	return 120
}

// Teach trains a network on until it reads a sign as well, with the learner's shaders. It mixes
// distorted drawings of the sign with digits, which the network would otherwise forget; the seed
// chooses both. It reports like TrainingLoop.Epoch.
func Teach(ctx context.Context, device *gpu.Device, work string, start *mlp.Weights, sign Sign, digits mnist.Set, seed uint64, report func(done, steps int, loss float64)) (*mlp.Weights, error) {
	if err := sign.Check(); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	kind := device.Adapter().Kind
	learn := sign.among(random, digits, stepsOn(kind)*batchOn(kind))
	s, err := Open(ctx, device, work, start.WithSign(sign.Name), learn, digits.First(1), signRate*float32(batchOn(kind)))
	if err != nil {
		return nil, err
	}
	s.Seed = seed
	if err := s.Epoch(ctx, func(done int, loss float64) { report(done, s.Steps(), loss) }); err != nil {
		return nil, err
	}
	return s.Weights()
}

// among returns n images: digits, and distorted drawings of the sign.
func (s Sign) among(random *rand.Rand, digits mnist.Set, n int) mnist.Set {
	set := mnist.Set{Source: digits.Source}
	for i := range n {
		if i%signEvery == 0 {
			set.Images = append(set.Images, distorted(random, s.Images[i/signEvery%len(s.Images)])...)
			set.Labels = append(set.Labels, mlp.Outputs)
			continue
		}
		digit := random.IntN(digits.Len())
		set.Images = append(set.Images, digits.Image(digit)...)
		set.Labels = append(set.Labels, digits.Labels[digit])
	}
	return set
}

// distorted turns, slants, scales and moves an image a little, as another hand would write it.
func distorted(random *rand.Rand, image []byte) []byte {
	const middle = (mnist.Side - 1) / 2.0
	turn, slant := 0.12*random.NormFloat64(), 0.15*random.NormFloat64()
	wide, high := math.Exp(0.1*random.NormFloat64()), math.Exp(0.1*random.NormFloat64())
	right, down := 0.7*random.NormFloat64(), 0.7*random.NormFloat64()
	sin, cos := math.Sincos(turn)
	out := make([]byte, mnist.Pixels)
	for i := range out {
		x, y := float64(i%mnist.Side)-middle-right, float64(i/mnist.Side)-middle-down
		x, y = cos*x+sin*y, cos*y-sin*x
		out[i] = between(image, (x+slant*y)*wide+middle, y*high+middle)
	}
	return out
}

// between returns the value of an image at a place between four pixels; outside, all is black.
func between(image []byte, x, y float64) byte {
	left, top := math.Floor(x), math.Floor(y)
	at := func(x, y float64) float64 {
		if x < 0 || y < 0 || x >= mnist.Side || y >= mnist.Side {
			return 0
		}
		return float64(image[int(y)*mnist.Side+int(x)])
	}
	u, v := x-left, y-top
	upper := (1-u)*at(left, top) + u*at(left+1, top)
	lower := (1-u)*at(left, top+1) + u*at(left+1, top+1)
	return byte(math.Round((1-v)*upper + v*lower))
}
