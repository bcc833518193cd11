package serve

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// memory is how many bytes this process holds: those in memory where the system says
// it, else what Go has.
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
