package jail

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Confines reports whether a jailed process can reach neither the network nor other programs.
const Confines = true

// confine removes this process's access to everything that checking a shader does not need.
func confine() error {
	if err := lowerLimits(); err != nil {
		return err
	}
	if err := filterCalls(); err != nil {
		return fmt.Errorf("shutting off the network and other processes: %w", err)
	}
	return nil
}

// keepFiles keeps from later children what this program inherited, such as files that a shell holds
// open. Go keeps those that it opens itself.
func keepFiles() error {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("listing open files: %w", err)
	}
	for _, file := range files {
		if fd, err := strconv.Atoi(file.Name()); err == nil && fd > unix.Stderr {
			unix.CloseOnExec(fd)
		}
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
