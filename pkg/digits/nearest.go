package digits

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// In the simulator, Nearest takes at most so many examples and images: one comparison is 784 steps.
const mostExamples, mostAsked = 200, 50

// Nearest reads images with your quiz-nearest, and the network reads the same ones. MNIST's first
// test images are the examples, and their labels the answers. The images to read are its last.
func Nearest(examples, images int) {
	set := allTestImages()
	if show.Must(gpu.Default()).Adapter().Kind == gpu.Simulated {
		examples, images = min(examples, mostExamples), min(images, mostAsked)
	}
	images = min(max(images, 1), set.Len()-1)
	examples = min(max(examples, 1), set.Len()-images) // no image is its own example
	nearest := show.Must(check.Own("quiz-nearest"))
	known, first := set.First(examples), set.Len()-images
	asked := mnist.Set{Source: set.Source, Images: set.Images[first*mnist.Pixels:], Labels: set.Labels[first:]}
	found := show.Must(gpu.Compute[uint32](nearest.Source, gpu.Elements(images),
		gpu.Members{images, examples, mnist.Pixels}, whole(asked), whole(known), gpu.Out(images)))
	right := 0
	for i, e := range found {
		if int(e) < examples && known.Labels[e] == asked.Labels[i] {
			right++
		}
	}
	network := readBuiltIn(asked)
	of := func(n int) string {
		return fmt.Sprintf("%d of %d right (%.1f %%)", n, images, 100*float64(n)/float64(images))
	}
	show.Display(show.Card{Title: "The same images, read in two ways", Rows: [][2]string{
		{fmt.Sprintf("the nearest of %d examples", examples), of(right)},
		{"the network", of(images - len(network.wrong()))},
		{"quiz-nearest", nearest.Whose()},
	}})
}

// whole returns the pixels of a set as whole numbers.
func whole(set mnist.Set) []int32 {
	numbers := make([]int32, len(set.Images))
	for i, p := range set.Images {
		numbers[i] = int32(p)
	}
	return numbers
}
