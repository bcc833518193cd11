package gpu

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/wgslab/wgslab/internal/ground/fence"
)

// A RoundTrip is a repeatable trip to the device. In one submission, it writes values into one
// buffer, runs passes and reads another buffer back. It allocates its host memory once: memory that
// the device reads from, and memory that it writes to. A RoundTrip is for one goroutine at a time.
type RoundTrip struct {
	device  *Device
	in, out *Buffer
	passes  []Pass
	trip    trip
	memory  []byte // the next trip's upload; nil after an interrupted trip
}

// RoundTrip prepares a trip. Run writes in, runs the passes and reads out.
func (d *Device) RoundTrip(in, out *Buffer, passes ...Pass) (*RoundTrip, error) {
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
	r := &RoundTrip{device: d, in: in, out: out, passes: passes, trip: t, memory: t.upload()}
	d.live[r] = struct{}{}
	return r, nil
}

// Free frees the trip's memory before the device's Close.
func (r *RoundTrip) Free() { r.device.free(r) }

func (r *RoundTrip) release() { r.trip.release() }

// Memory returns the bytes that the next trip uploads, one for each byte of the buffer. Write
// the values there to avoid a copy. The slice is valid until the next Run, Free or Close.
func (r *RoundTrip) Memory() []byte { return r.memory }

// Run makes the trip. It writes data to the start of the first buffer, or Memory's content if data
// is nil. It then runs the passes and reads the first len(into) values of the second buffer.
func Run[T Element](r *RoundTrip, data []byte, into []T) error {
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
		return errors.New("the round trip was interrupted: make a new one")
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

// copyWide copies large data on several cores.
func copyWide(to, from []byte) {
	const worthwhile = 1 << 20 // bytes for each core
	parts := min(len(from)/worthwhile, runtime.GOMAXPROCS(0))
	if parts < 2 {
		copy(to, from)
		return
	}
	var done fence.Group
	for i := range parts {
		done.Go(func() {
			first, end := i*len(from)/parts, (i+1)*len(from)/parts
			copy(to[first:end], from[first:end])
		})
	}
	done.Wait()
}
