package webgpu

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A Queue receives the commands of a device.
type Queue struct{ HostObject }

// WriteBuffer writes bytes to a buffer (§ GPUQueue).
func (q *Queue) WriteBuffer(at HostSite, b *Buffer, offset uint64, data []byte) error {
	d := q.device
	call := d.begin("writeBuffer", at, &q.HostObject, nil, uint64(len(data)))
	defer d.record.mu.Unlock()
	if d.repairedWrite(&b, &offset, &data) {
		return nil
	}
	bytes := uint64(len(data))
	if m := d.checkWrite(at, b, offset, bytes); m != nil {
		if r := d.record; r.judged && r.Refused == nil && b != nil {
			r.Refused = &BufferWrite{call, b, offset, bytes, r.kept(data), r.writes - 1}
		}
		return d.fail(call, nil, m)
	}
	if err := d.alive(at); err != nil {
		return err
	}
	d.record.wrote(call, b, offset, data)
	if bytes == 0 {
		return nil
	}
	if err := b.memory.WriteAt(data, offset); err != nil {
		return d.fault(at, ErrorFilterInternal, err)
	}
	return nil
}

func (d *Device) checkWrite(at HostSite, b *Buffer, offset, bytes uint64) *Mistake {
	if b == nil {
		return d.missing(at, "writeBuffer", "buffer")
	}
	if bytes%wordBytes != 0 {
		return d.mistake("write-multiple", at, nil, facts{"given": bytes})
	}
	if m := d.usable(at, &b.HostObject); m != nil {
		return m
	}
	switch {
	case b.destroyed || b.mapping != nil:
		return d.mistake("write-unavailable", at, nil, facts{"buffer": b, "state": b.stateName()})
	case b.Usage&gpu.UsageCopyDst == 0:
		return d.mistake("write-usage", at, &b.HostObject, facts{"buffer": b, "usage": b.Usage})
	case offset%wordBytes != 0:
		return d.mistake("write-offset", at, nil, facts{"given": offset})
	case !within(offset, bytes, b.Size):
		return d.mistake("write-range", at, &b.HostObject, facts{"buffer": b, "given": offset + bytes, "needed": b.Size})
	}
	return nil
}

// Submit puts command buffers on the queue, as one submission of the engine (§ GPUQueue). It
// doesn't wait.
func (q *Queue) Submit(at HostSite, buffers []*CommandBuffer) error {
	d := q.device
	call := d.begin("submit", at, &q.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	m := d.checkSubmit(at, buffers)
	s := &QueueSubmission{Call: call, At: at}
	var commands []gpu.QueueCommand
	for _, b := range buffers {
		if b == nil {
			continue
		}
		if m == nil {
			commands, s.Steps = append(commands, b.commands...), append(s.Steps, b.steps...)
		}
		b.used, b.submitted = true, at
		defer b.dropAll()
	}
	if m != nil {
		return d.fail(call, nil, m)
	}
	if err := d.alive(at); err != nil {
		return err
	}
	keep(d.record, &d.record.Submissions, s)
	d.record.submitted++
	if !d.record.allowed(s) {
		return nil
	}
	if err := gpu.SubmitCommands(d.engine, commands); err != nil {
		return d.fault(at, ErrorFilterInternal, err)
	}
	return nil
}

func (d *Device) checkSubmit(at HostSite, buffers []*CommandBuffer) *Mistake {
	for i, c := range buffers {
		if c == nil {
			return d.missing(at, "submit", "command buffer")
		}
		if slices.Contains(buffers[:i], c) {
			return d.mistake("submit-twice", at, nil, nil)
		}
		if c.used {
			return d.mistake("submit-used", at, nil, facts{"place": c.submitted})
		}
		if m := d.usable(at, &c.HostObject); m != nil {
			return m
		}
		for b := range c.buffers {
			switch {
			case b.destroyed:
				return d.mistake("submit-destroyed", b.destroyedAt, nil, facts{"buffer": b})
			case b.mapping != nil:
				mapped := b.Made // at creation
				if b.mapping.recorded != nil {
					mapped = b.mapping.recorded.At
				}
				if !b.mapping.mapped {
					return d.mistake("submit-pending", mapped, nil, facts{"buffer": b})
				}
				m := d.mistake("submit-mapped", mapped, nil, facts{"buffer": b, "state": b.stateName()})
				if r := b.mapping.recorded; r != nil && r.Mode == MapModeRead && !r.Read {
					m.Do = "Submit first, and then map it to read the result."
				}
				return m
			}
		}
	}
	return nil
}

// OnSubmittedWorkDone calls back in Poll when all work submitted so far has ended. The error says
// that the device is lost.
func (q *Queue) OnSubmittedWorkDone(at HostSite, done func(error)) {
	d := q.device
	d.begin("onSubmittedWorkDone", at, &q.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	d.doneCalls = append(d.doneCalls, done)
	keep(d.record, &d.record.done, at)
}

// Release releases the queue.
func (q *Queue) Release(at HostSite) { q.device.release(at, &q.HostObject) }

// Submitted returns how many submissions the record has.
func (q *Queue) Submitted() int {
	r := q.device.record
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.submitted
}
