//go:build !js

package learn

import (
	"context"
	"os"

	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/pkg/show"
)

// The simulator uses fewer of the digits that ship: a step takes it about half a second.
const (
	simulatorLearn = 500
	simulatorTest  = 100
)

// full returns MNIST's 60,000 training images and 10,000 test images, if WGSLAB_MNIST names a
// folder that holds them.
func full() (learn, test mnist.Set, ok bool) {
	if os.Getenv("WGSLAB_MNIST") == "" {
		return learn, test, false
	}
	return show.Must(mnist.Train(context.Background(), mnist.Options{})), show.Must(mnist.Test()), true
}
