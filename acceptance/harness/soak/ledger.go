package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// A ledger holds what a notebook has asked and what came. It reports what must not happen: a reply
// that comes twice, a message after the end of its request, a message of another learner.
type ledger struct {
	learner int
	fault   func(format string, arguments ...any)
	events  chan json.RawMessage // of the debugger

	mu       sync.Mutex
	requests map[string]*request
	seen     map[string]bool // the ids of all messages that came
	fresh    chan struct{}   // closed at the next output
}

func newLedger(learner int, fault func(string, ...any)) *ledger {
	return &ledger{
		learner: learner, fault: fault, events: make(chan json.RawMessage, 100),
		requests: map[string]*request{}, seen: map[string]bool{}, fresh: make(chan struct{}),
	}
}

// A request is something that a notebook asked its kernel.
type request struct {
	kind string
	sent time.Time
	done chan struct{} // closed when it is replied to and the kernel is idle

	// The ledger's mutex guards the rest until done is closed.
	reply   jupyter.Reply
	content json.RawMessage // of the reply
	shown   time.Time       // of the first display or line; zero if there was none
	ended   time.Time
	display strings.Builder // text of displays and errors
	stream  strings.Builder // stdout and stderr

	replied, idle bool
}

// open enters a request before it is sent.
func (l *ledger) open(m jupyter.Message) *request {
	r := &request{kind: m.Header.Type, sent: time.Now(), done: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests[m.Header.ID] = r
	return r
}

// forgive closes all open requests: their kernel is gone, on purpose.
func (l *ledger) forgive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, r := range l.requests {
		if !r.replied || !r.idle {
			delete(l.requests, id)
			l.seen[id] = true // what still comes of it is no stranger's
			r.ended = time.Now()
			close(r.done)
		}
	}
}

// output returns a channel that is closed at the next output of the notebook's cells.
func (l *ledger) output() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fresh
}

// text returns what the request has displayed so far.
func (l *ledger) text(r *request) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return r.display.String()
}

// marker begins the word that only one learner's cells write: soak-7.
const marker = "soak-"

// mark returns a learner's own marker.
func mark(learner int) string { return marker + strconv.Itoa(learner) }

// take enters a message that came.
func (l *ledger) take(channel string, m jupyter.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[m.Header.ID] {
		l.fault("a message of type %s came twice", m.Header.Type)
		return
	}
	l.seen[m.Header.ID] = true
	if other, ok := foreign(m.Content, l.learner); ok {
		l.fault("a message of type %s holds the output of learner %d", m.Header.Type, other)
	}
	if m.Header.Type == "debug_event" {
		select {
		case l.events <- m.Content:
		default:
			l.fault("nobody reads the debugger's events")
		}
		return
	}
	r := l.requests[m.Parent.ID]
	if r == nil {
		if !unasked(m.Header.Type) && !l.seen[m.Parent.ID] {
			l.fault("a message of type %s answers nothing that this notebook asked", m.Header.Type)
		}
		return
	}
	l.enter(channel, m, r)
}

// unasked reports whether a message may come without a request of the notebook: the server asks
// about the kernel itself, and restarts it.
func unasked(kind string) bool {
	return kind == "status" || kind == "iopub_welcome" || kind == "shutdown_reply"
}

// foreign returns the number of the learner whose marker a text holds, if it isn't our own.
func foreign(text []byte, own int) (learner int, ok bool) {
	for {
		_, after, found := bytes.Cut(text, []byte(marker))
		if !found {
			return 0, false
		}
		digits := after[:len(after)-len(bytes.TrimLeft(after, "0123456789"))]
		if n, err := strconv.Atoi(string(digits)); err == nil && n != own {
			return n, true
		}
		text = after
	}
}

// enter enters a message that belongs to a request.
func (l *ledger) enter(channel string, m jupyter.Message, r *request) {
	switch kind := m.Header.Type; {
	case channel != "iopub" && strings.HasSuffix(kind, "_reply"):
		if r.replied {
			l.fault("a %s got two replies", r.kind)
			return
		}
		r.replied, r.content = true, m.Content
		_ = json.Unmarshal(m.Content, &r.reply) // only that of a cell has these fields
	case kind == "status":
		if !bytes.Contains(m.Content, []byte(`"idle"`)) {
			return
		}
		if r.idle {
			l.fault("a %s became idle twice", r.kind)
			return
		}
		r.idle = true
	default:
		l.display(m, r)
		return
	}
	if r.replied && r.idle {
		r.ended = time.Now()
		close(r.done)
	}
}

// display enters an output.
func (l *ledger) display(m jupyter.Message, r *request) {
	if r.idle {
		l.fault("a message of type %s came after the end of its %s", m.Header.Type, r.kind)
		return
	}
	var content struct {
		Text   string
		Data   map[string]any
		EValue string
	}
	_ = json.Unmarshal(m.Content, &content) // what has no such fields displays nothing
	switch m.Header.Type {
	case "stream":
		r.stream.WriteString(content.Text)
	case "display_data", "update_display_data", "execute_result":
		fmt.Fprintf(&r.display, "%v\n", content.Data["text/plain"])
	case "error":
		r.display.WriteString(content.EValue + "\n")
	default:
		return
	}
	if r.shown.IsZero() {
		r.shown = time.Now()
	}
	close(l.fresh)
	l.fresh = make(chan struct{})
}

// unanswered lists the kinds of the requests that are still open.
func (l *ledger) unanswered() (kinds []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.requests {
		if !r.replied || !r.idle {
			kinds = append(kinds, r.kind)
		}
	}
	return kinds
}
