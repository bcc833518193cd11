package kept

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// Config says how workers are started and when they have to go.
type Config struct {
	Command  []string      // starts one
	Deadline time.Duration // for one request, with the start of a worker where there is none
	Idle     time.Duration // after so long without a request all workers end, and give the device back
	Requests int           // after so many a worker is replaced
	Memory   uint64        // a worker that holds more bytes is replaced
}

// Workers keep one worker that answers, and behind it a spare.
type Workers struct {
	config Config
	starts chan func() // run by the one thread that starts workers

	turn sync.Mutex // of the request that is under way

	mu         sync.Mutex
	now, spare *process
	idle       *time.Timer
	closed     bool
}

// New makes workers; Warm or the first request starts them.
func New(c Config) *Workers {
	w := &Workers{config: c, starts: make(chan func())}
	go func() {
		runtime.LockOSThread() // workers end with the thread that has started them
		for start := range w.starts {
			start()
		}
	}()
	w.idle = time.AfterFunc(c.Idle, w.rest)
	w.idle.Stop()
	return w
}

// Warm starts a worker in the background, and a spare when the first has its device.
func (w *Workers) Warm() {
	go func() {
		w.turn.Lock()
		defer w.turn.Unlock()
		_, _ = w.take() // a request would say what is wrong
		w.idle.Reset(w.config.Idle)
	}()
}

// Do has a request answered; show is called with each view as it comes. The failure is
// the request's own. An error means that there is no answer: a *LostError says that
// the worker was lost on the way, and the next request has another one. When ctx ends,
// so does the worker.
func (w *Workers) Do(ctx context.Context, r Request, show func(View)) (*Failure, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	w.idle.Stop()
	defer w.idle.Reset(w.config.Idle)
	var err error
	for range attempts {
		var failure *Failure
		failure, err = w.ask(ctx, r, show)
		if lost, ok := IsLost(err); !ok || !lost.untaken {
			return failure, err
		}
	}
	return nil, err
}

// attempts are how many workers are asked for one that takes a request: the one whose
// turn it is and the spare may both have ended while nobody looked.
const attempts = 3

func (w *Workers) ask(ctx context.Context, r Request, show func(View)) (*Failure, error) {
	p, err := w.take()
	if err != nil {
		return nil, err
	}
	d, err := p.ask(ctx, r, w.config.Deadline, show)
	if err != nil || d.Spent || d.Memory > w.config.Memory || p.answered >= w.config.Requests {
		w.replace(p)
	}
	if err != nil {
		return nil, err
	}
	return d.Failure, nil
}

// take gives the worker whose turn it is.
func (w *Workers) take() (*process, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, errClosed
	}
	if w.now != nil && !w.now.dead() {
		return w.now, nil
	}
	w.now, w.spare = w.spare, nil
	if w.now == nil || w.now.dead() {
		var err error
		if w.now, err = w.start(); err != nil {
			return nil, err
		}
	}
	go w.keepSpare(w.now)
	return w.now, nil
}

// keepSpare starts a spare behind a worker that has its device: before that, the two
// would only be in each other's way.
func (w *Workers) keepSpare(behind *process) {
	select {
	case <-behind.warm:
	case <-behind.exited:
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed && w.now == behind && w.spare == nil {
		w.spare, _ = w.start() // without one, the next request starts its own
	}
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

// replace ends a worker, and has the spare take its place at once.
func (w *Workers) replace(p *process) {
	go p.kill()
	w.mu.Lock()
	if w.now == p {
		w.now = nil
	}
	w.mu.Unlock()
	_, _ = w.take() // the next request would say what is wrong
}

// rest ends the workers until the next request.
func (w *Workers) rest() {
	if !w.turn.TryLock() {
		return // a request has come
	}
	defer w.turn.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endAll()
}

func (w *Workers) endAll() {
	for _, p := range []*process{w.now, w.spare} {
		if p != nil {
			p.kill()
		}
	}
	w.now, w.spare = nil, nil
}

// Close ends all workers. A request that is under way loses its own.
func (w *Workers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	w.idle.Stop()
	w.endAll()
	close(w.starts)
}

// IsLost says whether an error is a *LostError, and gives it.
func IsLost(err error) (*LostError, bool) {
	var lost *LostError
	return lost, errors.As(err, &lost)
}
