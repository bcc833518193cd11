package serve

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// memory returns the memory of this process in bytes: its resident size if the system reports it,
// otherwise the memory of Go.
func memory() uint64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(raw)); err == nil && len(fields) > 1 {
		if pages, err := strconv.ParseUint(fields[1], 10, 64); err == nil {
			return pages * uint64(os.Getpagesize())
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}
