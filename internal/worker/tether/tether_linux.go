// Package tether ends a worker with the program that has started it, however that ends.
package tether

import (
	"os/exec"
	"syscall"
)

// Tie has a command, once started, end with the thread that starts it, and so with this
// program: the caller keeps that thread. The group of its own keeps an interrupt that is
// meant for this program from it.
func Tie(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
