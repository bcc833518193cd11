package digits

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Layers shows the values inside the network for one of MNIST's test images: the image, the hidden
// values after relu, and the ten probabilities. The weights are the trained ones. Layers runs the
// learner's linear, relu and softmax if they are right.
func Layers(image int) {
	net, whose := own()
	set := show.Must(mnist.Test())
	probabilities, _, err := net.ForwardSteps(set.Image(image))
	probabilities = show.Must(probabilities, err)
	show.Display(
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
		show.HeatMap{Title: "the 128 hidden values after relu", Values: show.Must(net.Hidden()), Rows: 8, Cols: 16},
		show.Bars{Title: "the ten probabilities", Source: set.Source, Values: probabilities, Percent: true},
		whose,
	)
}

// own returns the trained network with the learner's linear, relu and softmax. The reference
// replaces each shader that is not right.
func own() (*mlp.Network, show.View) {
	linear, relu, softmax := show.Must(check.Own("linear")), show.Must(check.Own("relu")), show.Must(check.Own("softmax"))
	sources := mlp.Shaders{Linear: linear.Source, Relu: relu.Source, Softmax: softmax.Source}
	net := show.Must(mlp.New(show.Must(gpu.Default()), show.Must(mlp.Trained()), mlp.WithShaders(sources)))
	return net, check.Whose(linear, relu, softmax)
}

// Times shows how long each of the four passes of lesson 6 takes for a number of images. It uses
// the device's clock if there is one; otherwise it times each pass alone by the host's clock. The
// simulator runs a tenth of the images.
func Times(images int) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		images = max(1, images/10) // enough for a picture; the simulator is slow
	}
	net, whose := own()
	passes := show.Must(net.Passes(images))[1:] // without normalize
	var times []float32
	if device.Adapter().Timestamps {
		show.Must(device.Time(passes...)) // once, to warm up
		for _, took := range show.Must(device.Time(passes...)) {
			times = append(times, view.Milliseconds(took))
		}
	} else {
		for _, pass := range passes {
			times = append(times, view.Milliseconds(show.Must(ladder.Median(func() error { return device.Run(pass) }))))
		}
	}
	show.Display(show.Bars{
		Title:  fmt.Sprintf("%s images, milliseconds in each pass", english.Thousands(images)),
		Labels: []string{"1  linear 784 → 128", "2  relu", "3  linear 128 → 10", "4  softmax"},
		Values: times,
	}, whose)
}
