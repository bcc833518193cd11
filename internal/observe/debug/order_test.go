package debug_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/debug"
)

// disorderly are shaders whose result depends on the order of the invocations, because of races,
// atomics, and barriers that only some reach. They use every kind of statement.
var disorderly = []string{`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: atomic<u32>;
var<workgroup> tile: array<u32, 8>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
  let at = atomicAdd(&next, 1u);
  tile[(i * 3u) % 4u] += at + group.x;
  out[at % arrayLength(&out)] = i;
  if (i % 3u == 0u) { workgroupBarrier(); tile[i] = out[i]; }
  out[(i + 1u) % 16u] += tile[7u - i];
}
`, `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: u32;
var<workgroup> count: u32;
var<private> mine: u32 = 3u;
struct Pair { a: u32, b: vec2u }
fn bump(p: ptr<function, Pair>, by: u32) -> u32 {
  (*p).b.y += by;
  mine += (*p).b.y;
  return mine;
}
@compute @workgroup_size(4, 2)
fn main(@builtin(local_invocation_index) i: u32, @builtin(local_invocation_id) id: vec3u) {
  var pair = Pair(1u, vec2u(i, 2u));
  loop {
    if (pair.a > 5u) { break; }
    switch (pair.a % 3u) {
      case 0u: { count += bump(&pair, i); }
      case 1u, default: { next = next * 3u + i; continue; }
    }
    continuing {
      pair.a += 1u;
      break if count > 90u;
    }
  }
  let all = workgroupUniformLoad(&count);
  for (var k = 0u; k < id.x; k++) { out[k] = out[k] * 2u + all; }
  while (pair.b.x > 0u) { pair.b.x -= 1u; out[8u + pair.b.x] += bump(&pair, 1u); }
}
`}

// TestStepsKeepTheOrder checks that any commands compute the results of Program.Run, even for
// shaders that race.
func TestStepsKeepTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.SampledFrom(disorderly).Draw(t, "shader")
		one := target(t, code, [3]uint32{3, 1, 1}, words(16), words(1))
		want := []sim.BoundBuffer{{Binding: 0, Data: words(16)}, {Binding: 1, Data: words(1)}}
		_, err := one.Program.Run(context.Background(), one.Workgroups, want, sim.Options{Watch: true})
		require.NoError(t, err)
		require.NotEqual(t, words(16), want[0].Data)
		s, err := debug.New(context.Background(), one)
		require.NoError(t, err)
		s.StopAtFindings(rapid.Bool().Draw(t, "errors"), rapid.Bool().Draw(t, "remarks"))
		s.SetBreakpoints([]*debug.Breakpoint{{ID: 1, Line: rapid.IntRange(1, 30).Draw(t, "line")}})
		ways := []debug.Move{debug.Start, debug.Continue, debug.StepIn, debug.StepOver, debug.StepOut, debug.Back, debug.ReverseContinue}
		for range rapid.IntRange(0, 40).Draw(t, "commands") {
			if rapid.IntRange(0, 4).Draw(t, "look") == 0 {
				group := [3]uint32{rapid.Uint32Range(0, 2).Draw(t, "group")}
				require.NoError(t, s.Enter(context.Background(), group, rapid.IntRange(0, 7).Draw(t, "invocation")))
			}
			do(s, rapid.SampledFrom(ways).Draw(t, "way"))
		}
		require.NotEmpty(t, state(t, s))
		s.SetBreakpoints(nil)
		s.StopAtFindings(false, false)
		require.Equal(t, debug.Finished, do(s, debug.Continue).Reason)
		s.Write()
		for i := range want {
			require.True(t, bytes.Equal(want[i].Data, one.Buffers[i].Data), "binding %d", i)
		}
	})
}

// TestCheckpoints checks that a run that has dropped many checkpoints still goes back to the same
// moments.
func TestCheckpoints(t *testing.T) {
	s := session(t, sums, [3]uint32{24, 1, 1}, words(96))
	s.Space(200)
	require.NoError(t, s.Enter(context.Background(), [3]uint32{20, 0, 0}, 2))
	s.SetBreakpoints([]*debug.Breakpoint{{ID: 1, Line: 4}, {ID: 2, Line: 13}})
	var states []string
	for range 5 {
		do(s, debug.Continue)
		states = append(states, state(t, s))
	}
	assert.Greater(t, s.Checkpoints(), 10)
	assert.LessOrEqual(t, s.Checkpoints(), 32)
	for i := len(states) - 2; i >= 0; i-- {
		do(s, debug.ReverseContinue)
		require.Equal(t, states[i], state(t, s))
	}
	require.NoError(t, s.Enter(context.Background(), [3]uint32{1, 0, 0}, 3))
	assert.Equal(t, "1 3 9", here(s))
	assert.Equal(t, debug.Beginning, do(s, debug.ReverseContinue).Reason)
	assert.Zero(t, s.Moment())
}
