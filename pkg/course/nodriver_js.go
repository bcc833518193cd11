package course

import "github.com/wgslab/wgslab/pkg/show"

var noDriver = show.Note{
	Title: "No WebGPU in this browser",
	Body:  "This cell speaks to it and has nothing to show. All cells that use pkg/gpu and all checks run here, in the simulator.",
}
