package jail

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/hostile"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A compiler that takes all memory is stopped before the memory runs out, whatever time is left,
// and the verdict says so.
func TestMemory(t *testing.T) {
	bomb := Task{
		Exercise: "add", Name: "add.wgsl", Source: hostile.Shaders()["a bomb of calls"].Source,
		Deadline: 5 * time.Minute, Engine: shader.CPU,
	}
	type result struct {
		TaskResult
		error
		most int64 // bytes
	}
	came := make(chan result)
	go func() { // on a separate thread: its priority stays lowered
		jail, err := New(1, shader.CPU)
		if err != nil {
			came <- result{error: err}
			return
		}
		defer jail.Close()
		r, err := jail.Run(context.Background(), bomb)
		var used syscall.Rusage // of the largest child
		_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used)
		came <- result{r, err, used.Maxrss << 10}
	}()
	r := <-came
	require.NoError(t, r.error)
	require.True(t, r.Full)
	require.Equal(t, verdict.TooMuchToCompile, r.Verdict.Slug)
	require.Equal(t, verdict.StageCompile, r.Verdict.Stage)
	require.Equal(t, "The compiler needed more than 1.0 GiB of memory for the shader and was stopped.", r.Verdict.Message)
	require.NotEmpty(t, r.Verdict.Why)
	// On a busy machine the watch may come too late, and the kernel's limit holds. It doesn't count
	// pages of files, which the program and the driver are.
	const files = 128 << 20
	require.Less(t, r.most, int64(usage.For(shader.CPU, 1)+files))
}

// Counting the costs of a right shader may fail: then it has no marks, and the verdict says why.
func TestACountThatFails(t *testing.T) {
	marks, fault := waitFor(t.Context(), nil, func(context.Context) cost.Marks { return cost.Marks{{Name: "coalesced"}} })
	require.Len(t, marks, 1)
	require.Empty(t, fault)
	marks, fault = waitFor(t.Context(), nil, func(context.Context) cost.Marks { panic("boom") })
	require.Empty(t, marks)
	require.Contains(t, fault, "boom")
}
