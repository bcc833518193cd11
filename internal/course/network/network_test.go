package network_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
)

// The network reads the first of two images right: its most probable digit is its label.
func ExampleAccuracy() {
	probabilities := make([]float32, 20)
	probabilities[3], probabilities[10+5] = 1, 1
	fmt.Println(network.Accuracy(probabilities, []byte{3, 4}))
	// Output: 0.5
}

func TestAccuracy(t *testing.T) {
	p := make([]float32, 4*network.Outputs)
	for image, digit := range []int{3, 1, 4, 1} {
		p[image*network.Outputs+digit] = 0.5
	}
	require.Equal(t, 0.75, network.Accuracy(p, []byte{3, 1, 4, 7}))
	clear(p) // a network without an answer would give 0
	require.Equal(t, 0.25, network.Accuracy(p, []byte{3, 1, 0, 7}))
}
