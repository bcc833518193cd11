package host

import "github.com/wgslab/wgslab/internal/ground/view"

// OfFunction returns "": the page has learners' programs in JavaScript, and needs no parser of Go.
func OfFunction(any) string { return "" }

// NewIn returns the program as it is.
func NewIn(program, _, _ string) (string, view.View) { return program, nil }

// keepGo has nothing to do in the page.
func keepGo(own, _ string) (string, error) { return own, nil }
