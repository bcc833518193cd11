package mlp_test

import (
	"fmt"
	"log"

	"github.com/wgslab/wgslab/internal/digits/mlp"
	"github.com/wgslab/wgslab/internal/digits/mnist"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/shaders"
)

func ExampleTrained() {
	weights, err := mlp.Trained()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(weights.W1), len(weights.B1), len(weights.W2), len(weights.B2))
	// Output: 100352 128 1280 10
}

// The network that ships reads ten digits of MNIST.
func ExampleNew() {
	device, err := gpu.Open()
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	weights, err := mlp.Trained()
	if err != nil {
		log.Fatal(err)
	}
	network, err := mlp.New(device, weights)
	if err != nil {
		log.Fatal(err)
	}
	defer network.Free()
	set, err := mnist.Test()
	if err != nil {
		log.Fatal(err)
	}
	probabilities, err := network.Forward(set.Images[:10*mnist.Pixels])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f of 10 right\n", 10*mlp.Accuracy(probabilities, set.Labels[:10]))
	// Output: 10 of 10 right
}

// Your own shader replaces the network's.
func ExampleWithShaders() {
	device, err := gpu.Open()
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	source, err := shaders.Source("normalize")
	if err != nil {
		log.Fatal(err)
	}
	weights, err := mlp.Trained()
	if err != nil {
		log.Fatal(err)
	}
	network, err := mlp.New(device, weights, mlp.WithShaders(mlp.Shaders{Normalize: source}))
	if err != nil {
		log.Fatal(err)
	}
	defer network.Free()
	probabilities, err := network.Forward(make([]byte, mnist.Pixels))
	fmt.Println(len(probabilities), err)
	// Output: 10 <nil>
}

// The network reads the first of two images right: its most probable digit is its label.
func ExampleAccuracy() {
	probabilities := make([]float32, 20)
	probabilities[3], probabilities[10+5] = 1, 1
	fmt.Println(mlp.Accuracy(probabilities, []byte{3, 4}))
	// Output: 0.5
}
