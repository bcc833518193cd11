//go:build acceptance

package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/editor"
)

const uri = "file:///work/mutant.wgsl"

// An editor asks the language server about one mutant after the other.
type client struct {
	client   *jrpc2.Client
	version  int
	exercise string            // of the mutant that is open
	told     chan int          // the versions that have diagnostics
	faults   chan string       // what the server logs
	document map[string]any    // that is open
	lines    []string          // of the mutant that is open
	at       []editor.Position // where the requests ask
}

func startEditor(t *testing.T) *client {
	e := &client{
		told: make(chan int, 10), faults: make(chan string, 100), document: map[string]any{"uri": uri},
	}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	options := editor.Options{
		Exercise: func(string) string { return e.exercise },
		Run:      func(context.Context, ...string) (string, error) { return "", nil },
	}
	go func() { ended <- editor.Serve(context.Background(), fromClient, toClient, options) }()
	hears := &jrpc2.ClientOptions{OnNotify: e.notified}
	e.client = jrpc2.NewClient(channel.LSP(fromServer, toServer), hears)
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		<-ended
	})
	_, err := e.client.Call(t.Context(), "initialize", map[string]any{})
	require.NoError(t, err)
	return e
}

func (e *client) notified(r *jrpc2.Request) {
	var p editor.PublishDiagnosticsParams
	switch {
	case r.Method() == "window/logMessage":
		e.faults <- r.ParamString()
	case r.Method() == "textDocument/publishDiagnostics" && r.UnmarshalParams(&p) == nil:
		e.told <- p.Version
	}
}

// tools returns the editor's requests, in the order in which an editor sends them.
func (e *client) tools() []tool {
	all := []tool{{"diagnostics", e.open}}
	for _, method := range aboutAll {
		all = append(all, tool{method, e.whole("textDocument/" + method)})
	}
	for _, method := range aboutPlaces {
		all = append(all, tool{method, e.atPlaces("textDocument/" + method)})
	}
	return all
}

var (
	aboutAll = []string{
		"documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "inlayHint", "formatting",
	}
	aboutPlaces = []string{
		"hover", "completion", "signatureHelp", "definition", "references", "documentHighlight",
		"prepareRename", "selectionRange", "codeAction",
	}
)

// places is the number of positions at which each request asks.
const places = 5

// open opens a mutant, and waits for its diagnostics.
func (e *client) open(ctx context.Context, m *trial) (string, error) {
	e.version++
	e.exercise = m.exercise.ID
	text := strings.ToValidUTF8(m.text, "\uFFFD") // as JSON does
	e.lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	e.at = nil
	for range places {
		line := m.rng.IntN(len(e.lines))
		units := len(utf16.Encode([]rune(e.lines[line])))
		e.at = append(e.at, editor.Position{Line: line, Character: m.rng.IntN(units + 1)})
	}
	opened := map[string]any{"uri": uri, "version": e.version, "text": text}
	err := e.client.Notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": opened})
	if err != nil {
		return "", err
	}
	for {
		select {
		case version := <-e.told:
			if version == e.version {
				return "told", e.fault()
			}
		case fault := <-e.faults:
			return "", errors.New(fault)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// fault returns what the server has logged.
func (e *client) fault() error {
	select {
	case fault := <-e.faults:
		return errors.New(fault)
	default:
		return nil
	}
}

// whole returns the tool of a request about the whole document.
func (e *client) whole(method string) func(context.Context, *trial) (string, error) {
	return func(ctx context.Context, _ *trial) (string, error) {
		return "answered", e.ask(ctx, method, map[string]any{
			"range":   editor.Range{End: editor.Position{Line: len(e.lines)}},
			"options": map[string]any{"tabSize": 2, "insertSpaces": true},
		})
	}
}

// atPlaces returns the tool of a request about a position.
func (e *client) atPlaces(method string) func(context.Context, *trial) (string, error) {
	return func(ctx context.Context, _ *trial) (string, error) {
		for i, at := range e.at {
			to := e.at[(i+1)%len(e.at)]
			err := e.ask(ctx, method, map[string]any{
				"position": at, "positions": []any{at, to}, "range": editor.Range{Start: at, End: to},
				"context": map[string]any{"includeDeclaration": true},
			})
			if err != nil {
				return "", fmt.Errorf("at %v: %w", at, err)
			}
		}
		return "answered", nil
	}
}

// ask sends a request. That there is nothing to rename is an answer as well.
func (e *client) ask(ctx context.Context, method string, params map[string]any) error {
	params["textDocument"] = e.document
	answer, err := e.client.Call(ctx, method, params)
	var said *jrpc2.Error
	switch {
	case errors.As(err, &said) && said.Code != jrpc2.InternalError && ctx.Err() == nil:
		return e.fault()
	case err != nil:
		return err
	}
	var anything any
	return errors.Join(json.Unmarshal([]byte(answer.ResultString()), &anything), e.fault())
}
