// Package draw shows a page in a notebook cell. On the page you draw a digit, and a network of your
// own shaders reads it.
//
// The package is the face of internal/networks/draw, which makes the page.
package draw

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/networks/draw"
	"github.com/wgslab/wgslab/pkg/show"
)

// Sign is the file in which Teach keeps the weights.
var Sign = filepath.Join(learner.Dir, "sign.safetensors")

// Live shows the page in the running cell until you interrupt the cell. If it fails, it ends the
// cell with an error.
func Live() { live(draw.Files{}) }

// LiveWith is Live with weights of your own, such as those that lesson 10 keeps in
// work/weights.safetensors.
func LiveWith(weights string) { live(draw.Files{Weights: weights}) }

// Teach is LiveWith, and the network also learns a sign that you draw ten times. It keeps the new
// weights in work/sign.safetensors. If there is no file of weights, it begins with those that ship.
func Teach(weights string) {
	if _, err := os.Stat(weights); errors.Is(err, fs.ErrNotExist) {
		weights = ""
	}
	live(draw.Files{Weights: weights, Keep: Sign})
}

// Both is Live, and the network with filters reads every drawing as well. Below the sheet you see
// what its filters see.
func Both() { live(draw.Files{Filters: true}) }

// All is Both, and the transformer reads every drawing as well. You see where each patch of your
// digit looks, in each head and layer, and can switch heads off.
func All() { live(draw.Files{Filters: true, Attention: true}) }

func live(files draw.Files) {
	place := show.NewPlace()
	err := draw.Live(files, place.Show, show.KernelGone)
	if err == nil {
		return
	}
	place.Show(show.Note{Mark: show.Bad, Title: "The page could not be shown", Body: err.Error()})
	os.Exit(1)
}
