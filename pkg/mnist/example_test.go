package mnist_test

import (
	"fmt"
	"log"
	"slices"

	"github.com/wgslab/wgslab/pkg/mnist"
)

func ExampleTest() {
	set, err := mnist.Test()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Len(), set.Source)
	fmt.Println(set.Labels[:10], len(set.Image(0)))
	// Output:
	// 10000 MNIST test images
	// [7 2 1 0 4 1 4 9 5 9] 784
}

// A 5 on a sheet of 280 × 280 values, 0 for paper and 1 for ink.
func ExampleDrawing() {
	sheet := mnist.Drawing(3, 5, 280)
	fmt.Println(len(sheet), sheet[0], slices.Max(sheet))
	// Output: 78400 0 1
}
