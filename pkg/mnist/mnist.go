// Package mnist provides handwritten digits for a notebook's cell.
//
// A digit is a white drawing of 28×28 bytes, row by row, from 0 for black to 255 for white.
//
// The package is the face of internal/networks/mnist.
package mnist

import "github.com/wgslab/wgslab/internal/networks/mnist"

// Set holds images of digits with their labels.
type Set = mnist.Set

// Test returns MNIST's 10,000 test images, which ship with the course. It returns an error if the
// shipped files are not MNIST's.
func Test() (Set, error) { return mnist.Test() }

// Drawing returns a digit, 0 to 9, in a random hand on a sheet of side × side values, row by row,
// from 0 for paper to 1 for ink. The same seed gives the same drawing.
func Drawing(seed uint64, digit, side int) []float32 { return mnist.Drawing(seed, digit, side) }
