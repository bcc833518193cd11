// Package editortest is an editor for the tests of the language server.
package editortest

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/editor"
)

// URI is the address of the document that an Editor has open.
const URI = "file:///work/try.wgsl"

// An Editor talks to a server in this process.
type Editor struct {
	testing.TB
	Client    *jrpc2.Client
	published chan editor.PublishDiagnosticsParams
	version   int
}

// Open starts a server and an editor that has a document with a text.
func Open(t testing.TB, text string) *Editor {
	e := &Editor{TB: t, published: make(chan editor.PublishDiagnosticsParams, 1000)}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- editor.Serve(ctx, fromClient, toClient, editor.Options{}) }()
	e.Client = jrpc2.NewClient(channel.LSP(fromServer, toServer), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		var p editor.PublishDiagnosticsParams
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
	e.Ask("initialize", editor.InitializeParams{})
	e.Tell("textDocument/didOpen", editor.DidOpenTextDocumentParams{TextDocument: editor.TextDocumentItem{URI: URI, Version: 0, Text: text}})
	return e
}

// Ask sends a request and returns its answer, nil if the server refuses it.
func (e *Editor) Ask(method string, params any) json.RawMessage {
	answer, err := e.Client.Call(context.Background(), method, params)
	if err != nil {
		require.NotContains(e, err.Error(), "failed", method) // an error of ours
		return nil
	}
	return json.RawMessage(answer.ResultString())
}

// Tell sends a notification.
func (e *Editor) Tell(method string, params any) {
	require.NoError(e, e.Client.Notify(context.Background(), method, params))
}

// Change replaces a range of the document, or all of it if r is nil.
func (e *Editor) Change(r *editor.Range, text string) {
	e.version++
	e.Tell("textDocument/didChange", editor.DidChangeTextDocumentParams{
		TextDocument:   editor.VersionedTextDocumentIdentifier{URI: URI, Version: &e.version},
		ContentChanges: []editor.TextDocumentContentChangeEvent{{Range: r, Text: text}},
	})
}

// Diagnostics waits for those of the current version.
func (e *Editor) Diagnostics() []editor.Diagnostic {
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
