package draw_test

import "github.com/wgslab/wgslab/pkg/draw"

// The cell shows the page until you interrupt it.
func ExampleLive() {
	draw.Live()
}
