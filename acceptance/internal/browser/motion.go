package browser

import (
	_ "embed"
	"fmt"
)

//go:embed motion.js
var motionJS string

// A Motion is what a watched element did after the first key or click.
type Motion struct {
	Before, Lowest, After float64 // its heights, in pixels
	Moved                 float64 // by how many pixels it moved what is below it, up and down added
	First, Last           float64 // when its new verdict was there, and its last change, in milliseconds
}

// stillFrames is the number of frames without a change after which an element is at rest.
const stillFrames = 20

// Watch watches the element that a JavaScript expression returns.
func (p *Page) Watch(element string) error {
	if _, err := Evaluate[bool](p, fmt.Sprintf("(%s)(%s)", motionJS, element)); err != nil {
		return fmt.Errorf("watching %s: %w", element, err)
	}
	return nil
}

// Motion waits until the watched element shows a new verdict and is at rest. Then it ends the
// watch.
func (p *Page) Motion() (Motion, error) {
	if err := p.Wait(fmt.Sprintf("motion.first !== null && motion.still > %d", stillFrames)); err != nil {
		return Motion{}, err
	}
	return Evaluate[Motion](p, `(({ before, lowest, after, moved, began, first, last }) => {
		globalThis.motion = null;
		return { before, lowest, after, moved, first: first - began, last: last - began };
	})(motion)`)
}
