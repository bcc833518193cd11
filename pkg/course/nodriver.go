//go:build !js

package course

import "github.com/wgslab/wgslab/pkg/show"

var noDriver = show.Note{
	Title: "No driver for WebGPU here",
	Body: "This cell speaks to one and has nothing to show. All cells that use pkg/gpu and all checks run here, in the simulator. " +
		"How to get a driver, a terminal says:",
	Code: "wgslab doctor",
}
