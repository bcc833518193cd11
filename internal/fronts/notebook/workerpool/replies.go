package workerpool

import (
	"encoding/gob"
	"io"
	"sync"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
)

// Replies sends a worker's messages to its pool. Several goroutines may call its methods.
type Replies struct {
	mu      sync.Mutex
	encoder *gob.Encoder
}

// NewReplies returns replies that are written to w.
func NewReplies(w io.Writer) *Replies { return &Replies{encoder: gob.NewEncoder(w)} }

// Ready reports that the device is open. A worker sends it once.
func (a *Replies) Ready(adapter string) error { return a.say(message{Ready: &ready{adapter}}) }

// Taken reports that a task has arrived. If a worker ends before that, the task was not the cause,
// and the pool gives it to another worker.
func (a *Replies) Taken() error { return a.say(message{Taken: true}) }

// View sends a view to display.
func (a *Replies) View(v protocol.View) error { return a.say(message{View: v}) }

// Done reports the end of a task. A spent worker gets no other task.
func (a *Replies) Done(failure *protocol.Failure, spent bool) error {
	return a.say(message{Done: &done{failure, spent}})
}

// Hungry reports that the worker ends because its task needs more memory than limit, in words.
func (a *Replies) Hungry(limit string) error { return a.say(message{Hungry: limit}) }

func (a *Replies) say(m message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.encoder.Encode(m)
}
