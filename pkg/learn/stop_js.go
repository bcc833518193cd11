package learn

import (
	"context"

	"github.com/wgslab/wgslab/internal/digits/mnist"
)

// A page's simulator has one core, and uses even fewer of the digits that ship.
const (
	simulatorLearn = 100
	simulatorTest  = 50
)

// stoppable returns a context that never ends: the page stops a cell by ending its worker.
func stoppable() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

// unattended reports whether no one watches the cell.
func unattended() bool { return false }

// full returns nothing: a page has only the images that ship.
func full() (learn, test mnist.Set, ok bool) { return learn, test, false }
