package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Request is code for a kernel to run.
type Request struct {
	Code string
	// Deadline is how long the code may run before it is interrupted; 0 is
	// for ever.
	Deadline time.Duration
	// Output is handed each message that the kernel publishes about the code,
	// in order; not its busy and idle. An error from it interrupts the code.
	// With nil the messages are dropped.
	Output func(Message) error
}

// Reply is how a kernel says that it has run some code.
type Reply struct {
	Status         string   `json:"status"` // "ok", "error" or "aborted"
	ExecutionCount *int     `json:"execution_count"`
	EName          string   `json:"ename"`
	EValue         string   `json:"evalue"`
	Traceback      []string `json:"traceback"`
}

// DeadlineError says that some code ran for too long.
type DeadlineError struct {
	After time.Duration
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("not finished after %s", e.After.Round(time.Millisecond))
}

// What else can stand between some code and its reply.
var (
	// errNoReply says that the kernel fell silent halfway: it became idle
	// without a reply, or replied and never became idle.
	errNoReply = errors.New("the kernel fell silent before it was done")
	// ErrStuck says that code which was interrupted did not end: the kernel is
	// of no use any more. It comes with the reason for the interrupt.
	ErrStuck = errors.New("interrupting it did not help")
	// ErrInput says that the code asked for keyboard input.
	ErrInput = errors.New("the code asks for keyboard input, and there is nobody to type it")
)

const (
	// interruptPatience is how long interrupted code may take to end. GoNB
	// gives it 5 s before it kills it.
	interruptPatience = 10 * time.Second
	// interruptAgain is how often it is told: code that is being compiled
	// does not hear the first time. Not more often: a signal between the end of
	// the code and its reply costs the Python kernel that reply.
	interruptAgain = 3 * time.Second
	// silencePatience is how long the second of reply and idle may keep us
	// waiting after the last sign of life. An output of 100 MB takes seconds to
	// be written and read.
	silencePatience = 15 * time.Second
)

// execute runs code and returns when the kernel has replied and is idle again.
//
// Code that passes its deadline, asks for input or whose output is refused is
// interrupted and given time to end, its output still being taken. When ctx is
// done, execute returns at once and leaves the code running.
func (k *client) execute(ctx context.Context, r Request) (Reply, error) {
	if err := k.hasFailed(); err != nil {
		return Reply{}, err
	}
	x := k.open()
	defer k.end(x)
	content := map[string]any{
		"code":             r.Code,
		"silent":           false,
		"store_history":    true,
		"user_expressions": map[string]any{},
		"allow_stdin":      false,
		"stop_on_error":    false, // of requests that wait behind this one, and none does
	}
	if err := k.ask(ctx, x, k.sockets.Shell, "execute_request", content); err != nil {
		return Reply{}, err
	}
	e := execution{client: k, request: r}
	return e.wait(ctx, x)
}

// execution is some code that is being run.
type execution struct {
	client        *client
	request       Request
	reply         Reply
	replied, idle bool
	stopped       error // why the code is being interrupted; nil while it is not
}

func (e *execution) wait(ctx context.Context, x *exchange) (Reply, error) {
	deadline := stoppedTimer(e.request.Deadline)
	interrupt, giveUp, silence := stoppedTimer(0), stoppedTimer(0), stoppedTimer(0)
	for _, t := range []*time.Timer{deadline, interrupt, giveUp, silence} {
		defer t.Stop()
	}
	for !e.replied || !e.idle {
		wasStopped := e.stopped != nil
		select {
		case a := <-x.arrivals:
			e.arrived(a, silence)
		case <-deadline.C:
			if !wasStopped {
				e.stopped = &DeadlineError{After: e.request.Deadline}
			}
		case <-interrupt.C:
			_ = e.client.interrupt() // should it fail, the next try or the end of our patience follows
			interrupt.Reset(interruptAgain)
		case <-giveUp.C:
			return e.reply, fmt.Errorf("%w, and %w", e.stopped, ErrStuck)
		case <-silence.C:
			select {
			case a := <-x.arrivals: // it spoke, and it is we who were late
				e.arrived(a, silence)
			default:
				return e.reply, fmt.Errorf("%w: %s", errNoReply, e.missing())
			}
		case <-e.client.failed:
			return e.reply, e.client.failure
		case <-ctx.Done():
			return e.reply, context.Cause(ctx)
		}
		if e.stopped != nil && !wasStopped {
			interrupt.Reset(0)
			giveUp.Reset(interruptPatience)
		}
	}
	// A message that cannot be trusted was noticed before the last one came, but
	// select may have taken that one first. A kernel that died since has run the
	// code nevertheless.
	if err := e.client.hasFailed(); GoesOn(err) {
		return e.reply, err
	}
	return e.reply, e.stopped
}

// arrived takes a message, which may be a reason to stop the code, and waits
// for the next when half of the end has come.
func (e *execution) arrived(a arrival, silence *time.Timer) {
	if err := e.take(a); err != nil && e.stopped == nil {
		e.stopped = err
	}
	if e.replied != e.idle {
		silence.Reset(silencePatience)
	}
}

// take looks at a message that belongs to the code.
func (e *execution) take(a arrival) error {
	sockets, message := e.client.sockets, a.message
	switch {
	case a.channel == sockets.Stdin:
		if message.Header.Type == "input_request" {
			return ErrInput
		}
	case a.channel != sockets.IOPub:
		if message.Header.Type == "execute_reply" {
			e.replied = true
			return decodeContent(message, &e.reply)
		}
	case message.Header.Type == "status":
		var status struct {
			State string `json:"execution_state"`
		}
		err := decodeContent(message, &status)
		e.idle = e.idle || status.State == "idle"
		return err
	case e.request.Output != nil && (e.stopped == nil || isDeadline(e.stopped)):
		return e.request.Output(message)
	}
	return nil
}

func (e *execution) missing() string {
	if e.idle {
		return "it is idle, but sent no reply"
	}
	return "it replied, but did not become idle"
}

func isDeadline(err error) bool {
	var late *DeadlineError
	return errors.As(err, &late)
}

func decodeContent(m Message, into any) error {
	if err := json.Unmarshal(m.Content, into); err != nil {
		return fmt.Errorf("%w: the content of a message of type %s: %w", ErrFormat, m.Header.Type, err)
	}
	return nil
}

// stoppedTimer makes a timer that runs when after is more than 0 and otherwise
// waits to be reset.
func stoppedTimer(after time.Duration) *time.Timer {
	if after > 0 {
		return time.NewTimer(after)
	}
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}
