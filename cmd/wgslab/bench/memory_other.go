//go:build !linux

package bench

import (
	"errors"
	"os"
)

// peakMemory fails: each system counts memory in its own unit, and the bounds are Linux's.
func peakMemory(*os.ProcessState) (float64, error) {
	return 0, errors.New("bench measures memory only on Linux")
}
