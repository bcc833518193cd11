package digits

import (
	"context"

	"github.com/wgslab/wgslab/internal/networks/cnn"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/why"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/show"
)

// Why shows why the network reads one of MNIST's test images as it does: the pixels that counted,
// and the way from the probability back to them, with the lines of your shaders on the way. Your
// shaders run in the simulator.
func Why(image int) {
	explain(image, why.Exercises, func(sources map[string]string, pixels []byte) (*why.Traced, error) {
		return why.Plain(show.Must(mlp.Trained()), sources, pixels)
	})
}

// WhyFilters is Why for the network with filters.
func WhyFilters(image int) {
	explain(image, cnn.Exercises, func(sources map[string]string, pixels []byte) (*why.Traced, error) {
		return why.Filters(show.Must(cnn.Trained()), sources, pixels)
	})
}

func explain(image int, exercises []string, network func(sources map[string]string, pixels []byte) (*why.Traced, error)) {
	sources, whose := ownOf(exercises)
	set := show.Must(mnist.Test())
	n := show.Must(network(sources, set.Image(image)))
	answer := show.Must(n.Ask(context.Background(), show.Must(n.Best(context.Background()))))
	show.Display(append([]show.View{
		show.Digits{Source: set.Source, Images: set.Image(image), Labels: set.Labels[image : image+1]},
	}, append(answer.Views(), check.Whose(whose...))...)...)
}

// ownOf returns the learner's shaders of exercises by id, and their authors. The reference replaces
// each shader that is not right.
func ownOf(exercises []string) (sources map[string]string, whose []check.Shader) {
	sources = map[string]string{}
	for _, id := range exercises {
		own := show.Must(check.Own(id))
		sources[id] = own.Source
		whose = append(whose, own)
	}
	return sources, whose
}
