package draw_test

import "github.com/wgslab/wgslab/pkg/draw"

// The cell shows the page until it is interrupted.
func ExampleLive() {
	draw.Live()
}
