package cellrun

import "context"

// Stoppable returns a context that never ends: the page stops a cell by ending its worker.
func Stoppable() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

// Unattended reports whether no one watches the cell.
func Unattended() bool { return false }
