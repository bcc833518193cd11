// Package editor is the language server for WGSL: it answers an editor's requests with the front
// end (internal/wgsl), and its diagnostics are those of wgslab vet.
package editor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"

	"github.com/wgslab/wgslab/internal/ground/framing"
	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// Options say what the server needs from the program that it is a part of.
type Options struct {
	Version string
	// Exercise returns the id of the exercise that a file is an answer to, or "".
	Exercise func(path string) string
	// Run runs a command of wgslab and returns what it prints. Without it there are no code lenses.
	Run func(ctx context.Context, args ...string) (string, error)
	// Templates has the values for templates, and the variant of those that have it. It may be nil.
	Templates *manifest.Reader
	// Stderr also gets what the server logs, for editors that don't show its log. It may be nil.
	Stderr io.Writer
}

// A Server serves one editor.
type Server struct {
	options Options
	rpc     *jrpc2.Server
	exited  chan struct{} // closed when the editor sends exit
	exiting sync.Once

	mu        sync.Mutex
	documents map[string]*document
	folders   []string // their paths
	utf8      bool     // positions count bytes
	snippets  bool
	started   bool // initialize was answered
	ending    bool // shutdown was asked for

	publishing sync.Mutex // held while diagnostics are sent, so that they arrive in order
}

// ErrNotShutDown reports that the editor went away, or sent exit, without asking for shutdown.
var ErrNotShutDown = errors.New("the editor ended the connection without a shutdown request")

// Serve serves an editor until it sends exit or closes the input.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, options Options) error {
	s := &Server{options: options, documents: map[string]*document{}, exited: make(chan struct{})}
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true})
	s.rpc.Start(wire{framing.NewReader(in), out, s.shutdown})
	broken := make(chan error, 1)
	go func() { broken <- s.rpc.Wait() }()
	// The end doesn't wait for the reader: a read of standard input can't be interrupted.
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-broken:
		if err != nil {
			return fmt.Errorf("serving the editor: %w", err)
		}
	case <-s.exited:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ending {
		return ErrNotShutDown
	}
	return nil
}

// A wire is a connection to an editor, as jrpc2 needs it. Its own channel for editors ends at any
// other Content-Type than the usual one.
type wire struct {
	in     *framing.MessageReader
	out    io.WriteCloser
	ending func() // called when shutdown arrives
}

// Recv also sees shutdown, because only here messages are in order: an exit right after it may
// overtake it on the way to its handler.
func (w wire) Recv() ([]byte, error) {
	content, err := w.in.Next()
	var message struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(content, &message) == nil && message.Method == "shutdown" {
		w.ending()
	}
	return content, err
}

func (w wire) Send(message []byte) error { return framing.Write(w.out, message) }
func (w wire) Close() error              { return w.out.Close() }

// methods maps each method to its handler.
type methods map[string]jrpc2.Handler

// Assign returns the handler of a method, or nil.
func (m methods) Assign(_ context.Context, method string) jrpc2.Handler { return m[method] }

func (s *Server) methods() methods {
	return methods{
		"initialize":      s.initialize,
		"initialized":     nothing,
		"shutdown":        nothing,
		"exit":            s.exit,
		"$/cancelRequest": s.cancel,
		"$/setTrace":      nothing,

		"textDocument/didOpen":                on(s, s.didOpen),
		"textDocument/didChange":              on(s, s.didChange),
		"textDocument/didClose":               on(s, s.didClose),
		"textDocument/didSave":                nothing,
		"workspace/didChangeWorkspaceFolders": on(s, s.didChangeFolders),
		"workspace/didChangeConfiguration":    nothing,
		"workspace/didChangeWatchedFiles":     nothing,

		"textDocument/hover":                about(s, s.hover),
		"textDocument/completion":           about(s, s.completion),
		"textDocument/signatureHelp":        about(s, s.signatureHelp),
		"textDocument/definition":           about(s, s.definition),
		"textDocument/typeDefinition":       about(s, s.typeDefinition),
		"textDocument/references":           about(s, s.references),
		"textDocument/documentHighlight":    about(s, s.highlights),
		"textDocument/prepareRename":        about(s, s.prepareRename),
		"textDocument/rename":               about(s, s.rename),
		"textDocument/documentSymbol":       about(s, s.documentSymbols),
		"workspace/symbol":                  on(s, s.workspaceSymbols),
		"textDocument/foldingRange":         about(s, s.foldingRanges),
		"textDocument/selectionRange":       about(s, s.selectionRanges),
		"textDocument/semanticTokens/full":  about(s, s.semanticTokens),
		"textDocument/semanticTokens/range": about(s, s.semanticTokensRange),
		"textDocument/inlayHint":            about(s, s.inlayHints),
		"textDocument/codeAction":           about(s, s.codeActions),
		"textDocument/codeLens":             about(s, s.codeLenses),
		"textDocument/formatting":           about(s, s.formatting),
		"textDocument/rangeFormatting":      about(s, s.rangeFormatting),
		"textDocument/prepareCallHierarchy": about(s, s.prepareCallHierarchy),
		"callHierarchy/incomingCalls":       about(s, s.incomingCalls),
		"callHierarchy/outgoingCalls":       about(s, s.outgoingCalls),
		"workspace/executeCommand":          on(s, s.executeCommand),
	}
}

func nothing(context.Context, *jrpc2.Request) (any, error) { return nil, nil }

// notInitialized is the protocol's code for a request before initialize.
const notInitialized = jrpc2.Code(-32002)

// on returns a handler that decodes its parameters. An error of ours in a handler fails the
// request, and not the server.
func on[P any](s *Server, handle func(context.Context, *P) (any, error)) jrpc2.Handler {
	return func(ctx context.Context, r *jrpc2.Request) (result any, err error) {
		defer func() {
			if e := recover(); e != nil {
				s.log("%s failed: %v\n%s", r.Method(), e, debug.Stack())
				result, err = nil, jrpc2.Errorf(jrpc2.InternalError, "%s failed: %v", r.Method(), e)
			}
		}()
		s.mu.Lock()
		started := s.started
		s.mu.Unlock()
		if !started {
			return nil, jrpc2.Errorf(notInitialized, "send initialize before %s", r.Method())
		}
		params := new(P)
		if err := r.UnmarshalParams(params); err != nil {
			return nil, err
		}
		return handle(ctx, params)
	}
}

// A subject names the document that a request is about.
type subject struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Item         struct {
		URI string `json:"uri"`
	} `json:"item"` // of a call hierarchy
}

// about returns a handler of requests about an open document. For another document it answers null.
func about[P any](s *Server, handle func(*document, *P) (any, error)) jrpc2.Handler {
	return on(s, func(_ context.Context, raw *json.RawMessage) (any, error) {
		var of subject
		params := new(P)
		if err := json.Unmarshal(*raw, &of); err != nil {
			return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%v", err)
		}
		if err := json.Unmarshal(*raw, params); err != nil {
			return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%v", err)
		}
		d := s.document(of.TextDocument.URI + of.Item.URI)
		if d == nil {
			return nil, nil
		}
		return handle(d, params)
	})
}

func (s *Server) document(uri string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.documents[uri]
}

func (s *Server) initialize(_ context.Context, r *jrpc2.Request) (any, error) {
	var p InitializeParams
	if err := r.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started { // the units of positions can't change any more
		return nil, jrpc2.Errorf(jrpc2.InvalidRequest, "initialize was sent before")
	}
	encoding := "utf-16"
	for _, name := range p.Capabilities.General.PositionEncodings {
		if name == "utf-8" || name == "utf-16" {
			encoding = name // the client's favourite comes first
			break
		}
	}
	s.utf8, s.snippets, s.started = encoding == "utf-8", p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport, true
	for _, f := range p.WorkspaceFolders {
		s.folders = append(s.folders, pathOf(f.URI))
	}
	if len(s.folders) == 0 && p.RootURI != "" {
		s.folders = []string{pathOf(p.RootURI)}
	}
	return InitializeResult{
		Capabilities: s.capabilities(encoding),
		ServerInfo:   ServerInfo{Name: "wgslab", Version: s.options.Version},
	}, nil
}

func (s *Server) capabilities(encoding string) map[string]any {
	can := map[string]any{
		"positionEncoding":                encoding,
		"textDocumentSync":                map[string]any{"openClose": true, "change": 2},
		"hoverProvider":                   true,
		"completionProvider":              map[string]any{"triggerCharacters": []string{".", "@", "<", "("}},
		"signatureHelpProvider":           map[string]any{"triggerCharacters": []string{"(", ","}},
		"definitionProvider":              true,
		"typeDefinitionProvider":          true,
		"referencesProvider":              true,
		"documentHighlightProvider":       true,
		"renameProvider":                  map[string]any{"prepareProvider": true},
		"documentSymbolProvider":          true,
		"workspaceSymbolProvider":         true,
		"foldingRangeProvider":            true,
		"selectionRangeProvider":          true,
		"inlayHintProvider":               true,
		"callHierarchyProvider":           true,
		"documentFormattingProvider":      true,
		"documentRangeFormattingProvider": true,
		"codeActionProvider":              map[string]any{"codeActionKinds": []string{quickFix, fixAll, rewrite}},
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{"tokenTypes": assist.Classes, "tokenModifiers": tokenModifiers}, "full": true, "range": true,
		},
		"workspace": map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
	}
	if s.options.Run != nil {
		can["codeLensProvider"] = map[string]any{}
		can["executeCommandProvider"] = map[string]any{"commands": []string{checkCommand, stepCommand, traceCommand}}
	}
	return can
}

func (s *Server) shutdown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
}

func (s *Server) exit(context.Context, *jrpc2.Request) (any, error) {
	s.exiting.Do(func() { close(s.exited) })
	return nil, nil
}

func (s *Server) cancel(_ context.Context, r *jrpc2.Request) (any, error) {
	var p CancelParams
	if err := r.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	s.rpc.CancelRequest(string(p.ID))
	return nil, nil
}

// log writes about a fault of ours to the editor's log of the server, and to standard error.
func (s *Server) log(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	s.notify("window/logMessage", ShowMessageParams{Type: 1, Message: message})
	if s.options.Stderr != nil {
		fmt.Fprintln(s.options.Stderr, "wgslab:", message)
	}
}

// notify sends a notification. If the connection is gone, nobody misses it.
func (s *Server) notify(method string, params any) {
	_ = s.rpc.Notify(context.Background(), method, params)
}

func (s *Server) didOpen(_ context.Context, p *DidOpenTextDocumentParams) (any, error) {
	d := p.TextDocument
	s.set(newDocument(d.URI, d.Version, newText(strings.ToValidUTF8(d.Text, "\uFFFD"), s.utf8), s.options.Templates))
	return nil, nil
}

func (s *Server) didChange(_ context.Context, p *DidChangeTextDocumentParams) (any, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	version := d.version + 1
	if p.TextDocument.Version != nil {
		version = *p.TextDocument.Version
	}
	s.set(d.change(version, p.ContentChanges))
	return nil, nil
}

// set makes a document the current one and reports its diagnostics. It doesn't wait for them: while
// somebody types, only the diagnostics of the last text matter.
func (s *Server) set(d *document) {
	s.mu.Lock()
	s.documents[d.uri] = d
	s.mu.Unlock()
	go s.publish(d)
}

func (s *Server) publish(d *document) {
	defer func() {
		if e := recover(); e != nil {
			s.log("reading %s failed: %v\n%s", d.uri, e, debug.Stack())
		}
	}()
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if s.document(d.uri) != d {
		return
	}
	s.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams{
		URI: d.uri, Version: d.version, Diagnostics: d.diagnostics(),
	})
}

func (s *Server) didClose(_ context.Context, p *TextDocumentParams) (any, error) {
	s.mu.Lock()
	d := s.documents[p.TextDocument.URI]
	delete(s.documents, p.TextDocument.URI)
	s.mu.Unlock()
	if d != nil {
		s.publishing.Lock()
		defer s.publishing.Unlock()
		s.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: []Diagnostic{}})
	}
	return nil, nil
}

func (s *Server) didChangeFolders(_ context.Context, p *DidChangeWorkspaceFoldersParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range p.Event.Removed {
		s.folders = slices.DeleteFunc(s.folders, func(folder string) bool { return folder == pathOf(f.URI) })
	}
	for _, f := range p.Event.Added {
		s.folders = append(s.folders, pathOf(f.URI))
	}
	return nil, nil
}
