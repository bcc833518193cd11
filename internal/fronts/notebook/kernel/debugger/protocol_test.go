package debugger_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// These tests make the same requests as ipykernel's tests of a kernel with a debugger
// (tests/test_debugger.py).

func TestItSaysThatItHasADebugger(t *testing.T) {
	l := openLab(t)
	for _, channel := range []*jupyter.Channel{l.sockets.Shell, l.sockets.Control} {
		info := l.finished(l.send(channel, "kernel_info_request", object{}))
		assert.Equal(t, true, info["debugger"])
		assert.Contains(t, info["supported_features"], "debugger")
	}
}

func TestTurningItOnAndOff(t *testing.T) {
	l := openLab(t)
	assert.Equal(t, false, l.body("debugInfo", object{})["isStarted"])
	for range 2 {
		l.turnOn()
		assert.Equal(t, true, l.body("debugInfo", object{})["isStarted"])
		answer := l.body("evaluate", object{"expression": "1u + 2u", "context": "repl"})
		assert.Contains(t, answer["result"], "nothing is being debugged", "the console is answered with nothing to debug, too")
		l.turnOff()
		assert.Equal(t, false, l.body("debugInfo", object{})["isStarted"])
	}
}

func TestBreakpointsAreKept(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	cell, line := rowMax(t)
	path, set := l.setBreakpoints(cell, line("var largest"))
	require.Len(t, set, 1)
	assert.Equal(t, true, set[0].(object)["verified"])
	assert.Equal(t, path, set[0].(object)["source"].(object)["path"])
	info := l.body("debugInfo", object{})
	require.Len(t, info["breakpoints"], 1)
	assert.Equal(t, path, info["breakpoints"].([]any)[0].(object)["source"])
	assert.Equal(t, true, l.request("configurationDone", object{})["success"])
	assert.Equal(t, cell, l.body("source", object{"source": object{"path": path}})["content"])

	_, inGo := l.setBreakpoints(checkCell("row-max"), 5)
	assert.Empty(t, inGo, "Go cells have none")
	_, set = l.setBreakpoints(cell)
	assert.Empty(t, set)
	assert.Empty(t, l.body("debugInfo", object{})["breakpoints"])
}

// stopIn runs a shader's cell and then, with a breakpoint in it, the cell that checks it.
func stopIn(t testing.TB, l *lab, id, text string) (check string, line int) {
	t.Helper()
	cell, find := shaderCell(t, id)
	line = find(text)
	l.setBreakpoints(cell, line)
	require.Equal(t, "ok", l.finished(l.run(cell))["status"])
	check = l.run(checkCell(id))
	stop := l.await("stopped")
	require.Equal(t, "breakpoint", stop["reason"])
	require.EqualValues(t, 1, stop["threadId"])
	return check, line
}

func TestItStopsOnABreakpoint(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	check, line := stopIn(t, l, "row-max", "candidates[me] = largest")
	top := l.top()
	assert.EqualValues(t, line, top["line"])
	assert.Contains(t, top["source"].(object)["path"], "ipykernel_")
	assert.Equal(t, []any{1.0}, l.body("debugInfo", object{})["stoppedThreads"])
	l.turnOff()
	assert.Equal(t, "ok", l.finished(check)["status"])
}

func TestEmptyLinesAboveCountAsLines(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	cell, line := rowMax(t)
	cell = "%%writefile work/row-max.wgsl\n\n\n" + cell[len("%%writefile work/row-max.wgsl\n"):]
	l.setBreakpoints(cell, line("let me")+2)
	l.finished(l.run(cell))
	l.run(checkCell("row-max"))
	l.await("stopped")
	assert.EqualValues(t, line("let me")+2, l.top()["line"])
}

func TestInspectingWithNothingStopped(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	l.finished(l.run(checkCell("row-max")))
	assert.Empty(t, l.body("inspectVariables", object{})["variables"])
	assert.Empty(t, l.body("modules", object{})["modules"])
	assert.NotNil(t, l.body("richInspectVariables", object{"variableName": "largest"})["data"])
}

func TestInspectingAtABreakpoint(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	stopIn(t, l, "row-max", "candidates[me] = largest")
	value := l.variables("Variables")["largest"]
	assert.NotEmpty(t, value)
	rich := l.body("richInspectVariables", object{"variableName": "largest", "frameId": l.top()["id"]})["data"].(object)
	assert.Contains(t, rich["text/plain"], "largest = ")
	assert.NotEmpty(t, l.body("inspectVariables", object{})["variables"])
	assert.Equal(t, false, l.request("copyToGlobals", object{"srcVariableName": "me", "dstVariableName": "me", "srcFrameId": 1})["success"])
}

// TestRequestsAreAnsweredInOrder: JupyterLab asks for all scopes at once.
func TestRequestsAreAnsweredInOrder(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	stopIn(t, l, "row-max", "candidates[me] = largest")
	var asked []string
	for _, s := range l.body("scopes", object{"frameId": l.top()["id"]})["scopes"].([]any) {
		asked = append(asked, l.ask("variables", object{"variablesReference": s.(object)["variablesReference"]}))
	}
	require.GreaterOrEqual(t, len(asked), 3)
	for _, id := range asked {
		assert.NotEmpty(t, l.finished(id)["body"].(object)["variables"])
	}
	var states []string
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.came {
		var status struct {
			State string `json:"execution_state"`
		}
		for i, id := range asked {
			if m.Parent.ID == id && m.Header.Type == "status" && json.Unmarshal(m.Content, &status) == nil {
				states = append(states, string(rune('a'+i))+" "+status.State)
			}
		}
	}
	for i := range asked {
		name := string(rune('a' + i))
		assert.Equal(t, []string{name + " busy", name + " idle"}, states[2*i:2*i+2])
	}
}

// The following tests are our own.

func TestALearnersWay(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	check, line := stopIn(t, l, "row-max", "candidates[me] = largest")
	require.Eventually(t, func() bool { return len(l.said(check)) == 1 }, patience, time.Millisecond)
	assert.Equal(t, []string{"display_data"}, l.said(check), "the workgroup, and no check yet")

	assert.Contains(t, l.variables("Invocation")["local_invocation_id"]+l.variables("Variables")["me"], "0")
	assert.NotEmpty(t, l.variables("Workgroup memory")["candidates"])
	assert.NotEmpty(t, l.variables("Buffers")["out"])
	frames := l.frames()
	require.Greater(t, len(frames), 1, "the other invocations are in the call stack")

	l.body("next", object{"threadId": 1})
	l.await("stopped")
	assert.EqualValues(t, line+1, l.top()["line"])
	say := func(text string) string {
		return l.body("evaluate", object{"expression": text, "context": "repl", "frameId": l.top()["id"]})["result"].(string)
	}
	assert.NotEmpty(t, say("candidates[0]"))
	assert.Contains(t, say("back"), "at line")
	l.await("stopped")
	assert.EqualValues(t, line, l.top()["line"])
	assert.Contains(t, say("invocation 3"), "3,0,0")
	l.await("stopped")
	assert.Contains(t, say("nonsense"), "nonsense")

	_, set := l.setBreakpoints(mustCell(t))
	assert.Empty(t, set)
	l.body("continue", object{"threadId": 1})
	l.await("continued")
	assert.Equal(t, "ok", l.finished(check)["status"])
	said := l.said(check)
	assert.Equal(t, "stream", said[len(said)-1], "the check runs afterwards")
	assert.Contains(t, said, "update_display_data")

	check = l.run(checkCell("row-max"))
	assert.Equal(t, "ok", l.finished(check)["status"])
	assert.Equal(t, []string{"stream"}, l.said(check), "without a breakpoint a check is a check")
}

func mustCell(t *testing.T) string {
	cell, _ := rowMax(t)
	return cell
}

// TestACellThatStandsIsLetGo by whatever ends debugging, and the check runs, or the interrupt does
// what it does.
func TestACellThatStandsIsLetGo(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	check, _ := stopIn(t, l, "row-max", "let me")
	l.finished(l.send(l.sockets.Control, "interrupt_request", object{}))
	reply := l.finished(check)
	assert.Equal(t, "error", reply["status"])
	assert.Equal(t, "Interrupted", reply["ename"])
	l.await("continued")

	check, _ = stopIn(t, l, "row-max", "let me")
	l.turnOff()
	assert.Equal(t, "ok", l.finished(check)["status"])

	l.turnOn()
	stopIn(t, l, "row-max", "let me")
	l.finished(l.send(l.sockets.Control, "shutdown_request", object{"restart": true}))
	select {
	case <-l.process.Exited():
	case <-time.After(patience):
		t.Fatal("the kernel goes on")
	}
}

// TestItStopsInAKernelThatWasRestarted: JupyterLab sets breakpoints anew, under the new kernel's
// paths.
func TestItStopsInAKernelThatWasRestarted(t *testing.T) {
	first, second := openLab(t), openLab(t)
	cell, line := rowMax(t)
	first.turnOn()
	old, _ := first.setBreakpoints(cell, line("let me"))
	prefix := first.body("debugInfo", object{})["tmpFilePrefix"].(string)
	second.turnOn()
	next := second.body("debugInfo", object{})["tmpFilePrefix"].(string)
	require.NotEqual(t, prefix, next, "JupyterLab knows a new kernel by it")
	path := next + old[len(prefix):]
	second.body("setBreakpoints", object{"breakpoints": []object{{"line": line("let me")}}, "source": object{"path": path}})
	second.finished(second.run(cell))
	second.run(checkCell("row-max"))
	second.await("stopped")
	assert.EqualValues(t, line("let me"), second.top()["line"])
}

// TestAShaderThatCannotRunGoesToItsCheck, which says what is wrong with it.
func TestAShaderThatCannotRunGoesToItsCheck(t *testing.T) {
	l := openLab(t)
	l.turnOn()
	for _, cell := range []string{"%%writefile work/row-max.wgsl\nnonsense\n", "%%writefile work/row-max.wgsl\n@fragment fn main() {}\n"} {
		l.setBreakpoints(cell, 2)
		l.finished(l.run(cell))
		check := l.run(checkCell("row-max"))
		assert.Equal(t, "ok", l.finished(check)["status"])
		assert.Equal(t, []string{"stream"}, l.said(check))
	}
}
