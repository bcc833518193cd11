package fence_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/fence"
)

func explode() { panic("boom") }

func TestAround(t *testing.T) {
	done := false
	require.Empty(t, fence.Around(func() { done = true }))
	require.True(t, done)
	fault := fence.Around(explode)
	require.Regexp(t, `^boom\n`, fault)
	require.Contains(t, fault, "fence_test.explode", "the stack says where")
}

// A panic in a goroutine comes back to the code that waits, with the stack of the goroutine.
func TestAGoroutineThatPanics(t *testing.T) {
	require.Equal(t, 7, (<-fence.Start(func() int { return 7 })).Value())
	o := <-fence.Start(func() int { explode(); return 7 })
	require.True(t, o.Failed())
	fault := fence.Around(func() { o.Value() })
	require.Regexp(t, `^boom\n`, fault)
	require.Contains(t, fault, "fence_test.explode")

	// Through a second goroutine it is still the first stack.
	again := <-fence.Start(func() int { return o.Value() })
	require.Equal(t, fault, fence.Around(func() { again.Value() }))
}

func TestOutcomes(t *testing.T) {
	require.Equal(t, 7, fence.Of(7).Value())
	require.False(t, fence.Of(7).Failed())
	require.True(t, fence.Try(func() int { explode(); return 7 }).Failed())
}

// A group waits for all its goroutines, and panics once in the end.
func TestAGroupThatPanics(t *testing.T) {
	var g fence.Group
	var ended atomic.Int32
	begun, hold := make(chan struct{}), make(chan struct{})
	for range 3 {
		g.Go(func() {
			begun <- struct{}{}
			<-hold
			ended.Add(1)
		})
	}
	for range 3 {
		<-begun
	}
	failed := make(chan struct{})
	g.Go(func() {
		defer close(failed)
		explode()
	})
	<-failed
	close(hold)
	require.Contains(t, fence.Around(g.Wait), "fence_test.explode")
	require.EqualValues(t, 3, ended.Load())
	var whole fence.Group
	whole.Go(func() { ended.Add(1) })
	whole.Wait()
	require.EqualValues(t, 4, ended.Load())
}

// A limited group runs at most so many at a time, and a panic holds up nobody: what has not begun
// is left out.
func TestALimitedGroup(t *testing.T) {
	g := fence.Limited(2)
	var running, most, begun atomic.Int32
	for range 100 {
		g.Go(func() {
			begun.Add(1)
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			running.Add(-1)
		})
	}
	g.Wait()
	require.EqualValues(t, 100, begun.Load())
	require.LessOrEqual(t, most.Load(), int32(2))

	one := fence.Limited(1)
	begun.Store(0)
	for range 100 {
		one.Go(func() {
			begun.Add(1)
			explode()
		})
	}
	require.Contains(t, fence.Around(one.Wait), "boom")
	require.EqualValues(t, 1, begun.Load())
}
