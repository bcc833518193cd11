package jail

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/wgslab/wgslab/internal/shader"
)

// The memory that a jailed process may write to, in bytes.
const (
	// withoutGPU is four times what the hungriest shader of the zoo needs, and lets a few processes
	// fit on a grading machine.
	withoutGPU = 1 << 30
	// withGPU leaves room for what a GPU's driver maps.
	withGPU = 4 << 30
	// eachThread pays for two stacks, the driver's and Go's.
	eachThread = 16 << 20
)

// memoryFor returns the limit of a jailed process with an adapter of the given kind and number of threads.
// It does not depend on the machine's memory: a shader over the limit on one machine is over it on
// every other.
func memoryFor(kind shader.Kind, threads int) uint64 {
	limit := uint64(withoutGPU)
	if kind == shader.GPU {
		limit = withGPU
	}
	return limit + uint64(threads)*eachThread
}

// inWords formats a limit for people.
func inWords(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }

// lookAtMemory is the interval at which a jailed process checks its memory.
const lookAtMemory = 10 * time.Millisecond

// watchMemory closes full when this process has taken seven eighths of the limit. A compiler that
// gets no more memory ends the process silently; this leaves time to answer first.
func watchMemory(ctx context.Context, limit uint64) (full <-chan struct{}) {
	closed := make(chan struct{})
	go func() {
		tick := time.NewTicker(lookAtMemory)
		defer tick.Stop()
		for {
			if taken, ok := memoryTaken(); ok && taken > limit/8*7 {
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

// memoryTaken returns how many bytes this process may write to, as the kernel counts them against
// the limit. Only Linux reports it.
func memoryTaken() (taken uint64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(text)
	if len(fields) < 6 {
		return 0, false
	}
	pages, err := strconv.ParseUint(string(fields[5]), 10, 64)
	return pages * uint64(os.Getpagesize()), err == nil
}

// A noted backend records whether it is compiling.
type noted struct {
	shader.Backend
	compiling *atomic.Bool
}

func (n noted) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	n.compiling.Store(true)
	defer n.compiling.Store(false)
	return n.Backend.Compile(ctx, source)
}
