package show

import (
	"fmt"
	"os"
	gosync "sync"
	"time"

	"github.com/wgslab/wgslab/internal/networks/cellrun"
)

// patience is how long work lasts before While says what it does, and between two updates.
var patience = time.Second

// While does long work and then displays its views. If the work takes more than a second, a note in
// the cell says what it does and for how long it has done so; the first view replaces the note. The
// work calls step at the beginning of each part. If it fails, the cell ends with its error.
func While(title string, work func(step func(part string)) ([]View, error)) {
	w := &wait{title: title, place: NewPlace(), began: time.Now()}
	if shownLive() && !cellrun.Unattended() {
		stop := w.tick()
		defer stop()
	} else {
		w.ended = true
	}
	views, err := work(w.step)
	if err != nil {
		views = []View{Failure(err)}
	}
	w.end(views)
	if err != nil {
		os.Exit(1)
	}
}

// A wait is the work of While.
type wait struct {
	title string
	place Place
	began time.Time

	mu    gosync.Mutex // held while the note is sent
	part  string
	said  time.Time // when the note was last sent; zero before the first time
	ended bool      // no more notes
}

// step says that a part begins.
func (w *wait) step(part string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part = part
	w.say()
}

// tick updates the note every second until it is stopped.
func (w *wait) tick() (stop func()) {
	ticker, done := time.NewTicker(patience), make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				w.mu.Lock()
				w.say()
				w.mu.Unlock()
			}
		}
	}()
	return func() { ticker.Stop(); close(done) }
}

// say sends the note, once the work has lasted a while, and not too often.
func (w *wait) say() {
	lasted := time.Since(w.began)
	if w.ended || lasted < patience || time.Since(w.said) < patience/2 {
		return
	}
	body := fmt.Sprintf("%.0f s so far", lasted.Seconds())
	if w.part != "" {
		body = w.part + ", " + body
	}
	w.said = time.Now()
	send(Note{Title: w.title + "…", Body: body}, w.place.id)
}

// end displays the views, the first in place of the note.
func (w *wait) end(views []View) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	if !w.said.IsZero() && len(views) > 0 {
		w.place.Show(views[0])
		views = views[1:]
	}
	Display(views...)
}
