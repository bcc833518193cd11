package kernel

import (
	"slices"
	"sync"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// queue holds the requests on shell in the order of their arrival.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting []jupyter.Message
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *queue) add(m jupyter.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, m)
	q.changed.Broadcast()
}

// next waits for a request. ok is false if the queue was closed.
func (q *queue) next() (m jupyter.Message, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.changed.Wait()
	}
	if q.closed {
		return jupyter.Message{}, false
	}
	m = q.waiting[0]
	q.waiting = q.waiting[1:]
	return m, true
}

// holdsCell reports whether a cell waits.
func (q *queue) holdsCell() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.waiting, isCell)
}

func isCell(m jupyter.Message) bool { return m.Header.Type == "execute_request" }

// takeCells removes and returns the waiting cells, and leaves the other requests.
func (q *queue) takeCells() []jupyter.Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	var cells, others []jupyter.Message
	for _, m := range q.waiting {
		if isCell(m) {
			cells = append(cells, m)
		} else {
			others = append(others, m)
		}
	}
	q.waiting = others
	return cells
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
