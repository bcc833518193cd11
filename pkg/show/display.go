package show

import "github.com/wgslab/wgslab/internal/ground/view"

// Display shows views in the running cell, one below the other. It returns once they have reached
// the notebook. Outside a notebook it prints their text to standard output.
func Display(views ...View) {
	for _, v := range views {
		send(v, view.PlaceOf(v))
	}
	sync()
}

// A Place in the running cell shows one view at a time.
type Place struct{ id string }

// NewPlace makes a place. It appears in the cell at the first call of Show.
func NewPlace() Place { return Place{uniqueID()} }

// Show replaces the view in the place, and returns once the view has reached the notebook. Outside
// a notebook it prints the view's text.
func (p Place) Show(view View) {
	send(view, p.id)
	sync()
}
