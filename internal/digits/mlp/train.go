package mlp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/wgslab/wgslab/internal/engine/gpu"
)

// A Training holds the settings of a training. The same Training on the same images and the same
// adapter makes the same weights.
type Training struct {
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

// DefaultTraining returns the settings that made the weights which ship with the course.
func DefaultTraining() Training {
	return Training{
		Epochs: 120, Batch: 250, Rate: 2e-3, HeldOut: 5000, Seed: 1,
		Distortion: Distortion{Turn: 10, Size: 0.1, Slant: 0.15, Shift: 1, Rubber: 2},
	}
}

// Adam's constants, as its authors recommend them.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// Progress reports how far a training has come.
type Progress struct {
	Step, Steps int     // steps done, and in total
	Epoch       int     // epochs done
	Loss        float64 // mean over the last epoch; 0 before the first has ended
	HeldOut     float64 // share of the held-out images that are right after that epoch, from 0 to 1
}

// A Result is the network of the epoch that got the most held-out images right.
type Result struct {
	Weights *Weights
	Epoch   int     // counted from 1
	HeldOut float64 // share of the held-out images that it gets right
}

// Check returns an error if a setting is wrong.
func (t Training) Check() error {
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

// Digits holds images of 784 bytes each, one after the other, and their labels.
type Digits struct {
	Images []byte
	Labels []byte // 0 to 9
}

func (d Digits) check() error {
	if len(d.Images) != len(d.Labels)*Inputs {
		return fmt.Errorf("%d bytes of images do not go with %d labels: an image has %d", len(d.Images), len(d.Labels), Inputs)
	}
	for i, label := range d.Labels {
		if label >= Outputs {
			return fmt.Errorf("label %d is %d; it must be from 0 to %d", i, label, Outputs-1)
		}
	}
	return nil
}

// Train trains a network from random weights on the device. It uploads the images once, and after
// each epoch reads back one loss for each image and the answers to the held-out images. It calls
// report several times a second. When ctx ends, Train returns its error.
func Train(ctx context.Context, device *gpu.Device, digits Digits, t Training, report func(Progress)) (*Result, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if err := digits.check(); err != nil {
		return nil, err
	}
	if images := len(digits.Labels); images-t.HeldOut < t.Batch {
		return nil, fmt.Errorf("%d of %d images are held out: the others do not fill a batch of %d", t.HeldOut, images, t.Batch)
	}
	tr, err := newTrainer(device, digits, t)
	if err != nil {
		return nil, fmt.Errorf("preparing the training: %w", err)
	}
	defer tr.free()
	best := &Result{HeldOut: -1}
	progress := Progress{Steps: t.Epochs * tr.stepsPerEpoch}
	for progress.Epoch < t.Epochs {
		if err := tr.epoch(ctx, &progress, report); err != nil {
			return nil, err
		}
		if progress.HeldOut >= best.HeldOut { // of equal ones the later: its steps were smaller
			weights, err := tr.network.Weights()
			if err != nil {
				return nil, err
			}
			best = &Result{Weights: weights, Epoch: progress.Epoch, HeldOut: progress.HeldOut}
		}
		report(progress)
	}
	return best, nil
}

// A trainer holds everything that a training needs on the device.
type trainer struct {
	Training
	device        *gpu.Device
	network       *Network  // the training changes its weights
	made          *recorder // its passes make one step
	heldOut       Digits
	images        int // to train on
	stepsPerEpoch int
	order, losses *gpu.Buffer
	learning      []learned   // of w1, b1, w2, b2
	fused         *fusedSteps // nil if a step is made of made's passes
	inFlight      int         // steps to submit before the next wait
}

func newTrainer(device *gpu.Device, digits Digits, t Training) (*trainer, error) {
	together := 0
	if canFuse(device.Adapter()) {
		together = distortedTogether
	}
	return newTrainerFor(device, digits, t, together)
}

// newTrainerFor makes a trainer with fused steps, which distorts about together images in one pass.
// If together is 0, each step runs the passes of train/ one by one.
func newTrainerFor(device *gpu.Device, digits Digits, t Training, together int) (*trainer, error) {
	images := len(digits.Labels) - t.HeldOut
	network, err := New(device, Initial(t.Seed))
	if err != nil {
		return nil, err
	}
	tr := &trainer{
		Training: t, device: device, network: network, made: newRecorder(device),
		heldOut:       Digits{Images: digits.Images[images*Inputs:], Labels: digits.Labels[images:]},
		images:        images,
		stepsPerEpoch: images / t.Batch,
		inFlight:      1,
	}
	if together > 0 {
		tr.recordFused(digits, together)
	} else {
		tr.record(digits)
	}
	if tr.made.err != nil {
		tr.free()
		return nil, tr.made.err
	}
	return tr, nil
}

func (tr *trainer) free() {
	tr.made.free()
	tr.network.Free()
}

// Initial returns random weights to train from. Their scale keeps the signal's size through a layer with
// relu (He et al., "Delving Deep into Rectifiers", 2015).
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
		W1: normal(Inputs, Inputs*Hidden), B1: make([]float32, Hidden),
		W2: normal(Hidden, Hidden*Outputs), B2: make([]float32, Outputs),
		Normalisation: MNIST,
	}
}

// record makes the buffers and the passes of one step: distort a batch, run it forward, compute the
// loss, run it backward, update the weights.
func (tr *trainer) record(digits Digits) {
	r, n, batch := tr.made, tr.network, tr.Batch
	pixels, labels, clock := tr.samples(digits)

	x := r.floats(batch * Inputs)
	hidden := r.floats(batch * Hidden)
	scores := r.floats(batch * Outputs)
	dHidden := r.floats(batch * Hidden)

	m := uint32(batch)
	first := r.uniform(m, uint32(Hidden), uint32(Inputs))
	second := r.uniform(m, uint32(Outputs), uint32(Hidden))
	hiddenRows := r.uniform(m, uint32(Hidden))
	outputRows := r.uniform(m, uint32(Outputs))
	plan := r.uniform(m, uint32(tr.stepsPerEpoch), uint32(tr.stepsPerEpoch*tr.Epochs), float32(tr.Rate), float32(beta1), float32(beta2))
	distortion := tr.distortion()

	w1, b1 := tr.learn(n.w1), tr.learn(n.b1)
	w2, b2 := tr.learn(n.w2), tr.learn(n.b2)
	gradientWeights, gradientBias := r.pipeline("train/gradient-weights"), r.pipeline("train/gradient-bias")

	r.over(r.pipeline("train/clock"), 1, plan, clock)
	r.groups(r.pipeline("train/distort"), [3]uint32{m, 1, 1}, distortion, clock, tr.order, pixels, x)
	n.layer(r, batch, Hidden, first, x, n.w1, n.b1, hidden)
	r.over(n.relu, batch*Hidden, hidden)
	n.layer(r, batch, Outputs, second, hidden, n.w2, n.b2, scores)
	r.over(r.pipeline("train/loss"), batch, outputRows, clock, tr.order, labels, scores, tr.losses)
	dScores := scores // the loss has replaced them
	r.groups(gradientWeights, blocks(Hidden, Outputs), second, hidden, dScores, w2.gradient)
	r.over(gradientBias, Outputs, outputRows, dScores, b2.gradient)
	r.grid(r.pipeline("train/gradient-relu"), Hidden, batch, second, dScores, n.w2, hidden, dHidden)
	r.groups(gradientWeights, blocks(Inputs, Hidden), first, x, dHidden, w1.gradient)
	r.over(gradientBias, Hidden, hiddenRows, dHidden, b1.gradient)
	for _, l := range tr.learning {
		r.over(r.pipeline("train/adam"), l.n, l.params, clock, l.gradient, l.mean, l.square, l.weights)
	}
}

// samples uploads the training images, and makes the buffers that tell the passes which images come
// next: the epoch's order, and the clock's step, first and rate.
func (tr *trainer) samples(digits Digits) (pixels, labels, clock *gpu.Buffer) {
	r := tr.made
	pixels = upload(r, words(digits.Images[:tr.images*Inputs]))
	labels = upload(r, widened(digits.Labels[:tr.images]))
	tr.order = upload(r, make([]uint32, tr.images))
	tr.losses = r.floats(tr.images)
	return pixels, labels, upload(r, make([]uint32, 3))
}

func (tr *trainer) distortion() *gpu.Buffer {
	return tr.made.uniform(tr.Seed, tr.network.normalisation.Mean, tr.network.normalisation.Stddev,
		float32(tr.Turn*math.Pi/180), float32(tr.Size), float32(tr.Slant), float32(tr.Shift), float32(tr.Rubber), uint32(tr.Batch))
}

// learned holds Adam's state for one of the network's four buffers.
type learned struct {
	n                                       int // weights
	params, weights, gradient, mean, square *gpu.Buffer
}

func (tr *trainer) learn(weights *gpu.Buffer) learned {
	r, n := tr.made, weights.Len()
	l := learned{
		n: n, params: r.uniform(uint32(n), float32(beta1), float32(beta2), float32(epsilon)),
		weights: weights, gradient: r.floats(n), mean: r.floats(n), square: r.floats(n),
	}
	tr.learning = append(tr.learning, l)
	return l
}

func widened(labels []byte) []uint32 {
	words := make([]uint32, len(labels))
	for i, label := range labels {
		words[i] = uint32(label)
	}
	return words
}

// epoch trains on every image once, in a new order, and fills in progress.
func (tr *trainer) epoch(ctx context.Context, progress *Progress, report func(Progress)) error {
	if err := gpu.Write(tr.order, tr.shuffled(progress.Epoch)); err != nil {
		return err
	}
	for left := tr.stepsPerEpoch; left > 0; {
		steps := min(left, tr.inFlight)
		if err := tr.run(ctx, steps); err != nil {
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

// run runs some steps, and measures how many fit into atOnce. The device works on one submission
// while the host records the next.
func (tr *trainer) run(ctx context.Context, steps int) error {
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
	if err := tr.device.Wait(); err != nil {
		return err
	}
	if steps == tr.inFlight && time.Since(started) < atOnce/2 {
		tr.inFlight *= 2
	}
	return nil
}

// submit submits one step, or several fused ones, limited to the given number.
func (tr *trainer) submit(most int) (steps int, err error) {
	if tr.fused != nil {
		return tr.fused.submit(tr.device, most)
	}
	return 1, tr.device.Submit(tr.made.passes...)
}

func (tr *trainer) shuffled(epoch int) []uint32 {
	random := rand.New(rand.NewPCG(uint64(tr.Seed), uint64(epoch+1)))
	order := make([]uint32, tr.images)
	for i, image := range random.Perm(tr.images) {
		order[i] = uint32(image)
	}
	return order
}

// measure fills in the epoch's mean loss and the share of held-out images that are right.
func (tr *trainer) measure(progress *Progress) error {
	losses, err := gpu.Read[float32](tr.losses)
	if err != nil {
		return err
	}
	total, used := 0.0, tr.stepsPerEpoch*tr.Batch
	for _, loss := range losses[:used] {
		total += float64(loss)
	}
	progress.Loss = total / float64(used)
	probabilities, err := tr.network.Forward(tr.heldOut.Images)
	if err != nil {
		return err
	}
	progress.HeldOut = Accuracy(probabilities, tr.heldOut.Labels)
	return nil
}
