package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// replyTimeout is how long a learner waits for a reply until it counts as lost. The kernel itself
// gives up on a worker after a minute.
const replyTimeout = 3 * time.Minute

// A notebook is open in a learner's JupyterLab.
type notebook struct {
	l         *learner
	path      string // below the folder of the notebooks
	id        string // of the server's session, which ties the kernel to the path
	kernel    string // its id
	session   string // the client's
	ledger    *ledger
	socket    *socket
	hangUp    context.CancelFunc // ends the reading, on purpose
	read      chan struct{}      // closed when the reading has ended
	seq       int                // of the debugger's requests
	completed bool               // the language server has answered once
}

// openNotebook starts a kernel for a notebook, and waits until it answers.
func (l *learner) openNotebook(ctx context.Context, path string) (*notebook, error) {
	n := &notebook{l: l, path: path, session: uuid.NewString(), ledger: newLedger(l.number, l.fault)}
	var made struct {
		ID     string
		Kernel struct{ ID string }
	}
	err := l.call(ctx, http.MethodPost, "api/sessions", map[string]any{
		"path": path, "name": path, "type": "notebook", "kernel": map[string]string{"name": kernelspec.Name},
	}, &made)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	n.id, n.kernel = made.ID, made.Kernel.ID
	if err := n.connect(ctx); err != nil {
		return nil, err
	}
	_, err = n.ask(ctx, "shell", "kernel_info_request", struct{}{})
	return n, err
}

// connect opens the notebook's WebSocket.
func (n *notebook) connect(ctx context.Context) error {
	var err error
	if n.socket, err = dial(ctx, n.l.server.Base(), n.l.server.Token(), n.kernel, n.session); err != nil {
		return err
	}
	reading, cancel := context.WithCancel(context.WithoutCancel(ctx))
	n.hangUp, n.read = cancel, make(chan struct{})
	go func(s *socket, ended chan struct{}) {
		defer close(ended)
		for {
			channel, m, err := s.receive(reading)
			switch {
			case reading.Err() != nil:
				return
			case err != nil:
				n.l.fault("the WebSocket of %s broke: %v", n.path, err)
				return
			}
			n.ledger.take(channel, m)
		}
	}(n.socket, n.read)
	return nil
}

// disconnect drops the WebSocket, as a closed lid does.
func (n *notebook) disconnect() {
	n.hangUp()
	n.socket.drop()
	<-n.read
}

// start sends a request and doesn't wait for the reply.
func (n *notebook) start(ctx context.Context, channel, kind string, content any) (*request, error) {
	m, err := jupyter.NewMessage(kind, n.session, jupyter.Header{}, content)
	if err != nil {
		return nil, err
	}
	n.l.begin()
	r := n.ledger.open(m)
	go func() {
		<-r.done
		n.l.end()
	}()
	return r, n.socket.send(ctx, channel, m)
}

// wait waits until a request has its reply.
func (n *notebook) wait(ctx context.Context, r *request) error {
	late := time.NewTimer(replyTimeout)
	defer late.Stop()
	select {
	case <-r.done:
		return nil
	case <-late.C:
		return fmt.Errorf("the reply to a %s was lost: it did not come within %s", r.kind, replyTimeout)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *notebook) ask(ctx context.Context, channel, kind string, content any) (*request, error) {
	r, err := n.start(ctx, channel, kind, content)
	if err == nil {
		err = n.wait(ctx, r)
	}
	return r, err
}

// startCell sends a cell as JupyterLab does.
func (n *notebook) startCell(ctx context.Context, code string) (*request, error) {
	return n.start(ctx, "shell", "execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true, "user_expressions": map[string]any{}, "allow_stdin": true, "stop_on_error": true,
	})
}

// run runs a cell that must end in a certain way: "ok" or "error".
func (n *notebook) run(ctx context.Context, code, status string) (*request, error) {
	r, err := n.startCell(ctx, code)
	if err != nil {
		return r, err
	}
	return r, n.ends(ctx, r, status)
}

// ends waits for the end of a cell.
func (n *notebook) ends(ctx context.Context, r *request, status string) error {
	if err := n.wait(ctx, r); err != nil {
		return err
	}
	if r.reply.Status != status {
		return fmt.Errorf("a cell ended with %q, not %q: %s %s; it showed:\n%s", r.reply.Status, status, r.reply.EName, r.reply.EValue, cut(r.display.String()+r.stream.String()))
	}
	return nil
}

// cut shortens a text for a report.
func cut(text string) string {
	const most = 400
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// complete asks for the completions at the end of a cell. ok is false if the kernel gave up.
func (n *notebook) complete(ctx context.Context, code string) (matches []string, took time.Duration, ok bool, err error) {
	r, err := n.ask(ctx, "shell", "complete_request", map[string]any{"code": code, "cursor_pos": len([]rune(code))})
	if err != nil {
		return nil, 0, false, err
	}
	var reply struct {
		Status  string
		Matches []string
	}
	err = json.Unmarshal(r.content, &reply)
	return reply.Matches, r.ended.Sub(r.sent), reply.Status == "ok", err
}

func (n *notebook) interrupt(ctx context.Context) error {
	return n.l.call(ctx, http.MethodPost, "api/kernels/"+n.kernel+"/interrupt", nil, nil)
}

// restart restarts the kernel, and waits until it answers. No reply to an earlier request comes.
func (n *notebook) restart(ctx context.Context) error {
	err := n.l.call(ctx, http.MethodPost, "api/kernels/"+n.kernel+"/restart", nil, nil)
	n.ledger.forgive()
	n.completed = false
	if err != nil {
		return err
	}
	n.disconnect()
	if err := n.connect(ctx); err != nil {
		return err
	}
	_, err = n.ask(ctx, "shell", "kernel_info_request", struct{}{})
	return err
}

// save saves the notebook's file, as JupyterLab does every two minutes.
func (n *notebook) save(ctx context.Context) error {
	var file struct {
		Type    string          `json:"type"`
		Format  string          `json:"format"`
		Content json.RawMessage `json:"content"`
	}
	if err := n.l.call(ctx, http.MethodGet, "api/contents/"+n.path, nil, &file); err != nil {
		return err
	}
	return n.l.call(ctx, http.MethodPut, "api/contents/"+n.path, file, nil)
}

// close ends the notebook's kernel.
func (n *notebook) close(ctx context.Context) error {
	n.disconnect()
	if left := n.ledger.unanswered(); len(left) > 0 {
		n.l.fault("no reply ever came to %v in %s", left, n.path)
	}
	n.ledger.forgive()
	return n.l.call(ctx, http.MethodDelete, "api/sessions/"+n.id, nil, nil)
}

// call sends a request to the learner's server, and decodes the answer.
func (l *learner) call(ctx context.Context, method, path string, content, into any) error {
	l.begin()
	defer l.end()
	ctx, cancel := context.WithTimeoutCause(ctx, replyTimeout, fmt.Errorf("the server did not answer within %s", replyTimeout))
	defer cancel()
	var body io.Reader
	if content != nil {
		data, err := json.Marshal(content)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, l.server.Base()+path, body)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "token "+l.server.Token())
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, cut(string(data)))
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}
