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
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/languageserver"
)

// gonb is the GoNB process that runs the Go cells. It starts immediately, and again after it dies.
type gonb struct {
	spec kernelspec.Spec
	dir  string
	id   string // the kernel's id, from which GoNB makes an address
	out  outlet

	mu     sync.Mutex
	now    *instance
	closed bool
	lost   bool // it has died, and no cell has reported that yet
}

// outlet receives GoNB's messages, in order on each channel, readdressed to the client that asked.
type outlet interface {
	published(jupyter.Message) // on iopub, except statuses; may block
	asked(jupyter.Message)     // on stdin
	strayed(jupyter.Message)   // on shell, but not a reply
	died()                     // GoNB has ended
}

// instance is one process of GoNB and the conversation with it.
type instance struct {
	process *jupyter.Process
	sockets *jupyter.Sockets
	help    *languageserver.Front
	greeted chan struct{} // closed after its first answer, or after err says why there is none
	ended   chan struct{} // closed when it has ended, and all its messages were passed on
	err     error
	readers sync.WaitGroup
	cancel  context.CancelFunc // ends the greeting

	mu      sync.Mutex
	calls   map[string]*call // by the request's id
	counted int              // cells that GoNB has counted
	numbers map[int]int      // the number of a cell in the notebook, by GoNB's own
}

// call is a request that GoNB must answer.
type call struct {
	request jupyter.Message
	quiet   bool                 // its output is not for the notebook
	said    report               // only the reader of iopub changes it before idle
	reply   chan jupyter.Message // buffered: there is room for one
	idle    chan struct{}        // likewise
}

const (
	// startPatience limits how long GoNB may take to answer for the first time.
	startPatience = 60 * time.Second
	// askAgain is how long a starting GoNB may be silent before it is asked again.
	askAgain = 100 * time.Millisecond
	// interruptAgain is the pause between interrupts: GoNB ignores one while it compiles. It kills
	// a cell 5 s after an interrupt.
	interruptAgain = 3 * time.Second
	// lastWords limits how long passing on the last messages of a dead GoNB may take.
	lastWords = 5 * time.Second
	// farewell limits how long GoNB may take to end when asked.
	farewell = time.Second
)

var (
	errShutDown = errors.New("the kernel is shutting down")
	errNoGoNB   = errors.New("there is no GoNB")
)

// start starts GoNB unless it runs.
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
		cancel: cancel, calls: make(map[string]*call), numbers: make(map[int]int),
	}
	g.now = i
	switch {
	case g.closed:
		i.err = errShutDown
	case len(g.spec.Argv) == 0:
		i.err = errNoGoNB
	default:
		i.process, i.err = jupyter.Launch(g.spec, g.dir, g.id, i.listenForHelp)
	}
	if i.err != nil {
		i.help.Close()
		close(i.greeted)
		close(i.ended)
		return i
	}
	go g.live(ctx, i)
	return i
}

// listenForHelp makes GoNB ask this process for help with Go.
func (i *instance) listenForHelp(scratch string, env map[string]string) (err error) {
	i.help, err = languageserver.Listen(scratch, env)
	return err
}

// live manages an instance from its start to its end.
func (g *gonb) live(ctx context.Context, i *instance) {
	defer i.cancel()
	defer i.help.Close()
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
	_ = i.process.Kill() // the processes that it leaves may hold its sockets open
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

// greet opens the conversation. It gives up once the process ends.
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
	// Before the subscription has reached GoNB, the messages that it publishes are lost.
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

// each passes every message of a channel to handle until GoNB hangs up.
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
			for _, m := range c.said.rest() {
				out.published(m)
			}
			select {
			case c.idle <- struct{}{}:
			default: // an earlier message reported it
			}
		}
	case "execute_input": // the front has sent it
	default:
		c := i.called(m)
		if c != nil && c.quiet {
			return
		}
		m = i.restore(m)
		m.Content = i.renumbered(m.Content)
		if c == nil {
			out.published(m)
			return
		}
		for _, m := range c.said.take(m) {
			out.published(m)
		}
	}
}

// count notes the number of a cell that GoNB is about to count.
func (i *instance) count(number int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.counted++
	i.numbers[i.counted] = number
}

func (i *instance) onShell(m jupyter.Message, out outlet) {
	if c := i.called(m); c != nil && m.Header.Type == replyType(c.request.Header.Type) {
		select {
		case c.reply <- m:
		default: // an earlier message reported it
		}
		return
	}
	out.strayed(i.restore(m))
}

// called returns the call that a message answers, or nil.
func (i *instance) called(m jupyter.Message) *call {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.calls[m.Parent.ID]
}

// restore sets the parent of a message to its request's own header, because GoNB repeats only the
// fields that it knows. GoNB returns the identities unchanged.
func (i *instance) restore(m jupyter.Message) jupyter.Message {
	if c := i.called(m); c != nil {
		return m.InReplyTo(c.request)
	}
	return m
}

// ready waits until GoNB answers. It starts GoNB if necessary.
func (g *gonb) ready(ctx context.Context) (*instance, error) {
	i := g.start()
	select {
	case <-i.greeted:
		return i, i.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// forget removes functions that earlier cells have defined. Names that GoNB doesn't know change
// nothing.
func (i *instance) forget(ctx context.Context, names []string) error {
	request, err := jupyter.NewMessage("execute_request", "wgslab", jupyter.Header{}, map[string]any{
		"code": "%rm " + strings.Join(names, " "), "silent": true, "store_history": false, "user_expressions": map[string]any{}, "allow_stdin": false, "stop_on_error": false,
	})
	if err != nil {
		return err
	}
	c, err := i.send(request, true)
	if err != nil {
		return err
	}
	defer i.hangUp(c)
	_, err = i.wait(c, ctx.Done(), func() error { return context.Cause(ctx) })
	return err
}

// ask sends a request to GoNB and waits for the reply. It gives up when ctx is done.
func (i *instance) ask(ctx context.Context, request jupyter.Message) (jupyter.Message, error) {
	c, err := i.call(request)
	if err != nil {
		return jupyter.Message{}, err
	}
	defer i.hangUp(c)
	return i.wait(c, ctx.Done(), func() error { return context.Cause(ctx) })
}

// execute runs a cell in GoNB, and also returns what GoNB said about it. When ctx is done, it
// interrupts the cell repeatedly until the cell has ended.
func (i *instance) execute(ctx context.Context, request jupyter.Message) (jupyter.Message, *report, error) {
	c, err := i.call(request)
	if err != nil {
		return jupyter.Message{}, nil, err
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
	reply, err := i.wait(c, nil, nil)
	return reply, &c.said, err
}

// call sends a request.
func (i *instance) call(request jupyter.Message) (*call, error) { return i.send(request, false) }

func (i *instance) send(request jupyter.Message, quiet bool) (*call, error) {
	c := &call{request: request, quiet: quiet, reply: make(chan jupyter.Message, 1), idle: make(chan struct{}, 1)}
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
				continue // it died after its answer
			}
			return reply, newDiedError(i.process.Err())
		}
	}
	return reply, nil
}

// A diedError reports that GoNB died, and what that means for the learner.
type diedError struct {
	*protocol.Failure
	log []string // the last lines that GoNB printed
}

func (e *diedError) Unwrap() error { return e.Failure }

func newDiedError(err error) error {
	e, state := &diedError{}, ""
	var dead *jupyter.DeadError
	if errors.As(err, &dead) {
		state = " (" + dead.State + ")"
		if dead.Log != "" {
			e.log = strings.Split(dead.Log, "\n")
		}
	}
	e.Failure = &protocol.Failure{Name: "GoNBDied", Message: "GoNB, which runs the Go cells, has died" + state +
		". It is starting again. The definitions of earlier cells are gone: run those cells again."}
	return e
}

// input sends GoNB the text that the learner typed.
func (g *gonb) input(m jupyter.Message) {
	g.mu.Lock()
	i := g.now
	g.mu.Unlock()
	if i != nil && isClosed(i.greeted) && i.err == nil {
		_ = i.sockets.Stdin.Send(m) // fails if GoNB has died, which its cell reports
	}
}

// tell sends a message that has no reply.
func (g *gonb) tell(m jupyter.Message) {
	g.mu.Lock()
	i := g.now
	g.mu.Unlock()
	if i != nil && isClosed(i.greeted) && i.err == nil {
		_ = i.sockets.Shell.Send(m) // fails if GoNB has died, and then its comms are gone
	}
}

// workingDir returns the folder in which GoNB works; a cell can change it.
func (g *gonb) workingDir() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now != nil && g.now.process != nil {
		return g.now.process.Dir()
	}
	return g.dir
}

// wasLost reports whether definitions were lost since the last call.
func (g *gonb) wasLost() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	lost := g.lost
	g.lost = false
	return lost
}

// close ends GoNB and every process that it started.
func (g *gonb) close() {
	g.mu.Lock()
	g.closed = true
	i := g.now
	g.mu.Unlock()
	if i == nil || i.process == nil {
		return
	}
	i.cancel()
	_ = i.process.Signal(syscall.SIGTERM) // which makes GoNB end its cell
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
