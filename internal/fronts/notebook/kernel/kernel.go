// Package kernel is the notebooks' Jupyter kernel. Its front talks to Jupyter, answers some cells
// with an [Answerer], and passes the Go cells to a GoNB process.
//
// The front owns the sockets, the queue of cells, their numbers, and the fate of the queue after an
// error. It opens no GPU, and runs no learner's code but for the shader that its debugger steps
// through in the simulator, so control and the heartbeat answer whatever a cell does.
//
// The protocol is described at https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// Config configures a kernel.
type Config struct {
	ConnectionFile string
	GoNB           kernelspec.Spec // how to start GoNB; without Argv there is none, and Go cells fail
	Answerers      []Answerer      // the first one that takes a cell answers it
	// Debugger makes the debugger, which lives as long as ctx. Event publishes the content of a
	// debug_event. After a restart, saved is the result of the previous kernel's Debugger.Save.
	// Nil means no debugger.
	Debugger func(ctx context.Context, event func(json.RawMessage), saved json.RawMessage) Debugger
	Asks     map[string]func(CommData) (any, error) // answer comms that ask for one thing, by their targets
	Version  string
	Log      io.Writer // one line for each refused connection or message, up to a limit
}

// protocolVersion is the version of the protocol that the front speaks.
const protocolVersion = "5.4"

// Run serves a kernel until a client or ctx ends it, and leaves nothing running.
func Run(ctx context.Context, c Config) error {
	connection, err := jupyter.ReadConnection(c.ConnectionFile)
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the kernel's folder: %w", err)
	}
	f := &front{config: c, session: uuid.NewString(), queue: newQueue(), end: make(chan struct{}), gone: make(map[string]int), log: &refusals{to: c.Log, left: 20}}
	f.gonb = &gonb{spec: c.GoNB, dir: dir, id: kernelID(c.ConnectionFile), out: f}
	f.comms.open = make(map[string]string)
	debugging, endDebugging := context.WithCancel(ctx)
	defer endDebugging()
	if c.Debugger != nil {
		f.debugger = c.Debugger(debugging, f.debugEvent, takeSaved(c.ConnectionFile))
	}
	if f.server, err = jupyter.Listen(connection, f.welcome, f.log.add); err != nil {
		return err
	}
	f.gonb.start()
	var loops sync.WaitGroup
	loops.Go(f.readShell)
	loops.Go(f.readControl)
	loops.Go(f.readStdin)
	served := make(chan struct{})
	loops.Go(func() {
		defer close(served)
		f.serveQueue()
	})
	select {
	case <-ctx.Done():
		f.interrupt()
	case <-f.end:
	}
	f.queue.close()
	f.gonb.close()
	// The running cell becomes idle first. Otherwise a Jupyter server takes the next kernel of a
	// restart for busy, and doesn't wait for its subscription: see nudge in
	// jupyter_server/services/kernels/connection/channels.py.
	select {
	case <-served:
	case <-time.After(lastCell):
	}
	flushing, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	f.server.Flush(flushing)
	f.server.Close()
	ended := make(chan struct{})
	go func() {
		loops.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-flushing.Done(): // a cell that cannot be interrupted ends with the process
	}
	return nil
}

// lastCell limits how long a shutdown waits for the end of the running cell.
const lastCell = time.Second

// kernelID is the id in a connection file's name, kernel-ID.json.
func kernelID(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	if id, found := strings.CutPrefix(name, "kernel-"); found {
		return id
	}
	return uuid.NewString()
}

// front is the conversation with Jupyter.
type front struct {
	config   Config
	session  string
	server   *jupyter.Server
	gonb     *gonb
	queue    *queue
	log      *refusals
	debugger Debugger // or nil

	endOnce sync.Once
	end     chan struct{} // closed when the kernel is to end

	// Only the queue's goroutine uses these:
	count   int
	history history
	gone    map[string]int // functions whose cell did not compile, and the cell's number

	comms comms
	shown recorder

	mu      sync.Mutex
	running jupyter.Message         // the request that the queue is at
	cancel  context.CancelCauseFunc // interrupts it; nil when there is none
	goCell  bool                    // whether GoNB has it

	debugged jupyter.Message // the last debug_request
}

// stop ends the kernel.
func (f *front) stop() { f.endOnce.Do(func() { close(f.end) }) }

// welcome returns the message for a new subscriber of iopub. After it, the subscriber misses no
// message.
func (f *front) welcome(topic string) jupyter.Message {
	m, _ := jupyter.NewMessage("iopub_welcome", f.session, jupyter.Header{}, map[string]string{"subscription": topic}) // never fails
	return m
}

// publish puts a message about a request on iopub.
func (f *front) publish(kind string, request jupyter.Message, content any) {
	m, err := jupyter.NewReply(kind, f.session, request, content)
	if err == nil {
		f.put(m)
	}
	if err != nil {
		f.log.add(err)
	}
}

// put publishes an existing message.
func (f *front) put(m jupyter.Message) {
	m.Identities = [][]byte{[]byte("kernel." + f.session + "." + m.Header.Type)}
	if err := f.shown.publish(m, f.server.IOPub.Publish); err != nil {
		f.log.add(err)
	}
}

func (f *front) status(request jupyter.Message, state string) {
	f.publish("status", request, map[string]string{"execution_state": state})
}

// reply answers a request on the socket that it came from.
func (f *front) reply(to *jupyter.Router, request jupyter.Message, content any) {
	m, err := jupyter.NewReply(replyType(request.Header.Type), f.session, request, content)
	if err == nil {
		err = to.Send(m)
	}
	if err != nil {
		f.log.add(err)
	}
}

// failed returns the content of a reply to a request that failed.
func failed(err error) map[string]any {
	f, lines := failureOf(err), []string{}
	var died *diedError
	if errors.As(err, &died) {
		lines = died.log
	}
	return map[string]any{"status": "error", "ename": f.Name, "evalue": f.Message, "traceback": append(lines, f.Name+": "+f.Message)}
}

// readShell puts requests in the queue. Comms skip it, because a running cell may listen to them.
func (f *front) readShell() {
	for {
		m, ok := f.server.Shell.Recv()
		if !ok {
			return
		}
		switch m.Header.Type {
		case "comm_open", "comm_msg", "comm_close":
			f.comm(m)
		case "shutdown_request":
			f.shutdown(f.server.Shell, m)
		default:
			f.queue.add(m)
			f.giveUpHelp()
		}
	}
}

// giveUpHelp ends a running completion or inspection when a cell waits for it. (GoNB's first
// completion takes seconds because its language server reads the modules first.)
func (f *front) giveUpHelp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kind := f.running.Header.Type; (kind == "complete_request" || kind == "inspect_request") && f.queue.holdsCell() {
		f.cancel(errInterrupted)
	}
}

// readControl answers requests on control immediately, whatever the queue does.
func (f *front) readControl() {
	for {
		m, ok := f.server.Control.Recv()
		if !ok {
			return
		}
		f.status(m, "busy")
		switch m.Header.Type {
		case "kernel_info_request":
			f.reply(f.server.Control, m, f.info())
		case "interrupt_request":
			f.interrupt()
			f.reply(f.server.Control, m, map[string]string{"status": "ok"})
		case "shutdown_request":
			f.shutdown(f.server.Control, m)
		case "debug_request":
			f.debug(m)
		}
		f.status(m, "idle")
		f.stillBusy()
	}
}

// stillBusy publishes busy again after another request's idle, because some clients take that idle
// for the kernel's.
func (f *front) stillBusy() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		f.status(f.running, "busy")
	}
}

// readStdin sends the learner's input to a Go cell.
func (f *front) readStdin() {
	for {
		m, ok := f.server.Stdin.Recv()
		if !ok {
			return
		}
		var input struct {
			Value string `json:"value"`
		}
		f.mu.Lock()
		wanted := f.goCell
		f.mu.Unlock()
		if m.Header.Type != "input_reply" || !wanted || decode(m, &input) != nil {
			continue
		}
		if passed, err := forGoNB(m, input); err == nil {
			f.gonb.input(passed)
		}
	}
}

// interrupt ends the running cell. The cell's failure then decides the fate of the queue.
func (f *front) interrupt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		f.cancel(errInterrupted)
	}
}

// shutdown ends the kernel. For a restart, Jupyter starts the next one.
func (f *front) shutdown(to *jupyter.Router, m jupyter.Message) {
	var content struct {
		Restart bool `json:"restart"`
	}
	_ = decode(m, &content) // even a malformed request ends the kernel
	reply := map[string]any{"status": "ok", "restart": content.Restart}
	if content.Restart && f.debugger != nil {
		f.save()
	}
	f.interrupt()
	f.publish("shutdown_reply", m, reply)
	f.reply(to, m, reply)
	f.stop()
}

// savedFile names the file in which a kernel leaves its debugger's state for the next kernel. Both
// have the same connection file after a restart.
func savedFile(connectionFile string) string {
	return filepath.Join(filepath.Dir(connectionFile), "wgslab-debugger-"+filepath.Base(connectionFile))
}

// keeping limits how long a debugger may take to return its state.
const keeping = time.Second

func (f *front) save() {
	ctx, cancel := context.WithTimeout(context.Background(), keeping)
	defer cancel()
	saved := f.debugger.Save(ctx)
	if saved == nil {
		return
	}
	if err := os.WriteFile(savedFile(f.config.ConnectionFile), saved, 0o600); err != nil {
		f.log.add(fmt.Errorf("keeping breakpoints for the next kernel: %w", err))
	}
}

// takeSaved returns the state that the previous kernel left, and removes it.
func takeSaved(connectionFile string) json.RawMessage {
	file := savedFile(connectionFile)
	saved, err := os.ReadFile(file)
	if err != nil {
		return nil // there was none, or the debugger had no state
	}
	_ = os.Remove(file)
	return saved
}

// debug answers immediately, even if a cell has stopped at a breakpoint.
func (f *front) debug(m jupyter.Message) {
	if f.debugger == nil {
		f.reply(f.server.Control, m, map[string]any{"success": false, "message": "this kernel has no debugger"})
		return
	}
	f.mu.Lock()
	f.debugged = m
	f.mu.Unlock()
	answer, err := f.debugger.Request(context.Background(), m.Content)
	if err != nil {
		f.reply(f.server.Control, m, map[string]any{"success": false, "message": err.Error()})
		return
	}
	f.reply(f.server.Control, m, answer)
}

// debugEvent publishes a debugger's event as part of the last debug_request. (After any message
// about a cell, JupyterLab would ask for all variables again.)
func (f *front) debugEvent(content json.RawMessage) {
	f.mu.Lock()
	request := f.debugged
	f.mu.Unlock()
	f.publish("debug_event", request, content)
}

// info returns the content of a kernel_info_reply.
func (f *front) info() map[string]any {
	features := []string{}
	if f.debugger != nil {
		features = append(features, "debugger")
	}
	return map[string]any{
		"status":                 "ok",
		"protocol_version":       protocolVersion,
		"implementation":         "wgslab",
		"implementation_version": f.config.Version,
		"language_info": map[string]any{
			// Notebooks hold this as well: with a patch version, each one would open as changed.
			"name": "go", "version": version.Lang(runtime.Version()), "file_extension": ".go", "mimetype": "text/x-go",
			"pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "",
		},
		"banner": "wgslab " + f.config.Version + ": shaders in WGSL, and Go by GoNB",
		"help_links": []map[string]string{
			{"text": "WGSL", "url": "https://www.w3.org/TR/WGSL/"},
			{"text": "Go", "url": "https://go.dev/ref/spec"},
			{"text": "GoNB", "url": "https://github.com/janpfeifer/gonb"},
		},
		"debugger":           f.debugger != nil,
		"supported_features": features,
	}
}

// published passes on GoNB's published messages. A slow client slows GoNB down, so that no message
// is lost.
func (f *front) published(m jupyter.Message) {
	f.comms.closedByKernel(m)
	f.server.IOPub.Room(context.Background())
	f.put(m)
}

// asked passes GoNB's request for input to the client that runs the cell.
func (f *front) asked(m jupyter.Message) {
	if err := f.server.Stdin.Send(m); err != nil {
		f.log.add(err)
	}
}

// strayed handles GoNB's other messages on shell: it closes a comm there.
func (f *front) strayed(m jupyter.Message) {
	if m.Header.Type == "comm_close" {
		f.published(m)
	}
}

// refusals logs refused messages, up to a limit.
type refusals struct {
	mu   sync.Mutex
	to   io.Writer
	left int
}

func (r *refusals) add(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left--; r.left >= 0 {
		fmt.Fprintln(r.to, "wgslab kernel:", err)
	}
}
