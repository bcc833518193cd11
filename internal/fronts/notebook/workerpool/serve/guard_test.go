package serve

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// burn uses as much CPU as a worker without a task may.
func burn() {
	began, _ := usage.OfProcess()
	for now := began; now-began <= mayUse; now, _ = usage.OfProcess() {
	}
}

func TestAGuardSeesWhatRunsOn(t *testing.T) {
	g := newGuard(workerpool.NewReplies(io.Discard))
	burn()
	require.False(t, g.look(), "it opens its device")
	g.opened(shader.CPU)
	g.begin()
	burn()
	require.False(t, g.look(), "the driver compiles ahead")
	require.False(t, g.look(), "nothing runs")
	require.Nil(t, g.unwatch)
	burn()
	require.True(t, g.look())

	g.begin() // a task may use what it needs
	burn()
	require.False(t, g.look())
	burn()
	require.True(t, g.look())
}

func TestAGuardKnowsTheAdaptersLimit(t *testing.T) {
	g := newGuard(workerpool.NewReplies(io.Discard))
	unknown := g.limit.Load()
	g.opened(shader.GPU)
	require.Equal(t, unknown, g.limit.Load())
	g.opened(shader.CPU)
	require.Less(t, g.limit.Load(), unknown)
	require.False(t, g.large())
	taken, ok := usage.Taken()
	require.True(t, ok)
	g.limit.Store(taken)
	require.True(t, g.large())
}

// hoards in the environment makes this program a worker that takes memory until its guard ends it.
const hoards = "WGSLAB_TEST_HOARDS"

func TestMain(m *testing.M) {
	if os.Getenv(hoards) == "" {
		os.Exit(m.Run())
	}
	g := newGuard(workerpool.NewReplies(os.Stdout))
	g.begin()
	taken, _ := usage.Taken()
	g.limit.Store(taken + 256<<20) // known once the task has begun
	var held [][]byte
	for range 1024 {
		held = append(held, bytes.Repeat([]byte{1}, 1<<20))
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(held)
}

func TestAGuardEndsAHungryWorker(t *testing.T) {
	worker := exec.Command(os.Args[0])
	worker.Env = append(os.Environ(), hoards+"=1")
	said, err := worker.Output()
	require.ErrorContains(t, err, "exit status 1")
	require.Contains(t, string(said), " GiB", "it says the limit")
	require.Less(t, worker.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, int64(700<<10), "in KiB")
}
