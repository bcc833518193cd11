package jail

import (
	"fmt"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// Confines reports whether a jailed process can reach neither the network nor other programs.
const Confines = true

// forbidden lists the system calls that reach outside the process: the network, other programs,
// other processes. A driver that runs a shader needs none of them.
var forbidden = []string{
	"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
	"io_uring_setup", "io_uring_enter", "io_uring_register", // could do the same in another way
	"execve", "execveat", "kill", "pidfd_send_signal", "pidfd_open", "ptrace", "process_vm_readv", "process_vm_writev",
	"mount", "umount2", "unshare", "setns", "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "userfaultfd",
}

// confine removes this process's access to everything that checking a shader does not need.
func confine() error {
	if err := lowerLimits(); err != nil {
		return err
	}
	filter := seccomp.Filter{
		NoNewPrivs: true,
		Flag:       seccomp.FilterFlagTSync, // for every thread, including running ones
		Policy: seccomp.Policy{
			DefaultAction: seccomp.ActionAllow,
			Syscalls:      []seccomp.SyscallGroup{{Names: forbidden, Action: seccomp.ActionErrno}},
		},
	}
	if err := seccomp.LoadFilter(filter); err != nil {
		return fmt.Errorf("shutting off the network: %w", err)
	}
	return nil
}

// limitMemory limits the memory that this process may write to.
func limitMemory(bytes uint64) error {
	if err := lower(unix.RLIMIT_DATA, bytes); err != nil {
		return fmt.Errorf("limiting memory: %w", err)
	}
	return nil
}

// renice raises the calling thread's niceness to niceness, unless it is higher already: lowering
// it needs a privilege.
func renice(niceness int) error {
	now, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		return fmt.Errorf("reading the priority: %w", err)
	}
	if 20-now >= niceness { // the system call returns 20 minus the niceness
		return nil
	}
	if err := unix.Setpriority(unix.PRIO_PROCESS, 0, niceness); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}
