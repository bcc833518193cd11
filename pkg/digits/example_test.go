package digits_test

import "github.com/wgslab/wgslab/pkg/digits"

func ExampleTest() {
	r := digits.Test()
	r.Score()      // how many are right, and whose shaders read
	r.First(40)    // what it reads, and how surely
	r.Mistakes(40) // the surest first
	r.Confused()   // who is taken for whom
	r.Doubtful()   // the image that it was least sure of
}

// A normalize of one's own takes part even where it does not pass its check.
func ExampleTestWith() {
	digits.TestWith("work/scaled.wgsl").Score()
}

// Drawings that are from 0.4 to 0.8 of their sheet high.
func ExampleSheets() {
	asItIs, framed := digits.Sheets(300, 0.4, 0.8)
	asItIs.First(20)
	framed.First(20)
}

func ExampleDrawn() { digits.Drawn().First(20) }

func ExampleImages() { digits.Images(40) }

func ExampleLayers() { digits.Layers(0) }

func ExampleTimes() { digits.Times(1000) }
