package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/cogentcore/webgpu/wgpu"
)

// A Round is a trip to the device that is made again and again: values go into
// one buffer, passes run, and another buffer comes back, all in one submission.
// What the trip needs on the host is made once: memory that the device reads
// from, and memory that it writes to. A Round is for one goroutine at a time.
type Round struct {
	device  *Device
	in, out *Buffer
	passes  []Pass
	upload  *wgpu.Buffer // mapped between two trips
	result  *wgpu.Buffer // mapped at the end of a trip
	mapped  []byte       // the memory of upload
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
	r := &Round{device: d, in: in, out: out, passes: passes}
	var err error
	scoped := d.guarded(func() {
		r.upload, err = d.device.CreateBuffer(&wgpu.BufferDescriptor{Size: in.bytes, Usage: wgpu.BufferUsageMapWrite | wgpu.BufferUsageCopySrc, MappedAtCreation: true})
	})
	if err := errors.Join(err, scoped); err != nil {
		return nil, fmt.Errorf("making %d bytes to upload from: %w", in.bytes, err)
	}
	r.mapped = r.upload.GetMappedRange(0, uint(in.bytes))
	if r.result, err = d.newBuffer(out.bytes, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst); err != nil {
		r.upload.Release()
		return nil, err
	}
	d.live[r] = struct{}{}
	return r, nil
}

// Free gives the trip's memory back ahead of the device's Close.
func (r *Round) Free() { r.device.free(r) }

func (r *Round) release() {
	r.upload.Release()
	r.result.Release()
}

// Memory is what the next trip uploads: all of the buffer's bytes. What stands
// there already need not be copied. The slice is good until the next Run, Free or
// Close.
func (r *Round) Memory() []byte { return r.mapped }

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
	if r.mapped == nil {
		return errors.New("the round was interrupted on its way: make it again")
	}
	answer := bytesOf(into)
	if len(data) > len(r.mapped) || uint64(len(answer)) > r.out.bytes {
		return fmt.Errorf("%d bytes go to a buffer of %d, and %d come from one of %d", len(data), len(r.mapped), len(answer), r.out.bytes)
	}
	copyWide(r.mapped, data)
	r.mapped = nil
	d.counts.Submissions++
	d.counts.Readbacks++
	var writes, reads mapping
	if err := d.encode(func(encoder *wgpu.CommandEncoder) error {
		if err := r.upload.Unmap(); err != nil {
			return err
		}
		return r.record(encoder, uint64(len(answer)))
	}); err != nil {
		return err
	}
	if err := d.guarded(func() {
		writes = startMapping(r.upload, mapWrite, r.in.bytes)
		reads = startMapping(r.result, mapRead, uint64(len(answer)))
	}); err != nil {
		return err
	}
	if err := d.await(running, func() bool { return reads.done() && writes.done() }); err != nil {
		return err // the mappings' states stay: their callbacks may still come
	}
	if err := errors.Join(writes.finish(), reads.finish()); err != nil {
		return d.lose(err)
	}
	r.mapped = r.upload.GetMappedRange(0, uint(r.in.bytes))
	copyWide(answer, r.result.GetMappedRange(0, uint(len(answer))))
	return r.result.Unmap()
}

func (r *Round) record(encoder *wgpu.CommandEncoder, answer uint64) error {
	if err := encoder.CopyBufferToBuffer(r.upload, 0, r.in.handle, 0, r.in.bytes); err != nil {
		return err
	}
	encodePass(encoder, r.passes, nil, 0)
	return encoder.CopyBufferToBuffer(r.out.handle, 0, r.result, 0, answer)
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
