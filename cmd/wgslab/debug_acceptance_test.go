//go:build acceptance

package main

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wideShader has 256 invocations in a workgroup, which share a tile in workgroup memory.
const wideShader = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> tile: array<f32, 256>;
@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var round = 0u; round < 400u; round++) {
    tile[i] = a[(round * 256u + i) % arrayLength(&a)];
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) {
      sum += tile[(i / 16u) * 16u + k];
    }
    workgroupBarrier();
  }
  out[id.y * 16u + id.x] = sum;
}
`

// debugClient is a client of the program as it ships, built without the race detector, so its waits
// are those of a learner.
type debugClient struct {
	t    *testing.T
	send func(command string, arguments any)
	from *bufio.Reader
}

func openEditor(t *testing.T) *debugClient {
	t.Helper()
	program := filepath.Join(t.TempDir(), "wgslab")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	adapter := exec.CommandContext(t.Context(), program, "dap")
	in, err := adapter.StdinPipe()
	require.NoError(t, err)
	stdout, err := adapter.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, adapter.Start())
	t.Cleanup(func() { in.Close(); adapter.Wait() }) //nolint:errcheck // it may have been killed
	seq := 0
	send := func(command string, arguments any) {
		seq++
		raw, err := json.Marshal(map[string]any{"seq": seq, "type": "request", "command": command, "arguments": arguments})
		require.NoError(t, err)
		require.NoError(t, dap.WriteBaseMessage(in, raw))
	}
	return &debugClient{t: t, send: send, from: bufio.NewReader(stdout)}
}

// until reads messages up to the next of a kind.
func until[M dap.Message](e *debugClient) M {
	e.t.Helper()
	for {
		m, err := dap.ReadProtocolMessage(e.from)
		require.NoError(e.t, err)
		if right, ok := m.(M); ok {
			return right
		}
	}
}

func (e *debugClient) step(command string) time.Duration {
	begun := time.Now()
	e.send(command, map[string]any{"threadId": 1})
	until[*dap.StoppedEvent](e)
	return time.Since(begun)
}

// panel requests everything that an editor shows after a stop, and opens every variable.
func (e *debugClient) panel() time.Duration {
	begun := time.Now()
	e.send("threads", nil)
	until[*dap.ThreadsResponse](e)
	e.send("stackTrace", map[string]any{"threadId": 1})
	frame := until[*dap.StackTraceResponse](e).Body.StackFrames[0].Id
	e.send("scopes", map[string]any{"frameId": frame})
	read := 0
	for _, scope := range until[*dap.ScopesResponse](e).Body.Scopes {
		for _, v := range e.variables(scope.VariablesReference) {
			if read++; v.VariablesReference > 0 {
				read += len(e.variables(v.VariablesReference))
			}
		}
	}
	require.Greater(e.t, read, 40)
	return time.Since(begun)
}

func (e *debugClient) variables(reference int) []dap.Variable {
	e.send("variables", map[string]any{"variablesReference": reference})
	return until[*dap.VariablesResponse](e).Body.Variables
}

// TestWhatADebuggerMayTake: a stop fills the panel within 150 ms, a step with 256 invocations in
// the workgroup takes 50.
func TestWhatADebuggerMayTake(t *testing.T) {
	path := shaderFile(t, wideShader)
	e := openEditor(t)
	e.send("initialize", map[string]any{"adapterID": "wgsl"})
	e.send("launch", map[string]any{"program": path, "bind": []string{"0=f32[4096]", "1=f32[4096]"}})
	until[*dap.InitializedEvent](e)
	e.send("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{map[string]any{"line": 9}}})
	e.send("configurationDone", nil)
	until[*dap.StoppedEvent](e)
	e.send("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{}})

	var steps, panels []time.Duration
	for range 10_000 { // one in eighteen lets 255 others come to a barrier
		steps = append(steps, e.step("next"))
	}
	for range 20 {
		e.step("next")
		panels = append(panels, e.panel())
	}
	back := e.step("stepBack")
	t.Logf("of 10,000 steps the median takes %v, the slowest in a hundred %v; a panel %v; back %v", share(steps, 0.5), share(steps, 0.99), share(panels, 0.5), back)
	assert.Less(t, share(steps, 0.99), 50*time.Millisecond)
	assert.Less(t, share(panels, 0.5), 150*time.Millisecond)
	assert.Less(t, back, 500*time.Millisecond)
}

// share returns the time that the given share of the times does not exceed.
func share(times []time.Duration, of float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[int(of*float64(len(sorted)-1))]
}
