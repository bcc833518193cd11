//go:build ignore

// Fetches MNIST into wgslab's cache, or verifies the files that WGSLAB_MNIST
// names. The exit status is 1 when that cannot be done.
package main

import (
	"context"
	"log"

	"github.com/wgslab/wgslab/pkg/mnist"
)

func main() {
	log.SetFlags(0)
	ctx := context.Background()
	for _, load := range []func(context.Context, mnist.Options) (mnist.Set, error){mnist.Test, mnist.Train} {
		set, err := load(ctx, mnist.Options{})
		if err != nil {
			log.Fatal(err)
		}
		if set.Reason != nil {
			log.Fatal(set.Reason)
		}
		log.Printf("%s: %d images, verified", set.Source, set.Len())
	}
}
