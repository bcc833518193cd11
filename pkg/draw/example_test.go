package draw_test

import "github.com/wgslab/wgslab/pkg/draw"

// The cell shows the page until you interrupt it.
func ExampleLive() {
	draw.Live()
}

// After lesson 10 the page reads with the network that you trained.
func ExampleLiveWith() {
	draw.LiveWith("work/weights.safetensors")
}

// The network learns an eleventh sign from ten drawings.
func ExampleTeach() {
	draw.Teach("work/weights.safetensors")
}
