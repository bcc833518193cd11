// Command pause does nothing until it is told to end. It is what the node's
// container engine starts first in each pod, to hold the pod's network.
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
