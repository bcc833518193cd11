package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
)

// debugged runs wgslab debug with lines on its standard input.
func debugged(t *testing.T, lines string, args ...string) (int, string, string) {
	t.Helper()
	root := newRootCommand()
	root.SetIn(strings.NewReader(lines))
	var out, said strings.Builder
	root.SetOut(&out)
	root.SetErr(&said)
	root.SetArgs(append([]string{"debug"}, args...))
	if err := root.ExecuteContext(t.Context()); err != nil {
		return exitAsked, out.String(), err.Error()
	}
	return exitOK, out.String(), said.String()
}

// TestDebugTakesTheFirstCaseThatFails: a shader without a guard is right where the workgroups cover
// the array exactly.
func TestDebugTakesTheFirstCaseThatFails(t *testing.T) {
	right, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	code, stdout, stderr := debugged(t, "", "vector-add", shaderFile(t, right), "--seed", "1")
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "vector-add, n = 64, seed 1")
	wrong := strings.Replace(right, "out[i] =", "out[i % 64u] =", 1)
	require.NotEqual(t, right, wrong)
	code, stdout, stderr = debugged(t, "run\n", "vector-add", shaderFile(t, wrong), "--seed", "1")
	require.Equal(t, exitOK, code, stderr)
	assert.NotContains(t, stdout, "n = 1, ")
	code, stdout, _ = debugged(t, "break 5\n", "vector-add", shaderFile(t, wrong), "--seed", "1", "--case", "n = 63")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, stdout, "n = 63")
}

func TestDebugWithOverrides(t *testing.T) {
	code, stdout, stderr := debugged(t, "break 6 if i == 3u\nrun\nprint scale\nq\n", "-", shaderFile(t, scaled), "--bind", "0=f32[4]", "--override", "size=4", "--override", "7=0.5")
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "Invocation 3,0,0 of workgroup 0,0,0 at line 6")
	assert.Contains(t, stdout, "\n0.5\n")
}

// A flag that would change nothing is refused.
func TestDebugRefusesFlags(t *testing.T) {
	path := shaderFile(t, addOne)
	for _, args := range [][]string{
		{"vector-add", path, "--bind", "0=u32[5]"}, {"vector-add", path, "--override", "N=1"}, {"vector-add", path, "--entry", "other"},
		{"vector-add", path, "--workgroups", "2"}, {"-", path, "--seed", "1"}, {"-", path, "--case", "n = 1"},
	} {
		code, _, stderr := debugged(t, "", args...)
		assert.Equal(t, exitAsked, code, args)
		assert.Contains(t, stderr, args[2]+" works only with ", args)
	}
}

func TestDebugWithBuffers(t *testing.T) {
	code, stdout, stderr := debugged(t, "break 5 if id.x == 3u\nrun\nprint x[id.x]\nn\nout\nq\n", "-", shaderFile(t, addOne), "--bind", "0=u32[5]", "--bind", "1=u32:9,9,9,9,9")
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "Invocation 3,0,0 of workgroup 0,0,0 at line 5")
	assert.Contains(t, stdout, "\n3u\n")
	code, stdout, _ = debugged(t, "run\nc\n", "-", shaderFile(t, addOne), "--bind", "0=u32[5]", "--bind", "1=u32:9,9,9,9,9", "--write", "out[4]")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, stdout, "Invocation 4,0,0 of workgroup 0,0,0 writes out[4] here: 9u becomes 5u.")
	code, stdout, _ = debugged(t, "run\n", "-", shaderFile(t, addOne), "--bind", "0=u32[5]", "--bind", "1=u32[5]", "--break", "5")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, stdout, "Invocation 0,0,0 of workgroup 0,0,0 at line 5")
}

func TestDebugAskedWrongly(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "arg"},
		{[]string{"-"}, "after the dash"},
		{[]string{"forward", shaderFile(t, addOne)}, "written in Go"},
		{[]string{"vector-ad"}, "vector-add"},
		{[]string{"add", "/no/where.wgsl"}, "there is no file"},
		{[]string{"-", shaderFile(t, addOne)}, "nothing is bound"},
		{[]string{"-", shaderFile(t, addOne), "--bind", "0=u32[5]", "--bind", "1=u32[5]", "--write", "out[5]"}, "there is no out[5]"},
		{[]string{"-", shaderFile(t, addOne), "--bind", "0=u32[5]", "--bind", "1=u32[5]", "--break", "400"}, "line 400: "},
		{[]string{"-", shaderFile(t, "fn main( {}")}, "try.wgsl:1:"},
		{[]string{"-", shaderFile(t, addOne), "--workgroups", "x"}, "is not a number from 1 to 65535"},
	} {
		code, _, stderr := debugged(t, "", c.args...)
		assert.Equal(t, exitAsked, code, c.args)
		assert.Contains(t, stderr, c.says, c.args)
	}
}

// TestDapIsAProcess speaks to the program as an editor does: over its standard input and output.
func TestDapIsAProcess(t *testing.T) {
	path := shaderFile(t, addOne)
	adapter := exec.Command(os.Args[0], "dap")
	in, err := adapter.StdinPipe()
	require.NoError(t, err)
	out, err := adapter.StdoutPipe()
	require.NoError(t, err)
	var stderr strings.Builder
	adapter.Stderr = &stderr
	require.NoError(t, adapter.Start())
	deadline := time.AfterFunc(20*time.Second, func() { adapter.Process.Kill() })
	defer deadline.Stop()
	seq := 0
	send := func(command string, arguments any) {
		seq++
		raw, err := json.Marshal(map[string]any{"seq": seq, "type": "request", "command": command, "arguments": arguments})
		require.NoError(t, err)
		require.NoError(t, dap.WriteBaseMessage(in, raw))
	}
	from := bufio.NewReader(out)
	until := func(right func(dap.Message) bool) {
		for {
			m, err := dap.ReadProtocolMessage(from)
			require.NoError(t, err, stderr.String())
			if right(m) {
				return
			}
		}
	}
	send("initialize", map[string]any{"adapterID": "wgsl"})
	send("launch", map[string]any{"program": path, "bind": []string{"0=u32[5]", "1=u32[5]"}})
	until(func(m dap.Message) bool { _, ok := m.(*dap.InitializedEvent); return ok })
	send("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": []any{map[string]any{"line": 5}}})
	send("configurationDone", nil)
	until(func(m dap.Message) bool { _, ok := m.(*dap.StoppedEvent); return ok })
	send("stackTrace", map[string]any{"threadId": 1})
	until(func(m dap.Message) bool {
		stack, ok := m.(*dap.StackTraceResponse)
		if ok {
			assert.Equal(t, 5, stack.Body.StackFrames[0].Line)
		}
		return ok
	})
	require.NoError(t, in.Close())
	until(func(m dap.Message) bool { _, ok := m.(*dap.DisconnectResponse); return ok })
	require.NoError(t, adapter.Wait())
	assert.Empty(t, stderr.String())
}
