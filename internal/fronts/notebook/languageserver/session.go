package languageserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// session is the conversation with one GoNB. It remembers what a new gopls has to know.
type session struct {
	shared shared
	gonb   net.Conn

	mu         sync.Mutex
	initialize map[string]any    // GoNB's parameters, with our settings
	folder     string            // the URI of GoNB's folder, with a slash at its end
	texts      map[string]string // of the documents in it that GoNB has opened, by URI
	versions   int               // how many changes of documents gopls was told
	server     *server           // nil before the first question, and while none come
	rest       *time.Timer
}

func newSession(server shared, gonb net.Conn) *session {
	s := &session{shared: server, gonb: gonb, texts: make(map[string]string)}
	s.rest = time.AfterFunc(restAfter, s.hangUp)
	return s
}

// serve answers GoNB until it hangs up or ctx ends.
func (s *session) serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { _ = s.gonb.Close() })
	defer stop()
	defer s.gonb.Close()
	defer s.hangUp()
	defer s.rest.Stop()
	from := bufio.NewReader(s.gonb)
	for {
		m, err := read(from)
		switch {
		case err != nil:
			return
		case m.Method == "": // an answer, although we asked nothing
		case m.ID == nil:
			s.note(m)
		default:
			if write(s.gonb, s.answer(ctx, m)) != nil {
				return
			}
		}
	}
}

// settings keep gopls small. It reports only the errors of a cell that GoNB opens, and checks only
// the cell's package: it reads others from Go's build cache. With its defaults it would check and
// analyse all packages of the clone, and hold them.
var settings = map[string]any{
	"expandWorkspaceToModule": false,
	"diagnosticsTrigger":      "Save",  // no cell is ever saved
	"diagnosticsDelay":        "8760h", // after this, it would analyse the packages that a cell imports
	"vulncheck":               "Off",
}

// answer answers a request of GoNB.
func (s *session) answer(ctx context.Context, m message) message {
	if m.Method == "initialize" {
		return s.greet(m)
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest.Stop()
	defer s.rest.Reset(restAfter)
	var err error
	for range attempts {
		var reply message
		if reply, err = s.ask(ctx, m); err == nil {
			return reply
		}
		s.disconnect()
		time.Sleep(askAgain)
	}
	return m.failed(fmt.Errorf("asking gopls: %w", err))
}

const (
	// attempts is how often a question is asked: the gopls that we know may have ended, and the
	// next one that accepts us may be ending.
	attempts = 3
	// askAgain is the pause between two attempts.
	askAgain = 100 * time.Millisecond
)

// greet answers GoNB's initialize. It keeps the parameters for gopls, which may not run yet.
func (s *session) greet(m message) message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.Unmarshal(m.Params, &s.initialize); err != nil {
		return m.failed(fmt.Errorf("reading GoNB's greeting: %w", err))
	}
	s.initialize["initializationOptions"] = settings
	var folders struct{ WorkspaceFolders []struct{ URI string } }
	if err := json.Unmarshal(m.Params, &folders); err != nil || len(folders.WorkspaceFolders) != 1 {
		return m.failed(errors.New("GoNB's greeting doesn't name its folder"))
	}
	s.folder = folders.WorkspaceFolders[0].URI + "/"
	return m.succeeded(map[string]any{"capabilities": struct{}{}})
}

// ask has gopls answer a request.
func (s *session) ask(ctx context.Context, m message) (message, error) {
	if s.server == nil {
		if err := s.connect(ctx); err != nil {
			return message{}, err
		}
	}
	return s.server.call(ctx, m)
}

// connect connects to gopls, and introduces GoNB.
func (s *session) connect(ctx context.Context) error {
	conn, err := s.shared.dial(ctx)
	if err != nil {
		return err
	}
	s.server = newServer(conn)
	return s.introduce(ctx)
}

// introduce tells gopls what GoNB has said so far.
func (s *session) introduce(ctx context.Context) error {
	if _, err := s.server.call(ctx, request("initialize", s.initialize)); err != nil {
		return err
	}
	if err := s.server.send(notification("initialized", struct{}{})); err != nil {
		return err
	}
	for uri, text := range s.texts {
		if err := s.server.send(s.opened(uri, text)); err != nil {
			return err
		}
	}
	return s.calm()
}

// note handles a notification of GoNB: what it opens, changes and closes. GoNB always sends the
// whole text, but with the range of an insertion at the beginning.
//
// GoNB opens every file of the clone as well. Gopls would then hold and check all its packages, so
// it learns only that a file has changed.
func (s *session) note(m message) {
	var params struct {
		TextDocument   struct{ URI, Text string }
		ContentChanges []struct{ Text string }
	}
	if json.Unmarshal(m.Params, &params) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	uri, text := params.TextDocument.URI, params.TextDocument.Text
	if !strings.HasPrefix(uri, s.folder) {
		if m.Method == "textDocument/didChange" {
			s.tell(changedOnDisk(uri))
		}
		return
	}
	var told message
	switch m.Method {
	case "textDocument/didOpen":
		told = s.opened(uri, text)
	case "textDocument/didChange":
		if len(params.ContentChanges) == 0 {
			return
		}
		text = params.ContentChanges[len(params.ContentChanges)-1].Text
		told = s.changed(uri, text)
	case "textDocument/didClose":
		delete(s.texts, uri)
		s.tell(notification(m.Method, map[string]any{"textDocument": map[string]any{"uri": uri}}))
		return
	default:
		return
	}
	s.texts[uri] = text
	s.tell(told)
}

// tell sends a notification to gopls, if there is one.
func (s *session) tell(m message) {
	if s.server != nil && (s.server.send(m) != nil || s.calm() != nil) {
		s.disconnect() // the next question connects to another one
	}
}

// calm ends the wait that begins with each opened and closed document: gopls would hold the session
// for all of diagnosticsDelay, even after we hang up, and would never end. A change ends the wait,
// and begins none, because no cell is ever saved.
func (s *session) calm() error {
	for uri, text := range s.texts {
		return s.server.send(s.changed(uri, text))
	}
	return nil
}

func (s *session) opened(uri, text string) message {
	s.versions++
	return notification("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": uri, "languageId": "go", "version": s.versions, "text": text},
	})
}

func (s *session) changed(uri, text string) message {
	s.versions++
	return notification("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": s.versions},
		"contentChanges": []any{map[string]any{"text": text}},
	})
}

// changedOnDisk tells that a file has changed that GoNB does not have open.
func changedOnDisk(uri string) message {
	const changed = 2 // the protocol's FileChangeType
	return notification("workspace/didChangeWatchedFiles", map[string]any{
		"changes": []any{map[string]any{"uri": uri, "type": changed}},
	})
}

// hangUp disconnects from gopls until the next question.
func (s *session) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.disconnect()
}

func (s *session) disconnect() {
	if s.server != nil {
		s.server.close()
	}
	s.server = nil
}
