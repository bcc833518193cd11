package editor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/editor"
	"github.com/wgslab/wgslab/internal/observe/editor/editortest"
	"github.com/wgslab/wgslab/internal/wgsl/format"
)

// A page is a document as the protocol describes it. It is written apart from the server's own
// table of lines, so that the two can disagree.
type page struct {
	text  string
	lines []string // without their breaks
	at    []int    // where each begins, in bytes
	bytes bool     // characters count bytes, else UTF-16 code units
}

func pageOf(text string, bytes bool) *page {
	p := &page{text: text, bytes: bytes}
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != '\n' && text[i] != '\r' {
			continue
		}
		p.lines, p.at = append(p.lines, text[start:i]), append(p.at, start)
		if i+1 < len(text) && text[i:i+2] == "\r\n" {
			i++
		}
		start = i + 1
	}
	return p
}

// offset returns the byte offset of a position, and an error if the document has no such position.
func (p *page) offset(at editor.Position) (int, error) {
	if at.Line < 0 || at.Line >= len(p.lines) {
		return 0, fmt.Errorf("there is no line %d: there are %d", at.Line, len(p.lines))
	}
	units := 0
	for i, r := range p.lines[at.Line] + "\n" {
		if units == at.Character {
			return p.at[at.Line] + i, nil
		}
		if p.bytes {
			units += len(string(r))
		} else {
			units += len(utf16.Encode([]rune{r}))
		}
	}
	return 0, fmt.Errorf("line %d has no place before character %d: %q", at.Line, at.Character, p.lines[at.Line])
}

// nearest returns the offset that the protocol gives to any position: one past a line is at its
// end.
func (p *page) nearest(at editor.Position) int {
	switch {
	case at.Line < 0:
		return 0
	case at.Line >= len(p.lines):
		return len(p.text)
	}
	at.Character = min(max(at.Character, 0), len(p.lines[at.Line]))
	for {
		if offset, err := p.offset(at); err == nil {
			return offset
		}
		at.Character--
	}
}

func (p *page) span(r editor.Range) (start, end int, err error) {
	if start, err = p.offset(r.Start); err != nil {
		return 0, 0, err
	}
	if end, err = p.offset(r.End); err == nil && start > end {
		err = fmt.Errorf("the range %v ends before it begins", r)
	}
	return start, end, err
}

// apply makes edits as an editor does: from the last one to the first.
func (p *page) apply(edits []editor.TextEdit) (string, error) {
	text, limit := p.text, len(p.text)+1
	for i := len(edits) - 1; i >= 0; i-- {
		start, end, err := p.span(edits[i].Range)
		if err != nil {
			return "", err
		}
		if end > limit || end == limit && start == limit {
			return "", fmt.Errorf("edits overlap, or aren't in order: %v", edits)
		}
		text, limit = text[:start]+edits[i].NewText+text[end:], start
	}
	return text, nil
}

// check looks for every range in an answer, however deep, and for lists of edits.
func (p *page) check(answer any) error {
	switch answer := answer.(type) {
	case []any:
		for _, part := range answer {
			if err := p.check(part); err != nil {
				return err
			}
		}
	case map[string]any:
		raw, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		var r struct {
			Start, End *editor.Position
			Position   *editor.Position
			StartLine  *int
			EndLine    *int
			Edits      []editor.TextEdit
		}
		if json.Unmarshal(raw, &r) == nil {
			if r.Start != nil && r.End != nil {
				if _, _, err := p.span(editor.Range{Start: *r.Start, End: *r.End}); err != nil {
					return err
				}
			}
			if r.Position != nil {
				if _, err := p.offset(*r.Position); err != nil {
					return err
				}
			}
			if r.StartLine != nil && (*r.StartLine < 0 || *r.EndLine < *r.StartLine || *r.EndLine >= len(p.lines)) {
				return fmt.Errorf("lines %d to %d of %d", *r.StartLine, *r.EndLine, len(p.lines))
			}
			if _, err := p.apply(inOrder(r.Edits)); err != nil {
				return err
			}
		}
		for _, part := range answer {
			if err := p.check(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// inOrder sorts edits as an editor does: those at one place keep their order.
func inOrder(edits []editor.TextEdit) []editor.TextEdit {
	for i := range edits {
		for j := i; j > 0 && before(edits[j].Range.Start, edits[j-1].Range.Start); j-- {
			edits[j], edits[j-1] = edits[j-1], edits[j]
		}
	}
	return edits
}

func before(a, b editor.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// checkTokens checks that semantic tokens are in order, and each within one line.
func (p *page) checkTokens(answer json.RawMessage) error {
	var tokens editor.SemanticTokens
	if err := json.Unmarshal(answer, &tokens); err != nil || len(tokens.Data)%5 != 0 {
		return fmt.Errorf("the tokens %s: %w", answer, err)
	}
	at, end := editor.Position{}, 0
	for i := 0; i < len(tokens.Data); i += 5 {
		if tokens.Data[i] > 0 {
			at, end = editor.Position{Line: at.Line + int(tokens.Data[i])}, 0
		}
		at.Character += int(tokens.Data[i+1])
		if at.Character < end || tokens.Data[i+2] == 0 {
			return fmt.Errorf("the token at %v overlaps the one before, or is empty", at)
		}
		end = at.Character + int(tokens.Data[i+2])
		if _, _, err := p.span(editor.Range{Start: at, End: editor.Position{Line: at.Line, Character: end}}); err != nil {
			return fmt.Errorf("a token: %w", err)
		}
	}
	return nil
}

// A restless editor sends whatever its random numbers say.
type restless struct {
	*testing.T
	rng     *rand.Rand
	client  *jrpc2.Client
	page    *page
	version int

	mu    sync.Mutex
	pages map[int]*page // by version; "" for the document that is closed
	wrong []string      // what was wrong with diagnostics
}

const patience = 20 * time.Second

func startRestless(t *testing.T, seed uint64, countBytes bool) *restless {
	e := &restless{T: t, rng: rand.New(rand.NewPCG(seed, 1)), page: pageOf("", countBytes), pages: map[int]*page{}}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	options := editor.Options{
		Exercise: func(string) string { return "add" },
		Run:      func(_ context.Context, args ...string) (string, error) { return strings.Join(args[:2], " "), nil },
	}
	go func() { ended <- editor.Serve(context.Background(), fromClient, toClient, options) }()
	e.client = jrpc2.NewClient(channel.LSP(fromServer, toServer), &jrpc2.ClientOptions{OnNotify: e.notified})
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		<-ended
	})
	return e
}

func (e *restless) notified(r *jrpc2.Request) {
	var p editor.PublishDiagnosticsParams
	switch {
	case r.Method() == "window/logMessage": // the server had a fault
		e.complain(r.ParamString())
	case r.Method() == "textDocument/publishDiagnostics" && r.UnmarshalParams(&p) == nil:
		e.mu.Lock()
		of := e.pages[p.Version]
		e.mu.Unlock()
		var diagnostics []any
		if of == nil || p.URI != editortest.URI {
			e.complain(r.ParamString())
			return
		}
		raw, _ := json.Marshal(p.Diagnostics)
		_ = json.Unmarshal(raw, &diagnostics)
		if err := of.check(diagnostics); err != nil {
			e.complain(fmt.Sprintf("%v: %s", err, raw))
		}
	}
}

func (e *restless) complain(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wrong = append(e.wrong, what)
}

// ask sends a request, and fails the test unless an answer comes that isn't a fault of the server.
func (e *restless) ask(method string, params any) json.RawMessage {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := e.client.Call(ctx, method, params)
	var said *jrpc2.Error
	if errors.As(err, &said) {
		require.NotEqual(e, jrpc2.InternalError, said.Code, "%s %v: %v\n%q", method, params, err, e.page.text)
		return nil
	}
	require.NoError(e, err, "%s %v\n%q", method, params, e.page.text)
	return json.RawMessage(answer.ResultString())
}

func (e *restless) tell(method string, params any) {
	require.NoError(e, e.client.Notify(context.Background(), method, params))
}

// show makes a text the newest one.
func (e *restless) show(text string) {
	e.page = pageOf(text, e.page.bytes)
	e.mu.Lock()
	e.pages[e.version] = e.page
	e.mu.Unlock()
}

func (e *restless) open(text string) {
	e.show(text)
	e.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": editortest.URI, "version": e.version, "text": text}})
}

// somewhere returns a position: mostly one of the document, at times one that it doesn't have.
func (e *restless) somewhere() editor.Position {
	if e.rng.IntN(8) == 0 {
		far := []int{-1 << 31, -1, 0, 1, 1 << 20, 1<<31 - 1}
		return editor.Position{Line: far[e.rng.IntN(len(far))], Character: far[e.rng.IntN(len(far))]}
	}
	line := e.rng.IntN(len(e.page.lines))
	return editor.Position{Line: line, Character: e.rng.IntN(len(e.page.lines[line]) + 2)}
}

// scraps are what is typed.
var scraps = []string{
	"\r\n", "\n", "\r", "𝄞", "é", "\u2028", "/*", "*/", "//", "// print: a\r\n", "{", "}", "(", ")", "<", ">", ";", ",", ".", "@", "0x", "1e", "fn f() {", "let x = ",
	"struct S {", "a", "i", "\"", "\x00", "\uFEFF", "/* a\rb\r\nc\nd */", "vec3<f32>(", "if (", "// debug: break",
}

// edit changes the document in one to three steps, as the protocol lets one change do.
func (e *restless) edit() {
	text, old := e.page.text, e.page
	var changes []editor.TextDocumentContentChangeEvent
	for range 1 + e.rng.IntN(3) {
		written := scraps[e.rng.IntN(len(scraps))]
		if e.rng.IntN(20) == 0 {
			changes, text = append(changes, editor.TextDocumentContentChangeEvent{Text: old.text + written}), old.text+written
			e.page = pageOf(text, e.page.bytes)
			continue
		}
		r := editor.Range{Start: e.somewhere()}
		r.End = r.Start
		if e.rng.IntN(4) == 0 {
			r.End = e.somewhere()
		}
		start, end := e.page.nearest(r.Start), e.page.nearest(r.End)
		start, end = min(start, end), max(start, end)
		if end-start > 200 {
			continue
		}
		changes = append(changes, editor.TextDocumentContentChangeEvent{Range: &r, Text: written})
		text = text[:start] + written + text[end:]
		e.page = pageOf(text, e.page.bytes)
	}
	e.version++
	e.show(text)
	e.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": editortest.URI, "version": e.version}, "contentChanges": changes})
}

// methods are all requests that a server answers, and one that it doesn't know.
var methods = []string{
	"textDocument/hover", "textDocument/completion", "textDocument/signatureHelp", "textDocument/definition", "textDocument/typeDefinition",
	"textDocument/references", "textDocument/documentHighlight", "textDocument/prepareRename", "textDocument/rename", "textDocument/documentSymbol",
	"textDocument/foldingRange", "textDocument/selectionRange", "textDocument/semanticTokens/full", "textDocument/semanticTokens/range",
	"textDocument/inlayHint", "textDocument/codeAction", "textDocument/codeLens", "textDocument/formatting", "textDocument/rangeFormatting",
	"textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "workspace/symbol", "workspace/executeCommand",
	"textDocument/noSuchRequest",
}

// request sends one request about the document, and checks the answer.
func (e *restless) request() {
	method := methods[e.rng.IntN(len(methods))]
	at := e.somewhere()
	to := e.somewhere()
	names := []string{"renamed", "i", "", "1", "𝄞", "fn", "a b"}
	commands := []string{"wgslab.check", "wgslab.step", "wgslab.none"}
	answer := e.ask(method, map[string]any{
		"textDocument": map[string]any{"uri": editortest.URI}, "position": at, "range": editor.Range{Start: at, End: to},
		"positions": []any{at, to}, "newName": names[e.rng.IntN(len(names))], "context": map[string]any{"includeDeclaration": e.rng.IntN(2) == 0},
		"options": map[string]any{"tabSize": 2, "insertSpaces": false}, "query": "a",
		"command": commands[e.rng.IntN(len(commands))], "arguments": []any{"add", editortest.URI},
	})
	switch {
	case answer == nil:
	case strings.HasPrefix(method, "textDocument/semanticTokens"):
		require.NoError(e, e.page.checkTokens(answer), "%s %v\n%q", method, at, e.page.text)
	case method == "textDocument/formatting":
		e.formatted(answer)
	default:
		var parts any
		require.NoError(e, json.Unmarshal(answer, &parts))
		require.NoError(e, e.page.check(parts), "%s %v: %s\n%q", method, at, answer, e.page.text)
	}
	if strings.HasSuffix(method, "prepareCallHierarchy") && answer != nil {
		var items []editor.CallHierarchyItem
		require.NoError(e, json.Unmarshal(answer, &items))
		for _, item := range items {
			for _, method := range []string{"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"} {
				var parts any
				require.NoError(e, json.Unmarshal(e.ask(method, map[string]any{"item": item}), &parts))
				require.NoError(e, e.page.check(parts), "%s\n%q", method, e.page.text)
			}
		}
	}
}

// formatted checks that the edits give the layout of wgslab fmt, apart from the line breaks.
func (e *restless) formatted(answer json.RawMessage) {
	var edits []editor.TextEdit
	require.NoError(e, json.Unmarshal(answer, &edits))
	text, err := e.page.apply(edits)
	require.NoError(e, err, "%s\n%q", answer, e.page.text)
	wanted, err := format.Format(e.page.text)
	require.NoError(e, err)
	require.Equal(e, wanted, strings.ReplaceAll(text, "\r\n", "\n"), "%q", e.page.text)
}

// nonsense sends a request whose parameters are of the wrong kind or missing.
func (e *restless) nonsense() {
	values := []any{nil, 7, "text", []any{}, []any{1, 2}, map[string]any{}, true, map[string]any{"uri": 5}, map[string]any{"uri": "file:///other.wgsl"}, map[string]any{"line": "one"}, -1.5}
	params := map[string]any{"textDocument": map[string]any{"uri": editortest.URI}}
	for _, name := range []string{"textDocument", "position", "range", "positions", "newName", "context", "item", "query", "command", "arguments"} {
		if e.rng.IntN(3) == 0 {
			params[name] = values[e.rng.IntN(len(values))]
		}
	}
	var sent any = params
	if e.rng.IntN(6) == 0 {
		sent = nil
	} else if e.rng.IntN(6) == 0 {
		sent = []any{}
	}
	e.ask(methods[e.rng.IntN(len(methods))], sent)
}

// FuzzRequests lets a restless editor loose on a document. The server never fails, every request
// gets an answer, and every range and every edit is within the document.
//
//	go test ./internal/observe/editor -fuzz FuzzRequests -fuzztime 1m -fuzzminimizetime 1x
func FuzzRequests(f *testing.F) {
	const right = "@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n\n// twice doubles 𝄞,\n/* or\nnot */\nfn twice(a: f32) -> f32 {\n    let b = a*2.0;\n    return b;\n}\n\n" +
		"struct S { a: f32, b: vec3f }\n@compute @workgroup_size(8)\nfn main(@builtin(global_invocation_id) id: vec3u) {\n    out[id.x] = twice(out[id.x]); // print: out[0], id.x\n}\n"
	texts := []string{
		"", right, strings.ReplaceAll(right, "\n", "\r\n"), strings.ReplaceAll(right, "\n", "\r"), right + "/* not closed\r\n𝄞", "\uFEFF" + right,
		"const a = 1 /* b\rc\r\nd\ne 𝄞 */;", "const a = 1;\r\nconst  b =2 ;\n const c = 3;\r", "fn f() { let é = 1; }\u2028fn g() { f(); }\u0085",
		"const v = array(" + strings.Repeat("vec2(1, 2), /* 𝄞 */ ", 200) + "vec2(1, 2));", "const a = \x001;", "fn f() { int i = 0;\r\n float4 v; }\r\n",
	}
	for i, text := range texts {
		f.Add(text, uint64(i), i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, countBytes bool) {
		if len(text) > 20_000 {
			t.Skip("too long to be quick")
		}
		text = strings.ToValidUTF8(text, "\uFFFD")
		e := startRestless(t, seed, countBytes)
		encoding := "utf-16"
		if countBytes {
			encoding = "utf-8"
		}
		e.nonsense()
		e.ask("initialize", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{encoding}}}})
		e.open(text)
		for range 12 {
			switch e.rng.IntN(8) {
			case 0, 1:
				e.edit()
			case 2:
				e.nonsense()
			default:
				e.request()
			}
		}
		e.ask("workspace/symbol", map[string]any{"query": ""})
		e.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": editortest.URI}})
		require.Equal(t, "null", string(e.ask("shutdown", nil)))
		e.mu.Lock()
		defer e.mu.Unlock()
		require.Empty(t, e.wrong)
	})
}
