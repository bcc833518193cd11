//go:build !windows

package serve

import (
	"syscall"
	"time"
)

// processorTime returns the CPU time of this process.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // can't fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
