package kept

import (
	"encoding/gob"
	"io"
	"sync"
)

// Answers is a worker's way to answer. Its methods may be called from several
// goroutines.
type Answers struct {
	mu      sync.Mutex
	encoder *gob.Encoder
}

// NewAnswers makes the way that leads to w.
func NewAnswers(w io.Writer) *Answers { return &Answers{encoder: gob.NewEncoder(w)} }

// Ready says, once, that the device is open.
func (a *Answers) Ready(adapter string) error { return a.say(message{Ready: &ready{adapter}}) }

// Taken says that a request has arrived. Of a worker that ends before that, the request
// was not the reason.
func (a *Answers) Taken() error { return a.say(message{Taken: true}) }

// View has something displayed.
func (a *Answers) View(v View) error { return a.say(message{View: v}) }

// Done ends the answer to a request.
func (a *Answers) Done(failure *Failure, spent bool, memory uint64) error {
	return a.say(message{Done: &done{failure, spent, memory}})
}

func (a *Answers) say(m message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.encoder.Encode(m)
}
