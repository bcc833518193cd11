package dap_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	adapter "github.com/wgslab/wgslab/internal/observe/dap"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A lab plays JupyterLab's side of the control channel.
type lab struct {
	t        *testing.T
	n        *adapter.NotebookAdapter
	seq      int
	events   chan object
	pictures chan string
}

// readShader replaces the kernel's reader of cells.
func readShader(code string) (adapter.ShaderFile, bool) {
	text, ok := strings.CutPrefix(code, "%%writefile work/sum.wgsl\n")
	return adapter.ShaderFile{File: "/work/sum.wgsl", Text: text}, ok
}

// wants reports whether a check of a shader would be debugged.
func (l *lab) wants(text string) bool {
	_, ok := l.n.Wants(l.t.Context(), adapter.ShaderFile{File: "/work/sum.wgsl", Text: text})
	return ok
}

func (l *lab) runCell(code string) {
	s, ok := readShader(code)
	require.True(l.t, ok)
	l.n.Writes(code, s)
}

func openLab(t *testing.T) *lab { return openLabWith(t, "/tmp/", nil) }

// openLabWith opens a lab whose kernel takes over the state of an earlier one.
func openLabWith(t *testing.T, folder string, saved json.RawMessage) *lab {
	l := &lab{t: t, events: make(chan object, 100), pictures: make(chan string, 100)}
	l.n = adapter.NewNotebook(folder, readShader, func(raw json.RawMessage) {
		var e object
		assert.NoError(t, json.Unmarshal(raw, &e))
		l.events <- e
	})
	if saved != nil {
		require.NoError(t, l.n.Restore(saved))
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go l.n.Serve(ctx) //nolint:errcheck // it ends with its context
	return l
}

// request sends a request and returns its reply.
func (l *lab) request(command string, arguments any) object {
	l.t.Helper()
	l.seq++
	raw, err := json.Marshal(object{"seq": l.seq, "type": "request", "command": command, "arguments": arguments})
	require.NoError(l.t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	reply, err := l.n.Request(ctx, raw)
	require.NoError(l.t, err, command)
	var r object
	require.NoError(l.t, json.Unmarshal(reply, &r))
	assert.Equal(l.t, command, r["command"])
	assert.EqualValues(l.t, l.seq, r["request_seq"])
	return r
}

// body returns the body of a successful reply.
func (l *lab) body(command string, arguments any) object {
	l.t.Helper()
	r := l.request(command, arguments)
	require.Equal(l.t, true, r["success"], "%s: %v", command, r)
	b, _ := r["body"].(object)
	return b
}

func (l *lab) await(name string) object {
	l.t.Helper()
	for {
		select {
		case e := <-l.events:
			if e["event"] == name {
				b, _ := e["body"].(object)
				return b
			}
		case <-time.After(10 * time.Second):
			l.t.Fatal("no event ", name)
		}
	}
}

func (l *lab) top() object {
	return l.body("stackTrace", object{"threadId": 1})["stackFrames"].([]any)[0].(object)
}

const shaderCell = "%%writefile work/sum.wgsl\n" + summing

// variables returns the variables of the scope that JupyterLab shows first.
func (l *lab) variables() map[string]string {
	l.t.Helper()
	first := l.body("scopes", object{"frameId": l.top()["id"]})["scopes"].([]any)[0].(object)
	assert.Equal(l.t, debug.LocalScope, first["name"])
	values := map[string]string{}
	for _, v := range l.body("variables", object{"variablesReference": first["variablesReference"]})["variables"].([]any) {
		values[v.(object)["name"].(string)] = v.(object)["value"].(string)
	}
	return values
}

// check runs a cell that checks the shader.
func (l *lab) check(ctx context.Context) chan error { return l.checks(ctx, summing) }

func (l *lab) checks(ctx context.Context, text string) chan error {
	at, err := anyshader.Target(ctx, shader.ReadWith("work/sum.wgsl", shader.InCell(text), types.AllFeatures), anyshader.ShaderRun{Entry: "main", Workgroups: "1", Binds: []string{"0=f32[4]"}})
	require.NoError(l.t, err)
	done := make(chan error, 1)
	go func() {
		path, _ := l.n.Wants(ctx, adapter.ShaderFile{File: "/work/sum.wgsl", Text: text})
		done <- l.n.Debug(ctx, path, at, func(s *debug.Session, _ debug.Stop) { l.pictures <- s.Picture().Text() })
	}()
	return done
}

func TestTheWayOfJupyterLab(t *testing.T) {
	l := openLab(t)
	info := l.body("debugInfo", nil)
	assert.Equal(t, false, info["isStarted"])
	assert.Equal(t, "Murmur2", info["hashMethod"])
	assert.Equal(t, true, l.body("initialize", object{"clientID": "jupyterlab", "adapterID": "", "linesStartAt1": true})["supportsStepBack"])
	assert.Equal(t, true, l.body("debugInfo", nil)["isStarted"])
	l.body("attach", nil)
	l.await("initialized")
	assert.Equal(t, true, l.body("debugInfo", nil)["isStarted"])

	shader := l.body("dumpCell", object{"code": shaderCell})["sourcePath"].(string)
	assert.Contains(t, shader, "/ipykernel_")
	code := l.body("dumpCell", object{"code": "check.Exercise(\"sum\")"})["sourcePath"].(string)
	assert.Empty(t, l.body("setBreakpoints", object{"source": object{"path": code}, "breakpoints": []object{{"line": 1}}})["breakpoints"])
	assert.False(t, l.wants(summing), "without a breakpoint a check is a check")
	assert.False(t, l.n.MayStop())
	set := l.body("setBreakpoints", object{"source": object{"path": shader}, "breakpoints": []object{{"line": 5}}})["breakpoints"].([]any)
	require.Len(t, set, 1)
	assert.Equal(t, true, set[0].(object)["verified"])
	assert.True(t, l.wants(summing))
	assert.False(t, l.wants(summing+"// changed"))
	assert.NotNil(t, l.body("inspectVariables", nil)["variables"])
	assert.NotNil(t, l.body("modules", nil)["modules"])
	assert.Equal(t, shaderCell, l.body("source", object{"source": object{"path": shader}})["content"])

	done := l.check(t.Context())
	assert.EqualValues(t, 1, l.await("stopped")["threadId"])
	assert.Contains(t, <-l.pictures, "workgroup 0,0,0")
	top := l.top()
	assert.EqualValues(t, 5, top["line"], "the cell's first line is %%writefile")
	assert.Equal(t, shader, top["source"].(object)["path"])
	scopes := l.body("scopes", object{"frameId": top["id"]})["scopes"].([]any)
	variables := l.body("variables", object{"variablesReference": scopes[0].(object)["variablesReference"]})["variables"].([]any)
	x := variables[0].(object)
	assert.Equal(t, "0.0", x["value"])
	assert.NotContains(t, x, "type", "JupyterLab would show it in the value's place")
	assert.EqualValues(t, []any{1.0}, l.body("debugInfo", nil)["stoppedThreads"])
	rich := l.body("richInspectVariables", object{"variableName": "x", "frameId": top["id"]})["data"].(object)
	assert.Contains(t, rich["text/html"], "x = 0.0")
	assert.Contains(t, rich["text/plain"], "invocation 0 at line 5")
	assert.NotEmpty(t, l.body("inspectVariables", nil)["variables"])
	assert.Equal(t, false, l.request("copyToGlobals", object{})["success"])

	l.body("stepOut", object{"threadId": 1})
	l.await("stopped")
	assert.NotEqual(t, top["id"], l.top()["id"])
	assert.EqualValues(t, 10, l.top()["line"])
	l.body("setBreakpoints", object{"source": object{"path": shader}, "breakpoints": []object{}})
	l.body("continue", object{"threadId": 1})
	l.await("continued")
	require.NoError(t, <-done)
	assert.Empty(t, l.body("debugInfo", nil)["stoppedThreads"])
	late := l.request("stackTrace", object{"threadId": 1})
	assert.Equal(t, false, late["success"])
	assert.Equal(t, []any{}, late["body"].(object)["stackFrames"], "JupyterLab reads it nevertheless")
}

// numberless removes the numbers that change with each answer.
func numberless(v any) any {
	switch v := v.(type) {
	case object:
		delete(v, "id")
		delete(v, "variablesReference")
		for _, member := range v {
			numberless(member)
		}
	case []any:
		for _, element := range v {
			numberless(element)
		}
	}
	return v
}

// A stop includes the answers that the kernel would have given.
func TestAStopBringsAnswersAlong(t *testing.T) {
	l := openLab(t)
	l.body("attach", nil)
	path := l.body("dumpCell", object{"code": shaderCell})["sourcePath"]
	l.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 5}}})
	done := l.check(t.Context())
	answers := l.await("stopped")["wgslabAnswers"].([]any)
	commands := map[string]int{}
	for _, a := range answers {
		a := a.(object)
		command := a["command"].(string)
		commands[command]++
		require.Equal(t, numberless(l.body(command, a["arguments"])), numberless(a["body"]), command)
	}
	require.Equal(t, 1, commands["source"])
	require.Equal(t, 1, commands["stackTrace"])
	require.Equal(t, 1, commands["scopes"])
	require.Greater(t, commands["variables"], 1, "one for each scope")
	l.body("disconnect", nil)
	require.NoError(t, <-done)
}

func TestACellIsLetGo(t *testing.T) {
	l := openLab(t)
	start := func() {
		l.body("initialize", object{})
		l.body("attach", nil)
		path := l.body("dumpCell", object{"code": shaderCell})["sourcePath"]
		l.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 13, "condition": "k == 1u"}}})
	}
	start()
	done := l.check(t.Context())
	l.await("stopped")
	l.body("disconnect", object{"restart": false, "terminateDebuggee": false})
	require.NoError(t, <-done, "the debugger was turned off")
	assert.Equal(t, false, l.body("debugInfo", nil)["isStarted"])

	start()
	ctx, interrupt := context.WithCancel(t.Context())
	done = l.check(ctx)
	l.await("stopped")
	interrupt()
	require.ErrorIs(t, <-done, context.Canceled)
	done = l.check(t.Context())
	l.await("stopped")
	assert.ErrorContains(t, <-l.check(t.Context()), "another shader")
	l.body("setExceptionBreakpoints", object{"filters": []string{}})
	assert.Equal(t, false, l.request("nonsense", nil)["success"])
	l.body("disconnect", nil)
	require.NoError(t, <-done)
}

func TestAFaultEndsTheRunAlone(t *testing.T) {
	l := openLab(t)
	l.body("attach", nil)
	path := l.body("dumpCell", object{"code": shaderCell})["sourcePath"]
	l.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 5}}})
	at, err := anyshader.Target(t.Context(), shader.ReadWith("work/sum.wgsl", shader.InCell(summing), types.AllFeatures), anyshader.ShaderRun{Entry: "main", Workgroups: "1", Binds: []string{"0=f32[4]"}})
	require.NoError(t, err)
	require.NoError(t, l.n.Debug(t.Context(), path.(string), at, func(*debug.Session, debug.Stop) { panic("a mistake") }))
	assert.Contains(t, l.await("output")["output"], "a bug in wgslab")
	assert.Equal(t, false, l.request("next", object{"threadId": 1})["success"])
	assert.Equal(t, []any{}, l.body("debugInfo", nil)["stoppedThreads"])
}

// TestConditionsAreSetInTheConsole sets conditions in the console, because JupyterLab's own
// breakpoints are only lines.
func TestConditionsAreSetInTheConsole(t *testing.T) {
	l := openLab(t)
	l.body("attach", nil)
	path := l.body("dumpCell", object{"code": shaderCell})["sourcePath"]
	lines := func(at ...int) {
		list := []object{}
		for _, line := range at {
			list = append(list, object{"line": line})
		}
		l.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": list})
	}
	say := func(line string) string {
		return l.body("evaluate", object{"expression": line, "context": "repl"})["result"].(string)
	}
	assert.Contains(t, say("1u + 2u"), "nothing is being debugged", "the console shows why")
	lines(5)
	done := l.check(t.Context())
	l.await("stopped")
	assert.Equal(t, "Stops at line 13.", say("break 13 if k == 2u"))
	set := l.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 5}}})["breakpoints"].([]any)
	assert.Len(t, set, 2, "JupyterLab hears of it when it sets its own, and does not take it away unknowingly")
	assert.Contains(t, say("break 13 if nonsense"), "nonsense")
	assert.NotEmpty(t, say("break 999"))
	assert.Contains(t, say("help"), "break LINE")
	lines(13)
	l.body("continue", object{"threadId": 1})
	l.await("stopped")
	assert.EqualValues(t, 13, l.top()["line"])
	assert.Equal(t, "2u", say("k"))
	l.body("next", object{"threadId": 1})
	l.await("stopped")
	assert.Contains(t, say("back"), "at line 13.")
	l.await("stopped")
	assert.Equal(t, "2u", say("k"))
	l.body("disconnect", nil)
	require.NoError(t, <-done)
	l.body("attach", nil)
	lines(13) // as after Terminate
	done = l.check(t.Context())
	l.await("stopped")
	assert.Equal(t, "2u", say("k"))
	lines()
	lines(13)
	lines()
	l.body("continue", object{"threadId": 1})
	require.NoError(t, <-done)
}

// TestBreakpointsOutliveTheKernel checks that JupyterLab can set breakpoints again before any cell
// is known.
func TestBreakpointsOutliveTheKernel(t *testing.T) {
	l := openLab(t)
	l.body("attach", nil)
	path := openLab(t).body("dumpCell", object{"code": shaderCell})["sourcePath"]
	set := l.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 5}}})["breakpoints"]
	assert.Len(t, set, 1)
	assert.True(t, l.n.MayStop())
	assert.False(t, l.wants(summing))
	l.runCell(shaderCell)
	assert.True(t, l.wants(summing))
}

// TestCellsHaveTheNamesThatJupyterLabGivesThem compares the hashes with those of ipykernel 7.4's
// murmur2_x86.
func TestCellsHaveTheNamesThatJupyterLabGivesThem(t *testing.T) {
	l := openLab(t)
	for code, hash := range map[string]string{
		"": "3990065800", "a": "2167009006", "ab": "2805137849", "abc": "3350977461", "%%writefile work/add.wgsl\n// é ∑\n": "2815967827",
	} {
		assert.Equal(t, "/tmp/ipykernel_"+hash+".wgsl", l.body("dumpCell", object{"code": code})["sourcePath"])
	}
}

// TestARestartKeepsWhatWasSet checks that the next kernel stops where the previous one would have,
// before JupyterLab sends anything.
func TestARestartKeepsWhatWasSet(t *testing.T) {
	first := openLab(t)
	assert.Nil(t, first.n.Save(t.Context()), "the debugger is off")
	first.body("attach", nil)
	path := first.body("dumpCell", object{"code": shaderCell})["sourcePath"]
	first.body("setBreakpoints", object{"source": object{"path": path}, "breakpoints": []object{{"line": 13, "condition": "k == 1u"}}})
	first.body("evaluate", object{"expression": "watch sum + 0.5", "context": "repl"})

	next := openLabWith(t, "/elsewhere/", first.n.Save(t.Context()))
	assert.True(t, next.n.MayStop())
	assert.True(t, next.wants(summing), "the cell has not run yet")
	info := next.body("debugInfo", nil)
	assert.Equal(t, true, info["isStarted"])
	kept := info["breakpoints"].([]any)[0].(object)
	assert.Equal(t, path, kept["source"], "under the path that JupyterLab knows")
	next.body("setBreakpoints", object{"source": object{"path": kept["source"]}, "breakpoints": []object{{"line": 13}}}) // JupyterLab's, without the condition
	done := next.check(t.Context())
	next.await("stopped")
	assert.Equal(t, "1u", next.body("evaluate", object{"expression": "k", "context": "repl"})["result"])
	assert.Equal(t, "0.5", next.variables()["sum + 0.5"])
	next.body("disconnect", nil)
	require.NoError(t, <-done)
}

// TestCommentsStopAndWatch sets watches and writes in comments, because JupyterLab has no place for
// them.
func TestCommentsStopAndWatch(t *testing.T) {
	l := openLab(t)
	commented := strings.Replace(summing, "sum += tile[k];", "sum += tile[k]; // debug: break if k == 2u", 1) + "// debug: watch sum * 2.0\n// debug: write of out[3]\n"
	l.runCell("%%writefile work/sum.wgsl\n" + commented)
	assert.False(t, l.wants(commented), "the debugger is off")
	l.body("attach", nil)
	assert.True(t, l.wants(commented))
	done := l.checks(t.Context(), commented)
	l.await("stopped")
	assert.EqualValues(t, 13, l.top()["line"])
	assert.Equal(t, map[string]string{"sum * 2.0": "4.0", "sum": "2.0", "k": "2u", "i": "0u"}, l.variables(), "watches come before the variables")
	l.body("next", object{"threadId": 1})
	l.await("stopped")
	assert.Equal(t, "12.0  ← changed", l.variables()["sum * 2.0"])
	l.body("evaluate", object{"expression": "anyone", "context": "repl"})
	for range 4 { // three more invocations, then the one that writes
		l.body("continue", object{"threadId": 1})
		l.await("stopped")
	}
	assert.EqualValues(t, 15, l.top()["line"])
	assert.Equal(t, "3u", l.variables()["i"])
	l.body("continue", object{"threadId": 1})
	require.NoError(t, <-done)
}
