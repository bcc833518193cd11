// This file bounds the memory that a process which runs a learner's shader may take. A
// shader can make a compiler, a driver or the simulator take any amount.

package usage

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The memory that a process may write to, in bytes.
const (
	// withoutGPU is four times what the hungriest shader of the zoo needs, and lets a few processes
	// fit on a grading machine.
	withoutGPU = 1 << 30
	// withGPU leaves room for what a GPU's driver maps.
	withGPU = 4 << 30
	// eachThread pays for two stacks, the driver's and Go's.
	eachThread = 16 << 20
)

// For returns the limit of a process with an adapter of the given kind and number of threads. It
// does not depend on the machine's memory: a shader over the limit on one machine is over it on
// every other.
func For(kind shader.AdapterKind, threads int) uint64 {
	limit := uint64(withoutGPU)
	if kind == shader.GPU {
		limit = withGPU
	}
	return limit + uint64(threads)*eachThread
}

// InWords formats a limit for people.
func InWords(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }

// interval is the pause between two looks at the memory.
const interval = 10 * time.Millisecond

// Watch closes full when this process has taken seven eighths of the current limit. A compiler that
// gets no more memory ends the process silently; this leaves time to answer first.
func Watch(ctx context.Context, limit func() uint64) (full <-chan struct{}) {
	closed := make(chan struct{})
	go func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			if taken, ok := Taken(); ok && taken > limit()/8*7 {
				close(closed)
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return closed
}

// Taken returns how many bytes this process may write to, as the kernel counts them against
// RLIMIT_DATA. Only Linux reports it. Elsewhere it is what Go has taken, since no driver is linked.
func Taken() (taken uint64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.Sys - m.HeapReleased, true
	}
	fields := bytes.Fields(text)
	if len(fields) < 6 {
		return 0, false
	}
	pages, err := strconv.ParseUint(string(fields[5]), 10, 64)
	return pages * uint64(os.Getpagesize()), err == nil
}

// expendable is how much likelier than others Linux ends a process that runs shaders, from 0 to
// 1000: like one that holds half of the machine's memory more.
const expendable = "500"

// BeFirstToGo has Linux end this process, and not a kernel or a server, when the machine runs out
// of memory. Of several such processes, the one with the most memory goes. Child processes inherit
// it. Other systems have no such setting.
func BeFirstToGo() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte(expendable), 0) }
