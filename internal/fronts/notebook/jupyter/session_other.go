//go:build !windows

package jupyter

import "syscall"

// errUnsupported says why this system can't run kernels; nil if it can.
var errUnsupported error

// ownSession makes a process the leader of a session.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func killGroup(leader int) error { return syscall.Kill(-leader, syscall.SIGKILL) }

func interruptGroup(leader int) error { return syscall.Kill(-leader, syscall.SIGINT) }

func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
