//go:build !js

package course

import "github.com/wgslab/wgslab/pkg/show"

var noDriver = show.Note{
	Title: "No driver for WebGPU here",
	Body: "This cell needs a driver, so it shows nothing here. All checks and all cells that use pkg/gpu still run, in the simulator. " +
		"To find out how to install a driver, run this in a terminal:",
	Code: "wgslab doctor",
}
