package workerpool

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
)

// Config says how to start workers and when to end them.
type Config struct {
	Command  []string      // starts one
	Deadline time.Duration // for one request, including the start of a worker if there is none
	Idle     time.Duration // after this long without a request the worker ends, and releases the device
	Requests int           // the number of requests after which a worker is replaced
}

// Workers keeps one worker that answers requests.
type Workers struct {
	config Config
	starts chan func() // the single thread that starts workers runs these

	turn sync.Mutex // held by the current request

	mu     sync.Mutex
	now    *process // nil before the first request, and while none come
	idle   *time.Timer
	closed bool
}

// New returns workers of which none has started yet: the first request starts one.
func New(c Config) *Workers {
	w := &Workers{config: c, starts: make(chan func())}
	go func() {
		runtime.LockOSThread() // workers end with the thread that started them
		for start := range w.starts {
			start()
		}
	}()
	w.idle = time.AfterFunc(c.Idle, w.rest)
	w.idle.Stop()
	return w
}

// Do sends a request to a worker that works in the notebook's folder dir. It calls show with each
// view as it comes. A *protocol.Failure is the worker's answer. With any other error there is none:
// a *LostError says that the worker was lost; the next request gets another one. When ctx ends, Do
// ends the worker.
func (w *Workers) Do(ctx context.Context, dir string, r protocol.Request, show func(protocol.View)) (err error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	w.idle.Stop()
	defer w.idle.Reset(w.config.Idle)
	for range attempts {
		err = w.ask(ctx, QueuedRequest{dir, r}, show)
		if lost, ok := IsLost(err); !ok || !lost.untaken {
			break
		}
	}
	return err
}

// attempts is how many workers Do tries until one takes a request. The current worker may have
// ended unnoticed.
const attempts = 3

func (w *Workers) ask(ctx context.Context, t QueuedRequest, show func(protocol.View)) error {
	p, err := w.take()
	if err != nil {
		return err
	}
	d, err := p.ask(ctx, t, w.config.Deadline, show)
	if err != nil || d.Spent || p.answered >= w.config.Requests {
		w.replace(p)
	}
	if err == nil && d.Failure != nil {
		return d.Failure
	}
	return err
}

// take returns the current worker.
func (w *Workers) take() (*process, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errClosed
	}
	if w.now != nil && !w.now.dead() {
		return w.now, nil
	}
	var err error
	if w.now, err = w.start(); err != nil {
		w.now = nil
		return nil, err
	}
	return w.now, nil
}

func (w *Workers) start() (p *process, err error) {
	started := make(chan struct{})
	w.starts <- func() {
		p, err = start(w.config.Command)
		close(started)
	}
	<-started
	return p, err
}

// replace ends a worker, and immediately starts another one: it opens its device while the learner
// reads the answer.
func (w *Workers) replace(p *process) {
	go p.kill()
	w.mu.Lock()
	if w.now == p {
		w.now = nil
	}
	w.mu.Unlock()
	_, _ = w.take() // the next request would report the error
}

// rest ends the worker until the next request.
func (w *Workers) rest() {
	if !w.turn.TryLock() {
		return // a request has come
	}
	defer w.turn.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
}

func (w *Workers) end() {
	if w.now != nil {
		w.now.kill()
	}
	w.now = nil
}

// Close ends the worker. A request in progress loses its worker.
func (w *Workers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	w.idle.Stop()
	w.end()
	close(w.starts)
}

// IsLost reports whether an error is a *LostError, and returns it.
func IsLost(err error) (*LostError, bool) {
	var lost *LostError
	return lost, errors.As(err, &lost)
}
