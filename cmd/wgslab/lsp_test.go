package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// spoken is a shader with what the requests ask about: a 𝄞, which is two units of UTF-16, before a
// mistake with a fix, calls, a structure and a comment of two lines.
const spoken = `/* 𝄞 */ struct Params { n: u32, scale: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

// limited keeps a value
// below a limit.
fn limited(value: f32, limit: f32) -> f32 {
    let low = 0.0;
    return clamp(value, low, limit);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    if i < params.n {
    out[i] = limited(out[i]*params.scale, 1.0); /* 𝄞 */ int k = 0;
    }
}
`

// An editing session talks to wgslab lsp, and keeps the diagnostics that arrive.
type editing struct {
	*testing.T
	client      *jrpc2.Client
	diagnostics chan string
	shown       chan string
	process     *exec.Cmd
	stderr      *strings.Builder
}

func edit(t *testing.T) *editing {
	e := &editing{T: t, diagnostics: make(chan string, 100), shown: make(chan string, 100), process: exec.Command(os.Args[0], "lsp"), stderr: &strings.Builder{}}
	in, err := e.process.StdinPipe()
	require.NoError(t, err)
	out, err := e.process.StdoutPipe()
	require.NoError(t, err)
	e.process.Stderr = e.stderr
	require.NoError(t, e.process.Start())
	t.Cleanup(func() { e.process.Process.Kill() })
	e.client = jrpc2.NewClient(channel.LSP(out, in), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		switch r.Method() {
		case "textDocument/publishDiagnostics":
			e.diagnostics <- r.ParamString()
		case "window/showMessage":
			e.shown <- r.ParamString()
		default:
			t.Errorf("the server sent %s %s", r.Method(), r.ParamString())
		}
	}})
	return e
}

// ask sends a request and returns the answer, or the error, as JSON.
func (e *editing) ask(method string, params any) string {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	answer, err := e.client.Call(ctx, method, params)
	if err != nil {
		return "error: " + err.Error()
	}
	return answer.ResultString()
}

func (e *editing) tell(method string, params any) {
	require.NoError(e, e.client.Notify(context.Background(), method, params))
}

// next returns what arrives on a channel.
func (e *editing) next(from chan string) string {
	select {
	case text := <-from:
		return text
	case <-time.After(30 * time.Second):
		require.Fail(e, "nothing arrived", e.stderr.String())
		return ""
	}
}

type object = map[string]any

// position returns the place of the first occurrence of a text, after so many of its bytes.
func position(text, of string, after int) object {
	at := strings.Index(text, of) + after
	line := strings.Count(text[:at], "\n")
	start := strings.LastIndex(text[:at], "\n") + 1
	return object{"line": line, "character": len(utf16.Encode([]rune(text[start:at])))}
}

// TestLspSession compares every answer of a session with the recorded ones.
func TestLspSession(t *testing.T) {
	e := edit(t)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "other.wgsl"), []byte("const limit = 3;\n"), 0o644))
	path := filepath.Join(folder, "vector-add.wgsl") // not on the disk: the editor has not saved it
	uri := "file://" + path
	document := object{"uri": uri}
	var record strings.Builder
	note := func(what, answer string) {
		fmt.Fprintf(&record, "%s\n    %s\n", what, strings.ReplaceAll(answer, folder, "/work"))
	}
	require.Contains(t, e.ask("textDocument/hover", object{"textDocument": document, "position": object{}}), "send initialize before")

	capabilities := e.ask("initialize", object{
		"processId": nil, "rootUri": "file://" + folder,
		"capabilities": object{"textDocument": object{"completion": object{"completionItem": object{"snippetSupport": true}}}},
	})
	var said struct {
		Capabilities json.RawMessage `json:"capabilities"`
	}
	require.NoError(t, json.Unmarshal([]byte(capabilities), &said))
	note("initialize", string(said.Capabilities))
	e.tell("initialized", object{})
	e.tell("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "wgsl", "version": 1, "text": spoken}})
	note("diagnostics", e.next(e.diagnostics))

	whole := object{"start": object{"line": 0, "character": 0}, "end": object{"line": 100, "character": 0}}
	at := func(of string, after int, more ...object) object {
		p := object{"textDocument": document, "position": position(spoken, of, after)}
		for _, m := range more {
			for name, value := range m {
				p[name] = value
			}
		}
		return p
	}
	mistake := position(spoken, "int k", 0)
	ask := func(title, method string, params any) { note(method+": "+title, e.ask(method, params)) }
	ask("the fix of `int k`", "textDocument/codeAction", object{"textDocument": document, "range": object{"start": mistake, "end": mistake}, "context": object{"diagnostics": []any{}}})
	ask("everything at once", "textDocument/codeAction", object{"textDocument": document, "range": whole, "context": object{"only": []string{"source.fixAll"}}})
	ask("hidden by the syntax error", "textDocument/rename", at("limited(value", 2, object{"newName": "bounded"}))
	ask("a shader with an error", "textDocument/formatting", object{"textDocument": document, "options": object{}})
	ask("with an error", "textDocument/hover", at("limited(out", 1))
	ask("with an error", "textDocument/definition", at("limited(out", 1))
	ask("with an error", "textDocument/codeLens", object{"textDocument": document})

	end := position(spoken, "int k = 0;", len("int k = 0;"))
	e.tell("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": 2}, "contentChanges": []any{object{"range": object{"start": mistake, "end": end}, "text": "let k = 1.0;"}}})
	note("diagnostics after the change", e.next(e.diagnostics))
	ask("a function", "textDocument/hover", at("limited(out", 1))
	ask("a comment", "textDocument/hover", at("below a limit", 1))
	ask("cla", "textDocument/completion", at("clamp", 3))
	ask("after a dot", "textDocument/completion", at("params.scale", 7))
	ask("after @w", "textDocument/completion", at("@workgroup_size", 3))
	ask("the second argument", "textDocument/signatureHelp", at("low, limit)", 3))
	ask("our own function", "textDocument/signatureHelp", at(", 1.0)", 2))
	ask("a function", "textDocument/definition", at("limited(out", 1))
	ask("a member", "textDocument/definition", at("params.scale", 9))
	ask("a builtin", "textDocument/definition", at("clamp", 1))
	ask("a variable", "textDocument/typeDefinition", at("params.n", 1))
	ask("a member, with its declaration", "textDocument/references", at("params.scale", 9, object{"context": object{"includeDeclaration": true}}))
	ask("a function, without", "textDocument/references", at("limited(value", 0, object{"context": object{"includeDeclaration": false}}))
	ask("written and read", "textDocument/documentHighlight", at("out[i] =", 1))
	ask("a parameter", "textDocument/prepareRename", at("limit: f32", 1))
	ask("a builtin", "textDocument/prepareRename", at("clamp", 1))
	ask("a parameter", "textDocument/rename", at("limit: f32", 1, object{"newName": "high"}))
	ask("a name that is taken", "textDocument/rename", at("limit: f32", 1, object{"newName": "low"}))
	ask("a keyword", "textDocument/rename", at("limit: f32", 1, object{"newName": "while"}))
	ask("a builtin's name", "textDocument/rename", at("limited(value", 1, object{"newName": "clamp"}))
	ask("the entry point", "textDocument/rename", at("main(", 1, object{"newName": "start"}))
	ask("all", "textDocument/documentSymbol", object{"textDocument": document})
	ask("lim", "workspace/symbol", object{"query": "lim"})
	ask("all", "textDocument/foldingRange", object{"textDocument": document})
	ask("an argument", "textDocument/selectionRange", object{"textDocument": document, "positions": []any{position(spoken, "scale, 1.0", 1)}})
	ask("all", "textDocument/semanticTokens/full", object{"textDocument": document})
	first := object{"start": object{"line": 0, "character": 0}, "end": object{"line": 0, "character": 20}}
	ask("the first words", "textDocument/semanticTokens/range", object{"textDocument": document, "range": first})
	ask("all", "textDocument/inlayHint", object{"textDocument": document, "range": whole})
	line := object{"start": position(spoken, "out[i] =", 0), "end": position(spoken, "out[i] =", 0)}
	ask("guards", "textDocument/codeAction", object{"textDocument": document, "range": line, "context": object{"only": []string{"refactor"}}})
	ask("the exercise's commands", "textDocument/codeLens", object{"textDocument": document})
	ask("all", "textDocument/formatting", object{"textDocument": document, "options": object{}})
	ask("the first line", "textDocument/rangeFormatting", object{"textDocument": document, "range": first, "options": object{}})
	ask("a function", "textDocument/prepareCallHierarchy", at("limited(out", 1))
	item := object{"name": "limited", "uri": uri, "selectionRange": object{"start": position(spoken, "limited(value", 0), "end": position(spoken, "(value", 0)}}
	ask("limited", "callHierarchy/incomingCalls", object{"item": item})
	item = object{"name": "main", "uri": uri, "selectionRange": object{"start": position(spoken, "main(", 0), "end": position(spoken, "main(", 4)}}
	ask("main", "callHierarchy/outgoingCalls", object{"item": item})
	ask("step", "workspace/executeCommand", object{"command": "wgslab.step", "arguments": []any{"vector-add", uri}})
	ask("another exercise", "workspace/executeCommand", object{"command": "wgslab.check", "arguments": []any{"add", uri}})
	ask("a file that isn't open", "textDocument/hover", object{"textDocument": object{"uri": "file:///other.wgsl"}, "position": object{"line": 0, "character": 0}})
	ask("an unknown method", "textDocument/nothing", object{"textDocument": document})
	e.tell("textDocument/didClose", object{"textDocument": document})
	note("diagnostics after closing", e.next(e.diagnostics))
	require.Equal(t, "null", e.ask("shutdown", nil))
	e.tell("exit", nil)
	require.NoError(t, e.process.Wait(), e.stderr.String())
	golden.Assert(t, record.String(), "golden/lsp.txt")
}

// TestLspCountsBytes asks for positions in UTF-8, and for a hover behind 𝄞, which has four bytes.
func TestLspCountsBytes(t *testing.T) {
	e := edit(t)
	require.Contains(t, e.ask("initialize", object{"capabilities": object{"general": object{"positionEncodings": []string{"utf-8", "utf-16"}}}}), `"positionEncoding":"utf-8"`)
	text := "/* 𝄞 */ const a = int(1);"
	e.tell("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:1", "version": 1, "text": text}})
	at := strings.Index(text, "int")
	require.Contains(t, e.next(e.diagnostics), fmt.Sprintf(`"start":{"line":0,"character":%d}`, at))
	require.Contains(t, e.ask("textDocument/hover", object{"textDocument": object{"uri": "untitled:1"}, "position": object{"line": 0, "character": at - 4}}), "const a")
}

// An editor that goes away without a word leaves no server behind, nor does one that sends what is
// no message.
func TestLspEndsWithTheEditor(t *testing.T) {
	for sent, said := range map[string]string{
		"": "without a shutdown request", "hello\r\n\r\n": "has no Content-Length", "Content-Length: 10\r\n\r\n{}": "unexpected EOF",
	} {
		server := exec.Command(os.Args[0], "lsp")
		server.Stdin = strings.NewReader(sent)
		out, err := server.CombinedOutput()
		var ended *exec.ExitError
		require.ErrorAs(t, err, &ended, sent)
		require.Equal(t, exitNotRight, ended.ExitCode(), sent)
		require.Contains(t, string(out), said, sent)
	}
}

// TestLspChecks checks the text in the editor, and not the older one in the file.
func TestLspChecks(t *testing.T) {
	e := edit(t)
	path := filepath.Join(t.TempDir(), "relu.wgsl")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	right, err := os.Open("../../exercises/relu/reference.wgsl")
	require.NoError(t, err)
	defer right.Close()
	text, err := io.ReadAll(right)
	require.NoError(t, err)
	e.ask("initialize", object{"capabilities": object{}})
	e.tell("textDocument/didOpen", object{"textDocument": object{"uri": "file://" + path, "version": 1, "text": string(text)}})
	answer := e.ask("workspace/executeCommand", object{"command": "wgslab.trace", "arguments": []any{"relu", "file://" + path}})
	require.NotContains(t, answer, "error:")
	require.NotEmpty(t, answer)
	var message struct{ Message string }
	require.NoError(t, json.Unmarshal([]byte(e.next(e.shown)), &message))
	require.NotEmpty(t, message.Message)
	e.next(e.diagnostics)
	for version, c := range []struct{ was, becomes, says string }{
		{"max(data[i], 0.0)", "min(data[i], 0.0)", "look here first"},
		{"    if (i < arrayLength(&data)) {\n        data[i] = max(data[i], 0.0);\n    }", "    data[i] = max(data[i], 0.0);", "Something is missing between lines"},
	} {
		require.Contains(t, string(text), c.was)
		wrong := strings.Replace(string(text), c.was, c.becomes, 1)
		e.tell("textDocument/didChange", object{"textDocument": object{"uri": "file://" + path, "version": 2 + version}, "contentChanges": []any{object{"text": wrong}}})
		e.next(e.diagnostics)
		e.ask("workspace/executeCommand", object{"command": "wgslab.check", "arguments": []any{"relu", "file://" + path}})
		require.Contains(t, e.next(e.diagnostics), c.says)
	}
}
