// Package cost shows in a notebook cell what your shader costs on a GPU: how long it takes at
// least, which limit decides, and how the reference compares.
//
// The simulator counts on the large case of the exercise, so you need no GPU.
//
// The package is the face of internal/observe/cost, which counts.
package cost

import (
	"context"

	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise shows what your shader for an exercise costs on a laptop's integrated GPU. If this
// machine has a GPU, Exercise shows its cost there, and the time that it takes. If the shader is
// missing or does not run, Exercise tells you what to do; the cell does not fail.
func Exercise(id string) {
	device, err := gpu.Open()
	if err == nil {
		defer device.Close()
	}
	show.Display(ladder.Costs(context.Background(), device, id, load)...)
}

// Beside shows what two ways to compute something cost, on each GPU of a table: your shaders for
// two exercises, on the exercise's large case. You can give sizes, and several passes that run one
// after the other: "scores t=256 + softmax rows=2048 cols=256". If yours is missing or does not
// run, the reference is counted. On a GPU, Beside also shows the time that each takes.
func Beside(one, other string) {
	device, err := gpu.Open()
	if err == nil {
		defer device.Close()
	}
	show.Display(ladder.Beside(context.Background(), device, one, other, load)...)
}

// Roofline plots your shaders for up to five exercises, joined by "+", under the roof of a laptop's
// integrated GPU.
func Roofline(exercises string) {
	show.Display(goals.Roofline(context.Background(), cost.Usual, exercises, load)...)
}

// On shows the same for another GPU: "macbook", "gaming", "radeon", "h100" or "h200".
func On(id, device string) { show.Display(goals.Views(id, device, load)...) }

func load(id string) (*shader.Source, error) { return learner.Load(id, shader.ReadCell) }
