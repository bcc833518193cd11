package digits_test

import (
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/digits"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

func ExampleTest() {
	r := digits.Test()
	r.Score()      // how many are right, and the shaders' authors
	r.First(40)    // the answers, and how certain they are
	r.Mistakes(40) // the most certain first
	r.Confused()   // which digits get mixed up
	r.Doubtful()   // the image that the network is least certain of
}

// Host reads with your function for host-digits and your own shaders.
func ExampleHost() {
	readDigits := func(device *wgpu.Device, shaders map[string]check.HostShader, images, hidden, classes int, pixels, file []byte, at map[string]int) (probabilities []float32, digits []uint32) {
		return nil, nil // here are your lines
	}
	digits.Host(readDigits).Score()
}

// Yours shows more of what Host has read.
func ExampleYours() { digits.Yours().Mistakes(40) }

// TestWith uses your own normalize even if it does not pass its check.
func ExampleTestWith() {
	digits.TestWith("work/scaled.wgsl").Score()
}

// The height of these drawings is from 0.4 to 0.8 of their sheet's.
func ExampleSheets() {
	asItIs, framed := digits.Sheets(300, 0.4, 0.8)
	asItIs.First(20)
	framed.First(20)
}

func ExampleDrawn() { digits.Drawn().First(20) }

func ExampleImages() { digits.Images(40) }

func ExampleLayers() { digits.Layers(0) }

func ExampleTimes() { digits.Times(1000) }

func ExampleEdges() { digits.Edges(0) }

func ExampleFilters() { digits.Filters(0) }

func ExampleDuels() { digits.Duels(300) }

func ExamplePatches() { digits.Patches(0) }

func ExampleGeluError() { digits.GeluError() }

func ExampleLooks() { digits.Looks(0) }

func ExampleAttention() { digits.Attention(0) }

func ExampleLooksFrom() { digits.LooksFrom(0, 5) }

func ExampleWithoutHeads() { digits.WithoutHeads(1000) }

func ExampleOneWalk() { digits.OneWalk(20) }

func ExampleContest() { digits.Contest(300) }
