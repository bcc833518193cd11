// Command pause waits until it receives a signal to end. The node's container engine starts it
// first in each pod, where it holds the pod's network.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	<-told
}
