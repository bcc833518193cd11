package bench

import (
	"errors"
	"os"
	"syscall"
)

// peakMemory returns the most memory that a process used, in MiB.
func peakMemory(ended *os.ProcessState) (float64, error) {
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, errors.New("this system does not report how much memory a program used")
	}
	return float64(usage.Maxrss) / 1024, nil
}
