package session

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// reasonsDelay is how long a verdict waits for its reasons: nine of ten come in this time, and then
// the learner's page does not move a second time.
const reasonsDelay = 150 * time.Millisecond

// An announcement displays a verdict: once, if its reasons come soon; otherwise at first with a
// place kept for them.
type announcement struct {
	display func(...view.View)
	place   string

	mu    sync.Mutex
	timer *time.Timer // nil before the verdict
	ended bool
}

func newAnnouncement(display func(...view.View)) *announcement {
	return &announcement{display: display, place: fmt.Sprintf("verdict-%x", rand.Uint64())}
}

// judged takes a verdict whose reasons are still being looked for.
func (a *announcement) judged(v *verdict.Verdict) {
	if v.Passed() {
		return
	}
	pending := *v
	pending.Pending = true
	a.timer = time.AfterFunc(reasonsDelay, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if !a.ended {
			// After a fault the complete verdict is still shown.
			fence.Around(func() { a.display(view.Placed{View: &pending, Place: a.place}) })
		}
	})
}

// complete displays the verdict with its reasons.
func (a *announcement) complete(v *verdict.Verdict) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	if a.timer != nil {
		a.timer.Stop()
	}
	a.display(view.Placed{View: v, Place: a.place})
}
