package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// A GPUReport is the speed of the adapter on the course's work, in seconds. tools/pytorch measures
// the same with PyTorch.
type GPUReport struct {
	Adapter  string        `json:"adapter"`
	Open     float64       `json:"open_seconds"` // opening the device, in a program that just started
	Products []Product     `json:"products"`
	Forward  []GPUForward  `json:"forward"`
	Networks []NetworkTime `json:"networks"`
	Writing  []WritingTime `json:"writing"`
	Training *TrainingTime `json:"training,omitempty"`
}

// A Product is an n × n by n × n product in 32-bit floats, one of several in a row.
type Product struct {
	N       int     `json:"n"`
	Kernel  string  `json:"kernel"`
	Seconds float64 `json:"seconds"`
	TFLOPS  float64 `json:"tflops"`
}

// A GPUForward is a forward pass from the host's bytes to the host's probabilities. Its time is the
// smallest of many.
type GPUForward struct {
	Batch   int     `json:"batch"`
	Seconds float64 `json:"seconds"`
	InPlace float64 `json:"in_place"` // with the pixels in memory that the device reads
	Learner float64 `json:"learner"`  // by the course's shaders, one pass each
}

// A NetworkTime is a forward pass of another network than the plain one, as in GPUForward.
type NetworkTime struct {
	Network string  `json:"network"` // conv or attention
	Batch   int     `json:"batch"`
	Seconds float64 `json:"seconds"`
}

// TrainingTime is the duration of a complete training on MNIST, with its result.
type TrainingTime struct {
	Epochs  int     `json:"epochs"`
	Seconds float64 `json:"seconds"` // including compilation and upload
	HeldOut float64 `json:"held_out"`
	Test    float64 `json:"test"`
}

// GPUOptions selects the measurements of RunGPU.
type GPUOptions struct {
	Epochs   int // of the training; 0 skips it
	Rounds   int // of each forward pass, at most
	Progress func(step string)
}

// RunGPU measures products, the forward pass and the training. If one of them fails, the report
// holds those before it.
func RunGPU(ctx context.Context, o GPUOptions) (*GPUReport, error) {
	started := time.Now()
	device, err := gpu.Open(gpu.WithDeadline(time.Minute))
	if err != nil {
		return nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	report := &GPUReport{Adapter: device.Adapter().String(), Open: time.Since(started).Seconds()}
	for _, n := range productSizes(device.Adapter().Kind) {
		o.Progress(fmt.Sprintf("a product of %d × %d", n, n))
		shader, seconds, err := ladder.TimeProduct(device, n)
		if err != nil {
			return report, fmt.Errorf("measuring a product of %d × %d: %w", n, n, err)
		}
		report.Products = append(report.Products, Product{n, shader, seconds, 2 * math.Pow(float64(n), 3) / seconds / 1e12})
	}
	for _, batch := range batches {
		o.Progress(fmt.Sprintf("forward pass, batch of %d", batch))
		forward, err := timeGPUForward(device, batch, o.Rounds)
		if err != nil {
			return report, fmt.Errorf("measuring the forward pass of %d images: %w", batch, err)
		}
		report.Forward = append(report.Forward, *forward)
	}
	for _, n := range networks {
		for _, batch := range batches {
			o.Progress(fmt.Sprintf("network %s, batch of %d", n.name, batch))
			seconds, err := timeNetwork(device, n.open, batch, o.Rounds)
			if err != nil {
				return report, fmt.Errorf("measuring the network %s with %d images: %w", n.name, batch, err)
			}
			report.Networks = append(report.Networks, NetworkTime{n.name, batch, seconds})
		}
	}
	for _, letters := range lettersSoFar(device.Adapter().Kind) {
		o.Progress(fmt.Sprintf("the language model, after %d letters", letters))
		writing, err := timeWriting(ctx, device, letters, o.Rounds)
		if err != nil {
			return report, fmt.Errorf("measuring the language model: %w", err)
		}
		report.Writing = append(report.Writing, *writing)
	}
	if o.Epochs > 0 {
		o.Progress("training")
		if report.Training, err = timeTraining(ctx, device, o.Epochs); err != nil {
			return report, fmt.Errorf("measuring the training: %w", err)
		}
	}
	return report, nil
}

// productSizes returns sizes that take a GPU milliseconds, and a CPU or the simulator seconds.
func productSizes(kind shader.AdapterKind) []int {
	switch kind {
	case shader.Simulated:
		return []int{64, 128}
	case shader.CPU:
		return []int{256, 512}
	}
	return []int{1024, 2048, 4096}
}

func timeGPUForward(device *gpu.Device, batch, rounds int) (*GPUForward, error) {
	weights, err := mlp.Trained()
	if err != nil {
		return nil, err
	}
	net, err := mlp.New(device, weights)
	if err != nil {
		return nil, err
	}
	defer net.Free()
	sources, err := learnersShaders()
	if err != nil {
		return nil, err
	}
	learner, err := mlp.New(device, weights, mlp.WithShaders(sources))
	if err != nil {
		return nil, err
	}
	defer learner.Free()
	pixels := randomPixels(batch)
	f := &GPUForward{Batch: batch}
	if f.Seconds, err = smallest(rounds, func() error {
		_, err := net.Forward(pixels)
		return err
	}); err != nil {
		return nil, err
	}
	memory, err := net.Pixels(batch)
	if err != nil {
		return nil, err
	}
	copy(memory, pixels)
	probabilities := make([]float32, batch*mlp.Outputs)
	if f.InPlace, err = smallest(rounds, func() error {
		memory, err := net.Pixels(batch)
		if err != nil {
			return err
		}
		return net.ForwardInto(probabilities, memory)
	}); err != nil {
		return nil, err
	}
	f.Learner, err = smallest(rounds, func() error {
		_, err := learner.Forward(pixels)
		return err
	})
	return f, err
}

// networks lists the networks besides the plain one.
var networks = []struct {
	name string
	open func(*gpu.Device) (forwarder, error)
}{
	{"conv", func(device *gpu.Device) (forwarder, error) {
		w, err := cnn.Trained()
		if err != nil {
			return nil, err
		}
		return cnn.New(device, w)
	}},
	{"attention", func(device *gpu.Device) (forwarder, error) {
		w, err := vit.Trained()
		if err != nil {
			return nil, err
		}
		return vit.New(device, w)
	}},
}

// A forwarder is a network on a device.
type forwarder interface {
	Forward(pixels []byte) ([]float32, error)
	Free()
}

func timeNetwork(device *gpu.Device, open func(*gpu.Device) (forwarder, error), batch, rounds int) (float64, error) {
	n, err := open(device)
	if err != nil {
		return 0, err
	}
	defer n.Free()
	pixels := randomPixels(batch)
	return smallest(rounds, func() error {
		_, err := n.Forward(pixels)
		return err
	})
}

// learnersShaders returns the course's own shaders, as a learner has them after lesson 7.
func learnersShaders() (mlp.Shaders, error) {
	var sources mlp.Shaders
	for name, to := range map[string]*string{"normalize": &sources.Normalize, "linear": &sources.Linear, "relu": &sources.Relu, "softmax": &sources.Softmax} {
		source, err := exercises.Reference(name)
		if err != nil {
			return mlp.Shaders{}, err
		}
		*to = source
	}
	return sources, nil
}

func randomPixels(images int) []byte {
	pixels := make([]byte, images*mlp.Inputs)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range pixels {
		pixels[i] = byte(random.Uint32())
	}
	return pixels
}

// smallest returns the shortest time that run takes in some rounds: other load on the machine can
// only slow it down.
func smallest(rounds int, run func() error) (float64, error) {
	const measuringTime = 5 * time.Second
	var seconds []float64
	for begun := time.Now(); len(seconds) < rounds && (len(seconds) < 3 || time.Since(begun) < measuringTime); {
		started := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		seconds = append(seconds, time.Since(started).Seconds())
	}
	return slices.Min(seconds), nil
}

func timeTraining(ctx context.Context, device *gpu.Device, epochs int) (*TrainingTime, error) {
	images, err := mnist.Train(ctx, mnist.Options{})
	if err != nil {
		return nil, err
	}
	test, err := mnist.Test()
	if err != nil {
		return nil, err
	}
	training := mlp.DefaultTraining()
	training.Epochs = epochs
	t := &TrainingTime{Epochs: epochs}
	started := time.Now()
	result, err := mlp.Train(ctx, device, descent.LabelledImages{Images: images.Images, Labels: images.Labels}, training, func(descent.Progress) {})
	if err != nil {
		return nil, err
	}
	t.Seconds = time.Since(started).Seconds()
	t.HeldOut = result.HeldOut
	net, err := mlp.New(device, result.Weights)
	if err != nil {
		return nil, err
	}
	defer net.Free()
	probabilities, err := net.Forward(test.Images)
	if err != nil {
		return nil, err
	}
	t.Test = network.Accuracy(probabilities, test.Labels)
	return t, nil
}
