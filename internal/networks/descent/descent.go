// Package descent trains networks on the digits, step by step downhill: the images of each step,
// the clock, Adam, and the epoch that read most of the held-out images. A network adds its own
// passes.
package descent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// Settings are those of a training. The same settings on the same images and the same
// adapter make the same weights.
type Settings struct {
	Epochs  int     // how often the training uses each image
	Batch   int     // images in a step
	Rate    float64 // learning rate of the first step; it falls to 0 along a cosine
	HeldOut int     // images at the end that the training sets aside to choose the best epoch
	Seed    uint32
	Distortion
}

// A Distortion limits how far the training changes an image each time that it uses it. Rubber is a
// standard deviation, the others are maxima.
type Distortion struct {
	Turn   float64 // degrees
	Size   float64 // 0.1 is 10 % larger or smaller, in x and y apart
	Slant  float64 // pixels to the side for each pixel of height
	Shift  float64 // pixels
	Rubber float64 // pixels: standard deviation of the knots of an elastic sheet
}

// Adam's constants, as its authors recommend them.
const (
	Beta1   = 0.9
	Beta2   = 0.999
	Epsilon = 1e-8
)

// Progress reports how far a training has come.
type Progress struct {
	Step, Steps int     // steps done, and in total
	Epoch       int     // epochs done
	Loss        float64 // mean over the last epoch; 0 before the first has ended
	HeldOut     float64 // share of the held-out images that are right after that epoch, from 0 to 1
}

// A Trained is the network of the epoch that got the most held-out images right.
type Trained[W any] struct {
	Weights W
	Epoch   int     // counted from 1
	HeldOut float64 // share of the held-out images that it gets right
}

// A Trainable network is what a training changes.
type Trainable[W any] interface {
	// Forward returns a probability of each digit for each image of 784 bytes.
	Forward(pixels []byte) ([]float32, error)
	// Weights reads the weights back from the device.
	Weights() (W, error)
	// Free releases the network's memory and shaders.
	Free()
}

// Check returns an error if a setting is wrong.
func (t Settings) Check() error {
	switch {
	case t.Epochs < 1:
		return fmt.Errorf("%d epochs: it takes at least one", t.Epochs)
	case t.HeldOut < 1:
		return fmt.Errorf("%d images held out: it takes at least one to choose the epoch by", t.HeldOut)
	case t.Batch < 1:
		return fmt.Errorf("a batch of %d images: it takes at least one", t.Batch)
	case !(t.Rate > 0) || math.IsInf(t.Rate, 0):
		return fmt.Errorf("a learning rate of %v: it must be above 0", t.Rate)
	}
	return nil
}

// LabelledImages holds images of 784 bytes each, one after the other, and their labels.
type LabelledImages struct {
	Images []byte
	Labels []byte // 0 to 9
}

func (d LabelledImages) validate() error {
	if len(d.Images) != len(d.Labels)*network.Inputs {
		return fmt.Errorf("%d bytes of images do not go with %d labels: an image has %d", len(d.Images), len(d.Labels), network.Inputs)
	}
	for i, label := range d.Labels {
		if label >= network.Outputs {
			return fmt.Errorf("label %d is %d; it must be from 0 to %d", i, label, network.Outputs-1)
		}
	}
	return nil
}

// CheckWith returns an error if a setting is wrong, or doesn't go with the digits.
func (t Settings) CheckWith(digits LabelledImages) error {
	if err := t.Check(); err != nil {
		return err
	}
	if err := digits.validate(); err != nil {
		return err
	}
	if images := len(digits.Labels); images-t.HeldOut < t.Batch {
		return fmt.Errorf("%d of %d images are held out: the others do not fill a batch of %d", t.HeldOut, images, t.Batch)
	}
	return nil
}

// A Trainer holds everything that a training needs on the device, besides the network.
type Trainer struct {
	Settings
	Made          *plan.Recorder // its passes make one step, unless Submit is set
	StepsPerEpoch int

	Order, Losses  *gpu.Buffer // of the epoch's samples, shuffled
	Pixels, Labels *gpu.Buffer // of all images to train on
	Clock          *gpu.Buffer // the step, its first image in Order, and its rate
	Learning       []Learned   // the weights

	// Submit submits one step or several, limited to the given number; InFlight is the number to
	// submit before the next wait. If Submit is nil, it submits the passes of Made.
	Submit   func(most int) (steps int, err error)
	InFlight int

	Samples  int // to train on
	Measured int // losses whose mean is the loss of an epoch

	heldOut LabelledImages
}

// New uploads the training images, and makes the buffers that tell the passes which images come
// next. Settings.CheckWith accepts its arguments. A failure is in Made.Err.
func New(device *gpu.Device, digits LabelledImages, t Settings) *Trainer {
	images := len(digits.Labels) - t.HeldOut
	tr := NewSamples(device, images, t)
	tr.heldOut = LabelledImages{Images: digits.Images[images*network.Inputs:], Labels: digits.Labels[images:]}
	tr.Pixels = plan.Upload(tr.Made, network.Words(digits.Images[:images*network.Inputs]))
	tr.Labels = plan.Upload(tr.Made, widened(digits.Labels[:images]))
	tr.Losses = tr.Made.Floats(images)
	return tr
}

// NewSamples makes the buffers that tell the passes which samples come next. The caller adds the
// samples, and the buffer of their losses. A failure is in Made.Err.
func NewSamples(device *gpu.Device, samples int, t Settings) *Trainer {
	r, steps := plan.NewRecorder(device), samples/t.Batch
	return &Trainer{
		Settings: t, Made: r, StepsPerEpoch: steps, InFlight: 1, Samples: samples, Measured: steps * t.Batch,
		Order: plan.Upload(r, make([]uint32, samples)),
		Clock: plan.Upload(r, make([]uint32, 3)),
	}
}

// Begin adds the passes that begin a step: the clock, and the step's images, distorted and
// normalised, in x.
func (tr *Trainer) Begin(mean, stddev float32, x *gpu.Buffer) {
	r := tr.Made
	r.Over(r.Pipeline("train/clock"), 1, tr.Plan(), tr.Clock)
	r.Groups(r.Pipeline("train/distort"), [3]uint32{uint32(tr.Batch), 1, 1}, tr.Distorted(mean, stddev), tr.Clock, tr.Order, tr.Pixels, x)
}

// Plan makes the parameters of train/clock.
func (tr *Trainer) Plan() *gpu.Buffer {
	return tr.Made.Uniform(uint32(tr.Batch), uint32(tr.StepsPerEpoch), uint32(tr.StepsPerEpoch*tr.Epochs), float32(tr.Rate), float32(Beta1), float32(Beta2))
}

// Distorted makes the parameters of train/distort.
func (tr *Trainer) Distorted(mean, stddev float32) *gpu.Buffer {
	return tr.Made.Uniform(tr.Seed, mean, stddev,
		float32(tr.Turn*math.Pi/180), float32(tr.Size), float32(tr.Slant), float32(tr.Shift), float32(tr.Rubber), uint32(tr.Batch))
}

// Learned holds Adam's state for one of the network's buffers.
type Learned struct {
	Gradient                      *gpu.Buffer
	n                             int // weights
	params, weights, mean, square *gpu.Buffer
}

// Learn lets the training change a buffer of weights. The passes of a step fill its gradient.
func (tr *Trainer) Learn(weights *gpu.Buffer) Learned {
	if tr.Made.Err != nil {
		return Learned{}
	}
	r, n := tr.Made, weights.Len()
	l := Learned{
		n: n, params: r.Uniform(uint32(n), float32(Beta1), float32(Beta2), float32(Epsilon)),
		weights: weights, Gradient: r.Floats(n), mean: r.Floats(n), square: r.Floats(n),
	}
	tr.Learning = append(tr.Learning, l)
	return l
}

// End adds the passes that end a step: Adam moves all weights.
func (tr *Trainer) End() {
	r := tr.Made
	for _, l := range tr.Learning {
		r.Over(r.Pipeline("train/adam"), l.n, l.params, tr.Clock, l.Gradient, l.mean, l.square, l.weights)
	}
}

// A Prepared training has the passes of a step, which change the weights of its network.
type Prepared[N interface{ Free() }] struct {
	*Trainer
	Network N
}

// Prepare prepares the training of a network. record adds the passes of a step.
func Prepare[N interface{ Free() }](device *gpu.Device, digits LabelledImages, t Settings, network N, record func(*Trainer, N)) (*Prepared[N], error) {
	p := &Prepared[N]{New(device, digits, t), network}
	record(p.Trainer, network)
	if p.Made.Err != nil {
		p.Free()
		return nil, p.Made.Err
	}
	return p, nil
}

// Free releases the memory and shaders of the training and of its network.
func (p *Prepared[N]) Free() {
	p.Made.Free()
	p.Network.Free()
}

// Train trains the network that prepare makes, as Run does.
func Train[W any, N Trainable[W]](ctx context.Context, device *gpu.Device, digits LabelledImages, t Settings,
	prepare func(*gpu.Device, LabelledImages, Settings) (*Prepared[N], error), report func(Progress)) (*Trained[W], error) {
	if err := t.CheckWith(digits); err != nil {
		return nil, err
	}
	p, err := prepare(device, digits, t)
	if err != nil {
		return nil, fmt.Errorf("preparing the training: %w", err)
	}
	defer p.Free()
	return Run(ctx, p.Trainer, p.Network, report)
}

// Run trains the network. After each epoch it reads back one loss for each image and the answers to
// the held-out images. It calls report several times a second. When ctx ends, Run returns its
// error.
func Run[W any](ctx context.Context, tr *Trainer, n Trainable[W], report func(Progress)) (*Trained[W], error) {
	best := &Trained[W]{HeldOut: -1}
	progress := Progress{Steps: tr.Epochs * tr.StepsPerEpoch}
	for progress.Epoch < tr.Epochs {
		if err := tr.Epoch(ctx, &progress, report); err != nil {
			return nil, err
		}
		probabilities, err := n.Forward(tr.heldOut.Images)
		if err != nil {
			return nil, err
		}
		progress.HeldOut = network.Accuracy(probabilities, tr.heldOut.Labels)
		if progress.HeldOut >= best.HeldOut { // of equal ones the later: its steps were smaller
			weights, err := n.Weights()
			if err != nil {
				return nil, err
			}
			best = &Trained[W]{Weights: weights, Epoch: progress.Epoch, HeldOut: progress.HeldOut}
		}
		report(progress)
	}
	return best, nil
}
func widened(labels []byte) []uint32 {
	words := make([]uint32, len(labels))
	for i, label := range labels {
		words[i] = uint32(label)
	}
	return words
}

// Epoch trains on every image once, in a new order, and fills in progress.
func (tr *Trainer) Epoch(ctx context.Context, progress *Progress, report func(Progress)) error {
	if err := gpu.Write(tr.Order, tr.Shuffled(progress.Epoch)); err != nil {
		return err
	}
	for left := tr.StepsPerEpoch; left > 0; {
		steps := min(left, tr.InFlight)
		if err := tr.RunSteps(ctx, steps); err != nil {
			return err
		}
		left -= steps
		progress.Step += steps
		if left > 0 {
			report(*progress)
		}
	}
	progress.Epoch++
	return tr.measure(progress)
}

// atOnce is roughly how long the device works between two reports.
const atOnce = 100 * time.Millisecond

// RunSteps runs some steps, and measures how many fit into atOnce. The device works on one
// submission while the host records the next.
func (tr *Trainer) RunSteps(ctx context.Context, steps int) error {
	started := time.Now()
	for left := steps; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		submitted, err := tr.submit(left)
		if err != nil {
			return err
		}
		left -= submitted
	}
	if err := tr.Made.Device.Wait(); err != nil {
		return err
	}
	if steps == tr.InFlight && time.Since(started) < atOnce/2 {
		tr.InFlight *= 2
	}
	return nil
}

// submit submits one step, or several, limited to the given number.
func (tr *Trainer) submit(most int) (steps int, err error) {
	if tr.Submit != nil {
		return tr.Submit(most)
	}
	return 1, tr.Made.Device.Submit(tr.Made.Passes...)
}

// Shuffled returns the order of the samples in an epoch, counted from 0.
func (tr *Trainer) Shuffled(epoch int) []uint32 {
	random := rand.New(rand.NewPCG(uint64(tr.Seed), uint64(epoch+1)))
	order := make([]uint32, tr.Samples)
	for i, sample := range random.Perm(tr.Samples) {
		order[i] = uint32(sample)
	}
	return order
}

// measure fills in the epoch's mean loss.
func (tr *Trainer) measure(progress *Progress) error {
	losses, err := gpu.Read[float32](tr.Losses)
	if err != nil {
		return err
	}
	total := 0.0
	for _, loss := range losses[:tr.Measured] {
		total += float64(loss)
	}
	progress.Loss = total / float64(tr.Measured)
	return nil
}
