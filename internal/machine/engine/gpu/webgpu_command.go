//go:build cgo

package gpu

import (
	"errors"
	"fmt"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func encodeCommand(encoder *wgpu.CommandEncoder, c QueueCommand) error {
	switch c := c.(type) {
	case ComputePass:
		encodePass(encoder, c.Dispatches, timesOf(c))
	case BufferCopy:
		return encoder.CopyBufferToBuffer(handleOf(c.From), c.FromOffset, handleOf(c.To), c.ToOffset, c.Bytes)
	case BufferClear:
		if c.Bytes == 0 {
			return nil // wgpu-native would end the process
		}
		return encoder.ClearBuffer(handleOf(c.Buffer), c.Offset, c.Bytes)
	case Timestamp:
		return encoder.WriteTimestamp(c.To.set.(webgpuQueries).QuerySet, c.Query)
	case QueryResolve:
		return encoder.ResolveQuerySet(c.From.set.(webgpuQueries).QuerySet, c.First, c.Count, handleOf(c.To), c.Offset)
	}
	return nil
}

func timesOf(c ComputePass) *timestamps {
	if c.Times == nil {
		return nil
	}
	return &timestamps{c.Times.set.(webgpuQueries).QuerySet, c.Begin, c.End}
}

type webgpuQueries struct{ *wgpu.QuerySet }

func (q webgpuQueries) release() { q.Release() }

func (w *webgpu) newQueries(count uint32) (queries, error) {
	var set *wgpu.QuerySet
	var err error
	scoped := w.guarded(func() {
		set, err = w.device.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: count})
	})
	if err := errors.Join(err, scoped); err != nil {
		return nil, fmt.Errorf("making a query set: %w", err)
	}
	return webgpuQueries{set}, nil
}

// pollsEagerly is how long polls of a busy device return at once. After that they rest, because the
// caller may poll in a loop, and a CPU adapter needs the cores.
const pollsEagerly = time.Millisecond

// poll lets wgpu-native call back.
func (w *webgpu) poll(d *Device) (bool, error) {
	idle, err := w.pollNative()
	if err != nil {
		return false, d.lose(err)
	}
	if !idle && d.busy != nil && w.chosen.Kind != shader.GPU && time.Since(d.busy.Began) > pollsEagerly {
		nap(firstPause)
	}
	return idle, nil
}

// A webgpuReading is a mapped buffer of the driver.
type webgpuReading struct {
	buffer        *wgpu.Buffer
	mapping       mapping
	offset, bytes uint64
	finished      bool
}

func (w *webgpu) startRead(from memory, offset, bytes uint64) (reading, error) {
	r := &webgpuReading{buffer: from.(webgpuBuffer).Buffer, offset: offset, bytes: bytes}
	if err := w.guarded(func() { r.mapping = startMapping(r.buffer, mapRead, offset, bytes) }); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *webgpuReading) done(*Device) (bool, error) {
	if r.finished || !r.mapping.done() {
		return r.finished, nil
	}
	r.finished = true
	return true, r.mapping.finish()
}

func (r *webgpuReading) copy(into []byte, from uint64) {
	if len(into) > 0 {
		copyWide(into, r.buffer.GetMappedRange(uint(r.offset), uint(r.bytes))[from:])
	}
}

// end unmaps the buffer. The state of a mapping that has not ended stays allocated, because its
// callback may still come.
func (r *webgpuReading) end(*Device) error { return r.buffer.Unmap() }
