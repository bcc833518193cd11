// Package childprocess ends child processes together with the program that started them.
package childprocess

import (
	"os/exec"
	"syscall"
)

// EndWithParent makes the kernel kill a command when the thread that starts it ends, so that the
// command never outlives this program. The caller must keep that thread. The command gets a process
// group of its own, so that an interrupt of this program does not reach it.
func EndWithParent(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
