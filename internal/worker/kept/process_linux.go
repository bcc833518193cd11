package kept

import "syscall"

// dying ends a worker with the thread that has started it. The group of its own keeps
// an interrupt that is meant for the kernel from it.
func dying() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
