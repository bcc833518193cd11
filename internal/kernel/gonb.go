package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/jupyter"
	"github.com/wgslab/wgslab/internal/kernelspec"
)

// gonb is the GoNB behind the front: it is started at once, and again when it dies.
type gonb struct {
	spec kernelspec.Spec
	dir  string
	id   string // the kernel's id, which GoNB makes an address of
	out  outlet

	mu     sync.Mutex
	now    *instance
	closed bool
	lost   bool // it has died since a cell was last told
}

// outlet is where what GoNB says goes, in the order in which it says it on each
// channel. Messages are those of the request's client again.
type outlet interface {
	published(jupyter.Message) // on iopub, but for statuses; may take its time
	asked(jupyter.Message)     // on stdin
	strayed(jupyter.Message)   // on shell, and no reply
	died()                     // it says no more
}

// instance is one process of GoNB and the conversation with it.
type instance struct {
	process *jupyter.Process
	sockets *jupyter.Sockets
	greeted chan struct{} // closed when it has answered, or err says why it never will
	ended   chan struct{} // closed when it has ended, and all that it said was passed on
	err     error
	readers sync.WaitGroup
	cancel  context.CancelFunc // ends the greeting

	mu    sync.Mutex
	calls map[string]*call // by the request's id
}

// call is a request that GoNB is to answer.
type call struct {
	request jupyter.Message
	reply   chan jupyter.Message // there is room for one
	idle    chan struct{}        // likewise
}

const (
	// startPatience is how long GoNB may take to answer for the first time.
	startPatience = 60 * time.Second
	// askAgain is how long a starting GoNB may be silent before it is asked again.
	askAgain = 100 * time.Millisecond
	// interruptAgain is how often GoNB is told to interrupt a cell: while it
	// compiles one, it does not hear. It kills a cell 5 s after it was told.
	interruptAgain = 3 * time.Second
	// lastWords is how long what a dead GoNB has said may take to be passed on.
	lastWords = 5 * time.Second
	// farewell is how long GoNB may take to end when asked.
	farewell = time.Second
)

var errShutDown = errors.New("the kernel is shutting down")

// start has GoNB started where it is not there.
func (g *gonb) start() *instance {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now != nil && !isClosed(g.now.ended) {
		return g.now
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), startPatience,
		fmt.Errorf("GoNB, which runs the Go cells, did not answer within %s", startPatience))
	i := &instance{
		greeted: make(chan struct{}), ended: make(chan struct{}),
		cancel: cancel, calls: make(map[string]*call),
	}
	g.now = i
	if i.err = errShutDown; !g.closed {
		i.process, i.err = jupyter.Launch(g.spec, g.dir, g.id)
	}
	if i.err != nil {
		close(i.greeted)
		close(i.ended)
		return i
	}
	go g.live(ctx, i)
	return i
}

// live sees an instance through its life.
func (g *gonb) live(ctx context.Context, i *instance) {
	defer i.cancel()
	if i.err = g.greet(ctx, i); i.err != nil {
		_ = i.process.Kill()
		if i.sockets != nil {
			i.sockets.Close()
		}
		close(i.ended)
		close(i.greeted)
		return
	}
	close(i.greeted)
	silent := make(chan struct{})
	go func() {
		i.readers.Wait()
		close(silent)
	}()
	select {
	case <-i.process.Exited():
	case <-silent:
	}
	_ = i.process.Kill() // what it leaves behind may hold its sockets open
	select {
	case <-silent:
	case <-time.After(lastWords):
	}
	i.sockets.Close()
	<-silent
	g.out.died()
	g.mu.Lock()
	close(i.ended)
	died := !g.closed
	g.lost = g.lost || died
	g.mu.Unlock()
	if died {
		g.start()
	}
}

// greet opens the conversation, and gives up as soon as the process ends.
func (g *gonb) greet(ctx context.Context, i *instance) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		select {
		case <-i.process.Exited():
			stop(i.process.Err())
		case <-ctx.Done():
		}
	}()
	var err error
	if i.sockets, err = jupyter.Dial(ctx, i.process.Connection, uuid.NewString()); err != nil {
		return err
	}
	i.readers.Go(func() { i.each(i.sockets.IOPub, func(m jupyter.Message) { i.onIOPub(m, g.out) }) })
	i.readers.Go(func() { i.each(i.sockets.Shell, func(m jupyter.Message) { i.onShell(m, g.out) }) })
	i.readers.Go(func() { i.each(i.sockets.Stdin, func(m jupyter.Message) { g.out.asked(i.restore(m)) }) })
	// Before the subscription has reached GoNB, what it publishes is lost.
	for {
		request, err := jupyter.NewMessage("kernel_info_request", "wgslab", jupyter.Header{}, struct{}{})
		if err != nil {
			return err
		}
		again, cancel := context.WithTimeout(ctx, askAgain)
		_, err = i.ask(again, request)
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
	}
}

// each has every message of a channel handled until GoNB hangs up.
func (i *instance) each(channel *jupyter.Channel, handle func(jupyter.Message)) {
	for {
		m, err := channel.Recv()
		switch {
		case err == nil:
			handle(m)
		case !jupyter.GoesOn(err):
			return
		}
	}
}

func (i *instance) onIOPub(m jupyter.Message, out outlet) {
	switch m.Header.Type {
	case "status":
		var status struct {
			State string `json:"execution_state"`
		}
		if c := i.called(m); c != nil && decode(m, &status) == nil && status.State == "idle" {
			select {
			case c.idle <- struct{}{}:
			default: // it was said before
			}
		}
	case "execute_input": // the front has said it
	default:
		out.published(i.restore(m))
	}
}

func (i *instance) onShell(m jupyter.Message, out outlet) {
	if c := i.called(m); c != nil && m.Header.Type == replyType(c.request.Header.Type) {
		select {
		case c.reply <- m:
		default: // it was said before
		}
		return
	}
	out.strayed(i.restore(m))
}

// called gives the call that a message answers, or nil.
func (i *instance) called(m jupyter.Message) *call {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.calls[m.Parent.ID]
}

// restore gives a message its request's own header as the parent: GoNB repeats
// only what it knows of it. Identities have come back by themselves.
func (i *instance) restore(m jupyter.Message) jupyter.Message {
	if c := i.called(m); c != nil {
		return m.InReplyTo(c.request)
	}
	return m
}

// ready waits until GoNB answers, starting it where it is not there.
func (g *gonb) ready(ctx context.Context) (*instance, error) {
	i := g.start()
	select {
	case <-i.greeted:
		return i, i.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// ask has GoNB answer a request, and gives up when ctx is done.
func (i *instance) ask(ctx context.Context, request jupyter.Message) (jupyter.Message, error) {
	c, err := i.call(request)
	if err != nil {
		return jupyter.Message{}, err
	}
	defer i.hangUp(c)
	return i.wait(c, ctx.Done(), func() error { return context.Cause(ctx) })
}

// execute has GoNB run a cell. When ctx is done, the cell is interrupted, and
// again until it has ended.
func (i *instance) execute(ctx context.Context, request jupyter.Message) (jupyter.Message, error) {
	c, err := i.call(request)
	if err != nil {
		return jupyter.Message{}, err
	}
	defer i.hangUp(c)
	ended := make(chan struct{})
	defer close(ended)
	stop := context.AfterFunc(ctx, func() {
		for !isClosed(ended) {
			_ = i.process.Signal(os.Interrupt) // fails when it has just ended
			select {
			case <-ended:
			case <-time.After(interruptAgain):
			}
		}
	})
	defer stop()
	return i.wait(c, nil, nil)
}

// call sends a request.
func (i *instance) call(request jupyter.Message) (*call, error) {
	c := &call{request: request, reply: make(chan jupyter.Message, 1), idle: make(chan struct{}, 1)}
	i.mu.Lock()
	i.calls[request.Header.ID] = c
	i.mu.Unlock()
	if err := i.sockets.Shell.Send(request); err != nil {
		i.hangUp(c)
		return nil, err
	}
	return c, nil
}

func (i *instance) hangUp(c *call) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.calls, c.request.Header.ID)
}

// wait waits for the reply and for the end of the output.
func (i *instance) wait(c *call, cancelled <-chan struct{}, cause func() error) (jupyter.Message, error) {
	var reply jupyter.Message
	for answers, idle := c.reply, c.idle; answers != nil || idle != nil; {
		select {
		case reply = <-answers:
			answers = nil
		case <-idle:
			idle = nil
		case <-cancelled:
			return reply, cause()
		case <-i.ended:
			if (answers == nil || len(answers) == 1) && (idle == nil || len(idle) == 1) {
				continue // it died behind its answer
			}
			return reply, diedError(i.process.Err())
		}
	}
	return reply, nil
}

// diedError says what has become of GoNB, and what that means.
func diedError(err error) error {
	e := &CellError{Name: "GoNBDied", Message: "GoNB, which runs the Go cells, has died"}
	var dead *jupyter.DeadError
	if errors.As(err, &dead) {
		e.Message += " (" + dead.State + ")"
		if dead.Log != "" {
			e.Traceback = strings.Split(dead.Log, "\n")
		}
	}
	e.Message += ". It is started again. What earlier cells defined is gone: run those cells again."
	e.Traceback = append(e.Traceback, e.Name+": "+e.Message)
	return e
}

// input gives GoNB what the learner has typed.
func (g *gonb) input(m jupyter.Message) {
	g.mu.Lock()
	i := g.now
	g.mu.Unlock()
	if i != nil && isClosed(i.greeted) && i.err == nil {
		_ = i.sockets.Stdin.Send(m) // fails when GoNB has died, which its cell is told
	}
}

// tell passes a message on that has no reply.
func (g *gonb) tell(m jupyter.Message) {
	g.mu.Lock()
	i := g.now
	g.mu.Unlock()
	if i != nil && isClosed(i.greeted) && i.err == nil {
		_ = i.sockets.Shell.Send(m) // fails when GoNB has died, and the comms with it
	}
}

// workingDir is the folder that GoNB works in: a cell can change it.
func (g *gonb) workingDir() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now != nil && g.now.process != nil {
		return g.now.process.Dir()
	}
	return g.dir
}

// wasLost says, once, that definitions have been lost since this was last asked.
func (g *gonb) wasLost() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	lost := g.lost
	g.lost = false
	return lost
}

// close ends GoNB and all that it has started.
func (g *gonb) close() {
	g.mu.Lock()
	g.closed = true
	i := g.now
	g.mu.Unlock()
	if i == nil || i.process == nil {
		return
	}
	i.cancel()
	_ = i.process.Signal(syscall.SIGTERM) // GoNB ends its cell at that
	select {
	case <-i.process.Exited():
	case <-time.After(farewell):
	}
	_ = i.process.Kill()
	<-i.ended
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
