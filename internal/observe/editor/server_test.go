package editor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/framing"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/editor"
	"github.com/wgslab/wgslab/internal/observe/editor/editortest"
	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// An editor may say the content's type in its own way, or in none. The server answers, and stays.
func TestHeadersOfEditors(t *testing.T) {
	for _, header := range []string{
		"", "Content-Type: application/vscode-jsonrpc; charset=utf8\r\n", "Content-Type: application/vscode-jsonrpc\r\n",
		"content-type: application/json\r\n", "Content-Type:\r\n", "X-Editor: mine\r\n",
	} {
		fromEditor, in := io.Pipe()
		out, toEditor := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- editor.Serve(context.Background(), fromEditor, toEditor, editor.Options{}) }()
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
		require.NoError(t, editor.Serve(context.Background(), &sent, discarded{}, editor.Options{}))
	}
}

// discarded takes answers that nobody reads.
type discarded struct{}

func (discarded) Write(message []byte) (int, error) { return len(message), nil }
func (discarded) Close() error                      { return nil }

// position returns the place of a byte offset, in UTF-16.
func position(text string, offset int) editor.Position {
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return editor.Position{Line: strings.Count(before, "\n"), Character: len(utf16.Encode([]rune(before[start:])))}
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

func said(text string, diagnostics []editor.Diagnostic) (list []string) {
	lines := strings.Split(text, "\n")
	column := func(p editor.Position) int {
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

// The server and wgslab vet say the same of every shader of the course, whole and cut off.
func TestDiagnosticsAreThoseOfVet(t *testing.T) {
	e := editortest.Open(t, "")
	e.Diagnostics()
	found := 0
	for i, text := range editortest.Shaders(t, exercises.Files) {
		if i%3 == 0 {
			text = text[:len(text)*2/3]
		}
		text = "/* 𝄞 */ " + text
		e.Change(nil, text)
		diagnostics := e.Diagnostics()
		require.Equal(t, vetted(text), said(text, diagnostics), text)
		found += len(diagnostics)
	}
	require.Greater(t, found, 100)
}

// A few random edits under the race detector, which makes each take ten times as long. The
// acceptance tests make more without it.
func TestRandomEdits(t *testing.T) {
	editortest.RandomEdits(t, editortest.Shaders(t, exercises.Files), 80)
}

// Formatting keeps the document's line breaks, and every edit begins and ends at a place that
// exists.
func TestFormattingKeepsLineBreaks(t *testing.T) {
	e := editortest.Open(t, "")
	for before, after := range map[string]string{
		"const a=1;\r\nconst b=2;\r\n":               "const a = 1;\r\nconst b = 2;\r\n",
		"const a = 1;\r\n":                           "const a = 1;\r\n",
		"const a = 1;  \r\n\r\n\r\n\r\nconst b = 2;": "const a = 1;\r\n\r\nconst b = 2;\r\n",
		"fn f() {\r\n}\r\n\r\n":                      "fn f() {}\r\n",
		"/* 𝄞\r\n b */ const a=1;\r\n":               "/* 𝄞\r\n b */ const a = 1;\r\n",
		"const a=1;\nconst b = 2;\r\n":               "const a = 1;\nconst b = 2;\n", // the first break counts
		"const a=1;\rconst b = 2;\r":                 "const a = 1;\nconst b = 2;\n",
	} {
		e.Change(nil, before)
		var edits []editor.TextEdit
		require.NoError(t, json.Unmarshal(e.Ask("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": editortest.URI}}), &edits))
		text, err := pageOf(before, false).apply(edits)
		require.NoError(t, err, "%q: %v", before, edits)
		require.Equal(t, after, text, "%q: %v", before, edits)
	}
}

// A comment of several lines is a token for each: a token over two lines needs a client that says
// it understands them.
func TestTokensEndWithTheirLine(t *testing.T) {
	e := editortest.Open(t, "")
	for text, comments := range map[string]int{
		"/* a\nb */ const a = 1;": 2, "/* a\r\nb */ const a = 1;": 2, "/* a\rb */ const a = 1;": 2,
		"/* a\r\r\n\n𝄞 */ const a = 1;": 2, "// a\rconst a = 1;": 1, "const a = 1; /* a\n": 1, "/*\n\n*/ // b\r\n": 3,
	} {
		e.Change(nil, text)
		answer := e.Ask("textDocument/semanticTokens/full", map[string]any{"textDocument": map[string]any{"uri": editortest.URI}})
		require.NoError(t, pageOf(text, false).checkTokens(answer), "%q: %s", text, answer)
		var tokens editor.SemanticTokens
		require.NoError(t, json.Unmarshal(answer, &tokens))
		found := 0
		for i := 3; i < len(tokens.Data); i += 5 {
			if assist.Classes[tokens.Data[i]] == assist.CommentClass {
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
			e := editortest.Open(b, text)
			e.Diagnostics()
			for b.Loop() {
				for _, method := range []string{"semanticTokens/full", "documentSymbol", "foldingRange"} {
					e.Ask("textDocument/"+method, map[string]any{"textDocument": map[string]any{"uri": editortest.URI}})
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
	e := editortest.Open(t, "")
	e.Tell("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{map[string]any{"uri": "file://" + folder, "name": "work"}}}})
	var symbols []editor.SymbolInformation
	require.NoError(t, json.Unmarshal(e.Ask("workspace/symbol", map[string]any{"query": ""}), &symbols))
	require.Len(t, symbols, 1)
	require.Equal(t, "here", symbols[0].Name)
}

// A module of WESL is read with what it imports. A mistake in an imported file is at the import.
func TestImportedModules(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "math.wesl"), []byte("fn twice(v: f32) -> f32 { return v * 2u; }\nfn half(v: f32) -> f32 { return v / 2; }"), 0o644))
	e := editortest.Open(t, "")
	e.Diagnostics()
	for text, want := range map[string]string{
		"import package::math::half;\nfn f() -> f32 { return half(2.0); }":                     "",
		"import package::math::twice;\n\nfn f() -> f32 { return twice(2.0); }":                 "2 math.wesl, line 1: ",
		"import package::math::twince;\n":                                                      "0 " + "math.wesl declares no `twince`. Did you mean `twice`?",
		"\n@if(debug) const a = 1;":                                                            "1 The feature `debug` has no value.",
		"import package::math::half;\nconst a: u32 = 1.5; fn f() -> f32 { return half(2.0); }": "1 ",
	} {
		uri := "file://" + filepath.Join(folder, fmt.Sprintf("%d.wesl", len(text)))
		e.Tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "wgsl", "version": 0, "text": text}})
		var got []string
		for _, d := range e.Diagnostics() {
			got = append(got, fmt.Sprintf("%d %s", d.Range.Start.Line, strings.ReplaceAll(d.Message, folder+"/", "")))
		}
		if want == "" {
			require.Empty(t, got, text)
			continue
		}
		require.Len(t, got, 1, text)
		require.Contains(t, got[0], want, text)
	}
}

// The units of positions are agreed on once.
func TestInitializeIsOnce(t *testing.T) {
	e := editortest.Open(t, "")
	_, err := e.Client.Call(context.Background(), "initialize", editor.InitializeParams{})
	var said *jrpc2.Error
	require.ErrorAs(t, err, &said)
	require.Equal(t, jrpc2.InvalidRequest, said.Code)
}

// The first action offered for a mistake mends it.
func TestCodeActionsMend(t *testing.T) {
	e := editortest.Open(t, "")
	e.Diagnostics()
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
		e.Change(nil, mistake)
		diagnostics := e.Diagnostics()
		if mended == "" {
			require.Empty(t, diagnostics, "a control: it is valid")
			continue
		}
		require.NotEmpty(t, diagnostics, mistake)
		var actions []editor.CodeAction
		require.NoError(t, json.Unmarshal(e.Ask("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": editortest.URI}, "range": diagnostics[0].Range, "context": map[string]any{"only": []string{"quickfix"}},
		}), &actions))
		require.NotEmpty(t, actions, mistake)
		text := mistake
		edits := actions[0].Edit.DocumentChanges[0].Edits
		for i := len(edits) - 1; i >= 0; i-- { // the mistakes have one line
			text = text[:edits[i].Range.Start.Character] + edits[i].NewText + text[edits[i].Range.End.Character:]
		}
		require.Equal(t, mended, text)
		e.Change(nil, text)
		for _, d := range e.Diagnostics() {
			require.NotEqual(t, 1, d.Severity, "%s: %s", text, d.Message)
		}
	}
}

// The findings of a template are at its own lines, and those of an included file where it is
// included. They are those of the first variant in wgslab.toml.
func TestDiagnosticsOfTemplates(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	write("wgslab.toml", "[[variant]]\nname = 'half'\nvalues = {TYPE = 'f32', N = 4}\n[[variant]]\nname = 'other'\nvalues = {TYPE = 'nothing'}\n")
	write("part.wgsl", "\nconst wrong: u32 = 1.5;\n")
	e := editortest.Open(t, "")
	e.Diagnostics()
	text := "#ifdef TYPE\n\n#include \"part.wgsl\"\n#endif\nconst x: TYPE = vec2(N);\nfn f() { let i = 0; i = N; }\n"
	e.Tell("textDocument/didOpen", editor.DidOpenTextDocumentParams{TextDocument: editor.TextDocumentItem{URI: "file://" + filepath.ToSlash(folder) + "/t.wgsl", Text: text}})
	var got []string
	for _, d := range e.Diagnostics() {
		got = append(got, fmt.Sprintf("%d:%d-%d %s", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Range.End.Character+1, d.Message))
	}
	require.Len(t, got, 3, got)
	require.Regexp(t, `^3:1-21 .*part\.wgsl, line 2: `, got[0])
	require.Regexp(t, `^5:17-24 `, got[1])
	require.Regexp(t, `^6:21-22 `, got[2])
}
