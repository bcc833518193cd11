package gpu

import (
	"bufio"
	"fmt"
	"math"
	"os"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// memoryBudget returns the total size in bytes of the buffers that a device may make. A GPU's
// driver reports when its memory is full. A CPU driver takes the machine's memory page by page, on
// first touch. It never refuses, and the system eventually kills the process. The limit is
// therefore the free memory at Open, or half of it for the simulator, which copies the bound
// buffers.
func memoryBudget(kind shader.AdapterKind) uint64 {
	free, ok := freeMemory("/proc/meminfo")
	switch {
	case kind == shader.GPU || !ok:
		return math.MaxUint64
	case kind == shader.Simulated:
		return free / 2
	}
	return free
}

// freeMemory reads Linux's estimate of the memory available without swapping.
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
