package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/editor/protocol"
	"github.com/wgslab/wgslab/internal/editor/server"
	"github.com/wgslab/wgslab/internal/framing"
	"github.com/wgslab/wgslab/internal/judge/vet"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/navigate"
)

const uri = "file:///work/try.wgsl"

// An editor talks to a server in this process.
type editor struct {
	testing.TB
	client    *jrpc2.Client
	published chan protocol.PublishDiagnosticsParams
	version   int
}

func open(t testing.TB, text string) *editor {
	e := &editor{TB: t, published: make(chan protocol.PublishDiagnosticsParams, 1000)}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, fromClient, toClient, server.Options{}) }()
	e.client = jrpc2.NewClient(channel.LSP(fromServer, toServer), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		var p protocol.PublishDiagnosticsParams
		if r.Method() != "textDocument/publishDiagnostics" || r.UnmarshalParams(&p) != nil {
			t.Errorf("the server sent %s %s", r.Method(), r.ParamString())
			return
		}
		e.published <- p
	}})
	t.Cleanup(func() {
		cancel()
		toServer.Close()
		fromServer.Close()
		<-done
	})
	e.ask("initialize", protocol.InitializeParams{})
	e.tell("textDocument/didOpen", protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri, Version: 0, Text: text}})
	return e
}

func (e *editor) ask(method string, params any) json.RawMessage {
	answer, err := e.client.Call(context.Background(), method, params)
	if err != nil {
		require.NotContains(e, err.Error(), "failed", method) // an error of ours
		return nil
	}
	return json.RawMessage(answer.ResultString())
}

func (e *editor) tell(method string, params any) {
	require.NoError(e, e.client.Notify(context.Background(), method, params))
}

func (e *editor) change(r *protocol.Range, text string) {
	e.version++
	e.tell("textDocument/didChange", protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{URI: uri, Version: &e.version},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{{Range: r, Text: text}},
	})
}

// diagnostics waits for those of the current version.
func (e *editor) diagnostics() []protocol.Diagnostic {
	deadline := time.After(time.Minute)
	for {
		select {
		case p := <-e.published:
			if p.Version == e.version {
				return p.Diagnostics
			}
		case <-deadline:
			require.Fail(e, "no diagnostics arrived")
		}
	}
}

// An editor may say the content's type in its own way, or in none. The server answers, and stays.
func TestHeadersOfEditors(t *testing.T) {
	for _, header := range []string{
		"", "Content-Type: application/vscode-jsonrpc; charset=utf8\r\n", "Content-Type: application/vscode-jsonrpc\r\n",
		"content-type: application/json\r\n", "Content-Type:\r\n", "X-Editor: mine\r\n",
	} {
		fromEditor, in := io.Pipe()
		out, toEditor := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(context.Background(), fromEditor, toEditor, server.Options{}) }()
		answers := framing.NewReader(out)
		for _, content := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`} {
			_, err := fmt.Fprintf(in, "%sContent-Length: %d\r\n\r\n%s", header, len(content), content)
			require.NoError(t, err, header)
			answer, err := answers.Next()
			require.NoError(t, err, header)
			require.Contains(t, string(answer), `"id":1,"result":`, header)
		}
		require.NoError(t, framing.Write(in, []byte(`{"jsonrpc":"2.0","method":"exit"}`)), header)
		require.NoError(t, <-ended, header)
	}
}

// Requests are answered side by side, and still an exit right after a shutdown is a tidy end.
func TestExitRightAfterShutdown(t *testing.T) {
	for range 50 {
		var sent bytes.Buffer
		for _, content := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`} {
			require.NoError(t, framing.Write(&sent, []byte(content)))
		}
		require.NoError(t, server.Serve(context.Background(), &sent, discarded{}, server.Options{}))
	}
}

// discarded takes answers that nobody reads.
type discarded struct{}

func (discarded) Write(message []byte) (int, error) { return len(message), nil }
func (discarded) Close() error                      { return nil }

// position returns the place of a byte offset, in UTF-16.
func position(text string, offset int) protocol.Position {
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return protocol.Position{Line: strings.Count(before, "\n"), Character: len(utf16.Encode([]rune(before[start:])))}
}

// vetted returns what wgslab vet says of a text, with lines and columns in characters, and said the
// same of diagnostics.
func vetted(text string) (list []string) {
	for _, f := range vet.Read("/work/try.wgsl", text).Findings {
		list = append(list, fmt.Sprintf("%d:%d-%d:%d %s %s %s", f.Line, f.Column, f.EndLine, f.EndColumn, f.Severity, f.Kind, strings.TrimSpace(f.Message+" "+f.Hint)))
		for _, r := range f.Related {
			list = append(list, fmt.Sprintf("  %d:%d %s", r.Line, r.Column, r.Message))
		}
	}
	return list
}

func said(text string, diagnostics []protocol.Diagnostic) (list []string) {
	lines := strings.Split(text, "\n")
	column := func(p protocol.Position) int {
		units := utf16.Encode([]rune(lines[p.Line]))
		return 1 + len([]rune(string(utf16.Decode(units[:p.Character]))))
	}
	for _, d := range diagnostics {
		severity := [...]string{"", "error", "warning", "info", "remark"}[d.Severity]
		list = append(list, fmt.Sprintf("%d:%d-%d:%d %s %s %s", d.Range.Start.Line+1, column(d.Range.Start), d.Range.End.Line+1, column(d.Range.End), severity, d.Code, d.Message))
		for _, r := range d.RelatedInformation {
			list = append(list, fmt.Sprintf("  %d:%d %s", r.Location.Range.Start.Line+1, column(r.Location.Range.Start), r.Message))
		}
	}
	return list
}

// shaders returns right and wrong shaders of the course.
func shaders(t testing.TB) (texts []string) {
	for _, pattern := range []string{"../../../exercises/*/reference.wgsl", "../../../exercises/*/wrong/*.wgsl", "../../../exercises/*/skeleton.wgsl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			texts = append(texts, string(text))
		}
	}
	require.Greater(t, len(texts), 100)
	return texts
}

// The server and wgslab vet say the same of every shader of the course, whole and cut off.
func TestDiagnosticsAreThoseOfVet(t *testing.T) {
	e := open(t, "")
	e.diagnostics()
	found := 0
	for i, text := range shaders(t) {
		if i%3 == 0 {
			text = text[:len(text)*2/3]
		}
		text = "/* 𝄞 */ " + text
		e.change(nil, text)
		diagnostics := e.diagnostics()
		require.Equal(t, vetted(text), said(text, diagnostics), text)
		found += len(diagnostics)
	}
	require.Greater(t, found, 100)
}

// edits is the number of random edits in TestRandomEdits: few, since the race detector makes each
// take ten times as long. The acceptance tests make more.
var edits = 80

// TestRandomEdits types, deletes and pastes at random. After every edit the diagnostics are those
// of a fresh read, and every request gets an answer.
func TestRandomEdits(t *testing.T) {
	const seed = 43
	rng := rand.New(rand.NewPCG(seed, 0))
	all := shaders(t)
	pieces := []string{"\n", " ", ";", "{", "}", "(", ")", "<", ">", ".", "@", "/*", "*/", "//", "𝄞", "é", "\r\n", "\r", "int i = 0;", "let x = ", "// print: a", "//print if a:", "\n// print: id, f32(1)\n", "f32", "fn f() {", "struct S {", "a", "1", "\"", "\u2028"}
	text := all[0]
	e := open(t, text)
	require.Equal(t, vetted(text), said(text, e.diagnostics()))
	offset := func() int {
		at := rng.IntN(len(text) + 1)
		for at > 0 && at < len(text) && text[at]&0xC0 == 0x80 || at > 0 && at < len(text) && text[at] == '\n' && text[at-1] == '\r' {
			at--
		}
		return at
	}
	for n := range edits {
		if len(text) == 0 || len(text) > 20_000 || rng.IntN(40) == 0 {
			text = all[rng.IntN(len(all))]
			e.change(nil, text)
		} else {
			start := offset()
			end := start
			if rng.IntN(3) == 0 {
				end = offset()
				if end-start > 40 && rng.IntN(4) > 0 {
					end = start
				}
			}
			start, end = min(start, end), max(start, end)
			written := pieces[rng.IntN(len(pieces))]
			if rng.IntN(10) == 0 {
				other := all[rng.IntN(len(all))]
				written = strings.ToValidUTF8(other[len(other)/3:len(other)/2], "")
			}
			e.change(&protocol.Range{Start: lined(text, start), End: lined(text, end)}, written)
			text = text[:start] + written + text[end:]
		}
		diagnostics := e.diagnostics()
		want := vet.Read("/work/try.wgsl", text).Findings
		require.Len(t, diagnostics, len(want), "seed %d, edit %d: %q", seed, n, text)
		for i, f := range want {
			require.Equal(t, string(f.Kind), diagnostics[i].Code)
			require.Equal(t, lined(text, int(f.Span.Start)), diagnostics[i].Range.Start, "seed %d, edit %d: %q", seed, n, text)
			require.Equal(t, lined(text, int(f.Span.End)), diagnostics[i].Range.End, "seed %d, edit %d: %q", seed, n, text)
		}
		e.askEverything(lined(text, offset()))
	}
}

// lined returns a position like position, in a text in which lines end at CR as well.
func lined(text string, offset int) protocol.Position {
	before := strings.ReplaceAll(text[:offset], "\r\n", "\n\n")
	line := strings.Count(strings.ReplaceAll(text[:offset], "\r\n", "\n"), "\n") + strings.Count(strings.ReplaceAll(text[:offset], "\r\n", "\n"), "\r")
	if offset > 0 && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n' {
		line-- // the place is between CR and LF
		before = before[:len(before)-1]
	}
	return protocol.Position{Line: line, Character: len(utf16.Encode([]rune(before[strings.LastIndexAny(before, "\n\r")+1:])))}
}

// askEverything sends each kind of request about a place.
func (e *editor) askEverything(at protocol.Position) {
	d := map[string]any{"uri": uri}
	whole := protocol.Range{End: protocol.Position{Line: 1 << 20}}
	for _, method := range []string{"hover", "completion", "signatureHelp", "definition", "typeDefinition", "documentHighlight", "prepareRename", "prepareCallHierarchy"} {
		e.ask("textDocument/"+method, map[string]any{"textDocument": d, "position": at})
	}
	for _, method := range []string{"documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "formatting"} {
		e.ask("textDocument/"+method, map[string]any{"textDocument": d})
	}
	e.ask("textDocument/references", map[string]any{"textDocument": d, "position": at, "context": map[string]any{"includeDeclaration": true}})
	e.ask("textDocument/rename", map[string]any{"textDocument": d, "position": at, "newName": "renamed"})
	e.ask("textDocument/selectionRange", map[string]any{"textDocument": d, "positions": []any{at}})
	e.ask("textDocument/inlayHint", map[string]any{"textDocument": d, "range": whole})
	e.ask("textDocument/codeAction", map[string]any{"textDocument": d, "range": protocol.Range{Start: at, End: at}, "context": map[string]any{}})
}

// Formatting keeps the document's line breaks, and every edit begins and ends at a place that
// exists.
func TestFormattingKeepsLineBreaks(t *testing.T) {
	e := open(t, "")
	for before, after := range map[string]string{
		"const a=1;\r\nconst b=2;\r\n":               "const a = 1;\r\nconst b = 2;\r\n",
		"const a = 1;\r\n":                           "const a = 1;\r\n",
		"const a = 1;  \r\n\r\n\r\n\r\nconst b = 2;": "const a = 1;\r\n\r\nconst b = 2;\r\n",
		"fn f() {\r\n}\r\n\r\n":                      "fn f() {}\r\n",
		"/* 𝄞\r\n b */ const a=1;\r\n":               "/* 𝄞\r\n b */ const a = 1;\r\n",
		"const a=1;\nconst b = 2;\r\n":               "const a = 1;\nconst b = 2;\n", // the first break counts
		"const a=1;\rconst b = 2;\r":                 "const a = 1;\nconst b = 2;\n",
	} {
		e.change(nil, before)
		var edits []protocol.TextEdit
		require.NoError(t, json.Unmarshal(e.ask("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}), &edits))
		text, err := pageOf(before, false).apply(edits)
		require.NoError(t, err, "%q: %v", before, edits)
		require.Equal(t, after, text, "%q: %v", before, edits)
	}
}

// A comment of several lines is a token for each: a token over two lines needs a client that says
// it understands them.
func TestTokensEndWithTheirLine(t *testing.T) {
	e := open(t, "")
	for text, comments := range map[string]int{
		"/* a\nb */ const a = 1;": 2, "/* a\r\nb */ const a = 1;": 2, "/* a\rb */ const a = 1;": 2,
		"/* a\r\r\n\n𝄞 */ const a = 1;": 2, "// a\rconst a = 1;": 1, "const a = 1; /* a\n": 1, "/*\n\n*/ // b\r\n": 3,
	} {
		e.change(nil, text)
		answer := e.ask("textDocument/semanticTokens/full", map[string]any{"textDocument": map[string]any{"uri": uri}})
		require.NoError(t, pageOf(text, false).checkTokens(answer), "%q: %s", text, answer)
		var tokens protocol.SemanticTokens
		require.NoError(t, json.Unmarshal(answer, &tokens))
		found := 0
		for i := 3; i < len(tokens.Data); i += 5 {
			if navigate.Classes[tokens.Data[i]] == navigate.CommentClass {
				found++
			}
		}
		require.Equal(t, comments, found, "%q: %s", text, answer)
	}
}

// BenchmarkALongLine asks about a line of 200 KiB: no answer takes time that grows with the square
// of its length.
func BenchmarkALongLine(b *testing.B) {
	for what, text := range map[string]string{
		"numbers": "/* 𝄞 */ const a = array(" + strings.Repeat("1u, ", 50_000) + "1u);", "comments": "fn f() { " + strings.Repeat("/**/ ", 40_000) + "}",
		"functions": strings.Repeat("fn f() { f(); } ", 10_000),
	} {
		b.Run(what, func(b *testing.B) {
			e := open(b, text)
			e.diagnostics()
			for b.Loop() {
				for _, method := range []string{"semanticTokens/full", "documentSymbol", "foldingRange"} {
					e.ask("textDocument/"+method, map[string]any{"textDocument": map[string]any{"uri": uri}})
				}
			}
		})
	}
}

// A pipe, a dangling link or a huge file in the workspace hides no symbol of another file.
func TestSymbolsOfAWorkspace(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.WriteFile(in("a.wgsl"), []byte("const here = 1;"), 0o644))
	require.NoError(t, os.WriteFile(in("large.wgsl"), []byte("const large = 1;"+strings.Repeat("/", shader.MaxSource)), 0o644))
	require.NoError(t, os.Symlink(in("large.wgsl"), in("link.wgsl")))
	require.NoError(t, os.Symlink("nowhere", in("dangling.wgsl")))
	require.NoError(t, syscall.Mkfifo(in("pipe.wgsl"), 0o644))
	e := open(t, "")
	e.tell("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{map[string]any{"uri": "file://" + folder, "name": "work"}}}})
	var symbols []protocol.SymbolInformation
	require.NoError(t, json.Unmarshal(e.ask("workspace/symbol", map[string]any{"query": ""}), &symbols))
	require.Len(t, symbols, 1)
	require.Equal(t, "here", symbols[0].Name)
}

// The units of positions are agreed on once.
func TestInitializeIsOnce(t *testing.T) {
	e := open(t, "")
	_, err := e.client.Call(context.Background(), "initialize", protocol.InitializeParams{})
	var said *jrpc2.Error
	require.ErrorAs(t, err, &said)
	require.Equal(t, jrpc2.InvalidRequest, said.Code)
}

// The first action offered for a mistake mends it.
func TestCodeActionsMend(t *testing.T) {
	e := open(t, "")
	e.diagnostics()
	for mistake, mended := range map[string]string{
		"fn f() { int i = 0; }":                          "fn f() { var i: i32 = 0; }",
		"const a = 1":                                    "const a = 1;",
		"fn f() { let v = float4(1.0); }":                "fn f() { let v = vec4f(1.0); }",
		"fn f(a: u32) -> f32 { return a; }":              "fn f(a: u32) -> f32 { return f32(a); }",
		"@compute fn main() {}":                          "@compute @workgroup_size(64) fn main() {}",
		"fn f() { let i = 0; i = 1; }":                   "fn f() { var i = 0; i = 1; }",
		"fn f(a: i32) { if a = 1 { return; } }":          "fn f(a: i32) { if a == 1 { return; } }",
		"fn f() -> i32 { let half = 1; return hlaf; }":   "fn f() -> i32 { let half = 1; return half; }",
		"fn f(a: vec3f) -> f32 { return a.x + 1.0; }\n;": "",
	} {
		e.change(nil, mistake)
		diagnostics := e.diagnostics()
		if mended == "" {
			require.Empty(t, diagnostics, "a control: it is valid")
			continue
		}
		require.NotEmpty(t, diagnostics, mistake)
		var actions []protocol.CodeAction
		require.NoError(t, json.Unmarshal(e.ask("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": uri}, "range": diagnostics[0].Range, "context": map[string]any{"only": []string{"quickfix"}},
		}), &actions))
		require.NotEmpty(t, actions, mistake)
		text := mistake
		edits := actions[0].Edit.DocumentChanges[0].Edits
		for i := len(edits) - 1; i >= 0; i-- { // the mistakes have one line
			text = text[:edits[i].Range.Start.Character] + edits[i].NewText + text[edits[i].Range.End.Character:]
		}
		require.Equal(t, mended, text)
		e.change(nil, text)
		for _, d := range e.diagnostics() {
			require.NotEqual(t, 1, d.Severity, "%s: %s", text, d.Message)
		}
	}
}
