package show

// Display shows views in the running cell, one below the other, and returns once
// they have reached the notebook. Outside a notebook it prints their text to the
// standard output.
func Display(views ...View) {
	for _, view := range views {
		send(view, "")
	}
	sync()
}

// A Place in the running cell shows one view at a time.
type Place struct{ id string }

// NewPlace makes a place, which is there from its first Show on.
func NewPlace() Place { return Place{uniqueID()} }

// Show replaces what the place shows, and returns once that has reached the
// notebook. Outside a notebook it prints the view's text.
func (p Place) Show(view View) {
	send(view, p.id)
	sync()
}
