// Package dap lets editors debug shaders through the Debug Adapter Protocol,
// https://microsoft.github.io/debug-adapter-protocol. It is a front of package debug. A
// DebugAdapter takes and emits messages over any transport; Serve connects it to a reader and a
// writer.
//
// The adapter has one thread: the viewed invocation. Below its own frames, the call stack lists the
// other invocations of the workgroup; selecting one of them switches to it. Other GPU debuggers do
// the same, because an editor cannot show hundreds of threads.
package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/go-dap"

	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A Loader makes a target from the arguments of a launch or attach request. The path is the
// client's name for the source file.
type Loader func(ctx context.Context, arguments json.RawMessage) (target *debug.Target, path string, err error)

// Options change the behaviour of an adapter.
type Options struct {
	Load Loader
	// Emit receives each response and event, one at a time and in order.
	Emit func(dap.Message)
	// Stopped is called at every stop, after its event. It may use the session until it returns. It
	// may be nil.
	Stopped func(*debug.Session, debug.Stop)
	// Ended, if not nil, is called at the end of the run, instead of an event to the client.
	Ended func()
	// Fault, if not nil, receives a bug in the debugger itself, which then ends only the run. If
	// nil, the bug ends the program.
	Fault func(any)
	// Plain omits the types of variables, for clients that show them in the value's place.
	Plain bool
}

// A DebugAdapter is a debug adapter for one client. Send may be called at any time.
type DebugAdapter struct {
	Options
	queue   chan func(context.Context) error
	pending atomic.Int32 // number of tasks in the queue
	mu      sync.Mutex
	cancel  context.CancelFunc // of the current run; guarded by mu
	closed  chan struct{}

	seq         int
	lines       int // the number that the client gives to the first line, 0 or 1
	columns     int // and to the first column
	session     *debug.Session
	target      *debug.Target
	path        string
	stopOnEntry bool
	noDebug     bool // the run stops nowhere
	started     bool
	run         *debug.Run // a command in progress
	finding     *findings.Finding
	nextID      int
	frames      map[int]frame
	items       map[int]func() []debug.TreeItem
	last        int // the last frame id or variables reference
}

// A frame is the invocation and depth that a frame's id refers to.
type frame struct{ local, depth int }

// queued is the number of messages that may wait before Send blocks.
const queued = 256

// New makes an adapter. It does nothing until Run is called.
func New(options Options) *DebugAdapter {
	a := &DebugAdapter{Options: options, queue: make(chan func(context.Context) error, queued), closed: make(chan struct{}), lines: 1, columns: 1}
	a.forget()
	return a
}

// Send passes a message to the adapter. If the shader is running, the adapter answers at once and
// then continues the run.
func (a *DebugAdapter) Send(message []byte) {
	a.enqueue(func(ctx context.Context) error { return a.receive(ctx, message) })
}

// enqueue queues a function for the adapter's goroutine, and interrupts the shader to run it.
func (a *DebugAdapter) enqueue(what func(context.Context) error) {
	a.pending.Add(1)
	a.mu.Lock()
	if a.cancel != nil {
		a.cancel()
	}
	a.mu.Unlock()
	select {
	case a.queue <- what:
	case <-a.closed:
	}
}

// errDisconnected means that the client has disconnected.
var errDisconnected = errors.New("the client has gone")

// Run handles messages until the client disconnects or the context ends.
func (a *DebugAdapter) Run(ctx context.Context) error {
	defer close(a.closed)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case what := <-a.queue:
			a.pending.Add(-1)
			if err := a.turn(ctx, what); errors.Is(err, errDisconnected) {
				return nil
			}
		}
	}
}

// turn executes the next queued task and starts the run that it requests.
func (a *DebugAdapter) turn(ctx context.Context, what func(context.Context) error) error {
	if a.Fault != nil {
		defer func() {
			if fault := recover(); fault != nil {
				a.release()
				a.Fault(fault)
			}
		}()
	}
	if err := what(ctx); err != nil {
		return err
	}
	a.goOn(ctx)
	return nil
}

func (a *DebugAdapter) receive(ctx context.Context, raw []byte) error {
	message, err := dap.DecodeProtocolMessage(raw)
	if err != nil {
		a.refuse(raw, err)
		return nil
	}
	request, ok := message.(dap.RequestMessage)
	if !ok {
		return nil // there was no task
	}
	if _, ok := message.(*dap.InitializeRequest); ok {
		a.lines, a.columns = firstNumbers(raw)
	}
	return a.handle(ctx, request)
}

// refuse answers a request that can't be read. Other messages need no answer.
func (a *DebugAdapter) refuse(raw []byte, why error) {
	var said struct {
		Seq     int    `json:"seq"`
		Type    string `json:"type"`
		Command any    `json:"command"`
	}
	if err := json.Unmarshal(raw, &said); err != nil || said.Type != "request" {
		return
	}
	command, _ := said.Command.(string)
	a.fail(&dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: said.Seq}, Command: command}, fmt.Errorf("reading the request: %w", why))
}

// firstNumbers returns the numbers that a client gives to the first line and the first column.
// Without a word of the client they are 1.
func firstNumbers(initialize []byte) (line, column int) {
	var said struct {
		Arguments struct {
			Lines   *bool `json:"linesStartAt1"`
			Columns *bool `json:"columnsStartAt1"`
		} `json:"arguments"`
	}
	first := func(startsAt1 *bool) int {
		if startsAt1 != nil && !*startsAt1 {
			return 0
		}
		return 1
	}
	_ = json.Unmarshal(initialize, &said)
	return first(said.Arguments.Lines), first(said.Arguments.Columns)
}

// goOn continues the current command until it stops or a message arrives.
func (a *DebugAdapter) goOn(ctx context.Context) {
	if a.run == nil {
		return
	}
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	a.mu.Lock()
	a.cancel = cancel
	a.mu.Unlock()
	if a.pending.Load() > 0 {
		cancel()
	}
	stop, err := a.run.On(running)
	a.mu.Lock()
	a.cancel = nil
	a.mu.Unlock()
	a.say()
	if err == nil {
		a.run = nil
		a.stopped(stop)
	}
}

// say emits the messages of breakpoints.
func (a *DebugAdapter) say() {
	if a.session == nil {
		return
	}
	for _, line := range a.session.Log() {
		a.output("console", line)
	}
}

// forget invalidates the frames and variables of the previous stop. Ids are never reused.
func (a *DebugAdapter) forget() {
	a.frames, a.items = map[int]frame{}, map[int]func() []debug.TreeItem{}
}

// reasons are the protocol's words for reasons.
var reasons = map[debug.StopReason]string{debug.Returned: "step", debug.Beginning: "step"}

func (a *DebugAdapter) stopped(stop debug.Stop) {
	a.forget()
	a.finding = stop.Finding
	if stop.Reason == debug.Finished {
		a.finish(stop)
		return
	}
	reason, special := reasons[stop.Reason]
	if !special {
		reason = string(stop.Reason)
	}
	body := dap.StoppedEventBody{
		Reason: reason, Description: stop.Text, ThreadId: thread, AllThreadsStopped: true,
		HitBreakpointIds: slices.DeleteFunc(slices.Clone(stop.Breakpoints), func(id int) bool { return id == 0 }), // the client knows only its own
	}
	if stop.Finding != nil || stop.Reason == debug.Written {
		body.Text = stop.Text
		a.output("console", stop.Text)
	}
	a.event(&dap.StoppedEvent{Body: body}, "stopped")
	a.tell(stop)
}

func (a *DebugAdapter) tell(stop debug.Stop) {
	if a.Stopped != nil {
		a.Stopped(a.session, stop)
	}
}

// finish reports the outcome of the run.
func (a *DebugAdapter) finish(stop debug.Stop) {
	a.output("console", stop.Text)
	for _, f := range a.session.Findings() {
		a.output("stderr", fmt.Sprintf("line %d: %s", a.toClient(f.Location.Line), f.Message))
	}
	a.tell(stop)
	if a.Ended != nil {
		a.release()
		a.Ended()
		return
	}
	a.terminate()
}

// release drops the target.
func (a *DebugAdapter) release() {
	a.run, a.session, a.target = nil, nil, nil
	a.forget()
}

func (a *DebugAdapter) terminate() {
	a.run, a.started = nil, false
	a.event(&dap.ExitedEvent{}, "exited")
	a.event(&dap.TerminatedEvent{}, "terminated")
}

func (a *DebugAdapter) output(category, text string) {
	a.event(&dap.OutputEvent{Body: dap.OutputEventBody{Category: category, Output: text + "\n"}}, "output")
}

func (a *DebugAdapter) event(e dap.EventMessage, name string) {
	a.seq++
	event := e.GetEvent()
	event.Seq, event.Type, event.Event = a.seq, "event", name
	a.Emit(e)
}

func (a *DebugAdapter) reply(to *dap.Request, r dap.ResponseMessage) {
	a.seq++
	response := r.GetResponse()
	response.Seq, response.Type = a.seq, "response"
	response.RequestSeq, response.Command, response.Success = to.Seq, to.Command, true
	a.Emit(r)
}

// done replies without a body.
func (a *DebugAdapter) done(to *dap.Request) { a.reply(to, &dap.Response{}) }

// answer replies with a response or an error.
func (a *DebugAdapter) answer(to *dap.Request, r dap.ResponseMessage, err error) {
	if err != nil {
		a.fail(to, err)
		return
	}
	a.reply(to, r)
}

func (a *DebugAdapter) fail(to *dap.Request, err error) {
	a.seq++
	r := &dap.ErrorResponse{Body: dap.ErrorResponseBody{Error: &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: to.Command == "launch"}}}
	r.Seq, r.Type, r.RequestSeq, r.Command, r.Message = a.seq, "response", to.Seq, to.Command, err.Error()
	a.Emit(r)
}

// toClient converts a line of the shader, from 1, to the client's numbering.
func (a *DebugAdapter) toClient(line int) int { return line - 1 + a.lines }

// fromClient converts the client's line number to the shader's, from 1.
func (a *DebugAdapter) fromClient(line int) int { return line - a.lines + 1 }

// column converts a column, from 1, to the client's numbering.
func (a *DebugAdapter) column(column int) int { return column - 1 + a.columns }
