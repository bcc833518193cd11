package serve

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A guard ends this worker when a shader takes too much memory, or when something runs on after the
// answer: a driver's compiler, or a shader that the driver doesn't stop.
type guard struct {
	replies *workerpool.Replies
	limit   atomic.Uint64 // in bytes
	warm    atomic.Bool   // the device is open

	unwatch context.CancelFunc // ends the watch over the memory; nil without one
	looks   int                // since the last task
	used    time.Duration      // CPU time at the last look
}

const (
	// lookEvery is the interval at which the guard looks at a worker without a task.
	lookEvery = 5 * time.Second
	// mayUse is the CPU time that a worker may use in that interval: a tenth of one core.
	mayUse = lookEvery / 10
)

// newGuard returns a guard that expects a GPU until it knows the adapter: a GPU's driver maps much
// memory when it opens.
func newGuard(replies *workerpool.Replies) *guard {
	g := &guard{replies: replies}
	g.limit.Store(usage.For(shader.GPU, runtime.NumCPU()))
	return g
}

// opened tells the guard the adapter.
func (g *guard) opened(kind shader.AdapterKind) {
	g.limit.Store(usage.For(kind, runtime.NumCPU()))
	g.warm.Store(true)
}

// begin watches the memory from the begin of a task until the worker is quiet.
func (g *guard) begin() {
	g.looks = 0
	if g.unwatch != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	g.unwatch = cancel
	full := usage.Watch(ctx, g.limit.Load) // the device may open meanwhile
	go func() {
		select {
		case <-full:
			_ = g.replies.Hungry(usage.InWords(g.limit.Load())) // if the pool is gone, this process ends anyway
			os.Exit(1)
		case <-ctx.Done():
		}
	}()
}

// large reports whether the worker holds so much memory that the next task had little left.
func (g *guard) large() bool {
	taken, ok := usage.Taken()
	return ok && taken > g.limit.Load()/2
}

// look reports whether a worker that had no task for lookEvery runs on nevertheless. For the first
// lookEvery after a task it may: the driver compiles a shader ahead of its check.
func (g *guard) look() (runsOn bool) {
	if !g.warm.Load() {
		return false
	}
	before := g.used
	g.used, _ = usage.OfProcess()
	g.looks++
	switch {
	case g.looks == 1:
		return false
	case g.used-before > mayUse:
		return true
	case g.unwatch != nil:
		g.unwatch()
		g.unwatch = nil
		debug.FreeOSMemory()
		g.used, _ = usage.OfProcess()
	}
	return false
}
