package host

import (
	"fmt"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// Variables, because a test has less time.
var (
	// deadline is how long a call of the learner's function may take, unless its task allows more.
	deadline = 20 * time.Second
	// waiting is how long the function may make no call while a callback of it is due.
	waiting = 2 * time.Second
	// quiet is how long it may make no call at all.
	quiet = 10 * time.Second
	// look is how often it is watched.
	look = 100 * time.Millisecond
)

// A stuck function has not returned.
type stuck struct {
	after time.Duration
	waits *webgpu.Waiting // what it waits for; nil if it waits for nothing
	idle  bool            // it makes no calls
	at    webgpu.HostSite // where it is
}

// await waits until the learner's function has ended, or gives it up. Its error means that the
// function is in a call that doesn't return.
func (t *HostTask) await(record *webgpu.Record, done <-chan struct{}) (*stuck, error) {
	started, patience := time.Now(), max(time.Duration(t.Work.Seconds)*time.Second, deadline)
	ticks := time.NewTicker(look)
	defer ticks.Stop()
	for {
		select {
		case <-done:
			return nil, nil
		case <-ticks.C:
		}
		after := time.Since(started)
		var s *stuck
		stopped := record.Stop(func(idle time.Duration, on *webgpu.Waiting) bool {
			switch {
			case !record.Dialect().Native: // whatever runs JavaScript stops a program without calls
				if after > patience {
					s = &stuck{after: after}
				}
				return false
			case on != nil && idle > waiting:
				s = &stuck{after: idle, waits: on, idle: true}
			case idle > quiet:
				s = &stuck{after: idle, idle: true}
			case after > patience, len(record.Mistakes) > 0 && after > waiting:
				s = &stuck{after: after}
			}
			return s != nil
		})
		if stopped {
			s.at = whereItIs()
		}
		if s != nil {
			return s, nil
		}
		if after > patience+quiet {
			return nil, fmt.Errorf("%w: it had %v", ErrTooLong, patience)
		}
	}
}

// diagnosis says that the function didn't return, and what it does instead.
func (s *stuck) diagnosis(record *webgpu.Record) *explanation {
	d := &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageRun, Slug: verdict.DidNotFinish}}
	spell := record.Dialect().Spell
	at := s.at
	switch {
	case s.waits != nil:
		d.Slug = "no-poll"
		d.Message = fmt.Sprintf("Your function waits for %s, but doesn't call `Poll`", s.waits.For)
		d.Why = fmt.Sprintf("`%s` returns at once (%s), and its callback comes only while `Poll` runs.", spell(s.waits.Call), s.waits.At.Shown())
		d.Try = "Call `Poll` of the device until the callback has come: `device.Poll(true, nil)`."
		if !at.Known() {
			at = s.waits.At
		}
	case s.idle:
		d.Message = fmt.Sprintf("Your function makes no call for %d seconds, and doesn't return", int(s.after.Seconds()))
		d.Ask = "Which loop never ends, or which channel gets no value?"
	default:
		d.Message = fmt.Sprintf("Your function didn't return within %d seconds", int(s.after.Seconds()))
		d.Ask = "Which loop never ends?"
	}
	if last := len(record.Calls) - 1; last >= 0 && s.waits == nil {
		// The calls before the learner's own opened the device.
		if from := record.Calls[last].At.Resolved(); isLearners(from.Function, from.File) || !record.Dialect().Native {
			d.Why = fmt.Sprintf("Its last call was `%s`, on %s.", spell(record.Calls[last].Name), record.Calls[last].At.Shown())
		}
	}
	d.Message += "."
	show(d, at)
	return d
}

// whereItIs returns the line at which the learner's function is, if Go knows it.
func whereItIs() webgpu.HostSite {
	at, _, _ := lineOfGo("host.(*HostTask).run.func")
	return at
}
