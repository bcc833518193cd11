package mnist_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/networks/mnist"
)

// First is for programs that have no time for all digits.
func ExampleSet_First() {
	few := mnist.Drawn().First(3)
	fmt.Println(few.Len(), few.Labels, len(few.Images), few.First(10).Len())
	// Output: 3 [0 1 2] 2352 3
}

// Digits that need no files: code draws them, the same each time.
func ExampleDrawn() {
	set := mnist.Drawn()
	fmt.Println(set.Len(), set.Source, set.Labels[:10])
	// Output:
	// 300 drawn digits [0 1 2 3 4 5 6 7 8 9]
}

// A stroke across a sheet: its middle is ink, its corner is not.
func ExampleRasterise() {
	across := mnist.Stroke{{X: 0.2, Y: 0.5}, {X: 0.8, Y: 0.5}}
	const side = 112
	sheet := mnist.Rasterise([]mnist.Stroke{across}, side, 0.1)
	fmt.Println(sheet[side/2*side+side/2], sheet[0])
	// Output: 255 0
}

// The strokes of a digit depend only on the state of the random numbers.
func ExampleStrokes() {
	first := mnist.Strokes(rand.New(rand.NewPCG(7, 8)), 4)
	again := mnist.Strokes(rand.New(rand.NewPCG(7, 8)), 4)
	fmt.Println(len(first) == len(again), first[0][0] == again[0][0])
	// Output: true true
}

// Shrink keeps the sheet as it is; Frame centres the drawing, as MNIST does.
func ExampleFrame() {
	const side = 112
	inTheCorner := mnist.Stroke{{X: 0.1, Y: 0.1}, {X: 0.1, Y: 0.3}}
	sheet := mnist.Rasterise([]mnist.Stroke{inTheCorner}, side, 0.1)
	small, framed := mnist.Shrink(sheet, side, side), mnist.Frame(sheet, side, side)
	const middle = mnist.Side/2*mnist.Side + mnist.Side/2
	fmt.Println("in the middle of the sheet there is ink:", small[middle] > 0)
	fmt.Println("in the middle of the frame there is ink:", framed[middle] > 0)
	// Output:
	// in the middle of the sheet there is ink: false
	// in the middle of the frame there is ink: true
}

func ExampleShrink() {
	const side = 56 // each pixel is the mean of 2 × 2
	sheet := make([]byte, side*side)
	sheet[0], sheet[1] = 200, 100
	small := mnist.Shrink(sheet, side, side)
	fmt.Println(small[0], small[1])
	// Output: 75 0
}
