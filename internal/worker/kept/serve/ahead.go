package serve

import (
	"context"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
)

// ahead is a shader that the driver compiles while its cell is still looked at, by us
// and by the learner: its check comes next.
type ahead struct {
	exercise, source string
	done             chan struct{} // closed when it has ended
	lost             bool          // the device, over this shader
}

// prepare has a shader compiled ahead of its check, behind the one before.
func (w *worker) prepare(exercise *lesson.Exercise, source string) {
	before, now := w.ahead, &ahead{exercise: exercise.ID, source: source, done: make(chan struct{})}
	w.ahead = now
	go func() {
		defer close(now.done)
		if before != nil {
			if <-before.done; before.lost {
				now.lost = true
				return
			}
		}
		now.lost = w.checks.Prepare(context.Background(), exercise, source) != nil
	}()
}

// awaitAhead waits until no other shader than the one to be checked has the device: a
// verdict is to be on that one alone. Where a device was lost, the check has another.
func (w *worker) awaitAhead(id string) {
	if w.ahead == nil {
		return
	}
	if source, err := learner.ReadShader(learner.ShaderPath(id)); err == nil && w.ahead.exercise == id && w.ahead.source == source {
		select {
		case <-w.ahead.done:
		default:
			return // what it waits for, the check would wait for as well
		}
	}
	if <-w.ahead.done; w.ahead.lost {
		w.ahead, w.spent = nil, true
		w.opened = make(chan struct{})
		w.open()
	}
}
