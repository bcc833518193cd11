package course

import "github.com/wgslab/wgslab/pkg/show"

var noDriver = show.Note{
	Title: "No WebGPU in this browser",
	Body:  "This cell needs WebGPU, so it shows nothing here. All checks and all cells that use pkg/gpu still run, in the simulator.",
}
