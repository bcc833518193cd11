package machinecode

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An asked context ends at a CPU time, and measures the CPU time between two looks at it.
type asked struct {
	context.Context
	end, last, longest time.Duration
}

func (a *asked) Err() error {
	now, _ := usage.OfProcess()
	a.longest = max(a.longest, now-a.last)
	if a.last = now; now > a.end {
		return context.Canceled
	}
	return nil
}

// longCases are shaders that run for hours.
var longCases = []struct {
	name, code string
	workgroups [3]uint32
}{
	{"a loop", `
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 1u; k * k != 2; k += 2) { out[i] = k; }
}`, [3]uint32{1, 1, 1}},
	{"a loop of slow functions", `
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 1u; k * k != 2; k += 2) { out[i] = u32(sin(f32(k)) + pow(f32(k), 1.3) + cos(f32(k))); }
}`, [3]uint32{1, 1, 1}},
	{"a loop with a barrier", `
var<workgroup> n: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
  loop { n[i] += 2; if (workgroupUniformLoad(&n[3]) == 1) { break; } }
}`, [3]uint32{1, 1, 1}},
	{"a loop with a function of subgroups", `
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 1u; k * k != 2; k += 2) { out[i] += subgroupAdd(k); }
}`, [3]uint32{1, 1, 1}},
	{"a loop that copies a buffer", `
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 1u; k * k != 2; k += 2) { var x = out; x[k % 9] = k; out = x; }
}`, [3]uint32{1, 1, 1}},
	{"a loop that copies arrays of its own", `
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  var y: array<u32, 2000>;
  for (var k = 1u; k * k != 2; k += 2) { var x = y; y[i] += x[i + 1] + k; }
  out[i] = y[i];
}`, [3]uint32{1, 1, 1}},
	{"many workgroups", `
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) { out[i] = group.x; }
`, [3]uint32{65535, 65535, 1}},
	{"many workgroups with much memory", `
var<workgroup> n: array<u32, 4096>;
var<private> own: array<u32, 2000>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3<u32>) { n[group.x % 7] = own[group.x % 5]; }
`, [3]uint32{65535, 65535, 1}},
}

// A dispatch looks at its context after 100 ms at the latest, so an interrupt ends it by then.
func TestDispatchesStop(t *testing.T) {
	for _, c := range longCases {
		source := "enable subgroups;\n@group(0) @binding(0) var<storage, read_write> out: array<u32, 2000>;" + c.code
		p, err := sim.CompileEntry(shader.ReadWith("test.wgsl", source, types.AllFeatures).At("main"), nil, false)
		require.NoError(t, err)
		for _, watch := range []bool{false, true} {
			run := func(steps uint64, lasts time.Duration) (time.Duration, error) {
				now, known := usage.OfProcess()
				if !known {
					t.Skip("this system doesn't tell CPU times")
				}
				ctx := &asked{t.Context(), now + lasts, now, 0}
				_, err := p.Run(ctx, c.workgroups, []sim.BoundBuffer{{Data: counting(2000)}}, sim.Options{Watch: watch, Compile: sim.Always, Steps: steps, Cores: 1})
				return ctx.longest, err
			}
			_, err := run(100, time.Minute) // compiles
			require.NoError(t, err)
			longest, err := run(1<<60, 20*time.Millisecond)
			require.ErrorIs(t, err, context.Canceled, c.name)
			assert.Less(t, longest, 100*time.Millisecond, "%s, watched: %t", c.name, watch)
		}
	}
}

// Compiling goes on without the dispatch that waits for it if the context ends.
func TestDispatchesStopWhileTheyCompile(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("a page has one thread, which ends with what it waits for")
	}
	ctx, cancel := context.WithCancel(t.Context())
	left, compiled := make(chan struct{}), make(chan struct{})
	whileCompiling = func() {
		defer close(compiled)
		cancel()
		select {
		case <-left:
		case <-time.After(10 * time.Second):
		}
	}
	p, err := sim.CompileEntry(shader.Read("test.wgsl", "@group(0) @binding(0) var<storage, read_write> out: array<u32>;"+longCases[0].code).At("main"), nil, false)
	require.NoError(t, err)
	_, err = p.Run(ctx, [3]uint32{1, 1, 1}, []sim.BoundBuffer{{Data: counting(8)}}, sim.Options{Compile: sim.Always, Steps: 1 << 60})
	require.ErrorIs(t, err, context.Canceled)
	select {
	case <-compiled:
		t.Error("it waited for the compiler")
	default:
	}
	close(left)
	<-compiled
	whileCompiling = nil
}
