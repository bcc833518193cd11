package worker

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

// How many bytes a jailed worker may write to.
const (
	// withoutGPU is four times what the hungriest shader of the zoo takes, so that
	// a few workers fit where a class is graded.
	withoutGPU = 1 << 30
	// withGPU has room for what a GPU's driver maps.
	withGPU = 4 << 30
	// eachThread is for two stacks, the driver's and Go's.
	eachThread = 16 << 20
)

// memoryFor is the limit of a worker that runs on such an adapter with as many
// threads. It does not follow what the machine has: a shader that is told off for
// its hunger on one is so on every other.
func memoryFor(kind shader.Kind, threads int) uint64 {
	limit := uint64(withoutGPU)
	if kind == shader.GPU {
		limit = withGPU
	}
	return limit + uint64(threads)*eachThread
}

// inWords writes a limit as people do.
func inWords(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }

// lookAtMemory is how often a worker looks at what it has taken.
const lookAtMemory = 10 * time.Millisecond

// watchMemory closes full when this process has taken seven eighths of the limit.
// A compiler that gets no more ends the process without a word; before it comes to
// that, there is time for one.
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

// memoryTaken is how many bytes this process may write to, as the kernel counts
// them against the limit. Only Linux says so.
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

// A noted engine notes while it compiles.
type noted struct {
	shader.Backend
	compiling *atomic.Bool
}

func (n noted) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	n.compiling.Store(true)
	defer n.compiling.Store(false)
	return n.Backend.Compile(ctx, source)
}
