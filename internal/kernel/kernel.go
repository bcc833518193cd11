// Package kernel is the notebooks' kernel: a front that holds the conversation with
// Jupyter, and behind it a GoNB that runs the Go cells. Cells that are not Go are
// answered in between, by an [Answerer].
//
// The front owns the sockets, the one queue in which cells run, their numbers, and what
// becomes of the queue behind an error. It opens no GPU and runs nobody's code, so that
// control and the heartbeat answer whatever a cell does.
//
// The protocol is described at
// https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/jupyter"
	"github.com/wgslab/wgslab/internal/kernelspec"
)

// Config is what a kernel is made of.
type Config struct {
	ConnectionFile string
	GoNB           kernelspec.Spec // how GoNB is started
	Answerers      []Answerer      // the first one that takes a cell answers it
	// Debugger makes what answers JupyterLab's debugger, for as long as ctx. Event publishes
	// the content of a debug_event; kept is what the debugger of the kernel before gave to
	// be kept, if this one follows on a restart. With nil there is no debugger.
	Debugger func(ctx context.Context, event func(json.RawMessage), kept json.RawMessage) Debugger
	Version  string
	Log      io.Writer // a line for each connection or message that was refused, up to some
}

// protocolVersion is the version of the protocol that the front speaks.
const protocolVersion = "5.4"

// Run serves a kernel until a client or ctx ends it. Nothing of it is left then.
func Run(ctx context.Context, c Config) error {
	connection, err := jupyter.ReadConnection(c.ConnectionFile)
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the kernel's folder: %w", err)
	}
	f := &front{config: c, session: uuid.NewString(), queue: newQueue(), end: make(chan struct{}), log: &refusals{to: c.Log, left: 20}}
	f.gonb = &gonb{spec: c.GoNB, dir: dir, id: kernelID(c.ConnectionFile), out: f}
	f.comms.open = make(map[string]string)
	debugging, endDebugging := context.WithCancel(ctx)
	defer endDebugging()
	if c.Debugger != nil {
		f.debugger = c.Debugger(debugging, f.debugEvent, takeKept(c.ConnectionFile))
	}
	if f.server, err = jupyter.Listen(connection, f.welcome, f.log.add); err != nil {
		return err
	}
	f.gonb.start()
	var loops sync.WaitGroup
	loops.Go(f.readShell)
	loops.Go(f.readControl)
	loops.Go(f.readStdin)
	loops.Go(f.serveQueue)
	select {
	case <-ctx.Done():
		f.interrupt()
	case <-f.end:
	}
	f.queue.close()
	f.gonb.close()
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

	// Of the queue's goroutine alone:
	count   int
	history history

	comms comms

	mu      sync.Mutex
	running jupyter.Message         // the request that the queue is at
	cancel  context.CancelCauseFunc // interrupts it; nil when there is none
	goCell  bool                    // whether GoNB has it

	debugged jupyter.Message // the last debug_request
}

// stop ends the kernel.
func (f *front) stop() { f.endOnce.Do(func() { close(f.end) }) }

// welcome is what a new subscriber of iopub is sent, so that it knows that it will
// miss nothing from now on.
func (f *front) welcome(topic string) jupyter.Message {
	m, _ := jupyter.NewMessage("iopub_welcome", f.session, jupyter.Header{}, map[string]string{"subscription": topic}) // always can be
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

// put publishes a message that is there already.
func (f *front) put(m jupyter.Message) {
	m.Identities = [][]byte{[]byte("kernel." + f.session + "." + m.Header.Type)}
	if err := f.server.IOPub.Publish(m); err != nil {
		f.log.add(err)
	}
}

func (f *front) status(request jupyter.Message, state string) {
	f.publish("status", request, map[string]string{"execution_state": state})
}

// reply answers a request on the socket that it came by.
func (f *front) reply(to *jupyter.Router, request jupyter.Message, content any) {
	m, err := jupyter.NewReply(replyType(request.Header.Type), f.session, request, content)
	if err == nil {
		err = to.Send(m)
	}
	if err != nil {
		f.log.add(err)
	}
}

// failed is the content of a reply to a request that went wrong.
func failed(err error) map[string]any {
	e := cellError(err)
	return map[string]any{"status": "error", "ename": e.Name, "evalue": e.Message, "traceback": e.Traceback}
}

// readShell puts requests into the queue. Comms do not wait there: a cell may be
// listening to them.
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

// giveUpHelp ends the running request for help with writing a cell when a cell waits
// behind it. (GoNB's first completion takes seconds, until its language server knows
// the modules.)
func (f *front) giveUpHelp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kind := f.running.Header.Type; (kind == "complete_request" || kind == "inspect_request") && f.queue.holdsCell() {
		f.cancel(errInterrupted)
	}
}

// readControl answers at once, whatever the queue is at.
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

// stillBusy says so again behind another request's idle, which some clients take
// for the kernel's.
func (f *front) stillBusy() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		f.status(f.running, "busy")
	}
}

// readStdin passes on what the learner types into a Go cell.
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

// interrupt ends the running cell. Those behind it are the business of whoever
// wants the queue to stop on an error.
func (f *front) interrupt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		f.cancel(errInterrupted)
	}
}

// shutdown ends the kernel. Should a restart be meant, Jupyter starts the next one.
func (f *front) shutdown(to *jupyter.Router, m jupyter.Message) {
	var content struct {
		Restart bool `json:"restart"`
	}
	_ = decode(m, &content) // one that makes no sense is a wish to end nevertheless
	reply := map[string]any{"status": "ok", "restart": content.Restart}
	if content.Restart && f.debugger != nil {
		f.keep()
	}
	f.interrupt()
	f.publish("shutdown_reply", m, reply)
	f.reply(to, m, reply)
	f.stop()
}

// keptFile is where a kernel leaves to the one that follows on a restart what its debugger
// gave to be kept: both have the same connection file.
func keptFile(connectionFile string) string {
	return filepath.Join(filepath.Dir(connectionFile), "wgslab-debugger-"+filepath.Base(connectionFile))
}

// keeping is how long a debugger may take to say what is to be kept.
const keeping = time.Second

func (f *front) keep() {
	ctx, cancel := context.WithTimeout(context.Background(), keeping)
	defer cancel()
	kept := f.debugger.Keep(ctx)
	if kept == nil {
		return
	}
	if err := os.WriteFile(keptFile(f.config.ConnectionFile), kept, 0o600); err != nil {
		f.log.add(fmt.Errorf("keeping breakpoints for the next kernel: %w", err))
	}
}

// takeKept gives what the kernel before has kept, once.
func takeKept(connectionFile string) json.RawMessage {
	file := keptFile(connectionFile)
	kept, err := os.ReadFile(file)
	if err != nil {
		return nil // there was none, or it had nothing to keep
	}
	_ = os.Remove(file)
	return kept
}

// debug answers at once: what waits for a cell that stands is the cell alone.
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

// debugEvent publishes an event of the debugger's, in answer to the last thing that it was
// asked. (Behind whatever is about a cell, JupyterLab asks for all variables once more.)
func (f *front) debugEvent(content json.RawMessage) {
	f.mu.Lock()
	request := f.debugged
	f.mu.Unlock()
	f.publish("debug_event", request, content)
}

// info is the content of a kernel_info_reply.
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
			"name": "go", "version": runtime.Version(), "file_extension": ".go", "mimetype": "text/x-go",
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

// published passes on what GoNB publishes. A client that is slow to take it holds
// GoNB up, so that nothing has to be dropped.
func (f *front) published(m jupyter.Message) {
	f.comms.closedByKernel(m)
	f.server.IOPub.Room(context.Background())
	f.put(m)
}

// asked passes on GoNB's wish for input to the client whose cell it is.
func (f *front) asked(m jupyter.Message) {
	if err := f.server.Stdin.Send(m); err != nil {
		f.log.add(err)
	}
}

// strayed: GoNB closes a comm on shell.
func (f *front) strayed(m jupyter.Message) {
	if m.Header.Type == "comm_close" {
		f.published(m)
	}
}

// refusals logs what was refused, and not all of it where somebody floods us.
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
