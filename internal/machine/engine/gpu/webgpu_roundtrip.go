//go:build cgo

package gpu

import (
	"errors"
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"
)

// A webgpuTrip keeps the memory of a RoundTrip mapped between two trips.
type webgpuTrip struct {
	platform *webgpu
	in, out  *Buffer
	shared   bool         // from is in itself
	from     *wgpu.Buffer // mapped between two trips
	answers  bool         // result is out itself
	result   *wgpu.Buffer // mapped at the end of a trip
}

func (w *webgpu) newTrip(d *Device, in, out *Buffer) (trip, error) {
	t := &webgpuTrip{platform: w, in: in, out: out, shared: in.memory.(webgpuBuffer).shared, answers: out.memory.(webgpuBuffer).answers}
	if err := t.openUpload(d); err != nil {
		return nil, fmt.Errorf("making %d bytes to upload from: %w", in.bytes, err)
	}
	if t.answers {
		t.result = handleOf(out)
		return t, nil
	}
	var err error
	if t.result, err = w.createBuffer(out.bytes, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst); err != nil {
		t.releaseUpload()
		return nil, err
	}
	return t, nil
}

// openUpload makes and maps the memory in which a trip begins: the buffer itself if it is shared.
func (t *webgpuTrip) openUpload(d *Device) (err error) {
	w, size := t.platform, t.in.bytes
	if !t.shared {
		scoped := w.guarded(func() {
			t.from, err = w.device.CreateBuffer(&wgpu.BufferDescriptor{Size: size, Usage: wgpu.BufferUsageMapWrite | wgpu.BufferUsageCopySrc, MappedAtCreation: true})
		})
		return errors.Join(err, scoped)
	}
	t.from = handleOf(t.in)
	var writes mapping
	if err := w.guarded(func() { writes = startMapping(t.from, mapWrite, 0, size) }); err != nil {
		return err
	}
	if err := w.await(d, writes.done); err != nil {
		return err
	}
	if err := writes.finish(); err != nil {
		return d.lose(err)
	}
	return nil
}

func (t *webgpuTrip) release() {
	t.releaseUpload()
	if !t.answers {
		t.result.Release()
	}
}

func (t *webgpuTrip) releaseUpload() {
	if !t.shared {
		t.from.Release()
	}
}

func (t *webgpuTrip) upload() []byte { return t.from.GetMappedRange(0, uint(t.in.bytes)) }

// run makes the trip in one submission.
func (t *webgpuTrip) run(d *Device, passes []Pass, answer []byte) error {
	w := t.platform
	if err := w.encode(d, func(encoder *wgpu.CommandEncoder) error {
		if err := t.from.Unmap(); err != nil {
			return err
		}
		return t.record(encoder, passes, uint64(len(answer)))
	}); err != nil {
		return err
	}
	var writes, reads mapping
	if err := w.guarded(func() {
		writes = startMapping(t.from, mapWrite, 0, t.in.bytes)
		reads = startMapping(t.result, mapRead, 0, uint64(len(answer)))
	}); err != nil {
		return err
	}
	if err := w.await(d, func() bool { return reads.done() && writes.done() }); err != nil {
		return err // keep the mappings' states: their callbacks may still come
	}
	if err := errors.Join(writes.finish(), reads.finish()); err != nil {
		return d.lose(err)
	}
	copyWide(answer, t.result.GetMappedRange(0, uint(len(answer))))
	return t.result.Unmap()
}

func (t *webgpuTrip) record(encoder *wgpu.CommandEncoder, passes []Pass, answer uint64) error {
	if !t.shared {
		if err := encoder.CopyBufferToBuffer(t.from, 0, handleOf(t.in), 0, t.in.bytes); err != nil {
			return err
		}
	}
	encodePass(encoder, passes, nil)
	if t.answers {
		return nil
	}
	return encoder.CopyBufferToBuffer(handleOf(t.out), 0, t.result, 0, answer)
}
