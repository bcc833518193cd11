package serve

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine/memlimit"
	"github.com/wgslab/wgslab/internal/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/shader"
)

// burn uses as much CPU as a worker without a task may.
func burn() {
	for begun := processorTime(); processorTime()-begun <= mayUse; {
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
	taken, ok := memlimit.Taken()
	require.True(t, ok)
	g.limit.Store(taken)
	require.True(t, g.large())
}
