package gpu

import (
	"bufio"
	"fmt"
	"math"
	"os"
)

// memoryBudget is how many bytes of buffers a device may make in all. A real
// GPU's driver says when its memory is full. A CPU driver takes the machine's,
// a page at a time when it is first touched: it never says no, and the system
// then ends the process. So what was free at Open is the bound. The simulator
// works on a copy of what is bound, which wants the other half.
func memoryBudget(kind Kind) uint64 {
	free, ok := freeMemory("/proc/meminfo")
	switch {
	case kind == GPU || !ok:
		return math.MaxUint64
	case kind == Simulated:
		return free / 2
	}
	return free
}

// freeMemory reads Linux's estimate of what can be had without swapping.
func freeMemory(meminfo string) (bytes uint64, ok bool) {
	file, err := os.Open(meminfo)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var kibibytes uint64
		if n, _ := fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &kibibytes); n == 1 {
			return kibibytes << 10, true
		}
	}
	return 0, false
}
