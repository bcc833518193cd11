package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/vit"
)

// A trainable is a network that wgslab can train.
type trainable struct {
	flag     string // its name on the command line; "" for the plain one, which needs none
	weights  string // the file of its weights
	card     string
	what     string // for the card
	output   string // likewise
	training descent.Settings
	train    func(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, training descent.Settings, report func(descent.Progress)) (outcome, error)
}

// An outcome is a trained network.
type outcome struct {
	epoch   int     // counted from 1
	heldOut float64 // share of the held-out images that it gets right
	encode  func(about map[string]string) ([]byte, error)
	open    func(device *gpu.Device) (reader, error)
}

// A reader is a network on a device.
type reader interface {
	Forward(pixels []byte) ([]float32, error)
	Free()
}

var plain = trainable{
	weights: "mnist-784-128-10.safetensors", card: "MODEL_CARD.md",
	what: `784 pixels, 128 hidden neurons with relu,
10 outputs with softmax`,
	output:   "w1 [784, 128], b1 [128], w2 [128, 10], b2 [10]; output = softmax(relu(x·w1 + b1)·w2 + b2)",
	training: mlp.DefaultTraining(),
	train: func(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, training descent.Settings, report func(descent.Progress)) (outcome, error) {
		result, err := mlp.Train(ctx, device, digits, training, report)
		if err != nil {
			return outcome{}, err
		}
		return outcome{result.Epoch, result.HeldOut, result.Weights.Encode, func(d *gpu.Device) (reader, error) { return mlp.New(d, result.Weights) }}, nil
	},
}

var convolutional = trainable{
	flag:    "conv",
	weights: cnn.WeightsFile, card: "MODEL_CARD_CONV.md",
	what: `16 filters of 3 × 3 with relu and
max-pool, 32 filters of 3 × 3 with relu and max-pool, and a linear layer with softmax`,
	output: `w1 [16, 1, 3, 3], b1 [16], w2 [32, 16, 3, 3], b2 [32], w3 [1568, 10], b3 [10];
output = softmax(flat(pool(conv(pool(conv(x, w1, b1)), w2, b2)))·w3 + b3), where conv pads with 0
and pool is relu and the largest of 2 × 2`,
	training: cnn.DefaultTraining(),
	train: func(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, training descent.Settings, report func(descent.Progress)) (outcome, error) {
		result, err := cnn.Train(ctx, device, digits, training, report)
		if err != nil {
			return outcome{}, err
		}
		return outcome{result.Epoch, result.HeldOut, result.Weights.Encode, func(d *gpu.Device) (reader, error) { return cnn.New(d, result.Weights) }}, nil
	},
}

var attentive = trainable{
	flag:    "attention",
	weights: vit.WeightsFile, card: "MODEL_CARD_ATTENTION.md",
	what: `16 patches of 7 × 7 pixels become
tokens of 32 numbers, 2 layers of attention (4 heads) with a hidden layer of 96 and gelu, and a
linear layer with softmax: 28,554 numbers`,
	output: `tokens.w [49, 32], tokens.b [32], positions [16, 32]; for each of layer1 and
layer2: norm1.gain, norm1.bias [32], q, k, v and out: w [32, 32], b [32], norm2.gain, norm2.bias
[32], up.w [32, 96], up.b [96], down.w [96, 32], down.b [32]; norm.gain, norm.bias [32], scores.w
[512, 10], scores.b [10]. x = patches·tokens + positions; in each layer x += attention(norm1(x))·out,
then x += gelu(norm2(x)·up)·down; output = softmax(flat(norm(x))·scores). Attention divides by √8,
norm has the epsilon 1e-5, and gelu is the formula with tanh`,
	training: vit.DefaultTraining(),
	train: func(ctx context.Context, device *gpu.Device, digits descent.LabelledImages, training descent.Settings, report func(descent.Progress)) (outcome, error) {
		result, err := vit.Train(ctx, device, digits, training, report)
		if err != nil {
			return outcome{}, err
		}
		return outcome{result.Epoch, result.HeldOut, result.Weights.Encode, func(d *gpu.Device) (reader, error) { return vit.New(d, result.Weights) }}, nil
	},
}

func trainableOf(name string) (trainable, error) {
	for _, n := range []trainable{plain, convolutional, attentive} {
		if name == n.flag {
			return n, nil
		}
	}
	return trainable{}, &codedError{exitAsked, fmt.Errorf("there is no network %q: use conv or attention, or leave --network out for the plain one", name)}
}

func newTrainCommand() *cobra.Command {
	given := plain.training
	var out, name, text string
	command := &cobra.Command{
		Use:   "train",
		Short: "Train a network that reads handwritten digits, on the GPU",
		Long: `Train trains the network 784-128-10 on MNIST's training images, with the shaders in
shaders/train, and writes its weights and a model card. Each use of an image rotates,
scales, slants, shifts and bends it a little, at random. With --network conv it trains
the network of lesson 12: two layers of filters, and a linear one. With --network
attention it trains the one of lesson 13, in which patches of an image look at each
other.

Train holds out 5,000 of the 60,000 training images. After each epoch the network
reads them, and train keeps the epoch with the most right answers. It reads the
10,000 test images only once, at the very end, for the model card.

The same options on the same adapter give the same weights. A GPU trains far faster
than a CPU adapter, above all with filters: try a few epochs first. Ctrl-C stops it
and leaves the files unchanged.

Exit codes: 0 trained and written, 1 failed, 2 wrong usage, 3 no usable adapter,
130 Ctrl-C.`,
		Example: `  wgslab train
  wgslab train --epochs 5 --out /tmp/quick   # a quick run, into another folder
  wgslab train --network conv --seed 7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			training, letters := descent.Settings{}, gpt.DefaultTraining()
			n, err := trainable{}, error(nil)
			if name == lettersNetwork {
				training = letters.Settings
			} else if n, err = trainableOf(name); err != nil {
				return err
			} else {
				training = n.training
			}
			for flag, set := range map[string]func(){
				"epochs": func() { training.Epochs = given.Epochs },
				"batch":  func() { training.Batch = given.Batch },
				"rate":   func() { training.Rate = given.Rate },
				"seed":   func() { training.Seed = given.Seed },
			} {
				if cmd.Flags().Changed(flag) {
					set()
				}
			}
			if letters.Settings = training; name == lettersNetwork {
				err = trainLetters(cmd.Context(), text, letters, out, cmd.OutOrStdout(), cmd.ErrOrStderr())
			} else {
				err = train(cmd.Context(), n, training, out, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			if cmd.Context().Err() != nil {
				return &codedError{exitInterrupted, errors.New("stopped before the end; wgslab wrote nothing")}
			}
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&name, "network", "", "the network to train: conv, attention, letters, or the plain one")
	flags.StringVar(&text, "text", "", "the file with the text for the network that writes")
	flags.IntVar(&given.Epochs, "epochs", 0, fmt.Sprintf("number of passes over the training images (default %d; conv %d, attention %d)", plain.training.Epochs, convolutional.training.Epochs, attentive.training.Epochs))
	flags.IntVar(&given.Batch, "batch", 0, fmt.Sprintf("images per step (default %d; conv %d, attention %d)", plain.training.Batch, convolutional.training.Batch, attentive.training.Batch))
	flags.Float64Var(&given.Rate, "rate", given.Rate, "learning rate of the first step; it falls to 0 along a cosine")
	flags.Uint32Var(&given.Seed, "seed", given.Seed, "seed of all random numbers")
	flags.StringVar(&out, "out", "weights", "folder to write to")
	return command
}

func train(ctx context.Context, n trainable, training descent.Settings, out string, stdout, stderr io.Writer) error {
	if err := training.Check(); err != nil {
		return &codedError{exitAsked, err}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return &codedError{exitAsked, fmt.Errorf("making the folder for the weights: %w", err)}
	}
	device, err := gpu.Open()
	if err != nil {
		return err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	images, test, err := digits(ctx, stderr)
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	fmt.Fprintf(stdout, "Training on %s.\n", device.Adapter())
	if device.Adapter().Kind == shader.Simulated {
		fmt.Fprintln(stderr, "The simulator is by far the slowest way to train. A driver is faster, even without a GPU: wgslab doctor says how to get one.")
	}
	card, err := trained(ctx, device, n, training, images, test, stderr)
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	if err := card.write(ctx, out); err != nil {
		return &codedError{exitNotRight, err}
	}
	fmt.Fprintf(stdout, "Trained in %s: %s of the held-out images right after epoch %d, %s of the test images.\nWrote %s and %s.\n",
		card.took.Round(100*time.Millisecond), percent(card.result.heldOut), card.result.epoch, percent(card.test),
		filepath.Join(out, n.weights), filepath.Join(out, n.card))
	return nil
}

// digits returns MNIST's training images, downloaded if necessary, and its test images.
func digits(ctx context.Context, stderr io.Writer) (train, test mnist.Set, err error) {
	fetching := newFetchProgress(stderr)
	defer fetching.end()
	if train, err = mnist.Train(ctx, mnist.Options{Progress: fetching.report}); err != nil {
		return train, test, fmt.Errorf("training needs MNIST's training images: %w", err)
	}
	test, err = mnist.Test()
	return train, test, err
}

// trained trains a network. It tests the network only after all choices are made.
func trained(ctx context.Context, device *gpu.Device, n trainable, training descent.Settings, images, test mnist.Set, stderr io.Writer) (modelCard, error) {
	progress := newTrainingProgress(stderr, training.Epochs)
	defer progress.end()
	card := modelCard{network: n, training: training, adapter: device.Adapter()}
	started := time.Now()
	var err error
	digits := descent.LabelledImages{Images: images.Images, Labels: images.Labels}
	if card.result, err = n.train(ctx, device, digits, training, progress.report); err != nil {
		return card, err
	}
	card.took = time.Since(started)
	card.test, err = testAccuracy(device, card.result, test)
	return card, err
}

func testAccuracy(device *gpu.Device, trained outcome, test mnist.Set) (float64, error) {
	net, err := trained.open(device)
	if err != nil {
		return 0, err
	}
	defer net.Free()
	probabilities, err := net.Forward(test.Images)
	if err != nil {
		return 0, err
	}
	return network.Accuracy(probabilities, test.Labels), nil
}

func percent(share float64) string { return fmt.Sprintf("%.2f %%", 100*share) }

// trainingProgress shows the progress of a training: a bar on a terminal, otherwise one line per
// epoch.
type trainingProgress struct {
	out    io.Writer
	epochs int
	epoch  int                      // the last one shown
	bar    *progressbar.ProgressBar // nil if out is not a terminal
}

func newTrainingProgress(out io.Writer, epochs int) *trainingProgress {
	return &trainingProgress{out: out, epochs: epochs, bar: newBar(out, 1, "", progressbar.OptionSetPredictTime(true))}
}

func (p *trainingProgress) report(now descent.Progress) {
	p.show(now, now.Epoch > 0, percent(now.HeldOut))
}

// show shows the steps and, once an epoch is measured, its loss and its result on the held-out
// data.
func (p *trainingProgress) show(now descent.Progress, measured bool, heldOut string) {
	line := fmt.Sprintf("epoch %d of %d", now.Epoch, p.epochs)
	if measured {
		line = fmt.Sprintf("%s  loss %.4f  held-out %s", line, now.Loss, heldOut)
	}
	if p.bar != nil {
		p.bar.ChangeMax(now.Steps)
		p.bar.Describe(line)
		_ = p.bar.Set(now.Step) // a closed terminal is no reason to stop
	} else if now.Epoch > p.epoch {
		fmt.Fprintln(p.out, line)
	}
	p.epoch = now.Epoch
}

func (p *trainingProgress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// fetchProgress shows the progress of a download on a terminal.
type fetchProgress struct {
	out  io.Writer
	file string
	bar  *progressbar.ProgressBar // of file; nil before the first file, and if out is not a terminal
}

func newFetchProgress(out io.Writer) *fetchProgress { return &fetchProgress{out: out} }

func (p *fetchProgress) report(file string, done, total int64) {
	if !isTerminal(p.out) {
		return
	}
	if file != p.file {
		p.end()
		p.file = file
		p.bar = newBar(p.out, total, "fetching "+file, progressbar.OptionShowBytes(true))
	}
	_ = p.bar.Set64(done) // a closed terminal is no reason to stop
}

func (p *fetchProgress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// A modelCard describes the origin of weights and their accuracy.
type modelCard struct {
	network  trainable
	training descent.Settings
	result   outcome
	adapter  shader.Adapter
	took     time.Duration
	test     float64 // share of the test images that the network gets right
}

// write writes the weights and the card into a folder: either both completely, or neither.
func (c modelCard) write(ctx context.Context, dir string) error {
	weights, err := c.result.encode(map[string]string{
		"seed":              strconv.FormatUint(uint64(c.training.Seed), 10),
		"held_out_accuracy": strconv.FormatFloat(c.result.heldOut, 'f', 4, 64),
		"test_accuracy":     strconv.FormatFloat(c.test, 'f', 4, 64),
	})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return atomicfile.WriteAll(map[string][]byte{
		filepath.Join(dir, c.network.weights): weights,
		filepath.Join(dir, c.network.card):    []byte(c.text()),
	}, 0o644)
}

func (c modelCard) text() string {
	t, d := c.training, c.training.Distortion
	return fmt.Sprintf(`# %s

A network that reads handwritten digits: %s. It was trained by wgslab's own WGSL shaders (shaders/train and shaders/fused).

| | |
|---|---|
| accuracy on MNIST's 10,000 test images | **%s** |
| accuracy on the %d held-out images | %s, after epoch %d |
| data | MNIST's 60,000 training images (LeCun, Cortes, Burges; CC BY-SA 3.0): the first %d to train on, the last %d held out to choose the epoch. The test images were used only after every choice was made |
| input | pixels in 0..1, white on black, then (pixel − %g) / %g; centred and sized as in MNIST |
| optimiser | Adam (β₁ 0.9, β₂ 0.999, ε 1e-8), batches of %d, learning rate from %g to 0 on a cosine schedule |
| epochs | %d |
| distortion | for each use of an image, at random: rotated by up to %g°, scaled by up to %g %% in x and y, sheared by up to %g, shifted by up to %g px, and distorted elastically: control points 7 px apart move by %g px (standard deviation) |
| seed | %d |
| adapter | %s |
| time | %s |
| command | %s |

## The file
safetensors, float32: %s.
The metadata holds the normalisation as mean and stddev.

## Intended use
Lessons. It knows single digits, centred and sized as in MNIST; it names a digit for any image that it gets.
`,
		c.network.weights, c.network.what, percent(c.test), t.HeldOut, percent(c.result.heldOut), c.result.epoch,
		mnistTrainImages-t.HeldOut, t.HeldOut,
		network.Mean, network.Stddev,
		t.Batch, t.Rate, t.Epochs,
		d.Turn, 100*d.Size, d.Slant, d.Shift, d.Rubber,
		t.Seed, c.adapter, c.took.Round(time.Second), "`"+c.command()+"`", c.network.output)
}

const mnistTrainImages = 60_000

func (c modelCard) command() string {
	t := c.training
	named := ""
	if c.network.flag != "" {
		named = " --network " + c.network.flag
	}
	return fmt.Sprintf("wgslab train%s --epochs %d --batch %d --rate %g --seed %d", named, t.Epochs, t.Batch, t.Rate, t.Seed)
}
