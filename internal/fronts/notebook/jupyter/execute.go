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
	// Deadline is how long the code may run before the client interrupts it; 0 means no limit.
	Deadline time.Duration
	// Output receives each message that the kernel publishes about the code, in order, except
	// busy and idle. If it returns an error, the client interrupts the code. If it is nil, the
	// client drops the messages.
	Output func(Message) error
}

// Reply is a kernel's reply after it has run some code.
type Reply struct {
	Status         string   `json:"status"` // "ok", "error" or "aborted"
	ExecutionCount *int     `json:"execution_count"`
	EName          string   `json:"ename"`
	EValue         string   `json:"evalue"`
	Traceback      []string `json:"traceback"`
}

// DeadlineError reports that code ran longer than its deadline.
type DeadlineError struct {
	After time.Duration
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("not finished after %s", e.After.Round(time.Millisecond))
}

// Other errors that leave code without a reply.
var (
	// errNoReply reports that the kernel fell silent: it became idle without a reply, or it
	// replied and never became idle.
	errNoReply = errors.New("the kernel fell silent before it was done")
	// ErrStuck reports that interrupted code did not end, so the kernel is unusable. It also
	// wraps the reason for the interrupt.
	ErrStuck = errors.New("an interrupt did not help")
	// ErrInput reports that the code asked for keyboard input.
	ErrInput = errors.New("the code asks for keyboard input, which is not available here")
)

const (
	// interruptPatience is how long interrupted code may take to end. GoNB kills it after 5 s.
	interruptPatience = 10 * time.Second
	// interruptAgain is the pause between interrupts, since code that is being compiled misses
	// the first one. A shorter pause is risky: a signal between the end of the code and its
	// reply costs the Python kernel that reply.
	interruptAgain = 3 * time.Second
	// silencePatience is how long the client waits for the second of reply and idle after the
	// last message. Writing and reading an output of 100 MB takes seconds.
	silencePatience = 15 * time.Second
)

// execute runs code and returns when the kernel has replied and is idle again.
//
// It interrupts code that passes its deadline, asks for input or whose output is refused. It then
// gives the code time to end, and still reads its output. When ctx is done, execute returns
// immediately and leaves the code running.
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
		"stop_on_error":    false, // of requests in the queue after this one, and there are none
	}
	if err := k.ask(ctx, x, k.sockets.Shell, "execute_request", content); err != nil {
		return Reply{}, err
	}
	e := execution{client: k, request: r}
	return e.wait(ctx, x)
}

// execution is a piece of code that runs.
type execution struct {
	client        *client
	request       Request
	reply         Reply
	replied, idle bool
	stopped       error // why the client interrupts the code; nil if it does not
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
			_ = e.client.interrupt() // if it fails, the next try or the end of our patience follows
			interrupt.Reset(interruptAgain)
		case <-giveUp.C:
			return e.reply, fmt.Errorf("%w, and %w", e.stopped, ErrStuck)
		case <-silence.C:
			select {
			case a := <-x.arrivals: // the kernel did answer: we were slow to read it
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
	// A message with a wrong signature came before the last one, but select may have chosen the
	// last one first. A kernel that died since then has run the code nevertheless.
	if err := e.client.hasFailed(); GoesOn(err) {
		return e.reply, err
	}
	return e.reply, e.stopped
}

// arrived reads a message, which may be a reason to stop the code. After the first of reply and
// idle, it starts to wait for the other.
func (e *execution) arrived(a arrival, silence *time.Timer) {
	if err := e.take(a); err != nil && e.stopped == nil {
		e.stopped = err
	}
	if e.replied != e.idle {
		silence.Reset(silencePatience)
	}
}

// take handles a message that belongs to the code.
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

// stoppedTimer returns a timer that runs if after is more than 0, and otherwise waits for a reset.
func stoppedTimer(after time.Duration) *time.Timer {
	if after > 0 {
		return time.NewTimer(after)
	}
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}
