package dap_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/cases"
	adapter "github.com/wgslab/wgslab/internal/observe/dap"
)

// A client plays an editor.
type client struct {
	t      *testing.T
	to     io.WriteCloser
	in     chan dap.Message
	events []dap.Message // received before anyone waited for them
	seq    int
	ended  chan error
}

func connect(t *testing.T) *client {
	t.Helper()
	fromClient, toAdapter := io.Pipe()
	fromAdapter, toClient := io.Pipe()
	c := &client{t: t, to: toAdapter, in: make(chan dap.Message, 1000), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { c.ended <- adapter.Serve(ctx, fromClient, toClient, cases.Load); toClient.Close() }()
	go func() {
		for r := bufio.NewReader(fromAdapter); ; {
			m, err := dap.ReadProtocolMessage(r)
			if err != nil {
				close(c.in)
				return
			}
			c.in <- m
		}
	}()
	t.Cleanup(func() { cancel(); toAdapter.Close() })
	return c
}

func (c *client) next() dap.Message {
	c.t.Helper()
	select {
	case m, ok := <-c.in:
		require.True(c.t, ok, "the adapter has gone")
		return m
	case <-time.After(10 * time.Second):
		c.t.Fatal("the adapter says nothing")
		return nil
	}
}

// ask sends a request and returns its response.
func ask[R dap.Message](c *client, command string, arguments any) R {
	c.t.Helper()
	c.send(command, arguments)
	for {
		m := c.next()
		if response, ok := m.(dap.ResponseMessage); ok {
			if response.GetResponse().RequestSeq < c.seq {
				continue // a response that the test did not wait for
			}
			r, ok := m.(R)
			require.True(c.t, ok, "%s: %#v", command, m)
			return r
		}
		c.events = append(c.events, m)
	}
}

func (c *client) send(command string, arguments any) {
	c.t.Helper()
	c.seq++
	raw, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	require.NoError(c.t, err)
	require.NoError(c.t, dap.WriteBaseMessage(c.to, raw))
}

// await returns the next event of a kind.
func await[E dap.Message](c *client) E {
	c.t.Helper()
	for i, m := range c.events {
		if e, ok := m.(E); ok {
			c.events = c.events[i+1:]
			return e
		}
	}
	c.events = nil
	for {
		if e, ok := c.next().(E); ok {
			return e
		}
	}
}

// An editor's header may have more than the length, and a request that can't be read gets an
// answer.
func TestWhatEditorsSend(t *testing.T) {
	for _, header := range []string{"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: %d\r\n\r\n", "content-length:%d\n\n"} {
		c := connect(t)
		content := `{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"wgslab"}}`
		_, err := fmt.Fprintf(c.to, header+content, len(content))
		require.NoError(t, err)
		require.True(t, c.next().(*dap.InitializeResponse).Success)
	}
	c := connect(t)
	for _, request := range []object{
		{"command": "setBreakpoints", "arguments": object{"breakpoints": 5}}, {"command": "variables", "arguments": []int{1}},
		{"command": "stackTrace", "arguments": "all"}, {"command": "noSuchRequest"}, {"command": 7}, {},
	} {
		c.seq++
		request["seq"], request["type"] = c.seq, "request"
		raw, err := json.Marshal(request)
		require.NoError(t, err)
		require.NoError(t, dap.WriteBaseMessage(c.to, raw))
		answer := c.next().(dap.ResponseMessage).GetResponse()
		require.False(t, answer.Success, request)
		require.Equal(t, c.seq, answer.RequestSeq, request)
	}
}

type object = map[string]any

// launched returns a client whose shader is loaded and not yet running, so that it can set
// breakpoints.
func launched(t *testing.T, arguments object) *client {
	c := connect(t)
	r := ask[*dap.InitializeResponse](c, "initialize", object{"adapterID": "wgsl"})
	assert.True(t, r.Body.SupportsStepBack)
	ask[*dap.LaunchResponse](c, "launch", arguments)
	await[*dap.InitializedEvent](c)
	return c
}

func shaderFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "try.wgsl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const summing = `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<workgroup> tile: array<f32, 4>;
fn twice(x: f32) -> f32 {
  return x + x;
}
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = twice(f32(i));
  workgroupBarrier();
  var sum = 0.0;
  for (var k = 0u; k < 4u; k++) {
    sum += tile[k];
  }
  out[i] = sum;
}
`

func TestAnEditorsWay(t *testing.T) {
	path := shaderFile(t, summing)
	c := launched(t, object{"program": path, "bind": []string{"0=f32[4]"}})
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{
		"source": object{"path": path}, "breakpoints": []object{{"line": 4}, {"line": 12, "condition": "k == 2u"}, {"line": 12, "condition": "what"}},
	})
	require.Len(t, set.Body.Breakpoints, 3)
	assert.True(t, set.Body.Breakpoints[1].Verified)
	assert.False(t, set.Body.Breakpoints[2].Verified)
	assert.Contains(t, set.Body.Breakpoints[2].Message, "not declared")
	ask[*dap.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", object{"filters": []string{"findings"}})
	c.send("configurationDone", object{})
	stop := await[*dap.StoppedEvent](c)
	assert.Equal(t, "breakpoint", stop.Body.Reason)
	assert.Equal(t, []int{set.Body.Breakpoints[0].Id}, stop.Body.HitBreakpointIds)

	threads := ask[*dap.ThreadsResponse](c, "threads", nil)
	assert.Equal(t, []dap.Thread{{Id: 1, Name: "invocation 0,0,0 of workgroup 0,0,0"}}, threads.Body.Threads)
	stack := ask[*dap.StackTraceResponse](c, "stackTrace", object{"threadId": 1})
	frames := stack.Body.StackFrames
	require.Len(t, frames, 2+3)
	assert.Equal(t, []string{"twice", "main", "invocation 1 at line 8"}, []string{frames[0].Name, frames[1].Name, frames[2].Name})
	assert.Equal(t, []int{4, 8, 8}, []int{frames[0].Line, frames[1].Line, frames[2].Line})
	assert.Equal(t, path, frames[0].Source.Path)
	assert.Equal(t, "x=0.0", locals(c, frames[0].Id))
	assert.Equal(t, "i=0u", locals(c, frames[1].Id))
	assert.Equal(t, "i=1u", locals(c, frames[2].Id), "selecting a neighbour makes it current")
	assert.Equal(t, "invocation 1,0,0 of workgroup 0,0,0", ask[*dap.ThreadsResponse](c, "threads", nil).Body.Threads[0].Name)

	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	await[*dap.StoppedEvent](c)
	assert.Equal(t, "1.0", evaluate(c, "x", "watch"))
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	await[*dap.StoppedEvent](c)
	assert.Equal(t, "2.0", evaluate(c, "sum", "hover"))
	frame := top(c)
	assert.Equal(t, 12, frame.Line)
	ask[*dap.StepBackResponse](c, "stepBack", object{"threadId": 1})
	await[*dap.StoppedEvent](c)
	assert.NotEqual(t, frame.Id, top(c).Id, "ids are never given twice")
	assert.Equal(t, 11, top(c).Line)
	ask[*dap.NextResponse](c, "next", object{"threadId": 1})
	await[*dap.StoppedEvent](c)
	assert.Contains(t, evaluate(c, "where i == 3u", "repl"), "Invocation 3,0,0")
	assert.Equal(t, "goto", await[*dap.StoppedEvent](c).Body.Reason)
	assert.Contains(t, failure(c, "evaluate", object{"expression": "nothing"}), "not declared")
	assert.Contains(t, failure(c, "scopes", object{"frameId": frame.Id}), "earlier stop")

	info := ask[*dap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", object{"name": "out[3]"})
	assert.Equal(t, "out[3]", info.Body.DataId)
	ask[*dap.SetDataBreakpointsResponse](c, "setDataBreakpoints", object{"breakpoints": []object{{"dataId": "out[3]"}}})
	ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{}})
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	stop = await[*dap.StoppedEvent](c)
	assert.Equal(t, "data breakpoint", stop.Body.Reason)
	assert.Contains(t, stop.Body.Text, "3.0 becomes 12.0")
	ask[*dap.ReverseContinueResponse](c, "reverseContinue", object{"threadId": 1})
	await[*dap.StoppedEvent](c)
	assert.Equal(t, 8, top(c).Line)
	ask[*dap.SetDataBreakpointsResponse](c, "setDataBreakpoints", object{"breakpoints": []object{}})
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	await[*dap.TerminatedEvent](c)
	ask[*dap.DisconnectResponse](c, "disconnect", object{})
	require.NoError(t, <-c.ended)
}

func top(c *client) dap.StackFrame {
	return ask[*dap.StackTraceResponse](c, "stackTrace", object{"threadId": 1}).Body.StackFrames[0]
}

func evaluate(c *client, text, context string) string {
	return ask[*dap.EvaluateResponse](c, "evaluate", object{"expression": text, "context": context, "frameId": top(c).Id}).Body.Result
}

func failure(c *client, command string, arguments any) string {
	return ask[*dap.ErrorResponse](c, command, arguments).Message
}

// locals returns the variables of a frame.
func locals(c *client, frame int) string {
	scopes := ask[*dap.ScopesResponse](c, "scopes", object{"frameId": frame}).Body.Scopes
	require.NotEmpty(c.t, scopes)
	var texts []string
	for _, v := range ask[*dap.VariablesResponse](c, "variables", object{"variablesReference": scopes[0].VariablesReference}).Body.Variables {
		texts = append(texts, v.Name+"="+v.Value)
	}
	return strings.Join(texts, " ")
}

func TestStoppingAtWhatIsWrong(t *testing.T) {
	path := shaderFile(t, `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  out[i + 2u] = 1.0;
}
`)
	c := launched(t, object{"program": path, "bind": []string{"0=f32[4]"}, "stopOnEntry": true})
	c.send("configurationDone", object{})
	assert.Equal(t, "entry", await[*dap.StoppedEvent](c).Body.Reason)
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	stop := await[*dap.StoppedEvent](c)
	assert.Equal(t, "exception", stop.Body.Reason)
	info := ask[*dap.ExceptionInfoResponse](c, "exceptionInfo", object{"threadId": 1})
	assert.Equal(t, "out-of-bounds-write", info.Body.ExceptionId)
	assert.Equal(t, 4, top(c).Line)
	assert.Equal(t, "2u", evaluate(c, "i", "watch"))
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	await[*dap.TerminatedEvent](c)
}

// With noDebug nothing stops the run: neither the entry, a breakpoint, a comment, a write nor a
// finding. What was found is said at the end.
func TestNoDebug(t *testing.T) {
	path := shaderFile(t, `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  out[i + 2u] = 1.0; // debug: break
  // debug: write of out[3]
}
`)
	c := launched(t, object{"program": path, "bind": []string{"0=f32[4]"}, "noDebug": true, "stopOnEntry": true, "write": []string{"out[0]"}})
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 4}, {"line": 4, "logMessage": "{i}"}}})
	require.Len(t, set.Body.Breakpoints, 2)
	assert.False(t, set.Body.Breakpoints[0].Verified)
	assert.Contains(t, set.Body.Breakpoints[0].Message, "without debugging")
	ask[*dap.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", object{"filters": []string{"findings", "remarks"}})
	ask[*dap.SetDataBreakpointsResponse](c, "setDataBreakpoints", object{"breakpoints": []object{{"dataId": "out[3]"}}})
	c.send("configurationDone", object{})
	said := ""
	for {
		m := c.next()
		_, stopped := m.(*dap.StoppedEvent)
		require.False(t, stopped, "%#v", m)
		if output, is := m.(*dap.OutputEvent); is {
			said += output.Body.Output
		}
		if _, over := m.(*dap.TerminatedEvent); over {
			break
		}
	}
	assert.Contains(t, said, "The run has ended.\n")
	assert.Contains(t, said, "line 4: ")
	assert.NotContains(t, said, "No invocation has written")
}

// A run without debugging can't be paused, but ended.
func TestNoDebugEndless(t *testing.T) {
	path := shaderFile(t, "@compute @workgroup_size(4)\nfn main(@builtin(local_invocation_index) i: u32) {\n  var left = 10u;\n  while (left > 0u) { left |= i; }\n}\n")
	c := launched(t, object{"program": path, "noDebug": true})
	c.send("configurationDone", object{})
	assert.Contains(t, failure(c, "pause", object{"threadId": 1}), "noDebug")
	ask[*dap.TerminateResponse](c, "terminate", object{})
	await[*dap.TerminatedEvent](c)
}

// A client says for itself from which number it counts lines, and columns.
func TestNumbering(t *testing.T) {
	path := shaderFile(t, summing)
	for _, counts := range []object{{}, {"linesStartAt1": false}, {"columnsStartAt1": false}, {"linesStartAt1": false, "columnsStartAt1": false}, {"linesStartAt1": true, "columnsStartAt1": true}} {
		c := connect(t)
		line, column := 8, 3
		if counts["linesStartAt1"] == false {
			line--
		}
		if counts["columnsStartAt1"] == false {
			column--
		}
		ask[*dap.InitializeResponse](c, "initialize", counts)
		ask[*dap.LaunchResponse](c, "launch", object{"program": path, "bind": []string{"0=f32[4]"}, "stopOnEntry": true})
		await[*dap.InitializedEvent](c)
		set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": line}}})
		assert.Equal(t, line, set.Body.Breakpoints[0].Line, counts)
		c.send("configurationDone", object{})
		await[*dap.StoppedEvent](c)
		assert.Equal(t, []int{line, column}, []int{top(c).Line, top(c).Column}, counts)
	}
}

// The client can pause an endless shader and get answers while it runs.
func TestPausing(t *testing.T) {
	path := shaderFile(t, `@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  var left = 10u;
  while (left > 0u) {
    left |= i;
  }
}
`)
	c := launched(t, object{"program": path})
	c.send("configurationDone", object{}) // the adapter takes one request after the other
	assert.Contains(t, failure(c, "stackTrace", object{"threadId": 1}), "pause it first")
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 5, "hitCondition": ">= 3"}}})
	assert.True(t, set.Body.Breakpoints[0].Verified)
	assert.Equal(t, "breakpoint", await[*dap.StoppedEvent](c).Body.Reason, "it was set while the shader ran")
	ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{}})
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	c.send("pause", object{"threadId": 1})
	assert.Equal(t, "pause", await[*dap.StoppedEvent](c).Body.Reason)
	ask[*dap.ContinueResponse](c, "continue", object{"threadId": 1})
	ask[*dap.DisconnectResponse](c, "disconnect", object{})
	require.NoError(t, <-c.ended)
}

func TestAnExercise(t *testing.T) {
	right, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	path := shaderFile(t, strings.Replace(right, " + ", " - ", 1))
	c := launched(t, object{"program": path, "exercise": "vector-add", "seed": 3, "stopOnEntry": true})
	c.send("configurationDone", object{})
	await[*dap.StoppedEvent](c)
	assert.Contains(t, evaluate(c, "a", "repl"), "array<f32>(")
}

const overridden = `override N: u32;
@compute @workgroup_size(N) fn main() {
  let n = N;
  _ = n;
}
`

// The launch arguments give values to overrides.
func TestOverrides(t *testing.T) {
	path := shaderFile(t, overridden)
	c := launched(t, object{"program": path, "override": []string{"N=3"}})
	ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 4}}})
	c.send("configurationDone", object{})
	await[*dap.StoppedEvent](c)
	assert.Equal(t, "3u", evaluate(c, "n", "hover"))
	assert.Len(t, ask[*dap.StackTraceResponse](c, "stackTrace", object{"threadId": 1}).Body.StackFrames, 3, "a frame for each invocation")
}

func TestLaunchingWrongly(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.wgsl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	c := connect(t)
	ask[*dap.InitializeResponse](c, "initialize", object{"adapterID": "wgsl"})
	for _, wrong := range []struct {
		arguments object
		says      string
	}{
		{object{}, "no `program`"},
		{object{"program": "/nowhere.wgsl"}, "no such file"},
		{object{"program": t.TempDir()}, "is a folder"},
		{object{"program": pipe}, "is a pipe"},
		{object{"program": shaderFile(t, summing), "exercise": "add", "bind": []string{"0=f32[4]"}}, "leave `bind` and `override` out"},
		{object{"program": shaderFile(t, summing), "bind": []string{"0=f32[4]", "0=f32[8]"}}, "both are for @group(0) @binding(0)"},
		{object{"program": shaderFile(t, summing), "override": []string{"N=4"}}, "declares no override"},
		{object{"program": shaderFile(t, overridden)}, "give it a value: override N=…"},
		{object{"program": shaderFile(t, "fn main( {}")}, "try.wgsl:1:"},
		{object{"program": shaderFile(t, summing), "entry": "other"}, "no compute entry point `other`"},
		{object{"program": shaderFile(t, summing)}, "nothing is bound to `out`"},
		{object{"program": shaderFile(t, summing), "bind": []string{"0=f33[1]"}}, "is not an element type"},
		{object{"program": shaderFile(t, summing), "workgroups": "0"}, "is not a number from 1 to 65535"},
		{object{"program": shaderFile(t, summing), "exercise": "vector-ad"}, "vector-add"},
		{object{"program": shaderFile(t, summing), "exercise": "add", "case": "none"}, "no case `none`"},
	} {
		assert.Contains(t, failure(c, "launch", wrong.arguments), wrong.says)
	}
	assert.Contains(t, failure(c, "next", object{"threadId": 1}), "nothing is being debugged")
	assert.Contains(t, failure(c, "levitate", nil), "not supported")
}
