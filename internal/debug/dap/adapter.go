// Package dap lets editors debug shaders: the Debug Adapter Protocol, https://microsoft.github.io/debug-adapter-protocol,
// over package debug. An Adapter takes messages and gives messages, whatever carries them; Serve carries them over a
// reader and a writer.
//
// There is one thread, and it is an invocation that can be chosen: below its own frames the call stack has the other
// invocations of the workgroup, and who looks at one of these turns to it. Other debuggers for GPUs do the same, as
// hundreds of threads are more than an editor can show.
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

	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/shader"
)

// A Loader makes a target of a launch or attach request's arguments. The path is what the client calls the source file.
type Loader func(ctx context.Context, arguments json.RawMessage) (target *debug.Target, path string, err error)

// Options say how an adapter differs from the usual one.
type Options struct {
	Load Loader
	// Emit gets each response and event, one at a time and in order.
	Emit func(dap.Message)
	// Stopped is told of every stop, behind its event; it may look at the session until it returns. Nil for nobody.
	Stopped func(*debug.Session, debug.Stop)
	// Ended is told in the place of the client that the run has ended. Nil where the client is told.
	Ended func()
	// Fault is told of a fault of our own, which ends the run alone. Nil lets it end the program.
	Fault func(any)
	// Plain leaves the types of variables out, for clients that show them where the value belongs.
	Plain bool
}

// An Adapter is a debug adapter for one client. Send may be called at any time.
type Adapter struct {
	Options
	queue   chan func(context.Context) error
	pending atomic.Int32 // what waits in the queue
	mu      sync.Mutex
	cancel  context.CancelFunc // of the run under way; guarded by mu
	closed  chan struct{}

	seq         int
	zeroBased   bool // the client counts lines from 0
	session     *debug.Session
	target      *debug.Target
	path        string
	stopOnEntry bool
	started     bool
	run         *debug.Run // a command that is not done yet
	finding     *shader.Finding
	nextID      int
	frames      map[int]frame
	items       map[int]func() []debug.Item
	last        int // the last id of a frame, or reference of variables
}

// frame is what a frame's id stands for.
type frame struct{ local, depth int }

// queued is how many messages may wait before Send does.
const queued = 256

// New makes an adapter. Run has to be called for it to do anything.
func New(options Options) *Adapter {
	a := &Adapter{Options: options, queue: make(chan func(context.Context) error, queued), closed: make(chan struct{})}
	a.forget()
	return a
}

// Send gives the adapter a message. One that comes while the shader runs is answered at once; the run goes on behind it.
func (a *Adapter) Send(message []byte) {
	a.enqueue(func(ctx context.Context) error { return a.receive(ctx, message) })
}

// enqueue lets something be done by whoever runs the adapter, and interrupts the shader for it.
func (a *Adapter) enqueue(what func(context.Context) error) {
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

// errDisconnected says that the client has gone.
var errDisconnected = errors.New("the client has gone")

// Run handles messages until the client disconnects or the context ends.
func (a *Adapter) Run(ctx context.Context) error {
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

// turn does what somebody wants done, and what that has set going.
func (a *Adapter) turn(ctx context.Context, what func(context.Context) error) error {
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

func (a *Adapter) receive(ctx context.Context, raw []byte) error {
	message, err := dap.DecodeProtocolMessage(raw)
	if err != nil {
		var unknown *dap.DecodeProtocolMessageFieldError
		if errors.As(err, &unknown) {
			a.fail(&dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: unknown.Seq}, Command: unknown.FieldValue}, err)
		}
		return nil
	}
	request, ok := message.(dap.RequestMessage)
	if !ok {
		return nil // nobody was asked for anything
	}
	if first, ok := message.(*dap.InitializeRequest); ok {
		a.zeroBased = countsFromZero(raw, first)
	}
	return a.handle(ctx, request)
}

// countsFromZero: clients count from 1 unless they say otherwise.
func countsFromZero(raw []byte, first *dap.InitializeRequest) bool {
	var said struct {
		Arguments struct {
			LinesStartAt1 *bool `json:"linesStartAt1"`
		} `json:"arguments"`
	}
	err := json.Unmarshal(raw, &said)
	return err == nil && said.Arguments.LinesStartAt1 != nil && !first.Arguments.LinesStartAt1
}

// goOn carries on with the command under way, until it stops or a message comes.
func (a *Adapter) goOn(ctx context.Context) {
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

// say tells what breakpoints have had to say.
func (a *Adapter) say() {
	if a.session == nil {
		return
	}
	for _, line := range a.session.Log() {
		a.output("console", line)
	}
}

// forget makes frames and variables of the stop before unknown. Ids are never given twice.
func (a *Adapter) forget() {
	a.frames, a.items = map[int]frame{}, map[int]func() []debug.Item{}
}

// reasons are the protocol's words.
var reasons = map[debug.Reason]string{debug.Returned: "step", debug.Beginning: "step"}

func (a *Adapter) stopped(stop debug.Stop) {
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

func (a *Adapter) tell(stop debug.Stop) {
	if a.Stopped != nil {
		a.Stopped(a.session, stop)
	}
}

// finish tells what the run came to.
func (a *Adapter) finish(stop debug.Stop) {
	a.output("console", stop.Text)
	for _, f := range a.session.Findings() {
		a.output("stderr", fmt.Sprintf("line %d: %s", a.toClient(f.Place.Line), f.Message))
	}
	a.tell(stop)
	if a.Ended != nil {
		a.release()
		a.Ended()
		return
	}
	a.terminate()
}

// release lets go of what is being debugged.
func (a *Adapter) release() {
	a.run, a.session, a.target = nil, nil, nil
	a.forget()
}

func (a *Adapter) terminate() {
	a.run, a.started = nil, false
	a.event(&dap.ExitedEvent{}, "exited")
	a.event(&dap.TerminatedEvent{}, "terminated")
}

func (a *Adapter) output(category, text string) {
	a.event(&dap.OutputEvent{Body: dap.OutputEventBody{Category: category, Output: text + "\n"}}, "output")
}

func (a *Adapter) event(e dap.EventMessage, name string) {
	a.seq++
	event := e.GetEvent()
	event.Seq, event.Type, event.Event = a.seq, "event", name
	a.Emit(e)
}

func (a *Adapter) reply(to *dap.Request, r dap.ResponseMessage) {
	a.seq++
	response := r.GetResponse()
	response.Seq, response.Type = a.seq, "response"
	response.RequestSeq, response.Command, response.Success = to.Seq, to.Command, true
	a.Emit(r)
}

// done replies without a body.
func (a *Adapter) done(to *dap.Request) { a.reply(to, &dap.Response{}) }

// answer replies, or says why not.
func (a *Adapter) answer(to *dap.Request, r dap.ResponseMessage, err error) {
	if err != nil {
		a.fail(to, err)
		return
	}
	a.reply(to, r)
}

func (a *Adapter) fail(to *dap.Request, err error) {
	a.seq++
	r := &dap.ErrorResponse{Body: dap.ErrorResponseBody{Error: &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: to.Command == "launch"}}}
	r.Seq, r.Type, r.RequestSeq, r.Command, r.Message = a.seq, "response", to.Seq, to.Command, err.Error()
	a.Emit(r)
}

// toClient is the client's number of a line of the shader.
func (a *Adapter) toClient(line int) int {
	if a.zeroBased {
		line--
	}
	return line
}

// fromClient is the shader's line, from 1, for the client's number.
func (a *Adapter) fromClient(line int) int {
	if a.zeroBased {
		line++
	}
	return line
}

// column is the client's number of a column, which is from 1 here.
func (a *Adapter) column(column int) int {
	if a.zeroBased {
		return column - 1
	}
	return column
}
