// Package learn trains the course's network in a notebook cell, with your own kernels where they
// are right and the reference for the others.
//
//	learn.Live(5)
//
// The functions display their results in the running cell. A function that fails displays the error
// and ends the cell.
package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/networks/cellrun"
	"github.com/wgslab/wgslab/internal/networks/epochs"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/show/plot"
)

// Weights is the file that Live keeps the weights in.
var Weights = filepath.Join(learner.Dir, "weights.safetensors")

// Live trains the network for n epochs while you watch: the loss, the share of test images that
// it reads right, the weights of its neurons, and ten digits that it reads again after each epoch.
// When you stop the cell, it keeps the weights, and the next run goes on from them.
func Live(n int) { LiveAt(epochs.DefaultRate, n) }

// LiveAt is Live with another learning rate.
func LiveAt(rate float64, n int) {
	ctx, done := cellrun.Stoppable()
	defer done()
	l := live{status: show.NewPlace(), curve: show.NewPlace(), share: show.NewPlace(), ten: show.NewPlace(), neurons: show.NewPlace()}
	l.status.Show(show.Note{Title: "Checking which of your kernels pass…"})
	begin := show.Must(epochs.Kept(Weights))
	if l.goesOn = begin != nil; !l.goesOn {
		begin = epochs.Initial(rand.Uint32())
	}
	device := show.Must(gpu.Default())
	learn, test := sets(device.Adapter().Kind)
	l.TrainingLoop = show.Must(epochs.Open(ctx, device, learner.Dir, begin, learn, test, float32(rate)))
	l.Seed = rand.Uint64()
	if cellrun.Unattended() {
		n = min(n, 1) // no one watches
	}
	if err := l.run(ctx, n); err != nil && !errors.Is(err, context.Canceled) {
		l.status.Show(show.Failure(err))
		os.Exit(1)
	}
}

// Nudges checks your gradients on the device. It moves a few weights of a new network by 0.01, up
// and down, and compares the slope of the loss with the gradient that your kernels compute. The
// network's weights are large beside 0.01, so that a nudge rarely crosses the bend of relu.
func Nudges() {
	show.While("Nudging weights", func(step func(string)) ([]show.View, error) {
		device, err := gpu.Default()
		if err != nil {
			return nil, err
		}
		step("checking which of your kernels pass")
		learn, test := sets(device.Adapter().Kind)
		s, err := epochs.Open(context.Background(), device, learner.Dir, mlp.Initial(1), learn, test, epochs.DefaultRate)
		if err != nil {
			return nil, err
		}
		step("comparing slopes")
		nudges, err := s.Nudges(3, nudge)
		if err != nil {
			return nil, err
		}
		table := show.Table{
			Caption: fmt.Sprintf("The mean loss of %d images, with one weight moved by %g", s.Batch, nudge),
			Headers: []string{"weight", "loss, a little less", "loss, a little more", "slope", "your gradient"},
		}
		for _, n := range nudges {
			table.Rows = append(table.Rows, []any{n.Weight, n.Down, n.Up, n.Slope, n.Gradient})
		}
		return []show.View{table, check.Whose(s.Shaders...)}, nil
	})
}

const nudge = 0.01

// Curves trains a new network twice for a few dozen steps, on the same images in the same order:
// once with your sgd, once with your adam, each with its rate. It plots the loss of each batch.
// Nothing is kept.
func Curves(sgdRate, adamRate float64) {
	ctx, done := cellrun.Stoppable()
	defer done()
	device := show.Must(gpu.Default())
	learn := show.Must(mnist.Test()).First(shippedToLearn)
	picture := show.NewPlace()
	picture.Show(show.Note{Title: "Training twice…"})
	c, err := epochs.Descend(ctx, device, learner.Dir, epochs.Initial(curveSeed), learn, float32(sgdRate), float32(adamRate), curveSeed, func(c *epochs.Curves) {
		if (len(c.SGD)+len(c.Adam))%curveEvery == 0 {
			picture.Show(curves(c))
		}
	})
	if errors.Is(err, context.Canceled) {
		return
	}
	if err != nil {
		picture.Show(show.Failure(err))
		os.Exit(1)
	}
	picture.Show(curves(c))
	show.Display(check.Whose(c.Shaders...))
}

const (
	curveSeed  = 1  // of the weights, and of the order of the images
	curveEvery = 10 // steps between two pictures
)

// curves shows the losses of two trainings, of which the second may not have ended.
func curves(c *epochs.Curves) plot.Lines {
	l := plot.Lines{
		Title: fmt.Sprintf("The loss of each batch of %d images, by two ways downhill", c.Batch), X: "step", Y: "loss",
		Names: []string{"sgd", "adam"}, Values: [][]float32{c.SGD, slices.Clone(c.Adam)},
	}
	for i := range c.SGD {
		l.At = append(l.At, float32(i+1))
		if i >= len(c.Adam) {
			l.Values[1] = append(l.Values[1], float32(math.NaN()))
		}
	}
	return l
}

// shippedToLearn is how many of the digits that ship a training learns from; the rest are its test.
const shippedToLearn = 9000

// sets returns the images to learn from and those to test with.
func sets(kind gpu.Kind) (learn, test mnist.Set) {
	if learn, test, ok := full(); ok && kind != gpu.Simulated {
		return learn, test
	}
	all := show.Must(mnist.Test())
	learn, test = all.First(shippedToLearn), mnist.Set{Source: all.Source, Images: all.Images[shippedToLearn*mnist.Pixels:], Labels: all.Labels[shippedToLearn:]}
	if kind == gpu.Simulated {
		learn, test = learn.First(simulatorLearn), test.First(simulatorTest)
	}
	return learn, test
}

// live shows a training in the running cell.
type live struct {
	*epochs.TrainingLoop
	status, curve, share, ten, neurons show.Place
	goesOn                             bool // from weights of an earlier run

	n      int // epochs of this run
	began  time.Time
	steps  []float32 // of each point of the loss, in epochs
	losses []float32
	tests  []float32 // of each test, in epochs: before the first, after each, and when the cell is stopped
	right  []float32 // percent
}

// run trains, and keeps the weights after each epoch and when the cell is stopped.
func (l *live) run(ctx context.Context, n int) error {
	l.n = n
	l.curve.Show(show.Note{Title: "The loss appears here after the first steps."}) // above the others
	if err := l.look(); err != nil {
		return err
	}
	for range n {
		l.began = time.Now()
		err := l.Epoch(ctx, l.report)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err := l.keep(); err != nil {
			return err
		}
		if err := l.look(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			l.say("Stopped. Run the cell again to go on from here.")
			return ctx.Err()
		}
	}
	l.say("Done. Run the cell again to go on from here.")
	return nil
}

func (l *live) keep() error {
	w, err := l.TrainingLoop.Weights()
	if err != nil {
		return err
	}
	return epochs.Keep(Weights, w)
}

// report shows the loss so far, and how long an epoch takes.
func (l *live) report(done int, loss float64) {
	l.steps = append(l.steps, float32(l.Trained))
	l.losses = append(l.losses, float32(loss))
	epoch := time.Since(l.began) * time.Duration(l.Steps()) / time.Duration(done)
	l.say(fmt.Sprintf("Epoch %d of %d, step %d of %d. An epoch takes about %s here.",
		l.Epochs+1, l.n, done, l.Steps(), epoch.Round(100*time.Millisecond)))
	l.curve.Show(plot.Lines{Title: "The loss of the latest batch", X: "epochs", Y: "loss", At: l.steps, Names: []string{"loss"}, Values: [][]float32{l.losses}})
}

// say shows what the training is doing, on which images and with whose kernels.
func (l *live) say(what string) {
	card := check.Whose(l.Shaders...)
	card.Title = what
	rows := [][2]string{
		{"device", l.Adapter().String()},
		{"learns from", fmt.Sprintf("%s of %s", english.Thousands(l.Learn.Len()), l.Learn.Source)},
		{"is tested on", english.Thousands(l.Test.Len()) + l.others()},
		{"weights", l.whence()},
	}
	card.Rows = append(rows, card.Rows...)
	l.status.Show(card)
}

// others names the test images: from the source of those that it learns from, they are others.
func (l *live) others() string {
	if l.Test.Source == l.Learn.Source {
		return " others of " + l.Test.Source
	}
	return " of " + l.Test.Source
}

// whence says where the weights begin, and where they end up.
func (l *live) whence() string {
	begin := "from random ones"
	if l.goesOn {
		begin = "from those of the last run; delete the file to begin again"
	}
	if !epochs.Keeps {
		return begin
	}
	return fmt.Sprintf("in %s, %s", filepath.ToSlash(Weights), begin)
}

// look reads the test images, and shows what has become of the network.
func (l *live) look() error {
	probabilities, right, err := l.Read()
	if err != nil {
		return err
	}
	w, err := l.TrainingLoop.Weights()
	if err != nil {
		return err
	}
	l.tests, l.right = append(l.tests, float32(l.Trained)), append(l.right, float32(100*right))
	l.share.Show(plot.Lines{
		Title: fmt.Sprintf("%.1f %% of the test images read right %s", 100*right, l.when()),
		X:     "epochs", Y: "%", At: l.tests, Names: []string{"read right"}, Values: [][]float32{l.right},
	})
	l.ten.Show(l.readings(probabilities))
	l.neurons.Show(neurons(w))
	return nil
}

// when says which network the tests are of: the training goes on until the next one.
func (l *live) when() string {
	if l.Trained == 0 {
		return "before the training"
	}
	n := strconv.FormatFloat(math.Round(100*l.Trained)/100, 'f', -1, 64)
	if n == "1" {
		return "after 1 epoch"
	}
	return "after " + n + " epochs"
}

// readings shows the first ten test images with the network's answers.
func (l *live) readings(probabilities []float32) show.Digits {
	first := l.Test.First(10)
	d := show.Digits{Title: "Ten of the test images, as the network read them " + l.when(), Source: first.Source, Images: first.Images, Labels: first.Labels}
	classes := len(probabilities) / l.Test.Len()
	for i := range first.Len() {
		row := probabilities[i*classes : (i+1)*classes]
		best := network.MostProbable(row)
		d.Read, d.Confidence = append(d.Read, uint32(best)), append(d.Confidence, row[best])
	}
	return d
}

// neurons shows the weights of each hidden neuron as a picture of 28 × 28, in rows of 16.
func neurons(w *mlp.Weights) show.HeatMap {
	const across, side = 16, mnist.Side
	h := show.HeatMap{Title: "What the 128 hidden neurons look for: blue counts against, orange for", Rows: mlp.Hidden / across * side, Cols: across * side}
	h.Values = make([]float32, h.Rows*h.Cols)
	for pixel := range mlp.Inputs {
		for neuron := range mlp.Hidden {
			row, col := neuron/across*side+pixel/side, neuron%across*side+pixel%side
			h.Values[row*h.Cols+col] = w.W1[pixel*mlp.Hidden+neuron]
		}
	}
	return h
}
