//go:build !windows

package jail

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// limits bound the machine's resources that one shader may use.
var limits = []struct {
	name     string
	resource int
	value    uint64
}{
	{"the size of a file", unix.RLIMIT_FSIZE, fileLimit},
	{"open files", unix.RLIMIT_NOFILE, 256},
	{"core dumps", unix.RLIMIT_CORE, 0},
}

// limitTime limits this process's CPU time.
func limitTime(most time.Duration) error {
	if err := lower(unix.RLIMIT_CPU, uint64(most/time.Second)); err != nil {
		return fmt.Errorf("limiting time: %w", err)
	}
	return nil
}

func lowerLimits() error {
	for _, l := range limits {
		if err := lower(l.resource, l.value); err != nil {
			return fmt.Errorf("limiting %s: %w", l.name, err)
		}
	}
	return nil
}

// lower sets a limit, unless a lower one is already set.
func lower(resource int, value uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	value = min(value, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value})
}
