// Package draw shows a page in a notebook cell. On the page you draw a digit, and a network of your
// own shaders reads it.
package draw

import (
	"os"

	"github.com/wgslab/wgslab/internal/digits/draw"
	"github.com/wgslab/wgslab/pkg/show"
)

// Live shows the page in the running cell until you interrupt the cell. If it fails, it ends the
// cell with an error.
func Live() { LiveWith("") }

// LiveWith is Live with weights of your own, such as those that lesson 10 keeps in
// work/weights.safetensors.
func LiveWith(weights string) {
	place := show.NewPlace()
	err := draw.Live(weights, place.Show, show.KernelGone)
	if err == nil {
		return
	}
	place.Show(show.Note{Mark: show.Bad, Title: "The page could not be shown", Body: err.Error()})
	os.Exit(1)
}
