package mlp_test

import (
	"fmt"
	"log"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/mlp"
	"github.com/wgslab/wgslab/internal/networks/mnist"
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
	net, err := mlp.New(device, weights)
	if err != nil {
		log.Fatal(err)
	}
	defer net.Free()
	set, err := mnist.Test()
	if err != nil {
		log.Fatal(err)
	}
	probabilities, err := net.Forward(set.Images[:10*mnist.Pixels])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f of 10 right\n", 10*network.Accuracy(probabilities, set.Labels[:10]))
	// Output: 10 of 10 right
}

// Your own shader replaces the network's.
func ExampleWithShaders() {
	device, err := gpu.Open()
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	source, err := exercises.Reference("normalize")
	if err != nil {
		log.Fatal(err)
	}
	weights, err := mlp.Trained()
	if err != nil {
		log.Fatal(err)
	}
	net, err := mlp.New(device, weights, mlp.WithShaders(mlp.Shaders{Normalize: source}))
	if err != nil {
		log.Fatal(err)
	}
	defer net.Free()
	probabilities, err := net.Forward(make([]byte, mnist.Pixels))
	fmt.Println(len(probabilities), err)
	// Output: 10 <nil>
}
