package webgpu

import (
	"strings"
	"time"
)

// A memory is how much a program may hold at once.
type memory struct {
	buffers int    // that are alive
	bytes   uint64 // of those
	made    int    // buffers in all: a destroyed one keeps its place in the engine
}

// The most that a program may hold. A driver runs out of mappings at 65,000 buffers, and ends the
// process. A check needs less: the rest of the machine is not the program's.
var (
	mostMemory  = memory{buffers: 20_000, bytes: 1 << 40, made: 1 << 40}
	checkMemory = memory{buffers: 1000, bytes: 1 << 30, made: 20_000}
)

// LimitMemory limits how many buffers may be alive at once, how many bytes they have, and how many
// buffers may be made in all.
func (r *Record) LimitMemory(buffers int, bytes uint64, made int) {
	r.limits = memory{buffers, bytes, made}
}

// checkAlive returns the mistake of a program that makes buffers without end, or nil.
func (d *Device) checkAlive(at HostSite, b *Buffer) *Mistake {
	most := d.record.limits
	if most == (memory{}) {
		most = mostMemory
	}
	switch {
	case d.record.alive >= most.buffers:
		return d.mistake("buffers-alive", at, nil, facts{"given": uint64(d.record.alive), "buffer": b})
	case b.Size > most.bytes-min(most.bytes, d.record.bytes):
		return d.mistake("buffers-bytes", at, nil, facts{"given": d.record.bytes, "buffer": b})
	case d.record.made >= most.made:
		return d.mistake("buffers-made", at, nil, facts{"given": uint64(d.record.made), "buffer": b})
	}
	return nil
}

// IsWithoutEnd reports whether an error is about a program that makes buffers without end.
func IsWithoutEnd(err error) bool {
	m, ok := err.(*Mistake)
	return ok && strings.HasPrefix(m.Rule.ID, "buffers-")
}

// A Waiting is what a program waits for.
type Waiting struct {
	For  string   // in words, such as "the mapping of the buffer `readback`"
	Call string   // that began it: mapAsync
	At   HostSite // of that call
}

// Stop ends the recording for good if stuck says so: the program's later calls wait forever. stuck
// gets the time since the last call, and what the program waits for, or nil. While a call runs, the
// program isn't stuck.
func (r *Record) Stop(stuck func(idle time.Duration, on *Waiting) bool) (stopped bool) {
	if !r.lockSoon() {
		return false
	}
	if stopped = !r.busy.IsZero() && stuck(time.Since(r.busy), r.waitsFor()); !stopped {
		r.mu.Unlock()
	}
	return stopped
}

// lockSoon locks the record, unless a call holds it for long. A program that makes calls without a
// pause leaves it free for moments only.
func (r *Record) lockSoon() bool {
	const tries, pause = 50, 100 * time.Microsecond
	for range tries {
		if r.mu.TryLock() {
			return true
		}
		time.Sleep(pause)
	}
	return false
}

// waitsFor returns what hasn't come yet, or nil.
func (r *Record) waitsFor() *Waiting {
	for _, m := range r.Mappings {
		if !m.Ended && m.Buffer.mapping != nil && m.Buffer.mapping.recorded == m {
			return &Waiting{"the mapping of " + m.Buffer.Name(), "mapAsync", m.At}
		}
	}
	if len(r.done) > 0 {
		return &Waiting{"the end of the submitted work", "onSubmittedWorkDone", r.done[0]}
	}
	return nil
}
