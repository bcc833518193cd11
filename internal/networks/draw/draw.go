// Package draw shows a page on which you draw a digit and a network of your own shaders
// reads it. In a notebook, Live serves the page from 127.0.0.1 inside the cell; on the
// course's site a Web Worker runs the network. Serve and NewExport do the work of
// `wgslab draw` and `wgslab export`.
package draw

import "github.com/wgslab/wgslab/internal/ground/view"

// Exercises lists the exercises whose shaders read a drawing, in the order of their first pass.
var Exercises = []string{"downsample", "normalize", "linear", "relu", "softmax"}

// Author says whose shader of an exercise reads a drawing.
type Author struct {
	Name string `json:"name"`
	Own  bool   `json:"own"` // true for the learner's shader, false for the reference
}

// Files says which weights read a drawing.
type Files struct {
	Weights string // to begin with; "" means those that ship
	Keep    string // for weights that learned a sign; "" if the page only reads
	Filters bool   // the network with filters that ships reads as well, beside the plain one

	Attention bool // and so does the transformer
}

// preparing is what a cell shows before the page.
var preparing = view.Note{Title: "Checking which of your shaders pass…"}
