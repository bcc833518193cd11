//go:build !js

package cellrun

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Stoppable returns a context that ends when the reader interrupts the cell.
func Stoppable() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// Unattended reports whether no one watches the cell.
func Unattended() bool { return os.Getenv(Variable) != "" }
