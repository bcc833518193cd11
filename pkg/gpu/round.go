package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// A Round is a trip to the device that is made again and again: values go into
// one buffer, passes run, and another buffer comes back, all in one submission.
// What the trip needs on the host is made once: memory that the device reads
// from, and memory that it writes to. A Round is for one goroutine at a time.
type Round struct {
	device  *Device
	in, out *Buffer
	passes  []Pass
	trip    trip
	memory  []byte // what the next trip uploads; nil when one was interrupted
}

// Round prepares a trip. Run fills in, runs the passes and reads out.
func (d *Device) Round(in, out *Buffer, passes ...Pass) (*Round, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.submittable(passes); err != nil {
		return nil, err
	}
	for _, b := range []*Buffer{in, out} {
		if err := d.usable("the buffer", b); err != nil {
			return nil, err
		}
	}
	t, err := d.platform.newTrip(d, in, out)
	if err != nil {
		return nil, err
	}
	r := &Round{device: d, in: in, out: out, passes: passes, trip: t, memory: t.upload()}
	d.live[r] = struct{}{}
	return r, nil
}

// Free gives the trip's memory back ahead of the device's Close.
func (r *Round) Free() { r.device.free(r) }

func (r *Round) release() { r.trip.release() }

// Memory is what the next trip uploads: all of the buffer's bytes. What stands
// there already need not be copied. The slice is good until the next Run, Free or
// Close.
func (r *Round) Memory() []byte { return r.memory }

// Run makes the trip: data goes to the start of the first buffer, or what Memory
// holds when data is nil, and the first len(into) values of the other come back.
func Run[T Element](r *Round, data []byte, into []T) error {
	d := r.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the round", r); err != nil {
		return err
	}
	if err := d.submittable(r.passes); err != nil {
		return err
	}
	if r.memory == nil {
		return errors.New("the round was interrupted on its way: make it again")
	}
	answer := bytesOf(into)
	if len(data) > len(r.memory) || uint64(len(answer)) > r.out.bytes {
		return fmt.Errorf("%d bytes go to a buffer of %d, and %d come from one of %d", len(data), len(r.memory), len(answer), r.out.bytes)
	}
	copyWide(r.memory, data)
	r.memory = nil
	d.counts.Submissions++
	d.counts.Readbacks++
	if err := r.trip.run(d, r.passes, answer); err != nil {
		return err
	}
	r.memory = r.trip.upload()
	return nil
}

// copyWide copies on several processors what takes one of them long.
func copyWide(to, from []byte) {
	const worthwhile = 1 << 20 // bytes for each processor
	parts := min(len(from)/worthwhile, runtime.GOMAXPROCS(0))
	if parts < 2 {
		copy(to, from)
		return
	}
	var done sync.WaitGroup
	for i := range parts {
		done.Go(func() {
			first, end := i*len(from)/parts, (i+1)*len(from)/parts
			copy(to[first:end], from[first:end])
		})
	}
	done.Wait()
}
