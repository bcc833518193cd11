package worker

import (
	"fmt"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// limits bound what one shader may use of the machine.
var limits = []struct {
	name     string
	resource int
	value    uint64
}{
	{"the size of a file", unix.RLIMIT_FSIZE, 64 << 20},
	{"open files", unix.RLIMIT_NOFILE, 256},
	{"core dumps", unix.RLIMIT_CORE, 0},
}

// forbidden are the system calls that reach out of the process: the network,
// other programs, other processes. A driver that runs a shader needs none of them.
var forbidden = []string{
	"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
	"io_uring_setup", "io_uring_enter", "io_uring_register", // would do the same another way
	"execve", "execveat", "kill", "pidfd_send_signal", "pidfd_open", "ptrace", "process_vm_readv", "process_vm_writev",
	"mount", "umount2", "unshare", "setns", "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "userfaultfd",
}

// confine takes from this process what the check of a shader does not need.
func confine() error {
	for _, l := range limits {
		if err := lower(l.resource, l.value); err != nil {
			return fmt.Errorf("limiting %s: %w", l.name, err)
		}
	}
	filter := seccomp.Filter{
		NoNewPrivs: true,
		Flag:       seccomp.FilterFlagTSync, // for every thread, those that run already too
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

// limitMemory bounds what this process may write to.
func limitMemory(bytes uint64) error {
	if err := lower(unix.RLIMIT_DATA, bytes); err != nil {
		return fmt.Errorf("limiting memory: %w", err)
	}
	return nil
}

// lower sets a limit, unless a lower one is there already.
func lower(resource int, value uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	value = min(value, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value})
}

// renice sets the calling thread's niceness, unless it is higher already: back down not everybody may go.
func renice(niceness int) error {
	now, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		return fmt.Errorf("reading the priority: %w", err)
	}
	if 20-now >= niceness { // the system call gives 20 less the niceness
		return nil
	}
	if err := unix.Setpriority(unix.PRIO_PROCESS, 0, niceness); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}
